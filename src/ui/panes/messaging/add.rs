//! The box that asks for a number: of a recipient to watch, or of a sender that the server does not list.

use super::words;
use crate::api::messaging::recipient_name;
use crate::ui::input::{Key, KeyCode};
use crate::ui::options::Options;
use crate::ui::text::{fit, wrap};
use crate::ui::widgets::input::TextInput;
use crate::ui::widgets::{popup, put};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

/// Columns of the box, without its frame.
const COLUMNS: u16 = 56;
/// Columns of a field's name.
const LABEL: u16 = 10;

/// What is added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Added {
    /// A sender, by its number at the service.
    Sender(i64),
    /// A recipient of this sender.
    Recipient {
        /// The sender's number.
        sender_id: i64,
        /// The recipient, in E.164.
        phone: String,
        /// The recipient's name, where one was typed.
        name: Option<String>,
    },
}

/// What came of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The box stays.
    Open,
    /// It was left.
    Left,
    /// This is to be added.
    Chosen(Added),
}

/// The box.
#[derive(Debug, Clone, PartialEq)]
pub struct AddForm {
    /// The sender whose recipient is asked for, and what it is called; `None` where a sender is.
    sender: Option<(i64, String)>,
    fields: [TextInput; 2],
    at: usize,
    fault: Option<String>,
}

impl AddForm {
    /// Asks for a sender.
    pub fn sender() -> Self {
        Self { sender: None, fields: Default::default(), at: 0, fault: None }
    }

    /// Asks for a recipient of this sender.
    pub fn recipient(sender_id: i64, sender: String) -> Self {
        Self { sender: Some((sender_id, sender)), ..Self::sender() }
    }

    fn length(&self) -> usize {
        if self.sender.is_some() { 2 } else { 1 }
    }

    /// What the fields say, or what is wrong about them.
    fn read(&self, options: &Options) -> Result<Added, (usize, String)> {
        let [number, name] = self.fields.each_ref().map(|field| field.value().trim());
        let Some((sender_id, _)) = &self.sender else {
            let id = number.parse().ok().filter(|id| *id > 0);
            return id.map(Added::Sender).ok_or_else(|| (0, "a sender has a number from 1 on".to_owned()));
        };
        let phone = words::read_phone(number, options).map_err(|fault| (0, fault))?;
        recipient_name(name).map_err(|fault| (1, fault.sentence))?;
        let name = Some(name.to_owned()).filter(|name| !name.is_empty());
        Ok(Added::Recipient { sender_id: *sender_id, phone, name })
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key, options: &Options) -> Outcome {
        let length = self.length();
        match key.code {
            KeyCode::Esc => return Outcome::Left,
            KeyCode::Enter => match self.read(options) {
                Ok(added) => return Outcome::Chosen(added),
                Err((at, fault)) => (self.at, self.fault) = (at, Some(fault)),
            },
            KeyCode::Tab | KeyCode::Down => self.at = (self.at + 1) % length,
            KeyCode::BackTab | KeyCode::Up => self.at = (self.at + length - 1) % length,
            _ => {
                if self.fields[self.at].key(key) {
                    self.fault = None;
                }
            }
        }
        Outcome::Open
    }

    /// Takes a paste.
    pub fn paste(&mut self, pasted: &str) {
        self.fields[self.at].paste(pasted);
        self.fault = None;
    }

    /// Draws the box and tells where its cursor is.
    pub fn draw(&self, buffer: &mut Buffer, screen: Rect, options: &Options) -> Option<Position> {
        let Options { theme, glyphs, .. } = options;
        let title = if self.sender.is_some() { "Watch a number" } else { "Add a sender" };
        let height = if self.sender.is_some() { 6 } else { 5 };
        let area = popup::frame(buffer, screen, (COLUMNS, height), title, theme, glyphs);
        let row = |y: u16| Rect { y: area.y + y.min(area.height), height: u16::from(y < area.height), ..area };
        let mut caret = None;
        let names: &[&str] = if self.sender.is_some() { &["phone", "name"] } else { &["number"] };
        for ((y, at), name) in (0u16..).zip(0..).zip(names) {
            let here = at == self.at;
            let (mark, style) = if here { (glyphs.marker, theme.accent) } else { (" ", theme.dim) };
            put(buffer, row(y), &Line::from(Span::styled(format!("{mark} {name}"), style)));
            let line = row(y);
            let value = Rect { x: line.x + LABEL.min(line.width), width: line.width.saturating_sub(LABEL), ..line };
            let found = self.fields[at].draw(buffer, value, theme.strong);
            caret = if here { found } else { caret };
        }
        let below = u16::try_from(names.len()).unwrap_or(2);
        let (said, style) = match (&self.fault, &self.sender) {
            (Some(fault), _) => (format!("{} {fault}", glyphs.cross), theme.failed),
            (None, Some((_, sender))) => {
                let hint = words::typed_phone(self.fields[0].value(), options);
                (hint.unwrap_or_else(|| format!("written to from {sender}")), theme.dim)
            }
            (None, None) => ("its number at the service, the sender_id".to_owned(), theme.dim),
        };
        for (y, line) in (below..height - 1).zip(wrap(&said, usize::from(area.width))) {
            put(buffer, row(y), &Line::from(Span::styled(line, style)));
        }
        let keys = format!("{} adds it   Esc leaves", glyphs.enter);
        let keys = fit(&keys, usize::from(area.width), glyphs.ellipsis).into_owned();
        put(buffer, row(height - 1), &Line::from(Span::styled(keys, theme.dim)));
        caret.filter(|_| area.height > 0)
    }
}
