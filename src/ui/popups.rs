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
use ratatui::layout::{Position, Rect, Size};
use ratatui::text::{Line, Span};

/// Columns of the help and of the list of messages, without their frame.
const COLUMNS: u16 = 64;
/// Commands that the palette shows at once.
pub const SHOWN: u16 = 12;

/// Draws a popup and tells where its cursor is.
pub fn draw(app: &App, popup: &Overlay, buffer: &mut Buffer) -> Option<Position> {
    let screen = screen(app);
    let (theme, glyphs) = (&app.options.theme, app.options.glyphs);
    match popup {
        Overlay::Help(at) | Overlay::Messages(at) => {
            let lines = text(app, popup);
            let title = if matches!(popup, Overlay::Help(_)) { "Keys that work here" } else { "Messages" };
            let area = popup::frame(buffer, screen, box_of(&lines), title, theme, glyphs);
            let hidden = lines.len().saturating_sub(usize::from(area.height));
            put_lines(buffer, area, &lines, (*at).min(hidden));
            if *at < hidden && area.width > 0 {
                let more = format!(" more {} ", glyphs.down);
                let edge = Rect { y: area.bottom(), height: 1, ..area };
                put_right(buffer, edge, &Line::from(Span::styled(more, theme.dim)));
            }
            None
        }
        Overlay::Palette(input, marked) => {
            let area = popup::frame(buffer, screen, (COLUMNS, SHOWN + 2), "Commands", theme, glyphs);
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
                let disabled = app.disabled(binding.action);
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
fn box_of(lines: &[Line<'_>]) -> (u16, u16) {
    (COLUMNS, u16::try_from(lines.len()).unwrap_or(u16::MAX))
}

/// True where this cell belongs to the open text popup.
pub fn text_covers(app: &App, cell: Position) -> bool {
    let lines = app.overlays.top().map(|layer| text(app, &layer.overlay)).unwrap_or_default();
    popup::outer(screen(app), box_of(&lines)).contains(cell)
}

/// What popups may cover: all above the line of notices.
pub fn screen(app: &App) -> Rect {
    Rect::new(0, 0, app.size.width, app.areas().notice.y)
}

/// Lines of the open text popup, and how many of them are in view.
pub fn text_size(app: &App) -> (usize, usize) {
    let length = app.overlays.top().map_or(0, |layer| text(app, &layer.overlay).len());
    let Size { height, .. } = app.size;
    let room = usize::from(height.saturating_sub(4));
    (length, room.min(length))
}

fn text(app: &App, popup: &Overlay) -> Vec<Line<'static>> {
    match popup {
        Overlay::Help(_) => help(app),
        Overlay::Messages(_) => messages(app),
        _ => Vec::new(),
    }
}

/// The keys that hold here, from the keymap, so that it cannot be wrong.
fn help(app: &App) -> Vec<Line<'static>> {
    let theme = &app.options.theme;
    let mut lines = Vec::new();
    let mut scope = None;
    for (binding, keys) in app.options.keymap.listed(app.scopes_below()) {
        if scope != Some(binding.scope) {
            if scope.is_some() {
                lines.push(Line::default());
            }
            scope = Some(binding.scope);
            lines.push(Line::from(Span::styled(binding.scope.title, theme.accent)));
        }
        let keys = keys.iter().map(Key::to_string).collect::<Vec<_>>().join(" ");
        let keys = if keys.is_empty() { "no key".to_owned() } else { keys };
        let pad = " ".repeat(15usize.saturating_sub(width(&keys)).max(1));
        let mut spans = vec![Span::styled(keys, theme.strong), Span::raw(pad), Span::raw(binding.says)];
        if let Some(reason) = app.disabled(binding.action) {
            spans.push(Span::styled(format!("  ({reason})"), theme.dim));
        }
        lines.push(Line::from(spans));
    }
    lines
}

fn messages(app: &App) -> Vec<Line<'static>> {
    let (theme, glyphs) = (&app.options.theme, app.options.glyphs);
    let mut lines = Vec::new();
    for problem in app.notices.problems() {
        let age = Age::between(problem.at.wall, app.now.wall);
        let style = if problem.read { theme.dim } else { theme.failed };
        let said = format!("{} {}", glyphs.cross, clean(&problem.text));
        lines.extend(wrap(&said, usize::from(COLUMNS)).into_iter().map(|line| Line::from(Span::styled(line, style))));
        lines.push(Line::from(Span::styled(format!("  {age}"), theme.dim)));
    }
    if lines.is_empty() {
        lines.push(Line::from(Span::styled("No messages", theme.dim)));
    }
    lines
}

/// The commands that can be given here and match what is typed, the best first.
pub fn commands(app: &App, typed: &str) -> Vec<(&'static Binding, Option<Key>)> {
    let all = app.options.keymap.listed(app.scopes_below());
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
