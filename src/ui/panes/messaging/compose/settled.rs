//! When a `y` in a box that asks is an answer to it.

use std::time::Duration;

/// How long the box must have been on screen, and no other key pressed, before `y` counts: what was typed ahead, and a
/// key that is held down, sends nothing.
const SETTLES: Duration = Duration::from_millis(400);
/// How long after a `y` that came too early: a key that is held down repeats sooner, on every keyboard.
const SETTLES_AFTER_EARLY: Duration = Duration::from_secs(1);

/// Whether a box has been looked at and left alone for long enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::ui::panes::messaging) struct Settled {
    /// Since when it has been on screen and left alone; `None` before it was.
    since: Option<Duration>,
    /// True after a `y` that came too early to be an answer.
    early: bool,
}

impl Settled {
    /// Time has gone on since the box was drawn.
    pub(in crate::ui::panes::messaging) fn seen(&mut self, now: Duration) {
        self.since.get_or_insert(now);
    }

    /// Something was pressed or pasted: it waits anew for an answer.
    pub(in crate::ui::panes::messaging) fn again(&mut self, now: Duration) {
        if self.since.is_some() {
            self.since = Some(now);
        }
    }

    /// Another key than `y` was pressed: a `y` that was held down repeats no longer.
    pub(in crate::ui::panes::messaging) fn other_key(&mut self, now: Duration) {
        if std::mem::take(&mut self.early) {
            self.again(now);
        }
    }

    /// Takes a `y`: true where it is an answer.
    pub(in crate::ui::panes::messaging) fn yes(&mut self, now: Duration) -> bool {
        let rest = if self.early { SETTLES_AFTER_EARLY } else { SETTLES };
        if self.since.is_some_and(|since| now.saturating_sub(since) >= rest) {
            return true;
        }
        self.early = true;
        self.again(now);
        false
    }

    /// True after a `y` that came too early, until another key is pressed.
    pub(in crate::ui::panes::messaging) fn is_early(self) -> bool {
        self.early
    }

    /// When it needs the time: at once after the box has opened.
    pub(in crate::ui::panes::messaging) fn next_change(self, now: Duration) -> Option<Duration> {
        self.since.is_none().then_some(now)
    }
}
