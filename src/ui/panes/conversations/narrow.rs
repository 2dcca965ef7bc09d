//! The language of narrowing: `ai:off type:widget msgs:>10 cost:>0.5 age:<1h !text !type:api`, over loaded rows.

use super::format;
use crate::api::Conversation;
use jiff::Timestamp;
use std::cmp::Ordering;

/// The fields, as they are told.
pub const FIELDS: &[&str] = &["ai", "type", "msgs", "cost", "age", "assistant", "customer", "sender", "is"];
/// An example of each kind.
pub const HINT: &str = "text, !text, ai:off, type:widget, msgs:>10, cost:>0.5, age:<1h, is:marked";

/// What a row is beside what the server says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags {
    /// A person has marked it.
    pub marked: bool,
    /// It meets an alert of the settings.
    pub alert: bool,
}

/// A number and how a value must stand to it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Compare {
    below: bool,
    equal: bool,
    above: bool,
    number: f64,
}

impl Compare {
    fn holds(self, value: f64) -> bool {
        match value.partial_cmp(&self.number) {
            Some(Ordering::Less) => self.below,
            Some(Ordering::Equal) => self.equal,
            Some(Ordering::Greater) => self.above,
            None => false,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Test {
    Ai(bool),
    Kind(String),
    Messages(Compare),
    Cost(Compare),
    /// In seconds.
    Age(Compare),
    Assistant(String),
    Customer(String),
    Sender(String),
    Marked,
    Alert,
}

/// What is typed, taken apart.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Narrow {
    /// Each test, and whether it must fail.
    tests: Vec<(Test, bool)>,
    /// What fuzzy matching looks for.
    pub text: String,
    /// What of it means nothing, as a sentence without a full stop.
    pub problem: Option<String>,
}

impl Narrow {
    /// Reads what is typed. A field without a value yet leaves no row out, nor does what means nothing.
    pub fn parse(typed: &str) -> Self {
        let mut narrow = Self::default();
        for word in typed.split_whitespace() {
            let (negated, rest) = word.strip_prefix('!').map_or((false, word), |rest| (true, rest));
            let field = rest.split_once(':').filter(|(name, _)| is_name(name));
            let Some((name, value)) = field else {
                // An exclamation mark alone is about to become a word.
                if !rest.is_empty() {
                    narrow.text.push_str(if narrow.text.is_empty() { "" } else { " " });
                    narrow.text.push_str(word);
                }
                continue;
            };
            match test(&name.to_lowercase(), value) {
                Ok(test) => narrow.tests.extend(test.map(|test| (test, negated))),
                Err(problem) => narrow.problem = narrow.problem.or(Some(problem)),
            }
        }
        narrow
    }

    /// Text alone.
    pub fn of_text(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }

    /// True where a row passes all tests, those of the text excepted.
    pub fn passes(&self, row: &Conversation, flags: Flags, now: Timestamp) -> bool {
        self.tests.iter().all(|(test, negated)| test.holds(row, flags, now) != *negated)
    }

    /// True where nothing is to be left out by a test.
    pub fn has_tests(&self) -> bool {
        !self.tests.is_empty()
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// The test of a field; none where its value is about to be typed.
fn test(name: &str, value: &str) -> Result<Option<Test>, String> {
    if !FIELDS.contains(&name) {
        return Err(format!("no field \"{name}\"; there are {}", FIELDS.join(", ")));
    }
    let lower = value.to_lowercase();
    if lower.trim_start_matches(['<', '>', '=']).is_empty() {
        return Ok(None);
    }
    let compare = |read: fn(&str) -> Option<f64>, such: &str| {
        compare(&lower, read).ok_or_else(|| format!("{name}: takes {such}"))
    };
    let one_of = |words: &[&str]| {
        let found = words.iter().position(|word| *word == lower);
        let half = words.iter().any(|word| word.starts_with(lower.as_str()));
        match found {
            None if !half => Err(format!("{name}: takes {}", words.join(" or "))),
            found => Ok(found),
        }
    };
    Ok(match name {
        "ai" => one_of(&["on", "off"])?.map(|at| Test::Ai(at == 0)),
        "is" => one_of(&["marked", "alert"])?.map(|at| if at == 0 { Test::Marked } else { Test::Alert }),
        "type" => Some(Test::Kind(lower)),
        "msgs" => Some(Test::Messages(compare(number, "a number such as >10")?)),
        "cost" => Some(Test::Cost(compare(number, "a number such as >0.5")?)),
        "age" => Some(Test::Age(compare(seconds, "a time such as <1h, >2d or <10m")?)),
        "assistant" => Some(Test::Assistant(lower)),
        "customer" => Some(Test::Customer(lower)),
        _ => Some(Test::Sender(lower)),
    })
}

fn compare(value: &str, read: fn(&str) -> Option<f64>) -> Option<Compare> {
    let signs = value.len() - value.trim_start_matches(['<', '>', '=']).len();
    let (sign, rest) = value.split_at(signs);
    let (below, equal, above) = match sign {
        "" | "=" => (false, true, false),
        "<" => (true, false, false),
        "<=" => (true, true, false),
        ">" => (false, false, true),
        ">=" => (false, true, true),
        _ => return None,
    };
    read(rest).map(|number| Compare { below, equal, above, number })
}

fn number(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse().ok().filter(|number: &f64| plain && number.is_finite())
}

/// `30s`, `10m`, `1h`, `2d`; without a unit minutes, which is also what a unit still to be typed leaves.
fn seconds(text: &str) -> Option<f64> {
    let (digits, unit) = text.split_at(text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic()).len());
    let unit = match unit {
        "s" => 1.0,
        "m" | "min" | "" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        _ => return None,
    };
    number(digits).map(|number| number * unit)
}

impl Test {
    #[expect(clippy::cast_precision_loss, reason = "no count or age is so large that it matters")]
    fn holds(&self, row: &Conversation, flags: Flags, now: Timestamp) -> bool {
        let has = |text: &str, part: &str| text.to_lowercase().contains(part);
        let party = |party: &crate::api::Field<crate::api::Party>, part: &str| {
            let texts = party.known().map(|party| [party.name.clone(), party.phone.clone()]);
            texts.is_some_and(|texts| texts.iter().flatten().any(|text| has(text, part)))
        };
        match self {
            Self::Ai(on) => row.ai_enabled.known() == Some(on),
            Self::Kind(word) => row.kind.known().is_some_and(|kind| {
                let is_it = |name: &str| name.to_lowercase().starts_with(word);
                is_it(&format::kind_name(kind)) || is_it(kind.as_str())
            }),
            Self::Messages(compare) => row.message_count.known().is_some_and(|count| compare.holds(*count as f64)),
            Self::Cost(compare) => row.total_cost.known().is_some_and(|cost| compare.holds(*cost)),
            Self::Age(compare) => row
                .updated_at
                .known()
                .is_some_and(|time| compare.holds((now.as_second().saturating_sub(time.0.as_second())).max(0) as f64)),
            Self::Assistant(part) => row.assistant_name.known().is_some_and(|name| has(name, part)),
            Self::Customer(part) => party(&row.customer, part),
            Self::Sender(part) => party(&row.msgapp_sender, part),
            Self::Marked => flags.marked,
            Self::Alert => flags.alert,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{ConversationType, Party, PlainTimestamp};
    use proptest::prelude::*;

    fn now() -> Timestamp {
        Timestamp::from_second(1_800_000_000).unwrap()
    }

    fn row(kind: ConversationType, messages: u64, cost: f64, ai: bool, age: i64) -> Conversation {
        let updated = Timestamp::from_second(1_800_000_000 - age).unwrap();
        Conversation {
            kind: kind.into(),
            message_count: messages.into(),
            total_cost: cost.into(),
            ai_enabled: ai.into(),
            assistant_name: "Réception FR".to_owned().into(),
            updated_at: PlainTimestamp(updated).into(),
            customer: Party { name: Some("Maria Souza".to_owned()), phone: Some("+5511912345678".to_owned()) }.into(),
            ..Conversation::default()
        }
    }

    fn passes(typed: &str) -> bool {
        let row = row(ConversationType::Msgapp, 12, 0.7, false, 1800);
        Narrow::parse(typed).passes(&row, Flags { marked: true, alert: false }, now())
    }

    #[test]
    fn fields_leave_rows_out() {
        for typed in [
            "",
            "ai:off",
            "type:messaging",
            "type:mess",
            "type:msgapp",
            "msgs:>10",
            "msgs:12",
            "msgs:<=12",
            "cost:>0.5",
            "age:<1h",
            "age:>20m",
            "age:30m",
            "age:30",
            "assistant:réc",
            "customer:maria",
            "customer:+5511",
            "is:marked",
            "!ai:on",
            "!type:api",
            "!cost:>1",
            "ai:off msgs:>10",
            "AI:OFF",
        ] {
            assert!(passes(typed), "{typed}");
        }
        for typed in [
            "ai:on",
            "!ai:off",
            "type:widget",
            "msgs:<12",
            "cost:0.5",
            "age:>1h",
            "sender:x",
            "is:alert",
            "ai:off msgs:>12",
        ] {
            assert!(!passes(typed), "{typed}");
        }
    }

    #[test]
    fn what_is_half_typed_leaves_no_row_out() {
        for typed in ["a", "ai", "ai:", "ai:o", "ai:of", "!ai:", "msgs:", "msgs:>", "age:<", "!", "is:mar"] {
            assert!(passes(typed) && Narrow::parse(typed).problem.is_none(), "{typed}");
        }
    }

    #[test]
    fn text_is_left_to_fuzzy_matching_and_unknown_fields_are_told() {
        let narrow = Narrow::parse("maria ai:off !test 10:30");
        assert_eq!((narrow.text.as_str(), narrow.tests.len(), narrow.problem), ("maria !test 10:30", 1, None));
        let problem = |typed: &str| Narrow::parse(typed).problem.unwrap_or_default();
        assert!(problem("foo:bar").starts_with("no field \"foo\"; there are ai, type"));
        assert_eq!(problem("ai:maybe"), "ai: takes on or off");
        assert_eq!(problem("cost:>a"), "cost: takes a number such as >0.5");
        assert_eq!(problem("age:<1y"), "age: takes a time such as <1h, >2d or <10m");
        assert_eq!(problem("msgs:=>1"), "msgs: takes a number such as >10");
    }

    proptest! {
        #[test]
        fn a_field_and_its_negation_part_the_rows(
            test in proptest::sample::select(vec!["ai:off", "type:widget", "msgs:>10", "cost:>0.5", "age:<1h", "customer:m"]),
            messages in 0u64..30, cost in 0.0f64..2.0, ai: bool, age in 0i64..10_000
        ) {
            let row = row(ConversationType::Widget, messages, cost, ai, age);
            let passes = |typed: &str| Narrow::parse(typed).passes(&row, Flags::default(), now());
            prop_assert_ne!(passes(test), passes(&format!("!{test}")));
            prop_assert_eq!(passes(test), passes(&format!("{test} {test}")));
        }

        #[test]
        fn whatever_is_typed_every_word_is_text_test_or_problem(typed in "(!?[a-z]{0,5}:?[<>=]?[0-9a-z.]{0,4} ?){0,4}|\\PC{0,20}") {
            let narrow = Narrow::parse(&typed);
            prop_assert!(narrow.text.split_whitespace().count() + narrow.tests.len() <= typed.split_whitespace().count());
            let row = row(ConversationType::Api, 1, 0.0, true, 0);
            let passes = narrow.passes(&row, Flags::default(), now());
            prop_assert!(passes || narrow.has_tests());
        }
    }
}
