//! The composer on screen: the form, and beside or below it the window and the preview.

use super::template::{TEMPLATE, TemplateForm};
use super::{Composer, Page, Snapshot, format, message};
use crate::messaging::{Preview, PreviewPart};
use crate::ui::pane::View;
use crate::ui::panes::messaging::words::why_not_sendable;
use crate::ui::text::{clean, count, fit};
use crate::ui::widgets::{put, put_cut, put_lines, put_right, rule};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// From this width on the preview lies beside the form.
const BESIDE: u16 = 96;
/// Rows that the part below the form keeps.
const BELOW: u16 = 6;
/// Cells for the labels beside or below the form.
const LABEL: usize = 9;

/// Where the parts lie.
struct Areas {
    title: Rect,
    form: Rect,
    /// The window and the preview; for a freeform message, the line of the window.
    aside: Rect,
    beside: bool,
}

fn areas(page: &Page, body: Rect) -> Areas {
    let area = Rect { x: body.x + body.width.min(1), width: body.width.saturating_sub(2), ..body };
    let title = Rect { height: area.height.min(1), ..area };
    let air = u16::from(area.height >= 16);
    let below = |top: u16| Rect { y: area.y + top.min(area.height), height: area.height.saturating_sub(top), ..area };
    match page {
        Page::Freeform(_) => {
            let aside = Rect { height: below(1).height.min(1), ..below(1) };
            Areas { title, form: below(2 + air), aside, beside: false }
        }
        Page::Template(_) if area.width >= BESIDE => {
            let (below, left) = (below(1 + air), (area.width * 11 / 20).min(72));
            let aside = Rect { x: below.x + left + 3, width: below.width - left - 3, ..below };
            Areas { title, form: Rect { width: left, ..below }, aside, beside: true }
        }
        Page::Template(page) => {
            let below = below(1 + air);
            let spare = below.height.saturating_sub(BELOW).max(below.height.min(3));
            let form = Rect { height: page.form.rows_needed(below.width).min(spare), ..below };
            // The first row below the form is a rule.
            let from = (form.bottom() + 1).min(below.bottom());
            Areas { title, form, aside: Rect { y: from, height: below.bottom() - from, ..below }, beside: false }
        }
    }
}

/// Where the form lies.
pub(super) fn form_area(page: &Page, body: Rect) -> Rect {
    areas(page, body).form
}

impl Composer {
    /// Draws it and returns where the cursor is.
    pub fn draw(&self, context: &Snapshot<'_>, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        let (theme, glyphs) = (&context.options.theme, context.options.glyphs);
        let areas = areas(&self.page, context.body);
        let (title, drafted, parted) = match &self.page {
            Page::Template(page) => {
                let title = Line::styled("Send a template", theme.accent);
                (title, page.drafted(), page.parted.as_ref().map(|(_, who)| who))
            }
            Page::Freeform(page) => {
                let name = clean(page.preset.name.as_deref().unwrap_or_default()).into_owned();
                let phone = page.preset.phone.as_deref().map(format::pretty).unwrap_or_default();
                let name = Span::styled(format!("{name}  "), theme.strong);
                (Line::from(vec![Span::styled("Write to ", theme.accent), name, Span::raw(phone)]), page.drafted, None)
            }
        };
        put_cut(buffer, areas.title, &title, glyphs.ellipsis);
        let said = match (&self.note, drafted, parted) {
            (Some(note), ..) => Some((format!("{} {}", glyphs.alert, clean(note)), theme.warning)),
            (None, _, Some(who)) => Some((format!("what was typed is kept for {}", clean(who)), theme.warning)),
            (None, Some(saved), None) => Some((format!("draft from {}", format::time(saved, context)), theme.dim)),
            (None, None, None) => None,
        };
        if let Some((said, style)) = said {
            let used = u16::try_from(title.width() + 2).unwrap_or(u16::MAX).min(areas.title.width);
            let room = Rect { x: areas.title.x + used, width: areas.title.width - used, ..areas.title };
            let said = fit(&said, usize::from(room.width), glyphs.ellipsis);
            put_right(buffer, room, &Line::styled(said, style));
        }
        let lines = match &self.page {
            Page::Template(page) => {
                separate(&areas, context, buffer);
                let mut lines = self.window(areas.aside.width, context);
                if areas.beside {
                    lines.push(Line::default());
                }
                lines.extend(preview(page, usize::from(areas.aside.width), areas.beside, context));
                lines
            }
            Page::Freeform(_) => {
                let mut lines = self.window(u16::MAX, context).into_iter();
                let mut line = lines.next().unwrap_or_default();
                lines.for_each(|more| line.spans.extend(std::iter::once(Span::raw("   ")).chain(more.spans)));
                put_cut(buffer, areas.aside, &line, glyphs.ellipsis);
                Vec::new()
            }
        };
        let room = usize::from(areas.aside.height);
        let mut lines = lines;
        if lines.len() > room && room > 0 {
            lines.truncate(room - 1);
            let said = format!("{} the whole text is shown before it is sent", glyphs.ellipsis);
            lines.push(Line::styled(said, theme.dim));
        }
        put_lines(buffer, areas.aside, &lines, 0);
        self.page.form().draw(view, areas.form, buffer)
    }

    /// The state of the window, and why the recipient may have got a message already.
    fn window(&self, columns: u16, context: &Snapshot<'_>) -> Vec<Line<'static>> {
        let theme = &context.options.theme;
        let columns = usize::from(columns);
        let (said, style) = match self.page.pair(context) {
            Some((sender_id, phone)) => {
                let window = context.known.window(sender_id, &phone).map(|window| window.at(context.server_now));
                format::window_line(window, matches!(self.page, Page::Template(_)), context)
            }
            None => (format!("{} no recipient yet", context.options.glyphs.none), theme.dim),
        };
        let mut lines = labelled("Window", &[(said, style)], columns, context);
        if let Page::Template(page) = &self.page
            && let Some(phone) = page.phone(context)
        {
            let country = phone.country().map(|country| format!(" {} {country}", context.options.glyphs.dot));
            let number = format!("{}{}", phone.pretty(), country.unwrap_or_default());
            lines.extend(labelled("Number", &[(number, Style::new())], columns, context));
        }
        if let Some(caution) = self.caution(context) {
            let said = format!("{} {caution}", context.options.glyphs.alert);
            lines.extend(format::styled(&[(said, theme.warning)], columns.max(1)));
        }
        lines
    }
}

/// Text behind a label, in whole.
fn labelled(label: &str, text: &[(String, Style)], columns: usize, context: &Snapshot<'_>) -> Vec<Line<'static>> {
    let lines = format::styled(text, columns.saturating_sub(LABEL).max(1)).into_iter().enumerate();
    let label = |at: usize| format!("{:<LABEL$}", if at == 0 { label } else { "" });
    let dim = context.options.theme.dim;
    lines.map(|(at, line)| std::iter::once(Span::styled(label(at), dim)).chain(line.spans).collect()).collect()
}

/// The rule between the form and what lies beside or below it.
fn separate(areas: &Areas, context: &Snapshot<'_>, buffer: &mut Buffer) {
    let (dim, glyphs, aside) = (context.options.theme.dim, context.options.glyphs, areas.aside);
    if areas.beside {
        for y in aside.y..aside.bottom() {
            put(buffer, Rect { x: aside.x - 2, y, width: 1, height: 1 }, &Line::styled(glyphs.vertical, dim));
        }
    } else if aside.height > 0 {
        rule(buffer, Rect { y: aside.y - 1, height: 1, ..aside }, glyphs.horizontal, dim);
    }
}

/// The text as the recipient will read it, with missing values marked; while templates are chosen, the marked one.
fn preview(page: &TemplateForm, columns: usize, titled: bool, context: &Snapshot<'_>) -> Vec<Line<'static>> {
    let (theme, glyphs) = (&context.options.theme, context.options.glyphs);
    let chosen = page.template(context);
    let marked = page.form.marked(TEMPLATE).filter(|_| page.form.focused() == TEMPLATE);
    let marked = marked.and_then(|item| context.known.template(page.sender_id()?, item.key.parse().ok()?));
    let Some(template) = marked.or(chosen) else { return Vec::new() };
    let is_chosen = chosen.is_some_and(|chosen| chosen.id == template.id);
    let names = if is_chosen { page.variables().to_vec() } else { message::variables(template) };
    let values = if is_chosen { page.values() } else { Vec::new() };
    let preview = Preview::new(template.body_text.known().map_or("", String::as_str), &names);
    let (open, close) = if glyphs.horizontal == "-" { ("<", ">") } else { ("⟨", "⟩") };
    let piece = |part| match part {
        PreviewPart::Text(text) => (text, Style::new()),
        PreviewPart::Value(value) => (value, theme.strong),
        PreviewPart::Missing(name) => (format!("{open}{name}{close}"), theme.warning),
    };
    let pieces: Vec<(String, Style)> = preview.filled(&values).into_iter().map(piece).collect();
    let mut lines = Vec::new();
    if titled {
        let about = match names.len() {
            0 => "no variables".to_owned(),
            number => count(number as u64, "variable", "variables"),
        };
        lines.push(Line::styled(format!("Preview   {about}"), theme.dim));
    }
    lines.extend(format::styled(&pieces, columns.max(1)));
    for problem in preview.mismatches().into_iter().chain(why_not_sendable(template)) {
        let said = format!("{} {problem}", glyphs.alert);
        lines.extend(format::styled(&[(said, theme.warning)], columns.max(1)));
    }
    lines
}
