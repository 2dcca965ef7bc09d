//! The whole screen, from the state alone.

use super::action::{Action, PaneId, Scope};
use super::ages::time_of_day;
use super::app::{App, Connection};
use super::health;
use super::held;
use super::input::{Key, KeyCode};
use super::layout::Frame;
use super::options::Place;
use super::pane::{Pane, View};
use super::popups;
use super::registry::PANES;
use super::text::{clean, fit, width, wrap};
use super::widgets::{put, put_cut, put_lines, put_right, rule};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

/// Draws the app into an empty buffer of its size and tells where the cursor shows, if anywhere.
pub fn draw(app: &App, buffer: &mut Buffer) -> Option<Position> {
    let areas = app.areas();
    if areas.frame == Frame::TooSmall {
        too_small(buffer, areas.body);
        return None;
    }
    let view = app.view();
    if areas.frame == Frame::Full {
        title(app, &view, buffer, areas.title);
        tabs(app, buffer, areas.tabs);
        rule(buffer, areas.rule, app.cx.options.glyphs.horizontal, app.cx.options.theme.dim);
    }
    let caret = app.pane().draw(&view, buffer);
    notice(app, buffer, areas.notice);
    bottom(app, buffer, areas.bottom);
    let above = app.cx.overlays.layers.iter().map(|layer| popups::draw(app, &layer.overlay, buffer));
    above.last().unwrap_or(caret)
}

fn too_small(buffer: &mut Buffer, area: Rect) {
    let said = "Make the window larger: Switchboard needs 24 columns and 5 rows.";
    let lines: Vec<_> = wrap(said, area.width.into()).into_iter().map(Line::from).collect();
    put_lines(buffer, area, &lines, 0);
}

fn title(app: &App, view: &View<'_>, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&app.cx.options.theme, app.cx.options.glyphs);
    let mut left = vec![Span::styled(" switchboard  ", theme.strong)];
    let [open, close] = glyphs.badge;
    match &app.cx.options.place {
        Place::Sandbox => {
            left.extend([Span::raw(open), Span::styled(" SANDBOX ", theme.badge), Span::raw(close), Span::raw(" ")]);
        }
        Place::Profile(name) => left.push(Span::raw(format!("{} ", clean(name)))),
    }
    if app.cx.options.read_only {
        left.push(Span::styled(format!("{open}READ-ONLY{close} "), theme.warning));
    }
    if let Connection::Up { account: Some(account) } = &app.cx.connection {
        left.push(Span::raw(clean(account).into_owned()));
    }
    let (words, style) = match &app.cx.connection {
        Connection::Starting => {
            let word = if app.cx.options.place == Place::Sandbox { "starting the sandbox" } else { "connecting" };
            (format!("{} {word}", glyphs.half), theme.dim)
        }
        Connection::Down(_) => (format!("{} no server", glyphs.cross), theme.failed),
        Connection::Up { .. } => health::words(&app.health, app.pane().freshness(), view),
    };
    let clock = app.cx.zone.as_ref().map(|zone| format!(" {} {}", glyphs.dot, time_of_day(app.cx.now.wall, zone)));
    let clock = Span::styled(clock.unwrap_or_default(), theme.dim);
    let line = Line::from_iter([Span::raw("  "), Span::styled(words, style), clock, Span::raw(" ")]);
    let room = area.width.saturating_sub(u16::try_from(line.width()).unwrap_or(u16::MAX));
    put_cut(buffer, Rect { width: room, ..area }, &Line::from(left), glyphs.ellipsis);
    put_right(buffer, area, &line);
}

/// The tabs with their titles and areas, from the left. Where not all titles fit beside `used` cells, the last ones go and
/// leave their keys; the pane on screen keeps its own.
fn tab_areas(app: &App, line: Rect, used: usize) -> impl Iterator<Item = (PaneId, String, Rect)> {
    let mut titles: Vec<_> = PANES.iter().map(|pane| format!("{} {}", pane.digit, pane.title)).collect();
    for (at, pane) in PANES.iter().enumerate().rev() {
        let needed: usize = titles.iter().map(|title| width(title) + 2).sum();
        // One cell before the first, none behind the last.
        if needed <= usize::from(line.width).saturating_sub(used) + 1 {
            break;
        }
        if pane.id != app.current() {
            titles[at] = pane.digit.to_string();
        }
    }
    let mut x = line.x.saturating_add(1);
    PANES.iter().zip(titles).map(move |(pane, title)| {
        let area = Rect { x, width: u16::try_from(width(&title)).unwrap_or(u16::MAX), ..line };
        x = area.right().saturating_add(2);
        (pane.id, title, area.intersection(line))
    })
}

/// What goes on in a pane, for the right end of the tab line.
fn progress(app: &App, line: Rect) -> String {
    // A batch that is being sent matters more than a receiver that waits.
    let progress = app.panes().filter_map(Pane::progress).last().filter(|_| line.width >= 72);
    progress.map(|progress| format!("{} {progress} ", app.cx.options.glyphs.half)).unwrap_or_default()
}

fn tabs(app: &App, buffer: &mut Buffer, area: Rect) {
    let (theme, progress) = (&app.cx.options.theme, progress(app, area));
    put_right(buffer, area, &Line::styled(progress.as_str(), theme.strong));
    for (pane, title, area) in tab_areas(app, area, width(&progress)) {
        let style = if pane == app.current() { theme.accent } else { theme.dim };
        put(buffer, area, &Line::styled(title, style));
    }
}

/// The pane whose tab is at this cell of the tab line.
pub(super) fn tab_at(app: &App, line: Rect, cell: Position) -> Option<PaneId> {
    let used = width(&progress(app, line));
    tab_areas(app, line, used).find(|(.., area)| area.contains(cell)).map(|(pane, ..)| pane)
}

/// The line above the keys: a rule, with a problem until it is read or a toast while it lasts.
fn notice(app: &App, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&app.cx.options.theme, app.cx.options.glyphs);
    rule(buffer, area, glyphs.horizontal, theme.dim);
    let mut inner = Rect { x: area.x + 1.min(area.width), width: area.width.saturating_sub(2), ..area };
    let cut = |text: &str, room: u16, beside: &str| {
        fit(&clean(text), usize::from(room).saturating_sub(width(beside) + 2), glyphs.ellipsis).into_owned()
    };
    if let Some((words, takes)) = held::words(&app.cx.held, &app.cx.tasks.sends, app.cx.now.mono) {
        let all = app.cx.options.keymap.bindings().find(|(binding, _)| binding.action == Action::TakeBack);
        let key = all.and_then(|(_, keys)| keys.iter().find(|key| app.is_key(**key)));
        let takes = if app.selected_hold().is_some() { "takes back the selected one" } else { takes };
        let tail = key.map_or_else(String::new, |key| format!(" {} {key} {takes}", glyphs.dot));
        let said = format!(" {}{tail} ", cut(&words, inner.width, &tail));
        put_right(buffer, inner, &Line::styled(said.as_str(), theme.warning));
        inner.width = inner.width.saturating_sub(u16::try_from(width(&said) + 1).unwrap_or(u16::MAX));
    }
    // A toast answers the key that was just pressed; the problem is still there when it has gone.
    if let Some(toast) = app.cx.notices.current_toast() {
        put(buffer, inner, &Line::styled(format!(" {} ", cut(toast, inner.width, "")), theme.strong));
    } else if let Some((problem, count)) = app.cx.notices.unread() {
        let more = if count > 1 { format!("  1 of {count}") } else { String::new() };
        let hint = |action, says| key(app, action).map(|key| format!("  {key} {says}")).unwrap_or_default();
        let tail = format!("{more}{}{} ", hint(Action::Messages, "read"), hint(Action::Back, "dismiss"));
        let said = format!(" {} {}", glyphs.cross, cut(&problem.text, inner.width.saturating_sub(1), &tail));
        put(buffer, inner, &Line::from_iter([Span::styled(said, theme.failed), Span::styled(tail, theme.dim)]));
    }
}

/// The first key that does this here.
fn key(app: &App, action: Action) -> Option<Key> {
    let found = app.cx.options.keymap.listed(app.scopes()).filter(|(binding, _)| binding.action == action);
    found.flat_map(|(_, keys)| keys).find(|key| app.is_key(*key))
}

/// The keys that matter here, as many as fit, the most useful first; help, commands and quit always, where they work.
fn bottom(app: &App, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&app.cx.options.theme, app.cx.options.glyphs);
    let hint = |key: Key, says: &str| {
        let key = if key.code == KeyCode::Enter { glyphs.enter.to_owned() } else { key.to_string() };
        [Span::styled(key, theme.strong), Span::raw(format!(" {says}"))]
    };
    let always = [(Action::Help, "help"), (Action::Palette, "commands"), (Action::Quit, "quit")];
    let always = always.map(|(action, says)| key(app, action).map(|key| hint(key, says)));
    let right: Vec<_> = always.into_iter().flatten().collect();
    let right = Line::from(right.join(&Span::raw("  ")));
    let right_width = u16::try_from(right.width()).unwrap_or(u16::MAX).saturating_add(1);
    if right_width < area.width {
        put_right(buffer, Rect { width: area.width - 1, ..area }, &right);
    }
    let room = area.width.saturating_sub(right_width.saturating_add(2));
    let mut x = 1_u16;
    let wide = [Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
    for (binding, keys) in app.cx.options.keymap.listed(app.scopes()) {
        let front = app.cx.overlays.top();
        let says = front.map_or_else(|| app.pane().hint(binding.action), |overlay| overlay.hint(binding.action));
        let says = says.unwrap_or(binding.hint);
        let idle = says.is_empty() || wide.contains(&binding.scope);
        if idle || (front.is_none() && app.disabled(binding.action).is_some()) {
            continue;
        }
        let Some(key) = keys.into_iter().find(|key| app.is_key(*key)) else { continue };
        let line = Line::from_iter(hint(key, says));
        let wide = u16::try_from(line.width()).unwrap_or(u16::MAX);
        if x.saturating_add(wide) > room {
            break;
        }
        put(buffer, Rect { x: area.x + x, width: wide, ..area }, &line);
        x += wide + 2;
    }
}
