//! The rows of a page, and the columns that show them.

use super::format;
use crate::api::Conversation;
use crate::ui::ages::Age;
use crate::ui::prelude::*;
use std::borrow::Cow;
use std::cmp::Ordering;

/// How long a changed row is marked brightly, and how long at all.
const MARKED: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(6)];

/// A row of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The conversation.
    pub data: Conversation,
    /// When a poll last found it changed or new.
    changed: Option<Instant>,
}

impl From<Conversation> for Row {
    fn from(data: Conversation) -> Self {
        Self { data, changed: None }
    }
}

impl Row {
    /// Marks it where it is not as it was among these rows.
    pub fn mark(&mut self, before: &[Self], now: Instant) {
        if self.data.id.known().is_none() {
            return;
        }
        let same = before.iter().find(|row| row.data.id == self.data.id);
        self.changed = same.filter(|same| same.data == self.data).map_or(Some(now), |same| same.changed);
    }

    fn mark_cell(&self, view: &View<'_>) -> Cell<'_> {
        let theme = &view.options.theme;
        match self.changed.map(|since| view.now.mono - since) {
            Some(age) if age < MARKED[0] => Cell::text("+").style(theme.fresh),
            Some(age) if age < MARKED[1] => Cell::text("+").style(theme.dim),
            _ => Cell::default(),
        }
    }
}

fn by_cost(one: &Row, other: &Row) -> Ordering {
    let cost = |row: &Row| row.data.total_cost.known().copied();
    cost(one).partial_cmp(&cost(other)).unwrap_or(Ordering::Equal)
}

impl Record for Row {
    /// Empty where the server sent none.
    type Id = String;
    const NAME: &'static str = "conversation";
    const COLUMNS: &'static [Column<Self>] = &[
        Column {
            width: Width::Content { min: 10, max: 12 },
            ..age_column!("UPDATED", 0, |row| row.data.updated_at.known().map(|time| time.0), |view| {
                Cell::text(view.options.glyphs.none)
            })
        },
        Column::new("", Width::Fixed(1), 0, Row::mark_cell),
        Column {
            field: Some(0),
            sort: Sorting::Up(|one, other| format::kind(&one.data).cmp(&format::kind(&other.data))),
            ..Column::new("TYPE", Width::Content { min: 6, max: 12 }, 3, |row, view| {
                Cell::text(format::kind(&row.data)).style(view.options.theme.dim)
            })
        },
        text_column!("ASSISTANT", Width::Fill(12), 0, Some(1), |row| format::assistant(&row.data)),
        Column {
            right: true,
            sort: Sorting::Down(|one, other| one.data.message_count.known().cmp(&other.data.message_count.known())),
            ..Column::new("MSGS", Width::Content { min: 4, max: 9 }, 4, |row, _| format::messages_cell(&row.data))
        },
        Column {
            right: true,
            sort: Sorting::Down(by_cost),
            ..Column::new("COST", Width::Content { min: 5, max: 9 }, 2, |row, _| format::cost_cell(&row.data))
        },
        Column::new("AI", Width::Fixed(3), 1, |row, view| {
            let theme = &view.options.theme;
            let off = row.data.ai_enabled.known() == Some(&false);
            Cell::text(format::ai(&row.data)).style(if off { theme.warning } else { theme.dim })
        }),
    ];

    fn id(&self) -> String {
        self.data.id.known().cloned().unwrap_or_default()
    }

    /// Type and assistant as the table shows them, then what the inspector shows.
    fn fields(&self) -> Vec<Cow<'_, str>> {
        let row = &self.data;
        let customer = row.customer.known();
        let name = customer.and_then(|party| party.name.as_deref());
        let phone = customer.and_then(|party| party.phone.as_deref());
        let id = row.id.known().map(String::as_str);
        let hidden = [name, phone, id].into_iter().flatten().map(clean);
        [format::kind(row), format::assistant(row)].into_iter().chain(hidden).collect()
    }

    fn next_change(&self, view: &View<'_>) -> Option<Instant> {
        let now = view.now;
        let age = self.data.updated_at.known().map(|updated| now.mono + Age::changes_in(updated.0, now.wall));
        let marks = self.changed.into_iter().flat_map(|since| MARKED.map(|span| since + span));
        marks.filter(|at| *at > now.mono).chain(age).min()
    }
}
