//! How many conversations the selected assistant had today: one request once the selection has rested, never one for each
//! row of the list.

use crate::api::{Conversation, ConversationFilter, ConversationQuery, Page, PageRef};
use crate::client::{Failure, FailureKind};
use crate::ui::prelude::*;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// How long the selection rests before the server is asked.
const REST: Duration = Duration::from_millis(600);

/// The count of one assistant for one day (UTC).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Today {
    /// The selected assistant, and the day.
    of: Option<(i64, Date)>,
    /// When the server is due to be asked.
    due: Option<Instant>,
    /// What the server was asked for.
    asked: Option<(i64, Date)>,
    /// What the value is the count of.
    counted: Option<(i64, Date)>,
    page: Remote<Page<Conversation>>,
    /// The server does not count, or refuses; it is asked again after a manual refresh only.
    untold: bool,
}

impl Today {
    /// This assistant is selected now. True where it was another before.
    pub fn select(&mut self, assistant_id: Option<i64>, now: Moment) -> bool {
        let before = self.of;
        let day = now.wall.to_zoned(TimeZone::UTC).date();
        self.of = assistant_id.map(|id| (id, day));
        if self.of != before {
            self.due = self.of.map(|_| now.mono + REST);
        }
        self.of.map(|(id, _)| id) != before.map(|(id, _)| id)
    }

    /// Counts again now.
    pub fn refresh(&mut self, cx: &mut Context) {
        (self.due, self.untold) = (self.of.map(|_| cx.now.mono), false);
        self.tick(cx);
    }

    /// Asks the server, once it is time.
    pub fn tick(&mut self, cx: &mut Context) {
        let Some((id, day)) = self.of.filter(|_| cx.shown && cx.is_connected() && !self.untold) else { return };
        if self.due.take_if(|due| *due <= cx.now.mono).is_some() {
            let filter = ConversationFilter {
                assistant_id: Some(id),
                date_from: Some(day),
                date_to: Some(day),
                ..Default::default()
            };
            let query = ConversationQuery { filter, per_page: 1, page: PageRef::Number(1) };
            let origin = Origin { automatic: true, ..Origin::new(cx.pane.0) };
            self.asked = self.of;
            self.page.fetch(Request::ListConversations { query }, origin, &mut cx.tasks, cx.now);
        }
    }

    /// Takes the reply; any other report comes back.
    pub fn reply(&mut self, report: Report, now: Moment) -> Option<Report> {
        if let Some(other) = self.page.reply(report, Reply::list_conversations, now) {
            return Some(other);
        }
        match self.page.failure() {
            None => (self.counted, self.untold) = (self.asked, self.total().is_none()),
            Some(Failure { kind: FailureKind::Status { status: 401 | 403 | 404 | 405, .. }, .. }) => self.untold = true,
            Some(_) => {}
        }
        None
    }

    /// Rows that match, where the server tells: not in pages by cursor.
    fn total(&self) -> Option<u64> {
        match self.page.value()? {
            Page::Numbered(page) => Some(page.total).filter(|total| *total > 0 || page.data.is_empty()),
            Page::Cursor(_) => None,
        }
    }

    /// When the server is due to be asked.
    pub fn next_change(&self) -> Option<Instant> {
        self.due.filter(|_| !self.untold)
    }

    /// How many it had, in words, or a placeholder before the server has told; `None` where it does not tell.
    pub fn words(&self, assistant_id: i64, ellipsis: &str) -> Option<String> {
        let total =
            self.total().filter(|_| self.counted == self.of && self.of.is_some_and(|(id, _)| id == assistant_id));
        match total {
            _ if self.untold => None,
            Some(total) => Some(format!("{} today (UTC)", crate::ui::text::thousands(total))),
            None if self.page.failure().is_some() => None,
            None => Some(ellipsis.to_owned()),
        }
    }
}
