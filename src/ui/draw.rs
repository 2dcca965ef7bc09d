//! The whole screen, from the state alone.

use super::action::{Action, PaneId, Scope};
use super::ages::time_of_day;
use super::app::{App, Connection};
use super::health;
use super::input::{Key, KeyCode};
use super::layout::{self, Frame};
use super::options::Place;
use super::pane::View;
use super::popups;
use super::registry::{PANES, Registration};
use super::text::{clean, fit, width};
use super::widgets::{put, put_cut, put_right, rule};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
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
    for (y, line) in (area.y..area.bottom()).zip(super::text::wrap(said, usize::from(area.width))) {
        buffer.set_stringn(area.x, y, line, usize::from(area.width), Style::new());
    }
}

fn title(app: &App, view: &View<'_>, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&app.cx.options.theme, app.cx.options.glyphs);
    let mut left = vec![Span::styled(" switchboard  ", theme.strong)];
    let [open, close] = glyphs.badge;
    let mut badge = |text: &str| {
        left.push(Span::raw(open));
        left.push(Span::styled(format!(" {text} "), theme.badge));
        left.push(Span::raw(close));
        left.push(Span::raw(" "));
    };
    match &app.cx.options.place {
        Place::Sandbox => badge("SANDBOX"),
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
    let clock = app.zone_known.then(|| format!(" {} {}", glyphs.dot, time_of_day(app.cx.now.wall, &app.cx.zone)));
    let line = Line::from(vec![
        Span::raw("  "),
        Span::styled(words, style),
        Span::styled(clock.unwrap_or_default(), theme.dim),
        Span::raw(" "),
    ]);
    let room = area.width.saturating_sub(u16::try_from(line.width()).unwrap_or(u16::MAX));
    put_cut(buffer, Rect { width: room, ..area }, &Line::from(left), glyphs.ellipsis);
    put_right(buffer, area, &line);
}

fn tab_title(pane: &Registration) -> String {
    format!("{} {}", pane.digit, pane.title)
}

fn tabs(app: &App, buffer: &mut Buffer, area: Rect) {
    let theme = &app.cx.options.theme;
    if let Some(progress) = app.panes().find_map(super::pane::Pane::progress).filter(|_| area.width >= 72) {
        let line = Line::from(Span::styled(format!("{} {progress} ", app.cx.options.glyphs.half), theme.strong));
        put_right(buffer, area, &line);
    }
    for (at, x, wide) in layout::tabs(PANES.iter().map(|pane| width(&tab_title(pane)))) {
        let style = if PANES[at].id == app.registration().id { theme.accent } else { theme.dim };
        let place = Rect { x, width: wide, ..area }.intersection(area);
        put(buffer, place, &Line::from(Span::styled(tab_title(&PANES[at]), style)));
    }
}

/// The pane whose tab lies at this column.
pub(super) fn tab_at(x: u16) -> Option<PaneId> {
    let titles = PANES.iter().map(|pane| width(&tab_title(pane)));
    layout::tabs(titles).find(|(_, start, wide)| (*start..start + wide).contains(&x)).map(|(at, ..)| PANES[at].id)
}

/// The line above the keys: a rule, with a problem until it is read or a toast while it lasts.
fn notice(app: &App, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&app.cx.options.theme, app.cx.options.glyphs);
    rule(buffer, area, glyphs.horizontal, theme.dim);
    let mut inner = Rect { x: area.x + 1.min(area.width), width: area.width.saturating_sub(2), ..area };
    if let Some(words) = app.cx.held.words(app.cx.now.mono) {
        let all = app.cx.options.keymap.bindings().find(|(binding, _)| binding.action == Action::TakeBack);
        let key = all.and_then(|(_, keys)| keys.iter().find(|key| !app.is_typing() || key.typed().is_none()));
        let tail = key.map_or_else(String::new, |key| format!(" {} {key} takes it back", glyphs.dot));
        let room = usize::from(inner.width).saturating_sub(width(&tail) + 2);
        let said = format!(" {}{tail} ", fit(&clean(&words), room, glyphs.ellipsis));
        put_right(buffer, inner, &Line::styled(said.as_str(), theme.warning));
        inner.width = inner.width.saturating_sub(u16::try_from(width(&said) + 1).unwrap_or(u16::MAX));
    }
    // A toast answers the key that was just pressed; the problem is still there when it has gone.
    if let Some(toast) = app.cx.notices.current_toast() {
        let text = clean(toast);
        let said = format!(" {} ", fit(&text, usize::from(inner.width).saturating_sub(2), glyphs.ellipsis));
        put(buffer, inner, &Line::from(Span::styled(said, theme.strong)));
    } else if let Some((problem, count)) = app.cx.notices.unread() {
        let more = if count > 1 { format!("  1 of {count}") } else { String::new() };
        let key = |action, says: &str| {
            let key = keys(app, action).next();
            key.map(|key| format!("  {key} {says}")).unwrap_or_default()
        };
        let tail = format!("{more}{}{} ", key(Action::Messages, "read"), key(Action::Back, "dismiss"));
        let room = usize::from(inner.width).saturating_sub(width(&tail) + 3);
        let text = clean(&problem.text);
        let said = format!(" {} {}", glyphs.cross, fit(&text, room, glyphs.ellipsis));
        put(buffer, inner, &Line::from(vec![Span::styled(said, theme.failed), Span::styled(tail, theme.dim)]));
    }
}

/// The keys that do this here; where letters are text, a key that types one does not.
fn keys(app: &App, action: Action) -> impl Iterator<Item = Key> {
    let typing = app.is_typing();
    let found = app.cx.options.keymap.listed(app.scopes()).filter(move |(binding, _)| binding.action == action);
    found.flat_map(|(_, keys)| keys).filter(move |key| !typing || key.typed().is_none())
}

/// The keys that matter here, as many as fit, the most useful first; help, commands and quit always, where they work.
fn bottom(app: &App, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&app.cx.options.theme, app.cx.options.glyphs);
    let hint = |key: Key, says: &str| {
        let key = if key.code == KeyCode::Enter { glyphs.enter.to_owned() } else { key.to_string() };
        [Span::styled(key, theme.strong), Span::raw(format!(" {says}"))]
    };
    let mut right = Vec::new();
    for (action, says) in [(Action::Help, "help"), (Action::Palette, "commands"), (Action::Quit, "quit")] {
        if let Some(key) = keys(app, action).next() {
            right.extend(hint(key, says));
            right.push(Span::raw("  "));
        }
    }
    right.pop();
    let right = Line::from(right);
    let right_width = u16::try_from(right.width()).unwrap_or(u16::MAX).saturating_add(1);
    if right_width < area.width {
        put_right(buffer, Rect { width: area.width - 1, ..area }, &right);
    }
    let room = area.width.saturating_sub(right_width.saturating_add(2));
    let (mut x, typing) = (1_u16, app.is_typing());
    let wide = [Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
    for (binding, keys) in app.cx.options.keymap.listed(app.scopes()) {
        let Some(key) = keys.into_iter().find(|key| !typing || key.typed().is_none()) else { continue };
        let (says, disabled) = match app.cx.overlays.top() {
            Some(overlay) => (overlay.hint(binding.action), None),
            None => (app.pane().hint(binding.action), app.disabled(binding.action)),
        };
        let says = says.unwrap_or(binding.hint);
        let idle = says.is_empty() || wide.contains(&binding.scope);
        if idle || disabled.is_some() {
            continue;
        }
        let line = Line::from_iter(hint(key, says));
        let wide = u16::try_from(line.width()).unwrap_or(u16::MAX);
        if x.saturating_add(wide) > room {
            break;
        }
        put(buffer, Rect { x: area.x + x, width: wide, ..area }, &line);
        x += wide + 2;
    }
}
