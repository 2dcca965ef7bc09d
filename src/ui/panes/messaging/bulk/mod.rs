//! One template to many: a file of recipients, its columns, a dry run, a box that asks, and the batch on its way.
//!
//! A batch begins by one way only: out of a hold that `y` began in a box that had been on screen.

mod asking;
mod columns;
mod draw;
mod draw_going;
mod going;
mod pane;
mod review;
mod terms;
mod words;

use self::asking::{Asking, Said};
use self::columns::Columns;
use self::going::Going;
use self::review::Review;
use self::terms::Terms;
use super::compose::{Held, Hold, Sight};
use crate::client::Failure;
use crate::messaging::batch::{Mapping, Table};
use crate::records::{StorageReply, StorageRequest, Unfinished};
use crate::tasks::{Answer, Task};
use crate::ui::action::Motion;
use crate::ui::input::{Key, KeyCode};
use crate::ui::panes::explain;
use crate::ui::widgets::input::TextInput;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What has been asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// The file; of several the last one counts.
    File(u64),
    /// Which batch was not finished.
    Unfinished,
    /// Whether it was written down which file this is.
    Begun,
    /// What was sent before; of several lookups the last one counts.
    Earlier(u64),
    /// What becomes of the row on this line.
    Row(u64),
    /// Whether the results were written there.
    Results,
}

/// What came of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub(super) enum BulkFlow {
    /// It goes on.
    Stay,
    /// It was left, and can be come back to.
    Leave,
    /// It was left for good.
    Close,
}

/// A file as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
struct File {
    path: PathBuf,
    bytes: Arc<[u8]>,
    table: Arc<Table>,
}

/// How far it has come.
#[derive(Debug, Clone, PartialEq)]
enum Stage {
    /// Which file. True while it is being read.
    File(bool),
    /// Which column is for what.
    Columns(Box<Columns>),
    /// The dry run.
    Review(Box<Review>),
    /// A box asks whether to send it.
    Asking(Box<Review>, Asking),
    /// It was confirmed and waits to be taken back.
    Holding(Box<Review>, Hold),
    /// It is on its way, or done.
    Going(Box<Going>),
}

/// The view for many recipients.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bulk {
    terms: Terms,
    path: TextInput,
    /// What is wrong with the path or the file.
    fault: Option<String>,
    /// What the person is told until the next key.
    note: Option<String>,
    stage: Stage,
    /// The last batch, where rows of it are left: it is offered.
    unfinished: Option<Box<Unfinished>>,
    /// The columns as they were chosen for that one, and its file.
    columns: Option<(PathBuf, Mapping)>,
    /// Counts files and lookups, so that answers to those before are known as such.
    asked: u64,
    wants: Vec<(Question, Task)>,
}

impl Bulk {
    /// The view as it opens. `before` is the one that was left: its path is offered again.
    fn new(terms: Terms, before: Option<&Self>) -> Self {
        let (path, asked) = before.map_or((TextInput::default(), 0), |before| (before.path.clone(), before.asked + 1));
        let wants = vec![(Question::Unfinished, Task::Store(StorageRequest::FindUnfinishedBatch))];
        let (fault, note, unfinished, columns) = (None, None, None, None);
        Self { terms, path, fault, note, stage: Stage::File(false), unfinished, columns, asked, wants }
    }

    /// True while letters are text, or answer a box.
    pub(super) fn is_typing(&self) -> bool {
        matches!(self.stage, Stage::File(_) | Stage::Asking(..) | Stage::Holding(..))
    }

    /// The batch, once there is one.
    fn going(&self) -> Option<&Going> {
        if let Stage::Going(going) = &self.stage { Some(going) } else { None }
    }

    /// What to ask since the last call.
    fn take_wants(&mut self) -> Vec<(Question, Task)> {
        std::mem::take(&mut self.wants)
    }

    /// Takes a key.
    fn key(&mut self, key: Key, sight: &Sight<'_>) -> BulkFlow {
        self.note = None;
        match std::mem::replace(&mut self.stage, Stage::File(false)) {
            Stage::File(reading) => return self.type_path(key, reading, sight),
            Stage::Columns(columns) => self.choose(key, columns, sight),
            Stage::Review(review) => self.look(key, review, sight),
            Stage::Asking(review, mut asking) => match asking.key(key, sight.now.mono) {
                Said::Nothing => self.stage = Stage::Asking(review, asking),
                Said::Back => self.stage = Stage::Review(review),
                Said::Yes if sight.options.settings.messaging.hold.is_zero() => self.begin(review, sight),
                Said::Yes => {
                    let until = sight.now.mono + sight.options.settings.messaging.hold;
                    self.stage = Stage::Holding(review, Hold::new(until));
                }
            },
            Stage::Holding(review, _) if matches!(key.code, KeyCode::Esc | KeyCode::Char('u')) => {
                self.take_back(review, "Taken back: nothing was sent.");
            }
            Stage::Holding(review, holding) => self.stage = Stage::Holding(review, holding),
            Stage::Going(mut going) => {
                let flow = going.key(key, sight.now.mono);
                self.stage = Stage::Going(going);
                if let Some(motion) = Motion::of(key) {
                    self.step(motion, sight);
                }
                self.pump(sight.now.mono);
                return flow;
            }
        }
        BulkFlow::Stay
    }

    fn type_path(&mut self, key: Key, reading: bool, sight: &Sight<'_>) -> BulkFlow {
        match key.code {
            KeyCode::Esc => {
                // An answer that is still to come belongs to nothing any more.
                self.asked += 1;
                return BulkFlow::Leave;
            }
            KeyCode::Char('r') if key.ctrl && !reading && self.unfinished.is_some() => self.take_up(sight),
            KeyCode::Enter if reading => self.stage = Stage::File(true),
            KeyCode::Enter => self.read(),
            _ => {
                let typed = self.path.key(key);
                if typed {
                    (self.fault, self.asked) = (None, self.asked + 1);
                }
                self.stage = Stage::File(reading && !typed);
            }
        }
        BulkFlow::Stay
    }

    /// Goes on with the batch that was not finished: its file, sender, template and columns.
    fn take_up(&mut self, sight: &Sight<'_>) {
        let Some(Unfinished { of, .. }) = self.unfinished.as_deref() else { return };
        match Terms::new(sight.known, sight.options, of.sender_id, of.template.id) {
            Ok(terms) => {
                self.terms = terms;
                self.columns = Some((of.path.clone(), of.mapping.clone()));
                self.path = TextInput::new(&of.path.to_string_lossy());
                self.read();
            }
            Err(why) => self.fault = Some(format!("it cannot go on: {why}")),
        }
    }

    fn read(&mut self) {
        let Some(path) = words::path(self.path.value()) else {
            self.fault = Some("type the path of a file".to_owned());
            return;
        };
        (self.fault, self.asked) = (None, self.asked + 1);
        self.stage = Stage::File(true);
        self.wants.push((Question::File(self.asked), Task::Store(StorageRequest::ReadFile(path))));
    }

    fn choose(&mut self, key: Key, mut columns: Box<Columns>, sight: &Sight<'_>) {
        match columns.key(key) {
            columns::Said::Nothing => self.stage = Stage::Columns(columns),
            columns::Said::Back => {}
            columns::Said::Done => {
                let Columns { file, mapping, .. } = *columns;
                self.review(file, mapping, sight);
            }
        }
    }

    /// Looks at every row, and asks whether this batch was sent before.
    fn review(&mut self, file: File, mapping: Mapping, sight: &Sight<'_>) {
        self.asked += 1;
        let review = Review::new(file, mapping, &self.terms, self.asked, sight.now.wall);
        self.ask_earlier(&review);
        self.stage = Stage::Review(Box::new(review));
        if sight.options.read_only {
            self.note = Some("Everything is read-only here: this is a dry run and no more.".to_owned());
        }
    }

    fn ask_earlier(&mut self, review: &Review) {
        self.wants.extend(review.wants().map(|keep| (Question::Earlier(review.lookup), Task::Store(keep))));
    }

    fn look(&mut self, key: Key, mut review: Box<Review>, sight: &Sight<'_>) {
        match key.code {
            KeyCode::Esc => return,
            KeyCode::Char('m') => {
                let Review { file, mapping, .. } = *review;
                self.stage = Stage::Columns(Box::new(Columns::new(file, mapping)));
                return;
            }
            KeyCode::Char('a') => review.toggle_again(&self.terms),
            KeyCode::Enter => match review.barred(sight) {
                Some(why) => self.note = Some(format!("Not yet: {why}.")),
                // All of it was sent before: there is nothing to ask, and its results can be had.
                None if review.progress().is_some_and(|progress| progress.left == 0) => {
                    return self.begin(review, sight);
                }
                None => {
                    self.stage = Stage::Asking(review, Asking::default());
                    return;
                }
            },
            _ => {
                self.stage = Stage::Review(review);
                if let Some(motion) = Motion::of(key) {
                    self.step(motion, sight);
                }
                return;
            }
        }
        self.stage = Stage::Review(review);
    }

    fn take_back(&mut self, review: Box<Review>, why: &str) {
        self.note = Some(why.to_owned());
        self.stage = Stage::Review(review);
    }

    /// Lets the rows leave, if all is still as it was confirmed.
    fn begin(&mut self, review: Box<Review>, sight: &Sight<'_>) {
        let (sender_id, template_id) = (self.terms.letter.sender_id, self.terms.letter.template_id);
        let changed = match Terms::new(sight.known, sight.options, sender_id, template_id) {
            Ok(now) if now == self.terms => review.barred(sight),
            Ok(_) => Some("the template has changed meanwhile".to_owned()),
            Err(why) => Some(why),
        };
        if let Some(why) = changed {
            return self.take_back(review, &format!("Nothing was sent: {why}."));
        }
        match review.into_going(sight.now.mono) {
            Ok(going) => {
                self.wants.push((Question::Begun, Task::Store(StorageRequest::SaveBatch(going.of(&self.terms)))));
                self.stage = Stage::Going(Box::new(going));
                self.pump(sight.now.mono);
            }
            Err(review) => self.stage = Stage::Review(review),
        }
    }

    /// Gives out the rows that may leave now, and the results once there are all.
    fn pump(&mut self, now: Duration) {
        if let Stage::Going(going) = &mut self.stage {
            self.wants.extend(going.pump(now));
        }
    }

    /// Takes a paste. Nothing but the path takes one: no box is answered by it.
    fn paste(&mut self, text: &str, now: Duration) {
        match &mut self.stage {
            Stage::File(reading) => {
                *reading = false;
                self.path.paste(text);
                (self.fault, self.asked) = (None, self.asked + 1);
            }
            Stage::Asking(_, asking) => asking.again(now),
            _ => {}
        }
    }

    /// Moves through the list of rows.
    fn step(&mut self, motion: Motion, sight: &Sight<'_>) {
        let (length, height) = draw::list(self, sight);
        let scrolled = match &mut self.stage {
            Stage::Review(review) => &mut review.scrolled,
            Stage::Going(going) => &mut going.scrolled,
            Stage::Columns(columns) => return columns.step(motion),
            _ => return,
        };
        *scrolled = crate::ui::widgets::list::scroll(*scrolled, motion, length, height);
    }

    /// Time has gone on.
    fn tick(&mut self, sight: &Sight<'_>) {
        let now = sight.now.mono;
        match &mut self.stage {
            Stage::Asking(_, asking) => asking.seen(now),
            Stage::Holding(_, holding) => match holding.at(now) {
                Held::Still => {}
                held => {
                    let stage = std::mem::replace(&mut self.stage, Stage::File(false));
                    let Stage::Holding(review, _) = stage else { return };
                    if held == Held::Slept {
                        self.take_back(review, "Taken back: the program was stopped meanwhile. Nothing was sent.");
                    } else {
                        self.begin(review, sight);
                    }
                }
            },
            _ => {}
        }
        self.pump(now);
    }

    /// When something is due or changes by itself; `seen` where it is on screen.
    pub(super) fn next_change(&self, now: Duration, seen: bool) -> Option<Duration> {
        match &self.stage {
            Stage::Asking(_, asking) => asking.next_change(now),
            Stage::Holding(_, holding) => Some(holding.next_change(now)),
            Stage::Going(going) => going.next_change(now, seen),
            Stage::File(_) | Stage::Columns(_) | Stage::Review(_) => None,
        }
    }

    /// The program is about to stop, or the pane is left: what is held is taken back. What is on its way goes on.
    pub(super) fn suspended(&mut self) {
        match std::mem::replace(&mut self.stage, Stage::File(false)) {
            Stage::Asking(review, _) | Stage::Holding(review, _) => {
                self.take_back(review, "Taken back: the program was stopped. Nothing was sent.");
            }
            stage => self.stage = stage,
        }
    }

    /// The server asked to wait until then: a row was not sent yet.
    pub(super) fn waiting(&mut self, until: Duration) {
        if let Stage::Going(going) = &mut self.stage {
            going.waiting(until);
        }
    }

    /// An answer has come.
    fn answered(&mut self, question: Question, result: Result<Answer, Failure>, sight: &Sight<'_>) {
        match question {
            Question::File(asked) if asked == self.asked && matches!(self.stage, Stage::File(true)) => {
                self.stage = Stage::File(false);
                match result {
                    Ok(Answer::Stored(StorageReply::File(bytes))) => self.opened(bytes, sight),
                    Ok(_) => {}
                    Err(failure) => self.fault = Some(explain(&failure)),
                }
            }
            Question::Unfinished => {
                if let Ok(Answer::Stored(StorageReply::UnfinishedBatch(batch))) = result {
                    self.unfinished = batch;
                }
            }
            Question::Begun => {
                if let Err(failure) = result {
                    let why = explain(&failure);
                    self.note = Some(format!("Should it be interrupted, it will not be offered again: {why}."));
                }
            }
            Question::Earlier(asked) => self.found(asked, result),
            Question::Row(line) => {
                if let Stage::Going(going) = &mut self.stage {
                    going.answered(line, result, sight.now.mono);
                }
            }
            Question::Results => {
                if let Stage::Going(going) = &mut self.stage {
                    going.written(result.map_err(|failure| explain(&failure)));
                }
            }
            Question::File(_) => {}
        }
        self.pump(sight.now.mono);
    }

    fn opened(&mut self, bytes: Vec<u8>, sight: &Sight<'_>) {
        let table = match Table::read(&bytes) {
            Ok(table) => Arc::new(table),
            Err(fault) => {
                self.fault = Some(fault.to_string());
                return;
            }
        };
        let path = words::path(self.path.value()).unwrap_or_default();
        let file = File { path, bytes: bytes.into(), table };
        let (header, variables) = (&file.table.header, self.terms.letter.preview.variables());
        let chosen = self.columns.take().filter(|(path, chosen)| *path == file.path && chosen.fits(header, variables));
        let mapping = chosen.map_or_else(|| Mapping::guess(header, variables), |(_, chosen)| chosen);
        if mapping.missing().is_empty() {
            self.review(file, mapping, sight);
        } else {
            self.stage = Stage::Columns(Box::new(Columns::new(file, mapping)));
        }
    }

    fn found(&mut self, asked: u64, result: Result<Answer, Failure>) {
        let Stage::Review(mut review) = std::mem::replace(&mut self.stage, Stage::File(false)) else { return };
        if review.lookup == asked {
            match result {
                Ok(Answer::Stored(StorageReply::Entries(entries))) => {
                    review.found(entries, &self.terms);
                    self.ask_earlier(&review);
                }
                Ok(_) => review.unknowable("the program has lost an answer".to_owned()),
                Err(failure) => review.unknowable(explain(&failure)),
            }
        }
        self.stage = Stage::Review(review);
    }
}
