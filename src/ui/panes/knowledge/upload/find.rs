//! The form that finds files, by path, folder or pattern.

use super::candidate::Candidate;
use super::{Review, Shown, Uploads};
use crate::api::Rows;
use crate::api::rules::Fault;
use crate::records::{StorageReply, StorageRequest};
use crate::tasks::{Answer, TaskId};
use crate::ui::prelude::*;
use crate::ui::widgets::form::completions;
use std::path::PathBuf;

/// The name of the form.
pub const FIND: &str = "find files";
const PATH: &str = "path";
/// Files that the service takes, by their usual extensions; the content decides.
const ENDINGS: [&str; 4] = [".pdf", ".docx", ".txt", ".md"];

/// The open form.
#[derive(Debug, Clone, PartialEq)]
pub struct Finder {
    base: (i64, String),
    /// The folder of the typed path as it is typed, and the names in it.
    folder: Option<(String, Vec<String>)>,
    listing: Option<TaskId>,
    finding: Option<TaskId>,
}

impl Uploads {
    /// Opens the form for files of a knowledgebase, or the review that was left.
    pub fn open(&mut self, base: (i64, String), cx: &mut Context) {
        match &self.review {
            Some(review) if review.base.0 == base.0 => {
                self.shown = Some(Shown::Review);
                self.refresh(cx);
            }
            _ => self.open_finder(base, cx),
        }
    }

    pub(super) fn open_finder(&mut self, base: (i64, String), cx: &mut Context) {
        let field =
            FormField::file(PATH, "Files", "").required().hint("a path, a folder, or a pattern such as handbook/*.pdf");
        let about = "PDF, Word (.docx) and UTF-8 text, at most 20 MiB each. Several at once are separated by blanks; \
                     a blank in a path is written in quotes. Tab completes.";
        let mut dialog = FormDialog::new(format!("Add files to {}", base.1), "find", Form::new(vec![field]));
        dialog.about = Details::default().text(about).styled(cx.options.theme.dim);
        cx.open(FIND, dialog);
        self.finder = Some(Finder { base, folder: None, listing: None, finding: None });
        self.complete(cx);
    }

    /// Suggests names in the folder of the last path that is typed, once they are there.
    pub(super) fn complete(&mut self, cx: &mut Context) {
        let (Some(form), Some(finder)) = (cx.overlays.form(FIND), &mut self.finder) else { return };
        let typed = form.text_of(PATH).to_owned();
        let folder = &typed[..typed.rfind('/').map_or(0, |slash| slash + 1)];
        match &finder.folder {
            Some((known, names)) if known == folder => {
                let is_file = |name: &str| ENDINGS.iter().any(|end| name.to_lowercase().ends_with(end));
                form.offer(PATH, completions(folder, names, &typed, is_file));
            }
            _ => {
                form.offer(PATH, Vec::new());
                finder.folder = Some((folder.to_owned(), Vec::new()));
                let request = StorageRequest::ListFolder(PathBuf::from(folder));
                finder.listing = Some(cx.run(Origin::new(super::super::ID.0), request));
            }
        }
    }

    pub(super) fn submit_find(&mut self, cx: &mut Context) {
        let (Some(form), Some(finder)) = (cx.overlays.form(FIND), &mut self.finder) else { return };
        let text = form.text_of(PATH).trim().to_owned();
        if !text.is_empty() && finder.finding.is_none() {
            finder.finding = Some(cx.run(Origin::new(super::super::ID.0), StorageRequest::FindFiles(text)));
        }
    }

    /// Takes a reply to the form; any other report comes back.
    pub(super) fn find_reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        let Some(finder) = &mut self.finder else { return Some(report) };
        if finder.listing == Some(report.id) {
            finder.listing = None;
            if let (Some((_, known)), Ok(Answer::Stored(StorageReply::Names(names)))) =
                (&mut finder.folder, report.result)
            {
                *known = names;
                self.complete(cx);
            }
            return None;
        }
        if finder.finding != Some(report.id) {
            return Some(report);
        }
        finder.finding = None;
        match report.result {
            Ok(Answer::Stored(StorageReply::Paths(paths))) => {
                cx.overlays.close(FIND);
                if let Some(Finder { base, .. }) = self.finder.take() {
                    self.found(&base, paths, cx);
                }
            }
            Ok(_) => {}
            Err(failure) => {
                let why = format!("{}.", explain(&failure));
                match cx.overlays.form(FIND) {
                    Some(form) => drop(form.set_refused(vec![Fault::new(PATH, why)])),
                    None => cx.problem(why),
                }
            }
        }
        None
    }

    /// Adds files to the review of a knowledgebase; each once.
    fn found(&mut self, base: &(i64, String), paths: Vec<PathBuf>, cx: &mut Context) {
        let new = || Review {
            base: base.clone(),
            files: Browser::default(),
            inspecting: None,
            editing: None,
            queueing: None,
        };
        let review = match &mut self.review {
            Some(review) if review.base.0 == base.0 => review,
            other => other.insert(new()),
        };
        let files: &mut Rows<Candidate> = &mut review.files.source;
        for path in paths {
            if !files.iter().any(|file| file.path == path) {
                let id = files.last().map_or(0, |last| last.id + 1);
                files.rows.push(Candidate::new(id, path));
            }
        }
        self.shown = Some(Shown::Review);
        self.inspect(cx);
        self.refresh(cx);
    }
}
