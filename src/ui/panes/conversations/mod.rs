//! The list of conversations: paged, filtered, narrowed, refreshed.

mod act;
mod areas;
mod ask;
mod draw;
mod filter;
mod inspector;
mod keys;
mod mouse;
mod pages;
mod pane;
mod rows;
mod words;

pub use keys::{INSPECTOR, LIST};

use super::Context;
use crate::api::{Conversation, ConversationFilter, ConversationQuery, Page, rules};
use crate::client::Failure;
use crate::tasks::{Origin, TaskId};
use crate::ui::action::PaneId;
use crate::ui::message::Moment;
use crate::ui::polling::Polling;
use crate::ui::registry::Registration;
use crate::ui::widgets::input::TextInput;
use crate::ui::widgets::list::Cursor;
use pages::Pages;
use rows::{Sort, Visible};
use std::collections::HashMap;
use std::time::Duration;

/// The name of the pane.
pub const ID: PaneId = PaneId("conversations");
/// The pane in the registry.
pub const PANE: Registration = Registration {
    id: ID,
    title: "Conversations",
    digit: '1',
    bindings: keys::BINDINGS,
    new: |options, body| {
        let rows = areas::of(body, false).rows.height;
        let per_page =
            options.settings.rows_per_page.unwrap_or(u32::from(rows)).clamp(rules::PER_PAGE_MIN, rules::PER_PAGE_MAX);
        Box::new(Conversations::new(per_page, options.settings.refresh_interval))
    },
};
/// How long a changed row is marked brightly, and how long at all.
const FRESH: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(6)];
/// After this a page that is loading says so; before, it would only flicker.
const PATIENCE: Duration = Duration::from_millis(150);

/// Why a request was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Somebody asked for it.
    Show,
    /// It was due.
    Poll,
    /// To be there when the page is turned.
    Ahead,
}

/// A request under way.
#[derive(Debug, Clone, PartialEq)]
struct Asked {
    id: TaskId,
    query: ConversationQuery,
    purpose: Purpose,
    since: Duration,
}

/// What the connection looks like from here.
#[derive(Debug, Clone, PartialEq)]
pub enum Health {
    /// Nothing has come yet.
    Waiting,
    /// The last question was answered, at this moment.
    Live(Moment),
    /// The last question failed.
    Failing(Failure),
}

/// What is known of the assistants that can be filtered by.
#[derive(Debug, Clone, PartialEq, Default)]
struct Assistants {
    /// By id and name; those known before stay while they are asked for again.
    known: Vec<(i64, String)>,
    asked: Option<TaskId>,
    failed: bool,
}

/// The part of the pane that has the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Focus {
    List,
    /// The text that narrows the rows.
    Narrow,
    Inspector,
}

/// The state of the pane.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversations {
    query: ConversationQuery,
    /// Renewed whenever the question changes in more than its page.
    origin: Origin,
    pages: Pages,
    asked: Vec<Asked>,
    health: Health,
    polling: Polling,
    /// The rows in view order; kept, so that drawing never sorts.
    visible: Vec<Visible>,
    sort: Sort,
    narrow: TextInput,
    selected: Option<String>,
    cursor: Cursor,
    /// Rows that changed lately, and when.
    fresh: HashMap<String, Duration>,
    focus: Focus,
    /// True where the inspector shows what the server sent.
    raw: bool,
    inspector_scroll: usize,
    assistants: Assistants,
}

impl Conversations {
    /// A pane that has asked nothing yet.
    pub fn new(per_page: u32, refresh: Option<Duration>) -> Self {
        Self {
            query: ConversationQuery { per_page, ..ConversationQuery::default() },
            origin: Origin::new(ID.0),
            pages: Pages::default(),
            asked: Vec::new(),
            health: Health::Waiting,
            polling: Polling::new(refresh),
            visible: Vec::new(),
            sort: Sort::default(),
            narrow: TextInput::default(),
            selected: None,
            cursor: Cursor::default(),
            fresh: HashMap::new(),
            focus: Focus::List,
            raw: false,
            inspector_scroll: 0,
            assistants: Assistants::default(),
        }
    }

    fn begin(&mut self, cx: &mut Context<'_>) {
        self.ask(Purpose::Show, self.query.clone(), cx);
    }

    // What others may know.

    /// True while the inspector has the focus.
    pub fn is_inspecting(&self) -> bool {
        self.focus == Focus::Inspector
    }

    /// True while lists are not asked for by themselves.
    pub fn is_paused(&self) -> bool {
        self.polling.is_paused()
    }

    /// The filters in force.
    pub fn filter(&self) -> &ConversationFilter {
        &self.query.filter
    }

    /// The assistants that can be filtered by, as id and name.
    pub fn assistants(&self) -> &[(i64, String)] {
        &self.assistants.known
    }

    /// Why they are not all there; `None` where they are.
    pub fn assistants_note(&self) -> Option<&'static str> {
        match &self.assistants {
            Assistants { known, .. } if !known.is_empty() => None,
            Assistants { asked: Some(_), .. } => Some("any (the assistants are being loaded)"),
            Assistants { failed: true, .. } => Some("any (not loaded; a number is taken too)"),
            _ => Some("any (there are no outbound assistants)"),
        }
    }

    /// The number of the page on screen and of the last one; `None` where the server pages by cursor.
    pub fn page_numbers(&self) -> Option<(u64, u64)> {
        match self.pages.shown().map(|shown| &*shown.page)? {
            Page::Numbered(page) => Some((page.current_page, page.last_page.max(1))),
            Page::Cursor(_) => None,
        }
    }

    fn rows(&self) -> &[Conversation] {
        self.pages.shown().map_or(&[], |shown| shown.page.rows())
    }

    /// The selected conversation.
    pub fn selected_row(&self) -> Option<&Conversation> {
        self.visible.get(self.cursor.at).and_then(|visible| self.rows().get(visible.row))
    }

    // Rows.

    fn arrange(&mut self) {
        self.visible = rows::arrange(self.rows(), self.sort, self.narrow.value());
    }

    /// Keeps the selection on the same conversation, or at the same place where that one is gone.
    fn follow_selection(&mut self, height: usize) {
        let rows = self.pages.shown().map_or(&[][..], |shown| shown.page.rows());
        let same = self.selected.as_ref().and_then(|id| {
            self.visible.iter().position(|visible| rows.get(visible.row).and_then(|row| row.id.known()) == Some(id))
        });
        self.cursor.select(same.unwrap_or(self.cursor.at), self.visible.len(), height);
        self.remember_selection();
    }

    fn remember_selection(&mut self) {
        let id = self.selected_row().and_then(|row| row.id.known()).cloned();
        if id != self.selected {
            (self.selected, self.inspector_scroll) = (id, 0);
        }
    }

    fn rearrange(&mut self, height: usize) {
        self.arrange();
        self.follow_selection(height);
    }
}
