//! Drawing of the overlays; help, messages and the command palette are the app's own.

use super::action::{Action, Binding, Scope};
use super::ages::Age;
use super::app::App;
use super::fuzzy;
use super::input::Key;
use super::overlay::Overlay;
use super::pane::Sign;
use super::text::{clean, fit, width, wrap};
use super::widgets::input::TextInput;
use super::widgets::{popup, put, put_lines, put_right};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// Columns inside the frame of the help and of the messages, at most.
const READER_COLUMNS: u16 = 96;
/// Columns inside the frame of the palette.
const PALETTE_COLUMNS: u16 = 64;
/// Commands that the palette shows at once.
const SHOWN: u16 = 12;

/// Draws an overlay and returns where its cursor is.
pub fn draw(app: &App, overlay: &Overlay, buffer: &mut Buffer) -> Option<Position> {
    match overlay {
        Overlay::Help(selected) => {
            let (lines, at) = help(app, selected.at);
            let edge = reader(app, "Keys that work here", &lines, at.saturating_sub(room(app) / 2), buffer);
            if let Some((binding, _)) = listed(app).nth(selected.at) {
                let name = format!(" {} in [keys] ", binding.name);
                put(buffer, edge, &Line::styled(name, app.cx.options.theme.dim));
            }
            None
        }
        Overlay::Messages(offset) => {
            reader(app, "Messages", &messages(app), *offset, buffer);
            None
        }
        Overlay::Form(dialog) => dialog.draw(&app.view(), screen(app), buffer),
        Overlay::Confirm(confirm) => confirm.draw(&app.view(), screen(app), buffer),
        Overlay::Palette(typed, marked) => palette(app, typed, marked.at, buffer),
    }
}

/// The area that overlays may cover: all above the line of notices.
pub fn screen(app: &App) -> Rect {
    Rect::new(0, 0, app.size.width, app.areas().notice.y)
}

/// How far the topmost overlay of the app can be moved through: its rows or lines, and how many are in view.
pub fn extent(app: &App) -> (usize, usize) {
    match app.cx.overlays.top() {
        Some(Overlay::Help(_)) => (listed(app).count(), SHOWN.into()),
        Some(Overlay::Palette(typed, _)) => (commands(app, typed.value()).len(), SHOWN.into()),
        Some(Overlay::Messages(_)) => (messages(app).len(), room(app)),
        _ => (0, 0),
    }
}

/// True where this cell is part of the help or the messages on top.
pub fn reader_covers(app: &App, cell: Position) -> bool {
    let lines = match app.cx.overlays.top() {
        Some(Overlay::Help(_)) => help(app, 0).0,
        _ => messages(app),
    };
    popup::outer(screen(app), reader_size(&lines)).contains(cell)
}

/// Lines that fit into a frame.
fn room(app: &App) -> usize {
    app.size.height.saturating_sub(4).into()
}

/// Columns of help and messages.
fn columns(app: &App) -> usize {
    app.size.width.saturating_sub(4).min(READER_COLUMNS).into()
}

fn reader_size(lines: &[Line<'_>]) -> (u16, u16) {
    (READER_COLUMNS, u16::try_from(lines.len()).unwrap_or(u16::MAX))
}

/// Draws lines in a frame, from `offset` on as far as there are more than fit; returns its lower edge.
fn reader(app: &App, title: &str, lines: &[Line<'_>], offset: usize, buffer: &mut Buffer) -> Rect {
    let (theme, glyphs) = (&app.cx.options.theme, app.cx.options.glyphs);
    let area = popup::frame(buffer, screen(app), reader_size(lines), title, theme, glyphs);
    let hidden = lines.len().saturating_sub(area.height.into());
    put_lines(buffer, area, lines, offset.min(hidden));
    let edge = Rect { y: area.bottom(), height: 1, ..area };
    if offset < hidden {
        put_right(buffer, edge, &Line::styled(format!(" more {} ", glyphs.down), theme.dim));
    }
    edge
}

fn palette(app: &App, typed: &TextInput, marked: usize, buffer: &mut Buffer) -> Option<Position> {
    let (theme, glyphs) = (&app.cx.options.theme, app.cx.options.glyphs);
    let area = popup::frame(buffer, screen(app), (PALETTE_COLUMNS, SHOWN + 2), "Commands", theme, glyphs);
    let row = |y: u16| Rect { y: area.y + y, height: u16::from(y < area.height), ..area };
    let input = Rect { x: area.x + 2.min(area.width), width: area.width.saturating_sub(2), ..row(0) };
    let caret = typed.draw(buffer, input, theme.strong);
    put(buffer, row(0), &Line::styled(":", theme.accent));
    let found = commands(app, typed.value());
    if found.is_empty() {
        put(buffer, row(2), &Line::styled("No matching command", theme.dim));
    }
    let first = marked.saturating_sub(usize::from(SHOWN) - 1);
    for (y, (at, (binding, key))) in (2..SHOWN + 2).zip(found.iter().enumerate().skip(first)) {
        let (mark, style) = if at == marked { (glyphs.marker, theme.accent) } else { (" ", theme.strong) };
        let (says, style) = match app.disabled_below(binding.action) {
            Some(reason) => (format!("{mark} {} ({reason})", binding.says), theme.dim),
            None => (format!("{mark} {}", binding.says), style),
        };
        let says = fit(&says, area.width.saturating_sub(10).into(), glyphs.ellipsis);
        put(buffer, row(y), &Line::styled(says, style));
        let key = key.map(|key| key.to_string()).unwrap_or_default();
        put_right(buffer, row(y), &Line::styled(key, theme.dim));
    }
    caret.filter(|_| area.height > 0)
}

/// The bindings below the topmost overlay, with their keys.
fn listed(app: &App) -> impl Iterator<Item = (&'static Binding, Vec<Key>)> {
    app.cx.options.keymap.listed(app.scopes_below()).map(|(binding, keys)| (binding, keys.collect()))
}

/// The keys that work below the help, from the keymap, so that it cannot be wrong; and the line of the selected row.
fn help(app: &App, selected: usize) -> (Vec<Line<'static>>, usize) {
    let (theme, columns) = (&app.cx.options.theme, columns(app));
    let keys_of = |keys: &[Key]| match keys {
        [] => "no key".to_owned(),
        keys => keys.iter().map(Key::to_string).collect::<Vec<_>>().join(" "),
    };
    let rows: Vec<_> = listed(app).map(|(binding, keys)| (binding, keys_of(&keys))).collect();
    let widest = rows.iter().map(|(_, keys)| width(keys)).max().unwrap_or(0).min(columns / 3);
    let (mut lines, mut line, mut scope) = (Vec::new(), 0, None);
    let mut signs = signs(app, columns, widest);
    for (at, (binding, keys)) in rows.iter().enumerate() {
        if scope.replace(binding.scope) != Some(binding.scope) {
            // Those of the pane stand behind its own keys.
            lines.extend((at > 0).then(|| std::mem::take(&mut signs)).into_iter().flatten());
            lines.extend((at > 0).then(Line::default));
            lines.push(Line::styled(binding.scope.title, theme.accent));
        }
        let reason = app.disabled_below(binding.action).map(|reason| format!("  ({reason})")).unwrap_or_default();
        let style = if reason.is_empty() { Style::new() } else { theme.dim };
        let says = wrap(&format!("{}{reason}", binding.says), columns.saturating_sub(widest + 4).max(8));
        let keys = wrap(keys, widest.max(1));
        if at == selected {
            line = lines.len();
        }
        for row in 0..keys.len().max(says.len()) {
            let part = |lines: &[String]| lines.get(row).cloned().unwrap_or_default();
            let marker = if at == selected && row == 0 { app.cx.options.glyphs.marker } else { " " };
            let pad = " ".repeat((widest + 2).saturating_sub(width(&part(&keys))));
            lines.push(Line::from_iter([
                Span::styled(marker, theme.strong.patch(theme.accent)),
                Span::styled(format!(" {}", part(&keys)), theme.strong),
                Span::raw(pad),
                Span::styled(part(&says), style),
            ]));
        }
    }
    (lines, line)
}

/// What the signs of the pane mean, where nothing else stands in front of it.
fn signs(app: &App, columns: usize, widest: usize) -> Vec<Line<'static>> {
    let theme = &app.cx.options.theme;
    let signs = if app.below().is_empty() { app.pane().signs(&app.cx.options) } else { Vec::new() };
    let heads = (!signs.is_empty()).then(|| [Line::default(), Line::styled("Signs", theme.accent)]);
    let lines = signs.into_iter().flat_map(|Sign { glyph, style, says }| {
        let pad = " ".repeat((widest + 2).saturating_sub(width(glyph)));
        let says = wrap(says, columns.saturating_sub(widest + 4).max(8)).into_iter();
        says.enumerate().map(move |(at, says)| {
            let glyph = if at == 0 { glyph } else { "" };
            let pad = if at == 0 { pad.clone() } else { " ".repeat(widest + 2) };
            Line::from_iter([Span::raw("  "), Span::styled(glyph, style), Span::raw(pad), Span::raw(says)])
        })
    });
    heads.into_iter().flatten().chain(lines).collect()
}

fn messages(app: &App) -> Vec<Line<'static>> {
    let (theme, glyphs) = (&app.cx.options.theme, app.cx.options.glyphs);
    let mut lines = Vec::new();
    for problem in app.cx.notices.problems() {
        let age = Age::between(problem.at.wall, app.cx.now.wall);
        let style = if problem.read { theme.dim } else { theme.failed };
        let text = wrap(&format!("{} {}", glyphs.cross, clean(&problem.text)), columns(app));
        lines.extend(text.into_iter().map(|line| Line::styled(line, style)));
        lines.push(Line::styled(format!("  {age}"), theme.dim));
    }
    if lines.is_empty() {
        lines.push(Line::styled("No messages", theme.dim));
    }
    lines
}

/// The commands that can be given here and match what is typed, best match first.
pub fn commands(app: &App, typed: &str) -> Vec<(&'static Binding, Option<Key>)> {
    let here = listed(app).filter(|(row, _)| row.scope != Scope::MOVING && row.action != Action::Palette);
    let found = fuzzy::rank(typed, here, |(row, _)| vec![format!("{} {}", row.says, row.name).into()]);
    found.into_iter().map(|((row, keys), _)| (row, keys.first().copied())).collect()
}
