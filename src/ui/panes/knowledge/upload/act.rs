//! What the views of uploads do with keys, dialogs and replies.

use super::candidate::{self, Candidate, Verdict};
use super::find::FIND;
use super::queue::Looked;
use super::{Shown, Uploads, draw, size};
use crate::api::Rows;
use crate::records::{StorageReply, StorageRequest, UploadChange, UploadFile, UploadStatus};
use crate::tasks::Answer;
use crate::ui::ages::date_and_time;
use crate::ui::panes::knowledge::keys;
use crate::ui::prelude::*;
use crate::ui::widgets::confirm::Confirm;
use std::collections::HashMap;

/// The names of the dialogs.
const NAME: &str = "name of a file";
const UPLOAD: &str = "upload files";
const FOUND: &str = "upload found";
const AGAIN: &str = "upload again";

/// Files that are read between two looks at all of them.
const ARRANGE_EVERY: u64 = 16;

impl Uploads {
    /// The scopes of what covers the pane.
    pub fn scopes(&self) -> Option<&'static [Scope]> {
        Some(match (self.shown?, &self.review) {
            (Shown::Review, Some(review)) if review.files.narrowing => NARROWING,
            (Shown::Review, _) => keys::REVIEWING,
            (Shown::Queue, _) if self.queue.narrowing => NARROWING,
            (Shown::Queue, _) => keys::QUEUEING,
        })
    }

    /// Why an action cannot be done in what covers the pane.
    pub fn disabled(&self, action: Action, view: &View<'_>) -> Option<&'static str> {
        let none = "no file is selected";
        if self.shown == Some(Shown::Queue) {
            let row = self.queue.selected();
            return match action {
                Action::Open | Action::Remove | Action::Copy if row.is_none() => Some("no upload is selected"),
                Action::TogglePause if self.waiting() == 0 && !self.going => Some("no file is waiting"),
                Action::TogglePause if view.unconnected().is_some() => Some("there is no server"),
                _ => None,
            };
        }
        let review = self.review.as_ref()?;
        let selected = review.files.selected().map(|file| file.verdict(view));
        match action {
            Action::Edit | Action::Remove if selected.is_none() => Some(none),
            Action::IncludeSent => match review.files.selected() {
                Some(file) if file.again || matches!(selected, Some(Verdict::Doubtful(_))) => None,
                Some(_) => Some("nothing is known against this file"),
                None => Some(none),
            },
            Action::Submit if review.queueing.is_some() => Some("the files are being queued"),
            Action::Submit if review.files.source.iter().any(Candidate::is_unread) => {
                Some("the files are still being checked")
            }
            Action::Submit if ready(&review.files.source, view).is_empty() => Some("no file is ready"),
            _ => None,
        }
    }

    /// What the bottom line says of an action.
    pub fn hint(&self, action: Action) -> Option<&'static str> {
        let queue = self.shown == Some(Shown::Queue);
        match action {
            Action::TogglePause if queue && self.going => Some("pause"),
            Action::Remove if queue => self.queue.selected().map(|row| match row.upload.status {
                UploadStatus::Uploading | UploadStatus::Queued => "cancel",
                _ => "remove",
            }),
            Action::Open if queue => self.queue.selected().map(|row| match (&row.upload.status, &row.looked) {
                (UploadStatus::Unknown(_), None) => "look it up",
                (UploadStatus::Unknown(_), Some(_)) => "decide",
                (UploadStatus::Created { .. }, _) => "go to it",
                (UploadStatus::Queued | UploadStatus::Uploading, _) => "",
                _ => "try again",
            }),
            _ => None,
        }
    }

    /// The list that is shown, and its area.
    pub fn list(&mut self, body: Rect) -> Option<(&mut dyn List, Rect)> {
        match self.shown? {
            Shown::Review => self.review.as_mut().map(|review| (&mut review.files as &mut dyn List, draw::table(body))),
            Shown::Queue => Some((&mut self.queue, draw::table(body))),
        }
    }

    /// Takes the rows as they are now.
    pub fn refresh(&mut self, cx: &Context) {
        let area = draw::table(cx.body);
        self.queue.refresh(&cx.view(), area);
        if let Some(review) = &mut self.review {
            review.files.refresh(&cx.view(), area);
        }
    }

    /// Shows the queue.
    pub fn open_queue(&mut self, cx: &Context) {
        self.shown = Some(Shown::Queue);
        self.refresh(cx);
    }

    /// Does what a key means in what covers the pane.
    pub fn act(&mut self, action: Action, cx: &mut Context) {
        let area = draw::table(cx.body);
        match self.shown {
            Some(Shown::Review) => {
                if self.review.as_mut().is_some_and(|review| review.files.act(action, area)) {
                    return;
                }
                self.act_on_review(action, cx);
            }
            Some(Shown::Queue) if !self.queue.act(action, area) => self.act_on_queue(action, cx),
            _ => {}
        }
        self.refresh(cx);
    }

    // The review.

    fn act_on_review(&mut self, action: Action, cx: &mut Context) {
        let Some(review) = &mut self.review else { return };
        let selected = review.files.selected().map(|file| file.id);
        match action {
            Action::Back => self.shown = None,
            Action::Uploads => self.open_queue(cx),
            Action::Refresh => {
                review.files.source.iter_mut().for_each(|file| file.learn(None));
                self.inspect(cx);
            }
            Action::Add => {
                let base = review.base.clone();
                self.open_finder(base, cx);
            }
            Action::Remove => {
                let rows = &mut review.files.source.rows;
                rows.retain(|file| Some(file.id) != selected);
                find_twins(rows);
                if rows.is_empty() {
                    (self.review, self.shown) = (None, None);
                }
            }
            Action::Edit | Action::Open => {
                review.editing = selected;
                if let Some(file) = review.files.selected() {
                    cx.open(NAME, FormDialog::new(file.file(), "keep", candidate::form(file)));
                }
            }
            Action::IncludeSent => {
                if let Some(file) = review.files.source.iter_mut().find(|file| Some(file.id) == selected) {
                    file.again = !file.again;
                }
            }
            Action::Submit => self.confirm(cx),
            _ => {}
        }
    }

    fn confirm(&self, cx: &mut Context) {
        let Some(review) = &self.review else { return };
        let files = &review.files.source;
        let ready = ready(files, &cx.view());
        let (sum, again) = (ready.iter().map(|file| file.size).sum(), files.iter().filter(|file| file.again).count());
        let mut details = Details::new(16)
            .field("Knowledgebase", format!("{}  (id {})", clean(&review.base.1), review.base.0))
            .field("Files", format!("{}, {}", count(ready.len() as u64, "file", "files"), size(sum)));
        if again > 0 {
            let text = format!("{} although uploaded before", count(again as u64, "file", "files"));
            details = details.field("Again", text).styled(cx.options.theme.warning);
        }
        if let Some(left) = files.len().checked_sub(ready.len()).filter(|left| *left > 0) {
            details = details.field("Left out", count(left as u64, "file", "files")).styled(cx.options.theme.warning);
        }
        let details =
            details.text("").text("They are uploaded one after the other. The queue is kept when the program ends.");
        let title = format!("Upload {}?", count(ready.len() as u64, "file", "files"));
        cx.open(UPLOAD, Confirm::new(title, details, "upload"));
    }

    /// Reads the next file that was not read yet.
    pub(super) fn inspect(&mut self, cx: &mut Context) {
        let Some(review) = self.review.as_mut().filter(|review| review.inspecting.is_none()) else { return };
        if let Some(file) = review.files.source.iter().find(|file| file.is_unread()) {
            let request = StorageRequest::InspectFile { path: file.path.clone(), server: self.server.clone() };
            review.inspecting = Some((cx.run(Origin::new(super::super::ID.0), request), file.id));
        }
    }

    /// Takes a reply to the review; any other report comes back.
    pub(super) fn review_reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        let Some(review) = &mut self.review else { return Some(report) };
        if review.queueing == Some(report.id) {
            review.queueing = None;
            match report.result {
                Ok(Answer::Stored(StorageReply::Uploads(uploads))) => {
                    self.review = None;
                    self.open_queue(cx);
                    (self.going, self.stopped, self.failures) = (true, None, 0);
                    self.take(uploads, cx);
                }
                Ok(_) => {}
                Err(failure) => cx.problem(format!("Nothing was queued: {}.", explain(&failure))),
            }
            return None;
        }
        let Some((_, id)) = review.inspecting.take_if(|(task, _)| *task == report.id) else { return Some(report) };
        if let Some(file) = review.files.source.iter_mut().find(|file| file.id == id) {
            file.learn(Some(match report.result {
                Ok(Answer::Stored(StorageReply::Inspected(facts))) => facts,
                Ok(_) => Err("the program has lost a reply".to_owned()),
                Err(failure) => Err(explain(&failure)),
            }));
        }
        // Rows are drawn as they are; order and widths of hundreds are taken now and then.
        if id % ARRANGE_EVERY == 0 || !review.files.source.iter().any(Candidate::is_unread) {
            find_twins(&mut review.files.source.rows);
            self.refresh(cx);
        }
        self.inspect(cx);
        None
    }

    // The queue.

    fn act_on_queue(&mut self, action: Action, cx: &mut Context) {
        match action {
            Action::Back => self.shown = None,
            Action::TogglePause if self.going => self.going = false,
            Action::TogglePause => self.go(cx),
            Action::Delete => drop(self.change(UploadChange::HideDone, cx)),
            Action::Refresh => self.load(cx),
            _ => {}
        }
        let Some(row) = self.queue.selected() else { return };
        let number = row.upload.number;
        match (action, &row.upload.status) {
            (Action::Remove, UploadStatus::Uploading) => {
                if let Some(flight) = self.flight.as_ref().filter(|flight| flight.number == number) {
                    cx.cancel(flight.task);
                }
            }
            (Action::Remove, UploadStatus::Queued) => drop(self.change(UploadChange::Cancel(number), cx)),
            (Action::Remove, UploadStatus::Unknown(_)) if row.looked.is_none() => {
                cx.toast("Look it up first: the document may be there");
            }
            (Action::Remove, _) => drop(self.change(UploadChange::Hide(number), cx)),
            (Action::Copy, _) => cx.copy("Path", row.upload.file.path.to_string_lossy().into_owned()),
            (Action::Open, UploadStatus::Created { .. }) => {
                (self.wanted, self.shown) = (Some(row.upload.knowledgebase_id), None);
            }
            (Action::Open, UploadStatus::Unknown(_)) => match row.looked {
                None if self.looking.is_some() => {}
                None => {
                    let list = Request::ListDocuments { id: row.upload.knowledgebase_id };
                    self.looking = Some((cx.run(Origin::new(super::super::ID.0), list), number));
                }
                Some(_) => self.ask(number, cx),
            },
            (Action::Open, UploadStatus::Refused(_) | UploadStatus::Failed(_) | UploadStatus::Cancelled) => {
                if cx.options.read_only {
                    return cx.toast("Read-only: nothing is uploaded");
                }
                self.change(UploadChange::Queue(number), cx);
                (self.going, self.stopped, self.failures) = (true, None, 0);
            }
            _ => {}
        }
    }

    /// The documents of an unknown upload were listed.
    pub(super) fn looked_up(&mut self, number: i64, report: Report, cx: &mut Context) {
        let answer = match report.result {
            Ok(answer) => answer,
            Err(failure) => return cx.problem(format!("The documents could not be listed: {}.", explain(&failure))),
        };
        let Some(documents) = answer.reply(Reply::list_documents) else { return };
        let owned: Vec<i64> = self.sizes.keys().copied().collect();
        let at = cx.now.wall;
        let Some(row) = self.row_mut(number) else { return };
        let file = &row.upload.file;
        let same = documents.iter().filter(|document| {
            document.name.known() == Some(&file.name)
                && document.kind.known().is_none_or(|kind| *kind == file.kind)
                && document.id.known().is_some_and(|id| !owned.contains(id))
        });
        let found = same.max_by_key(|document| document.id.known().copied());
        let created = |document: &crate::api::Document| document.created_at.known().map(|time| time.0);
        let found = found.and_then(|document| Some((*document.id.known()?, created(document))));
        row.looked = Some(Looked { at, found, denied: false });
        if self.shown == Some(Shown::Queue) {
            self.ask(number, cx);
        }
        self.refresh(cx);
    }

    /// Asks what is to become of an unknown upload whose document was looked for.
    fn ask(&self, number: i64, cx: &mut Context) {
        let Some(row) = self.row(number) else { return };
        let Some(Looked { at, found, denied }) = &row.looked else { return };
        let view = cx.view();
        let time = |at| date_and_time(at, view.now.wall, view.zone);
        let details = Details::new(16)
            .field("File", row.upload.file.path.to_string_lossy())
            .field("Knowledgebase", clean(&row.upload.knowledgebase))
            .field("Outcome unknown", time(row.upload.changed))
            .field("Listed", time(*at));
        let taken = found.filter(|_| !denied);
        let Some((id, created)) = taken else {
            let other = found.map(|(id, _)| format!("document {id}, which you did not take for it"));
            let details = details
                .field("In the list", other.unwrap_or_else(|| "no document of this name and type".to_owned()))
                .text("")
                .text("The file is uploaded once more. Where the server takes long, the first one may still appear.");
            return cx.open(AGAIN, Confirm::new("Upload it again?", details, "upload again"));
        };
        let created = created.map(|created| format!(", created {}", time(created))).unwrap_or_default();
        let about = "A document of this name and type is there that no other upload from here has made. After Esc, the \
                     next look asks whether to upload the file again.";
        let details = details
            .field("In the list", format!("{}  (id {id}{created})", clean(&row.upload.file.name)))
            .text("")
            .text(about);
        cx.open(FOUND, Confirm::new("Is this the document?", details, "mark as uploaded"));
    }

    // Dialogs.

    /// An overlay was answered or changed; false where it is not about uploads.
    pub fn overlay(&mut self, event: OverlayEvent, cx: &mut Context) -> bool {
        let selected = self.queue.selected().map(|row| (row.upload.number, row.looked.clone()));
        match event {
            OverlayEvent::Changed(FIND) => self.complete(cx),
            OverlayEvent::Submitted(FIND) => self.submit_find(cx),
            OverlayEvent::Cancelled(FIND) => self.finder = None,
            OverlayEvent::Submitted(NAME) => self.submit_name(cx),
            OverlayEvent::Changed(NAME) => {
                if let Some(form) = cx.overlays.form(NAME) {
                    let faults = candidate::label(form).faults();
                    form.set_errors(faults);
                }
            }
            OverlayEvent::Confirmed(UPLOAD) => {
                if let Some(review) = &self.review {
                    let files = ready(&review.files.source, &cx.view());
                    let task = self.change(UploadChange::Add(review.base.0, review.base.1.clone(), files), cx);
                    self.review.iter_mut().for_each(|review| review.queueing = Some(task));
                }
            }
            OverlayEvent::Confirmed(FOUND) => {
                if let Some((number, Some(Looked { found: Some((id, _)), .. }))) = selected {
                    self.change(UploadChange::Found(number, id), cx);
                }
            }
            OverlayEvent::Confirmed(AGAIN) => {
                if let Some((number, Some(_))) = selected {
                    self.change(UploadChange::Queue(number), cx);
                    (self.going, self.stopped, self.failures) = (true, None, 0);
                }
            }
            OverlayEvent::Cancelled(name @ (FOUND | AGAIN)) => {
                let row = selected.and_then(|(number, _)| self.row_mut(number));
                if let Some(looked) = row.and_then(|row| row.looked.as_mut()) {
                    looked.denied = name == FOUND;
                }
            }
            OverlayEvent::Cancelled(NAME | UPLOAD) => {}
            _ => return false,
        }
        true
    }

    fn submit_name(&mut self, cx: &mut Context) {
        let (Some(form), Some(review)) = (cx.overlays.form(NAME), &mut self.review) else { return };
        let label = candidate::label(form);
        let faults = label.faults();
        if !faults.is_empty() {
            return drop(form.set_errors(faults));
        }
        let file = review.files.source.iter_mut().find(|file| Some(file.id) == review.editing);
        if let Some(file) = file {
            let description = label.description.new_value().cloned().unwrap_or_default();
            file.rename(label.name.unwrap_or_default(), description);
        }
        cx.overlays.close(NAME);
        self.refresh(cx);
    }
}

/// The files that would be uploaded.
pub fn ready(files: &Rows<Candidate>, view: &View<'_>) -> Vec<UploadFile> {
    let ready = files.iter().filter(|file| file.verdict(view) == Verdict::Ready);
    ready.filter_map(Candidate::upload).collect()
}

/// Notes of each file whether one before it has the same content.
fn find_twins(files: &mut [Candidate]) {
    let mut seen: HashMap<String, String> = HashMap::new();
    for file in files {
        let Some(digest) = file.known().map(|facts| facts.digest.clone()) else { continue };
        file.twin = seen.get(&digest).cloned();
        let name = file.file();
        seen.entry(digest).or_insert(name);
    }
}
