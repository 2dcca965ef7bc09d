//! Conversations as rows of a page, and the columns that show them.

use super::filter::Wanted;
use super::format;
use super::narrow::{self, Narrow};
use super::pages::{self, Listed, Query};
use crate::api::{Conversation, ConversationFilter, ConversationQuery, Page};
use crate::ui::ages::age_or_date;
use crate::ui::prelude::*;
use jiff::Timestamp;
use std::borrow::Cow;
use std::cmp::Ordering;

/// A row of a page of conversations.
pub type Row = pages::Row<Conversation>;

fn by_cost(one: &Row, other: &Row) -> Ordering {
    let cost = |row: &Row| row.data.total_cost.known().copied();
    cost(one).partial_cmp(&cost(other)).unwrap_or(Ordering::Equal)
}

impl Row {
    const CONVERSATIONS: &'static [Column<Self>] = &[
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
}

impl Listed for Conversation {
    type Filter = ConversationFilter;
    type Wanted = Wanted;
    const NAMES: [&'static str; 2] = ["conversation", "conversations"];
    const COLUMNS: &'static [Column<Row>] = Row::CONVERSATIONS;
    const NARROWS_BY: &'static str = narrow::HINT;

    fn request(query: Query<ConversationFilter>) -> Request {
        let Query { filter, per_page, page } = query;
        Request::ListConversations { query: ConversationQuery { filter, per_page, page } }
    }

    fn reply(reply: Reply) -> Option<Page<Self>> {
        Reply::list_conversations(reply)
    }

    fn id(&self) -> String {
        self.id.known().cloned().unwrap_or_default()
    }

    fn is_same(&self, other: &Self) -> bool {
        self.id == other.id
    }

    fn time(&self) -> Option<Timestamp> {
        self.updated_at.known().map(|time| time.0)
    }

    fn began(&self) -> Option<Timestamp> {
        self.created_at.known().map(|time| time.0)
    }

    fn sender(&self) -> Cow<'_, str> {
        format::sender(self)
    }

    fn assistant_id(&self) -> Option<&String> {
        self.assistant_id.known()
    }

    /// Type, assistant and customer as the table shows them, then what else is known of both sides.
    fn fields(row: &Row) -> Vec<Cow<'_, str>> {
        let row = &row.data;
        let phone = row.customer.known().and_then(|party| party.phone.as_deref());
        let id = row.id.known().map(String::as_str);
        let hidden = [phone, id].into_iter().flatten().map(clean).chain([format::sender(row)]);
        [format::kind(row), format::assistant(row), format::customer(row)].into_iter().chain(hidden).collect()
    }

    fn narrow(typed: &str) -> Narrow {
        Narrow::parse(typed)
    }

    fn passes(row: &Row, narrow: &Narrow, now: Timestamp) -> bool {
        narrow.passes(&row.data, row.flags, now)
    }
}
