//! The views of uploads: what was found, and the queue.

use super::candidate::{Candidate, Verdict};
use super::{Shown, Uploads, size};
use crate::records::UploadStatus;
use crate::ui::panes::knowledge::keys;
use crate::ui::prelude::*;
use crate::ui::widgets::put;

/// Lines of the details with the rule above them; less where the body is low.
const DETAILS: u16 = 8;
/// The height from which on there is room for them.
const DETAILS_FROM: u16 = 15;
/// Cells for labels.
const LABEL: usize = 14;

/// The lines above the table, the table with its title, and the details.
fn areas(body: Rect) -> [Rect; 2] {
    let lines = if body.height < DETAILS_FROM { 0 } else { DETAILS };
    let list = Rect { height: body.height - lines, ..body };
    [list, Rect { y: list.bottom(), height: lines, ..body }]
}

/// Where the table lies.
pub fn table(body: Rect) -> Rect {
    below_first(below_first(areas(body)[0]))
}

impl Uploads {
    /// Draws what covers the pane, and tells where the cursor is.
    pub fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        let [list, details] = areas(view.body);
        let body = below_first(list);
        let line = Rect {
            x: list.x + 2.min(list.width),
            width: list.width.saturating_sub(3),
            height: list.height.min(1),
            ..list
        };
        if let (Shown::Review, Some(review)) = (self.shown?, &self.review) {
            let title = format!("FILES FOR {}", clean(&review.base.1));
            put(buffer, line, &found(&review.files.source, view));
            draw_details(review.files.selected().map(|file| file_details(file, view)), view, details, buffer);
            return review.files.draw_titled((&title, true), None, view, body, buffer);
        }
        put(buffer, line, &self.summary(view));
        draw_details(self.queue.selected().map(|row| row_details(row, view)), view, details, buffer);
        let next = "Files are added from the documents of a knowledgebase.";
        let state = self.queue.source.is_empty().then(|| State::Empty("No uploads".into(), next.into()));
        self.queue.draw_titled(("UPLOADS", true), state, view, body, buffer)
    }

    /// How the queue is, in a line.
    fn summary(&self, view: &View<'_>) -> Line<'static> {
        let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
        let key = view.key(keys::QUEUEING, Action::TogglePause, "");
        let (text, style) = match &self.stopped {
            _ if self.flight.is_some() && !self.going && self.waiting() > 0 => {
                (format!("{} pauses after this file; {key} goes on", glyphs.pause), theme.warning)
            }
            _ if self.flight.is_some() => (format!("{} uploading", glyphs.half), theme.accent),
            _ if self.waiting() == 0 => (String::new(), theme.dim),
            Some(why) => (format!("{} stopped: {}; {key} goes on", glyphs.pause, clean(why)), theme.failed),
            None => (format!("{} not uploading; {key} starts", glyphs.pause), theme.warning),
        };
        let counts = [
            (self.waiting(), "waiting", theme.dim),
            (self.count(|status| matches!(status, UploadStatus::Created { .. })), "uploaded", theme.good),
            (
                self.count(|status| matches!(status, UploadStatus::Refused(_) | UploadStatus::Failed(_))),
                "not uploaded",
                theme.failed,
            ),
            (self.unknown(), "unknown", theme.warning),
            (self.count(|status| *status == UploadStatus::Cancelled), "cancelled", theme.dim),
        ];
        spans((text, style), &counts)
    }
}

fn draw_details(details: Option<Details>, view: &View<'_>, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    rule(buffer, Rect { height: 1, ..area }, view.options.glyphs.horizontal, view.options.theme.dim);
    let text = below_first(area);
    let text = Rect { x: text.x + 2.min(text.width), width: text.width.saturating_sub(3), ..text };
    details.unwrap_or_default().draw(0, view, text, buffer);
}

/// A sentence, and counts that are not zero.
fn spans((text, style): (String, Style), counts: &[(usize, &str, Style)]) -> Line<'static> {
    let counts = counts.iter().filter(|(number, ..)| *number > 0);
    let counts = counts.map(|(number, what, style)| (format!("{number} {what}"), *style));
    let parts = std::iter::once((text, style)).chain(counts).filter(|(text, _)| !text.is_empty());
    Line::from(parts.map(|(text, style)| Span::styled(format!("{text}  "), style)).collect::<Vec<_>>())
}

/// What was found, in a line.
fn found(files: &[Candidate], view: &View<'_>) -> Line<'static> {
    let theme = &view.options.theme;
    let verdicts: Vec<Verdict> = files.iter().map(|file| file.verdict(view)).collect();
    let of = |is: fn(&Verdict) -> bool| verdicts.iter().filter(|verdict| is(verdict)).count();
    let ready: u64 = files
        .iter()
        .zip(&verdicts)
        .filter(|(_, verdict)| **verdict == Verdict::Ready)
        .filter_map(|(file, _)| Some(file.known()?.size))
        .sum();
    let (checking, ready_files) =
        (of(|verdict| *verdict == Verdict::Checking), of(|verdict| *verdict == Verdict::Ready));
    let text = match checking {
        0 => format!("{} found", count(files.len() as u64, "file", "files")),
        left => format!("Checking {} of {}", files.len() - left + 1, files.len()),
    };
    let ready_size = format!("ready, {}", size(ready));
    let counts = [
        (ready_files, ready_size.as_str(), theme.good),
        (of(|verdict| matches!(verdict, Verdict::Doubtful(_))), "left out as known", theme.warning),
        (of(|verdict| matches!(verdict, Verdict::Faulty(_))), "cannot be uploaded", theme.failed),
    ];
    spans((text, theme.strong), &counts)
}

fn file_details(file: &Candidate, view: &View<'_>) -> Details {
    let theme = &view.options.theme;
    let mut details = Details::new(LABEL).section(clean(&file.name)).field("File", file.path.to_string_lossy());
    if let Some(upload) = file.upload() {
        details = details.field("Sent as", format!("{}, {}", clean(&upload.file_name()), upload.kind.label()));
    }
    if !file.description.is_empty() {
        details = details.wrapped("Description", &file.description);
    }
    match file.verdict(view) {
        Verdict::Faulty(why) => details.text(format!("This file {}.", sentence(&why))).styled(theme.failed),
        Verdict::Doubtful(why) => {
            let key = view.key(keys::REVIEWING, Action::IncludeSent, " uploads it all the same.");
            details.text(format!("{}. {key}", capital(&why))).styled(theme.warning)
        }
        Verdict::Ready | Verdict::Checking => details,
    }
}

/// A fault of the file follows the words "This file"; a rule of the API is a sentence of its own.
fn sentence(why: &str) -> String {
    match why.strip_suffix('.') {
        Some(rule) => format!("cannot be uploaded: {rule}"),
        None => why.to_owned(),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn row_details(row: &super::Row, view: &View<'_>) -> Details {
    let (file, (status, style)) = (&row.upload.file, row.status(view));
    let key = |action, then: &str| view.key(keys::QUEUEING, action, then);
    let next = match (&row.upload.status, &row.looked) {
        (UploadStatus::Unknown(_), None) => {
            key(Action::Open, " lists the documents, to see whether it is there. Nothing is uploaded twice by itself.")
        }
        (UploadStatus::Unknown(_), Some(_)) => key(Action::Open, " decides what becomes of it."),
        (UploadStatus::Failed(_), _) => {
            key(Action::Open, " puts it into the queue again. A file that has changed is found anew with u.")
        }
        (UploadStatus::Refused(_) | UploadStatus::Cancelled, _) => key(Action::Open, " puts it into the queue again."),
        (UploadStatus::Uploading | UploadStatus::Queued, _) => key(Action::Remove, " cancels it."),
        (UploadStatus::Created { document_id }, _) => {
            document_id.map_or_else(String::new, |id| format!("Document {id}. {}", key(Action::Open, " goes to it.")))
        }
    };
    let details = Details::new(LABEL)
        .section(clean(&file.name))
        .wrapped("Status", status)
        .styled(style)
        .field("File", file.path.to_string_lossy())
        .field("Sent as", format!("{}, {}, {}", clean(&file.file_name()), file.kind.label(), size(file.size)))
        .field("Knowledgebase", clean(&row.upload.knowledgebase));
    if next.is_empty() { details } else { details.text(next).styled(view.options.theme.dim) }
}
