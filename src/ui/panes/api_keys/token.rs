//! A new token on screen: large, once, until it is copied, saved or given up.

use super::ApiKeys;
use crate::api::Token;
use crate::records::StorageRequest;
use crate::ui::prelude::*;
use crate::ui::widgets::form::TextField;
use crate::ui::widgets::{popup, put_lines};
use ratatui::text::{Line, Span};

/// A token that the server shows only now.
#[derive(Debug, Clone, PartialEq)]
pub struct NewToken {
    /// The name of its key.
    pub name: String,
    pub token: Token,
    /// True once it was handed to the clipboard.
    pub copied: bool,
    /// The file that it was saved to.
    pub saved: Option<String>,
}

impl NewToken {
    pub fn is_kept(&self) -> bool {
        self.copied || self.saved.is_some()
    }

    pub fn draw(&self, view: &View<'_>, buffer: &mut Buffer) {
        let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
        let columns = view.body.width.saturating_sub(8).min(76);
        let token: Vec<char> = self.token.expose().chars().collect();
        let pieces = token.chunks(usize::from(columns.max(1))).map(|piece| piece.iter().collect::<String>());
        let mut lines = vec![Line::default()];
        lines.extend(pieces.map(|piece| Line::from(Span::styled(piece, theme.strong))));
        lines.push(Line::default());
        let copied = self.copied.then(|| (format!("{} Copied to the clipboard", glyphs.full), theme.good));
        let saved = self.saved.as_ref().map(|path| (format!("{} Saved to {path}", glyphs.full), theme.good));
        let warning = (format!("{} The server shows it only now. Copy or save it.", glyphs.alert), theme.warning);
        let states: Vec<_> = [copied, saved].into_iter().flatten().collect();
        let states = if states.is_empty() { vec![warning] } else { states };
        lines.extend(states.into_iter().map(|(text, style)| Line::from(Span::styled(text, style))));
        let title = format!("Token of {}", self.name);
        let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        let area = popup::frame(buffer, view.body, (columns, height), &title, theme, glyphs);
        put_lines(buffer, area, &lines, 0);
    }
}

impl ApiKeys {
    pub(super) fn act_on_token(&mut self, action: Action, cx: &mut Context<'_>) {
        let Some(shown) = &mut self.token else { return };
        match action {
            Action::Copy => {
                shown.copied = true;
                let token = shown.token.expose().to_owned();
                cx.copy("Token", token);
            }
            Action::Save => {
                let path = FormField::new("path", "File", Control::File(TextField::default())).required();
                let mut form = Form::new(vec![path.hint("a new file, readable by you alone")]);
                let folder = cx.options.token_file.as_ref().and_then(|file| file.parent());
                let folder = folder.map_or("~".into(), |folder| folder.to_string_lossy());
                form.suggest("path", &format!("{folder}/{}.token", shown.name.replace([' ', '/'], "-")));
                cx.open("save", Overlay::Form(Box::new(FormDialog::new("Save the token", "save", form))));
            }
            Action::Remove => self.token = None,
            Action::Back if shown.is_kept() => self.token = None,
            Action::Back => cx.toast("Copy or save the token first; x closes without keeping it"),
            _ => {}
        }
    }

    pub(super) fn submit_path(&mut self, cx: &mut Context<'_>) {
        let (Some(form), Some(shown)) = (cx.overlays.form("save"), &self.token) else { return };
        let path = form.text_of("path").trim().into();
        let request = StorageRequest::SaveToken { path, token: shown.token.clone(), replace: false };
        self.run(super::writes::Step::Save, request, cx);
    }
}
