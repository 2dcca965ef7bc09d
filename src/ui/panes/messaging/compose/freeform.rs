//! A message in one's own words, which only an open window takes.

use super::draft::Typed;
use super::editor::Editor;
use super::ready::{Ready, Step};
use super::{Sight, Told, Wanted, Windows, words};
use crate::api::messaging::{FREEFORM_MAX, freeform_message};
use crate::api::{SendFreeform, rules};
use crate::messaging::{Outgoing, Window};
use crate::records::{Draft, DraftKey};
use crate::ui::input::{Key, KeyCode};
use crate::ui::text::{clean, thousands, wrap};
use crate::ui::widgets::{put, put_cut, put_right, rule};
use jiff::Timestamp;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

/// What has the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Focus {
    Text,
    Send,
    Template,
}

/// The editor and whom it writes to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Freeform {
    wanted: Wanted,
    editor: Editor,
    focus: Focus,
    /// When the draft in it was typed.
    drafted: Option<Timestamp>,
}

impl Freeform {
    /// An editor, with the draft for this sender and recipient in it.
    pub(super) fn new(wanted: Wanted, sight: &Sight<'_>) -> Self {
        let key = draft_key(&wanted);
        let draft = sight.known.drafts.iter().find(|draft| draft.message.is_some() && draft.key() == key);
        let text = draft.and_then(|draft| draft.message.as_deref()).unwrap_or_default();
        Self { editor: Editor::new(text), focus: Focus::Text, drafted: draft.map(|draft| draft.saved), wanted }
    }

    /// Sender and recipient.
    pub(super) fn pair(&self) -> Option<(i64, String)> {
        self.wanted.sender_id.zip(self.wanted.phone.clone())
    }

    /// What is typed, to be kept.
    pub(super) fn typed(&self) -> Typed {
        let key = draft_key(&self.wanted);
        let message = Some(self.editor.text().to_owned()).filter(|text| !text.trim().is_empty());
        let draft = message.map(|message| Draft {
            sender_id: self.wanted.sender_id,
            phone: key.phone.clone(),
            template_id: None,
            name: self.wanted.name.clone().unwrap_or_default(),
            values: std::collections::BTreeMap::new(),
            message: Some(message),
            saved: Timestamp::UNIX_EPOCH,
        });
        Typed { key, draft, filled: true, stays: true }
    }

    /// Why nothing can be written; `None` where it can, or where something has been written already.
    fn shut(&self, window: Option<Window>) -> Option<&'static str> {
        if self.pair().is_none() {
            return Some("A message in your own words goes to somebody whose window is open: choose one first.");
        }
        match window {
            _ if !self.editor.text().is_empty() => None,
            Some(Window::Expired { .. }) => Some("The window has expired: only a template reaches this customer now."),
            Some(Window::None) => Some("There is no window yet: only a template opens one."),
            Some(Window::Open { .. }) | None => None,
        }
    }

    /// The message as it would be sent.
    ///
    /// # Errors
    /// What keeps it from being sent.
    pub(super) fn check(&self, sight: &Sight<'_>, windows: &Windows) -> Result<Ready, String> {
        let pair = self.pair();
        let (sender_id, phone) = pair.clone().ok_or("choose a recipient first")?;
        let sender = sight.known.sender(sender_id).ok_or("the sender is not known")?;
        if let Some(barred) = super::choices::sender_barred(sender) {
            return Err(barred);
        }
        rules::e164("recipient_phone", &phone).map_err(|fault| fault.sentence)?;
        let message = self.editor.text().trim().to_owned();
        freeform_message(&message).map_err(|fault| fault.sentence.trim_end_matches('.').to_owned())?;
        match windows.of(pair.as_ref(), sight) {
            Some(Window::Open { .. }) => {}
            Some(Window::Expired { .. }) => return Err("the window has expired; a template still reaches them".into()),
            Some(Window::None) => return Err("there is no window yet; a template opens one".into()),
            None => return Err("the server has not told yet whether the window is open".into()),
        }
        if sight.options.read_only {
            return Err("everything is read-only here, so nothing can be sent".into());
        }
        Ok(Ready {
            sender_name: sender.name.clone(),
            sender: sender.phone.clone().unwrap_or_else(|| sender.id.to_string()),
            name: self.wanted.name.clone(),
            template: None,
            text: message.clone(),
            used: Vec::new(),
            outgoing: Outgoing::Freeform(SendFreeform { sender_id, recipient_phone: phone, message }),
        })
    }

    /// Takes a key.
    pub(super) fn key(&mut self, key: Key, sight: &Sight<'_>, windows: &Windows) -> Step {
        let instead = || Step::Instead(self.wanted.clone());
        if self.shut(windows.of(self.pair().as_ref(), sight)).is_some() {
            return match key.code {
                KeyCode::Esc | KeyCode::Char('q') => Step::Leave,
                KeyCode::Enter | KeyCode::Char('s') => instead(),
                _ => Step::Stay,
            };
        }
        match (key.code, self.focus) {
            (KeyCode::Esc, _) => return Step::Leave,
            (KeyCode::Tab, Focus::Text) | (KeyCode::BackTab | KeyCode::Left, Focus::Template) => {
                self.focus = Focus::Send;
            }
            (KeyCode::Tab | KeyCode::Right, Focus::Send) | (KeyCode::BackTab, Focus::Text) => {
                self.focus = Focus::Template;
            }
            (KeyCode::Tab | KeyCode::Up, Focus::Template) | (KeyCode::BackTab | KeyCode::Up, Focus::Send) => {
                self.focus = Focus::Text;
            }
            (_, Focus::Text) => {
                self.editor.key(key, usize::from(text_area(sight.body).width));
            }
            (KeyCode::Enter, Focus::Template) => return instead(),
            (KeyCode::Enter, Focus::Send) => {
                return match self.check(sight, windows) {
                    Ok(ready) => Step::Ready(Box::new(ready)),
                    Err(fault) => Step::Told(fault),
                };
            }
            _ => {}
        }
        Step::Stay
    }

    /// Takes a paste.
    pub(super) fn paste(&mut self, text: &str) {
        if self.focus == Focus::Text {
            self.editor.paste(text);
        }
    }

    /// The bottom line.
    pub(super) fn hints(&self, sight: &Sight<'_>, windows: &Windows) -> &'static str {
        if self.shut(windows.of(self.pair().as_ref(), sight)).is_some() {
            return "Enter chooses a template   Esc back";
        }
        match self.focus {
            Focus::Text => "Enter new line   Tab to the buttons   Esc leaves, the text is kept",
            Focus::Send => "Enter asks before it sends   Tab on   Esc leaves, the text is kept",
            Focus::Template => "Enter writes a template instead   Tab on   Esc leaves, the text is kept",
        }
    }

    /// Draws it and tells where its cursor is.
    pub(super) fn draw(&self, told: &Told<'_>, sight: &Sight<'_>, buffer: &mut Buffer) -> Option<Position> {
        let (theme, glyphs) = (&sight.options.theme, sight.options.glyphs);
        let area = inner(sight.body);
        let row = |y: u16| Rect { y: area.y + y.min(area.height), height: u16::from(y < area.height), ..area };
        let to = self.wanted.phone.as_deref().map(words::pretty).unwrap_or_default();
        let name = clean(self.wanted.name.as_deref().unwrap_or_default()).into_owned();
        let title = Line::from(vec![
            Span::styled("Write to ", theme.accent),
            Span::styled(format!("{name}  "), theme.strong),
            Span::raw(to),
        ]);
        put_cut(buffer, row(0), &title, glyphs.ellipsis);
        let (said, style) = words::window_line(told.window, false, sight);
        let mut line = vec![Span::styled(said, style)];
        if let Some(caution) = told.caution {
            line.push(Span::styled(format!("   {} {caution}", glyphs.alert), theme.warning));
        }
        put_cut(buffer, row(1), &Line::from(line), glyphs.ellipsis);
        if let Some(why) = self.shut(told.window) {
            let lines = wrap(why, usize::from(area.width));
            for (y, line) in (3..).zip(&lines) {
                put(buffer, row(y), &Line::from(line.as_str()));
            }
            let y = 4 + u16::try_from(lines.len()).unwrap_or(0);
            let keys = format!("{} choose a template   Esc back", glyphs.enter);
            put_cut(buffer, row(y), &Line::from(Span::styled(keys, theme.dim)), glyphs.ellipsis);
            return None;
        }
        if let Some(drafted) = self.drafted {
            let said = format!("draft from {}", words::time(drafted, sight));
            put_right(buffer, row(0), &Line::from(Span::styled(said, theme.dim)));
        }
        let text = text_area(sight.body);
        let above = Rect { y: text.y.saturating_sub(1), height: u16::from(text.y > area.y), ..area };
        rule(buffer, above, glyphs.horizontal, theme.dim);
        let caret = self.editor.draw(buffer, text, theme.strong);
        let below = Rect { y: text.bottom(), height: u16::from(text.bottom() < area.bottom()), ..area };
        rule(buffer, below, glyphs.horizontal, theme.dim);
        let last = Rect { y: area.bottom().saturating_sub(1), height: area.height.min(1), ..area };
        let button = |name: &str, focus: Focus| {
            let style = if self.focus == focus { theme.badge } else { theme.dim };
            Span::styled(format!("[ {name} ]"), style)
        };
        let mut line = vec![button("Send", Focus::Send), Span::raw("  "), button("Template instead", Focus::Template)];
        if let Some(note) = told.note {
            line.extend([Span::raw("   "), Span::styled(format!("{} {}", glyphs.alert, clean(note)), theme.warning)]);
        }
        let length = self.editor.text().trim().chars().count();
        let long = length > FREEFORM_MAX;
        let count = format!("{} / {}", thousands(length as u64), thousands(FREEFORM_MAX as u64));
        let count = if long { format!("{} {count}", glyphs.cross) } else { count };
        let count = Line::from(Span::styled(count, if long { theme.failed } else { theme.dim }));
        let room = last.width.saturating_sub(u16::try_from(count.width()).unwrap_or(0) + 2);
        put_cut(buffer, Rect { width: room, ..last }, &Line::from(line), glyphs.ellipsis);
        put_right(buffer, last, &count);
        caret.filter(|_| self.focus == Focus::Text)
    }
}

/// What a draft of the editor belongs to.
fn draft_key(wanted: &Wanted) -> DraftKey {
    DraftKey { phone: wanted.phone.clone().unwrap_or_default(), template_id: None, writer: wanted.sender_id }
}

/// The body with a column of air on both sides.
fn inner(body: Rect) -> Rect {
    Rect { x: body.x + body.width.min(1), width: body.width.saturating_sub(2), ..body }
}

/// Where the text lies: below the title, the window and a line, above a line and the buttons.
fn text_area(body: Rect) -> Rect {
    let area = inner(body);
    let top = if area.height >= 8 { 3 } else { 2.min(area.height) };
    let bottom = if area.height >= 8 { 2 } else { 1 };
    let height = area.height.saturating_sub(top + bottom);
    Rect { y: area.y + top, height, width: area.width.min(76), ..area }
}
