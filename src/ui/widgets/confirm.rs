//! The one dialog before a write that costs, deletes or replaces. Back is the default; it has no hold of its own.
//!
//! The confirming key counts once the dialog has been on screen, and no other key was pressed, for a moment. Pressed
//! before, it counts after that moment, unless keys keep coming: somebody types ahead, or holds the key down. Where money
//! leaves, it is dropped, and the dialog says so.

use super::details::Details;
use super::input::TextInput;
use super::{popup, put, put_right};
use crate::ui::Options;
use crate::ui::action::{Action, Scope};
use crate::ui::input::Input;
use crate::ui::message::Instant;
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
/// How long one that came by itself rests: whoever works at something else has to see it first.
const ARMS_UNASKED: Duration = Duration::from_millis(1500);
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

/// The state of the dialog. Times are those of [`crate::ui::Moment::mono`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Confirm {
    title: String,
    details: Details,
    verb: &'static str,
    /// The name that has to be typed, and what is.
    typed: Option<(String, TextInput)>,
    scrolled: usize,
    /// True where confirming writes nothing to the server.
    reads: bool,
    /// True where money leaves: an early key is dropped.
    charges: bool,
    /// True where no key of the user's opened it.
    unasked: bool,
    /// Since when it is on screen and left alone; `None` before its first tick.
    rests: Option<Instant>,
    /// How often its key was pressed too early, or before the name was typed; more than once, it may be held down.
    early: u8,
}

impl Confirm {
    /// Asks `title`, with what is to be known about it; `verb` says what confirming does: `"delete"`.
    pub fn new(title: impl Into<String>, details: Details, verb: &'static str) -> Self {
        Self { title: title.into(), details, verb, ..Self::default() }
    }

    /// Confirms only once this name has been typed.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.typed = Some((name.into(), TextInput::default()));
        self
    }

    /// One that can also be confirmed while read-only: nothing is written to the server.
    #[must_use]
    pub fn reads(self) -> Self {
        Self { reads: true, ..self }
    }

    /// One that no key has opened: an early key was meant for something else, and is dropped.
    #[must_use]
    pub fn unasked(self) -> Self {
        Self { unasked: true, ..self }
    }

    /// One after which money leaves: an early key is dropped, since nobody can have read the dialog.
    #[must_use]
    pub fn charges(self) -> Self {
        Self { charges: true, ..self }
    }

    /// Where its keys come from.
    pub fn scopes(&self) -> &'static [Scope] {
        match self.typed {
            None if self.reads => &[Scope::CONFIRM_READS, Scope::MOVING, Scope::EVERYWHERE],
            None => &[Scope::CONFIRM, Scope::MOVING, Scope::EVERYWHERE],
            Some(_) => &[Scope::CONFIRM_TYPED, Scope::TEXT, Scope::EVERYWHERE],
        }
    }

    /// True where a name is typed.
    pub fn takes_text(&self) -> bool {
        self.typed.is_some()
    }

    /// True where its key counts.
    pub fn is_armed(&self, now: Instant) -> bool {
        match &self.typed {
            Some((name, typed)) => typed.value().trim() == name.trim(),
            None => self.rests.is_some_and(|since| now - since >= self.rest()),
        }
    }

    fn rest(&self) -> Duration {
        match self.early {
            _ if self.unasked => ARMS_UNASKED,
            2.. => ARMS_AFTER_REPEAT,
            _ => ARMS,
        }
    }

    /// Does what a key means. `screen` is what the dialog may cover: what cannot be read there cannot be confirmed.
    pub fn act(&mut self, action: Action, options: &Options, screen: Rect, now: Instant) -> ConfirmEvent {
        match action {
            Action::Back => return ConfirmEvent::Cancelled,
            Action::Submit if !self.is_readable(screen) => self.other_key(now),
            Action::Submit if self.is_armed(now) => return ConfirmEvent::Confirmed,
            Action::Submit if self.unasked => self.other_key(now),
            Action::Submit => {
                if let Some(rests) = &mut self.rests {
                    (self.early, *rests) = (2.min(self.early + 1), now);
                }
            }
            Action::Move(motion) => {
                let area = self.text_area(popup::inner(screen, self.size(options, screen)));
                self.scrolled = self.details.scroll(self.scrolled, motion, options, area);
                // Reading on is rest, unless a key was pressed too early: that is taken back.
                if self.early > 0 || self.unasked {
                    self.other_key(now);
                }
            }
            Action::Text(edit) => {
                if let Some((_, typed)) = &mut self.typed {
                    typed.act(edit);
                    self.early = 0;
                }
            }
            _ => self.other_key(now),
        }
        ConfirmEvent::Open
    }

    /// A key without a meaning here was pressed, or something was pasted: it rests anew, and an early press is dropped.
    pub fn other_key(&mut self, now: Instant) {
        self.early = 0;
        self.rests = self.rests.map(|_| now);
    }

    /// Takes what is typed or pasted into the name.
    pub fn text(&mut self, input: &Input, now: Instant) {
        match &mut self.typed {
            Some((_, typed)) => {
                typed.text(input);
                self.early = 0;
            }
            None => self.other_key(now),
        }
    }

    /// Time goes on; to be called once the dialog has been drawn, and when [`Self::next_change`] says.
    pub fn tick(&mut self, now: Instant) -> ConfirmEvent {
        let rested = now - *self.rests.get_or_insert(now);
        match self.early {
            _ if self.typed.is_some() => {}
            1 if self.charges => {}
            1 if rested > ARMS + LATE => self.rests = Some(now),
            1 if rested >= ARMS => return ConfirmEvent::Confirmed,
            _ => {}
        }
        ConfirmEvent::Open
    }

    /// When it needs a tick: at once after it has opened, and when its key begins to count.
    pub fn next_change(&self, now: Instant) -> Option<Instant> {
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

    fn size(&self, options: &Options, screen: Rect) -> (u16, u16) {
        let columns = COLUMNS.min(screen.width.saturating_sub(4));
        let rows = self.details.rows(options, columns.into()).len();
        (columns, u16::try_from(rows).unwrap_or(u16::MAX).saturating_add(self.foot()))
    }

    /// Where the details lie inside the frame.
    fn text_area(&self, inner: Rect) -> Rect {
        Rect { height: inner.height.saturating_sub(self.foot()), ..inner }
    }

    /// Draws it over the middle of `screen` and tells where its cursor is.
    pub fn draw(&self, view: &View<'_>, screen: Rect, buffer: &mut Buffer) -> Option<Position> {
        let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
        let size = self.size(view.options, screen);
        let area = popup::frame(buffer, screen, size, &clean(&self.title), theme, glyphs);
        self.details.draw(self.scrolled, view, self.text_area(area), buffer);
        let mut from_below = area.rows().rev();
        let keys = from_below.next().unwrap_or_default();
        let key = |action| view.key(self.scopes(), action, "");
        let style = if self.is_armed(view.now.mono) { theme.strong } else { theme.dim };
        let (confirms, style) = if self.is_readable(screen) && self.early > 0 && self.charges {
            (format!("too early: {} again {}s", key(Action::Submit), self.verb), theme.warning)
        } else if self.is_readable(screen) {
            (format!("{} {}", key(Action::Submit), self.verb), style)
        } else {
            ("too small to read it".to_owned(), theme.warning)
        };
        let back = format!("{} back", key(Action::Back));
        put(buffer, keys, &Line::from(vec![Span::styled(back, theme.strong), Span::styled(" (default)", theme.dim)]));
        put_right(buffer, keys, &Line::styled(confirms, style));
        let (name, typed) = self.typed.as_ref()?;
        let asks = format!("Type {} to {}: ", clean(name), self.verb);
        let style = if self.early > 0 { theme.warning } else { theme.dim };
        let (line, room) = (from_below.nth(1).unwrap_or_default(), area.width.saturating_sub(12));
        let asks = fit(&asks, room.into(), glyphs.ellipsis);
        put(buffer, line, &Line::styled(asks.as_ref(), style));
        let used = u16::try_from(width(&asks)).unwrap_or(room).min(line.width);
        typed.draw(buffer, Rect { x: line.x + used, width: line.width - used, ..line }, theme.strong)
    }
}

#[cfg(test)]
mod tests;
