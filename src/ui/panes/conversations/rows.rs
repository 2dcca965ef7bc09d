//! The rows of a page, and the columns that show them.

use super::format;
use super::narrow::Flags;
use crate::api::Conversation;
use crate::ui::ages::{Age, age_or_date};
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
    /// False where the filter or narrowing leaves it out.
    pub listed: bool,
    /// What a person or the settings say of it.
    pub flags: Flags,
    /// True where the page has conversations of several senders.
    pub of_several: bool,
}

impl From<Conversation> for Row {
    fn from(data: Conversation) -> Self {
        Self { data, changed: None, listed: true, flags: Flags::default(), of_several: false }
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

    /// The most important sign: an alert, a mark, a change.
    fn mark_cell(&self, view: &View<'_>) -> Cell<'_> {
        let Options { theme, glyphs, .. } = view.options;
        if self.flags.alert {
            return Cell::text(glyphs.alert).style(theme.warning);
        }
        if self.flags.marked {
            return Cell::text(glyphs.full).style(theme.strong);
        }
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
            cell: |row, view| match row.data.updated_at.known() {
                Some(time) => Cell::whole(age_or_date(time.0, view.now.wall, view.zone)),
                None => Cell::text(view.options.glyphs.none),
            },
            ..age_column!("UPDATED", 0, |row| row.data.updated_at.known().map(|time| time.0), |view| {
                Cell::text(view.options.glyphs.none)
            })
        },
        Column::new("", Width::Fixed(1), 0, Row::mark_cell),
        Column {
            field: Some(2),
            sort: Sorting::Up(|one, other| {
                let customer = |row: &Row| format::customer(&row.data).to_lowercase();
                customer(one).cmp(&customer(other))
            }),
            ..Column::new("CUSTOMER", Width::Fill(15), 0, |row, view| format::customer_cell(&row.data, view))
        },
        Column {
            field: Some(0),
            sort: Sorting::Up(|one, other| format::kind(&one.data).cmp(&format::kind(&other.data))),
            ..Column::new("TYPE", Width::Content { min: 9, max: 12 }, 4, |row, view| {
                Cell::text(format::kind(&row.data)).style(view.options.theme.dim)
            })
        },
        text_column!("ASSISTANT", Width::Content { min: 10, max: 12 }, 0, Some(1), |row| format::assistant(&row.data)),
        Column::new("SENDER", Width::Content { min: 0, max: 16 }, 5, |row, view| {
            if !row.of_several {
                return Cell::default();
            }
            let sender = format::sender(&row.data);
            let short = fit(&sender, 12, view.options.glyphs.ellipsis).into_owned();
            Cell::number(sender, short).style(view.options.theme.dim)
        }),
        Column {
            right: true,
            sort: Sorting::Down(|one, other| one.data.message_count.known().cmp(&other.data.message_count.known())),
            ..Column::new("MSGS", Width::Content { min: 4, max: 9 }, 3, |row, _| format::messages_cell(&row.data))
        },
        Column {
            right: true,
            sort: Sorting::Down(by_cost),
            ..Column::new("COST", Width::Content { min: 5, max: 9 }, 2, |row, _| format::cost_cell(&row.data))
        },
        Column {
            sort: Sorting::Up(|one, other| one.data.ai_enabled.known().cmp(&other.data.ai_enabled.known())),
            ..Column::new("AI", Width::Fixed(3), 1, |row, view| {
                let theme = &view.options.theme;
                let off = row.data.ai_enabled.known() == Some(&false);
                Cell::text(format::ai(&row.data)).style(if off { theme.warning } else { theme.dim })
            })
        },
    ];

    fn id(&self) -> String {
        self.data.id.known().cloned().unwrap_or_default()
    }

    fn is_listed(&self) -> bool {
        self.listed
    }

    /// Type, assistant and customer as the table shows them, then what else is known of both sides.
    fn fields(&self) -> Vec<Cow<'_, str>> {
        let row = &self.data;
        let phone = row.customer.known().and_then(|party| party.phone.as_deref());
        let id = row.id.known().map(String::as_str);
        let hidden = [phone, id].into_iter().flatten().map(clean).chain([format::sender(row)]);
        [format::kind(row), format::assistant(row), format::customer(row)].into_iter().chain(hidden).collect()
    }

    fn next_change(&self, view: &View<'_>) -> Option<Instant> {
        let now = view.now;
        let age = self.data.updated_at.known().map(|updated| now.mono + Age::changes_in(updated.0, now.wall));
        let marks = self.changed.into_iter().flat_map(|since| MARKED.map(|span| since + span));
        marks.filter(|at| *at > now.mono).chain(age).min()
    }
}
