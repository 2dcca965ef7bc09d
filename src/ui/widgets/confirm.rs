//! The one dialog before a write that costs, deletes or replaces. Back is the default; it has no hold of its own.
//!
//! The confirming key counts once the dialog has been on screen, and no other key was pressed, for a moment. Pressed
//! before, it counts after that moment, unless keys keep coming: somebody types ahead, or holds the key down.

use super::details::{self, Details};
use super::input::TextInput;
use super::{popup, put, put_right};
use crate::ui::Options;
use crate::ui::action::{Action, Scope};
use crate::ui::input::Input;
use crate::ui::pane::View;
use crate::ui::text::{clean, fit, width};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use std::time::Duration;

/// Columns of the dialog, without its frame.
const COLUMNS: u16 = 64;
/// Rows below the details: a blank one, and the keys.
const FOOT: u16 = 2;
/// How long the dialog rests before its key counts.
const ARMS: Duration = Duration::from_millis(250);
/// How long after keys that came too fast: a key that is held down repeats sooner on every keyboard.
const ARMS_AFTER_REPEAT: Duration = Duration::from_secs(1);
/// A tick that comes later than this after an early press confirms nothing: keys may wait that were pressed since.
const LATE: Duration = Duration::from_millis(250);

/// What came of a key or of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConfirmEvent {
    /// It is still open.
    Open,
    /// Nothing is to be done.
    Cancelled,
    /// It is to be done, once.
    Confirmed,
}

/// What has been pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Pressed {
    #[default]
    Nothing,
    /// The confirming key, once and too early.
    Early,
    /// The confirming key again and again: it may be held down.
    Repeated,
}

/// A name that has to be typed.
#[derive(Debug, Clone, PartialEq)]
struct Typed {
    name: String,
    input: TextInput,
    /// True after a submit with another text.
    refused: bool,
}

/// The state of the dialog. Times are those of [`crate::ui::Moment::mono`].
#[derive(Debug, Clone, PartialEq)]
pub struct Confirm {
    title: String,
    details: Details,
    verb: &'static str,
    typed: Option<Typed>,
    scrolled: usize,
    /// Since when it is on screen and left alone; `None` before its first tick.
    rests: Option<Duration>,
    pressed: Pressed,
}

impl Confirm {
    /// Asks `title`, with what is to be known about it; `verb` says what confirming does: `"delete"`.
    pub fn new(title: impl Into<String>, details: Details, verb: &'static str) -> Self {
        let (typed, pressed) = (None, Pressed::Nothing);
        Self { title: title.into(), details, verb, typed, scrolled: 0, rests: None, pressed }
    }

    /// Confirms only once this name has been typed.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.typed = Some(Typed { name: name.into(), input: TextInput::default(), refused: false });
        self
    }

    /// For a dialog that was opened by the key that confirms: it counts only after it has been let go.
    #[must_use]
    pub fn opened_by_its_key(mut self) -> Self {
        self.pressed = Pressed::Repeated;
        self
    }

    /// Where its keys come from.
    pub fn scopes(&self) -> &'static [Scope] {
        match self.typed {
            None => &[Scope::CONFIRM, Scope::MOVING, Scope::EVERYWHERE],
            Some(_) => &[Scope::CONFIRM_TYPED, Scope::TEXT, Scope::EVERYWHERE],
        }
    }

    /// True where a name is typed.
    pub fn takes_text(&self) -> bool {
        self.typed.is_some()
    }

    /// True where its key counts.
    pub fn is_armed(&self, now: Duration) -> bool {
        match &self.typed {
            Some(typed) => typed.input.value().trim() == typed.name.trim(),
            None => self.rests.is_some_and(|since| now.saturating_sub(since) >= self.rest()),
        }
    }

    fn rest(&self) -> Duration {
        if self.pressed == Pressed::Repeated { ARMS_AFTER_REPEAT } else { ARMS }
    }

    /// Does what a key means. `screen` is what the dialog may cover: what cannot be read there cannot be confirmed.
    pub fn act(&mut self, action: Action, options: &Options, screen: Rect, now: Duration) -> ConfirmEvent {
        match action {
            Action::Back => return ConfirmEvent::Cancelled,
            Action::Submit if !self.is_readable(screen) => self.other_key(now),
            Action::Submit if self.is_armed(now) => return ConfirmEvent::Confirmed,
            Action::Submit => self.early(now),
            Action::Move(motion) => {
                let before = self.pressed;
                let area = self.text_area(options, screen);
                self.scrolled = self.details.scroll(self.scrolled, motion, options, area);
                // Reading on is rest, unless a key was pressed too early: that is taken back.
                if before != Pressed::Nothing {
                    self.other_key(now);
                }
            }
            Action::Text(edit) => {
                if let Some(typed) = &mut self.typed {
                    typed.input.act(edit);
                    typed.refused = false;
                }
            }
            _ => self.other_key(now),
        }
        ConfirmEvent::Open
    }

    fn early(&mut self, now: Duration) {
        if let Some(typed) = &mut self.typed {
            typed.refused = true;
        } else if let Some(rests) = &mut self.rests {
            self.pressed = if self.pressed == Pressed::Nothing { Pressed::Early } else { Pressed::Repeated };
            *rests = now;
        }
    }

    /// A key without a meaning here was pressed, or something was pasted: it rests anew, and an early press is dropped.
    pub fn other_key(&mut self, now: Duration) {
        self.pressed = Pressed::Nothing;
        self.rests = self.rests.map(|_| now);
    }

    /// Takes what is typed or pasted into the name.
    pub fn text(&mut self, input: &Input, now: Duration) {
        match &mut self.typed {
            Some(typed) => {
                typed.input.text(input);
                typed.refused = false;
            }
            None => self.other_key(now),
        }
    }

    /// Time goes on; to be called once the dialog has been drawn, and when [`Self::next_change`] says.
    pub fn tick(&mut self, now: Duration) -> ConfirmEvent {
        let rested = now.saturating_sub(*self.rests.get_or_insert(now));
        if self.pressed == Pressed::Early && rested > ARMS + LATE {
            self.rests = Some(now);
        } else if self.pressed == Pressed::Early && rested >= ARMS {
            return ConfirmEvent::Confirmed;
        }
        ConfirmEvent::Open
    }

    /// When it needs a tick: at once after it has opened, and when its key begins to count.
    pub fn next_change(&self, now: Duration) -> Option<Duration> {
        match self.rests {
            None => Some(now),
            Some(since) => Some(since + self.rest()).filter(|armed| *armed > now && self.typed.is_none()),
        }
    }

    /// Rows that are not for the details.
    fn foot(&self) -> u16 {
        FOOT + if self.typed.is_some() { 2 } else { 0 }
    }

    /// True where there is room for a line of the details, the name and the keys.
    fn is_readable(&self, screen: Rect) -> bool {
        screen.height > self.foot() + 2 && screen.width >= COLUMNS / 3
    }

    fn columns(screen: Rect) -> u16 {
        COLUMNS.min(screen.width.saturating_sub(4))
    }

    fn text_area(&self, options: &Options, screen: Rect) -> Rect {
        let rows = self.details.rows(options, Self::columns(screen).into()).len();
        let room = screen.height.saturating_sub(self.foot() + 2);
        Rect::new(0, 0, Self::columns(screen), u16::try_from(rows).unwrap_or(u16::MAX).min(room))
    }

    /// Draws it over the middle of `screen` and tells where its cursor is.
    pub fn draw(&self, view: &View<'_>, screen: Rect, buffer: &mut Buffer) -> Option<Position> {
        let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
        let rows = self.details.rows(view.options, Self::columns(screen).into());
        let size = (COLUMNS, u16::try_from(rows.len()).unwrap_or(u16::MAX).saturating_add(self.foot()));
        let area = popup::frame(buffer, screen, size, &clean(&self.title), theme, glyphs);
        let text = Rect { height: area.height.saturating_sub(self.foot()), ..area };
        details::draw(&rows, self.scrolled, view, text, buffer);
        let row = |from_below: u16| Rect {
            y: area.bottom().saturating_sub(from_below),
            height: u16::from(area.height >= from_below),
            ..area
        };
        let key = |action| {
            view.options.keymap.first_key(self.scopes(), action).map(|key| key.to_string()).unwrap_or_default()
        };
        let style = if self.is_armed(view.now.mono) { theme.strong } else { theme.dim };
        let (confirms, style) = if self.is_readable(screen) {
            (format!("{} {}", key(Action::Submit), self.verb), style)
        } else {
            ("too small to read it".to_owned(), theme.warning)
        };
        let back = format!("{} back", key(Action::Back));
        put(buffer, row(1), &Line::from(vec![Span::styled(back, theme.strong), Span::styled(" (default)", theme.dim)]));
        put_right(buffer, row(1), &Line::styled(confirms, style));
        let typed = self.typed.as_ref()?;
        let asks = format!("Type {} to {}: ", clean(&typed.name), self.verb);
        let style = if typed.refused { theme.warning } else { theme.dim };
        let (line, room) = (row(3), area.width.saturating_sub(12));
        let asks = fit(&asks, room.into(), glyphs.ellipsis);
        put(buffer, line, &Line::styled(asks.as_ref(), style));
        let used = u16::try_from(width(&asks)).unwrap_or(room).min(line.width);
        typed.input.draw(buffer, Rect { x: line.x + used, width: line.width - used, ..line }, theme.strong)
    }
}

#[cfg(test)]
mod tests;
