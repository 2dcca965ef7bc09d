//! What conversations are about, in each language: requests with their answers, and the tools called on the way.
//!
//! Texts hold places for what differs: `{order}`, `{article}`, `{pieces}`, `{day}`, `{time}` and `{place}`.

mod asian;
mod eastern;
mod northern;
mod southern;

use super::phrases::PhraseLanguage;

/// A tool of the demo world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StoryTool {
    TrackOrder,
    CheckStock,
    BookVisit,
}

/// A message of the customer, the tool called for the answer, and the answer.
pub(super) struct Turn {
    pub(super) asks: &'static str,
    pub(super) tool: Option<StoryTool>,
    pub(super) answers: &'static str,
}

/// A request from its beginning to its end. It may stop after any turn.
pub(super) type Story = [Turn; 3];

/// All that a language says besides its exchanges.
pub(super) struct Stories {
    /// How a date is written, for `strftime`.
    pub(super) date: &'static str,
    /// The showroom that is visited.
    pub(super) place: &'static str,
    /// What an assistant says before the customer has written.
    pub(super) greeting: &'static str,
    /// What a customer says before the request.
    pub(super) hello: &'static str,
    pub(super) requests: &'static [Story],
    /// The customer wants a person, and the assistant gets one.
    pub(super) hand_over: (&'static str, &'static str),
    /// The customer has waited for a while.
    pub(super) waiting: &'static str,
    /// The person's first words.
    pub(super) person: &'static str,
}

const fn turn(asks: &'static str, answers: &'static str) -> Turn {
    Turn { asks, tool: None, answers }
}

const fn with(tool: StoryTool, asks: &'static str, answers: &'static str) -> Turn {
    Turn { asks, tool: Some(tool), answers }
}

impl PhraseLanguage {
    /// Its stories.
    pub(super) fn stories(self) -> &'static Stories {
        match self {
            Self::En => &northern::ENGLISH,
            Self::De => &northern::GERMAN,
            Self::Fr => &southern::FRENCH,
            Self::Es => &southern::SPANISH,
            Self::Pt => &southern::PORTUGUESE,
            Self::It => &southern::ITALIAN,
            Self::Ja => &asian::JAPANESE,
            Self::Ar => &eastern::ARABIC,
            Self::He => &eastern::HEBREW,
            Self::Hi => &asian::HINDI,
            Self::Ko => &asian::KOREAN,
        }
    }
}
