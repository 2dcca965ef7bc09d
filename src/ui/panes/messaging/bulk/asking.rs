//! The box that asks before a batch begins.

use super::super::compose::Settled;
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
