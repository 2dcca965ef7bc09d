//! Phone numbers that a spreadsheet took for quantities: `4155550100.0`, `4.93090182E+09`, `4,155,550,100`. Read digit by
//! digit they would be other numbers.

use super::SILENT;

/// The longest number, in digits, that is suggested for one with an exponent.
const DIGITS_MAX: usize = 20;

/// A quantity, as a spreadsheet writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Quantity {
    /// The digits of its whole part, behind the plus where it has one.
    pub(super) digits: String,
    /// How it is written, for people.
    pub(super) written: &'static str,
}

impl Quantity {
    /// The quantity that a text is; `None` where it is written as phone numbers are.
    pub(super) fn read(typed: &str) -> Option<Self> {
        let text: String = typed.chars().filter(|letter| !letter.is_whitespace()).collect();
        let (plus, bare) = text.strip_prefix('+').map_or(("", text.as_str()), |bare| ("+", bare));
        let found = |(digits, written): (String, _)| Self { digits: format!("{plus}{digits}"), written };
        if let Some(quantity) = with_exponent(bare) {
            return Some(found(quantity));
        }
        let bare: String = bare.chars().filter(|letter| *letter == '.' || !SILENT.contains(letter)).collect();
        let quantity = with_decimals(&bare).map(|whole| (whole, "written as a decimal number"));
        let thousands = || with_thousands(&bare).map(|whole| (whole, "written with thousands separators"));
        quantity.or_else(|| thousands().filter(|_| plus.is_empty())).map(found)
    }
}

/// `4.930901820E9`, `4,93E+09`: the digits before the decimals.
fn with_exponent(text: &str) -> Option<(String, &'static str)> {
    let (mantissa, exponent) = text.split_once(['e', 'E'])?;
    let exponent: usize = exponent.parse().ok()?;
    let (whole, decimals) = mantissa.split_once(['.', ',']).unwrap_or((mantissa, ""));
    let length = whole.len().saturating_add(exponent);
    if whole.is_empty() || !is_digits(whole) || !is_digits(decimals) || length > DIGITS_MAX {
        return None;
    }
    let digits = whole.chars().chain(decimals.chars()).chain(std::iter::repeat('0')).take(length).collect();
    let written = if decimals.len() < exponent {
        "written as a decimal number with an exponent, which may have lost its last digits"
    } else {
        "written as a decimal number with an exponent"
    };
    Some((digits, written))
}

/// `4155550100.0`, `4.155.550.100,00`: the digits before the decimals. Nobody ends a phone number with a dot and one digit;
/// two are decimals behind the only dot, and pairs (`01.23.45.67.00`) are a way to write a phone number.
fn with_decimals(text: &str) -> Option<String> {
    let at = text.rfind(is_mark)?;
    let (whole, mark) = (&text[..at], text[at..].chars().next()?);
    let decimals = &text[at + mark.len_utf8()..];
    let digits: String = whole.chars().filter(|letter| !is_mark(*letter)).collect();
    if digits.is_empty() || decimals.is_empty() || !is_digits(&digits) || !is_digits(decimals) {
        return None;
    }
    let alone = !whole.contains(mark);
    let short = decimals.len() <= 2 || decimals.bytes().all(|digit| digit == b'0');
    (decimals.len() == 1 || (alone && short)).then_some(digits)
}

/// `4,155,550,100`: groups of three behind the first.
fn with_thousands(text: &str) -> Option<String> {
    let mark = text.chars().find(|letter| is_mark(*letter))?;
    let (first, rest) = text.split_once(mark)?;
    let groups: Vec<&str> = rest.split(mark).collect();
    let is_quantity = groups.len() > 1
        && (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && is_digits(first)
        && groups.iter().all(|group| group.len() == 3 && is_digits(group));
    is_quantity.then(|| format!("{first}{}", groups.concat()))
}

/// What spreadsheets put between thousands, or before decimals.
fn is_mark(letter: char) -> bool {
    matches!(letter, '.' | ',' | '\'' | '\u{2019}')
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::super::{Phone, PhoneFault};
    use proptest::prelude::*;

    fn told(typed: &str, country: Option<&str>) -> String {
        Phone::read(typed, country).map_or_else(|fault| fault.to_string(), |phone| format!("took {phone}"))
    }

    #[test]
    fn a_quantity_is_refused_with_the_likely_number() {
        let decimal = "written as a decimal number";
        for (typed, country, reading) in [
            ("4155550100.0", Some("US"), "+1 415-555-0100"),
            ("4155550100,0", Some("US"), "+1 415-555-0100"),
            ("4155550100.00", Some("US"), "+1 415-555-0100"),
            ("4155550100.50", Some("US"), "+1 415-555-0100"),
            ("4155550100.0", None, "4155550100"),
            ("+49 30 901820.0", None, "+49 30 901820"),
            ("0049 30 901820.0", None, "+49 30 901820"),
            ("(030) 901820 .0", Some("DE"), "+49 30 901820"),
            ("4930901820.0", Some("DE"), "+49 30 901820"),
            ("4930901820.0", Some("US"), "+49 30 901820"),
            ("4,155,550,100.0", Some("US"), "+1 415-555-0100"),
            ("4.155.550.100,00", Some("US"), "+1 415-555-0100"),
            ("415.555.0100.0", Some("US"), "+1 415-555-0100"),
        ] {
            assert_eq!(told(typed, country), format!("looks like {reading}, {decimal}"), "{typed}");
        }
        for typed in ["4.930901820E9", "+4.930901820e+09", "4,930901820E9", "4930901820E0"] {
            let expected = format!("looks like +49 30 901820, {decimal} with an exponent");
            assert_eq!(told(typed, Some("DE")), expected, "{typed}");
        }
        for typed in ["4,93E+09", "493E7"] {
            assert!(told(typed, None).ends_with("which may have lost its last digits"), "{typed}");
        }
        for typed in ["4,155,550,100", "4.155.550.100", "4'155'550'100", "4\u{2019}155\u{2019}550\u{2019}100"] {
            assert_eq!(told(typed, Some("US")), "looks like +1 415-555-0100, written with thousands separators");
        }
    }

    #[test]
    fn dots_of_phone_numbers_are_no_decimals() {
        for (typed, country, full) in [
            ("415.555.0100", "US", "+14155550100"),
            ("+1.415.555.0100", "US", "+14155550100"),
            ("01.42.68.53.00", "FR", "+33142685300"),
            ("030.901820", "DE", "+4930901820"),
            ("+49.30.901.820", "DE", "+4930901820"),
            ("415 555 0100.", "US", "+14155550100"),
        ] {
            assert_eq!(told(typed, Some(country)), format!("took {full}"), "{typed}");
        }
    }

    /// A number that its country gives out, as digits with the country's code.
    fn valid() -> impl Strategy<Value = (String, &'static str)> {
        prop_oneof![
            "1(202|212|305|415|617)[2-9][0-9]{2}[0-9]{4}".prop_map(|digits| (digits, "US")),
            "49(30|40|89)[1-9][0-9]{5,7}".prop_map(|digits| (digits, "DE")),
            "4915[12][0-9]{8}".prop_map(|digits| (digits, "DE")),
            "5511 ?9[6-9][0-9]{7}".prop_map(|digits| (digits.replace(' ', ""), "BR")),
            "4477[0-9]{8}".prop_map(|digits| (digits, "GB")),
        ]
    }

    fn thousands(digits: &str, mark: &str) -> String {
        let groups: Vec<&str> =
            digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).unwrap()).collect();
        groups.join(mark)
    }

    proptest! {
        #![proptest_config(crate::testing::properties())]

        #[test]
        fn every_spelling_of_a_spreadsheet_is_refused(
            (whole, country) in valid(),
            of_country: bool,
            plus: bool,
            zeros in "0{1,4}",
            comma: bool,
            cut in 0..9_usize,
            given in prop::sample::select(vec![None, Some("US"), Some("DE"), Some("BR"), Some("GB")]),
        ) {
            let code = if country == "US" { 1 } else { 2 };
            let digits = if of_country { &whole[code..] } else { &whole[..] };
            let (decimal, group) = if comma { (",", ".") } else { (".", ",") };
            let (first, rest) = digits.split_at(1);
            let mantissa = &rest[..rest.len() - cut.min(rest.len())];
            let dot = if mantissa.is_empty() { "" } else { decimal };
            let mut spellings = vec![
                format!("{digits}{decimal}{zeros}"),
                format!("{}{decimal}{zeros}", thousands(digits, group)),
                format!("{first}{dot}{mantissa}E{}", rest.len()),
                format!("{first}{dot}{mantissa}e+{:02}", rest.len()),
            ];
            if plus {
                spellings = spellings.into_iter().map(|spelling| format!("+{spelling}")).collect();
            } else {
                spellings.push(thousands(digits, group));
            }
            for spelling in spellings {
                let refused = matches!(Phone::read(&spelling, given), Err(PhoneFault::Quantity { .. }));
                prop_assert!(refused, "{} for {:?}: {}", spelling, given, told(&spelling, given));
            }
        }
    }
}
