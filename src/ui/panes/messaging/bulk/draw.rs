//! The view on screen: what is known above, a form or a table of rows, and more below.

use super::problems::{Problems, pretty};
use super::review::Review;
use super::running::{Results, RunningBatch};
use super::{BatchContext, Bulk, Stage, format};
use crate::messaging::Phone;
use crate::records::Unfinished;
use crate::ui::action::Action;
use crate::ui::text::{clean, count, thousands};
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
/// Rows that table or form keep where there is little room.
const MIDDLE_MIN: u16 = 4;

/// What stands above and below the table or the form.
struct Page {
    head: Details,
    foot: Details,
    /// Rows of the table or the form.
    middle: u16,
}

impl Page {
    fn of(bulk: &Bulk, cx: &BatchContext<'_>, columns: u16) -> Self {
        let theme = &cx.view.options.theme;
        let mut head = Details::new(LABEL);
        if let Some(note) = &bulk.note {
            head = head.text(note).styled(theme.warning);
        }
        let table = |problems: &Problems| match problems.len() {
            0 => 0,
            rows => u16::try_from(rows + 1).unwrap_or(u16::MAX),
        };
        match &bulk.stage {
            Stage::File(reads) => {
                let head = file(bulk, *reads, head, cx);
                Self { head, foot: Details::new(LABEL), middle: bulk.path.rows_needed(columns) }
            }
            Stage::Columns(stage) => {
                let head = head.text("Which column of the file holds which value?").styled(theme.dim).lines(blank());
                let foot = Details::new(LABEL).lines(blank()).text("The first row of the file").styled(theme.strong);
                let foot = stage.first_row().fold(foot, |foot, (name, cell)| foot.field(name, cell));
                Self { head, foot, middle: stage.form.rows_needed(columns) }
            }
            Stage::Review(review) => {
                Self { head: checked(review, head, cx), foot: first(bulk, review, cx), middle: table(&review.problems) }
            }
            Stage::Held(review, hold) => {
                let key = cx.view.options.keymap.first_key(bulk.scopes(), Action::CancelBatch);
                let key = key.map(|key| format!(" {} {key} takes it back", cx.view.options.glyphs.dot));
                let (half, seconds) = (cx.view.options.glyphs.half, hold.seconds(cx.view.now.mono));
                let starts = format!("{half} Starts in {seconds} s{}", key.unwrap_or_default());
                let head = checked(review, head.text(starts).styled(theme.warning), cx);
                Self { head, foot: first(bulk, review, cx), middle: table(&review.problems) }
            }
            Stage::Running(running) => Self {
                head: progress(running, head, columns, cx),
                foot: results(running, cx),
                middle: table(&running.problems),
            },
        }
    }

    /// Head, middle and foot within an area.
    fn areas(&self, area: Rect, cx: &BatchContext<'_>) -> [Rect; 3] {
        let lines = |details: &Details| {
            u16::try_from(details.rows(cx.view.options, area.width.into()).len()).unwrap_or(u16::MAX)
        };
        let head = lines(&self.head).min(area.height.saturating_sub(self.middle.min(1)));
        let rest = area.height - head;
        let foot = lines(&self.foot).min(rest - self.middle.min(MIDDLE_MIN).min(rest));
        let middle = self.middle.min(rest - foot);
        let part = |y: u16, height: u16| Rect { y: area.y + y, height, ..area };
        [part(0, head), part(head, middle), part(head + middle, foot)]
    }
}

fn blank() -> Vec<Line<'static>> {
    vec![Line::default()]
}

/// The areas of the title and of the page.
fn inside(body: Rect) -> (Rect, Rect) {
    let area = Rect { x: body.x + body.width.min(1), width: body.width.saturating_sub(2), ..body };
    let title = Rect { height: area.height.min(1), ..area };
    let top = (1 + u16::from(area.height >= 12)).min(area.height);
    (title, Rect { y: area.y + top, height: area.height - top, ..area })
}

/// The area of the table or the form.
pub(super) fn form_area(bulk: &Bulk, cx: &BatchContext<'_>) -> Rect {
    let (_, area) = inside(cx.view.body);
    let [_, middle, _] = Page::of(bulk, cx, area.width).areas(area, cx);
    middle
}

/// The table on screen and its area.
pub(super) fn table<'a>(bulk: &'a mut Bulk, cx: &BatchContext<'_>) -> Option<(&'a mut Problems, Rect)> {
    let area = form_area(bulk, cx);
    match &mut bulk.stage {
        Stage::Review(review) | Stage::Held(review, _) => Some((&mut review.problems, area)),
        Stage::Running(running) => Some((&mut running.problems, area)),
        Stage::File(_) | Stage::Columns(_) => None,
    }
}

/// Draws the view and tells where the cursor is.
pub(super) fn draw(bulk: &Bulk, cx: &BatchContext<'_>, buffer: &mut Buffer) -> Option<Position> {
    let (view, theme) = (&cx.view, &cx.view.options.theme);
    let (title, area) = inside(view.body);
    let left = Line::styled("Many recipients", theme.accent);
    let what = format!("{}  {}", clean(&bulk.setup.sheet.template.name), clean(&bulk.setup.from));
    let right = Line::styled(what, theme.dim);
    if left.width() + right.width() + 2 <= usize::from(title.width) {
        put_right(buffer, title, &right);
    }
    put(buffer, title, &left);
    let page = Page::of(bulk, cx, area.width);
    let [head, middle, foot] = page.areas(area, cx);
    page.head.draw(0, view, head, buffer);
    page.foot.draw(0, view, foot, buffer);
    match &bulk.stage {
        Stage::File(_) => return bulk.path.draw(view, middle, buffer),
        Stage::Columns(columns) => return columns.form.draw(view, middle, buffer),
        Stage::Review(review) | Stage::Held(review, _) => review.problems.draw(view, middle, buffer),
        Stage::Running(running) => running.problems.draw(view, middle, buffer),
    }
    None
}

fn file(bulk: &Bulk, reads: bool, head: Details, cx: &BatchContext<'_>) -> Details {
    let (theme, glyphs) = (&cx.view.options.theme, cx.view.options.glyphs);
    let what = "A file of comma-separated values (CSV). Its first line names the columns: a phone number, a name if there is one, and one for each variable of the template.";
    let mut head = head.text(what).styled(theme.dim);
    let names = bulk.setup.message.preview.variables().join(", ");
    if !names.is_empty() {
        head = head.wrapped("variables", names);
    }
    if let Some(Unfinished { of, left, began }) = bulk.unfinished.as_deref() {
        let (file, rows) = (of.path.display(), count(*left as u64, "row is", "rows are"));
        let began = format::time(*began, &cx.view);
        let key = cx.view.options.keymap.first_key(bulk.scopes(), Action::Resume);
        let resumes = key.map(|key| format!(" {key} resumes it.")).unwrap_or_default();
        let text = format!(
            "{} {file} was interrupted: {rows} left of {} ({}, started {began}).{resumes}",
            glyphs.alert, of.rows, of.template.name
        );
        head = head.lines(blank()).text(text).styled(theme.warning);
    }
    if reads {
        head = head.text("Reading the file").styled(theme.dim);
    }
    head.lines(blank())
}

fn checked(review: &Review, head: Details, cx: &BatchContext<'_>) -> Details {
    let (theme, glyphs) = (&cx.view.options.theme, cx.view.options.glyphs);
    let good = count(review.good.len() as u64, "row is", "rows are");
    let mut head = head.text(format!("{} {good} good", glyphs.full)).styled(theme.good);
    if review.problems.len() > 0 {
        let repeats = match review.duplicates {
            0 => String::new(),
            1 => "; 1 of them repeats the number of an earlier row".to_owned(),
            many => format!("; {} of them repeat the number of an earlier row", thousands(many as u64)),
        };
        let bad = count(review.problems.len() as u64, "row", "rows");
        head = head.text(format!("{} {bad} cannot be sent{repeats}", glyphs.cross)).styled(theme.failed);
    }
    let warnings = review.unused().map(|names| format!("not used by this template: {}", clean(&names)));
    for warning in warnings.into_iter().chain(sent_before(review, cx)) {
        head = head.text(format!("{} {warning}", glyphs.alert)).styled(theme.warning);
    }
    match review.lookup_failure() {
        Some(why) => {
            head.text(format!("{} It is unknown what was sent before: {why}", glyphs.cross)).styled(theme.failed)
        }
        None => head,
    }
}

/// What was sent before and what the batch does about it, a sentence each.
fn sent_before(review: &Review, cx: &BatchContext<'_>) -> Vec<String> {
    let key = cx.view.options.keymap.first_key(&[super::keys::BATCH_REVIEW], Action::IncludeSent);
    let does = |what: &str| key.map(|key| format!(" ({key} {what})")).unwrap_or_default();
    if review.includes_sent {
        let skips = does("skips them");
        return vec![format!("all are sent, once more to those who were sent this template before{skips}")];
    }
    let skipped = format!("skipped{}", does("sends to them again"));
    let here = review.sent_from_this_file().map(|(rows, last)| {
        let rows = count(rows as u64, "row was", "rows were");
        format!("{rows} sent already, the last {}: {skipped}", format::time(last, &cx.view))
    });
    let elsewhere = review.sent_from_another_file().map(|(rows, last)| {
        let rows = count(rows as u64, "recipient was", "recipients were");
        format!("{rows} sent this template from another file, the last {}: {skipped}", format::time(last, &cx.view))
    });
    here.into_iter().chain(elsewhere).collect()
}

fn first(bulk: &Bulk, review: &Review, cx: &BatchContext<'_>) -> Details {
    let (theme, glyphs) = (&cx.view.options.theme, cx.view.options.glyphs);
    let preview = &bulk.setup.message.preview;
    let mut foot = Details::new(LABEL).lines(blank());
    for mismatch in preview.mismatches() {
        foot = foot.text(format!("{} {mismatch}", glyphs.alert)).styled(theme.warning);
    }
    if let Some(first) = review.first() {
        let message = &first.message;
        let name = message.recipient_name.as_ref().map(|name| format!("{name}  ")).unwrap_or_default();
        let country = Phone::read(&message.recipient_phone, None).ok().as_ref().and_then(Phone::country);
        let country = country.map(|country| format!(" ({country})")).unwrap_or_default();
        let to = format!("{name}{}{country}", pretty(&message.recipient_phone));
        foot = foot.wrapped("first to", to).styled(theme.strong).wrapped("reads", preview.text_of(&message.variables));
    }
    if let Some(progress) = review.progress() {
        let takes = format!("about {}", format::span(progress.eta.unwrap_or_default()));
        foot = foot.wrapped("cost", cost(progress.left, cx)).wrapped("takes", takes);
    }
    let mut countries: Vec<String> =
        review.countries.iter().take(4).map(|(name, rows)| format!("{name} {rows}")).collect();
    let others: usize = review.countries.iter().skip(4).map(|(_, rows)| rows).sum();
    countries.extend((others > 0).then(|| format!("others {others}")));
    if countries.is_empty() { foot } else { foot.wrapped("countries", countries.join(", ")) }
}

fn cost(messages: usize, cx: &BatchContext<'_>) -> String {
    let messages = count(messages as u64, "message", "messages");
    let balance = cx.known.balance.map(|balance| format!(" of {balance:.2} credits or minutes")).unwrap_or_default();
    format!("{messages}, deducted from the balance{balance}")
}

/// The dialog that asks whether to send.
pub(super) fn confirm(bulk: &Bulk, review: &Review, cx: &BatchContext<'_>) -> Confirm {
    let left = review.left();
    let mut details = Details::new(LABEL)
        .field("to", count(left as u64, "recipient", "recipients"))
        .styled(cx.view.options.theme.strong)
        .field("from", &bulk.setup.from)
        .field("template", &bulk.setup.sheet.template.name)
        .wrapped("cost", cost(left, cx));
    if let Some(names) = review.unused() {
        details = details.wrapped("not used", names).styled(cx.view.options.theme.warning);
    }
    if let Some(first) = review.first() {
        details = details.wrapped("the first", bulk.setup.message.preview.text_of(&first.message.variables));
    }
    Confirm::new(format!("Send {}?", count(left as u64, "message", "messages")), details, "send")
}

fn progress(running: &RunningBatch, head: Details, columns: u16, cx: &BatchContext<'_>) -> Details {
    let (theme, glyphs) = (&cx.view.options.theme, cx.view.options.glyphs);
    let shown = running.shown();
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
    let (text, style) = match running.trouble() {
        _ if running.is_over() && shown.left > 0 => {
            (format!("{} cancelled: {} not sent", glyphs.cross, shown.left), theme.warning)
        }
        _ if running.is_over() => (format!("{} done", glyphs.full), theme.good),
        _ if running.is_cancelled() => {
            (format!("{} cancelled: {} in flight", glyphs.half, shown.in_flight), theme.warning)
        }
        Some(why) => (format!("{} paused by itself: {why}", glyphs.pause), theme.failed),
        None if running.is_paused() => (format!("{} paused", glyphs.pause), theme.warning),
        None => {
            let rate = shown.rate.map(|rate| format!("{rate:.1} a second, ")).unwrap_or_default();
            let eta = shown.eta.map(|eta| format!("about {} left", format::span(eta))).unwrap_or_default();
            (format!("{} sending: {rate}{eta}", glyphs.half), theme.selected)
        }
    };
    let mut head = head.lines(vec![bar]).text(text).styled(style);
    if let Some(left) = running.retry_in(cx.view.now.mono) {
        let text = format!("{} not sent yet: the server asks to wait {}", glyphs.alert, format::span(left));
        head = head.text(text).styled(theme.warning);
    }
    let bad = if running.bad() > 0 { format!("  {} bad", running.bad()) } else { String::new() };
    let figures = format!(
        "{} {} accepted  {} {} refused  {} {} unknown  {} in flight  {} left{bad}",
        glyphs.full,
        shown.accepted,
        glyphs.cross,
        shown.refused,
        glyphs.alert,
        shown.unknown,
        shown.in_flight,
        shown.left
    );
    let style = match shown {
        _ if shown.unknown > 0 => theme.warning,
        _ if shown.refused > 0 => theme.failed,
        _ => theme.good,
    };
    head.text(figures).styled(style)
}

fn results(running: &RunningBatch, cx: &BatchContext<'_>) -> Details {
    let theme = &cx.view.options.theme;
    let mut foot = Details::new(LABEL);
    if running.problems.unknown() > 0 {
        let unknown = "Unknown rows may have been sent, so they are not sent again. The outbox checks them one by one.";
        foot = foot.text(unknown).styled(theme.warning);
    }
    match &running.results {
        Results::NotYet => foot,
        Results::Writing => foot.text("Writing the results").styled(theme.dim),
        Results::Written(path) => foot.text(format!("The results are in {}", path.display())).styled(theme.strong),
        Results::Failed(why) => foot.text(format!("The results could not be written: {why}")).styled(theme.failed),
    }
}
