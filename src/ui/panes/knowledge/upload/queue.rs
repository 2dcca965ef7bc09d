//! Rows of the queue, and the upload in flight.

use super::size;
use crate::records::{Upload, UploadStatus};
use crate::tasks::{TaskId, Uploading, Work};
use crate::ui::ages::{date_and_time, time_of_day};
use crate::ui::prelude::*;
use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::VecDeque;

/// Reports over which the rate is taken: the last four seconds.
const SAMPLES: usize = 16;
/// Cells of a progress bar.
const BAR: usize = 12;

/// An upload in the queue.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub upload: Upload,
    /// Bytes that were handed over, while it is in flight.
    pub sent: u64,
    /// Bytes a second, once it is known.
    pub rate: Option<f64>,
    /// Where it is unknown and its document was looked for.
    pub looked: Option<Looked>,
}

/// What the list of documents says of an unknown upload.
#[derive(Debug, Clone, PartialEq)]
pub struct Looked {
    pub at: Timestamp,
    /// The newest document of this name and type that is of no other upload from here.
    pub found: Option<(i64, Option<Timestamp>)>,
    /// True once somebody did not take that document for it.
    pub denied: bool,
}

/// The upload in flight.
#[derive(Debug, Clone, PartialEq)]
pub struct Flight {
    pub task: TaskId,
    pub number: i64,
    samples: VecDeque<(Instant, u64)>,
}

impl Flight {
    pub fn new(task: TaskId, number: i64, now: Instant) -> Self {
        Self { task, number, samples: VecDeque::from([(now, 0)]) }
    }

    /// Takes how far it is, and returns the current bytes a second.
    #[expect(clippy::cast_precision_loss, reason = "a rate has two digits that matter")]
    pub fn rate(&mut self, sent: u64, now: Instant) -> Option<f64> {
        if self.samples.len() == SAMPLES {
            self.samples.pop_front();
        }
        self.samples.push_back((now, sent));
        let (since, before) = *self.samples.front()?;
        let span = (now - since).as_secs_f64();
        (span > 0.0).then(|| sent.saturating_sub(before) as f64 / span)
    }
}

/// The document that an upload has become.
pub fn document(upload: &Upload) -> Option<i64> {
    if let UploadStatus::Created { document_id } = upload.status { document_id } else { None }
}

impl Row {
    pub fn new(upload: Upload) -> Self {
        Self { upload, sent: 0, rate: None, looked: None }
    }

    /// The task that uploads it.
    pub fn work(&self) -> Work {
        let Upload { number, knowledgebase_id, file, .. } = &self.upload;
        let document = file.document();
        Work::Upload(Box::new(Uploading { number: *number, knowledgebase_id: *knowledgebase_id, document }))
    }

    /// How much of it was handed over, in percent.
    pub fn percent(&self) -> u64 {
        (self.sent * 100).checked_div(self.upload.file.size).unwrap_or(100).min(100)
    }

    /// The status for people, with its style.
    pub fn status(&self, view: &View<'_>) -> (String, Style) {
        let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
        let time = |at| date_and_time(at, view.now.wall, view.zone);
        match &self.upload.status {
            UploadStatus::Queued => (format!("{} waiting", glyphs.hollow), theme.dim),
            UploadStatus::Uploading => (self.bar(view), theme.accent),
            UploadStatus::Created { .. } => {
                (format!("{} uploaded {}", glyphs.full, time(self.upload.changed)), theme.good)
            }
            UploadStatus::Refused(why) => (format!("{} refused: {}", glyphs.cross, clean(why)), theme.failed),
            UploadStatus::Failed(why) => (format!("{} not uploaded: {}", glyphs.cross, clean(why)), theme.failed),
            UploadStatus::Cancelled => (format!("{} cancelled; not uploaded", glyphs.none), theme.dim),
            UploadStatus::Unknown(why) => {
                let text = match &self.looked {
                    None => format!("unknown: {}", clean(why)),
                    Some(Looked { at, found: None, .. }) => {
                        format!("unknown; not in the list at {}", time_of_day(*at, view.zone))
                    }
                    Some(Looked { found: Some((id, _)), .. }) => format!("unknown; perhaps document {id}"),
                };
                (format!("{} {text}", glyphs.alert), theme.warning)
            }
        }
    }

    fn bar(&self, view: &View<'_>) -> String {
        let glyphs = view.options.glyphs;
        let (percent, steps) = (usize::try_from(self.percent()).unwrap_or(100), glyphs.gauge.len());
        let filled = percent * BAR * steps / 100;
        let full = glyphs.gauge.last().copied().unwrap_or_default().repeat(filled / steps);
        let part = (filled % steps).checked_sub(1).and_then(|at| glyphs.gauge.get(at)).copied().unwrap_or_default();
        let rest = glyphs.track.repeat(BAR - filled.div_ceil(steps));
        let rate = self.rate.map(|rate| format!("  {}/s", size(whole(rate)))).unwrap_or_default();
        let end = if percent == 100 { "  waiting for the answer".to_owned() } else { rate };
        format!("{full}{part}{rest} {percent:>3} %{end}")
    }
}

/// A rate in whole bytes.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a rate is not negative; huge ones saturate"
)]
fn whole(rate: f64) -> u64 {
    rate as u64
}

impl Record for Row {
    type Id = i64;
    const NAME: &'static str = "upload";
    const COLUMNS: &'static [Column<Self>] = &[
        text_column!("NAME", Width::Content { min: 12, max: 32 }, 0, Some(0), |row| clean(&row.upload.file.name)),
        Column::new("STATUS", Width::Fill(40), 0, |row, view| {
            let (text, style) = row.status(view);
            Cell::text(text).style(style)
        }),
        Column {
            right: true,
            sort: Sorting::Down(|one, other| one.upload.file.size.cmp(&other.upload.file.size)),
            ..Column::new("SIZE", Width::Content { min: 8, max: 10 }, 1, |row, _| {
                Cell::whole(size(row.upload.file.size))
            })
        },
        text_column!("KNOWLEDGEBASE", Width::Content { min: 8, max: 20 }, 2, Some(1), |row| clean(
            &row.upload.knowledgebase
        )),
    ];

    fn id(&self) -> i64 {
        self.upload.number
    }

    fn fields(&self) -> Vec<Cow<'_, str>> {
        vec![clean(&self.upload.file.name), clean(&self.upload.knowledgebase)]
    }
}
