//! What is known of the numbers of each country, from a table that the build makes; and how a number is taken apart by it.

use regex_lite::Regex;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Fewest digits behind a country's code that are taken for a number.
const NATIONAL_MIN: usize = 2;
/// Most digits behind it.
const NATIONAL_MAX: usize = 17;
/// Most digits of a country's code.
const CODE_MAX: usize = 3;
/// Patterns that are kept compiled: those of about ten countries.
const COMPILED_MAX: usize = 128;

/// All territories, by code; the main one of a shared code first.
static TERRITORIES: &[Territory] = include!(concat!(env!("OUT_DIR"), "/territories.rs"));

/// A country, or another area that gives out numbers.
#[derive(Debug)]
pub(super) struct Territory {
    /// Two letters of ISO 3166; `001` where it is no country.
    pub(super) id: &'static str,
    /// The country's code.
    pub(super) code: u16,
    /// The trunk prefix, which is dialled within the country.
    pub(super) trunk: Option<&'static str>,
    /// What may stand in front of a number that is dialled within the country.
    prefix: Option<&'static str>,
    /// What comes in its place.
    transform: Option<&'static str>,
    /// What is dialled within the country before another country's code.
    abroad: Option<&'static str>,
    /// How its numbers begin, where a shared code tells it from others.
    leading: Option<&'static str>,
    general: Numbers,
    kinds: &'static [Numbers],
    /// How its numbers are written in groups; empty where it is not the main one of its code.
    formats: &'static [Format],
}

/// Numbers of one kind.
#[derive(Debug)]
struct Numbers {
    pattern: &'static str,
    /// Digits behind the country's code.
    lengths: &'static [u16],
    /// The same where the area code is left out.
    local_lengths: &'static [u16],
}

/// How numbers are written in groups.
#[derive(Debug)]
struct Format {
    leading: Option<&'static str>,
    pattern: &'static str,
    form: &'static str,
}

/// A number that was taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parts {
    /// The country's code.
    pub(super) code: u16,
    /// The digits behind it, without what is dialled within the country only.
    pub(super) national: String,
}

/// Compiled patterns, by the place of their text.
type Compiled = HashMap<(usize, usize), Arc<Regex>>;

/// The pattern, compiled. The table's own are all valid, which a test proves.
fn compiled(pattern: &'static str) -> Option<Arc<Regex>> {
    static COMPILED: Mutex<Option<Compiled>> = Mutex::new(None);
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    let compiled = compiled.get_or_insert_with(HashMap::new);
    let key = (pattern.as_ptr().addr(), pattern.len());
    if let Some(found) = compiled.get(&key) {
        return Some(Arc::clone(found));
    }
    let new = Arc::new(Regex::new(pattern).ok()?);
    if compiled.len() >= COMPILED_MAX {
        compiled.clear();
    }
    compiled.insert(key, Arc::clone(&new));
    Some(new)
}

/// Where a match that begins with the text ends.
fn begins(pattern: &'static str, text: &str) -> Option<usize> {
    compiled(pattern)?.find(text).filter(|found| found.start() == 0).map(|found| found.end())
}

impl Numbers {
    fn has(&self, national: &str) -> bool {
        let length = u16::try_from(national.len()).unwrap_or(u16::MAX);
        (self.lengths.is_empty() || self.lengths.contains(&length)) && begins(self.pattern, national).is_some()
    }
}

impl Territory {
    /// The country with these two letters.
    pub(super) fn of(id: &str) -> Option<&'static Self> {
        TERRITORIES.iter().find(|territory| territory.id == id && id.len() == 2)
    }

    /// Those of a code; the main one first, none where no country has it.
    pub(super) fn with_code(code: u16) -> &'static [Self] {
        let from = TERRITORIES.partition_point(|territory| territory.code < code);
        let behind = TERRITORIES.partition_point(|territory| territory.code <= code);
        &TERRITORIES[from..behind]
    }

    /// The country's code, and the rest: no code is the beginning of another.
    pub(super) fn split(digits: &str) -> Option<(u16, &str)> {
        (1..=CODE_MAX).find_map(|length| {
            let (code, rest) = digits.split_at_checked(length)?;
            let code = code.parse().ok()?;
            (!code_is_free(code)).then_some((code, rest))
        })
    }

    /// The one of a shared code that gives out this number; the only one of any other code.
    pub(super) fn of_number(code: u16, national: &str) -> Option<&'static Self> {
        match Self::with_code(code) {
            [only] => Some(only),
            several => several.iter().find(|one| match one.leading {
                Some(leading) => begins(leading, national).is_some(),
                None => one.general.has(national) && one.gives_out(national),
            }),
        }
    }

    /// Whether it has such numbers, as far as is known.
    pub(super) fn gives_out(&self, national: &str) -> bool {
        self.kinds.iter().any(|numbers| numbers.has(national))
    }

    /// Whether it has numbers of this many digits, as far as is known.
    pub(super) fn has_length(&self, digits: usize) -> bool {
        self.kinds.iter().any(|numbers| numbers.lengths.iter().any(|length| usize::from(*length) == digits))
    }

    /// The number in groups, behind the country's code. Only the main territory of a code knows.
    pub(super) fn in_groups(&self, national: &str) -> Option<String> {
        let format = self.formats.iter().find(|format| match format.leading {
            None => true,
            Some(leading) => {
                begins(leading, national).is_some() && begins(format.pattern, national) == Some(national.len())
            }
        })?;
        Some(compiled(format.pattern)?.replace(national, format.form).into_owned())
    }

    /// Whether a number of this length may be one of it, perhaps without an area code.
    fn is_possible(&self, national: &str) -> bool {
        let length = u16::try_from(national.len()).unwrap_or(u16::MAX);
        self.general.local_lengths.contains(&length) || self.general.lengths.contains(&length)
    }

    fn is_too_short(&self, national: &str) -> bool {
        let length = u16::try_from(national.len()).unwrap_or(u16::MAX);
        !self.general.local_lengths.contains(&length) && self.general.lengths.first().is_some_and(|min| length < *min)
    }

    /// A number without what is dialled within the country only.
    fn without_prefix(&self, national: &str) -> String {
        let Some(prefix) = self.prefix else {
            let rest = self.trunk.and_then(|trunk| national.strip_prefix(trunk));
            return rest.unwrap_or(national).to_owned();
        };
        let Some(pattern) = compiled(prefix) else { return national.to_owned() };
        let Some(found) = pattern.captures(national).filter(|found| found.get(0).is_some_and(|all| all.start() == 0))
        else {
            return national.to_owned();
        };
        let last = found.get(found.len() - 1);
        match self.transform.filter(|_| last.is_some()) {
            None => found.get(0).map_or(national, |all| &national[all.end()..]).to_owned(),
            Some(transform) => {
                let transformed = pattern.replace(national, transform).into_owned();
                if self.general.has(national) && !self.general.has(&transformed) {
                    return national.to_owned();
                }
                transformed
            }
        }
    }

    /// The number without prefixes, where what is left is long enough for one.
    fn stripped(&self, national: &str) -> Option<String> {
        let bare = self.without_prefix(national);
        let bare = self.trunk.and_then(|trunk| bare.strip_prefix(trunk)).unwrap_or(&bare);
        (!self.is_too_short(bare)).then(|| bare.to_owned())
    }

    /// Takes apart a number as it is dialled within the country.
    pub(super) fn parse(&self, digits: &str) -> Option<Parts> {
        let dialled = self.abroad.and_then(|abroad| begins(abroad, digits));
        let abroad = dialled.map(|end| &digits[end..]).filter(|rest| !rest.starts_with('0'));
        let (code, national) = if let Some(rest) = abroad {
            split_long(rest)?
        } else {
            let own = digits.strip_prefix(&self.code.to_string());
            let whole = self.general.has(digits) && self.is_possible(digits);
            (self.code, own.filter(|_| !whole).unwrap_or(digits))
        };
        Parts::new(code, self.stripped(national).unwrap_or_else(|| national.to_owned()))
    }
}

impl Parts {
    /// Takes apart the digits of a number in E.164.
    pub(super) fn of_e164(digits: &str) -> Option<Self> {
        let (code, national) = split_long(digits)?;
        let territory = Territory::of_number(code, national.trim_start_matches('0'));
        let stripped = territory.and_then(|territory| territory.stripped(national));
        Self::new(code, stripped.unwrap_or_else(|| national.to_owned()))
    }

    fn new(code: u16, national: String) -> Option<Self> {
        let is_long = (NATIONAL_MIN..=NATIONAL_MAX).contains(&national.len());
        (is_long && !national.bytes().all(|digit| digit == b'0')).then_some(Self { code, national })
    }

    /// The digits of the number in E.164.
    pub(super) fn digits(&self) -> String {
        format!("{}{}", self.code, self.national)
    }

    /// In groups, as people read it: `+55 11 91234-5678`.
    pub(super) fn pretty(&self) -> String {
        let main = Territory::with_code(self.code).first();
        let groups = main.and_then(|main| main.in_groups(&self.national));
        format!("+{} {}", self.code, groups.as_deref().unwrap_or(&self.national))
    }

    /// The territory that gives it out, where that is known.
    pub(super) fn territory(&self) -> Option<&'static Territory> {
        Territory::of_number(self.code, self.national.trim_start_matches('0'))
    }
}

fn code_is_free(code: u16) -> bool {
    Territory::with_code(code).is_empty()
}

/// The country's code and the rest, where the number is long enough for one and begins as one.
fn split_long(digits: &str) -> Option<(u16, &str)> {
    if digits.len() <= NATIONAL_MIN || digits.starts_with('0') { None } else { Territory::split(digits) }
}

#[cfg(test)]
mod tests;
