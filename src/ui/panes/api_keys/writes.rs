//! What changes keys, one write at a time, and the new token on screen: once, until it is copied, saved or given up.

use super::ApiKeys;
use crate::api::{CreateApiKey, Token};
use crate::records::{StorageReply, StorageRequest};
use crate::tasks::{Answer, Task};
use crate::ui::prelude::*;
use crate::ui::widgets::{popup, put_lines};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What a write does to a key.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Creates it; in a rotation with the id of the old one.
    Create { old: Option<i64> },
    /// Saves its token: into a new file, or in a rotation into the profile's.
    Save { path: PathBuf, token: Token, old: Option<i64> },
    /// Deletes it, also at the end of a rotation.
    Delete { id: i64, rotated: bool },
}

/// A token that the server shows only now.
#[derive(Debug, Clone, PartialEq)]
pub struct NewToken {
    /// The name of its key.
    name: String,
    token: Token,
    /// How it was kept: `Copied to the clipboard`, `Saved to` a file.
    pub kept: BTreeSet<String>,
}

impl NewToken {
    pub fn draw(&self, view: &View<'_>, buffer: &mut Buffer) {
        let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
        let mut details = Details::default().text("").text(self.token.expose()).styled(theme.strong).text("");
        for kept in &self.kept {
            details = details.text(format!("{} {kept}", glyphs.full)).styled(theme.good);
        }
        if self.kept.is_empty() {
            let warning = format!("{} The server shows it only now. Copy or save it.", glyphs.alert);
            details = details.text(warning).styled(theme.warning);
        }
        let columns = view.body.width.saturating_sub(8).min(76);
        let lines = details.rows(view.options, columns.into());
        let size = (columns, u16::try_from(lines.len()).unwrap_or(u16::MAX));
        let area = popup::frame(buffer, view.body, size, &format!("Token of {}", self.name), theme, glyphs);
        put_lines(buffer, area, &lines, 0);
    }
}

impl ApiKeys {
    pub(super) fn act_on_token(&mut self, action: Action, cx: &mut Context) {
        let Some(shown) = &mut self.token else { return };
        match action {
            Action::Copy => {
                shown.kept.insert("Copied to the clipboard".to_owned());
                cx.copy("Token", shown.token.expose().to_owned());
            }
            Action::Save => {
                let path = FormField::file("path", "File", "").required();
                let mut form = Form::new(vec![path.hint("a new file, readable by you alone")]);
                let folder = cx.options.token_file.as_ref().and_then(|file| file.parent());
                let folder = folder.map_or("~".into(), |folder| folder.to_string_lossy());
                form.suggest("path", &format!("{folder}/{}.token", shown.name.replace([' ', '/'], "-")));
                cx.open("save", FormDialog::new("Save the token", "save", form));
            }
            Action::Back if shown.kept.is_empty() => {
                cx.toast("Copy or save the token first; x closes without keeping it");
            }
            Action::Back | Action::Remove => self.token = None,
            _ => {}
        }
    }

    pub(super) fn submit_path(&mut self, cx: &mut Context) {
        let (Some(form), Some(NewToken { name, token, .. })) = (cx.overlays.form("save"), &self.token) else { return };
        let path = form.text_of("path").trim().into();
        self.run(name.clone(), Step::Save { path, token: token.clone(), old: None }, cx);
    }

    pub(super) fn run(&mut self, name: String, step: Step, cx: &mut Context) {
        let task: Task = match step.clone() {
            Step::Create { .. } => Request::CreateApiKey { body: CreateApiKey { name: name.clone() } }.into(),
            Step::Save { path, token, old } => StorageRequest::SaveToken { path, token, replace: old.is_some() }.into(),
            Step::Delete { id, .. } => Request::DeleteApiKey { id }.into(),
        };
        self.write = Some((cx.run(Origin::new(super::ID.0), task), name, step));
    }

    /// Takes the result of the write in flight.
    pub(super) fn written(&mut self, report: Report, cx: &mut Context) {
        let Some((_, name, step)) = self.write.take_if(|(id, ..)| *id == report.id) else { return };
        let key = format!("key {name}");
        match (step, report.result) {
            (Step::Create { old }, Ok(answer)) => {
                let Some(key) = answer.reply(Reply::create_api_key) else { return };
                cx.overlays.close("create");
                if let Some(path) = cx.options.token_file.clone().filter(|_| old.is_some()) {
                    self.run(name, Step::Save { path, token: key.token, old }, cx);
                } else {
                    self.token = Some(NewToken { name, token: key.token, kept: BTreeSet::new() });
                }
            }
            (Step::Save { token, old: Some(id), .. }, Ok(_)) => {
                cx.data.key_id = token.key_id();
                cx.push(Effect::Reconnect);
                self.run(name, Step::Delete { id, rotated: true }, cx);
            }
            (_, Ok(Answer::Stored(StorageReply::Written(path)))) => {
                cx.overlays.close("save");
                if let Some(token) = &mut self.token {
                    token.kept.insert(format!("Saved to {}", path.display()));
                }
            }
            (Step::Delete { id, rotated }, Ok(_)) => {
                self.list.source.update(|keys| keys.rows.retain(|key| key.id() != id));
                if rotated {
                    cx.toast(format!("Rotated: {name} has a new token, and the old key is deleted"));
                } else if cx.data.key_id == Some(id) {
                    let text =
                        "Signed out: the key in use was deleted. Put another token into the profile; r reads it.";
                    cx.notices.urgent(text, cx.now);
                } else {
                    cx.toast(format!("Deleted: {name}"));
                }
            }
            (Step::Create { .. }, Err(failure)) => cx.write_failed("create", &key, "created", &failure),
            (Step::Save { old: None, .. }, Err(failure)) => cx.write_failed("save", "token", "saved", &failure),
            (Step::Save { token, .. }, Err(failure)) => {
                let why = explain(&failure);
                cx.problem(format!("The token file was not replaced: {why}. The old key stays in use."));
                self.token = Some(NewToken { name, token, kept: BTreeSet::new() });
            }
            (Step::Delete { rotated, .. }, Err(failure)) => {
                let key = if rotated { format!("old {key} (its new token is in use)") } else { key };
                cx.write_failed("", &key, "deleted", &failure);
            }
            (Step::Save { .. }, Ok(_)) => {}
        }
        // A list requested while the old key is being deleted would show it again.
        if !matches!(self.write, Some((.., Step::Delete { .. }))) {
            self.list.source.refresh(cx);
        }
    }
}
