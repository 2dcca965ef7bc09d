//! The box that asks before a message is sent, and the seconds in which it can be taken back.

use super::hold::Hold;
use super::ready::Ready;
use super::settled::Settled;
use super::{Sight, Told, words};
use crate::messaging::Outgoing;
use crate::ui::action::Motion;
use crate::ui::input::{Key, KeyCode};
use crate::ui::text::clean;
use crate::ui::widgets::list::scroll;
use crate::ui::widgets::{popup, put, put_cut, put_right};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// Columns of the box, without its frame.
const COLUMNS: u16 = 64;
/// Columns of the names in it.
const LABEL: usize = 8;

/// The box that asks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asking {
    ready: Ready,
    /// Whether a `y` would be an answer.
    pub(super) settled: Settled,
    /// Lines of the text that are scrolled away.
    scrolled: usize,
}

/// What came of a key.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Asked {
    /// It asks still.
    Still(Asking),
    /// No.
    Back,
    /// Yes. The message goes with it, so that it cannot be confirmed again.
    Yes(Ready),
}

impl Asking {
    /// The box as it opens.
    pub(super) fn new(ready: Ready) -> Self {
        Self { ready, settled: Settled::default(), scrolled: 0 }
    }

    /// Takes a key.
    pub(super) fn key(mut self, key: Key, sight: &Sight<'_>) -> Asked {
        let now = sight.now.mono;
        let shape = Shape::of(&self.ready, sight);
        if key == Key::char('y') && shape.is_readable(sight) {
            return if self.settled.yes(now) { Asked::Yes(self.ready) } else { Asked::Still(self) };
        }
        self.settled.other_key(now);
        let motion = match key.code {
            KeyCode::Esc | KeyCode::Enter | KeyCode::Char('n' | 'q') => return Asked::Back,
            KeyCode::Down | KeyCode::Char('j') => Some(Motion::Down),
            KeyCode::Up | KeyCode::Char('k') => Some(Motion::Up),
            KeyCode::PageDown => Some(Motion::PageDown),
            KeyCode::PageUp => Some(Motion::PageUp),
            _ => None,
        };
        if let Some(motion) = motion {
            self.scrolled = scroll(self.scrolled, motion, shape.text.len(), shape.room);
        } else {
            self.settled.again(now);
        }
        Asked::Still(self)
    }

    /// Draws the box.
    pub(super) fn draw(&self, told: &Told<'_>, sight: &Sight<'_>, buffer: &mut Buffer) {
        let (theme, hold) = (&sight.options.theme, sight.options.settings.messaging.hold);
        let sends = match hold.as_secs_f64() {
            0.0 => "y send".to_owned(),
            seconds => format!("y send, then {seconds} s to take it back"),
        };
        let last = vec![Span::styled("Esc back (default)", theme.strong)];
        let right = if !Shape::of(&self.ready, sight).is_readable(sight) {
            Span::styled("too small to read it", theme.warning)
        } else if self.settled.is_early() {
            Span::styled("that was fast: wait a second, then y", theme.warning)
        } else {
            Span::styled(sends, theme.dim)
        };
        draw(&self.ready, self.scrolled, "Send this message?", (last, right), told, sight, buffer);
    }
}

/// A confirmed message that waits to be taken back.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Holding {
    pub(super) ready: Ready,
    pub(super) hold: Hold,
}

impl Holding {
    /// Draws the box with the seconds.
    pub(super) fn draw(&self, told: &Told<'_>, sight: &Sight<'_>, buffer: &mut Buffer) {
        let theme = &sight.options.theme;
        let said = format!("{} Sending in {} s", sight.options.glyphs.half, self.hold.seconds(sight.now.mono));
        let last = vec![Span::styled(said, theme.warning)];
        let right = Span::styled("Esc or u takes it back", theme.strong);
        draw(&self.ready, 0, "Not sent yet", (last, right), told, sight, buffer);
    }
}

/// The lines of the box.
struct Shape {
    head: Vec<Line<'static>>,
    text: Vec<Line<'static>>,
    /// Rows for the text.
    room: usize,
    foot: Vec<Line<'static>>,
}

impl Shape {
    fn of(ready: &Ready, sight: &Sight<'_>) -> Self {
        Self::with(ready, &Told::default(), sight)
    }

    /// True where there is room for whom it goes to and a line of the text: what cannot be read is not sent.
    fn is_readable(&self, sight: &Sight<'_>) -> bool {
        usize::from(sight.body.height) >= self.head.len() + 4
    }

    fn with(ready: &Ready, told: &Told<'_>, sight: &Sight<'_>) -> Self {
        let theme = &sight.options.theme;
        let named = |label: &str, mut spans: Vec<Span<'static>>| {
            spans.insert(0, Span::styled(format!("{label:<LABEL$}"), theme.dim));
            Line::from(spans)
        };
        let gap = |text: &str| if text.is_empty() { String::new() } else { format!("{}  ", clean(text)) };
        let phone = ready.outgoing.recipient_phone();
        let to = vec![
            Span::styled(gap(ready.name.as_deref().unwrap_or_default()), theme.strong),
            Span::styled(format!("{}  ", words::pretty(phone)), theme.strong),
            Span::raw(words::country(phone)),
        ];
        let from = vec![
            Span::raw(gap(ready.sender_name.as_deref().unwrap_or_default())),
            Span::raw(words::pretty(&ready.sender)),
        ];
        let mut head = vec![named("to", to), named("from", from)];
        if let Some(template) = &ready.template {
            head.push(named("what", vec![Span::raw(format!("template {}", clean(&template.name)))]));
        }
        let template = matches!(ready.outgoing, Outgoing::Template(_));
        let (said, style) = words::window_line(told.window, template, sight);
        let cost = match sight.known.balance {
            Some(balance) => format!("deducted from the balance ({balance:.2})"),
            None => "deducted from the balance".to_owned(),
        };
        let foot = vec![named("window", vec![Span::styled(said, style)]), named("cost", vec![Span::raw(cost)])];
        let columns = usize::from(COLUMNS.min(sight.body.width.saturating_sub(4))).saturating_sub(LABEL).max(1);
        let text = words::styled(&[(ready.text.clone(), Style::new())], columns);
        for (at, line) in caution(told, columns, sight).into_iter().enumerate() {
            let label = if at == 0 { "caution" } else { "" };
            let mut line = named(label, line.spans);
            line.spans[0].style = theme.warning;
            head.push(line);
        }
        // Below the lines: a blank one, and the keys. What says least goes first where there is little room.
        let inside = usize::from(sight.body.height.saturating_sub(2));
        let room = inside.saturating_sub(head.len() + foot.len() + 2).clamp(1, text.len().max(1));
        Self { head, text, room, foot }
    }
}

/// Why the recipient may have got a message already.
fn caution(told: &Told<'_>, columns: usize, sight: &Sight<'_>) -> Vec<Line<'static>> {
    told.caution
        .map_or_else(Vec::new, |caution| words::styled(&[(caution.to_owned(), sight.options.theme.warning)], columns))
}

fn draw(
    ready: &Ready,
    scrolled: usize,
    title: &str,
    (last, right): (Vec<Span<'static>>, Span<'static>),
    told: &Told<'_>,
    sight: &Sight<'_>,
    buffer: &mut Buffer,
) {
    let (theme, glyphs) = (&sight.options.theme, sight.options.glyphs);
    let shape = Shape::with(ready, told, sight);
    let height = shape.head.len() + shape.room + shape.foot.len() + 2;
    let size = (COLUMNS, u16::try_from(height).unwrap_or(u16::MAX));
    let area = popup::frame(buffer, sight.body, size, title, theme, glyphs);
    let hidden = shape.text.len().saturating_sub(shape.room);
    let scrolled = scrolled.min(hidden);
    let mut lines: Vec<Line<'static>> = shape.head;
    for (at, line) in shape.text.into_iter().skip(scrolled).take(shape.room).enumerate() {
        let label = match at {
            0 if scrolled == 0 => "text",
            0 => glyphs.up,
            last if last + 1 == shape.room && scrolled < hidden => glyphs.down,
            _ => "",
        };
        let mut spans = vec![Span::styled(format!("{label:<LABEL$}"), theme.dim)];
        spans.extend(line.spans);
        lines.push(Line::from(spans));
    }
    lines.extend(shape.foot);
    let keys = Rect { y: area.bottom().saturating_sub(1), height: area.height.min(1), ..area };
    // On the smallest screens the keys go over the lines: how to get out is worth more than the rest.
    for (y, line) in (area.y..keys.y).zip(&lines) {
        put_cut(buffer, Rect { y, height: 1, ..area }, line, glyphs.ellipsis);
    }
    let left = Line::from(last);
    put(buffer, keys, &left);
    let right = Line::from(right);
    if left.width() + right.width() + 2 <= usize::from(keys.width) {
        put_right(buffer, keys, &right);
    }
}
