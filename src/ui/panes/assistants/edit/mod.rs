//! Creating, editing, duplicating and deleting an assistant. What is saved is read again before, so that a change of
//! somebody else is seen; only changed fields are sent.

mod changes;
mod editor;
pub(super) mod fields;
mod form;
mod offers;

pub(super) use changes::{changed, details};
pub(super) use editor::{Editor, LABEL};
use offers::Offers;

use self::fields::{FIELDS, Place, Values, same, text, value, values};
use super::row::Row;
use super::{Assistants, Front};
use crate::records::{StorageRequest, Webhook};
use crate::ui::drafts::Draft;
use crate::ui::editor::{Step, changed_elsewhere, fate};
use crate::ui::panes::explain;
use crate::ui::prelude::*;
use crate::ui::text::{clean, json_text};
use crate::ui::widgets::confirm::Confirm;
use crate::ui::widgets::diff::{UNCONDITIONAL, arrow};
use crate::ui::widgets::form::FormEvent;
use crate::ui::writes::{Deletion, Unsupported};
use std::collections::BTreeSet;

/// What the pane knows of writes beside the form.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Writes {
    /// The deletion of an assistant, by its id.
    deletion: Deletion<i64>,
    /// The one that was saved and is not listed yet as it is now.
    pub(super) saved: Option<i64>,
    /// Those whose record was recorded since the list was loaded then.
    pub(super) seen: (Option<Instant>, BTreeSet<i64>),
    unsupported: Unsupported,
}

impl Assistants {
    /// Why a write cannot be done now.
    pub(super) fn no_write(&self, action: Action, view: &View<'_>) -> Option<&'static str> {
        let all = &view.data.all_assistants;
        let lacks = |done| self.writes.unsupported.has(done);
        match action {
            Action::Create | Action::Duplicate if lacks("created") => Some("the server cannot create assistants"),
            Action::Edit if lacks("saved") => Some("the server cannot change assistants"),
            Action::Delete if lacks("deleted") => Some("the server cannot delete assistants"),
            Action::Delete if self.writes.deletion.disabled().is_some() => self.writes.deletion.disabled(),
            Action::Edit | Action::Duplicate | Action::Delete | Action::History if all.value().is_none() => {
                Some(if all.is_offered() {
                    "the records are not loaded"
                } else {
                    "the server does not list whole records"
                })
            }
            _ => None,
        }
    }

    pub(super) fn act_on_record(&mut self, action: Action, cx: &mut Context) {
        let selected = self.selected().map(|row| (row.id, row.name.clone(), values(&row.record)));
        match (action, selected) {
            (Action::Create, _) => {
                let zone = cx.zone.as_ref().and_then(|zone| zone.iana_name()).unwrap_or("UTC");
                let first = [("type", "outbound"), ("mode", "pipeline"), ("timezone", zone)];
                let preset = first.map(|(name, word)| (name.to_owned(), word.into())).into_iter().collect();
                let draft = Draft::load("new assistant".to_owned(), cx);
                let title = "CREATE AN ASSISTANT".to_owned();
                self.open_form(Editor::new(None, title, draft, Values::new(), preset, &cx.data), cx);
            }
            (Action::Duplicate, Some((id, name, mut preset))) => {
                preset
                    .retain(|name, _| FIELDS.iter().any(|field| field.name == name && field.place != Place::Elsewhere));
                preset.insert("name".to_owned(), format!("{name} (copy)").into());
                let draft = Draft::load(format!("copy of assistant {id}"), cx);
                let title = format!("DUPLICATE {name}");
                self.open_form(Editor::new(None, title, draft, Values::new(), preset, &cx.data), cx);
            }
            (Action::Edit, Some((id, name, opened))) => self.edit((id, &name), opened.clone(), opened, true, cx),
            (Action::Delete, Some(_)) => self.confirm_delete(cx),
            _ => {}
        }
    }

    /// Opens the form of a record, filled in with its values or with those of an earlier version.
    pub(super) fn edit(
        &mut self,
        (id, name): (i64, &str),
        opened: Values,
        preset: Values,
        drafted: bool,
        cx: &mut Context,
    ) {
        let (title, draft) = (if drafted { "EDIT" } else { "RESTORE" }, format!("assistant {id}"));
        let draft = if drafted { Draft::load(draft, cx) } else { Draft::unloaded(draft) };
        self.open_form(Editor::new(Some(id), format!("{title} {name}"), draft, opened, preset, &cx.data), cx);
    }

    fn open_form(&mut self, mut editor: Editor, cx: &mut Context) {
        editor.refresh(cx);
        self.front = Front::Edit(Box::new(editor));
    }

    // The form.

    /// Lets the form take something, and does what follows.
    pub(super) fn with_form(&mut self, cx: &mut Context, change: impl FnOnce(&mut Form) -> FormEvent) {
        let Front::Edit(editor) = &mut self.front else { return };
        match editor.kit.input(cx, change) {
            FormEvent::Changed => editor.changed(cx),
            FormEvent::Submit => self.submit(cx),
            FormEvent::Cancel => {
                if editor.is_dirty() && editor.kit.draft.is_kept() {
                    cx.toast("The draft is kept");
                }
                editor.save_draft(true, cx);
                self.front = Front::List;
            }
            _ => {}
        }
    }

    pub(super) fn act_in_form(&mut self, action: Action, cx: &mut Context) {
        let Front::Edit(editor) = &mut self.front else { return };
        match action {
            Action::Remove => editor.discard_draft(cx),
            Action::Open => {
                if let Some(url) = editor.offers.preview(editor.kit.form.text_of("voice_id"), &cx.data) {
                    cx.open_link("the voice's preview", &url);
                }
            }
            action if editor.act(action, cx) => {}
            action => self.with_form(cx, |form| form.act(action)),
        }
    }

    pub(super) fn disabled_in_form(editor: &Editor, action: Action, view: &View<'_>) -> Option<&'static str> {
        if action == Action::Open {
            let preview = editor.offers.preview(editor.kit.form.text_of("voice_id"), view.data);
            return preview.is_none().then_some("this voice has no sample");
        }
        editor.kit.disabled(action, view)
    }

    fn submit(&mut self, cx: &mut Context) {
        let Front::Edit(editor) = &mut self.front else { return };
        editor.changed(cx);
        if !editor.faults().is_empty() {
            editor.kit.form.act(Action::Submit);
        } else if !editor.is_dirty() {
            cx.toast("Nothing has changed");
        } else if editor.id.is_none() {
            self.confirm_save(&Values::new(), cx);
        } else if editor.kit.step == Step::Editing {
            editor.kit.step = Step::Reading;
            cx.data.all_assistants.fetch(&mut cx.tasks, cx.now);
        }
    }

    /// The list has come, or has not: what was to be read before it is saved.
    pub(super) fn read_again(&mut self, cx: &mut Context) {
        let Front::Edit(editor) = &mut self.front else { return };
        editor.refresh(cx);
        let all = &cx.data.all_assistants;
        let (Some(id), Step::Reading, false) = (editor.id, &editor.kit.step, all.freshness().pending) else { return };
        editor.kit.step = Step::Editing;
        if let Some(failure) = all.freshness().failure {
            let why = explain(failure);
            return cx.problem(format!("The assistant was not saved: it could not be read again: {why}."));
        }
        let found = all.value().into_iter().flatten().find(|one| one.base.id.known() == Some(&id)).map(values);
        match found {
            Some(now) => self.confirm_save(&now, cx),
            None => cx.problem("The assistant was not saved: it no longer exists. The draft is kept."),
        }
    }

    /// Asks before it is saved: what changes, and what somebody else has changed meanwhile. `now` is the record as it is.
    fn confirm_save(&mut self, now: &Values, cx: &mut Context) {
        let Front::Edit(editor) = &mut self.front else { return };
        let (opened, yours) = (&editor.opened, editor.values());
        // What is saved: the record as it is now, with what was changed in the form.
        let mut saved = now.clone();
        for field in changed(opened, &yours) {
            saved.insert(field.name.to_owned(), value(&yours, field.name).clone());
        }
        let (change, faults) = changes::body(now, &saved);
        if !faults.is_empty() {
            return drop(editor.kit.form.set_errors(faults));
        }
        if changed(now, &saved).next().is_none() {
            // As after an unclear outcome, when it was saved after all.
            editor.kit.draft.delete(cx);
            self.front = Front::List;
            return cx.toast("Already saved: nothing is left to change");
        }
        let view = cx.view();
        let mut details = Details::new(LABEL);
        let theirs: Vec<_> = changed(opened, now).collect();
        if !theirs.is_empty() {
            details = changed_elsewhere(details, &view);
            for field in theirs {
                let [was, theirs, yours] = [opened, now, &saved].map(|of| value(of, field.name));
                details = details
                    .wrapped(field.label, arrow(&text(field, was, view.data), &text(field, theirs, view.data), &view));
                let (said, style) = fate(!same(theirs, yours), &view);
                details = details.wrapped("", said).styled(style);
            }
        }
        details = if editor.id.is_some() { details.section("What is saved") } else { details };
        details = changes::details(details, now, &saved, &view);
        if editor.id.is_some() {
            details = details.text("").text(UNCONDITIONAL).styled(view.options.theme.dim);
        }
        let name = clean(&json_text(value(&saved, "name"))).into_owned();
        let (title, verb) = match editor.id {
            Some(_) => (format!("Save {name}?"), "save"),
            None => (format!("Create {name}?"), "create"),
        };
        editor.kit.confirm(Box::new(change), Confirm::new(title, details, verb), cx);
    }

    fn confirm_delete(&mut self, cx: &mut Context) {
        let Some(Row { id, name, switches, .. }) = self.selected().cloned() else { return };
        let view = cx.view();
        let mut details = Details::new(LABEL).field("Assistant", format!("{name}  (id {id})"));
        for (webhook, switch) in Webhook::ALL.into_iter().zip(&switches) {
            details = details.wrapped(webhook.label(), switch.line(&view));
        }
        details = details
            .text("")
            .text("Its webhooks are deleted with it, and its senders are left without an assistant. Its conversations stay.")
            .text("This cannot be undone.");
        let dialog = Confirm::new("Delete this assistant?", details, "delete").name(&name);
        self.writes.deletion.ask(id, name, dialog, cx);
    }

    /// A dialog was answered.
    pub(super) fn edit_overlay(&mut self, event: OverlayEvent, cx: &mut Context) {
        if self.writes.deletion.answer(event, cx, |&id| Request::DeleteAssistant { id }) {
            return;
        }
        let Front::Edit(editor) = &mut self.front else { return };
        editor.save_draft(true, cx);
        let id = editor.id;
        editor.kit.answer(event, cx, |body| match id {
            Some(id) => Request::UpdateAssistant { id, body },
            None => Request::CreateAssistant { body },
        });
    }

    /// Takes the report of a request of the form or of a deletion; any other comes back.
    pub(super) fn edit_reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        if let Some((id, name)) = self.writes.deletion.end(&report) {
            self.deleted(id, &name, report, cx);
            return None;
        }
        let Front::Edit(editor) = &mut self.front else { return Some(report) };
        if editor.kit.end(&report) {
            self.replied(report, cx);
            return None;
        }
        let report = match editor.kit.draft.reply(report) {
            Ok(draft) => {
                if let Some(draft) = draft {
                    editor.fill_in(draft, cx);
                }
                return None;
            }
            Err(report) => report,
        };
        let report = editor.offers.reply(report, cx.now);
        if report.is_none() {
            editor.refresh(cx);
        }
        report
    }

    fn replied(&mut self, report: Report, cx: &mut Context) {
        let Front::Edit(editor) = &mut self.front else { return };
        let done = if editor.id.is_some() { "saved" } else { "created" };
        match report.result {
            Ok(answer) => {
                let created = answer.reply(|reply| match reply {
                    Reply::CreateAssistant(done) | Reply::UpdateAssistant(done) => Some(done.data),
                    _ => None,
                });
                let name = json_text(value(&editor.values(), "name"));
                cx.toast(format!("{}: {}", if done == "saved" { "Saved" } else { "Created" }, clean(&name)));
                editor.kit.draft.delete(cx);
                self.writes.saved = created.map(|one| one.id).or(editor.id);
                self.front = Front::List;
                cx.data.all_assistants.fetch(&mut cx.tasks, cx.now);
            }
            Err(failure) => {
                self.writes.unsupported.learn(done, done == "created", &failure);
                editor.kit.refuse("assistant", done, &failure, cx);
            }
        }
    }

    fn deleted(&mut self, id: i64, name: &str, report: Report, cx: &mut Context) {
        match report.result {
            Ok(_) => {
                cx.toast(format!("Deleted: {name}"));
                cx.run(Origin::new(cx.pane.0), StorageRequest::DeleteFormDraft(format!("assistant {id}")));
                cx.data.all_assistants.update(|all| all.retain(|one| one.base.id.known() != Some(&id)));
                self.inspecting = false;
                self.refresh(cx);
            }
            Err(failure) => {
                self.writes.unsupported.learn("deleted", false, &failure);
                cx.write_failed("", &format!("assistant {name}"), "deleted", &failure);
            }
        }
    }

    /// The pane is left, or the program stops.
    pub(super) fn put_form_aside(&mut self, cx: &mut Context) {
        if let Front::Edit(editor) = &mut self.front {
            editor.save_draft(true, cx);
        }
    }
}
