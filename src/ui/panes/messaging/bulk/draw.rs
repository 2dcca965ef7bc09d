//! The view on screen: what is told above, a list that scrolls, and what is told below it.

use super::super::compose::words::{country, pretty, styled, time};
use super::draw_going::{going, trouble};
use super::{Bulk, Sight, Stage, words};
use crate::records::Unfinished;
use crate::ui::text::{clean, count};
use crate::ui::widgets::{popup, put, put_cut, put_right};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// Columns of the names of things.
const LABEL: usize = 12;
/// Columns of the names of fields.
const FIELD: usize = 20;
/// Columns of the box that asks, without its frame.
const BOX: u16 = 62;
/// Rows of the list that stay where there is little room.
const LIST_MIN: usize = 3;

/// What is told above and below the list, and how long that is.
pub(super) struct Page {
    pub(super) head: Vec<Line<'static>>,
    pub(super) list: usize,
    pub(super) foot: Vec<Line<'static>>,
}

impl Page {
    /// Rows for each of the three.
    fn rooms(&self, height: usize) -> (usize, usize, usize) {
        let head = self.head.len().min(height);
        let rest = height - head;
        let foot = self.foot.len().min(rest - self.list.min(LIST_MIN).min(rest));
        (head, self.list.min(rest - foot), foot)
    }
}

fn inside(body: Rect) -> (Rect, Rect) {
    let area = Rect { x: body.x + body.width.min(1), width: body.width.saturating_sub(2), ..body };
    let title = Rect { height: area.height.min(1), ..area };
    let top = (1 + u16::from(area.height >= 12)).min(area.height);
    (title, Rect { y: area.y + top, height: area.height - top, ..area })
}

/// The length of the list and the rows it has on screen.
pub(super) fn list(bulk: &Bulk, sight: &Sight<'_>) -> (usize, usize) {
    let (_, area) = inside(sight.body);
    let page = page(bulk, sight, usize::from(area.width));
    (page.list, page.rooms(usize::from(area.height)).1)
}

/// Draws the view and tells where its cursor is.
pub(super) fn draw(bulk: &Bulk, sight: &Sight<'_>, buffer: &mut Buffer) -> Option<Position> {
    let (theme, glyphs) = (&sight.options.theme, sight.options.glyphs);
    let (title, area) = inside(sight.body);
    let left = Line::from(Span::styled("Many recipients", theme.accent));
    let what = format!("{}  {}", clean(&bulk.terms.sheet.template.name), clean(&bulk.terms.from));
    let right = Line::from(Span::styled(what, theme.dim));
    if left.width() + right.width() + 2 <= usize::from(title.width) {
        put_right(buffer, title, &right);
    }
    put(buffer, title, &left);
    let page = page(bulk, sight, usize::from(area.width));
    let (head, rows, foot) = page.rooms(usize::from(area.height));
    let scrolled = match &bulk.stage {
        Stage::Review(review) | Stage::Asking(review, _) | Stage::Holding(review, _) => review.scrolled,
        Stage::Going(going) => going.scrolled,
        Stage::Columns(columns) => (columns.at + 1).saturating_sub(rows),
        Stage::File(_) => 0,
    };
    let scrolled = scrolled.min(page.list - rows);
    let list = (scrolled..scrolled + rows).map(|at| row(bulk, at, sight));
    let lines = page.head.iter().take(head).cloned().chain(list).chain(page.foot.iter().take(foot).cloned());
    for (y, line) in (area.y..area.bottom()).zip(lines) {
        put_cut(buffer, Rect { y, height: 1, ..area }, &line, glyphs.ellipsis);
    }
    if rows > 0 && scrolled + rows < page.list {
        let y = area.y + u16::try_from(head + rows - 1).unwrap_or(0);
        let more = Line::from(Span::styled(format!(" more {} ", glyphs.down), theme.dim));
        put_right(buffer, Rect { y, height: 1, ..area }, &more);
    }
    match &bulk.stage {
        Stage::File(_) if !area.is_empty() => {
            let x = u16::try_from(LABEL).unwrap_or(0).min(area.width - 1);
            let field = Rect { x: area.x + x, width: area.width - x, height: 1, ..area };
            return bulk.path.draw(buffer, field, theme.strong);
        }
        Stage::Asking(..) => ask(bulk, None, sight, buffer),
        Stage::Holding(_, holding) => ask(bulk, Some(holding.seconds(sight.now.mono)), sight, buffer),
        _ => {}
    }
    None
}

fn page(bulk: &Bulk, sight: &Sight<'_>, columns: usize) -> Page {
    let theme = &sight.options.theme;
    let mut page = match &bulk.stage {
        Stage::File(reading) => file(bulk, *reading, columns, sight),
        Stage::Columns(columns_step) => {
            let head = styled(
                &[("Which column is for what? Beside it stands what the first row has there.".into(), theme.dim)],
                columns,
            );
            let header: Vec<_> = columns_step.file.table.header.iter().map(|name| clean(name)).collect();
            let mut foot = vec![Line::default()];
            foot.extend(named("the file has", header.join(", "), theme.dim, columns, sight));
            Page { head, list: columns_step.targets().len(), foot }
        }
        Stage::Review(review) | Stage::Asking(review, _) | Stage::Holding(review, _) => {
            self::review(bulk, review, columns, sight)
        }
        Stage::Going(state) => going(state, columns, sight),
    };
    if let Some(note) = &bulk.note {
        let mut told = styled(&[(note.clone(), theme.warning)], columns.max(1));
        told.append(&mut page.head);
        page.head = told;
    }
    page
}

/// A name and what there is to tell of it, in as many lines as that takes.
fn named(label: &str, said: String, style: Style, columns: usize, sight: &Sight<'_>) -> Vec<Line<'static>> {
    let lines = styled(&[(said, style)], columns.saturating_sub(LABEL + 2).max(1));
    let width = LABEL + 2;
    let with_label = |(at, line): (usize, Line<'static>)| {
        let label = if at == 0 { label } else { "" };
        let mut spans = vec![Span::styled(format!("{label:<width$}"), sight.options.theme.dim)];
        spans.extend(line.spans);
        Line::from(spans)
    };
    lines.into_iter().enumerate().map(with_label).collect()
}

fn file(bulk: &Bulk, reading: bool, columns: usize, sight: &Sight<'_>) -> Page {
    let (theme, glyphs) = (&sight.options.theme, sight.options.glyphs);
    // The path itself is drawn over the first line.
    let mut head = vec![Line::from(Span::styled("File", theme.dim))];
    if let Some(fault) = &bulk.fault {
        head.extend(styled(&[(format!("{} {fault}", glyphs.alert), theme.failed)], columns.max(1)));
    }
    if let Some(Unfinished { of, left, began }) = bulk.unfinished.as_deref() {
        let (file, rows) = (of.path.display(), count(*left as u64, "row", "rows"));
        let said = format!("{} {file} is not finished: {rows} of {} are left", glyphs.alert, of.rows);
        let how = format!(" ({}, begun {}). Ctrl-R goes on with it.", of.template.name, time(*began, sight));
        head.push(Line::default());
        head.extend(styled(&[(clean(&(said + &how)).into_owned(), theme.warning)], columns.max(1)));
    }
    if reading {
        head.push(Line::from(Span::styled("It is being read.", theme.dim)));
    }
    let names = bulk.terms.letter.preview.variables().join(", ");
    let said = "A file of comma-separated values (CSV). Its first line names the columns: a phone number, a name if there is one, and one for each variable.";
    let mut foot = vec![Line::default()];
    foot.extend(styled(&[(said.to_owned(), theme.dim)], columns.max(1)));
    if !names.is_empty() {
        foot.extend(named("variables", names, Style::new(), columns, sight));
    }
    Page { head, list: 0, foot }
}

fn review(bulk: &Bulk, review: &super::Review, columns: usize, sight: &Sight<'_>) -> Page {
    let (theme, glyphs) = (&sight.options.theme, sight.options.glyphs);
    let mut said =
        vec![(format!("{} {} good", glyphs.full, count(review.good.len() as u64, "row is", "rows are")), theme.good)];
    if !review.bad.is_empty() {
        let twice =
            if review.duplicates > 0 { format!(", {} of them twice", review.duplicates) } else { String::new() };
        said.push((format!("   {} {} bad{twice}", glyphs.cross, review.bad.len()), theme.failed));
    }
    let mut head = styled(&said, columns.max(1));
    if let Some(names) = review.unused() {
        let said = format!("{} not used by this template: {}", glyphs.alert, clean(&names));
        head.extend(styled(&[(said, theme.warning)], columns.max(1)));
    }
    for said in sent_before(review, sight) {
        head.extend(styled(&[(format!("{} {said}", glyphs.alert), theme.warning)], columns.max(1)));
    }
    if let Some(fault) = review.fault() {
        let said = format!("{} It cannot be told what was sent before: {fault}", glyphs.cross);
        head.extend(styled(&[(said, theme.failed)], columns.max(1)));
    }
    let mut foot = vec![Line::default()];
    for mismatch in bulk.terms.letter.preview.mismatches() {
        foot.extend(styled(&[(format!("{} {mismatch}", glyphs.alert), theme.warning)], columns.max(1)));
    }
    if let Some(first) = review.first() {
        let message = &first.message;
        let name = message.recipient_name.as_ref().map(|name| format!("{name}  ")).unwrap_or_default();
        let to = format!("{name}{} {}", pretty(&message.recipient_phone), country(&message.recipient_phone));
        foot.extend(named("the first", to, theme.strong, columns, sight));
        foot.extend(named(
            "reads",
            bulk.terms.letter.preview.text_of(&message.variables),
            Style::new(),
            columns,
            sight,
        ));
    }
    if let Some(progress) = review.progress() {
        foot.extend(named("cost", cost(progress.left, sight), Style::new(), columns, sight));
        foot.extend(named(
            "takes",
            format!("about {}", words::span(progress.eta.unwrap_or_default())),
            Style::new(),
            columns,
            sight,
        ));
    }
    let shown: Vec<String> = review.countries.iter().take(4).map(|(name, rows)| format!("{name} {rows}")).collect();
    let others: usize = review.countries.iter().skip(4).map(|(_, rows)| rows).sum();
    let others = if others > 0 { format!(", others {others}") } else { String::new() };
    if !shown.is_empty() {
        foot.extend(named("countries", format!("{}{others}", shown.join(", ")), Style::new(), columns, sight));
    }
    Page { head, list: review.bad.len(), foot }
}

/// What was sent before and what becomes of it, a sentence each.
fn sent_before(review: &super::Review, sight: &Sight<'_>) -> Vec<String> {
    if review.again {
        return vec!["all are sent, once more to those who have got it (a skips them)".to_owned()];
    }
    let skipped = "skipped (a sends all again)";
    let here = review.of_this_file().map(|(rows, last)| {
        let rows = count(rows as u64, "row was", "rows were");
        format!("{rows} sent already, the last {}: {skipped}", time(last, sight))
    });
    let elsewhere = review.of_another_file().map(|(rows, last)| {
        let rows = count(rows as u64, "recipient has", "recipients have");
        format!("{rows} got this template out of another file, the last {}: {skipped}", time(last, sight))
    });
    here.into_iter().chain(elsewhere).collect()
}

fn cost(messages: usize, sight: &Sight<'_>) -> String {
    let messages = count(messages as u64, "message", "messages");
    match sight.known.balance {
        Some(balance) => format!("{messages}, deducted from the balance ({balance:.2})"),
        None => format!("{messages}, deducted from the balance"),
    }
}

/// A row of the list.
fn row(bulk: &Bulk, at: usize, sight: &Sight<'_>) -> Line<'static> {
    let (theme, glyphs) = (&sight.options.theme, sight.options.glyphs);
    match &bulk.stage {
        Stage::Review(review) | Stage::Asking(review, _) | Stage::Holding(review, _) => {
            let Some(row) = review.bad.get(at) else { return Line::default() };
            trouble(row.line, &row.phone, &row.why(), theme.failed, sight)
        }
        Stage::Going(going) => {
            let unknown = going.unknown.get(at);
            let row = unknown.or_else(|| going.refused.get(at.checked_sub(going.unknown.len())?));
            let style = if unknown.is_some() { theme.warning } else { theme.failed };
            row.map_or_else(Line::default, |row| {
                let word = if unknown.is_some() { "unknown" } else { "refused" };
                trouble(row.line, &row.phone, &format!("{word} {} {}", glyphs.dot, row.why), style, sight)
            })
        }
        Stage::Columns(columns) => {
            let Some(target) = columns.targets().get(at).copied() else { return Line::default() };
            let marked = at == columns.at;
            let missing = columns.mapping.missing().contains(&target);
            let (said, style) = match columns.called(target) {
                Some(name) => (clean(name).into_owned(), if marked { theme.selected } else { Style::new() }),
                None if missing && columns.tried => (format!("{} needs a column", glyphs.alert), theme.failed),
                None if missing => ("which column?".to_owned(), theme.warning),
                None => (format!("{} no column", glyphs.none), theme.dim),
            };
            let said = if marked { format!("< {said} >") } else { said };
            Line::from(vec![
                Span::styled(if marked { format!("{} ", glyphs.marker) } else { "  ".to_owned() }, theme.accent),
                Span::raw(format!("{:<FIELD$}", clean(&columns.mapping.human(target)))),
                Span::styled(format!("{said:<24}"), style),
                Span::styled(clean(columns.sample(target)).into_owned(), theme.dim),
            ])
        }
        Stage::File(_) => Line::default(),
    }
}

/// The box that asks, or counts the seconds of a hold.
fn ask(bulk: &Bulk, holding: Option<u64>, sight: &Sight<'_>, buffer: &mut Buffer) {
    let (theme, glyphs) = (&sight.options.theme, sight.options.glyphs);
    let (Stage::Asking(review, _) | Stage::Holding(review, _)) = &bulk.stage else { return };
    let left = review.progress().map_or(0, |progress| progress.left);
    let columns = usize::from(BOX.min(sight.body.width.saturating_sub(4)));
    let recipients = count(left as u64, "recipient", "recipients");
    let mut lines = named("to", recipients, theme.strong, columns, sight);
    lines.extend(named("from", bulk.terms.from.clone(), Style::new(), columns, sight));
    lines.extend(named("template", bulk.terms.sheet.template.name.clone(), Style::new(), columns, sight));
    lines.extend(named("cost", cost(left, sight), Style::new(), columns, sight));
    if let Some(names) = review.unused() {
        lines.extend(named("not used", clean(&names).into_owned(), theme.warning, columns, sight));
    }
    if let Some(first) = review.first() {
        let text = bulk.terms.letter.preview.text_of(&first.message.variables);
        let mut text = named("the first", text, Style::new(), columns, sight);
        // All of it stands in the dry run behind the box.
        let room = usize::from(sight.body.height).saturating_sub(lines.len() + 4).max(1);
        if text.len() > room {
            text.truncate(room);
            if let Some(last) = text.last_mut() {
                last.push_span(Span::raw(format!(" {}", glyphs.ellipsis)));
            }
        }
        lines.append(&mut text);
    }
    lines.push(Line::default());
    let (title, last, right) = match holding {
        Some(seconds) => {
            ("Not sent yet".to_owned(), format!("{} Sending in {seconds} s", glyphs.half), "Esc or u takes it back")
        }
        None => {
            (format!("Send {}?", count(left as u64, "message", "messages")), "Esc back (default)".to_owned(), "y send")
        }
    };
    let height = u16::try_from(lines.len() + 1).unwrap_or(u16::MAX);
    let area = popup::frame(buffer, sight.body, (BOX, height), &title, theme, glyphs);
    let keys = Rect { y: area.bottom().saturating_sub(1), height: area.height.min(1), ..area };
    for (y, line) in (area.y..keys.y).zip(&lines) {
        put_cut(buffer, Rect { y, height: 1, ..area }, line, glyphs.ellipsis);
    }
    let left = Line::from(Span::styled(last, theme.strong));
    put(buffer, keys, &left);
    let right = Line::from(Span::styled(right, theme.dim));
    if left.width() + right.width() + 2 <= usize::from(keys.width) {
        put_right(buffer, keys, &right);
    }
}
