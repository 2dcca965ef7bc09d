//! Calls as rows of a page, and the columns that show them.

use super::super::pages::{self, Listed, Query};
use super::filter::Wanted;
use super::format;
use crate::api::{Call, CallFilter, CallQuery, Page, PageQuery};
use crate::ui::ages::age_or_date;
use crate::ui::prelude::*;
use jiff::Timestamp;
use std::borrow::Cow;
use std::cmp::Ordering;

/// A row of a page of calls.
pub type Row = pages::Row<Call>;

fn by_cost(one: &Row, other: &Row) -> Ordering {
    let cost = |row: &Row| format::amount(&row.data.total_cost);
    cost(one).partial_cmp(&cost(other)).unwrap_or(Ordering::Equal)
}

impl Row {
    const CALLS: &'static [Column<Self>] = &[
        Column {
            width: Width::Content { min: 10, max: 12 },
            cell: |row, view| match row.data.created_at.known() {
                Some(time) => Cell::whole(age_or_date(time.0, view.now.wall, view.zone)),
                None => Cell::text(view.options.glyphs.none),
            },
            ..age_column!("BEGAN", 0, |row| row.data.created_at.known().map(|time| time.0), |view| {
                Cell::text(view.options.glyphs.none)
            })
        },
        Column::new("", Width::Fixed(1), 0, Row::mark_cell),
        Column {
            field: Some(0),
            sort: Sorting::Up(|one, other| format::status(&one.data).cmp(&format::status(&other.data))),
            ..Column::new("STATUS", Width::Content { min: 13, max: 13 }, 0, |row, view| {
                let (glyph, style) = format::sign(&row.data, view.options);
                Cell::text(format!("{glyph} {}", format::status(&row.data))).style(style)
            })
        },
        Column {
            field: Some(1),
            sort: Sorting::Up(|one, other| {
                let customer = |row: &Row| format::customer(row).0.to_lowercase();
                customer(one).cmp(&customer(other))
            }),
            ..Column::new("CUSTOMER", Width::Fill(15), 0, |row, _| match format::customer(row) {
                (number, true) => Cell::whole(number.into_owned()),
                (name, false) => Cell::text(name),
            })
        },
        Column {
            field: Some(2),
            sort: Sorting::Up(|one, other| format::kind(&one.data).cmp(&format::kind(&other.data))),
            ..Column::new("TYPE", Width::Content { min: 4, max: 9 }, 3, |row, view| {
                Cell::number(format::kind(&row.data), format::short_kind(&row.data)).style(view.options.theme.dim)
            })
        },
        text_column!("ASSISTANT", Width::Content { min: 10, max: 14 }, 4, Some(3), |row| format::assistant(&row.data)),
        Column::new("NUMBER", Width::Content { min: 0, max: 16 }, 5, |row, view| {
            let own = if row.of_several { row.data.sender() } else { Cow::default() };
            Cell::text(own).style(view.options.theme.dim)
        }),
        Column {
            right: true,
            sort: Sorting::Down(|one, other| one.data.duration.known().cmp(&other.data.duration.known())),
            ..Column::new("TALK", Width::Content { min: 5, max: 8 }, 1, |row, _| {
                Cell::whole(format::clock(&row.data).into_owned())
            })
        },
        Column {
            right: true,
            sort: Sorting::Down(by_cost),
            ..Column::new("COST", Width::Content { min: 5, max: 9 }, 2, |row, _| format::cost_cell(&row.data))
        },
    ];
}

impl Listed for Call {
    type Filter = CallFilter;
    type Wanted = Wanted;
    const NAMES: [&'static str; 2] = ["call", "calls"];
    const COLUMNS: &'static [Column<Row>] = Row::CALLS;
    const MAY_LACK: bool = true;

    fn request(query: Query<CallFilter>) -> Request {
        let Query { filter, per_page, page } = query;
        Request::ListCalls { query: CallQuery { filter, page: PageQuery { per_page, page } } }
    }

    fn reply(reply: Reply) -> Option<Page<Self>> {
        Reply::list_calls(reply)
    }

    fn id(&self) -> String {
        self.id.known().map(i64::to_string).unwrap_or_default()
    }

    fn is_same(&self, other: &Self) -> bool {
        self.id == other.id
    }

    fn time(&self) -> Option<Timestamp> {
        self.began()
    }

    fn began(&self) -> Option<Timestamp> {
        self.created_at.known().map(|time| time.0)
    }

    fn sender(&self) -> Cow<'_, str> {
        let own = self.assistant_phone_number.known().and_then(Option::as_deref);
        own.map(|own| crate::ui::phone::phone(own).into()).unwrap_or_default()
    }

    /// Status, customer, type and assistant as the table shows them, then what else is known of both sides.
    fn fields(row: &Row) -> Vec<Cow<'_, str>> {
        let call = &row.data;
        let hidden = [format::number(call), call.sender(), call.id().into()];
        let raw = call.client_phone_number.known().map(|number| clean(number));
        [format::status(call), format::customer(row).0, format::kind(call), format::assistant(call)]
            .into_iter()
            .chain(hidden)
            .chain(raw)
            .collect()
    }
}
