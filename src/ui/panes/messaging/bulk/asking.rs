//! The box that asks before a batch begins, and the seconds in which it can be taken back.

use super::super::compose::{SETTLES, SLEPT};
use crate::ui::input::{Key, KeyCode};
use std::time::Duration;

/// The box that asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Asking {
    /// Since when it has been on screen and left alone; `None` before it was.
    since: Option<Duration>,
}

/// What a key says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    Nothing,
    Back,
    Yes,
}

impl Asking {
    /// Time has gone on since the box was drawn.
    pub(super) fn seen(&mut self, now: Duration) {
        self.since.get_or_insert(now);
    }

    /// Something was pressed or pasted: it waits anew for an answer.
    pub(super) fn again(&mut self, now: Duration) {
        if self.since.is_some() {
            self.since = Some(now);
        }
    }

    /// When it needs the time: at once after it has opened.
    pub(super) fn next_change(self, now: Duration) -> Option<Duration> {
        self.since.is_none().then_some(now)
    }

    /// Takes a key: only a `y` that was not typed ahead is a yes.
    pub(super) fn key(&mut self, key: Key, now: Duration) -> Said {
        let settled = self.since.is_some_and(|since| now.saturating_sub(since) >= SETTLES);
        match key.code {
            _ if key == Key::char('y') && settled => Said::Yes,
            KeyCode::Esc | KeyCode::Enter | KeyCode::Char('n' | 'q') => Said::Back,
            _ => {
                self.again(now);
                Said::Nothing
            }
        }
    }
}

/// A confirmed batch that waits to be taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Holding {
    until: Duration,
}

/// What has come of a hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// It holds.
    Still,
    /// It is over: the batch begins.
    Over,
    /// The program was stopped meanwhile.
    Slept,
}

impl Holding {
    /// A hold until then.
    pub(super) fn new(until: Duration) -> Self {
        Self { until }
    }

    /// What has come of it now.
    pub(super) fn at(self, now: Duration) -> Held {
        match now.checked_sub(self.until) {
            None => Held::Still,
            Some(late) if late > SLEPT => Held::Slept,
            Some(_) => Held::Over,
        }
    }

    /// Whole seconds that are left, those begun included.
    pub(super) fn seconds(self, now: Duration) -> u64 {
        super::words::seconds(self.until.saturating_sub(now))
    }

    /// When the seconds change, or the hold ends.
    pub(super) fn next_change(self, now: Duration) -> Duration {
        let whole = Duration::from_secs(self.seconds(now).saturating_sub(1));
        self.until.saturating_sub(whole).max(now)
    }
}
