//! The view on screen: what is known, and below it a form or a table of rows.

use super::super::format::{country, phone, seconds, time};
use super::problems::Problems;
use super::review::Review;
use super::running::{Results, RunningBatch};
use super::{BatchContext, Bulk, Stage, format};
use crate::ui::action::Action;
use crate::ui::text::{clean, count};
use crate::ui::widgets::confirm::Confirm;
use crate::ui::widgets::details::Details;
use crate::ui::widgets::{put, put_right};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

/// Cells of labels, with the blanks behind them.
const LABEL: usize = 14;
/// The widest bar.
const BAR: usize = 50;
/// Rows that form or table keep where there is little room.
const BELOW_MIN: u16 = 4;
const ABOUT: &str = "A file of comma-separated values (CSV). Its first line names the columns: a phone number, a name if there is one, and one for each variable of the template.";
const UNKNOWN: &str = "Unknown rows may have been sent, so they are not sent again. The outbox checks them one by one.";

/// What stands above the form or the table.
fn above(bulk: &Bulk, cx: &BatchContext<'_>, columns: u16) -> Details {
    let (theme, glyphs) = (&cx.view.options.theme, cx.view.options.glyphs);
    let mut above = Details::new(LABEL);
    if let Some(note) = &bulk.note {
        above = above.text(note).styled(theme.warning);
    }
    if let Stage::Held(_, hold) = &bulk.stage {
        let key = key(bulk, Action::CancelBatch, "takes it back", cx);
        let starts = format!("{} Starts in {} s {} {key}", glyphs.half, seconds(hold.left(cx.view.now)), glyphs.dot);
        above = above.text(starts).styled(theme.warning);
    }
    let above = match &bulk.stage {
        Stage::File(reads) => file(bulk, *reads, above, cx),
        Stage::Columns(stage) => {
            let above = above.text("Which column of the file holds which value? This is the first row of the file:");
            stage.first_row().fold(above.styled(theme.dim), |above, (name, cell)| above.field(name, cell))
        }
        Stage::Review(review) | Stage::Held(review, _) => facts(bulk, review, checked(bulk, review, above, cx), cx),
        Stage::Running(running) => progress(running, above, columns, cx),
    };
    above.lines(vec![Line::default()])
}

/// The areas of the title, of what stands above, and of the form or the table.
fn areas(bulk: &Bulk, cx: &BatchContext<'_>) -> (Rect, Rect, Rect) {
    let body = cx.view.body;
    let area = Rect { x: body.x + body.width.min(1), width: body.width.saturating_sub(2), ..body };
    let title = Rect { height: area.height.min(1), ..area };
    let top = (1 + u16::from(area.height >= 12)).min(area.height);
    let area = Rect { y: area.y + top, height: area.height - top, ..area };
    let rows = above(bulk, cx, area.width).rows(cx.view.options, area.width.into()).len();
    let height = u16::try_from(rows).unwrap_or(u16::MAX).min(area.height.saturating_sub(BELOW_MIN));
    (title, Rect { height, ..area }, Rect { y: area.y + height, height: area.height - height, ..area })
}

/// The area of the form or the table.
pub(super) fn below(bulk: &Bulk, cx: &BatchContext<'_>) -> Rect {
    areas(bulk, cx).2
}

/// The table on screen.
pub(super) fn table(stage: &mut Stage) -> Option<&mut Problems> {
    match stage {
        Stage::Review(review) | Stage::Held(review, _) => Some(&mut review.problems),
        Stage::Running(running) => Some(&mut running.problems),
        Stage::File(_) | Stage::Columns(_) => None,
    }
}

/// Draws the view and tells where the cursor is.
pub(super) fn draw(bulk: &Bulk, cx: &BatchContext<'_>, buffer: &mut Buffer) -> Option<Position> {
    let (view, theme) = (&cx.view, &cx.view.options.theme);
    let (title, area, below) = areas(bulk, cx);
    let what = format!("{}  {}", clean(&bulk.setup.sheet.template.name), clean(&bulk.setup.from));
    put_right(buffer, title, &Line::styled(what, theme.dim));
    put(buffer, title, &Line::styled("Many recipients ", theme.accent));
    above(bulk, cx, area.width).draw(0, view, area, buffer);
    match &bulk.stage {
        Stage::File(_) => return bulk.path.draw(view, below, buffer),
        Stage::Columns(columns) => return columns.form.draw(view, below, buffer),
        Stage::Review(review) | Stage::Held(review, _) => review.problems.draw(view, below, buffer),
        Stage::Running(running) => running.problems.draw(view, below, buffer),
    }
    None
}

/// A key with what it does.
fn key(bulk: &Bulk, action: Action, does: &str, cx: &BatchContext<'_>) -> String {
    let key = cx.view.options.keymap.first_key(bulk.scopes(), action);
    key.map(|key| format!("{key} {does}")).unwrap_or_default()
}

fn file(bulk: &Bulk, reads: bool, mut above: Details, cx: &BatchContext<'_>) -> Details {
    let (theme, glyphs) = (&cx.view.options.theme, cx.view.options.glyphs);
    above = above.text(ABOUT).styled(theme.dim);
    let names = bulk.setup.message.preview.variables().join(", ");
    if !names.is_empty() {
        above = above.wrapped("variables", names);
    }
    if let Some(unfinished) = bulk.unfinished.as_deref() {
        let (of, rows) = (&unfinished.of, count(unfinished.left as u64, "row is", "rows are"));
        let (began, name) = (time(unfinished.began, cx.view.now, cx.view.zone), &of.template.name);
        let what = format!("{} was interrupted: {rows} left of {}", of.path.display(), of.rows);
        let key = key(bulk, Action::Resume, "resumes it.", cx);
        above = above.text(format!("{} {what} ({name}, started {began}). {key}", glyphs.alert)).styled(theme.warning);
    }
    if reads { above.text("Reading the file").styled(theme.dim) } else { above }
}

/// What the dry run has found.
fn checked(bulk: &Bulk, review: &Review, mut above: Details, cx: &BatchContext<'_>) -> Details {
    let (theme, glyphs) = (&cx.view.options.theme, cx.view.options.glyphs);
    let good = count(review.good.len() as u64, "row is", "rows are");
    above = above.text(format!("{} {good} good", glyphs.full)).styled(theme.good);
    if review.problems.len() > 0 {
        let bad = count(review.problems.len() as u64, "row", "rows");
        let repeats = match review.duplicates {
            0 => String::new(),
            1 => "; 1 of them repeats an earlier number".to_owned(),
            many => format!("; {many} of them repeat earlier numbers"),
        };
        above = above.text(format!("{} {bad} cannot be sent{repeats}", glyphs.cross)).styled(theme.failed);
    }
    let mismatches = bulk.setup.message.preview.mismatches().into_iter();
    for warning in mismatches.chain(sent_before(bulk, review, cx)) {
        above = above.text(format!("{} {warning}", glyphs.alert)).styled(theme.warning);
    }
    if let Some(why) = &review.lookup_failure {
        let text = format!("{} It is unknown what was sent before: {why}", glyphs.cross);
        above = above.text(text).styled(theme.failed);
    }
    above.lines(vec![Line::default()])
}

/// What was sent before and what the batch does about it, a sentence each.
fn sent_before(bulk: &Bulk, review: &Review, cx: &BatchContext<'_>) -> Vec<String> {
    if review.includes_sent {
        let skips = key(bulk, Action::IncludeSent, "skips them", cx);
        return vec![format!("all are sent, once more to those who were sent this template before ({skips})")];
    }
    let skipped = format!("skipped ({})", key(bulk, Action::IncludeSent, "sends to them again", cx));
    let sentence = |sent: Option<(usize, jiff::Timestamp)>, one: &str, many: &str, what: &str| {
        let (rows, last) = sent?;
        let rows = count(rows as u64, one, many);
        Some(format!("{rows} {what}, the last {}: {skipped}", time(last, cx.view.now, cx.view.zone)))
    };
    let here = sentence(review.earlier.of_this_file(), "row was", "rows were", "sent already");
    let from = "sent this template from another file";
    let elsewhere = sentence(review.sent_from_another_file(), "recipient was", "recipients were", from);
    here.into_iter().chain(elsewhere).collect()
}

/// What would be sent, for the dry run and the confirm dialog.
fn facts(bulk: &Bulk, review: &Review, mut facts: Details, cx: &BatchContext<'_>) -> Details {
    let (theme, preview) = (&cx.view.options.theme, &bulk.setup.message.preview);
    if let Some(names) = review.unused() {
        facts = facts.wrapped("not used", names).styled(theme.warning);
    }
    if let Some(first) = review.first() {
        let message = &first.message;
        let name = message.recipient_name.as_ref().map(|name| format!("{name}  ")).unwrap_or_default();
        let to = format!("{name}{} {}", phone(&message.recipient_phone), country(&message.recipient_phone));
        facts = facts.wrapped("first to", to).styled(theme.strong);
        facts = facts.wrapped("reads", preview.text_of(&message.variables));
    }
    if let Some(progress) = review.progress() {
        let balance = cx.known.balance.map(|balance| format!(" of {balance:.2} credits or minutes"));
        let messages = count(progress.left as u64, "message", "messages");
        let cost = format!("{messages}, deducted from the balance{}", balance.unwrap_or_default());
        let takes = format!("about {}", format::span(progress.eta.unwrap_or_default()));
        facts = facts.wrapped("cost", cost).wrapped("takes", takes);
    }
    let (first, rest) = review.countries.split_at(review.countries.len().min(4));
    let mut countries: Vec<String> = first.iter().map(|(name, rows)| format!("{name} {rows}")).collect();
    let others: usize = rest.iter().map(|(_, rows)| rows).sum();
    countries.extend((others > 0).then(|| format!("others {others}")));
    if countries.is_empty() { facts } else { facts.wrapped("countries", countries.join(", ")) }
}

/// The dialog that asks whether to send.
pub(super) fn confirm(bulk: &Bulk, review: &Review, cx: &BatchContext<'_>) -> Confirm {
    let left = review.progress().map_or(0, |progress| progress.left as u64);
    let setup = Details::new(LABEL).field("from", &bulk.setup.from).field("template", &bulk.setup.sheet.template.name);
    Confirm::new(format!("Send {}?", count(left, "message", "messages")), facts(bulk, review, setup, cx), "send")
}

fn progress(running: &RunningBatch, above: Details, columns: u16, cx: &BatchContext<'_>) -> Details {
    let (theme, glyphs) = (&cx.view.options.theme, cx.view.options.glyphs);
    let (batch, shown) = (&running.batch, running.shown);
    let done = shown.accepted + shown.refused + shown.unknown;
    let (wide, steps) = (usize::from(columns).saturating_sub(18).min(BAR), glyphs.gauge.len());
    let filled = (done * wide * steps).checked_div(shown.total).unwrap_or(wide * steps);
    let full = glyphs.gauge.last().copied().unwrap_or_default().repeat(filled / steps);
    let part = (filled % steps).checked_sub(1).and_then(|at| glyphs.gauge.get(at)).copied().unwrap_or_default();
    let bar = Line::from(vec![
        Span::styled(format!("{full}{part}"), theme.good),
        Span::styled(glyphs.track.repeat(wide.saturating_sub(filled.div_ceil(steps))), theme.dim),
        Span::styled(format!("  {done} of {}", shown.total), theme.strong),
    ]);
    let (sign, text, style) = match batch.trouble() {
        _ if batch.is_over() && shown.left > 0 => {
            (glyphs.cross, format!("cancelled: {} not sent", shown.left), theme.warning)
        }
        _ if batch.is_over() => (glyphs.full, "done".to_owned(), theme.good),
        _ if batch.is_cancelled() => (glyphs.half, format!("cancelled: {} in flight", shown.in_flight), theme.warning),
        Some(why) => (glyphs.pause, format!("paused by itself: {why}"), theme.failed),
        None if batch.is_paused() => (glyphs.pause, "paused".to_owned(), theme.warning),
        None => {
            let rate = shown.rate.map(|rate| format!("{rate:.1} a second, ")).unwrap_or_default();
            let eta = shown.eta.map(|eta| format!("about {} left", format::span(eta))).unwrap_or_default();
            (glyphs.half, format!("sending: {rate}{eta}"), theme.accent)
        }
    };
    let mut above = above.lines(vec![bar]).text(format!("{sign} {text}")).styled(style);
    if let Some(left) = running.retry_in(cx.view.now.mono) {
        let text = format!("{} not sent yet: the server asks to wait {}", glyphs.alert, format::span(left));
        above = above.text(text).styled(theme.warning);
    }
    let answers = [
        (glyphs.full, shown.accepted, "accepted", theme.good),
        (glyphs.cross, shown.refused, "refused", theme.failed),
        (glyphs.alert, shown.unknown, "unknown", theme.warning),
    ];
    let style = answers.iter().rev().find(|(_, rows, ..)| *rows > 0).map_or(theme.good, |(.., style)| *style);
    let answers = answers.map(|(sign, rows, word, _)| format!("{sign} {rows} {word}  ")).concat();
    let rest = format!("{} in flight  {} left  {} bad", shown.in_flight, shown.left, running.review.bad.len());
    above = above.text(answers + &rest).styled(style);
    if running.problems.unknown() > 0 {
        above = above.text(UNKNOWN).styled(theme.warning);
    }
    match &running.results {
        Results::NotYet => above,
        Results::Writing => above.text("Writing the results").styled(theme.dim),
        Results::Written(path) => above.text(format!("The results are in {}", path.display())).styled(theme.strong),
        Results::Failed(why) => above.text(format!("The results could not be written: {why}")).styled(theme.failed),
    }
}
