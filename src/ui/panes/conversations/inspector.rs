//! Every field of one conversation.

use super::{Conversations, words};
use crate::api::{Field, Party, PlainTimestamp};
use crate::ui::Options;
use crate::ui::ages::{Age, date_and_time};
use crate::ui::message::Moment;
use crate::ui::text::{clean, fit, wrap};
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
        return match serde_json::to_value(row) {
            Ok(value) => json::lines(&value, theme),
            Err(fault) => vec![Line::from(Span::styled(format!("cannot be shown as JSON: {fault}"), theme.failed))],
        };
    }
    let ai = format!("{} {} AI {}", words::kind(row), glyphs.dot, words::ai(row));
    let mut out = vec![
        Line::from(Span::styled(fit(&words::id(row), columns, glyphs.ellipsis).into_owned(), theme.strong)),
        Line::from(fit(&ai, columns, glyphs.ellipsis).into_owned()),
        Line::default(),
    ];
    let mut field = |name: &str, value: &str| {
        let room = columns.saturating_sub(11).max(8);
        for (at, part) in wrap(value, room).into_iter().enumerate() {
            let name = if at == 0 { name } else { "" };
            out.push(Line::from(vec![Span::styled(format!("{name:<11}"), theme.dim), Span::raw(part)]));
        }
    };
    let time = |time: &Field<PlainTimestamp>| match time {
        Field::Known(PlainTimestamp(time)) => {
            format!("{} {} {}", date_and_time(*time, now.wall, zone), glyphs.dot, Age::between(*time, now.wall))
        }
        Field::Missing => "not sent".to_owned(),
        Field::Odd(value) => format!("?{}", clean(&value.to_string())),
    };
    field("Assistant", &words::assistant(row));
    field("Messages", &words::messages(row));
    field("Cost", &words::exact_cost(row));
    field("Started", &time(&row.created_at));
    field("Updated", &time(&row.updated_at));
    for (name, party) in [("Customer", &row.customer), ("Sender", &row.msgapp_sender)] {
        match party {
            Field::Known(Party { name: person, phone }) => {
                let said: Vec<_> = [person, phone].into_iter().flatten().map(|text| clean(text).into_owned()).collect();
                field(name, &said.join("  "));
            }
            Field::Odd(value) => field(name, &format!("?{}", clean(&value.to_string()))),
            Field::Missing => {}
        }
    }
    field("Handled by", &words::assistant_id(row));
    for (name, value) in &row.extra {
        field(&fit(&clean(name), 10, glyphs.ellipsis), &clean(&value.to_string()));
    }
    out
}
