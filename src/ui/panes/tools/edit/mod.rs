//! Creating, editing, duplicating and deleting a tool. What is saved is read again before, so that a change of somebody else
//! is seen; only changed fields are sent, headers and parameters in whole.

mod editor;
mod fields;
mod json;

pub use editor::{Preset, ToolEditor};
pub use fields::{Values, list, value, values};
pub use json::{read as read_json, write as write_json};

use super::{Front, Tools};
use crate::api::Tool;
use crate::client::{Failure, FailureKind};
use crate::records::StorageRequest;
use crate::ui::editor::{Step, changed_elsewhere, fate};
use crate::ui::prelude::*;
use crate::ui::text::json_text;
use crate::ui::widgets::confirm::Confirm;
use crate::ui::widgets::diff::UNCONDITIONAL;
use crate::ui::widgets::form::FormEvent;
use crate::ui::writes::{Deletion, Unsupported};
use editor::LABEL;
use fields::{body, changed, difference, differences};
use serde_json::json;

/// What the pane knows of writes beside the form.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Writes {
    /// The deletion of a tool, by its id.
    deletion: Deletion<i64>,
    unsupported: Unsupported,
}

/// The record just before it is saved.
enum Now {
    /// There is none yet.
    New,
    /// It was read again.
    Read(Values),
    /// The server cannot tell: why.
    Unknown(&'static str),
}

impl Tools {
    /// Why a write cannot be done now.
    pub(super) fn no_write(&self, action: Action) -> Option<&'static str> {
        let lacks = |done| self.writes.unsupported.has(done);
        match action {
            Action::Create | Action::Duplicate | Action::Import if lacks("created") => {
                Some("the server cannot create tools")
            }
            Action::Edit if lacks("saved") => Some("the server cannot change tools"),
            Action::Delete if lacks("deleted") => Some("the server cannot delete tools"),
            Action::Delete => self.writes.deletion.disabled(),
            _ => None,
        }
    }

    pub(super) fn act_on_record(&mut self, action: Action, cx: &mut Context) {
        let selected = self.selected().map(|row| (row.id, row.name.clone(), values(&row.tool)));
        let preset = match (action, selected) {
            (Action::Create, _) => {
                let held = json!({"method": "GET", "timeout": crate::api::tool::TIMEOUT_DEFAULT});
                let held = held.as_object().cloned().unwrap_or_default();
                let (title, draft) = ("CREATE A TOOL".to_owned(), "new tool".to_owned());
                Preset { title, draft, held, ..Preset::default() }
            }
            (Action::Duplicate, Some((id, name, mut held))) => {
                held.insert("name".to_owned(), format!("{name}_copy").into());
                let (title, draft) = (format!("DUPLICATE {name}"), format!("copy of tool {id}"));
                Preset { title, draft, held, ..Preset::default() }
            }
            (Action::Edit, Some((id, name, opened))) => {
                let (title, draft, held) = (format!("EDIT {name}"), format!("tool {id}"), opened.clone());
                Preset { id: Some(id), title, draft, opened, held, ..Preset::default() }
            }
            (Action::Delete, Some(_)) => return self.confirm_delete(cx),
            _ => return,
        };
        self.open_editor(preset, cx);
    }

    pub(super) fn open_editor(&mut self, preset: Preset, cx: &mut Context) {
        self.front = Front::Edit(Box::new(ToolEditor::new(preset, cx)));
    }

    // The form.

    /// Lets the form take something, and does what follows.
    pub(super) fn with_form(&mut self, cx: &mut Context, change: impl FnOnce(&mut Form) -> FormEvent) {
        let Front::Edit(editor) = &mut self.front else { return };
        match editor.kit.input(cx, change) {
            FormEvent::Changed => editor.changed(cx),
            FormEvent::Submit => self.submit(cx),
            FormEvent::Cancel => {
                editor.save_draft(true, cx);
                if editor.kit.draft.is_kept() {
                    cx.toast("The draft is kept");
                }
                self.front = Front::List;
            }
            _ => {}
        }
    }

    pub(super) fn act_in_form(&mut self, action: Action, cx: &mut Context) {
        let Front::Edit(editor) = &mut self.front else { return };
        match action {
            Action::Remove => return editor.discard_draft(cx),
            Action::ShowSecrets => return editor.toggle_secrets(),
            Action::EditWhole => return editor.open_whole(cx),
            Action::NextPart | Action::Back | Action::Move(_) => {
                let details = editor.details(&cx.view());
                if editor.kit.act(action, |_| details, cx) {
                    return;
                }
            }
            _ if editor.kit.aside => return,
            _ => {}
        }
        self.with_form(cx, |form| form.act(action));
    }

    fn submit(&mut self, cx: &mut Context) {
        let Front::Edit(editor) = &mut self.front else { return };
        if !editor.faults().is_empty() {
            editor.kit.form.act(Action::Submit);
        } else if !editor.is_dirty() {
            cx.toast("Nothing has changed");
        } else if let Some(id) = editor.id {
            if editor.kit.step == Step::Editing {
                editor.kit.step = Step::Reading;
                editor.reading = Some(cx.run(Origin::new(cx.pane.0), Request::GetTool { id }));
            }
        } else {
            self.confirm_save(Now::New, cx);
        }
    }

    /// The tool was read again, or not: a server without that operation may still list it.
    fn read_again(&mut self, report: Report, cx: &mut Context) {
        let Front::Edit(editor) = &mut self.front else { return };
        editor.reading = None;
        let now = match report.result {
            Ok(answer) => answer.reply(Reply::get_tool).map_or(Now::Unknown(UNTOLD), |tool| Now::Read(values(&tool))),
            Err(failure) if matches!(failure.kind, FailureKind::Status { status: 404 | 405, .. }) => {
                if cx.data.tools.is_offered() {
                    // Its answer comes as a change of the shared data.
                    return cx.data.fetch(Item::Tools, &mut cx.tasks, cx.now);
                }
                Now::Unknown(UNTOLD)
            }
            Err(failure) => {
                editor.kit.step = Step::Editing;
                let why = explain(&failure);
                return cx.problem(format!("The tool was not saved: it could not be read again: {why}."));
            }
        };
        editor.kit.step = Step::Editing;
        self.confirm_save(now, cx);
    }

    /// The list has come again, or has not: where no operation reads one tool, it tells what the tool is now.
    pub(super) fn listed_again(&mut self, cx: &mut Context) {
        let Front::Edit(editor) = &mut self.front else { return };
        let freshness = cx.data.tools.freshness();
        if editor.kit.step != Step::Reading || editor.reading.is_some() || freshness.pending {
            return;
        }
        editor.kit.step = Step::Editing;
        if let Some(failure) = freshness.failure {
            let why = explain(failure);
            return cx.problem(format!("The tool was not saved: it could not be read again: {why}."));
        }
        let mut all = cx.data.tools.value().into_iter().flatten();
        match all.find(|tool| tool.id.known() == editor.id.as_ref()).map(values) {
            Some(now) => self.confirm_save(Now::Read(now), cx),
            None => cx.problem("The tool was not saved: it does not exist any more. The draft is kept."),
        }
    }

    /// Asks before it is saved: what changes, and what somebody else has changed meanwhile.
    fn confirm_save(&mut self, now: Now, cx: &mut Context) {
        let Front::Edit(editor) = &mut self.front else { return };
        let view = cx.view();
        let (theme, secrets) = (&view.options.theme, editor.shows_secrets);
        let (opened, yours) = (&editor.opened, editor.values());
        let mut details = Details::new(LABEL);
        let now = match now {
            Now::New => Values::new(),
            Now::Read(now) => now,
            Now::Unknown(why) => {
                details = details.text(why).styled(theme.warning).text("");
                opened.clone()
            }
        };
        // What is saved: the record as it is now, with what was changed in the form.
        let mut saved = now.clone();
        for (name, _) in changed(opened, &yours) {
            saved.insert(name.to_owned(), value(&yours, name).clone());
        }
        let (change, faults) = body(&now, &saved);
        if !faults.is_empty() {
            return drop(editor.kit.form.set_errors(faults));
        }
        if changed(&now, &saved).is_empty() {
            // As after an unclear outcome, when it was saved after all.
            editor.kit.draft.delete(cx);
            self.front = Front::List;
            self.fetch(cx);
            return cx.toast("It is saved already: nothing is left to change");
        }
        let theirs = changed(opened, &now);
        if !theirs.is_empty() {
            details = changed_elsewhere(details, &view);
            for field in theirs {
                details = difference(details, field, (opened, &now), secrets, &view);
                let (said, style) = fate(changed(&now, &saved).contains(&field), &view);
                details = details.text(said).styled(style);
            }
            details = details.section("What is saved");
        }
        details = differences(details, (&now, &saved), secrets, &view);
        let name = clean(&json_text(value(&saved, "name"))).into_owned();
        let (title, verb) = match editor.id {
            Some(_) => (format!("Save {name}?"), "save"),
            None => (format!("Create {name}?"), "create"),
        };
        if editor.id.is_some() {
            details = details.text("").text(UNCONDITIONAL).styled(theme.dim);
        }
        editor.kit.confirm(Box::new(change), Confirm::new(title, details, verb), cx);
    }

    fn confirm_delete(&mut self, cx: &mut Context) {
        let Some(row) = self.selected().cloned() else { return };
        let theme = &cx.options.theme;
        let mut details = Details::new(LABEL)
            .field("Tool", format!("{}  (id {})", row.name, row.id))
            .field("Endpoint", format!("{} {}", row.method(), row.endpoint));
        details = match &row.users {
            Some(users) if users.is_empty() => details.field("Used by", "no assistant"),
            Some(users) => details.wrapped("Used by", users.join(", ")).styled(theme.warning),
            None => details.wrapped("Used by", "not known").styled(theme.warning),
        };
        details = details.text("").text("It is detached from every assistant. This cannot be undone.");
        let mut confirm = Confirm::new("Delete this tool?", details, "delete");
        // Where nothing depends on it, a key is enough; where that is not known, something may.
        if row.users.as_ref().is_none_or(|users| !users.is_empty()) {
            confirm = confirm.name(&row.name);
        }
        self.writes.deletion.ask(row.id, row.name, confirm, cx);
    }

    /// A dialog was answered.
    pub(super) fn edit_overlay(&mut self, event: OverlayEvent, cx: &mut Context) {
        if self.writes.deletion.answer(event, cx, |&id| Request::DeleteTool { id }) {
            return;
        }
        let Front::Edit(editor) = &mut self.front else { return };
        editor.save_draft(true, cx);
        let id = editor.id;
        editor.kit.answer(event, cx, |body| match id {
            Some(id) => Request::UpdateTool { id, body: *body },
            None => Request::CreateTool { body: *body },
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
            self.saved(report, cx);
            return None;
        }
        if editor.reading == Some(report.id) {
            self.read_again(report, cx);
            return None;
        }
        match editor.kit.draft.reply(report) {
            Ok(Some(draft)) => editor.fill_in(draft),
            Ok(None) => {}
            Err(report) => return Some(report),
        }
        None
    }

    fn saved(&mut self, report: Report, cx: &mut Context) {
        let Front::Edit(editor) = &mut self.front else { return };
        let done = if editor.id.is_some() { "saved" } else { "created" };
        match report.result {
            Ok(answer) => {
                let tool = answer.reply(|reply| match reply {
                    Reply::CreateTool(done) | Reply::UpdateTool(done) => Some(done.data),
                    _ => None,
                });
                let name = json_text(value(&editor.values(), "name"));
                cx.toast(format!("{}: {}", if done == "saved" { "Saved" } else { "Created" }, clean(&name)));
                editor.kit.draft.delete(cx);
                self.front = Front::List;
                self.came(tool, cx);
            }
            Err(failure) => {
                self.writes.unsupported.learn(done, done == "created", &failure);
                if done == "created" && failure.kind.is_unclear() {
                    cx.data.fetch(Item::Tools, &mut cx.tasks, cx.now);
                }
                let limit = plan_limit(&failure, &cx.data);
                editor.kit.refuse("tool", done, &failure, cx);
                if let Some(limit) = limit {
                    editor.notes = vec![limit];
                }
            }
        }
    }

    /// A tool was created or saved: it is listed as it is now, and selected.
    fn came(&mut self, tool: Option<Tool>, cx: &mut Context) {
        let Some((id, tool)) = tool.and_then(|tool| Some((*tool.id.known()?, tool))) else {
            return cx.data.fetch(Item::Tools, &mut cx.tasks, cx.now);
        };
        self.put_known(id, tool.clone(), cx);
        cx.data.tools.update(|all| match all.rows.iter_mut().find(|one| one.id.known() == Some(&id)) {
            Some(one) => *one = tool,
            None => all.rows.push(tool),
        });
        self.refresh(cx);
        self.select(id, cx);
        if cx.data.tools.is_offered() {
            cx.data.fetch(Item::Tools, &mut cx.tasks, cx.now);
        }
    }

    fn deleted(&mut self, id: i64, name: &str, report: Report, cx: &mut Context) {
        match report.result {
            Ok(_) => {
                cx.toast(format!("Deleted: {name}"));
                cx.run(Origin::new(cx.pane.0), StorageRequest::DeleteFormDraft(format!("tool {id}")));
                cx.data.tools.update(|all| all.rows.retain(|one| one.id.known() != Some(&id)));
                self.known.remove(id, cx);
                cx.data.all_assistants.fetch(&mut cx.tasks, cx.now);
                self.inspecting = false;
                self.refresh(cx);
            }
            Err(failure) => {
                self.writes.unsupported.learn("deleted", false, &failure);
                if failure.kind.is_unclear() {
                    cx.data.fetch(Item::Tools, &mut cx.tasks, cx.now);
                }
                cx.write_failed("", &format!("tool {name}"), "deleted", &failure);
            }
        }
    }
}

/// What is said before an update where nothing tells what the tool is now.
const UNTOLD: &str = "The server does not tell what the tool is now: a change of somebody else cannot be noticed, and is \
                      overwritten where the same field is changed here.";

/// What stands beside the form where the plan allows no more tools, with the number in use.
fn plan_limit(failure: &Failure, data: &Data) -> Option<String> {
    let FailureKind::Status { status: 422, body: Some(body), .. } = &failure.kind else { return None };
    if body.field_errors().next().is_some() || !body.words().contains("limit") {
        return None;
    }
    let used = data.tools.value().map(|all| format!(" In use: {}.", all.len())).unwrap_or_default();
    Some(format!("{}{used} The draft is kept.", body.words()))
}
