//! Pages that have come: the one on screen, and a few others kept so that turning to them is instant.

use crate::api::{Conversation, ConversationQuery, Page};
use crate::ui::message::Moment;
use std::time::Duration;

/// How many pages besides the shown one are kept.
const KEPT: usize = 4;
/// After this a page that was fetched ahead is fetched again.
const STALE: Duration = Duration::from_secs(30);

/// A page and the question it answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// What was asked.
    pub query: ConversationQuery,
    /// What came.
    pub page: Box<Page<Conversation>>,
    /// When it came.
    pub at: Moment,
}

/// The page on screen and those kept beside it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pages {
    shown: Option<Shown>,
    /// The latest last.
    kept: Vec<Shown>,
}

impl Pages {
    /// The page on screen. While another is loading this is still the old one.
    pub fn shown(&self) -> Option<&Shown> {
        self.shown.as_ref()
    }

    /// Puts a page on screen and keeps the one that was there, if it answers another question.
    pub fn show(&mut self, page: Shown) {
        self.kept.retain(|kept| kept.query != page.query);
        if let Some(before) = self.shown.replace(page)
            && self.shown.as_ref().is_some_and(|shown| shown.query != before.query)
        {
            self.keep(before);
        }
    }

    /// Keeps a page for later.
    pub fn keep(&mut self, page: Shown) {
        self.kept.retain(|kept| kept.query != page.query);
        if self.kept.len() == KEPT {
            self.kept.remove(0);
        }
        self.kept.push(page);
    }

    /// Puts the page that answers this question on screen, where it was kept; tells when it came.
    pub fn turn_to(&mut self, query: &ConversationQuery) -> Option<Moment> {
        let at = self.kept.iter().position(|kept| kept.query == *query)?;
        let page = self.kept.remove(at);
        let came = page.at;
        self.show(page);
        Some(came)
    }

    /// True where the answer to this question was kept and is not old.
    pub fn has_fresh(&self, query: &ConversationQuery, now: Moment) -> bool {
        self.kept.iter().any(|kept| kept.query == *query && kept.at.mono + STALE > now.mono)
    }

    /// Lets go of what was kept: it answers questions that are no longer asked. The shown page stays until the next.
    pub fn forget(&mut self) {
        self.kept.clear();
    }
}
