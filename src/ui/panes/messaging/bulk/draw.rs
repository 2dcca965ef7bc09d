//! The view on screen: what is known, and below it a form or a table of rows.

use super::super::areas::{inside, titled};
use super::super::format::{recipient, span, time};
use super::dry_run::DryRun;
use super::running::{ResultsFile, RunningBatch};
use super::{BatchStage, Bulk, rows};
use crate::messaging::batch::RowHint;
use crate::tasks::Progress;
use crate::ui::format::deducted;
use crate::ui::prelude::*;
use crate::ui::theme::Glyphs;
use crate::ui::widgets::confirm::Confirm;
use crate::ui::widgets::{put, put_right};

/// Cells of labels, with the blanks behind them.
const LABEL: usize = 14;
/// The widest bar.
const BAR: usize = 50;
/// Rows that form or table keep where there is little room.
const BELOW_MIN: u16 = 4;
/// Rows of the message below the table.
const PREVIEW: std::ops::RangeInclusive<u16> = 4..=8;
/// From this width on the message lies beside the table.
const BESIDE: u16 = 160;
/// Cells of the labels of the message.
const LINE: usize = 12;
const ABOUT: &str = "A file of comma-separated values (CSV). Its first line names the columns: a phone number, a name if there is one, and one for each variable of the template.";
const OTHER_TEXT: &str =
    "The template's text has changed since this file was last sent: those who are left get the new one.";
const UNKNOWN: &str = "Unknown rows may have been sent, so they are not sent again. The outbox checks them one by one.";

/// What stands above the form or the table.
fn above(bulk: &Bulk, view: &View<'_>, columns: u16) -> Details {
    let Options { theme, glyphs, .. } = view.options;
    let mut above = Details::new(LABEL);
    if let Some(note) = &bulk.note {
        above = above.text(note).styled(theme.warning);
    }
    if let Some(hold) = bulk.hold() {
        let key = view.key(bulk.scopes(), Action::CancelBatch, " takes it back");
        let starts = format!("Starts in {} s {} {key}", hold.seconds(view.now.mono), glyphs.dot);
        above = signed(above, glyphs.half, &starts, theme.warning);
    }
    let above = match &bulk.stage {
        BatchStage::File => file(bulk, above, view),
        BatchStage::Columns(columns) => {
            let above = above.text("Which column of the file holds which value? This is the first row of the file:");
            columns.first_row().fold(above.styled(theme.dim), |above, (name, cell)| above.field(name, cell))
        }
        BatchStage::DryRun(dry_run) => facts(bulk, dry_run, checked(bulk, dry_run, above, view), view),
        BatchStage::Running(running) => progress(bulk, running, above, columns, view),
    };
    above.lines(vec![Line::default()])
}

/// A sentence behind a sign.
fn signed(details: Details, sign: &str, text: &str, style: Style) -> Details {
    details.text(format!("{sign} {text}")).styled(style)
}

/// Where the parts lie.
struct Areas {
    title: Rect,
    above: Rect,
    /// The form or the table.
    below: Rect,
    /// The message of the selected row; empty where no table of the dry run is shown.
    preview: Rect,
}

fn areas(bulk: &Bulk, view: &View<'_>) -> Areas {
    let (title, area) = titled(view.body);
    let area = inside(area);
    let is_dry_run = matches!(bulk.stage, BatchStage::DryRun(_));
    let rows = above(bulk, view, area.width).rows(view.options, area.width.into()).len();
    let least = if is_dry_run { BELOW_MIN + PREVIEW.start() } else { BELOW_MIN };
    let height = u16::try_from(rows).unwrap_or(u16::MAX).min(area.height.saturating_sub(least));
    let above = Rect { height, ..area };
    let below = Rect { y: area.y + height, height: area.height - height, ..area };
    let none = Rect { height: 0, ..below };
    match is_dry_run {
        false => Areas { title, above, below, preview: none },
        true if below.width >= BESIDE => {
            let wide = below.width * 2 / 5;
            let preview = Rect { x: below.right() - wide, width: wide, ..below };
            Areas { title, above, below: Rect { width: below.width - wide - 3, ..below }, preview }
        }
        true => {
            let rows = (below.height / 2).clamp(*PREVIEW.start(), *PREVIEW.end()).min(below.height);
            let preview = Rect { y: below.bottom() - rows, height: rows, ..below };
            Areas { title, above, below: Rect { height: below.height - rows, ..below }, preview }
        }
    }
}

/// The area of the form or the table.
pub(super) fn below(bulk: &Bulk, view: &View<'_>) -> Rect {
    areas(bulk, view).below
}

impl Bulk {
    /// Draws the view and tells where the cursor is.
    pub(in super::super) fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        let theme = &view.options.theme;
        let Areas { title, above: area, below, preview } = areas(self, view);
        let what = format!("{}  {}", clean(&self.setup.sheet.template.name), clean(&self.setup.from));
        put_right(buffer, title, &Line::styled(what, theme.dim));
        let position = self.rows.state.position().filter(|_| !matches!(self.stage, BatchStage::File));
        let name = Span::styled("Many recipients ", theme.accent);
        put(buffer, title, &Line::from(vec![name, Span::styled(position.clone().unwrap_or_default(), theme.dim)]));
        above(self, view, area.width).draw(0, view, area, buffer);
        match &self.stage {
            BatchStage::File => return self.path.draw(view, below, buffer),
            BatchStage::Columns(columns) => return columns.form.draw(view, below, buffer),
            BatchStage::DryRun(dry_run) => self.draw_preview(dry_run, view, preview, buffer),
            BatchStage::Running(_) => {}
        }
        if position.is_some() {
            self.rows.draw(true, None, view, below, buffer);
        }
        None
    }

    /// The message of the selected row, or why it has none.
    fn draw_preview(&self, dry_run: &DryRun, view: &View<'_>, area: Rect, buffer: &mut Buffer) {
        let (Options { theme, glyphs, .. }, Some(row)) = (view.options, self.rows.selected()) else { return };
        let is_beside = area.width < below(self, view).width;
        if is_beside {
            column(buffer, Rect { x: area.x - 2, width: 1, ..area }, glyphs.vertical, theme.dim);
        } else {
            rule(buffer, Rect { height: 1, ..area }, glyphs.horizontal, theme.dim);
        }
        let under = u16::from(!is_beside);
        let area = Rect { y: area.y + under, height: area.height.saturating_sub(under), ..area };
        let line = format!("line {}", row.line);
        let details = match dry_run.good(row.line) {
            Some(good) => {
                let message = &good.message;
                let to = recipient(message.recipient_name.as_deref(), &message.recipient_phone);
                let text = self.setup.message.preview.text_of(&message.variables);
                Details::new(LINE).wrapped(line, to).styled(theme.strong).wrapped("reads", text)
            }
            None => Details::new(LINE).wrapped(line, row.phone.clone()),
        };
        details.wrapped("status", row.status.clone()).styled(row.style(theme)).draw(0, view, area, buffer);
    }
}

fn file(bulk: &Bulk, mut above: Details, view: &View<'_>) -> Details {
    let Options { theme, glyphs, .. } = view.options;
    above = above.text(ABOUT).styled(theme.dim);
    let names = bulk.setup.message.preview.variables().join(", ");
    if !names.is_empty() {
        above = above.wrapped("variables", names);
    }
    if let Some(unfinished) = bulk.unfinished.as_deref() {
        let (of, rows) = (&unfinished.of, count(unfinished.left as u64, "row is", "rows are"));
        let (began, name) = (time(unfinished.began, view.now, view.zone), &of.template.name);
        let what = format!("{} was interrupted: {rows} left of {}", of.path.display(), of.rows);
        let key = view.key(bulk.scopes(), Action::Resume, " resumes it.");
        above = signed(above, glyphs.alert, &format!("{what} ({name}, started {began}). {key}"), theme.warning);
    }
    if bulk.is_reading() { above.text("Reading the file").styled(theme.dim) } else { above }
}

/// What the dry run has found.
fn checked(bulk: &Bulk, dry_run: &DryRun, mut above: Details, view: &View<'_>) -> Details {
    let Options { theme, glyphs, .. } = view.options;
    let good = count(dry_run.good.len() as u64, "row is", "rows are");
    above = signed(above, glyphs.full, &format!("{good} good"), theme.good);
    if !dry_run.bad.is_empty() {
        let bad = count(dry_run.bad.len() as u64, "row", "rows");
        let repeats = match dry_run.duplicates {
            0 => String::new(),
            1 => "; 1 of them repeats an earlier number".to_owned(),
            many => format!("; {many} of them repeat earlier numbers"),
        };
        above = signed(above, glyphs.cross, &format!("{bad} cannot be sent{repeats}"), theme.failed);
    }
    let hints = RowHint::summary(&dry_run.hints);
    let mismatches = bulk.setup.message.preview.mismatches();
    for warning in hints.into_iter().chain(mismatches).chain(sent_before(bulk, dry_run, view)) {
        above = signed(above, glyphs.alert, &warning, theme.warning);
    }
    if let Some(why) = &dry_run.lookup_failure {
        above = signed(above, glyphs.cross, &format!("It is unknown what was sent before: {why}"), theme.failed);
    }
    above.lines(vec![Line::default()])
}

/// What was sent before and what the batch does about it, a sentence each.
fn sent_before(bulk: &Bulk, dry_run: &DryRun, view: &View<'_>) -> Vec<String> {
    if dry_run.includes_sent {
        let skips = view.key(bulk.scopes(), Action::IncludeSent, " skips them");
        let whom = match dry_run.earlier.forgotten() {
            Some(_) => "all are sent, though the outbox cannot tell who was sent this template before",
            None => "all are sent, once more to those who were sent this template before",
        };
        return vec![format!("{whom} ({skips})")];
    }
    let skipped = format!("skipped ({})", view.key(bulk.scopes(), Action::IncludeSent, " sends to them again"));
    let sentence = |sent: Option<(usize, jiff::Timestamp)>, one: &str, many: &str, what: &str| {
        let (rows, last) = sent?;
        let rows = count(rows as u64, one, many);
        Some(format!("{rows} {what}, the last {}: {skipped}", time(last, view.now, view.zone)))
    };
    let forgotten = dry_run.earlier.forgotten().map(|at| {
        let sends = view.key(bulk.scopes(), Action::IncludeSent, " sends to all");
        let when = time(at, view.now, view.zone);
        format!("the outbox was deleted or replaced, noticed {when}: it cannot tell who was sent this ({sends})")
    });
    let here = sentence(dry_run.earlier.of_this_file(), "row was", "rows were", "sent already");
    let from = "sent this template from another file";
    let elsewhere = sentence(dry_run.sent_from_another_file(), "recipient was", "recipients were", from);
    forgotten.into_iter().chain(here).chain(elsewhere).collect()
}

/// What would be sent, for the dry run and the confirm dialog.
fn facts(bulk: &Bulk, dry_run: &DryRun, mut facts: Details, view: &View<'_>) -> Details {
    let theme = &view.options.theme;
    if dry_run.is_other_text {
        facts = facts.wrapped("text", OTHER_TEXT).styled(theme.warning);
    }
    if let Some(names) = dry_run.mapping.unused_in_words(&dry_run.file.table.header) {
        facts = facts.wrapped("not used", names).styled(theme.warning);
    }
    if let Some(progress) = dry_run.progress() {
        let (messages, left) = (count(progress.left as u64, "message", "messages"), progress.left);
        let (charges, account) = (view.data.charges, view.data.account.value());
        let balance = account.and_then(|account| account.total_balance.known().copied());
        let category = bulk.setup.category.as_ref();
        let each = charges.zip(category).and_then(|(charges, category)| charges.of_category(category));
        let all = each.map(|each| each * f64::from(u32::try_from(left).unwrap_or(u32::MAX)));
        let cost = format!("{messages}: {}", deducted(all, balance, charges.map(|charges| charges.unit)));
        let is_short = all.zip(balance).is_some_and(|(all, balance)| all > balance);
        let cost = if is_short { format!("{cost}, which is not enough for all") } else { cost };
        let takes = format!("about {}", span(progress.eta.unwrap_or_default()));
        facts = facts.wrapped("cost", cost).styled(if is_short { theme.failed } else { Style::new() });
        facts = facts.wrapped("takes", takes);
    }
    let (first, rest) = dry_run.countries.split_at(dry_run.countries.len().min(4));
    let mut countries: Vec<String> = first.iter().map(|(name, rows)| format!("{name} {rows}")).collect();
    let others: usize = rest.iter().map(|(_, rows)| rows).sum();
    countries.extend((others > 0).then(|| format!("others {others}")));
    if countries.is_empty() { facts } else { facts.wrapped("countries", countries.join(", ")) }
}

/// The dialog that asks whether to send.
pub(super) fn confirm(bulk: &Bulk, dry_run: &DryRun, view: &View<'_>) -> Confirm {
    let left = dry_run.progress().map_or(0, |progress| progress.left as u64);
    let setup = Details::new(LABEL).field("from", &bulk.setup.from).field("template", &bulk.setup.sheet.template.name);
    let setup = dry_run.repeats().into_iter().fold(setup, |setup, (sent, unknown)| {
        let kinds = [(sent, "sent before"), (unknown, "of unknown outcome")].into_iter().filter(|(rows, _)| *rows > 0);
        let kinds: Vec<_> = kinds.map(|(rows, what)| format!("{} {what}", count(rows as u64, "row", "rows"))).collect();
        setup.wrapped("repeats", kinds.join(", ")).styled(view.options.theme.warning)
    });
    let first = dry_run.first().map(|row| &row.message);
    let facts = first.into_iter().fold(facts(bulk, dry_run, setup, view), |facts, message| {
        let to = recipient(message.recipient_name.as_deref(), &message.recipient_phone);
        let facts = facts.wrapped("first to", to).styled(view.options.theme.strong);
        facts.wrapped("reads", bulk.setup.message.preview.text_of(&message.variables))
    });
    Confirm::new(format!("Send {}?", count(left, "message", "messages")), facts, "send").charges()
}

fn progress(bulk: &Bulk, running: &RunningBatch, above: Details, columns: u16, view: &View<'_>) -> Details {
    let Options { theme, glyphs, .. } = view.options;
    let (batch, shown) = (&running.batch, running.shown);
    let done = shown.landed();
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
            let eta = shown.eta.map(|eta| format!("about {} left", span(eta))).unwrap_or_default();
            (glyphs.half, format!("sending: {rate}{eta}"), theme.accent)
        }
    };
    let mut above = signed(above.lines(vec![bar]), sign, &text, style);
    if let Some(until) = running.retry_at.filter(|until| *until > view.now.mono) {
        let left = span(until - view.now.mono);
        above = signed(above, glyphs.alert, &format!("not sent yet: the server asks to wait {left}"), theme.warning);
    }
    let Glyphs { full, cross, alert, .. } = glyphs;
    let Progress { accepted, refused, unknown, in_flight, left, .. } = shown;
    let outcomes = format!("{full} {accepted} accepted  {cross} {refused} refused  {alert} {unknown} unknown");
    let style = match (unknown, refused) {
        (0, 0) => theme.good,
        (0, _) => theme.failed,
        _ => theme.warning,
    };
    let rest = format!("{in_flight} in flight  {left} left  {} bad", running.bad.len());
    above = above.text(format!("{outcomes}  {rest}")).styled(style);
    if rows::unknown(&bulk.rows.source) > 0 {
        above = above.text(UNKNOWN).styled(theme.warning);
    }
    match &running.results {
        ResultsFile::NotYet => above,
        ResultsFile::Writing => above.text("Writing the results").styled(theme.dim),
        ResultsFile::Written(path) => above.text(format!("The results are in {}", path.display())).styled(theme.strong),
        ResultsFile::Failed(why) => above.text(format!("The results could not be written: {why}")).styled(theme.failed),
    }
}
