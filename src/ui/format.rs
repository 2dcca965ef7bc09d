//! Numbers, money and calls as text.

use super::text::{clean, thousands};
use crate::api::Call;
use crate::messaging::BalanceUnit;

/// Units of [`abbreviate`], each a thousand of the one before.
const UNITS: [&str; 4] = ["k", "M", "B", "T"];

/// The number in at most `width` columns where that can be: whole (`98,765`), without commas, then abbreviated (`98.8k`,
/// `1.2M`). Digits are never cut off: where nothing fits, the shortest form comes back.
pub fn abbreviate(number: u64, width: usize) -> String {
    let scaled = || {
        (1u32..).zip(UNITS).flat_map(|(power, unit)| {
            let divisor = 1000u128.pow(power);
            [10, 1].into_iter().filter_map(move |parts| {
                // Half up, in whole numbers: an `f64` does not hold every `u64`.
                let rounded = (u128::from(number) * parts + divisor / 2) / divisor;
                let (count, rest) = (rounded / parts, rounded % parts);
                let shown = if rest == 0 { format!("{count}{unit}") } else { format!("{count}.{rest}{unit}") };
                (1..1000).contains(&count).then_some(shown)
            })
        })
    };
    let whole: [fn(u64) -> String; 2] = [thousands, |number| number.to_string()];
    let forms = || whole.into_iter().map(|form| form(number)).chain(scaled());
    forms().find(|form| form.len() <= width).or_else(|| forms().min_by_key(String::len)).unwrap_or_default()
}

/// An amount in USD, without the sign, with so many decimals. Below a cent it shows its first two digits instead where the
/// decimals would hide them: `0.0043`, `4e-8`.
pub fn money(usd: f64, decimals: usize) -> String {
    let rounded = format!("{usd:.decimals$}");
    if usd == 0.0 || !usd.is_finite() || usd.abs() >= 0.01 || rounded.parse() == Ok(usd) {
        return rounded;
    }
    let digits = format!("{usd:.1e}");
    let (mantissa, exponent) = digits.split_once('e').unwrap_or((&digits, "0"));
    let mantissa = mantissa.trim_end_matches(".0");
    match exponent.parse::<i32>() {
        Ok(exponent @ -4..0) => {
            let places = exponent.unsigned_abs() as usize + usize::from(mantissa.contains('.'));
            format!("{usd:.places$}")
        }
        _ => format!("{mantissa}e{exponent}"),
    }
}

/// What a message or a call costs, as far as that is known: the amount, and the balance with its unit.
pub fn deducted(amount: Option<f64>, balance: Option<f64>, unit: Option<BalanceUnit>) -> String {
    let unit = BalanceUnit::words(unit);
    let from = match amount {
        Some(amount) => format!("{} {unit} from the balance", money(amount, 2)),
        None => "deducted from the balance".to_owned(),
    };
    let balance = balance.map(|balance| format!(" ({balance:.2} {unit})")).unwrap_or_default();
    format!("{from}{balance}")
}

/// How long somebody talked: `38 s`, `2 min 5 s`.
pub fn length(seconds: i64) -> String {
    match (seconds / 60, seconds % 60) {
        (0, seconds) => format!("{seconds} s"),
        (minutes, seconds) => format!("{minutes} min {seconds} s"),
    }
}

/// How far a call is, how long they talked and what it cost, as far as the server tells: `completed, 38 s, 0.08 USD`.
pub fn call(call: &Call) -> String {
    let status = call.status.known().map(|status| status.as_str().replace(['_', '-'], " "));
    let length = call.duration.known().filter(|seconds| **seconds > 0).map(|seconds| length(*seconds));
    let cost = call.total_cost.known().and_then(|cost| cost.parse().ok()).filter(|cost| *cost > 0.0);
    let cost = cost.map(|cost| format!("{} USD", money(cost, 2)));
    let known: Vec<String> = [status, length, cost].into_iter().flatten().collect();
    clean(&known.join(", ")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_number_is_abbreviated_only_as_far_as_it_must() {
        let forms = |number| [7, 6, 5, 4, 3].map(|width| abbreviate(number, width));
        assert_eq!(forms(98_765), ["98,765", "98,765", "98765", "99k", "99k"]);
        assert_eq!(forms(1_234_567), ["1234567", "1.2M", "1.2M", "1.2M", "1M"]);
        assert_eq!(forms(999_960), ["999,960", "999960", "1M", "1M", "1M"]);
        assert_eq!(abbreviate(98_765, 5), "98765");
        assert_eq!(abbreviate(998_765, 5), "999k");
        assert_eq!(abbreviate(98_765_432, 6), "98.8M");
        assert_eq!(abbreviate(7, 0), "7");
    }

    #[test]
    fn a_cost_below_a_cent_shows_its_first_digits() {
        let two = [0.0, 12.3456, 0.04, 0.009, 0.0043, 0.000_12, 4e-8, -4.3e-8].map(|usd| money(usd, 2));
        assert_eq!(two, ["0.00", "12.35", "0.04", "0.009", "0.0043", "0.00012", "4e-8", "-4.3e-8"]);
        let four = [0.0, 12.3456, 0.009, 0.0043, 0.000_04].map(|usd| money(usd, 4));
        assert_eq!(four, ["0.0000", "12.3456", "0.0090", "0.0043", "4e-5"]);
    }

    proptest! {
        #[test]
        fn what_is_abbreviated_is_near_the_number(number: u64, width in 0usize..30) {
            let text = abbreviate(number, width).replace(',', "");
            let (digits, unit) = text.split_at(text.trim_end_matches(char::is_alphabetic).len());
            let power = UNITS.iter().position(|known| *known == unit).map_or(0, |at| at + 1);
            #[expect(clippy::cast_precision_loss, clippy::cast_possible_wrap, clippy::cast_possible_truncation)]
            let (read, number) = (digits.parse::<f64>().unwrap() * 1000f64.powi(power as i32), number as f64);
            prop_assert!((read - number).abs() <= number * 0.5 + 1.0, "{text}");
        }

        #[test]
        fn no_cost_looks_like_nothing(usd in prop_oneof![1e-12..1e9f64, 1e-12..0.01f64]) {
            prop_assert!(money(usd, 2).parse::<f64>().unwrap() > 0.0);
        }
    }
}
