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
use crate::client::{Failure, FailureKind};
use crate::records::{StorageRequest, Webhook};
use crate::tasks::TaskId;
use crate::ui::drafts::Draft;
use crate::ui::editor::Step;
use crate::ui::panes::explain;
use crate::ui::prelude::*;
use crate::ui::text::{clean, json_text};
use crate::ui::widgets::confirm::Confirm;
use crate::ui::widgets::diff::{UNCONDITIONAL, arrow};
use crate::ui::widgets::form::FormEvent;
use std::collections::BTreeSet;

/// The names of the dialogs that ask before an assistant is saved or deleted.
const SAVE: &str = "save assistant";
const DELETE: &str = "delete assistant";

/// What the pane knows of writes beside the form.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Writes {
    /// The assistant that the dialog asks about, or whose deletion is in flight.
    deleting: Option<(Option<TaskId>, i64, String)>,
    /// The one that was saved and is not listed yet as it is now.
    pub(super) saved: Option<i64>,
    /// Those whose record was recorded since the list was loaded then.
    pub(super) seen: (Option<Instant>, BTreeSet<i64>),
    /// The writes that the server has no operation for: `created`, `saved`, `deleted`.
    lacks: BTreeSet<&'static str>,
}

/// True where the failure says that there is no such operation; 404 may also say that there is no such assistant.
fn is_lacking(failure: &Failure, done: &str) -> bool {
    matches!(failure.kind, FailureKind::Status { status, .. } if status == 405 || (status == 404 && done == "created"))
}

impl Assistants {
    /// Why a write cannot be done now.
    pub(super) fn no_write(&self, action: Action, view: &View<'_>) -> Option<&'static str> {
        let all = &view.data.all_assistants;
        let lacks = |done| self.writes.lacks.contains(done);
        match action {
            Action::Create | Action::Duplicate if lacks("created") => Some("the server cannot create assistants"),
            Action::Edit if lacks("saved") => Some("the server cannot change assistants"),
            Action::Delete if lacks("deleted") => Some("the server cannot delete assistants"),
            Action::Delete if self.writes.deleting.is_some() => Some("a deletion is in flight"),
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
                    cx.push(Effect::OpenUrl(url));
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
            details = details
                .text("Somebody else has changed it since the form was opened:")
                .styled(view.options.theme.warning);
            for field in theirs {
                let [was, theirs, yours] = [opened, now, &saved].map(|of| value(of, field.name));
                details = details
                    .wrapped(field.label, arrow(&text(field, was, view.data), &text(field, theirs, view.data), &view));
                let (said, style) = if same(theirs, yours) {
                    ("kept: not changed in this form".to_owned(), view.options.theme.dim)
                } else {
                    (format!("yours replaces it: {}", text(field, yours, view.data)), view.options.theme.warning)
                };
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
        editor.kit.step = Step::Confirming(Box::new(change));
        cx.open(SAVE, Confirm::new(title, details, verb));
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
        self.writes.deleting = Some((None, id, name.clone()));
        cx.open(DELETE, Confirm::new("Delete this assistant?", details, "delete").name(name));
    }

    /// A dialog was answered.
    pub(super) fn edit_overlay(&mut self, event: OverlayEvent, cx: &mut Context) {
        match (event, &mut self.front) {
            (OverlayEvent::Confirmed(SAVE), Front::Edit(editor)) => {
                let Step::Confirming(body) = editor.kit.step.clone() else { return };
                editor.save_draft(true, cx);
                let request = match editor.id {
                    Some(id) => Request::UpdateAssistant { id, body },
                    None => Request::CreateAssistant { body },
                };
                editor.kit.step = Step::Saving(cx.run(Origin::new(cx.pane.0), request));
            }
            (OverlayEvent::Cancelled(SAVE), Front::Edit(editor)) => editor.kit.step = Step::Editing,
            (OverlayEvent::Confirmed(DELETE), _) => {
                if let Some((task, id, _)) = &mut self.writes.deleting {
                    *task = Some(cx.run(Origin::new(cx.pane.0), Request::DeleteAssistant { id: *id }));
                }
            }
            (OverlayEvent::Cancelled(DELETE), _) => self.writes.deleting = None,
            _ => {}
        }
    }

    /// Takes the report of a request of the form or of a deletion; any other comes back.
    pub(super) fn edit_reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        if self.writes.deleting.as_ref().is_some_and(|(task, ..)| *task == Some(report.id)) {
            self.deleted(report, cx);
            return None;
        }
        let Front::Edit(editor) = &mut self.front else { return Some(report) };
        if editor.kit.step == Step::Saving(report.id) {
            editor.kit.step = Step::Editing;
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
                if is_lacking(&failure, done) {
                    self.writes.lacks.insert(done);
                }
                editor.kit.refuse("assistant", done, &failure, cx);
            }
        }
    }

    fn deleted(&mut self, report: Report, cx: &mut Context) {
        let Some((_, id, name)) = self.writes.deleting.take() else { return };
        match report.result {
            Ok(_) => {
                cx.toast(format!("Deleted: {name}"));
                cx.run(Origin::new(cx.pane.0), StorageRequest::DeleteFormDraft(format!("assistant {id}")));
                cx.data.all_assistants.update(|all| all.retain(|one| one.base.id.known() != Some(&id)));
                self.inspecting = false;
                self.refresh(cx);
            }
            Err(failure) => {
                if is_lacking(&failure, "deleted") {
                    self.writes.lacks.insert("deleted");
                }
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
