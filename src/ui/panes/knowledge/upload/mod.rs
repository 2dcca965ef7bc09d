//! Files for a knowledgebase: found, reviewed, and uploaded one after the other from a queue that is on disk.
//!
//! An upload begins in one place only, [`Uploads::advance`]: what is queued, once somebody has said that it goes.

mod act;
mod candidate;
mod draw;
mod find;
mod queue;

use crate::api::Rows;
use crate::records::{StorageReply, StorageRequest, UploadChange, UploadStatus};
use crate::tasks::{Answer, Event, TaskId};
use crate::ui::prelude::*;
use candidate::Candidate;
use find::Finder;
use queue::{Flight, Row};
use std::collections::{BTreeMap, BTreeSet};

/// So many files in a row that did not become documents, and the queue stops: the next would not either.
const FAILURES_MAX: usize = 3;

/// While many files are uploaded, their documents are listed this seldom.
const LIST_EVERY: Duration = Duration::from_secs(5);

/// What covers the lists of the pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// The files that were found, before anything is uploaded.
    Review,
    Queue,
}

/// The files that were found for a knowledgebase, by its number and name.
#[derive(Debug, Clone, PartialEq)]
struct Review {
    base: (i64, String),
    files: Browser<Rows<Candidate>>,
    /// The file that is read, and the request that does it.
    inspecting: Option<(TaskId, u64)>,
    /// The file whose name is edited.
    editing: Option<u64>,
    /// The request that queues them.
    queueing: Option<TaskId>,
}

/// The state of uploads.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Uploads {
    /// The base URL of the server; empty before there is one.
    server: String,
    shown: Option<Shown>,
    finder: Option<Finder>,
    /// Kept while its view is left.
    review: Option<Review>,
    queue: Browser<Rows<Row>>,
    /// Sizes of documents that were uploaded from here.
    sizes: BTreeMap<i64, u64>,
    /// True once the queue on disk was read.
    loaded: bool,
    /// True while the next file follows by itself.
    going: bool,
    /// Why it stopped by itself.
    stopped: Option<String>,
    flight: Option<Flight>,
    /// Files that did not become documents, in a row.
    failures: usize,
    /// Knowledgebases with new documents, for the pane to list, and when it last did.
    created: BTreeSet<i64>,
    listed: Option<Instant>,
    /// The request for the documents of an unknown upload.
    looking: Option<(TaskId, i64)>,
    /// The knowledgebase of a document that is to be shown.
    pub wanted: Option<i64>,
}

impl Uploads {
    /// Knowledgebases whose documents are to be listed again: once nothing is in flight, and now and then before.
    pub fn take_created(&mut self, now: Moment) -> BTreeSet<i64> {
        let due = self.flight.is_none() || self.listed.is_none_or(|listed| now.mono > listed + LIST_EVERY);
        if !due || self.created.is_empty() {
            return BTreeSet::new();
        }
        self.listed = Some(now.mono);
        std::mem::take(&mut self.created)
    }

    /// The size of a document that was uploaded from here, for people.
    pub fn size_of(&self, document_id: i64) -> Option<String> {
        self.sizes.get(&document_id).copied().map(size)
    }

    /// True where a view of uploads covers the pane.
    pub fn is_shown(&self) -> bool {
        self.shown.is_some()
    }

    /// Leaves what covers the pane.
    pub fn hide(&mut self) {
        self.shown = None;
    }

    fn change(&self, change: UploadChange, cx: &mut Context) -> TaskId {
        cx.run(Origin::new(super::ID.0), StorageRequest::ChangeUploads { server: self.server.clone(), change })
    }

    fn count(&self, is: fn(&UploadStatus) -> bool) -> usize {
        self.queue.source.iter().filter(|row| is(&row.upload.status)).count()
    }

    /// How many wait for their turn.
    fn waiting(&self) -> usize {
        self.count(|status| *status == UploadStatus::Queued)
    }

    fn unknown(&self) -> usize {
        self.count(|status| matches!(status, UploadStatus::Unknown(_)))
    }

    /// `upload 3 of 20, 45 %`, for the tab line.
    pub fn progress(&self) -> Option<String> {
        let waiting = self.waiting();
        let Some(flight) = &self.flight else {
            return (waiting > 0).then(|| format!("{} waiting", count(waiting as u64, "upload", "uploads")));
        };
        let row = self.row(flight.number)?;
        let left = if waiting > 0 { format!(", {waiting} waiting") } else { String::new() };
        Some(format!("uploading {} %{left}", row.percent()))
    }

    /// What quitting would interrupt.
    pub fn interrupts(&self) -> Option<&'static str> {
        self.flight.as_ref().map(|_| "A file is being uploaded: q again quits; the queue is kept")
    }

    // The queue.

    fn row(&self, number: i64) -> Option<&Row> {
        self.queue.source.iter().find(|row| row.upload.number == number)
    }

    fn row_mut(&mut self, number: i64) -> Option<&mut Row> {
        self.queue.source.iter_mut().find(|row| row.upload.number == number)
    }

    /// Begins the next upload, where one waits, none is in flight and the queue is to go on.
    fn advance(&mut self, cx: &mut Context) {
        if !self.going || self.flight.is_some() || !cx.is_connected() || cx.options.read_only {
            return;
        }
        let next = self.queue.source.iter_mut().find(|row| row.upload.status == UploadStatus::Queued);
        let Some(row) = next else {
            self.going = false;
            return;
        };
        row.upload.status = UploadStatus::Uploading;
        row.sent = 0;
        let (number, task) = (row.upload.number, row.work());
        self.flight = Some(Flight::new(cx.run(Origin::new(super::ID.0), task), number, cx.now.mono));
    }

    /// The queue goes on.
    fn go(&mut self, cx: &mut Context) {
        (self.going, self.stopped, self.failures) = (true, None, 0);
        self.advance(cx);
    }

    fn landed(&mut self, number: i64, report: Report, cx: &mut Context) {
        self.flight = None;
        let status = match report.result {
            Ok(Answer::Uploaded(status)) => status,
            Ok(_) => UploadStatus::Queued,
            // It was not even begun: the queue on disk says how it is.
            Err(failure) => {
                self.stop(explain(&failure), cx);
                self.load(cx);
                return;
            }
        };
        let Some(row) = self.row_mut(number) else { return };
        (row.upload.changed, row.upload.status) = (cx.now.wall, status);
        let (name, base) = (clean(&row.upload.file.name).into_owned(), row.upload.knowledgebase_id);
        let size = row.upload.file.size;
        match row.upload.status.clone() {
            UploadStatus::Created { document_id } => {
                self.failures = 0;
                self.created.insert(base);
                self.sizes.extend(document_id.map(|id| (id, size)));
                if self.waiting() == 0 {
                    let created = self.count(|status| matches!(status, UploadStatus::Created { .. }));
                    let what = if created == 1 { name } else { count(created as u64, "file", "files") };
                    cx.toast(format!("Uploaded: {what}"));
                }
            }
            UploadStatus::Unknown(why) => {
                self.failures += 1;
                let text = format!("Unknown whether {name} was uploaded: {why}. The queue of uploads can look it up.");
                cx.notices.urgent(text, cx.now);
            }
            UploadStatus::Refused(why) | UploadStatus::Failed(why) => {
                self.failures += 1;
                if self.shown != Some(Shown::Queue) {
                    cx.problem(format!("{name} was not uploaded: {why}."));
                }
            }
            UploadStatus::Cancelled | UploadStatus::Queued | UploadStatus::Uploading => {}
        }
        if self.failures >= FAILURES_MAX && self.waiting() > 0 {
            self.stop(format!("{FAILURES_MAX} files in a row were not uploaded"), cx);
        }
        self.advance(cx);
    }

    fn stop(&mut self, why: String, cx: &mut Context) {
        self.going = false;
        if self.shown != Some(Shown::Queue) {
            cx.problem(format!("Uploads have stopped: {why}."));
        }
        self.stopped = Some(why);
    }

    fn load(&mut self, cx: &mut Context) {
        cx.run(Origin::new(super::ID.0), StorageRequest::ListUploads { server: self.server.clone() });
    }

    /// Hears of the server, and how far an upload is.
    pub fn hear(&mut self, event: &Event, cx: &mut Context) {
        match event {
            Event::Connected { base_url, .. } => {
                let server = base_url.trim_end_matches('/');
                if self.server != server {
                    server.clone_into(&mut self.server);
                    (self.loaded, self.going) = (false, false);
                    self.load(cx);
                }
            }
            Event::Progress { id, sent } => {
                if let Some(flight) = self.flight.as_mut().filter(|flight| flight.task == *id) {
                    let (number, rate) = (flight.number, flight.rate(*sent, cx.now.mono));
                    if let Some(row) = self.row_mut(number) {
                        (row.sent, row.rate) = (*sent, rate);
                    }
                }
            }
            _ => {}
        }
    }

    /// Takes a reply that is about uploads; any other report comes back.
    pub fn reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        let id = report.id;
        if let Some(flight) = self.flight.as_ref().filter(|flight| flight.task == id) {
            self.landed(flight.number, report, cx);
            self.refresh(cx);
            return None;
        }
        if let Some((_, number)) = self.looking.take_if(|(task, _)| *task == id) {
            self.looked_up(number, report, cx);
            return None;
        }
        let report = self.find_reply(report, cx)?;
        let report = self.review_reply(report, cx)?;
        let Ok(Answer::Stored(StorageReply::Uploads(uploads))) = report.result else { return Some(report) };
        self.take(uploads, cx);
        None
    }

    /// Takes the queue as it is on disk.
    fn take(&mut self, uploads: Vec<crate::records::Upload>, cx: &mut Context) {
        self.sizes = uploads.iter().filter_map(|upload| Some((queue::document(upload)?, upload.file.size))).collect();
        let mut rows: Vec<Row> = uploads.into_iter().filter(|upload| !upload.hidden).map(Row::new).collect();
        for row in &mut rows {
            if let Some(before) = self.row(row.upload.number) {
                (row.sent, row.rate, row.looked) = (before.sent, before.rate, before.looked.clone());
            }
            let over = |row: &Row| !matches!(row.upload.status, UploadStatus::Queued | UploadStatus::Uploading);
            let in_flight = self.flight.as_ref().is_some_and(|flight| flight.number == row.upload.number);
            if in_flight && row.upload.status == UploadStatus::Queued {
                // It is recorded in a moment.
                row.upload.status = UploadStatus::Uploading;
            }
            if !in_flight && row.upload.status == UploadStatus::Uploading {
                // The list was read before its outcome was written, and came after it.
                row.upload = self.row(row.upload.number).filter(|row| over(row)).unwrap_or(row).upload.clone();
            }
            if !matches!(row.upload.status, UploadStatus::Unknown(_)) {
                row.looked = None;
            }
        }
        self.queue.source = rows.into();
        if !std::mem::replace(&mut self.loaded, true) {
            self.offer(cx);
        }
        self.refresh(cx);
        self.advance(cx);
    }

    /// Says at the start what an earlier run has left.
    fn offer(&self, cx: &mut Context) {
        let left = [
            (self.waiting(), "is waiting to be uploaded", "are waiting to be uploaded"),
            (self.unknown(), "has an unknown outcome", "have an unknown outcome"),
        ];
        let left: Vec<_> = left
            .into_iter()
            .filter(|(files, ..)| *files > 0)
            .map(|(files, one, many)| {
                format!("{} {}", count(files as u64, "file", "files"), if files == 1 { one } else { many })
            })
            .collect();
        if !left.is_empty() {
            let key = cx.view().key(super::keys::LISTING, Action::Uploads, " shows the queue");
            cx.toast(format!("Uploads: {}; {key} in Knowledge", left.join(", ")));
        }
    }
}

/// A size for people: `812 B`, `14.2 KiB`, `3.0 MiB`.
#[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_524 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn sizes_have_one_decimal() {
        assert_eq!(
            [0, 1023, 1024, 1_048_523, 1_048_524, 20 << 20].map(super::size),
            ["0 B", "1023 B", "1.0 KiB", "1023.9 KiB", "1.0 MiB", "20.0 MiB"]
        );
    }
}
