//! One template to many: file, columns, dry run, confirm dialog, hold, and the batch while it runs.
//!
//! A batch begins in one place only, [`Bulk::begin`]: after the confirm dialog, and at the end of the hold.

mod draw;
mod form;
mod format;
mod pane;
mod problems;
mod review;
mod running;
mod setup;

use self::form::{Columns, PATH};
use self::review::Review;
use self::running::RunningBatch;
use self::setup::BatchSetup;
use super::{MessagingData, keys};
use crate::api::rules::Fault;
use crate::client::Failure;
use crate::messaging::batch::{Mapping, Table};
use crate::records::{StorageReply, StorageRequest, Unfinished};
use crate::tasks::{Answer, Task};
use crate::ui::action::{Action, FieldStep, Scope};
use crate::ui::input::Input;
use crate::ui::message::Moment;
use crate::ui::pane::View;
use crate::ui::panes::explain;
use crate::ui::widgets::confirm::Confirm;
use crate::ui::widgets::form::{Form, FormEvent};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A hold that ends so much late was slept through: nobody could take the batch back.
const SLEPT: Duration = Duration::from_secs(5);

const STOPPED: &str = "Taken back: the program was stopped meanwhile. Nothing was sent.";

/// What a request was for. Replies to all but the last request of a kind that has a number are stale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BatchRequest {
    /// The names in a folder, to complete the path.
    Folder(String),
    File(u64),
    Unfinished,
    SaveBatch,
    /// What was sent before.
    Lookup(u64),
    /// The row on this line.
    Row(u64),
    Results,
}

/// What became of an action.
#[derive(Debug, Clone, PartialEq, Default)]
#[must_use]
pub(super) enum BatchEvent {
    #[default]
    Stay,
    /// Back to the lists.
    Leave,
    /// A confirm dialog is to open.
    Confirm(Box<Confirm>),
}

/// What the view may look at.
#[derive(Debug, Clone, Copy)]
pub(super) struct BatchContext<'a> {
    pub(super) known: &'a MessagingData,
    pub(super) view: View<'a>,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
struct File {
    path: PathBuf,
    bytes: Arc<[u8]>,
    table: Arc<Table>,
}

impl File {
    /// The names of the columns, for people.
    fn column_names(&self) -> Vec<String> {
        let name = |(at, name): (usize, &String)| {
            if name.is_empty() { format!("column {}", at + 1) } else { name.clone() }
        };
        self.table.header.iter().enumerate().map(name).collect()
    }
}

/// The seconds between the confirm dialog and the first row; when they end.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Hold(Moment);

impl Hold {
    /// How long ago it ended; `None` before. The steady clock may stand still while the machine sleeps, the wall clock
    /// does not.
    fn ended(self, now: Moment) -> Option<Duration> {
        let late = now.mono.checked_sub(self.0.mono)?;
        Some(late.max(Duration::try_from(now.wall.duration_since(self.0.wall)).unwrap_or_default()))
    }

    /// How long it lasts from now on.
    fn left(self, now: Moment) -> Duration {
        self.0.mono.saturating_sub(now.mono)
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Stage {
    /// The path is typed. True while the file is read.
    File(bool),
    Columns(Box<Columns>),
    Review(Box<Review>),
    /// It was confirmed, and can be taken back.
    Held(Box<Review>, Hold),
    /// It was started, and may be over.
    Running(Box<RunningBatch>),
}

/// The view for many recipients.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bulk {
    setup: BatchSetup,
    path: Form,
    /// The folder of the typed path as it is typed, and the names in it.
    folder: Option<(String, Vec<String>)>,
    /// Shown until the next key.
    note: Option<String>,
    stage: Stage,
    /// The last batch, where rows of it are left.
    unfinished: Option<Box<Unfinished>>,
    /// File and columns of a batch that is resumed.
    resumed: Option<(PathBuf, Mapping)>,
    /// Number of the last request for a file or of a lookup.
    number: u64,
    requests: Vec<(BatchRequest, Task)>,
}

impl Bulk {
    /// The view as it opens. `before` is the one that was left: its path is suggested.
    fn new(setup: BatchSetup, before: Option<&Self>) -> Self {
        let (path, number) = before.map_or(("", 0), |before| (before.path.text_of(PATH), before.number + 1));
        let mut bulk = Self {
            setup,
            path: form::path(path),
            folder: None,
            note: None,
            stage: Stage::File(false),
            unfinished: None,
            resumed: None,
            number,
            requests: vec![(BatchRequest::Unfinished, StorageRequest::FindUnfinishedBatch.into())],
        };
        bulk.complete();
        bulk
    }

    fn running(&self) -> Option<&RunningBatch> {
        if let Stage::Running(running) = &self.stage { Some(running) } else { None }
    }

    fn take_stage(&mut self) -> Stage {
        std::mem::replace(&mut self.stage, Stage::File(false))
    }

    pub(super) fn scopes(&self) -> &'static [Scope] {
        use keys::{BATCH, BATCH_COLUMNS, BATCH_FILE, BATCH_HELD, BATCH_REVIEW, BATCH_RUNNING};
        match &self.stage {
            Stage::File(_) => &[BATCH_FILE, Scope::FORM, Scope::TEXT, Scope::EVERYWHERE],
            Stage::Columns(_) => &[BATCH_COLUMNS, Scope::FORM, Scope::CHOICE, Scope::PANES, Scope::EVERYWHERE],
            Stage::Review(_) => &[BATCH_REVIEW, BATCH, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE],
            Stage::Held(..) => &[BATCH_HELD, BATCH, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE],
            Stage::Running(_) => &[BATCH_RUNNING, BATCH, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE],
        }
    }

    /// Why an action cannot be done now.
    pub(super) fn disabled(&self, action: Action) -> Option<&'static str> {
        match (&self.stage, action) {
            (Stage::File(_), Action::Resume) if self.unfinished.is_none() => Some("no batch was interrupted"),
            (Stage::Review(review), Action::IncludeSent) if !review.was_sent_before() => {
                Some("nobody was sent this before")
            }
            (Stage::Running(running), action) => running.disabled(action),
            _ => None,
        }
    }

    /// What the bottom line says of an action.
    pub(super) fn hint(&self, action: Action) -> Option<&'static str> {
        match (&self.stage, action) {
            (Stage::File(_), Action::Field(FieldStep::Enter)) => Some("read the file"),
            (Stage::File(_), Action::Field(FieldStep::Next)) => Some("complete"),
            (Stage::Held(..), Action::Back) => Some("leave"),
            (Stage::Running(running), action) => running.hint(action),
            _ => None,
        }
    }

    fn act(&mut self, action: Action, cx: &BatchContext<'_>) -> BatchEvent {
        self.note = None;
        let below = draw::below(self, cx);
        if let (Action::Move(motion), Some(problems)) = (action, draw::table(&mut self.stage)) {
            problems.step(motion, below);
        }
        let now = cx.view.now.mono;
        match (self.take_stage(), action) {
            (Stage::File(false), Action::Resume) => self.resume(cx),
            (Stage::File(reads), _) => {
                let event = self.path.act(action);
                return self.path_event(event, reads);
            }
            (Stage::Columns(mut columns), _) => match columns.form.act(action) {
                FormEvent::Submit => {
                    let (file, mapping) = columns.into_mapped();
                    self.review(file, mapping, cx);
                }
                FormEvent::Cancel => {}
                _ => self.stage = Stage::Columns(columns),
            },
            (Stage::Review(_), Action::Back) => {}
            (Stage::Review(review), Action::Edit) => {
                let Review { file, mapping, .. } = *review;
                self.stage = Stage::Columns(Box::new(Columns::new(file, mapping)));
            }
            (Stage::Review(mut review), Action::IncludeSent) => {
                review.toggle_sent(&self.setup);
                self.stage = Stage::Review(review);
            }
            (Stage::Review(review), Action::Submit) => return self.submit(review, cx),
            (Stage::Held(review, _), Action::CancelBatch) => {
                self.take_back(review, "Taken back: nothing was sent.");
            }
            (Stage::Running(mut running), _) => {
                let event = running.act(action, now);
                self.stage = Stage::Running(running);
                self.pump(now);
                return event;
            }
            (stage, action) => {
                let leaves = matches!((&stage, action), (Stage::Held(..), Action::Back));
                self.stage = stage;
                return if leaves { BatchEvent::Leave } else { BatchEvent::Stay };
            }
        }
        BatchEvent::Stay
    }

    /// Takes typed characters and pastes.
    pub(super) fn text(&mut self, input: &Input) {
        if let Stage::File(reads) = self.stage {
            let event = self.path.text(input);
            let _ = self.path_event(event, reads);
        }
    }

    pub(super) fn click(&mut self, (x, y): (u16, u16), cx: &BatchContext<'_>) {
        let below = draw::below(self, cx);
        match &mut self.stage {
            &mut Stage::File(reads) => {
                self.path.resize(below);
                let event = self.path.click(x, y);
                let _ = self.path_event(event, reads);
            }
            Stage::Columns(columns) => {
                columns.form.resize(below);
                columns.form.click(x, y);
            }
            stage => drop(draw::table(stage).map(|problems| problems.click(y, below))),
        }
    }

    // The file.

    fn path_event(&mut self, event: FormEvent, reads: bool) -> BatchEvent {
        self.stage = Stage::File(reads && !matches!(event, FormEvent::Changed | FormEvent::Cancel));
        match event {
            FormEvent::Submit if !reads => self.read(),
            FormEvent::Changed => self.complete(),
            FormEvent::Cancel => return BatchEvent::Leave,
            _ => {}
        }
        BatchEvent::Stay
    }

    /// Suggests names in the folder of the typed path, once they are there.
    fn complete(&mut self) {
        let typed = self.path.text_of(PATH).to_owned();
        let folder = &typed[..typed.rfind('/').map_or(0, |slash| slash + 1)];
        match &self.folder {
            Some((known, names)) if known == folder => {
                let items = form::completions(folder, names, &typed);
                self.path.offer(PATH, items);
            }
            _ => {
                self.folder = Some((folder.to_owned(), Vec::new()));
                self.path.offer(PATH, Vec::new());
                let request = StorageRequest::ListFolder(PathBuf::from(folder));
                self.requests.push((BatchRequest::Folder(folder.to_owned()), request.into()));
            }
        }
    }

    /// Resumes the interrupted batch: its file, sender, template and columns.
    fn resume(&mut self, cx: &BatchContext<'_>) {
        let Some(Unfinished { of, .. }) = self.unfinished.as_deref() else { return };
        match BatchSetup::new(cx.known, cx.view.options, of.sender_id, of.template.id) {
            Ok(setup) => {
                self.setup = setup;
                self.resumed = Some((of.path.clone(), of.mapping.clone()));
                self.path.set(PATH, &of.path.to_string_lossy());
                self.read();
            }
            Err(why) => self.refuse(format!("The batch cannot be resumed: {why}.")),
        }
    }

    fn refuse(&mut self, why: String) {
        self.path.set_refused(vec![Fault::new(PATH, why)]);
    }

    fn read(&mut self) {
        let Some(path) = format::path(self.path.text_of(PATH)) else {
            return self.refuse("Type the path of a file.".to_owned());
        };
        self.number += 1;
        self.stage = Stage::File(true);
        self.requests.push((BatchRequest::File(self.number), StorageRequest::ReadFile(path).into()));
    }

    fn file_came(&mut self, bytes: Vec<u8>, cx: &BatchContext<'_>) {
        let table = match Table::read(&bytes) {
            Ok(table) => Arc::new(table),
            Err(fault) => return self.refuse(fault.to_string()),
        };
        let path = format::path(self.path.text_of(PATH)).unwrap_or_default();
        let file = File { path, bytes: bytes.into(), table };
        let (header, variables) = (&file.table.header, self.setup.message.preview.variables());
        let resumed = self.resumed.take().filter(|(path, chosen)| *path == file.path && chosen.fits(header, variables));
        let mapping = resumed.map_or_else(|| Mapping::guess(header, variables), |(_, chosen)| chosen);
        if mapping.missing().is_empty() {
            self.review(file, mapping, cx);
        } else {
            self.stage = Stage::Columns(Box::new(Columns::new(file, mapping)));
        }
    }

    // The dry run.

    /// Checks every row, and looks up what was sent before.
    fn review(&mut self, file: File, mapping: Mapping, cx: &BatchContext<'_>) {
        self.number += 1;
        let review = Review::new(file, mapping, &self.setup, self.number, cx.view.now.wall);
        self.requests.extend(next_lookup(&review));
        self.stage = Stage::Review(Box::new(review));
        if cx.view.options.read_only {
            self.note = Some("Read-only: this is a dry run, nothing is sent.".to_owned());
        }
    }

    fn looked_up(&mut self, number: u64, result: Result<Answer, Failure>) {
        let Stage::Review(review) = &mut self.stage else { return };
        match result {
            _ if review.lookup != number => {}
            Ok(Answer::Stored(StorageReply::Entries(entries))) => {
                review.looked_up(entries, &self.setup);
                self.requests.extend(next_lookup(review));
            }
            Ok(_) => review.lookup_failure = Some("the program has lost a reply".to_owned()),
            Err(failure) => review.lookup_failure = Some(explain(&failure)),
        }
    }

    fn submit(&mut self, review: Box<Review>, cx: &BatchContext<'_>) -> BatchEvent {
        let mut event = BatchEvent::Stay;
        match (review.blocked(cx.view.options.read_only), review.progress()) {
            (Some(why), _) => self.note = Some(format!("Not now: {why}.")),
            // All of it was sent before: nothing to confirm, but results to write.
            (None, Some(progress)) if progress.left == 0 => {
                self.begin(review, cx);
                return event;
            }
            _ => event = BatchEvent::Confirm(Box::new(draw::confirm(self, &review, cx))),
        }
        self.stage = Stage::Review(review);
        event
    }

    /// The confirm dialog was answered with yes.
    fn confirmed(&mut self, cx: &BatchContext<'_>) {
        let hold = cx.view.options.settings.messaging.hold;
        match self.take_stage() {
            Stage::Review(review) if hold.is_zero() => self.begin(review, cx),
            Stage::Review(review) => self.stage = Stage::Held(review, Hold(cx.view.now.plus(hold))),
            stage => self.stage = stage,
        }
    }

    fn take_back(&mut self, review: Box<Review>, why: &str) {
        self.note = Some(why.to_owned());
        self.stage = Stage::Review(review);
    }

    /// Starts the batch, if sender and template are still as they were confirmed.
    fn begin(&mut self, review: Box<Review>, cx: &BatchContext<'_>) {
        let (message, options) = (&self.setup.message, cx.view.options);
        let changed = match BatchSetup::new(cx.known, options, message.sender_id, message.template_id) {
            Ok(setup) if setup == self.setup => review.blocked(options.read_only),
            Ok(_) => Some("the template has changed meanwhile".to_owned()),
            Err(why) => Some(why),
        };
        if let Some(why) = changed {
            return self.take_back(review, &format!("Nothing was sent: {why}."));
        }
        match RunningBatch::start(review, cx.view.now.mono) {
            Ok(running) => {
                let save = StorageRequest::SaveBatch(running.to_resume(&self.setup));
                self.requests.push((BatchRequest::SaveBatch, save.into()));
                self.stage = Stage::Running(Box::new(running));
                self.pump(cx.view.now.mono);
            }
            Err(review) => self.stage = Stage::Review(review),
        }
    }

    // The batch.

    /// Hands out the rows that may leave now, and the results at the end.
    fn pump(&mut self, now: Duration) {
        if let Stage::Running(running) = &mut self.stage {
            self.requests.extend(running.pump(now));
        }
    }

    pub(super) fn tick(&mut self, cx: &BatchContext<'_>) {
        match self.take_stage() {
            Stage::Held(review, hold) => match hold.ended(cx.view.now) {
                None => self.stage = Stage::Held(review, hold),
                Some(late) if late > SLEPT => {
                    self.take_back(review, STOPPED);
                }
                Some(_) => self.begin(review, cx),
            },
            stage => self.stage = stage,
        }
        self.pump(cx.view.now.mono);
    }

    /// When something is due, or changes while it is `shown`.
    pub(super) fn next_change(&self, now: Moment, shown: bool) -> Option<Duration> {
        match &self.stage {
            Stage::Held(_, hold) => Some(now.mono + format::to_next_second(hold.left(now))),
            Stage::Running(running) => running.next_change(now.mono, shown),
            Stage::File(_) | Stage::Columns(_) | Stage::Review(_) => None,
        }
    }

    /// The program stops, or is suspended: a held batch is taken back, a running one goes on.
    pub(super) fn stopped(&mut self) {
        match self.take_stage() {
            Stage::Held(review, _) => {
                self.take_back(review, STOPPED);
            }
            stage => self.stage = stage,
        }
    }

    /// The server asked to wait with a row.
    pub(super) fn retries_at(&mut self, at: Duration) {
        if let Stage::Running(running) = &mut self.stage {
            running.retries_at(at);
        }
    }

    fn reply(&mut self, request: BatchRequest, result: Result<Answer, Failure>, cx: &BatchContext<'_>) {
        match (request, &mut self.stage, result) {
            (BatchRequest::Folder(folder), _, Ok(Answer::Stored(StorageReply::Names(names)))) => {
                if let Some((_, known)) = self.folder.as_mut().filter(|(path, _)| *path == folder) {
                    *known = names;
                    self.complete();
                }
            }
            (BatchRequest::File(number), Stage::File(reads @ true), result) if number == self.number => {
                *reads = false;
                match result {
                    Ok(Answer::Stored(StorageReply::File(bytes))) => self.file_came(bytes, cx),
                    Ok(_) => {}
                    Err(failure) => self.refuse(explain(&failure)),
                }
            }
            (BatchRequest::Unfinished, _, Ok(Answer::Stored(StorageReply::UnfinishedBatch(batch)))) => {
                self.unfinished = batch;
            }
            (BatchRequest::SaveBatch, _, Err(failure)) => {
                self.note = Some(format!("If interrupted, this batch cannot be resumed: {}.", explain(&failure)));
            }
            (BatchRequest::Lookup(number), _, result) => self.looked_up(number, result),
            (BatchRequest::Row(line), Stage::Running(running), result) => running.sent(line, result, cx.view.now.mono),
            (BatchRequest::Results, Stage::Running(running), result) => running.written(result),
            _ => {}
        }
        self.pump(cx.view.now.mono);
    }
}

fn next_lookup(review: &Review) -> Option<(BatchRequest, Task)> {
    review.earlier.wants().map(|request| (BatchRequest::Lookup(review.lookup), request.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hold_that_was_slept_through_ended_long_ago_by_either_clock() {
        let seconds = Duration::from_secs;
        let now = Moment { wall: jiff::Timestamp::UNIX_EPOCH, mono: Duration::ZERO };
        let hold = Hold(now.plus(seconds(5)));
        assert_eq!((hold.ended(now), hold.left(now)), (None, seconds(5)));
        assert_eq!(hold.ended(now.plus(seconds(6))), Some(seconds(1)));
        assert!(hold.ended(now.plus(seconds(60))).unwrap() > SLEPT, "the program was stopped");
        let slept = Moment { mono: seconds(5), ..now.plus(seconds(60)) };
        assert!(hold.ended(slept).unwrap() > SLEPT, "the machine slept");
    }
}
