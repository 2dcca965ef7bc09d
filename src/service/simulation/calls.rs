//! Phone calls: what comes of one, how long it takes, what is said and what it costs.

use super::draw::rng;
use super::phrases::PhraseLanguage;
use super::script::{Line, Scene, Script};
use crate::api::call::{Finding, Utterance};
use crate::api::{CallStatus, CallType, Role};
use jiff::Timestamp;
use serde_json::{Map, Value};
use std::time::Duration;

/// From the order to call to the first ring.
pub const DIALLING: Duration = Duration::from_secs(1);
/// How long it rings before somebody answers.
pub const RINGING: Duration = Duration::from_secs(2);
/// How long it rings before one gives up.
pub const GIVING_UP: Duration = Duration::from_secs(25);
/// How long writing down takes once they have hung up.
pub const WRITING_DOWN: Duration = Duration::from_secs(1);
/// What the carrier gets for a minute, in millionths of a USD.
const CARRIER_A_MINUTE: i64 = 14_000;
/// What a minute costs in all, in millionths of a USD; a tenant pays as much in credits.
const COST_A_MINUTE: i64 = 120_000;
/// A direct user pays with minutes, here in millionths.
const MINUTE: i64 = 1_000_000;

/// In a sandbox the last six digits of the customer's number choose what comes of a call.
pub const TEST_NUMBERS: &[(&str, CallStatus, &str)] = &[
    ("999101", CallStatus::Busy, "the line is busy"),
    ("999102", CallStatus::NoAnswer, "it rings for 25 seconds without an answer"),
    ("999103", CallStatus::Failed, "the call cannot be placed"),
    ("999104", CallStatus::EndedByCustomer, "the customer hangs up after a few seconds"),
    ("999105", CallStatus::EndedByAssistant, "the assistant hangs up after a few seconds"),
    ("999106", CallStatus::Completed, "a voicemail answers"),
];

/// What will come of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Its last status.
    pub outcome: CallStatus,
    /// How long they talk, in seconds; 0 where they do not.
    pub talk_seconds: i64,
    /// `human` or `machine`; none where nobody answers.
    pub answered_by: Option<&'static str>,
}

/// What will come of a call with this number. The same number always gives the same.
pub fn plan(phone: &str, sandbox: bool) -> Plan {
    let chosen = TEST_NUMBERS.iter().find(|(digits, ..)| sandbox && phone.ends_with(digits));
    let outcome = chosen.map_or(CallStatus::Completed, |(_, outcome, _)| outcome.clone());
    let length = i64::from(rng(0, phone).u32(12..=40));
    let (talk_seconds, answered_by) = match outcome {
        CallStatus::Busy | CallStatus::NoAnswer | CallStatus::Failed => (0, None),
        CallStatus::EndedByCustomer | CallStatus::EndedByAssistant => (5, Some("human")),
        _ if chosen.is_some() => (8, Some("machine")),
        _ => (length, Some("human")),
    };
    Plan { outcome, talk_seconds, answered_by }
}

/// What a call costs, in millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallPrice {
    /// The carrier's part, of a USD.
    pub carrier: i64,
    /// In all, of a USD and of a credit.
    pub total: i64,
    /// Of a minute.
    pub minutes: i64,
}

/// What so many seconds of talk cost.
pub fn price(seconds: i64) -> CallPrice {
    let of = |a_minute: i64| seconds.saturating_mul(a_minute) / 60;
    CallPrice { carrier: of(CARRIER_A_MINUTE), total: of(COST_A_MINUTE), minutes: of(MINUTE) }
}

/// What is said on a call: the assistant's first words, then one and the other in turn, spread over the time they talk.
pub fn talk(call_id: i64, timezone: &str, first_words: &str, answered_at: Timestamp, seconds: i64) -> Vec<Utterance> {
    let (lines, _) = script(call_id, timezone, answered_at, seconds);
    let sender = |role: &Role| if *role == Role::User { "human" } else { "bot" };
    let told = lines.iter().map(|line| (sender(&line.role), line.text.as_str()));
    let said: Vec<_> = std::iter::once(("bot", first_words)).chain(told).collect();
    let start = answered_at.as_microsecond();
    let step = seconds * 1_000_000 / i64::try_from(said.len()).unwrap_or(1);
    let time = |at: usize| start + i64::try_from(at).unwrap_or_default() * step;
    said.iter()
        .enumerate()
        .map(|(at, (sender, text))| Utterance {
            text: (*text).to_owned(),
            kind: "message".to_owned(),
            sender: (*sender).to_owned(),
            timestamp: seconds_of(time(at)),
        })
        .collect()
}

/// What an assistant says first on a call that was made up.
pub fn first_words(timezone: &str) -> &'static str {
    PhraseLanguage::of_timezone(timezone).stories().greeting
}

/// What an assistant was told before a call that was made up.
pub fn told(call_id: i64, timezone: &str) -> Map<String, Value> {
    let reference = format!("C-{}", rng(call_id.unsigned_abs(), "told").u32(10_000..100_000));
    let language = PhraseLanguage::of_timezone(timezone).iso_2();
    Map::from_iter([("crm_id".to_owned(), reference.into()), ("language".to_owned(), language.into())])
}

/// What can be learned from what is said on a call.
pub fn learned(call_id: i64, timezone: &str, answered_at: Timestamp, seconds: i64) -> Map<String, Value> {
    script(call_id, timezone, answered_at, seconds).1
}

/// What is said after the first words, and what can be learned from it.
fn script(call_id: i64, timezone: &str, answered_at: Timestamp, seconds: i64) -> (Vec<Line>, Map<String, Value>) {
    let scene = Scene { language: PhraseLanguage::of_timezone(timezone), began: answered_at, customer: None };
    let mut script = Script::new(scene, rng(call_id.unsigned_abs(), timezone));
    // Somebody who hangs up at once has said nothing; else a question and an answer take about ten seconds.
    script.pairs(u64::try_from(seconds / 10).unwrap_or_default(), true);
    script.end()
}

#[expect(clippy::cast_precision_loss, reason = "microseconds of this century fit")]
fn seconds_of(micros: i64) -> f64 {
    micros as f64 / 1e6
}

/// What every call tells: whether it reached its end, and what it was about. `asked` is what the assistant was told to
/// find out as well, which people who talk in set phrases never say.
pub fn findings(
    kind: &CallType,
    outcome: &CallStatus,
    seconds: i64,
    asked: impl Iterator<Item = (String, String, String)>,
) -> Vec<Finding> {
    let who = if *kind == CallType::Inbound { "The customer called" } else { "The customer was called" };
    let finding = |name: &str, kind: &str, value, description: &str| Finding {
        name: name.to_owned(),
        kind: kind.to_owned(),
        value,
        description: description.to_owned(),
    };
    let reached = *outcome == CallStatus::Completed;
    let summary = format!("{who}; they talked for {seconds} seconds.");
    let mut findings = vec![
        finding("status", "bool", reached.into(), "Whether the call reached its goal"),
        finding("summary", "string", summary.into(), "What the call was about"),
    ];
    findings.extend(asked.map(|(name, kind, description)| Finding {
        name,
        kind,
        value: serde_json::Value::Null,
        description,
    }));
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_numbers_choose_in_a_sandbox_only() {
        for (digits, outcome, _) in TEST_NUMBERS {
            let phone = format!("+14155{digits}");
            assert_eq!(plan(&phone, true).outcome, *outcome);
            assert_eq!(plan(&phone, false).outcome, CallStatus::Completed);
            assert_eq!(plan(&phone, false).answered_by, Some("human"));
        }
    }

    #[test]
    fn the_readme_has_the_same_test_numbers() {
        let readme = include_str!("../../../README.md");
        for (digits, outcome, what) in TEST_NUMBERS {
            let row = format!("| `{digits}` | `{}` | {what} |", outcome.as_str());
            assert!(readme.contains(&row), "{row}");
        }
    }

    #[test]
    fn a_minute_costs_what_is_written_above() {
        assert_eq!(price(60), CallPrice { carrier: 14_000, total: 120_000, minutes: 1_000_000 });
        assert_eq!(price(0), CallPrice { carrier: 0, total: 0, minutes: 0 });
    }

    #[test]
    fn talk_begins_with_the_assistant_and_stays_within_its_time() {
        let start = Timestamp::from_second(1_000).unwrap();
        let said = talk(7, "Europe/Berlin", "Guten Tag", start, 35);
        assert_eq!(said.len(), 7);
        assert_eq!((said[0].text.as_str(), said[0].sender.as_str()), ("Guten Tag", "bot"));
        assert!(said.windows(2).all(|pair| pair[0].timestamp < pair[1].timestamp));
        assert!(said.iter().all(|words| (1_000.0..1_035.0).contains(&words.timestamp)));
        assert_eq!(said, talk(7, "Europe/Berlin", "Guten Tag", start, 35));
    }
}
