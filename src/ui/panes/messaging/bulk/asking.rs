//! The box that asks before a batch begins, and the seconds in which it can be taken back.

use super::super::compose::{SLEPT, Settled};
use crate::ui::input::{Key, KeyCode};
use std::time::Duration;

/// The box that asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Asking(Settled);

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
        self.0.seen(now);
    }

    /// Something was pressed or pasted: it waits anew for an answer.
    pub(super) fn again(&mut self, now: Duration) {
        self.0.again(now);
    }

    /// True after a `y` that came too early to be an answer.
    pub(super) fn is_early(self) -> bool {
        self.0.is_early()
    }

    /// When it needs the time: at once after it has opened.
    pub(super) fn next_change(self, now: Duration) -> Option<Duration> {
        self.0.next_change(now)
    }

    /// Takes a key: only a `y` that was not typed ahead is a yes.
    pub(super) fn key(&mut self, key: Key, now: Duration) -> Said {
        match key.code {
            _ if key == Key::char('y') && self.0.yes(now) => Said::Yes,
            _ if key == Key::char('y') => Said::Nothing,
            KeyCode::Esc | KeyCode::Enter | KeyCode::Char('n' | 'q') => Said::Back,
            _ => {
                self.0.other_key(now);
                self.0.again(now);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_is_held_down_is_no_answer_however_long_it_takes_to_repeat() {
        let millis = Duration::from_millis;
        for delay in [250, 400, 500, 660, 900] {
            let mut asking = Asking::default();
            asking.seen(millis(0));
            assert_eq!(asking.key(Key::char('y'), millis(200)), Said::Nothing);
            for repeat in 0..100 {
                assert_eq!(asking.key(Key::char('y'), millis(200 + delay + 30 * repeat)), Said::Nothing, "{delay}");
            }
            assert!(asking.is_early());
            assert_eq!(asking.key(Key::char('y'), millis(200 + delay + 30 * 99 + 1_000)), Said::Yes);
        }
    }
}
