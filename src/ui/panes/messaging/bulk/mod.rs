//! One template to many: file, columns, dry run, confirm dialog, hold, and the batch while it runs.
//!
//! A batch begins in one place only, [`Bulk::begin`]: after the confirm dialog, and at the end of the hold.

mod draw;
mod dry_run;
mod form;
mod pane;
mod paths;
mod rows;
mod running;
mod setup;

pub(super) use self::pane::tell_unfinished;

use self::dry_run::DryRun;
use self::form::{ColumnsForm, PATH};
use self::rows::BatchRow;
use self::running::{ResultsFile, RunningBatch};
use self::setup::BatchSetup;
use super::{MessagingData, keys};
use crate::api::Rows;
use crate::api::rules::Fault;
use crate::messaging::batch::{Mapping, Table};
use crate::records::{BatchOf, Entry, StorageReply, StorageRequest, Unfinished};
use crate::tasks::{Answer, Task, TaskId};
use crate::ui::action::FieldStep;
use crate::ui::held::{Held, Hold};
use crate::ui::prelude::*;
use crate::ui::widgets::form::{FormEvent, completions};
use std::path::PathBuf;
use std::sync::Arc;

const STOPPED: &str = "Taken back: the program was stopped meanwhile. Nothing was sent.";
/// The name of the confirm dialog.
const CONFIRM: &str = "batch";

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BatchRequest {
    /// The names in a folder, to complete the path.
    Folder,
    /// The files of earlier batches.
    Recent,
    File,
    Unfinished,
    SaveBatch,
    /// Other programs may send it.
    End,
    /// What was sent before.
    Lookup,
    /// The row on this line.
    Row(u64),
    Results,
}

/// A file of recipients that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
struct RecipientFile {
    path: PathBuf,
    bytes: Arc<[u8]>,
    table: Arc<Table>,
}

#[derive(Debug, Clone, PartialEq)]
enum BatchStage {
    /// The path is typed, or the file is read.
    File,
    Columns(Box<ColumnsForm>),
    /// What would be sent, or is held.
    DryRun(Box<DryRun>),
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
    /// The files of earlier batches, the newest first.
    recent: Vec<PathBuf>,
    /// Shown until the next key.
    note: Option<String>,
    stage: BatchStage,
    /// In the dry run all rows, those that need attention first; then these alone, those with unknown outcomes first.
    rows: Browser<Rows<BatchRow>>,
    /// The last batch, where rows of it are left.
    unfinished: Option<Box<Unfinished>>,
    /// File and columns of a batch that is resumed.
    resumed: Option<(PathBuf, Mapping)>,
    /// Replies to any other request are stale.
    pending: Vec<(TaskId, BatchRequest)>,
}

impl Bulk {
    /// The view as it opens. `before` is the one that was left: its path is suggested.
    fn new(setup: BatchSetup, before: Option<&Self>, cx: &mut Context) -> Self {
        let mut bulk = Self {
            setup,
            path: form::path(before.map_or("", |before| before.path.text_of(PATH))),
            folder: None,
            recent: Vec::new(),
            note: None,
            stage: BatchStage::File,
            rows: Browser::default(),
            unfinished: None,
            resumed: None,
            pending: Vec::new(),
        };
        bulk.request(BatchRequest::Unfinished, StorageRequest::FindUnfinishedBatch, cx);
        bulk.request(BatchRequest::Recent, StorageRequest::ListBatchFiles, cx);
        bulk.complete(cx);
        bulk
    }

    /// Runs a request. It takes the place of the last one for the same.
    fn request(&mut self, request: BatchRequest, task: impl Into<Task>, cx: &mut Context) {
        self.pending.retain(|(_, other)| *other != request);
        self.pending.push((cx.run(Origin::new(super::ID.0), task), request));
    }

    fn is_reading(&self) -> bool {
        self.pending.iter().any(|(_, request)| *request == BatchRequest::File)
    }

    fn hold(&self) -> Option<Hold> {
        if let BatchStage::DryRun(dry_run) = &self.stage { dry_run.hold } else { None }
    }

    fn running(&self) -> Option<&RunningBatch> {
        if let BatchStage::Running(running) = &self.stage { Some(running) } else { None }
    }

    pub(super) fn scopes(&self) -> &'static [Scope] {
        use keys::{BATCH, BATCH_COLUMNS, BATCH_FILE, BATCH_HELD, BATCH_REVIEW, BATCH_RUNNING};
        match &self.stage {
            BatchStage::File => &[BATCH_FILE, Scope::FORM, Scope::TEXT, Scope::EVERYWHERE],
            BatchStage::Columns(_) => &[BATCH_COLUMNS, Scope::FORM, Scope::CHOICE, Scope::PANES, Scope::EVERYWHERE],
            BatchStage::DryRun(dry_run) if dry_run.hold.is_some() => {
                &[BATCH_HELD, BATCH, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE]
            }
            BatchStage::DryRun(_) => &[BATCH_REVIEW, BATCH, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE],
            BatchStage::Running(_) => &[BATCH_RUNNING, BATCH, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE],
        }
    }

    /// Why an action cannot be done now.
    pub(super) fn disabled(&self, action: Action) -> Option<&'static str> {
        match (&self.stage, action) {
            (BatchStage::File, Action::Resume) if self.unfinished.is_none() => Some("no batch was interrupted"),
            (BatchStage::DryRun(dry_run), Action::IncludeSent) if !dry_run.was_sent_before() => {
                Some("nobody was sent this before")
            }
            (BatchStage::Running(running), Action::TogglePause | Action::CancelBatch) => {
                let cancelled = running.batch.is_cancelled().then_some("the batch was cancelled");
                running.batch.is_over().then_some("the batch is over").or(cancelled)
            }
            (BatchStage::Running(running), Action::Save) if !matches!(running.results, ResultsFile::Failed(_)) => {
                Some("there are no results left to write")
            }
            _ => None,
        }
    }

    /// What the bottom line says of an action.
    pub(super) fn hint(&self, action: Action) -> Option<&'static str> {
        match (&self.stage, action) {
            (BatchStage::File, Action::Field(FieldStep::Enter)) => Some("read the file"),
            (BatchStage::File, Action::Field(FieldStep::Next)) => Some("complete"),
            (BatchStage::DryRun(dry_run), Action::Back) if dry_run.hold.is_some() => Some("leave"),
            (BatchStage::Running(running), Action::TogglePause) if running.batch.is_paused() => Some("resume"),
            (BatchStage::Running(running), Action::CancelBatch) if running.is_cancelling => {
                Some("again to cancel; any other key does not")
            }
            (BatchStage::Running(running), Action::Back) if running.batch.is_over() => Some("close"),
            (BatchStage::Running(_), Action::Back) => Some("leave it running"),
            _ => None,
        }
    }

    /// What quitting would interrupt.
    pub(super) fn interrupts(&self) -> Option<&'static str> {
        match self.running() {
            _ if self.hold().is_some() => Some("A batch is about to start: q again quits, and nothing is sent"),
            Some(running) if !running.batch.is_over() => {
                Some("A batch is being sent: q again quits; it can be resumed")
            }
            _ => None,
        }
    }

    /// `batch 37 of 200`, for the tab line.
    pub(super) fn progress(&self) -> Option<String> {
        if self.hold().is_some() {
            return Some("batch about to start".to_owned());
        }
        let running = self.running().filter(|running| !running.batch.is_over())?;
        let paused = if running.batch.is_paused() { ", paused" } else { "" };
        Some(format!("batch {} of {}{paused}", running.shown.landed(), running.shown.total))
    }

    /// Does what an action means. True where the view is left.
    fn act(&mut self, action: Action, known: &MessagingData, cx: &mut Context) -> bool {
        self.note = None;
        let below = draw::below(self, &cx.view());
        match (&mut self.stage, action) {
            (BatchStage::File, Action::Resume) => self.resume(known, cx),
            (BatchStage::File, _) => {
                let event = self.path.act(action);
                return self.path_event(event, cx);
            }
            (BatchStage::Columns(columns), _) => match columns.form.act(action) {
                FormEvent::Submit => {
                    let (file, mapping) = columns.mapped();
                    self.check(file, mapping, cx);
                }
                FormEvent::Cancel => self.stage = BatchStage::File,
                _ => {}
            },
            (BatchStage::DryRun(_), Action::Move(_)) => _ = self.rows.act(action, below),
            (BatchStage::DryRun(dry_run), _) if dry_run.hold.is_some() => match action {
                Action::Back => return true,
                Action::CancelBatch => self.take_back("Taken back: nothing was sent."),
                _ => {}
            },
            (BatchStage::DryRun(_), Action::Back) => self.stage = BatchStage::File,
            (BatchStage::DryRun(dry_run), Action::Edit) => {
                let columns = ColumnsForm::new(dry_run.file.clone(), dry_run.mapping.clone());
                self.stage = BatchStage::Columns(Box::new(columns));
            }
            (BatchStage::DryRun(dry_run), Action::IncludeSent) => {
                dry_run.toggle_sent(&self.setup);
                self.list_rows(cx);
            }
            (BatchStage::DryRun(_), Action::Submit) => self.submit(known, cx),
            (BatchStage::DryRun(_), _) => {}
            (BatchStage::Running(running), Action::Move(_)) => {
                running.is_cancelling = false;
                self.rows.act(action, below);
            }
            (BatchStage::Running(running), Action::Back) if !running.is_cancelling => return true,
            (BatchStage::Running(_), _) => self.advance(cx, |running, now| running.act(action, now)),
        }
        false
    }

    /// Takes typed characters and pastes.
    pub(super) fn text(&mut self, input: &Input, cx: &mut Context) {
        let event = self.path.text(input);
        self.path_event(event, cx);
    }

    pub(super) fn click(&mut self, mouse: Mouse, cx: &mut Context) {
        let below = draw::below(self, &cx.view());
        match &mut self.stage {
            BatchStage::File => {
                self.path.resize(below);
                let event = self.path.click(mouse.x, mouse.y);
                self.path_event(event, cx);
            }
            BatchStage::Columns(columns) => {
                columns.form.resize(below);
                columns.form.click(mouse.x, mouse.y);
            }
            BatchStage::DryRun(_) | BatchStage::Running(_) => _ = self.rows.mouse(mouse, &cx.view(), below),
        }
    }

    // The file.

    /// Takes what came of a key in the form of the path. True where the view is left.
    fn path_event(&mut self, event: FormEvent, cx: &mut Context) -> bool {
        if matches!(event, FormEvent::Changed | FormEvent::Cancel) {
            self.pending.retain(|(_, request)| *request != BatchRequest::File);
        }
        match event {
            FormEvent::Submit if !self.is_reading() => self.read(cx),
            FormEvent::Changed => self.complete(cx),
            _ => {}
        }
        event == FormEvent::Cancel
    }

    /// Suggests names in the folder of the typed path, once they are there.
    fn complete(&mut self, cx: &mut Context) {
        let typed = self.path.text_of(PATH).to_owned();
        let folder = &typed[..typed.rfind('/').map_or(0, |slash| slash + 1)];
        match &self.folder {
            Some((known, names)) if known == folder => {
                let items = completions(folder, names, &typed, form::is_list);
                self.path.offer(PATH, form::recent(&self.recent, &typed).chain(items).collect());
            }
            _ => {
                self.folder = Some((folder.to_owned(), Vec::new()));
                self.path.offer(PATH, Vec::new());
                self.request(BatchRequest::Folder, StorageRequest::ListFolder(PathBuf::from(folder)), cx);
            }
        }
    }

    /// Resumes the interrupted batch: its file, sender, template and columns.
    fn resume(&mut self, known: &MessagingData, cx: &mut Context) {
        let unfinished = self.unfinished.as_deref().filter(|_| !self.is_reading());
        let Some(Unfinished { of, .. }) = unfinished else { return };
        match BatchSetup::new(known, &cx.options, of.sender_id, of.template.id) {
            Ok(setup) => {
                self.setup = setup;
                self.resumed = Some((of.path.clone(), of.mapping.clone()));
                self.path.set(PATH, &of.path.to_string_lossy());
                self.read(cx);
            }
            Err(why) => self.refuse(format!("The batch cannot be resumed: {why}.")),
        }
    }

    fn refuse(&mut self, why: impl Into<String>) {
        self.path.set_refused(vec![Fault::new(PATH, why)]);
    }

    fn read(&mut self, cx: &mut Context) {
        match paths::path(self.path.text_of(PATH)) {
            Some(path) => self.request(BatchRequest::File, StorageRequest::ReadFile(path), cx),
            None => self.refuse("Type the path of a file."),
        }
    }

    fn file_loaded(&mut self, bytes: Vec<u8>, cx: &mut Context) {
        let table = match Table::read(&bytes) {
            Ok(table) => Arc::new(table),
            Err(fault) => return self.refuse(fault.to_string()),
        };
        let path = paths::path(self.path.text_of(PATH)).unwrap_or_default();
        let file = RecipientFile { path, bytes: bytes.into(), table };
        let (header, variables) = (&file.table.header, self.setup.message.preview.variables());
        let resumed = self.resumed.take().filter(|(path, chosen)| *path == file.path && chosen.fits(header, variables));
        let mapping = resumed.map_or_else(|| Mapping::guess(header, variables), |(_, chosen)| chosen);
        if mapping.missing().is_empty() {
            self.check(file, mapping, cx);
        } else {
            self.stage = BatchStage::Columns(Box::new(ColumnsForm::new(file, mapping)));
        }
    }

    /// The rows of the table have changed, or its area.
    fn arrange(&mut self, cx: &Context) {
        let below = draw::below(self, &cx.view());
        self.rows.refresh(&cx.view(), below);
    }

    /// Lists every row of the dry run. The selection stays on its line; at first it is on the first message.
    fn list_rows(&mut self, cx: &Context) {
        let BatchStage::DryRun(dry_run) = &self.stage else { return };
        let (line, first) = (self.rows.selected().map(|row| row.line), dry_run.first().map(|row| row.line));
        self.rows = Browser::new(dry_run.rows().into());
        self.arrange(cx);
        if let Some(line) = line.or(first) {
            let height = crate::ui::widgets::table::height(draw::below(self, &cx.view()));
            self.rows.state.select(line, height);
        }
    }

    // The dry run.

    /// Checks every row, and looks up what was sent before.
    fn check(&mut self, file: RecipientFile, mapping: Mapping, cx: &mut Context) {
        let repeat = cx.options.settings.messaging.repeat;
        let dry_run = DryRun::new(file, mapping, &self.setup, repeat, (cx.connections, cx.now.wall));
        self.stage = BatchStage::DryRun(Box::new(dry_run));
        self.rows = Browser::default();
        self.list_rows(cx);
        self.look_up(cx);
        if cx.options.read_only {
            self.note = Some("Read-only: this is a dry run, nothing is sent.".to_owned());
        }
    }

    fn look_up(&mut self, cx: &mut Context) {
        if let BatchStage::DryRun(dry_run) = &self.stage
            && let Some(request) = dry_run.earlier.wants()
        {
            self.request(BatchRequest::Lookup, request, cx);
        }
    }

    fn submit(&mut self, known: &MessagingData, cx: &mut Context) {
        let BatchStage::DryRun(dry_run) = &self.stage else { return };
        if let Some(why) = dry_run.blocked(cx.options.read_only) {
            self.note = Some(format!("Not now: {why}."));
        } else if dry_run.progress().is_some_and(|progress| progress.left == 0) {
            // All of it was sent before: nothing to confirm, but results to write.
            self.begin(known, cx);
        } else {
            let confirm = draw::confirm(self, dry_run, &cx.view());
            cx.open(CONFIRM, confirm);
        }
    }

    /// The confirm dialog was answered with yes.
    fn confirmed(&mut self, known: &MessagingData, cx: &mut Context) {
        let hold = cx.options.settings.messaging.hold;
        match &mut self.stage {
            BatchStage::DryRun(dry_run) if !hold.is_zero() => dry_run.hold = Some(Hold::new(cx.now.plus(hold))),
            _ => self.begin(known, cx),
        }
    }

    fn take_back(&mut self, why: impl Into<String>) {
        if let BatchStage::DryRun(dry_run) = &mut self.stage {
            (dry_run.hold, self.note) = (None, Some(why.into()));
        }
    }

    /// Starts the batch, if sender and template are still as they were confirmed.
    fn begin(&mut self, known: &MessagingData, cx: &mut Context) {
        let BatchStage::DryRun(dry_run) = &mut self.stage else { return };
        let message = &self.setup.message;
        let changed = match BatchSetup::new(known, &cx.options, message.sender_id, message.template_id) {
            Ok(setup) if setup == self.setup => dry_run.blocked(cx.options.read_only),
            Ok(_) => Some("the template has changed meanwhile".to_owned()),
            Err(why) => Some(why),
        };
        if let Some(why) = changed {
            return self.take_back(format!("Nothing was sent: {why}."));
        }
        let Some(running) = RunningBatch::start(dry_run, cx.now.mono) else { return };
        let to_resume = BatchOf {
            batch: running.batch.id(),
            sender_id: message.sender_id,
            template: self.setup.sheet.template.clone(),
            path: dry_run.file.path.clone(),
            mapping: dry_run.mapping.clone(),
            rows: running.shown.total,
        };
        let unknown = running.batch.unknown().map(|(line, phone, why)| BatchRow::unknown(line, phone, why));
        self.rows = Browser::new(unknown.collect::<Vec<_>>().into());
        self.stage = BatchStage::Running(Box::new(running));
        self.arrange(cx);
        let text = self.setup.message.preview.body().to_owned();
        self.request(BatchRequest::SaveBatch, StorageRequest::SaveBatch { of: to_resume.into(), text }, cx);
        self.advance(cx, |_, _| ());
    }

    // The batch.

    /// Changes the running batch, sends the rows that may leave now, or writes the results, and reports what happened.
    fn advance(&mut self, cx: &mut Context, change: impl FnOnce(&mut RunningBatch, Instant)) {
        let BatchStage::Running(running) = &mut self.stage else { return };
        let (was_over, had_trouble) = (running.batch.is_over(), running.batch.trouble().is_some());
        change(running, cx.now.mono);
        let requests = running.take_requests(cx.now.mono);
        if let Some(why) = running.batch.trouble().filter(|_| !had_trouble) {
            cx.problem(format!("The batch has paused by itself: {why}. b shows it."));
        }
        if running.batch.is_over() && !was_over {
            let shown = running.shown;
            let others = format!("{} accepted, {} refused", shown.accepted, shown.refused);
            if shown.unknown == 0 {
                cx.toast(format!("The batch is over: {others}, 0 unknown"));
            } else {
                let text = format!("The batch is over: {} unknown (o shows them), {others}", shown.unknown);
                cx.notices.urgent(text, cx.now);
            }
            cx.data.fetch(Item::Account, &mut cx.tasks, cx.now);
        }
        for (request, task) in requests {
            self.request(request, task, cx);
        }
    }

    /// What the recipient of a row reads; `None` where that may be a code.
    fn text_of(&self, entry: &Entry) -> Option<String> {
        let line = entry.intent.row.as_ref().filter(|_| !self.setup.sheet.is_code)?.line;
        let (row, _) = self.running()?.batch.row(line)?;
        Some(self.setup.message.preview.text_of(&row.message.variables))
    }

    pub(super) fn tick(&mut self, known: &MessagingData, cx: &mut Context) {
        match self.hold().map(|hold| hold.at(cx.now)) {
            Some(Held::Over) => self.begin(known, cx),
            Some(Held::Slept) => self.take_back(STOPPED),
            Some(Held::Still) | None => self.advance(cx, |_, _| ()),
        }
    }

    /// When something is due, or changes while it is `shown`.
    pub(super) fn next_change(&self, now: Instant, shown: bool) -> Option<Instant> {
        let held = self.hold().map(|hold| hold.next_change(now));
        held.or_else(|| self.running()?.next_change(now, shown))
    }

    /// The program stops, or is suspended: a held batch is taken back, a running one goes on.
    pub(super) fn stopped(&mut self) {
        if self.hold().is_some() {
            self.take_back(STOPPED);
        }
    }

    /// The server asked to wait with this request.
    pub(super) fn retried(&mut self, id: TaskId, until: Instant) {
        if let BatchStage::Running(running) = &mut self.stage
            && self.pending.iter().any(|(pending, _)| *pending == id)
        {
            running.retry_at = running.retry_at.max(Some(until));
        }
    }

    /// Takes a reply. Returns the entry of a row that was sent.
    fn reply(&mut self, report: Report, cx: &mut Context) -> Option<Box<Entry>> {
        let at = self.pending.iter().position(|(id, _)| *id == report.id)?;
        let (_, request) = self.pending.remove(at);
        if let (BatchRequest::Lookup, BatchStage::DryRun(dry_run)) = (request, &mut self.stage) {
            match report.result {
                Ok(answer) => {
                    dry_run.looked_up(answer, &self.setup);
                    // Only now it is known which message is the first.
                    self.rows = Browser::default();
                    self.list_rows(cx);
                    self.look_up(cx);
                }
                Err(failure) => dry_run.lookup_failure = Some(explain(&failure)),
            }
            return None;
        }
        let reply = match report.result {
            Ok(Answer::Stored(reply)) => Ok(reply),
            Ok(Answer::Recent(earlier)) => {
                if let BatchRequest::Row(line) = request {
                    self.advance(cx, |running, now| running.repeats(line, &earlier, now));
                }
                return None;
            }
            Ok(Answer::Forgotten(_)) => {
                Err("the outbox was deleted or replaced, and cannot tell who was sent this".to_owned())
            }
            Ok(Answer::Sent(entry)) => {
                self.advance(cx, |running, now| running.sent(&entry, now));
                rows::insert(&mut self.rows.source.rows, &entry);
                self.arrange(cx);
                return Some(entry);
            }
            Ok(_) => Err("the program has lost a reply".to_owned()),
            Err(failure) => Err(explain(&failure)),
        };
        match (request, &mut self.stage, reply) {
            (BatchRequest::Folder, _, Ok(StorageReply::Names(names))) => {
                if let Some((_, known)) = &mut self.folder {
                    *known = names;
                }
                self.complete(cx);
            }
            (BatchRequest::Recent, _, Ok(StorageReply::Paths(paths))) => {
                self.recent = paths;
                self.complete(cx);
            }
            (BatchRequest::File, BatchStage::File, Ok(StorageReply::File(bytes))) => self.file_loaded(bytes, cx),
            (BatchRequest::File, BatchStage::File, Err(why)) => self.refuse(why),
            (BatchRequest::Unfinished, _, Ok(StorageReply::UnfinishedBatch(batch))) => self.unfinished = batch,
            (BatchRequest::SaveBatch, _, saved) => {
                self.advance(cx, |running, _| running.saved(saved.map(drop)));
            }
            (BatchRequest::Row(line), _, Err(why)) => self.advance(cx, |running, _| running.failed(line, &why)),
            (BatchRequest::Results, BatchStage::Running(running), Ok(StorageReply::Written(path))) => {
                running.results = ResultsFile::Written(path);
            }
            (BatchRequest::Results, BatchStage::Running(running), Err(why)) => {
                running.results = ResultsFile::Failed(why);
            }
            _ => {}
        }
        None
    }
}
