//! The composer on screen: the form, and beside or below it the window and the preview.

use super::form::{MESSAGE, MessageForm, TEMPLATE};
use super::{Composer, LABEL, Snapshot, format};
use crate::messaging::{Preview, PreviewPart};
use crate::ui::compose::Known;
use crate::ui::compose::message::variables;
use crate::ui::panes::messaging::words::{self, why_not_sendable};
use crate::ui::prelude::*;
use crate::ui::widgets::{put_cut, put_lines, put_right};

/// From this width on the preview lies beside the form.
const BESIDE: u16 = 96;
/// Rows that the part below the form keeps.
const BELOW: u16 = 6;
/// The end of a conversation takes one of so many rows below the head.
const HISTORY: u16 = 3;
/// Rows of its form that the text of a freeform message leaves to the rest.
const AROUND: u16 = 4;

/// Where the parts lie.
#[derive(Debug, Clone, Copy)]
struct Areas {
    title: Rect,
    form: Rect,
    /// Window and preview; for a freeform message sender and window, above the form.
    aside: Rect,
    /// The end of the conversation, above a rule; empty where there is none.
    history: Rect,
}

impl Composer {
    fn areas(&self, context: &Snapshot<'_>) -> Areas {
        let body = context.view.body;
        let area = Rect { x: body.x + body.width.min(1), width: body.width.saturating_sub(2), ..body };
        let title = Rect { height: area.height.min(1), ..area };
        let air = u16::from(area.height >= 16);
        let from =
            |top: u16| Rect { y: area.y + top.min(area.height), height: area.height.saturating_sub(top), ..area };
        let below = from(1 + air);
        let none = Rect { height: 0, ..below };
        let rows = |rows: usize| u16::try_from(rows).unwrap_or(u16::MAX);
        if self.message.freeform {
            let head = rows(self.head(context, area.width.into()).len());
            let aside = Rect { height: from(1).height.min(head), ..from(1) };
            let shown = self.history.rows(context, area.width.into(), from(1 + head).height / HISTORY);
            let above = 1 + head + air;
            let history = Rect { height: rows(shown.len()).min(from(above).height), ..from(above) };
            let form = if shown.is_empty() { from(above) } else { from(above + history.height + 1) };
            return Areas { title, form, aside, history };
        }
        if area.width >= BESIDE {
            let left = (area.width * 11 / 20).min(72);
            let aside = Rect { x: below.x + left + 3, width: below.width - left - 3, ..below };
            return Areas { title, form: Rect { width: left, ..below }, aside, history: none };
        }
        let spare = below.height.saturating_sub(BELOW).max(below.height.min(3));
        let form = Rect { height: self.message.form.rows_needed(below.width).min(spare), ..below };
        // The first row below the form is a rule.
        Areas { title, form, aside: from(1 + air + form.height + 1), history: none }
    }

    /// Tells the form how much room there is.
    pub(super) fn fit(&mut self, context: &Snapshot<'_>) {
        let form = self.areas(context).form;
        if self.message.freeform {
            let rows = usize::from(form.height.saturating_sub(AROUND).clamp(3, 30));
            self.message.form.set_rows(MESSAGE, rows..=rows);
        }
        self.message.form.resize(form);
    }

    /// Sender and window, above a freeform message.
    fn head(&self, context: &Snapshot<'_>, columns: usize) -> Vec<Line<'static>> {
        self.details(context).rows(context.view.options, columns)
    }

    /// Draws it and returns where the cursor is.
    pub fn draw(&self, context: &Snapshot<'_>, buffer: &mut Buffer) -> Option<Position> {
        let (theme, glyphs) = (&context.view.options.theme, context.view.options.glyphs);
        let Areas { title, form, aside, history } = self.areas(context);
        self.draw_title(title, context, buffer);
        if self.message.freeform {
            put_lines(buffer, aside, &self.head(context, aside.width.into()), 0);
            if !history.is_empty() {
                put_lines(buffer, history, &self.history.rows(context, history.width.into(), history.height), 0);
                rule(buffer, Rect { y: history.bottom(), height: 1, ..history }, glyphs.horizontal, theme.dim);
            }
        } else {
            let is_beside = aside.x > form.x;
            if is_beside {
                column(buffer, Rect { x: aside.x - 2, width: 1, ..aside }, glyphs.vertical, theme.dim);
            } else if aside.height > 0 {
                rule(buffer, Rect { y: aside.y - 1, height: 1, ..aside }, glyphs.horizontal, theme.dim);
            }
            let columns = usize::from(aside.width).max(1);
            let details = self.preview(self.details(context), columns, is_beside, context);
            let (mut rows, room) = (details.rows(context.view.options, columns), usize::from(aside.height));
            if rows.len() > room && room > 0 {
                rows.truncate(room - 1);
                let more = format!("{} the whole text is shown before it is sent", glyphs.ellipsis);
                rows.push(Line::styled(more, theme.dim));
            }
            put_lines(buffer, aside, &rows, 0);
        }
        self.message.form.draw(&context.view, form, buffer)
    }

    /// What is written, and on the right the result of the last key or where the text comes from.
    fn draw_title(&self, area: Rect, context: &Snapshot<'_>, buffer: &mut Buffer) {
        let (theme, glyphs) = (&context.view.options.theme, context.view.options.glyphs);
        let MessageForm { preset, previous, loaded, .. } = &self.message;
        let title = if self.message.freeform {
            let name = format!("{}  ", clean(preset.name.as_deref().unwrap_or_default()));
            let phone = preset.phone.as_deref().map(format::phone).unwrap_or_default();
            vec![Span::styled("Write to ", theme.accent), Span::styled(name, theme.strong), Span::raw(phone)].into()
        } else {
            Line::styled("Send a template", theme.accent)
        };
        put_cut(buffer, area, &title, glyphs.ellipsis);
        let (said, style) = match (&self.note, previous, loaded) {
            (Some(note), ..) => (format!("{} {}", glyphs.alert, clean(note)), theme.warning),
            (_, Some((_, who)), _) => (format!("what was typed is kept for {}", clean(who)), theme.warning),
            (.., Some((_, Some(saved)))) => (format!("draft from {}", format::time(*saved, context)), theme.dim),
            _ => return,
        };
        let used = u16::try_from(title.width() + 2).unwrap_or(u16::MAX).min(area.width);
        let room = Rect { x: area.x + used, width: area.width - used, ..area };
        put_right(buffer, room, &Line::styled(fit(&said, room.width.into(), glyphs.ellipsis), style));
    }

    /// The state of the window, the number, and why the recipient may have got a message already.
    fn details(&self, context: &Snapshot<'_>) -> Details {
        let (theme, glyphs) = (&context.view.options.theme, context.view.options.glyphs);
        let (pair, is_template) = (self.message.pair(context), !self.message.freeform);
        let (window, style) = match pair {
            Some((sender_id, phone)) => {
                format::window_line(context.window(sender_id, &phone), is_template, &context.facts())
            }
            None => (format!("{} no recipient yet", glyphs.none), theme.dim),
        };
        let sender = self.message.sender_id().and_then(|id| context.known.sender(id)).filter(|_| !is_template);
        let mut details = Details::new(LABEL);
        if let Some(sender) = sender {
            let (sign, state, style) = words::sender_state(sender, context.view.options);
            let name = sender.name.as_ref().map(|name| format!("{name}  ")).unwrap_or_default();
            details = details.spans(vec![
                Span::styled(format!("{:LABEL$}", "From"), theme.dim),
                Span::raw(format!("{name}{}  ", words::sender(sender))),
                Span::styled(format!("{sign} {state}"), style),
            ]);
        }
        details = details.wrapped("Window", window).styled(style);
        if let Some(phone) = self.message.phone(context) {
            let country = phone.country().map(|country| format!(" {} {country}", glyphs.dot)).unwrap_or_default();
            details = details.wrapped("Number", format!("{}{country}", phone.pretty()));
        }
        match self.warning(context) {
            Some(warning) => details.text(format!("{} {warning}", glyphs.alert)).styled(theme.warning),
            None => details,
        }
    }

    /// Adds the text as the recipient will read it, with missing values marked; while templates are chosen, the marked
    /// one.
    fn preview(&self, mut details: Details, columns: usize, titled: bool, context: &Snapshot<'_>) -> Details {
        let (theme, glyphs, message) = (&context.view.options.theme, context.view.options.glyphs, &self.message);
        let marked = message.form.marked(TEMPLATE).filter(|_| message.form.focused() == TEMPLATE);
        let marked = marked.and_then(|item| context.known.template(message.sender_id()?, item.key.parse().ok()?));
        let chosen = message.chosen_template(context);
        let Some(template) = marked.or(chosen) else { return details };
        let values = if chosen == Some(template) { message.values() } else { Vec::new() };
        let names = variables(template);
        let preview = Preview::new(template.body_text.known().map_or("", String::as_str), &names);
        let [open, close] = glyphs.placeholders;
        let piece = |part| match part {
            PreviewPart::Text(text) => (text, Style::new()),
            PreviewPart::Value(value) => (value, theme.strong),
            PreviewPart::Missing(name) => (format!("{open}{name}{close}"), theme.warning),
        };
        let pieces: Vec<(String, Style)> = preview.filled(&values).into_iter().map(piece).collect();
        if titled {
            let about = match names.len() {
                0 => "no variables".to_owned(),
                number => count(number as u64, "variable", "variables"),
            };
            details = details.text("").text(format!("Preview   {about}")).styled(theme.dim);
        }
        let details = details.lines(format::styled(&pieces, columns));
        let problems = preview.mismatches().into_iter().chain(why_not_sendable(template));
        problems
            .fold(details, |details, problem| details.text(format!("{} {problem}", glyphs.alert)).styled(theme.warning))
    }
}
