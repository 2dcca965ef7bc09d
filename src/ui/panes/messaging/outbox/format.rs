//! Text for the state of a send.

use super::State;
use crate::messaging::Outcome;
use crate::records::Mark;
use crate::ui::options::Options;
use crate::ui::panes::messaging::format::seconds;
use ratatui::style::Style;
use std::time::Duration;

/// Glyph and text of a state, and its style.
pub(super) fn outcome(state: State<'_>, now: Duration, options: &Options) -> (String, Style) {
    let (theme, glyphs) = (&options.theme, options.glyphs);
    match state {
        State::Leaving => (format!("{} in flight", glyphs.half), theme.dim),
        State::Waiting(until) => {
            (format!("{} not sent yet {} {}", glyphs.pause, glyphs.dot, wait(until, now)), theme.warning)
        }
        State::Marked(Mark::Sent) => (format!("{} marked as sent", glyphs.full), theme.good),
        State::Marked(Mark::NotSent) => (format!("{} marked as not sent", glyphs.hollow), theme.dim),
        State::Over(outcome) => {
            let words = outcome.words().replace(" · ", &format!(" {} ", glyphs.dot));
            match outcome {
                Outcome::Accepted(_) => (format!("{} {words}", glyphs.full), theme.good),
                Outcome::Refused(_) => (format!("{} {words}", glyphs.cross), theme.failed),
                Outcome::Unknown { .. } => (format!("{} {words}", glyphs.alert), theme.warning),
            }
        }
    }
}

/// Time left to wait.
pub(super) fn wait(until: Duration, now: Duration) -> String {
    match seconds(until.saturating_sub(now)) {
        0 => "now".to_owned(),
        seconds @ 1..120 => format!("{seconds} s"),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
}
