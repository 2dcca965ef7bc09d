//! The whole screen, from the state alone.

use super::action::{Action, Binding, PaneId};
use super::ages::time_of_day;
use super::app::{App, Connection, Popup};
use super::layout::{self, Frame};
use super::options::Place;
use super::panes::{activity, conversations, messaging};
use super::popups;
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
    let zone = app.zone().clone();
    let view = conversations::View {
        options: &app.options,
        now: app.now,
        zone: &zone,
        unconnected: app.unconnected(),
        titled: areas.frame == Frame::Full,
    };
    if areas.frame == Frame::Full {
        title(app, &view, buffer, areas.title);
        tabs(app, buffer, areas.tabs);
        rule(buffer, areas.rule, app.options.glyphs.horizontal, app.options.theme.dim);
    }
    let caret = match app.pane {
        PaneId::Conversations => conversations::draw(&app.conversations, &view, buffer, areas.body),
        PaneId::Messaging => {
            let unconnected = app.unconnected();
            let view = messaging::View { options: &app.options, now: app.now, zone: &zone, unconnected };
            messaging::draw(&app.messaging, &view, buffer)
        }
        PaneId::Activity => {
            activity::draw(&app.activity, &app.options, app.now, &zone, buffer, areas.body);
            None
        }
    };
    notice(app, buffer, areas.notice);
    bottom(app, buffer, areas.bottom);
    match &app.popup {
        Some(popup) => popups::draw(app, popup, buffer, popups::screen(app)),
        None => caret,
    }
}

fn too_small(buffer: &mut Buffer, area: Rect) {
    let said = "Make the window larger: Switchboard needs 24 columns and 5 rows.";
    for (y, line) in (area.y..area.bottom()).zip(super::text::wrap(said, usize::from(area.width))) {
        buffer.set_stringn(area.x, y, line, usize::from(area.width), Style::new());
    }
}

fn title(app: &App, view: &conversations::View<'_>, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&app.options.theme, app.options.glyphs);
    let mut left = vec![Span::styled(" switchboard  ", theme.strong)];
    let [open, close] = glyphs.badge;
    let mut badge = |text: &str| {
        left.push(Span::raw(open));
        left.push(Span::styled(format!(" {text} "), theme.badge));
        left.push(Span::raw(close));
        left.push(Span::raw(" "));
    };
    match &app.options.place {
        Place::Sandbox => badge("SANDBOX"),
        Place::Profile(name) => left.push(Span::raw(format!("{} ", clean(name)))),
    }
    if app.options.read_only {
        left.push(Span::styled(format!("{open}READ-ONLY{close} "), theme.warning));
    }
    if let Connection::Up { account: Some(account) } = &app.connection {
        left.push(Span::raw(clean(account).into_owned()));
    }
    let (words, style) = match &app.connection {
        Connection::Starting => {
            let word = if app.options.place == Place::Sandbox { "starting the sandbox" } else { "connecting" };
            (format!("{} {word}", glyphs.half), theme.dim)
        }
        Connection::Down(_) => (format!("{} no server", glyphs.cross), theme.failed),
        Connection::Up { .. } => conversations::health(&app.conversations, view),
    };
    let clock = app.zone.as_ref().map(|zone| format!(" {} {}", glyphs.dot, time_of_day(app.now.wall, zone)));
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

fn tab_title(pane: PaneId) -> String {
    format!("{} {}", pane.digit(), pane.title())
}

fn tabs(app: &App, buffer: &mut Buffer, area: Rect) {
    let theme = &app.options.theme;
    if let Some(said) = app.messaging.batch_line().filter(|_| area.width >= 72) {
        put_right(
            buffer,
            area,
            &Line::from(Span::styled(format!("{} {said} ", app.options.glyphs.half), theme.strong)),
        );
    }
    for (at, x, wide) in layout::tabs(PaneId::ALL.iter().map(|pane| width(&tab_title(*pane)))) {
        let pane = PaneId::ALL[at];
        let style = if pane == app.pane { theme.accent } else { theme.dim };
        let place = Rect { x, width: wide, ..area }.intersection(area);
        put(buffer, place, &Line::from(Span::styled(tab_title(pane), style)));
    }
}

/// The pane whose tab lies at this column.
pub(super) fn tab_at(x: u16) -> Option<PaneId> {
    let titles = PaneId::ALL.iter().map(|pane| width(&tab_title(*pane)));
    layout::tabs(titles).find(|(_, start, wide)| (*start..start + wide).contains(&x)).map(|(at, ..)| PaneId::ALL[at])
}

/// The line above the keys: a rule, with a problem until it is read or a toast while it lasts.
fn notice(app: &App, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&app.options.theme, app.options.glyphs);
    rule(buffer, area, glyphs.horizontal, theme.dim);
    let inner = Rect { x: area.x + 1.min(area.width), width: area.width.saturating_sub(2), ..area };
    // A toast answers the key that was just pressed; the problem is still there when it has gone.
    if let Some(toast) = app.notices.current_toast() {
        let text = clean(toast);
        let said = format!(" {} ", fit(&text, usize::from(inner.width).saturating_sub(2), glyphs.ellipsis));
        put(buffer, inner, &Line::from(Span::styled(said, theme.strong)));
    } else if let Some((problem, count)) = app.notices.unread() {
        let more = if count > 1 { format!("  1 of {count}") } else { String::new() };
        let key = |action, says: &str| {
            let key = app.options.keymap.first_key(app.scopes(), action).filter(|_| app.reaches(action));
            key.map(|key| format!("  {key} {says}")).unwrap_or_default()
        };
        let tail = format!("{more}{}{} ", key(Action::Messages, "read"), key(Action::Back, "dismiss"));
        let room = usize::from(inner.width).saturating_sub(width(&tail) + 3);
        let text = clean(&problem.text);
        let said = format!(" {} {}", glyphs.cross, fit(&text, room, glyphs.ellipsis));
        put(buffer, inner, &Line::from(vec![Span::styled(said, theme.failed), Span::styled(tail, theme.dim)]));
    }
}

/// The keys that matter here, as many as fit, the most useful first.
fn bottom(app: &App, buffer: &mut Buffer, area: Rect) {
    let theme = &app.options.theme;
    let keymap = &app.options.keymap;
    let hint = |key: &str, says: &str| vec![Span::styled(key.to_owned(), theme.strong), Span::raw(format!(" {says}"))];
    let captured = match &app.popup {
        Some(Popup::Filter(_)) => Some("Enter lists them   Tab next field   Esc leaves   letters are text".into()),
        Some(Popup::Add(_)) => Some("Enter adds it   Esc leaves   letters are text".into()),
        Some(Popup::Jump(..)) => Some("Enter goes there   Esc leaves".into()),
        Some(Popup::Palette(..)) => Some("Enter does it   up and down choose   Esc leaves   letters are text".into()),
        Some(Popup::Help(_) | Popup::Messages(_)) => Some("j k scroll   Esc closes".into()),
        None if app.pane == PaneId::Messaging => app.messaging.hints(app.now, &app.options, app.zone()),
        None => app.is_typing().then(|| "Enter keeps it   Esc leaves   letters are text".to_owned()),
    };
    if let Some(says) = captured {
        let line = Line::from(Span::styled(says, theme.dim));
        return put_cut(
            buffer,
            Rect { x: area.x + 1, width: area.width - 1, ..area },
            &line,
            app.options.glyphs.ellipsis,
        );
    }
    let mut right = Vec::new();
    for action in [Action::Help, Action::Palette, Action::Quit] {
        let found = keymap.listed(app.scopes()).find(|(binding, _)| binding.action == action);
        if let Some((binding, keys)) = found
            && let Some(key) = keys.first()
        {
            right.extend(hint(&key.to_string(), binding.hint));
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
    let mut x: u16 = 1;
    let Some(scope) = app.scopes().first() else { return };
    let hinted = |binding: &Binding| binding.scope == *scope && !binding.hint.is_empty();
    for (binding, keys) in keymap.listed(app.scopes()).filter(|(binding, _)| hinted(binding)) {
        let Some(key) = keys.first() else { continue };
        if app.disabled(binding.action).is_some() {
            continue;
        }
        let name = if key.to_string() == "enter" { app.options.glyphs.enter.to_owned() } else { key.to_string() };
        let says =
            if binding.action == Action::TogglePause && app.conversations.is_paused() { "go on" } else { binding.hint };
        let line = Line::from(hint(&name, says));
        let wide = u16::try_from(line.width()).unwrap_or(u16::MAX);
        if x.saturating_add(wide) > room {
            break;
        }
        put(buffer, Rect { x: area.x + x, width: wide, ..area }, &line);
        x += wide + 2;
    }
}
