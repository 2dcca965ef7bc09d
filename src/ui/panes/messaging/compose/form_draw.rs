//! The form of a template on screen: fields, and beside or below them the window, what can be chosen, and the preview.

use super::choices::Choice;
use super::form::{At, Form, marked};
use super::{Sight, Told, words};
use crate::messaging::{Preview, PreviewPart};
use crate::ui::text::{clean, fit, wrap};
use crate::ui::widgets::{put, put_cut, put_lines, put_right, rule};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// From this width on the preview lies beside the fields.
const BESIDE: u16 = 96;
/// Columns of a field's name, with its mark.
const LABEL: u16 = 17;
/// Rows that the part below the fields keeps.
const BELOW: u16 = 6;
/// Choices shown at once beside the fields.
const CHOICES: usize = 8;

/// A row of fields.
enum Row {
    Field(At),
    Fault(At, String),
}

/// Where the parts lie.
struct Areas {
    title: Rect,
    fields: Rect,
    aside: Rect,
    beside: bool,
}

fn areas(body: Rect, rows: usize) -> Areas {
    let area = Rect { x: body.x + body.width.min(1), width: body.width.saturating_sub(2), ..body };
    let title = Rect { height: area.height.min(1), ..area };
    let air = u16::from(area.height >= 16);
    let top = (1 + air).min(area.height);
    let below = Rect { y: area.y + top, height: area.height - top, ..area };
    if area.width >= BESIDE {
        let left = (area.width * 11 / 20).min(66);
        let fields = Rect { width: left, ..below };
        let aside = Rect { x: below.x + left + 3, width: below.width - left - 3, ..below };
        return Areas { title, fields, aside, beside: true };
    }
    let rows = u16::try_from(rows).unwrap_or(u16::MAX);
    let spare = below.height.saturating_sub(BELOW).max(below.height.min(3));
    let fields = Rect { height: rows.min(spare), ..below };
    // The first row below the fields is a line.
    let from = (fields.bottom() + 1).min(below.bottom());
    let aside = Rect { y: from, height: below.bottom() - from, ..below };
    Areas { title, fields, aside, beside: false }
}

/// Columns of what stands behind the names of the fields.
fn value_columns(body: Rect) -> usize {
    usize::from(areas(body, 0).fields.width.saturating_sub(LABEL))
}

/// Draws the form and tells where its cursor is.
pub(super) fn draw(form: &Form, told: &Told<'_>, sight: &Sight<'_>, buffer: &mut Buffer) -> Option<Position> {
    let (theme, glyphs) = (&sight.options.theme, sight.options.glyphs);
    let values = value_columns(sight.body);
    let faults = |at: At| {
        let fault = form.shown_fault(at, sight).unwrap_or_default();
        let lines = wrap(&clean(&fault), values.saturating_sub(2)).into_iter().enumerate();
        let mark = |line: usize| if line == 0 { glyphs.cross } else { " " };
        let lines = lines.filter(|(_, line)| !line.is_empty()).map(move |(at, line)| format!("{} {line}", mark(at)));
        lines.map(|line| Row::Fault(at, line)).collect::<Vec<_>>()
    };
    let rows: Vec<Row> =
        form.fields(sight).into_iter().flat_map(|at| std::iter::once(Row::Field(at)).chain(faults(at))).collect();
    let areas = areas(sight.body, rows.len());
    put(buffer, areas.title, &Line::from(Span::styled("Send a template", theme.accent)));
    let drafted = form.loaded.as_ref().and_then(|loaded| loaded.saved);
    let said = match (told.note, drafted, &form.parted) {
        (Some(note), ..) => Some((format!("{} {}", glyphs.alert, clean(note)), theme.warning)),
        (None, Some(saved), _) => Some((format!("draft from {}", words::time(saved, sight)), theme.dim)),
        (None, None, Some(parted)) => {
            Some((format!("what was typed is kept for {}", clean(&parted.who)), theme.warning))
        }
        (None, None, None) => None,
    };
    if let Some((said, style)) = said {
        let room = Rect { x: areas.title.x + 17.min(areas.title.width), ..areas.title };
        let room = Rect { width: areas.title.right() - room.x, ..room };
        let said = fit(&said, usize::from(room.width), glyphs.ellipsis).into_owned();
        put_right(buffer, room, &Line::from(Span::styled(said, style)));
    }
    if areas.beside {
        for y in areas.aside.y..areas.aside.bottom() {
            put(
                buffer,
                Rect { x: areas.aside.x - 2, y, width: 1, height: 1 },
                &Line::from(Span::styled(glyphs.vertical, theme.dim)),
            );
        }
    } else if areas.aside.height > 0 {
        rule(buffer, Rect { y: areas.aside.y - 1, height: 1, ..areas.aside }, glyphs.horizontal, theme.dim);
    }
    let here = |row: &Row| matches!(row, Row::Field(at) | Row::Fault(at, _) if *at == form.at);
    let end = rows.iter().rposition(here).map_or(0, |at| at + 1);
    let skipped = end.saturating_sub(usize::from(areas.fields.height));
    let mut caret = None;
    for (y, row) in (areas.fields.y..areas.fields.bottom()).zip(rows.iter().skip(skipped)) {
        let line = Rect { y, height: 1, ..areas.fields };
        let value = Rect { x: line.x + LABEL.min(line.width), width: line.width.saturating_sub(LABEL), ..line };
        match row {
            Row::Field(at) => {
                let focused = *at == form.at;
                let mark = if focused { glyphs.marker } else { " " };
                let style = if focused { theme.accent } else { theme.dim };
                let label = label(form, *at, sight);
                let label = fit(&label, usize::from(LABEL) - 3, glyphs.ellipsis);
                put(
                    buffer,
                    Rect { width: line.width.min(LABEL), ..line },
                    &Line::from(Span::styled(format!("{mark} {label}"), style)),
                );
                let place = field(form, *at, sight, buffer, value);
                caret = caret.or(place.filter(|_| focused));
            }
            Row::Fault(_, fault) => {
                put_cut(buffer, value, &Line::from(Span::styled(fault.as_str(), theme.failed)), glyphs.ellipsis);
            }
        }
    }
    let mut lines = aside(form, told, &areas, sight);
    let room = usize::from(areas.aside.height);
    if lines.len() > room && room > 0 {
        lines.truncate(room - 1);
        let said = format!("{} all of it is shown before it is sent", glyphs.ellipsis);
        lines.push(Line::from(Span::styled(said, theme.dim)));
    }
    put_lines(buffer, areas.aside, &lines, 0);
    caret
}

fn label(form: &Form, at: At, sight: &Sight<'_>) -> String {
    match at {
        At::Sender => "From".to_owned(),
        At::Template => "Template".to_owned(),
        At::Phone => "To (phone)".to_owned(),
        At::Name => "Name".to_owned(),
        At::Variable(place) => {
            let variables = form.variables(sight);
            let name = variables.get(place).map(|variable| Form::variable_name(variable)).unwrap_or_default();
            clean(&name).into_owned()
        }
    }
}

/// Draws what a field holds, or offers.
fn field(form: &Form, at: At, sight: &Sight<'_>, buffer: &mut Buffer, area: Rect) -> Option<Position> {
    let (theme, glyphs) = (&sight.options.theme, sight.options.glyphs);
    let focused = at == form.at;
    let (input, behind) = match at {
        At::Sender | At::Template => {
            let picker = if at == At::Sender { &form.sender } else { &form.template };
            if focused && !picker.typed.value().is_empty() {
                return picker.typed.draw(buffer, area, theme.strong);
            }
            let choices = if at == At::Sender { form.senders(sight) } else { form.templates(sight) };
            let shown = if focused { marked(picker, &choices) } else { None };
            let shown = shown.and_then(|at| choices.get(at));
            let shown = shown.or_else(|| choices.iter().find(|choice| Some(choice.value) == picker.chosen));
            let line = match shown {
                Some(choice) => Line::from(vec![
                    Span::styled(clean(&choice.name).into_owned(), theme.strong),
                    Span::styled(format!("  {}", clean(&choice.about)), theme.dim),
                ]),
                None => Line::from(Span::styled(nothing(form, at, sight), theme.dim)),
            };
            put_cut(buffer, area, &line, glyphs.ellipsis);
            return (!area.is_empty()).then_some(Position { x: area.x, y: area.y });
        }
        At::Phone => (&form.phone, phone_note(form, focused, sight)),
        At::Name => (&form.name, String::new()),
        At::Variable(place) => {
            let variables = form.variables(sight);
            let Some(input) = variables.get(place).and_then(|variable| form.value(variable)) else {
                offer(form, at, sight, buffer, area);
                return (!area.is_empty()).then_some(Position { x: area.x, y: area.y });
            };
            (input, String::new())
        }
    };
    let caret = input.draw(buffer, area, theme.strong);
    if input.value().is_empty() {
        offer(form, at, sight, buffer, area);
    } else {
        let used = u16::try_from(crate::ui::text::width(&clean(input.value())) + 2).unwrap_or(u16::MAX);
        let rest = Rect { x: area.x.saturating_add(used), width: area.width.saturating_sub(used), ..area };
        put_cut(buffer, rest, &Line::from(Span::styled(behind, theme.dim)), glyphs.ellipsis);
    }
    caret
}

/// What stands where nothing is chosen.
fn nothing(form: &Form, at: At, sight: &Sight<'_>) -> &'static str {
    match at {
        At::Sender if sight.known.senders.is_empty() => "no sender is known yet",
        At::Sender => "choose a sender",
        _ if form.sender_id().is_none() => "choose a sender first",
        _ => match form.sender_id().and_then(|id| sight.known.templates.get(&id)) {
            None => "the templates are being asked for",
            Some(templates) if templates.is_empty() => "this sender has no template",
            Some(_) => "choose a template",
        },
    }
}

/// The number as it will be used, its country, and what is odd about it.
fn phone_note(form: &Form, focused: bool, sight: &Sight<'_>) -> String {
    let Some(phone) = form.read_phone(sight) else { return String::new() };
    let pretty = phone.pretty();
    let pretty = (focused && pretty != form.phone.value().trim()).then_some(pretty);
    let parts = [pretty, phone.country().map(str::to_owned), phone.hint()];
    parts
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" · ")
        .replace(" · ", &format!(" {} ", sight.options.glyphs.dot))
}

/// Draws what an empty field offers, dim.
fn offer(form: &Form, at: At, sight: &Sight<'_>, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&sight.options.theme, sight.options.glyphs);
    let focused = at == form.at;
    let takes = if focused { format!("   {} takes it", glyphs.enter) } else { String::new() };
    let said = match at {
        At::Phone => match form.recipients(sight).into_iter().nth(form.recipient.unwrap_or(0)) {
            Some(choice) if focused => format!("{}{takes}", clean(&choice.name)),
            _ => "+49 30 901820, or a name to look for".to_owned(),
        },
        _ => match form.offered(at, sight) {
            Some(offered) => {
                let what = if focused { "" } else { "offered: " };
                format!("{what}{}{takes}", clean(&offered))
            }
            None if focused && !form.offers(at, sight).is_empty() => format!("{} used before", glyphs.down),
            None if at == At::Name => "not needed".to_owned(),
            None => return,
        },
    };
    // The cursor stands before it, as before anything that is yet to be typed.
    let place = Rect { x: area.x + 1.min(area.width), width: area.width.saturating_sub(1), ..area };
    put_cut(buffer, place, &Line::from(Span::styled(said, theme.dim)), glyphs.ellipsis);
}

/// The window, what can be chosen, and the preview.
fn aside(form: &Form, told: &Told<'_>, areas: &Areas, sight: &Sight<'_>) -> Vec<Line<'static>> {
    let theme = &sight.options.theme;
    let (columns, height) = (usize::from(areas.aside.width), usize::from(areas.aside.height));
    let mut lines = Vec::new();
    let (said, style) = match form.pair(sight) {
        Some(_) => words::window_line(told.window, true, sight),
        None => (format!("{} no recipient yet", sight.options.glyphs.none), theme.dim),
    };
    for (at, line) in words::styled(&[(said, style)], columns.saturating_sub(9).max(1)).into_iter().enumerate() {
        let label = if at == 0 { "Window" } else { "" };
        let mut spans = vec![Span::styled(format!("{label:<9}"), theme.dim)];
        spans.extend(line.spans);
        lines.push(Line::from(spans));
    }
    if let Some(caution) = told.caution {
        let said = format!("{} {caution}", sight.options.glyphs.alert);
        lines.extend(words::styled(&[(said, theme.warning)], columns.max(1)));
    }
    let room = if areas.beside { CHOICES } else { (height / 2).max(2) };
    let choices = match form.at {
        At::Sender => listed(&form.senders(sight), marked(&form.sender, &form.senders(sight)), room, columns, sight),
        At::Template => {
            listed(&form.templates(sight), marked(&form.template, &form.templates(sight)), room, columns, sight)
        }
        At::Phone => {
            let recipients = form.recipients(sight);
            let searching = form.phone.value().is_empty() || form.phone.value().chars().any(char::is_alphabetic);
            listed(&recipients, form.recipient.or(searching.then_some(0)), room, columns, sight)
        }
        at @ (At::Name | At::Variable(_)) => {
            // The recipient's own name stands in its field.
            let offers = if form.offers_are_others(at, sight) { form.offers(at, sight) } else { Vec::new() };
            let choice = |offer: String| Choice { value: (), name: offer, about: String::new(), barred: None };
            let choices: Vec<_> = offers.into_iter().map(choice).collect();
            listed(&choices, form.offer, room, columns, sight)
        }
    };
    if areas.beside {
        lines.push(Line::default());
    }
    if !choices.is_empty() {
        lines.extend(choices);
        if areas.beside {
            lines.push(Line::default());
        }
    }
    lines.extend(preview(form, columns, areas.beside, sight));
    lines
}

/// Rows of a list around the marked one.
fn listed<T>(
    choices: &[Choice<T>],
    marked: Option<usize>,
    room: usize,
    columns: usize,
    sight: &Sight<'_>,
) -> Vec<Line<'static>> {
    let (theme, glyphs) = (&sight.options.theme, sight.options.glyphs);
    let first = marked.map_or(0, |at| (at + 1).saturating_sub(room));
    let widest = choices.iter().map(|choice| crate::ui::text::width(&clean(&choice.name))).max().unwrap_or(0);
    let names = widest.min(columns.saturating_sub(16).max(12));
    let row = |(at, choice): (usize, &Choice<T>)| {
        let is_marked = Some(at) == marked;
        let mark = if is_marked { glyphs.marker } else { " " };
        let name = fit(&clean(&choice.name), names, glyphs.ellipsis).into_owned();
        let pad = " ".repeat(names - crate::ui::text::width(&name));
        let style = match (is_marked, &choice.barred) {
            (_, Some(_)) => theme.dim,
            (true, None) => theme.selected,
            (false, None) => Style::new(),
        };
        let about = choice.barred.clone().map(|barred| format!("{} {barred}", glyphs.dot));
        let about = about.unwrap_or_else(|| choice.about.clone());
        let room = columns.saturating_sub(names + 4);
        let about = fit(&clean(&about), room, glyphs.ellipsis).into_owned();
        Line::from(vec![
            Span::styled(format!("{mark} "), theme.accent),
            Span::styled(name, style),
            Span::styled(format!("{pad}  {about}"), theme.dim),
        ])
    };
    choices.iter().enumerate().skip(first).take(room).map(row).collect()
}

/// The text as the customer will read it, with what is missing marked.
fn preview(form: &Form, columns: usize, airy: bool, sight: &Sight<'_>) -> Vec<Line<'static>> {
    let (theme, glyphs) = (&sight.options.theme, sight.options.glyphs);
    let templates = form.templates(sight);
    let shown = (form.at == At::Template).then(|| marked(&form.template, &templates)).flatten();
    let shown = shown.and_then(|at| sight.known.template(form.sender_id()?, templates[at].value));
    let chosen = form.chosen_template(sight);
    let Some(template) = shown.or(chosen) else { return Vec::new() };
    let is_chosen = chosen.is_some_and(|chosen| chosen.id == template.id);
    let body = template.body_text.known().map_or("", String::as_str);
    let names = if is_chosen { form.variables(sight) } else { template.variables.known().cloned().unwrap_or_default() };
    let given: Vec<String> =
        if is_chosen { form.given(sight).into_iter().map(Option::unwrap_or_default).collect() } else { Vec::new() };
    let given: Vec<&str> = given.iter().map(String::as_str).collect();
    let preview = Preview::new(body, &names);
    let (open, close) = if glyphs.horizontal == "-" { ("<", ">") } else { ("⟨", "⟩") };
    let pieces: Vec<(String, Style)> = preview
        .filled(&given)
        .into_iter()
        .map(|part| match part {
            PreviewPart::Text(text) => (text, Style::new()),
            PreviewPart::Value(value) => (value, theme.strong),
            PreviewPart::Missing(name) => (format!("{open}{name}{close}"), theme.warning),
        })
        .collect();
    let mut lines = Vec::new();
    if airy {
        let about = match names.len() {
            0 => "Preview   no variables".to_owned(),
            1 => "Preview   1 variable".to_owned(),
            count => format!("Preview   {count} variables"),
        };
        lines.push(Line::from(Span::styled(about, theme.dim)));
    }
    lines.extend(words::styled(&pieces, columns.max(1)));
    for mismatch in preview.mismatches() {
        let said = format!("{} {}", glyphs.alert, mismatch);
        lines.extend(words::styled(&[(said, theme.warning)], columns.max(1)));
    }
    lines
}
