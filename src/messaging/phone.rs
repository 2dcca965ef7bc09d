//! Phone numbers as people type and read them. E.164 alone decides what is valid; metadata of a country's numbers only
//! gives hints, since it ages and test numbers are not in it.

mod spreadsheet;
mod territory;

use self::spreadsheet::Quantity;
use self::territory::{Parts, Territory};
use crate::api::rules;
use std::borrow::Cow;
use std::fmt;

/// A letter pair and a name a line: ISO 3166, and the territories that have numbers of their own.
const COUNTRIES: &str = include_str!("countries.txt");

/// Fewest digits of a number in E.164, as the API takes it.
const DIGITS_MIN: usize = 8;
/// Most digits of a number in E.164.
const DIGITS_MAX: usize = 15;

/// What people put between digits, dashes of all lengths among it, and the marks that address books put around a number
/// to steer its direction.
const SILENT: &[char] = &[
    '-', '.', '(', ')', '/', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{200b}', '\u{200e}',
    '\u{200f}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}',
    '\u{2069}',
];

/// A phone number in E.164.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Phone {
    e164: String,
}

/// Why a text is not a phone number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PhoneFault {
    /// Nothing was typed.
    #[error("needs a phone number")]
    Empty,
    /// A character that is not allowed.
    #[error("{0:?} is not allowed in a phone number")]
    Strange(char),
    /// A national number without a default country.
    #[error("needs a + and the country code, or set country in the profile")]
    NoCountry,
    /// The default country does not exist.
    #[error("unknown country {0:?}; check country in the profile")]
    UnknownCountry(String),
    /// Starts with `+0`.
    #[error("no country code begins with 0")]
    LeadingZero,
    /// Fewer than 8 digits.
    #[error("too short: a number has at least {DIGITS_MIN} digits, country code included")]
    TooShort,
    /// More than 15 digits.
    #[error("too long: a number has at most {DIGITS_MAX} digits, country code included")]
    TooLong,
    /// A spreadsheet took it for a quantity, so that its digits are not the phone's.
    #[error("looks like {likely}, {written}")]
    Quantity {
        /// The likely number, for people.
        likely: String,
        /// How it is written, for people.
        written: &'static str,
    },
    /// Without a plus it begins with the default country's own code: the international reading, and the national one.
    #[error("is {0} or {1}; write it with a + and the country code")]
    TwoReadings(String, String),
}

/// A phone number being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedPhone {
    /// Formatted in groups once it is valid, else as typed.
    pub shown: String,
    /// The number, once it is valid.
    pub phone: Option<Phone>,
    /// The validation error; `None` while empty.
    pub fault: Option<String>,
}

impl Phone {
    /// Reads a number as people write it. Blanks, dashes, dots, brackets and slashes do not count, `00` is a plus, and a
    /// number without a plus is one of `country` (two letters).
    ///
    /// # Errors
    /// What is wrong with it. A text that may mean another number than its digits say is refused.
    pub fn read(typed: &str, country: Option<&str>) -> Result<Self, PhoneFault> {
        if let Some(Quantity { digits, written }) = Quantity::read(typed) {
            return Err(PhoneFault::Quantity { likely: likely(&digits, country), written });
        }
        let bare = bare(typed)?;
        let number = match bare.strip_prefix('+') {
            Some(digits) => international(digits),
            None if bare.is_empty() => Err(PhoneFault::Empty),
            None => national(&bare, country.ok_or(PhoneFault::NoCountry)?),
        }?;
        // The contract's own rule has the last word.
        rules::e164("recipient_phone", &number).map_err(|_| PhoneFault::TooShort)?;
        Ok(Self { e164: number })
    }

    /// What to show while a number is typed.
    pub fn format_typed(typed: &str, country: Option<&str>) -> TypedPhone {
        match Self::read(typed, country) {
            Ok(phone) => TypedPhone { shown: phone.pretty(), phone: Some(phone), fault: None },
            Err(fault) => {
                let fault = (!typed.trim().is_empty()).then(|| fault.to_string());
                TypedPhone { shown: typed.to_owned(), phone: None, fault }
            }
        }
    }

    /// As it is sent: `+5511912345678`.
    pub fn e164(&self) -> &str {
        &self.e164
    }

    /// The one form of a number in E.164 by which people are compared; it is not a number to send to. It has no trunk
    /// prefix (`+49 030 …` is `+49 30 …`) and no mobile prefix (`+52 1`, `+54 9`, the ninth digit of `+55`), since messaging
    /// apps know some people without it. Two numbers that reach the same line are equal then, as far as is known.
    pub fn plain(e164: &str) -> String {
        let bare = without_mobile_prefix(e164);
        let parts = bare.strip_prefix('+').and_then(Parts::of_e164);
        let plain = parts.map(|parts| format!("+{}", parts.digits()).into());
        without_mobile_prefix(&plain.unwrap_or(bare)).into_owned()
    }

    /// The country's English name, where the number tells it.
    pub fn country(&self) -> Option<&'static str> {
        let (code, _) = split(&self.e164)?;
        match parsed(&self.e164).and_then(|parts| parts.territory()) {
            Some(territory) => country_name(territory.id),
            // A number that no country of a shared code gives out: the code tells where it is, more or less.
            None if code == 1 => Some("North America"),
            None => Territory::with_code(code).first().and_then(|territory| country_name(territory.id)),
        }
    }

    /// The country's two letters, as [`Self::read`] takes them: where the number does not tell, of those that share its code
    /// the main one.
    pub fn country_id(&self) -> Option<&'static str> {
        let (code, _) = split(&self.e164)?;
        let territory = parsed(&self.e164).and_then(|parts| parts.territory());
        territory.or_else(|| Territory::with_code(code).first()).map(|territory| territory.id)
    }

    /// In groups, as people read it: `+55 11 91234-5678`.
    pub fn pretty(&self) -> String {
        let pretty = parsed(&self.e164).map(|parts| parts.pretty());
        // Whatever is made of it, it is the same number.
        let same = |pretty: &String| digits(pretty).eq(digits(&self.e164));
        pretty.filter(same).unwrap_or_else(|| grouped(&self.e164))
    }

    /// A warning if the country has no such numbers as far as its metadata goes. Sending stays allowed.
    pub fn hint(&self) -> Option<String> {
        let Some((code, rest)) = split(&self.e164) else {
            return Some("no country has this code, as far as is known".to_owned());
        };
        let territories = Territory::with_code(code);
        if territories.iter().any(|territory| territory.gives_out(rest)) {
            return None;
        }
        let fits = territories.iter().any(|territory| territory.has_length(rest.len()));
        let odd = if fits { "begins with these digits" } else { "has this length" };
        Some(format!("no number of {} {odd}, as far as is known", self.country().unwrap_or("its country")))
    }
}

impl fmt::Display for Phone {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.e164)
    }
}

/// The number that digits most likely are, for people; the digits where that is not clear.
fn likely(digits: &str, country: Option<&str>) -> String {
    let own = Phone::read(digits, country).ok();
    let abroad = country.and_then(|_| Phone::read(&format!("+{digits}"), None).ok());
    let known = |phone: &&Phone| phone.hint().is_none();
    let likely = [&own, &abroad].into_iter().flatten().find(known).or(own.as_ref());
    likely.map_or_else(|| digits.to_owned(), Phone::pretty)
}

/// Digits, with a plus in front where the number is an international one.
fn bare(typed: &str) -> Result<String, PhoneFault> {
    // A trunk prefix in brackets is not dialled from abroad: +44 (0)20 7946 0000.
    let typed = typed.trim();
    let abroad = typed.starts_with('+') || typed.starts_with("00");
    let typed = if abroad { typed.replacen("(0)", "", 1) } else { typed.to_owned() };
    let mut bare = String::with_capacity(typed.len());
    for letter in typed.chars() {
        match letter {
            '0'..='9' => bare.push(letter),
            '+' if bare.is_empty() => bare.push(letter),
            letter if letter.is_whitespace() || SILENT.contains(&letter) => {}
            strange => return Err(PhoneFault::Strange(strange)),
        }
    }
    Ok(match bare.strip_prefix("00") {
        Some(rest) => format!("+{rest}"),
        None => bare,
    })
}

fn international(digits: &str) -> Result<String, PhoneFault> {
    match digits.len() {
        _ if digits.starts_with('0') => Err(PhoneFault::LeadingZero),
        ..DIGITS_MIN => Err(PhoneFault::TooShort),
        DIGITS_MIN..=DIGITS_MAX => Ok(format!("+{digits}")),
        _ => Err(PhoneFault::TooLong),
    }
}

/// Completes a country's own number: the first reading that is a number of that country, else the plainest one.
fn national(digits: &str, country: &str) -> Result<String, PhoneFault> {
    let country = country.trim().to_ascii_uppercase();
    let Some(territory) = Territory::of(&country) else { return Err(PhoneFault::UnknownCountry(country)) };
    let code = territory.code.to_string();
    let trunk = territory.trunk.and_then(|prefix| digits.strip_prefix(prefix));
    // Prefixes may fold into a number, a mobile one of Argentina, say.
    let folded = territory.parse(digits).map(|parts| parts.digits());
    let folded = folded.as_deref().and_then(|number| number.strip_prefix(&code));
    // Its own code in front may be the country's, or the beginning of the national number.
    let whole = digits.strip_prefix(&code).filter(|rest| territory.gives_out(rest));
    let readings = [trunk, Some(digits), folded.filter(|folded| Some(*folded) != whole)];
    let reading = readings.into_iter().flatten().find(|reading| territory.gives_out(reading));
    let own = international(&format!("{code}{}", reading.or(trunk).unwrap_or(digits)));
    match (whole.map(|_| international(digits)), own) {
        (Some(Ok(whole)), Ok(own)) if whole != own => {
            Err(PhoneFault::TwoReadings(Phone { e164: whole }.pretty(), Phone { e164: own }.pretty()))
        }
        (Some(whole), Err(_)) => whole,
        (_, own) => own,
    }
}

/// A number of Mexico, Argentina or Brazil without the digit that only tells that it is a mobile one.
fn without_mobile_prefix(e164: &str) -> Cow<'_, str> {
    let has = |text: &str, length| text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    for (prefix, code) in [("+521", "+52"), ("+549", "+54")] {
        if let Some(rest) = e164.strip_prefix(prefix).filter(|rest| has(rest, 10)) {
            return format!("{code}{rest}").into();
        }
    }
    let brazil = e164.strip_prefix("+55").filter(|rest| has(rest, 11));
    if let Some((area, number)) = brazil.map(|rest| rest.split_at(2))
        && let Some(rest) = number.strip_prefix('9')
        // Without it, eight digits that begin like this are a landline's: another person.
        && !rest.starts_with(['2', '3', '4', '5'])
    {
        return format!("+55{area}{rest}").into();
    }
    e164.into()
}

/// The country's code, and the rest: no code is the beginning of another.
fn split(e164: &str) -> Option<(u16, &str)> {
    Territory::split(e164.strip_prefix('+')?)
}

/// The parts of a number. `None` where part of it is taken for a prefix and dropped: that is another number.
fn parsed(e164: &str) -> Option<Parts> {
    let digits = e164.strip_prefix('+')?;
    Parts::of_e164(digits).filter(|parts| parts.digits() == digits)
}

fn digits(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(char::is_ascii_digit)
}

/// Groups of three from the front, the last of up to four; the country's code apart, where there is such a code.
fn grouped(e164: &str) -> String {
    let (mut text, mut rest) = match split(e164) {
        Some((code, rest)) => (format!("+{code} "), rest),
        None => ("+".to_owned(), e164.trim_start_matches('+')),
    };
    while rest.len() > 4 {
        let (group, behind) = rest.split_at(3);
        text.push_str(group);
        text.push(' ');
        rest = behind;
    }
    text + rest
}

fn country_name(letters: &str) -> Option<&'static str> {
    COUNTRIES.lines().find_map(|line| line.split_once(' ').filter(|(id, _)| *id == letters)).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(typed: &str, country: Option<&str>) -> String {
        Phone::read(typed, country).map_or_else(|fault| fault.to_string(), |phone| phone.e164)
    }

    #[test]
    fn a_number_is_read_as_people_write_it() {
        for typed in [
            "+5511912345678",
            " +55 (11) 91234-5678 ",
            "0055 11 91234.5678",
            "\u{202a}+55\u{a0}11\u{a0}91234\u{2011}5678\u{202c}",
        ] {
            assert_eq!(read(typed, None), "+5511912345678", "{typed}");
        }
        assert_eq!(read("+44 (0)20 7946 0000", None), "+442079460000");
    }

    #[test]
    fn a_number_without_a_plus_is_one_of_the_default_country() {
        for (typed, country, full) in [
            ("030 901820", "DE", "+4930901820"),
            ("030/901820", "de", "+4930901820"),
            ("(11) 91234-5678", "BR", "+5511912345678"),
            ("06 698 12345", "IT", "+390669812345"),
            ("8 800 555 35 35", "RU", "+78005553535"),
            ("800 555 35 35", "RU", "+78005553535"),
            ("415 555 0100", "US", "+14155550100"),
            ("1 415 555 0100", "US", "+14155550100"),
            ("020 7946 0958", "GB", "+442079460958"),
            ("011 15-2345-6789", "AR", "+5491123456789"),
            ("+1 415 555 0100", "DE", "+14155550100"),
        ] {
            assert_eq!(read(typed, Some(country)), full, "{typed} in {country}");
        }
    }

    #[test]
    fn a_number_that_begins_with_its_own_country_code_is_told_with_both_readings() {
        let pretty = |e164: &str| Phone::read(e164, None).unwrap().pretty();
        for (typed, country, whole, own) in [
            ("4930901820", "DE", "+4930901820", "+494930901820"),
            ("49 171 1234567", "DE", "+491711234567", "+49491711234567"),
            ("55 11 91234 5678", "BR", "+5511912345678", "+555511912345678"),
            ("7 800 555 35 35", "RU", "+78005553535", "+778005553535"),
        ] {
            let readings = format!("is {} or {}; write it with a + and the country code", pretty(whole), pretty(own));
            assert_eq!(read(typed, Some(country)), readings, "{typed}");
            assert_eq!(read(&format!("+{typed}"), Some(country)), whole, "{typed}");
        }
    }

    #[test]
    fn trunk_prefix_makes_no_other_number() {
        for (one, other) in [
            ("+4930901820", "+49030901820"),
            ("+442079460958", "+4402079460958"),
            ("+390669812345", "+390669812345"),
            ("+99912345678", "+99912345678"),
        ] {
            assert!(Phone::plain(one) == Phone::plain(other), "{one} {other}");
        }
        for (one, other) in [("+4930901820", "+4930901821"), ("+390669812345", "+39669812345"), ("+999123", "+999124")]
        {
            assert!(Phone::plain(one) != Phone::plain(other), "{one} {other}");
        }
    }

    #[test]
    fn mobile_prefix_makes_no_other_person() {
        for (one, other) in [
            ("+5215512345678", "+525512345678"),
            ("+5491123456789", "+541123456789"),
            ("+5511991234567", "+551191234567"),
            ("+5511912345678", "+551112345678"),
        ] {
            assert!(Phone::plain(one) == Phone::plain(other), "{one} {other}");
        }
        for (one, other) in [("+5511931234567", "+551131234567"), ("+5215512345678", "+525512345679")] {
            assert!(Phone::plain(one) != Phone::plain(other), "{one} {other}");
        }
    }

    #[test]
    fn what_is_no_number_is_told_in_words() {
        assert_eq!(read("", None), "needs a phone number");
        assert_eq!(read("415 555 0100", None), "needs a + and the country code, or set country in the profile");
        assert_eq!(read("415 555 0100", Some("ZZ")), "unknown country \"ZZ\"; check country in the profile");
        assert_eq!(read("+1 415", None), "too short: a number has at least 8 digits, country code included");
        assert_eq!(read("030", Some("DE")), "too short: a number has at least 8 digits, country code included");
        assert_eq!(
            read("+1 415 555 0100 555 01", None),
            "too long: a number has at most 15 digits, country code included"
        );
        assert_eq!(read("+0 415 555 0100", None), "no country code begins with 0");
        assert_eq!(read("+1 415 CALL ME", None), "'C' is not allowed in a phone number");
        assert_eq!(read("1+415", None), "'+' is not allowed in a phone number");
    }

    #[test]
    fn a_number_is_shown_in_groups_with_its_country() {
        for (e164, pretty, country) in [
            ("+5511912345678", "+55 11 91234-5678", Some("Brazil")),
            ("+14155550100", "+1 415-555-0100", Some("United States")),
            ("+4930901820", "+49 30 901820", Some("Germany")),
            ("+442079460958", "+44 20 7946 0958", Some("United Kingdom")),
            ("+16045550123", "+1 604-555-0123", Some("Canada")),
            ("+390669812345", "+39 06 6981 2345", Some("Italy")),
            ("+99912345678", "+999 123 456 78", None),
            ("+78005553535", "+7 800 555 3535", Some("Russia")),
        ] {
            let phone = Phone::read(e164, None).unwrap();
            assert_eq!((phone.pretty().as_str(), phone.country()), (pretty, country), "{e164}");
        }
    }

    #[test]
    fn a_number_that_no_country_gives_out_is_hinted_at_and_taken() {
        let hint = |e164: &str| Phone::read(e164, None).unwrap().hint();
        assert_eq!(hint("+14155550100"), None);
        let begins = "no number of North America begins with these digits, as far as is known";
        assert_eq!(hint("+11115550100").as_deref(), Some(begins));
        let length = "no number of North America has this length, as far as is known";
        assert_eq!(hint("+1415555010").as_deref(), Some(length));
        assert_eq!(hint("+99912345678").as_deref(), Some("no country has this code, as far as is known"));
        for sandbox in ["+14155999000", "+14155999031", "+14155550123"] {
            assert_eq!(read(sandbox, None), sandbox);
        }
    }

    #[test]
    fn a_country_is_told_in_its_letters_also_where_several_share_a_code() {
        for (e164, letters) in [
            ("+447704633987", Some("GB")),
            ("+16045550123", Some("CA")),
            ("+11115550100", Some("US")),
            ("+4930901820", Some("DE")),
            ("+99912345678", None),
        ] {
            assert_eq!(Phone::read(e164, None).unwrap().country_id(), letters, "{e164}");
        }
    }

    #[test]
    fn a_number_is_told_while_it_is_typed() {
        let typed = |text| Phone::format_typed(text, Some("DE"));
        assert_eq!(typed(""), TypedPhone { shown: String::new(), phone: None, fault: None });
        let begun = typed("+55 11");
        assert_eq!((begun.shown.as_str(), begun.phone), ("+55 11", None));
        assert!(begun.fault.unwrap().starts_with("too short"));
        let done = typed("030901820");
        assert_eq!((done.shown.as_str(), done.fault), ("+49 30 901820", None));
    }

    #[test]
    fn every_country_that_has_numbers_has_a_name() {
        for metadata in phonenumber::metadata::DATABASE.iter().filter(|metadata| metadata.id() != "001") {
            assert!(country_name(metadata.id()).is_some(), "{}", metadata.id());
        }
    }

    proptest! {
        #![proptest_config(crate::testing::properties())]

        #[test]
        fn e164_reads_as_itself_and_is_never_shown_as_another(digits in "[1-9][0-9]{7,14}", country in "[A-Z]{2}") {
            let e164 = format!("+{digits}");
            let phone = Phone::read(&e164, Some(&country)).unwrap();
            prop_assert_eq!(phone.e164(), &e164);
            prop_assert_eq!(read(&phone.pretty(), None), e164);
            let _ = (phone.country(), phone.hint());
        }

        #[test]
        fn people_are_the_same_with_and_without_a_mobile_prefix_and_others_are_not(
            (with, without) in prop_oneof![
                "[2-9][0-9]{9}".prop_map(|rest| (format!("+521{rest}"), format!("+52{rest}"))),
                "[1-8][0-9]{9}".prop_map(|rest| (format!("+549{rest}"), format!("+54{rest}"))),
                ("[1-9][1-9]", "[016-9][0-9]{7}").prop_map(|(area, rest)| {
                    (format!("+55{area}9{rest}"), format!("+55{area}{rest}"))
                }),
            ],
            last in 0u8..10,
        ) {
            let other = format!("{}{last}", &with[..with.len() - 1]);
            prop_assert_eq!(Phone::plain(&with), Phone::plain(&without));
            prop_assert_eq!(Phone::plain(&other) == Phone::plain(&with), other == with);
            let sent = Phone::read(&with, None).unwrap();
            prop_assert_eq!(sent.e164(), with, "it leaves as it was written");
        }

        #[test]
        fn a_number_that_is_taken_has_the_digits_that_were_written(
            typed in "(\\+|00)?[0-9 ().,/'eE+-]{6,20}[0-9]",
            country in prop::sample::select(vec!["US", "DE", "GB", "FR", "IT", "RU"]),
        ) {
            let Ok(phone) = Phone::read(&typed, Some(country)) else { return Ok(()) };
            let (e164, abroad) = (&phone.e164()[1..], typed.starts_with('+') || typed.starts_with("00"));
            let written: String = digits(&if abroad { typed.replacen("(0)", "", 1) } else { typed.clone() }).collect();
            let code = Territory::of(country).unwrap().code.to_string();
            if abroad {
                prop_assert_eq!(written.strip_prefix("00").filter(|_| !typed.starts_with('+')).unwrap_or(&written), e164);
            } else {
                // A prefix that is dialled within the country may go; nothing behind it changes.
                prop_assert!(written == e164 || written.ends_with(&e164[code.len()..]), "{} is {}", typed, e164);
            }
        }

        #[test]
        fn any_text_is_a_number_or_a_fault(text in ".*", digits in "[0-9]{1,20}", country in "(DE|US|BR|RU|IT|ZZ)") {
            for typed in [text, digits] {
                if let Ok(phone) = Phone::read(&typed, Some(&country)) {
                    prop_assert!(rules::e164("x", phone.e164()).is_ok());
                }
            }
        }
    }
}
