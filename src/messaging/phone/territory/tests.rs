//! The table against the library that it was made from.

use super::*;
use phonenumber::metadata::DATABASE;
use phonenumber::{Mode, PhoneNumber};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// What the library writes; `None` where it knows no form.
fn written(number: &PhoneNumber, mode: Mode) -> Option<String> {
    use std::fmt::Write as _;
    let mut text = String::new();
    write!(text, "{}", number.format().mode(mode)).ok().map(|()| text)
}

/// Code and digits, form and territory of a number as the library has them.
fn expected(number: &PhoneNumber) -> (String, Option<String>, Option<String>) {
    let digits = written(number, Mode::E164).unwrap_or_default();
    let id = number.country().id().map(|id| id.as_ref().to_owned());
    (digits, written(number, Mode::International), id)
}

fn found(parts: &Parts) -> (String, Option<String>, Option<String>) {
    let id = parts.territory().map(|territory| territory.id.to_owned()).filter(|id| id != "001");
    (format!("+{}", parts.digits()), Some(parts.pretty()), id)
}

/// Compares a number in E.164, and one that is dialled within a country.
fn agree(digits: &str, country: &str) {
    let library = phonenumber::parse(None, format!("+{digits}")).ok();
    assert_eq!(Parts::of_e164(digits).as_ref().map(found), library.as_ref().map(expected), "+{digits}");
    let Some(territory) = Territory::of(country) else { return };
    let library = phonenumber::parse(country.parse().ok(), digits).ok();
    assert_eq!(territory.parse(digits).as_ref().map(found), library.as_ref().map(expected), "{digits} in {country}");
}

#[test]
fn table_has_every_territory_and_valid_patterns() {
    let ids: BTreeSet<_> = TERRITORIES.iter().map(|territory| (territory.code, territory.id)).collect();
    let all = (1..=999).filter_map(|code: u16| DATABASE.by_code(&code)).flatten();
    let all: BTreeSet<_> = all.map(|one| (one.country_code(), one.id())).collect();
    assert_eq!(ids, all);
    for one in TERRITORIES {
        let numbers = one.kinds.iter().chain([&one.general]).map(|numbers| numbers.pattern);
        let formats = one.formats.iter().flat_map(|format| [Some(format.pattern), format.leading]);
        let single = [one.prefix, one.abroad, one.leading];
        for pattern in numbers.chain(formats.flatten()).chain(single.into_iter().flatten()) {
            assert!(Regex::new(pattern).is_ok(), "{} {pattern}", one.id);
        }
    }
}

#[test]
fn examples_of_every_territory_are_taken_apart_as_by_the_library() {
    for one in (1..=999).filter_map(|code: u16| DATABASE.by_code(&code)).flatten() {
        let descriptors = one.descriptors();
        let kinds =
            [Some(descriptors.general()), descriptors.mobile(), descriptors.fixed_line(), descriptors.toll_free()];
        for example in kinds.into_iter().flatten().filter_map(|kind| kind.example()) {
            for national in [example.to_owned(), format!("{}{example}", one.national_prefix().unwrap_or("0"))] {
                agree(&format!("{}{national}", one.country_code()), one.id());
                agree(&national, one.id());
            }
        }
    }
}

proptest! {
    #![proptest_config(crate::testing::properties())]

    #[test]
    fn any_number_is_taken_apart_as_by_the_library(
        at in any::<prop::sample::Index>(),
        digits in "[0-9]{3,14}",
        with_code in any::<bool>(),
    ) {
        let territory = &TERRITORIES[at.index(TERRITORIES.len())];
        let digits = if with_code { format!("{}{digits}", territory.code) } else { digits };
        agree(&digits[..digits.len().min(15)], territory.id);
    }
}
