//! The overlays of the app itself: help, messages and the command palette.

use super::action::{Action, Binding, Scope};
use super::ages::Age;
use super::app::App;
use super::input::Key;
use super::overlay::Overlay;
use super::text::{clean, fit, width, wrap};
use super::widgets::{popup, put, put_lines, put_right};
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// Columns of the help and of the list of messages, without their frame: those of the palette, and at most.
const COLUMNS: std::ops::Range<u16> = 64..96;
/// Commands that the palette shows at once.
pub const SHOWN: u16 = 12;

/// Draws a popup and tells where its cursor is.
pub fn draw(app: &App, popup: &Overlay, buffer: &mut Buffer) -> Option<Position> {
    let screen = screen(app);
    let (theme, glyphs, keymap) = (&app.cx.options.theme, app.cx.options.glyphs, &app.cx.options.keymap);
    match popup {
        Overlay::Help(selected) => {
            let lines = help(app, columns(screen));
            let area = popup::frame(buffer, screen, box_of(&lines), "Keys that work here", theme, glyphs);
            let is_selected = |line: &(usize, Line<'_>)| line.0 == *selected + 1;
            let (height, middle) = (usize::from(area.height), lines.iter().position(is_selected).unwrap_or(0));
            let offset = middle.saturating_sub(height / 2).min(lines.len().saturating_sub(height));
            for (y, line) in (area.y..area.bottom()).zip(lines.iter().skip(offset)) {
                buffer.set_line(area.x, y, &line.1, area.width);
                if is_selected(line) {
                    buffer.set_stringn(area.x, y, glyphs.marker, 1, theme.accent);
                }
            }
            let edge = Rect { y: area.bottom(), height: 1, ..area };
            if let Some((binding, _)) = keymap.listed(app.scopes_below()).nth(*selected) {
                let name = format!(" {} in [keys] ", binding.name);
                put(buffer, edge, &Line::from(Span::styled(name, theme.dim)));
            }
            if offset + height < lines.len() {
                put_right(buffer, edge, &Line::from(Span::styled(format!(" more {} ", glyphs.down), theme.dim)));
            }
            None
        }
        Overlay::Messages(at) => {
            let lines = messages(app, columns(screen));
            let area = popup::frame(buffer, screen, box_of(&lines), "Messages", theme, glyphs);
            let hidden = lines.len().saturating_sub(usize::from(area.height));
            put_lines(buffer, area, &lines, (*at).min(hidden));
            if *at < hidden {
                let edge = Rect { y: area.bottom(), height: 1, ..area };
                put_right(buffer, edge, &Line::from(Span::styled(format!(" more {} ", glyphs.down), theme.dim)));
            }
            None
        }
        Overlay::Form(dialog) => dialog.draw(&app.view(), screen, buffer),
        Overlay::Confirm(confirm) => confirm.draw(&app.view(), screen, buffer),
        Overlay::Palette(input, marked) => {
            let area = popup::frame(buffer, screen, (COLUMNS.start, SHOWN + 2), "Commands", theme, glyphs);
            let row = |y: u16| Rect { y: area.y + y, height: u16::from(y < area.height), ..area };
            let caret = input.draw(
                buffer,
                Rect { x: area.x + 2.min(area.width), width: area.width.saturating_sub(2), ..row(0) },
                theme.strong,
            );
            put(buffer, row(0), &Line::from(Span::styled(":", theme.accent)));
            let found = commands(app, input.value());
            if found.is_empty() {
                put(buffer, row(2), &Line::from(Span::styled("No matching command", theme.dim)));
            }
            let first = marked.saturating_sub(usize::from(SHOWN) - 1);
            for (at, (binding, key)) in found.iter().enumerate().skip(first).take(usize::from(SHOWN)) {
                let place = row(2 + u16::try_from(at - first).unwrap_or(SHOWN));
                let (mark, style) = if at == *marked { (glyphs.marker, theme.selected) } else { (" ", theme.strong) };
                let disabled = app.disabled_below(binding.action);
                let style = if disabled.is_some() { theme.dim } else { style };
                let says = match disabled {
                    Some(reason) => format!("{mark} {} ({reason})", binding.says),
                    None => format!("{mark} {}", binding.says),
                };
                let says = fit(&says, usize::from(place.width.saturating_sub(10)), glyphs.ellipsis).into_owned();
                put(buffer, place, &Line::from(Span::styled(says, style)));
                let key = key.map(|key| key.to_string()).unwrap_or_default();
                put_right(buffer, place, &Line::from(Span::styled(key, theme.dim)));
            }
            caret.filter(|_| area.height > 0)
        }
    }
}

/// Columns and rows that these lines would like to have.
fn box_of<T>(lines: &[T]) -> (u16, u16) {
    (COLUMNS.end, u16::try_from(lines.len()).unwrap_or(u16::MAX))
}

/// Columns of a text in front of a screen of this size: all there is, up to what reads well.
fn columns(screen: Rect) -> usize {
    usize::from(screen.width.saturating_sub(4).min(COLUMNS.end))
}

/// True where this cell belongs to the help or the messages.
pub fn text_covers(app: &App, cell: Position) -> bool {
    let length = text_size(app).0;
    popup::outer(screen(app), (COLUMNS.end, u16::try_from(length).unwrap_or(u16::MAX))).contains(cell)
}

/// What popups may cover: all above the line of notices.
pub fn screen(app: &App) -> Rect {
    Rect::new(0, 0, app.size.width, app.areas().notice.y)
}

/// Lines of the topmost help or messages, and how many of them are in view.
pub fn text_size(app: &App) -> (usize, usize) {
    let (screen, room) = (screen(app), usize::from(app.size.height.saturating_sub(4)));
    let length = match app.cx.overlays.top().map(|layer| &layer.overlay) {
        Some(Overlay::Help(_)) => help(app, columns(screen)).len(),
        Some(Overlay::Messages(_)) => messages(app, columns(screen)).len(),
        _ => 0,
    };
    (length, room.min(length))
}

/// How many rows of the help can be selected.
pub fn help_rows(app: &App) -> usize {
    app.cx.options.keymap.listed(app.scopes_below()).count()
}

/// The keys that work below the help, from the keymap, so that it cannot be wrong: each line with the number of its
/// row, from 1, where it begins one.
fn help(app: &App, columns: usize) -> Vec<(usize, Line<'static>)> {
    let theme = &app.cx.options.theme;
    let keys_of = |keys: &[Key]| match keys {
        [] => "no key".to_owned(),
        keys => keys.iter().map(Key::to_string).collect::<Vec<_>>().join(" "),
    };
    let rows: Vec<_> = app.cx.options.keymap.listed(app.scopes_below()).collect();
    let widest = rows.iter().map(|(_, keys)| width(&keys_of(keys))).max().unwrap_or(0).min(columns / 3);
    let mut lines: Vec<(usize, Line<'static>)> = Vec::new();
    let mut scope = None;
    for (at, (binding, keys)) in rows.iter().enumerate() {
        if scope.replace(binding.scope) != Some(binding.scope) {
            if at > 0 {
                lines.push((0, Line::default()));
            }
            lines.push((0, Line::from(Span::styled(binding.scope.title, theme.accent))));
        }
        let reason = app.disabled_below(binding.action).map(|reason| format!("  ({reason})")).unwrap_or_default();
        let says = wrap(&format!("{}{reason}", binding.says), columns.saturating_sub(widest + 4).max(8));
        let keys = wrap(&keys_of(keys), widest.max(1));
        for row in 0..keys.len().max(says.len()) {
            let part = |lines: &[String]| lines.get(row).cloned().unwrap_or_default();
            let style = if reason.is_empty() { Style::new() } else { theme.dim };
            let pad = " ".repeat((widest + 2).saturating_sub(width(&part(&keys))));
            let spans = [
                Span::styled(format!("  {}", part(&keys)), theme.strong),
                Span::raw(pad),
                Span::styled(part(&says), style),
            ];
            lines.push((if row == 0 { at + 1 } else { 0 }, Line::from_iter(spans)));
        }
    }
    lines
}

fn messages(app: &App, columns: usize) -> Vec<Line<'static>> {
    let (theme, glyphs) = (&app.cx.options.theme, app.cx.options.glyphs);
    let mut lines = Vec::new();
    for problem in app.cx.notices.problems() {
        let age = Age::between(problem.at.wall, app.cx.now.wall);
        let style = if problem.read { theme.dim } else { theme.failed };
        let text = format!("{} {}", glyphs.cross, clean(&problem.text));
        lines.extend(wrap(&text, columns).into_iter().map(|line| Line::from(Span::styled(line, style))));
        lines.push(Line::from(Span::styled(format!("  {age}"), theme.dim)));
    }
    if lines.is_empty() {
        lines.push(Line::from(Span::styled("No messages", theme.dim)));
    }
    lines
}

/// The commands that can be given here and match what is typed, the best first.
pub fn commands(app: &App, typed: &str) -> Vec<(&'static Binding, Option<Key>)> {
    let all = app.cx.options.keymap.listed(app.scopes_below());
    let all = all
        .filter(|(binding, _)| binding.scope != Scope::MOVING && binding.action != Action::Palette)
        .map(|(binding, keys)| (binding, keys.first().copied()));
    if typed.trim().is_empty() {
        return all.collect();
    }
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = Pattern::parse(typed, CaseMatching::Ignore, Normalization::Smart);
    let mut buffer = Vec::new();
    let mut found: Vec<_> = all
        .filter_map(|(binding, key)| {
            let haystack = format!("{} {}", binding.says, binding.name);
            let score = pattern.score(Utf32Str::new(&haystack, &mut buffer), &mut matcher)?;
            Some((score, (binding, key)))
        })
        .collect();
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    found.into_iter().map(|(_, command)| command).collect()
}
