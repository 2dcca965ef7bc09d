//! What comes into the interface and what it asks for in return, as plain values.

use super::input::Input;
pub use crate::messaging::Instant;
use crate::tasks;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::layout::Size;
use std::time::Duration;

/// A moment: the wall clock for what people read, and a clock that never jumps for what the program waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moment {
    /// The time of day.
    pub wall: Timestamp,
    /// The time of the monotonic clock.
    pub mono: Instant,
}

impl Moment {
    /// The moment `span` later.
    #[must_use]
    pub fn plus(self, span: Duration) -> Self {
        let wall = jiff::SignedDuration::try_from(span).ok().and_then(|span| self.wall.checked_add(span).ok());
        Self { wall: wall.unwrap_or(self.wall), mono: self.mono + span }
    }
}

/// Something that happened. A recorded list of these replays to the same screen.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// Time went on.
    Tick(Moment),
    /// A person did something.
    Input(Input),
    /// The terminal has another size.
    Resize(Size),
    /// The task channel has news.
    Task(tasks::Event),
    /// The user's time zone is known.
    Zone(TimeZone),
    /// Something went wrong outside the interface that the user should read.
    Problem(String),
    /// Something that is told before other problems: somebody may act wrongly who does not know it.
    Warning(String),
    /// Why [`Effect::OpenUrl`] has opened nothing, in words without a full stop.
    NotOpened {
        /// The address.
        url: String,
        /// Why.
        why: String,
    },
    /// The text of [`Effect::EditText`] as the editor left it, or why there is none.
    Edited(Result<String, String>),
    /// The system wants the program to stop for a while (SIGTSTP).
    Suspend,
    /// The system wants the program to end (SIGTERM, SIGHUP, end of input).
    Terminate,
}

/// Something that the interface wants done.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Work for the task channel.
    Run(tasks::Effect),
    /// The answer to this is no longer wanted.
    Cancel(tasks::TaskId),
    /// Read the profile's token again and connect anew. [`tasks::Event::Connected`] or its opposite follows.
    Reconnect,
    /// Put a text into the terminal's clipboard.
    Copy(String),
    /// Tell the terminal this, by its bell or a notification, as the settings say.
    Notify(String),
    /// Open an `http` or `https` address outside the terminal. [`Message::NotOpened`] follows where that fails.
    OpenUrl(String),
    /// Open a text in the user's editor. [`Message::Edited`] follows.
    EditText(String),
    /// Draw everything anew.
    Redraw,
    /// Stop for a while and come back.
    Suspend,
    /// End.
    Quit,
}
