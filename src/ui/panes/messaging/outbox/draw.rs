//! The outbox on screen: the list, and the details of an entry beside it, below it or in its place.

use super::super::areas::{inside, titled};
use super::super::format::{self, phone, span, time, time_in_list};
use super::{EvidenceCheck, Outbox, OutboxRow, SendState, verdict};
use crate::messaging::{Accepted, Outcome, advice, call_advice};
use crate::records::{Content, Entry, Intent, Mark};
use crate::ui::prelude::*;
use crate::ui::widgets::table::Table;
use crate::ui::widgets::{put, put_right};
use std::borrow::Cow;

/// From this width on the details lie beside the list.
const BESIDE: u16 = 160;
/// From this height on they lie below it.
const BELOW: u16 = 30;
/// Columns of a detail's name.
const LABEL: usize = 14;
/// Words of a text in the list.
const WORDS: usize = 12;

/// What narrowing looks through.
pub(super) fn fields(row: &OutboxRow) -> Vec<Cow<'_, str>> {
    let Intent { phone, .. } = &row.entry.intent;
    let outcome = match row.state() {
        SendState::Held(_) => "held".into(),
        SendState::InFlight | SendState::Waiting(_) => "in flight".into(),
        SendState::Marked(Mark::Sent) => "marked as sent".into(),
        SendState::Marked(Mark::NotSent) => "marked as not sent".into(),
        SendState::Over(outcome) => outcome.words().into(),
    };
    let text = row.text.as_deref().map(Cow::from);
    let fields = [recipient(&row.entry).into(), format::phone(phone).into(), phone.as_str().into()];
    fields.into_iter().chain([what(&row.entry).into(), outcome]).chain(text).collect()
}

pub(super) const COLUMNS: [Column<OutboxRow>; 4] = [
    Column::new("TIME", Width::Content { min: 5, max: 12 }, 1, |row, view| {
        Cell::whole(time_in_list(row.entry.began, view.now, view.zone)).style(view.options.theme.dim)
    }),
    Column::new("TO", Width::Content { min: 16, max: 24 }, 0, |row, _| Cell::text(recipient(&row.entry))),
    Column::new("WHAT", Width::Content { min: 14, max: 40 }, 2, |row, view| Cell::text(said(row, view))),
    Column::new("OUTCOME", Width::Fill(22), 0, |row, view| {
        let (said, style) = outcome(row, view.now.mono, view.options);
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

pub(super) fn areas(outbox: &Outbox) -> Areas {
    let (title, below) = titled(outbox.body);
    let none = Rect { width: 0, height: 0, ..below };
    if below.width >= BESIDE {
        let inside = inside(below);
        let wide = inside.width * 2 / 5;
        let details = Rect { x: inside.right() - wide, width: wide, ..inside };
        return Areas { title, table: Rect { width: below.width - wide - 3, ..below }, details };
    }
    if below.height >= BELOW {
        let high = below.height * 3 / 5;
        let details = inside(Rect { y: below.bottom() - high, height: high, ..below });
        // Between the two is a rule.
        return Areas { title, table: Rect { height: below.height - high - 1, ..below }, details };
    }
    match outbox.details {
        None => Areas { title, table: below, details: none },
        Some(_) => Areas { title, table: none, details: inside(below) },
    }
}

/// Draws the outbox and returns where the cursor is while letters narrow it.
pub(in super::super) fn draw(outbox: &Outbox, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
    let Options { theme, glyphs, .. } = view.options;
    let Areas { title, table, details } = areas(outbox);
    let (is_open, shares) = (outbox.details.is_some(), !table.is_empty());
    let style = if is_open && shares { theme.dim } else { theme.accent };
    let position = outbox.list.position().map(|position| format!("  {position}")).unwrap_or_default();
    let mut left = vec![Span::styled("Outbox", style), Span::styled(position, theme.dim)];
    if outbox.is_narrowed() {
        left.push(Span::styled("  / ", theme.accent));
    }
    let left = Line::from(left);
    put(buffer, title, &left);
    let held = outbox.rows.iter().filter(|row| row.held.is_some()).count();
    let sends = count((outbox.rows.len() - held) as u64, "send", "sends");
    let sends = if held > 0 { format!("{held} held {} {sends}", glyphs.dot) } else { sends };
    let unknown = outbox.unknown();
    let total = match unknown {
        _ if !outbox.loaded => "loading".to_owned(),
        0 => sends,
        unknown if outbox.only_unknown => format!("the {unknown} unknown of {sends}"),
        unknown => format!("{sends} {} {unknown} unknown", glyphs.dot),
    };
    let total = Line::styled(total, if unknown > 0 { theme.warning } else { theme.dim });
    let (used, right) = (cells(left.width()).min(title.width), cells(total.width() + 1));
    put_right(buffer, title, &total);
    let field = Rect { x: title.x + used, width: (title.width - used).saturating_sub(right), ..title };
    let narrow = outbox.is_narrowed().then_some(&outbox.list.narrow);
    let caret = narrow.and_then(|narrow| narrow.draw(buffer, field, theme.strong)).filter(|_| outbox.narrowing);
    if outbox.selected().is_none() {
        let (what, next) = match outbox.only_unknown {
            _ if !outbox.loaded => return caret,
            _ if outbox.is_narrowed() => ("No matching send", "Esc shows all again."),
            true => ("No unknown outcomes", "Every send has a known outcome."),
            false => ("No sends yet", "Messages and calls of this profile are listed here."),
        };
        State::Empty(what.into(), next.into()).draw(&[], view, table.union(details), buffer);
        return caret;
    }
    Table { columns: &COLUMNS, rows: &outbox.rows, state: &outbox.list, view, area: table }.draw(!is_open, buffer);
    if !details.is_empty() {
        let style = if is_open { theme.accent } else { theme.dim };
        if details.y > table.bottom() {
            rule(buffer, Rect { y: table.bottom(), height: u16::from(shares), ..details }, glyphs.horizontal, style);
        } else {
            let edge = Rect { x: details.x.saturating_sub(2), width: u16::from(shares), ..details };
            column(buffer, edge, glyphs.vertical, style);
        }
        self::details(outbox, view).draw(outbox.details.unwrap_or_default(), view, details, buffer);
    }
    caret
}

fn cells(columns: usize) -> u16 {
    u16::try_from(columns).unwrap_or(u16::MAX)
}

fn recipient(entry: &Entry) -> String {
    entry.intent.name.clone().filter(|name| !name.trim().is_empty()).unwrap_or_else(|| phone(&entry.intent.phone))
}

fn what(entry: &Entry) -> String {
    match &entry.intent.content {
        Content::Template(template) => template.name.clone(),
        Content::Freeform => "freeform".to_owned(),
        Content::Call => format!("call by {}", clean(&entry.intent.sender)),
    }
}

/// What was sent, with its first words where they are known.
fn said(row: &OutboxRow, view: &View<'_>) -> String {
    let words = row.text.as_deref().map(|text| text.split_whitespace().take(WORDS).collect::<Vec<_>>().join(" "));
    match words {
        Some(words) => format!("{} {} {words}", what(&row.entry), view.options.glyphs.dot),
        None => what(&row.entry),
    }
}

/// Sign and text of the state of a row, and its style.
fn outcome(row: &OutboxRow, now: Instant, options: &Options) -> (String, Style) {
    let Options { theme, glyphs, .. } = options;
    let done = row.done();
    let (sign, text, style) = match row.state() {
        SendState::Held(hold) => {
            (glyphs.pause, format!("held {} leaves in {} s", glyphs.dot, hold.seconds(now)), theme.warning)
        }
        SendState::InFlight => (glyphs.half, "in flight".to_owned(), theme.dim),
        SendState::Waiting(until) => {
            (glyphs.pause, format!("not sent yet {} {}", glyphs.dot, wait(until, now)), theme.warning)
        }
        SendState::Marked(Mark::Sent) => (glyphs.full, format!("marked as {done}"), theme.good),
        SendState::Marked(Mark::NotSent) => (glyphs.hollow, format!("marked as not {done}"), theme.dim),
        SendState::Over(outcome) => {
            let (sign, style) = match outcome {
                Outcome::Accepted(_) => (glyphs.full, theme.good),
                Outcome::Refused(_) => (glyphs.cross, theme.failed),
                Outcome::NotSent(_) => (glyphs.hollow, theme.failed),
                Outcome::Unknown { .. } => (glyphs.alert, theme.warning),
            };
            (sign, outcome.words().replace(" · ", &format!(" {} ", glyphs.dot)), style)
        }
    };
    (format!("{sign} {text}"), style)
}

/// Time left to wait.
fn wait(until: Instant, now: Instant) -> String {
    if until > now { span(until - now) } else { "now".to_owned() }
}

/// To whom and from where the selected message goes, and what it is.
pub(super) fn recipient_details(outbox: &Outbox) -> Details {
    outbox.selected_entry().map_or_else(Details::default, |entry| addressed(Details::new(LABEL), entry))
}

fn addressed(details: Details, entry: &Entry) -> Details {
    let to = format::recipient(entry.intent.name.as_deref(), &entry.intent.phone);
    let details = details.wrapped("to", to);
    let from = if entry.intent.is_call() { details } else { details.wrapped("from", phone(&entry.intent.sender)) };
    from.wrapped("what", what(entry))
}

/// The details of the selected entry.
pub(super) fn details(outbox: &Outbox, view: &View<'_>) -> Details {
    let details = Details::new(LABEL);
    let Some(row) = outbox.selected() else { return details };
    let (entry, state) = (&row.entry, row.state());
    let (said, style) = outcome(row, view.now.mono, view.options);
    let details = addressed(details.text(said).styled(style).text(""), entry);
    let accepted = if let SendState::Over(Outcome::Accepted(accepted)) = state { Some(accepted) } else { None };
    let Accepted { conversation_id, message_id, msgapp_message_id, message_sid, status, call_id } =
        accepted.cloned().unwrap_or_default();
    let ended = if matches!(entry.outcome, Some(Outcome::Unknown { .. })) { "given up" } else { "answered" };
    let number = |number: Option<i64>| number.map(|number| number.to_string());
    let fields = [
        ("confirmed", Some(time(entry.began, view.now, view.zone))),
        (ended, entry.ended.map(|at| time(at, view.now, view.zone))),
        ("from a file", entry.intent.row.as_ref().map(|row| format!("line {}", row.line))),
        ("text", row.text.clone()),
        ("delivery", status.map(|status| status.replace('_', " "))),
        ("conversation", number(conversation_id)),
        ("message", number(message_id)),
        ("app message", number(msgapp_message_id)),
        ("provider id", message_sid),
        ("call", number(call_id)),
        ("outbox id", Some(entry.intent.id.to_string())),
    ];
    let fields = fields.into_iter().filter_map(|(label, value)| Some((label, value?)));
    let details = fields.fold(details, |details, (label, value)| details.wrapped(label, value));
    next(details.text(""), row, &outbox.known_calls(), view)
}

/// What the state means, and what can be done. `known` are the numbers of calls of other entries.
fn next(details: Details, row: &OutboxRow, known: &[i64], view: &View<'_>) -> Details {
    let theme = &view.options.theme;
    let (is_call, done) = (row.entry.intent.is_call(), row.done());
    let what = if is_call { "call" } else { "message" };
    let unclear = if is_call {
        "Unknown whether the call was made, so it is never made again automatically. Check the server's list of calls, \
         then mark the call as made or not made."
    } else {
        "Delivery unknown, so the message is never sent again automatically. Check the conversation, then mark the \
         message as sent or not sent."
    };
    match row.state() {
        SendState::Held(_) => {
            let key = view.key(&[Scope::EVERYWHERE], Action::TakeBack, " takes it back.");
            details.text(format!("Not {done} yet. {key}")).styled(theme.dim)
        }
        SendState::InFlight => details.text("In flight; no reply yet.").styled(theme.dim),
        SendState::Waiting(until) => {
            let wait = wait(until, view.now.mono);
            details.text(format!("Not sent yet: the server asked to wait ({wait}). The message is sent after that."))
        }
        SendState::Marked(mark) => {
            let not = if mark == Mark::Sent { "" } else { "not " };
            details.text(format!("The outcome was unknown; the {what} was marked as {not}{done}."))
        }
        SendState::Over(Outcome::Accepted(_)) => details,
        SendState::Over(Outcome::Refused(refusal) | Outcome::NotSent(refusal)) => {
            let from = refusal.status.map_or("Never left".to_owned(), |status| format!("The service ({status})"));
            let advice = if is_call { call_advice(refusal).to_owned() } else { advice(refusal) };
            details
                .text(format!("{from}: \"{}\"", refusal.words.trim()))
                .text(advice)
                .text(format!("Nothing was {done} or charged."))
        }
        SendState::Over(Outcome::Unknown { .. }) => match &row.check {
            None => details.text(unclear),
            Some(EvidenceCheck::InFlight) => details.text(unclear).text("").text("Checking.").styled(theme.dim),
            Some(EvidenceCheck::Failed(why)) => {
                details.text(format!("The check failed: {}.", why.trim_end_matches('.'))).styled(theme.failed)
            }
            Some(EvidenceCheck::Calls(found)) => {
                let details = details.text(verdict::of_calls(&row.entry, found.as_deref(), known));
                let Some(found) = found.as_ref().filter(|found| !found.is_empty()) else { return details };
                found
                    .iter()
                    .fold(details.section("Newest calls"), |details, call| details.text(verdict::call(call, view)))
            }
            Some(EvidenceCheck::Done(evidence, now)) => {
                let sentences = verdict::sentences(&row.entry, evidence, *now, view);
                let details = sentences.into_iter().fold(details, Details::text).section("Last messages");
                verdict::messages(evidence).into_iter().fold(details, Details::text)
            }
        },
    }
}
