//! The inspector of a conversation: its fields, or its JSON as it came.

use super::{Conversations, words};
use crate::api::{Field, PlainTimestamp};
use crate::ui::Options;
use crate::ui::ages::{Age, date_and_time};
use crate::ui::message::Moment;
use crate::ui::text::{clean, fit, width, wrap};
use crate::ui::widgets::json;
use jiff::tz::TimeZone;
use ratatui::text::{Line, Span};

/// The lines of the inspector, broken at `columns`.
pub fn lines(
    pane: &Conversations,
    now: Moment,
    zone: &TimeZone,
    options: &Options,
    columns: usize,
) -> Vec<Line<'static>> {
    let (theme, glyphs) = (&options.theme, options.glyphs);
    let Some(row) = pane.selected_row() else {
        return vec![Line::from(Span::styled("Nothing is selected.", theme.dim))];
    };
    if pane.raw {
        return match row.json() {
            Ok(text) => json::lines(&text, theme, columns),
            Err(fault) => vec![Line::from(Span::styled(format!("cannot be shown as JSON: {fault}"), theme.failed))],
        };
    }
    let ai = format!("{} {} AI {}", words::kind(row), glyphs.dot, words::ai(row));
    let mut out = vec![
        Line::from(Span::styled(fit(&words::id(row), columns, glyphs.ellipsis).into_owned(), theme.strong)),
        Line::from(fit(&ai, columns, glyphs.ellipsis).into_owned()),
        Line::default(),
    ];
    let room = columns.saturating_sub(11).max(8);
    let put = |out: &mut Vec<Line<'static>>, name: &str, value: String| {
        let pad = " ".repeat(11usize.saturating_sub(width(name)));
        out.push(Line::from(vec![Span::styled(format!("{name}{pad}"), theme.dim), Span::raw(value)]));
    };
    let cut = |value: &str| fit(value, room, glyphs.ellipsis).into_owned();
    let time = |time: &Field<PlainTimestamp>| match time {
        Field::Known(PlainTimestamp(time)) => {
            format!("{} {} {}", date_and_time(*time, now.wall, zone), glyphs.dot, Age::between(*time, now.wall))
        }
        Field::Missing => "not sent".to_owned(),
        Field::Odd(value) => format!("?{}", clean(&value.to_string())),
    };
    // Each field keeps its line whatever it holds, so that moving through the list changes only what differs.
    let assistant_id = words::assistant_id(row);
    let assistant = format!("{} {} {}", words::assistant(row), glyphs.dot, fit(&assistant_id, 8, ""));
    put(&mut out, "Assistant", cut(&assistant));
    put(&mut out, "Messages", cut(&words::messages(row)));
    put(&mut out, "Cost", cut(&words::exact_cost(row)));
    put(&mut out, "Started", cut(&time(&row.created_at)));
    put(&mut out, "Updated", cut(&time(&row.updated_at)));
    if pane.rows().iter().any(|row| !row.customer.is_missing() || !row.msgapp_sender.is_missing()) {
        for (name, party) in [("Customer", &row.customer), ("Sender", &row.msgapp_sender)] {
            let (person, phone) = words::party(party);
            let said = if person == phone {
                person.into_owned()
            } else {
                let space = room.saturating_sub(width(&phone) + 2);
                format!("{}  {phone}", fit(&person, space, glyphs.ellipsis))
            };
            put(&mut out, name, cut(&said));
        }
    }
    for (name, value) in &row.extra {
        let name = fit(&clean(name), 10, glyphs.ellipsis).into_owned();
        for (at, part) in wrap(&clean(&value.to_string()), room).into_iter().enumerate() {
            put(&mut out, if at == 0 { &name } else { "" }, part);
        }
    }
    out
}
