//! The outbox on screen: the list, and the details of an entry beside it or in its place.

use super::super::format::{country, phone, time, time_in_list};
use super::{Check, Outbox, Row, State, format, verdict};
use crate::messaging::{Outcome, advice};
use crate::records::{Content, Entry, Mark};
use crate::ui::pane::View;
use crate::ui::text::count;
use crate::ui::widgets::details::Details;
use crate::ui::widgets::table::{self, Cell, Column, Sorting, Width};
use crate::ui::widgets::{put, put_right, state};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// From this width on the details lie beside the list.
const BESIDE: u16 = 100;
/// Columns of a detail's name.
const LABEL: usize = 14;

const fn column(
    title: &'static str,
    width: Width,
    drop: u8,
    cell: for<'r> fn(&'r Row, &View<'_>) -> Cell<'r>,
) -> Column<Row> {
    Column { title, width, right: false, drop, field: None, sort: Sorting::None, cell }
}

const COLUMNS: [Column<Row>; 4] = [
    column("TIME", Width::Content { min: 5, max: 12 }, 1, |row, view| {
        let time = time_in_list(row.entry.began, view.now, view.zone);
        Cell::number(time.clone(), time).style(view.options.theme.dim)
    }),
    column("TO", Width::Content { min: 16, max: 24 }, 0, |row, _| Cell::text(recipient(&row.entry))),
    column("WHAT", Width::Content { min: 14, max: 24 }, 2, |row, _| Cell::text(what(&row.entry))),
    column("OUTCOME", Width::Fill(22), 0, |row, view| {
        let (said, style) = format::outcome(row.state(), view.now.mono, view.options);
        Cell::text(said).style(style)
    }),
];

/// Where the parts lie.
pub(super) struct Areas {
    title: Rect,
    /// The list with its header; empty while the details have the whole body.
    pub(super) table: Rect,
    /// Empty where they are not shown.
    pub(super) details: Rect,
}

/// Where the parts lie; `open` where the details have the focus.
pub(super) fn areas(body: Rect, open: bool) -> Areas {
    let title = Rect { height: body.height.min(1), ..body };
    let top = (1 + u16::from(body.height >= 12)).min(body.height);
    let below = Rect { y: body.y + top, height: body.height - top, ..body };
    let inside = Rect { x: below.x + 1.min(below.width), width: below.width.saturating_sub(2), ..below };
    let none = Rect { width: 0, height: 0, ..below };
    match (body.width >= BESIDE, open) {
        (false, false) => Areas { title, table: below, details: none },
        (false, true) => Areas { title, table: none, details: inside },
        (true, _) => {
            let wide = (inside.width * 2 / 5).max(52);
            let details = Rect { x: inside.right() - wide, width: wide, ..inside };
            Areas { title, table: Rect { width: below.width - wide - 3, ..below }, details }
        }
    }
}

/// Draws the outbox.
pub(in super::super) fn draw(outbox: &Outbox, view: &View<'_>, buffer: &mut Buffer) {
    let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
    let areas = areas(outbox.body, outbox.open);
    let is_beside = !areas.table.is_empty();
    let inside =
        Rect { x: areas.title.x + 1.min(areas.title.width), width: areas.title.width.saturating_sub(2), ..areas.title };
    let style = if outbox.open && is_beside { theme.dim } else { theme.accent };
    let position = outbox.list.position().map(|position| format!("  {position}")).unwrap_or_default();
    put(buffer, inside, &Line::from(vec![Span::styled("Outbox", style), Span::styled(position, theme.dim)]));
    let (sends, unknown) = (count(outbox.rows.len() as u64, "send", "sends"), outbox.unknown());
    let total = match unknown {
        _ if !outbox.loaded => "loading".to_owned(),
        0 => sends,
        unknown if outbox.is_narrowed() => format!("the {unknown} unknown of {sends}"),
        unknown => format!("{sends} {} {unknown} unknown", glyphs.dot),
    };
    put_right(buffer, inside, &Line::styled(total, if unknown > 0 { theme.warning } else { theme.dim }));
    if outbox.selected().is_none() {
        let (what, next) = match outbox.is_narrowed() {
            _ if !outbox.loaded => return,
            true => ("No unknown outcomes", "Of every send it is known what became of it."),
            false => ("No sends yet", "Messages sent with this profile are listed here."),
        };
        return state::State::Empty(what.into(), next.into()).draw(&[], view, areas.table.union(areas.details), buffer);
    }
    table::draw(&COLUMNS, &outbox.rows, &outbox.list, !outbox.open, view, areas.table, buffer);
    if !areas.details.is_empty() {
        for y in areas.details.y..areas.details.bottom() {
            let edge = Rect { x: areas.details.x.saturating_sub(2), y, width: u16::from(is_beside), height: 1 };
            put(buffer, edge, &Line::styled(glyphs.vertical, if outbox.open { theme.accent } else { theme.dim }));
        }
        details(outbox, view).draw(outbox.scrolled, view, areas.details, buffer);
    }
}

fn recipient(entry: &Entry) -> String {
    entry.intent.name.clone().filter(|name| !name.trim().is_empty()).unwrap_or_else(|| phone(&entry.intent.phone))
}

fn what(entry: &Entry) -> String {
    match &entry.intent.content {
        Content::Template(template) => template.name.clone(),
        Content::Freeform => "freeform".to_owned(),
        Content::Call { .. } => "call".to_owned(),
    }
}

fn addressed(details: Details, entry: &Entry) -> Details {
    let intent = &entry.intent;
    let name = intent.name.clone().map(|name| format!("{name}  ")).unwrap_or_default();
    let to = format!("{name}{} {}", phone(&intent.phone), country(&intent.phone));
    details.wrapped("to", to.trim_end()).wrapped("from", phone(&intent.sender)).wrapped("what", what(entry))
}

/// To whom the selected entry goes, for a dialog.
pub(super) fn recipient_details(outbox: &Outbox) -> Details {
    let details = Details::new(LABEL);
    match outbox.selected_entry() {
        Some(entry) => addressed(details, entry),
        None => details,
    }
}

/// The details of the selected entry.
pub(super) fn details(outbox: &Outbox, view: &View<'_>) -> Details {
    let details = Details::new(LABEL);
    let Some(row) = outbox.selected() else { return details };
    let (entry, state) = (&row.entry, row.state());
    let (said, style) = format::outcome(state, view.now.mono, view.options);
    let mut details = addressed(details.text(said).styled(style).text(""), entry);
    let mut fields = vec![("confirmed", Some(time(entry.began, view.now, view.zone)))];
    let ended = if matches!(entry.outcome, Some(Outcome::Unknown { .. })) { "given up" } else { "answered" };
    fields.push((ended, entry.ended.map(|at| time(at, view.now, view.zone))));
    fields.push(("from a file", entry.intent.row.as_ref().map(|row| format!("line {}", row.line))));
    if let State::Over(Outcome::Accepted(accepted)) = state {
        let number = |number: Option<i64>| number.map(|number| number.to_string());
        fields.extend([
            ("conversation", number(accepted.conversation_id)),
            ("message", number(accepted.message_id)),
            ("in the app", number(accepted.msgapp_message_id)),
            ("message_sid", accepted.message_sid.clone()),
            ("status", accepted.status.clone()),
        ]);
    }
    fields.push(("text", entry.intent.text.clone()));
    fields.push(("id", Some(entry.intent.id.to_string())));
    for (label, value) in fields {
        details = if let Some(value) = value { details.wrapped(label, value) } else { details };
    }
    next(details.text(""), row, view)
}

/// What the state means, and what can be done.
fn next(details: Details, row: &Row, view: &View<'_>) -> Details {
    let theme = &view.options.theme;
    let unclear = "Delivery unknown, so the message is never sent again automatically. Check the conversation, then mark \
                   the message as sent or not sent.";
    match row.state() {
        State::Leaving => details.text("In flight; no reply yet.").styled(theme.dim),
        State::Waiting(until) => {
            let wait = format::wait(until, view.now.mono);
            details.text(format!("Not sent yet: the server asked to wait ({wait}). The message is sent after that."))
        }
        State::Marked(Mark::Sent) => details.text("The outcome was unknown; the message was marked as sent."),
        State::Marked(Mark::NotSent) => details.text("The outcome was unknown; the message was marked as not sent."),
        State::Over(Outcome::Accepted(_)) => details,
        State::Over(Outcome::Refused(refusal)) => {
            let from = refusal.status.map_or("Never left".to_owned(), |status| format!("The service ({status})"));
            details
                .text(format!("{from}: \"{}\"", refusal.words.trim()))
                .text(advice(refusal))
                .text("Nothing was sent or charged.")
        }
        State::Over(Outcome::Unknown { .. }) => match &row.check {
            None => details.text(unclear),
            Some(Check::InFlight) => details.text(unclear).text("").text("Checking.").styled(theme.dim),
            Some(Check::Failed(why)) => {
                details.text(format!("The check failed: {}.", why.trim_end_matches('.'))).styled(theme.failed)
            }
            Some(Check::Done(evidence, now)) => {
                let sentences = verdict::sentences(&row.entry, evidence, *now, view);
                let details = sentences.into_iter().fold(details, Details::text).section("Last messages");
                verdict::messages(evidence).into_iter().fold(details, Details::text)
            }
        },
    }
}
