//! The settings of messaging: the table `[messaging]`.

use super::choice::Notify;
use super::section::{Section, integer};
use jiff::SignedDuration;
use std::time::Duration;
use toml::de::DeValue;

/// The longest hold, in seconds.
const HOLD_MAX: u64 = 60;
/// The longest time in which a repeat is asked about, in hours.
const REPEAT_MAX: u64 = 168;
/// The most alerts for one window.
const ALERTS_MAX: usize = 8;
/// The minutes of a whole window.
const WINDOW: u64 = 24 * 60;

/// How messages are sent and windows watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Messaging {
    /// How long a confirmed send can be undone: 0 to 60 s.
    pub hold: Duration,
    /// How long the same template to the same person asks first: 1 to 168 h.
    pub repeat: SignedDuration,
    /// Whether the outbox stores the text of messages.
    pub keep_text: bool,
    /// Whether the recipients of a batch are watched.
    pub watch_batches: bool,
    /// Times before a window expires at which to alert, longest first, without duplicates.
    pub alerts: Vec<Duration>,
    /// How alerts leave the screen.
    pub notify: Notify,
}

impl Default for Messaging {
    fn default() -> Self {
        Self {
            hold: Duration::from_secs(5),
            repeat: SignedDuration::from_hours(24),
            keep_text: false,
            watch_batches: true,
            alerts: vec![minutes(60), minutes(10)],
            notify: Notify::default(),
        }
    }
}

impl Messaging {
    /// Reads the table, where there is one.
    pub(super) fn read(file: &mut Section) -> Self {
        let default = Self::default();
        let Some(mut table) = file.table("messaging") else { return default };
        let messaging = Self {
            hold: table.read("hold_seconds", "a whole number of seconds from 0 to 60", "5", default.hold, hold),
            repeat: table.read("repeat_hours", "a whole number of hours from 1 to 168", "24", default.repeat, repeat),
            keep_text: table.read("keep_text", "true or false", "false", default.keep_text, DeValue::as_bool),
            watch_batches: table.read(
                "watch_batches",
                "true or false",
                "true",
                default.watch_batches,
                DeValue::as_bool,
            ),
            alerts: table.read(
                "alerts",
                "a list of up to 8 whole numbers of minutes from 1 to 1440",
                "[60, 10]",
                default.alerts,
                alerts,
            ),
            notify: table.choice("notify", default.notify),
        };
        table.finish();
        messaging
    }
}

fn hold(value: &DeValue) -> Option<Duration> {
    let seconds = u64::try_from(integer(value)?).ok()?;
    (seconds <= HOLD_MAX).then(|| Duration::from_secs(seconds))
}

fn repeat(value: &DeValue) -> Option<SignedDuration> {
    let hours = u64::try_from(integer(value)?).ok().filter(|hours| (1..=REPEAT_MAX).contains(hours))?;
    SignedDuration::try_from(Duration::from_secs(hours * 3600)).ok()
}

fn alerts(value: &DeValue) -> Option<Vec<Duration>> {
    let list = value.as_array()?;
    let read = |value: &DeValue| {
        let number = u64::try_from(integer(value)?).ok()?;
        (1..=WINDOW).contains(&number).then(|| minutes(number))
    };
    let mut alerts: Vec<Duration> = list.iter().map(|value| read(value.get_ref())).collect::<Option<_>>()?;
    alerts.sort_by(|one, other| other.cmp(one));
    alerts.dedup();
    (list.len() <= ALERTS_MAX).then_some(alerts)
}

fn minutes(number: u64) -> Duration {
    Duration::from_secs(number * 60)
}
