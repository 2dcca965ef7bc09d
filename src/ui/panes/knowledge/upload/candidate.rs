//! A file that was found, before it is uploaded.

use super::size;
use crate::api::{Label, Patch};
use crate::records::{EarlierUpload, FileFacts, UploadFile, UploadStatus};
use crate::ui::ages::date_and_time;
use crate::ui::prelude::*;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// A file, and what the document is called.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// In the order in which they were found.
    pub id: u64,
    pub path: PathBuf,
    /// The document's name, made from the file's until it is edited.
    pub name: String,
    pub description: String,
    /// What was found out about it; `None` until it was read.
    facts: Option<Result<FileFacts, String>>,
    /// The rule of the API that it would break as it is.
    fault: Option<String>,
    /// The file with the same content that is uploaded in its place.
    pub twin: Option<String>,
    /// True where it is uploaded although its content was uploaded before, or is that of another file.
    pub again: bool,
}

/// What becomes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Checking,
    Ready,
    /// Left out until somebody says otherwise, for this reason.
    Doubtful(String),
    /// Never uploaded, for this reason.
    Faulty(String),
}

impl Candidate {
    pub fn new(id: u64, path: PathBuf) -> Self {
        let name = name_of(&path);
        Self { id, path, name, description: String::new(), facts: None, fault: None, twin: None, again: false }
    }

    /// Takes what was found out about it; `None` where it is to be read again.
    pub fn learn(&mut self, facts: Option<Result<FileFacts, String>>) {
        self.facts = facts;
        self.check();
    }

    /// Takes another name and description.
    pub fn rename(&mut self, name: String, description: String) {
        (self.name, self.description) = (name, description);
        self.check();
    }

    fn check(&mut self) {
        let faults = self.upload().map(|file| file.document().faults()).unwrap_or_default();
        self.fault = faults.into_iter().next().map(|fault| fault.sentence);
    }

    /// True where it was not read yet.
    pub fn is_unread(&self) -> bool {
        self.facts.is_none()
    }

    /// The file's own name.
    pub fn file(&self) -> String {
        let name = self.path.file_name().map(|name| name.to_string_lossy().into_owned());
        clean(&name.unwrap_or_default()).into_owned()
    }

    pub fn known(&self) -> Option<&FileFacts> {
        self.facts.as_ref().and_then(|facts| facts.as_ref().ok())
    }

    /// What would be queued; `None` for what cannot be a document.
    pub fn upload(&self) -> Option<UploadFile> {
        let FileFacts { size, kind, digest, .. } = self.known()?.clone();
        let description = Some(self.description.clone()).filter(|text| !text.trim().is_empty());
        Some(UploadFile { path: self.path.clone(), name: self.name.clone(), description, kind, size, digest })
    }

    pub fn verdict(&self, view: &View<'_>) -> Verdict {
        let facts = match &self.facts {
            None => return Verdict::Checking,
            Some(Err(fault)) => return Verdict::Faulty(fault.clone()),
            Some(Ok(facts)) => facts,
        };
        if let Some(fault) = &self.fault {
            return Verdict::Faulty(fault.clone());
        }
        let doubt = match (facts.earlier.first(), &self.twin) {
            _ if self.again => None,
            (Some(earlier), _) => Some(told(earlier, view)),
            (None, twin) => twin.as_ref().map(|twin| format!("has the same content as {twin}")),
        };
        doubt.map_or(Verdict::Ready, Verdict::Doubtful)
    }
}

fn told(earlier: &EarlierUpload, view: &View<'_>) -> String {
    let (name, base) = (clean(&earlier.name), clean(&earlier.knowledgebase));
    let at = date_and_time(earlier.changed, view.now.wall, view.zone);
    match earlier.status {
        UploadStatus::Queued | UploadStatus::Uploading => format!("is in the queue already, as {name} for {base}"),
        UploadStatus::Unknown(_) => format!("was perhaps uploaded as {name} on {at} to {base}"),
        _ => format!("already uploaded as {name} on {at} to {base}"),
    }
}

/// The name of a document from that of its file: without the extension, with blanks for underscores.
fn name_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().replace('_', " ");
    stem.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The form of a file's name and description.
pub fn form(file: &Candidate) -> Form {
    let description = FormField::text("description", "Description", &file.description, 1..=5, Some(255));
    Form::new(vec![
        FormField::line("name", "Name", &file.name).required().eager(),
        description.hint("optional").eager(),
    ])
}

/// What is typed into it, as a body that can be checked.
pub fn label(form: &Form) -> Label {
    let [name, description] = ["name", "description"].map(|field| form.text_of(field).trim().to_owned());
    Label { name: Some(name), description: Patch::Set(description) }
}

impl Record for Candidate {
    type Id = u64;
    const NAME: &'static str = "file";
    const COLUMNS: &'static [Column<Self>] = &[
        text_column!("NAME", Width::Content { min: 12, max: 36 }, 0, Some(0), |file| clean(&file.name)),
        Column::new("TYPE", Width::Content { min: 4, max: 5 }, 1, |file, _| {
            Cell::text(file.known().map_or("", |facts| facts.kind.label()))
        }),
        Column {
            right: true,
            sort: Sorting::Down(|one, other| {
                let size = |file: &Self| file.known().map(|facts| facts.size);
                size(one).cmp(&size(other))
            }),
            ..Column::new("SIZE", Width::Content { min: 8, max: 10 }, 2, |file, _| {
                Cell::whole(file.known().map_or_else(String::new, |facts| size(facts.size)))
            })
        },
        Column::new("", Width::Fill(20), 0, |file, view| {
            let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
            match file.verdict(view) {
                Verdict::Checking => Cell::text(format!("{} checking", glyphs.hollow)).style(theme.dim),
                Verdict::Ready if file.again => {
                    Cell::text(format!("{} uploads it again", glyphs.full)).style(theme.warning)
                }
                Verdict::Ready => Cell::text(format!("{} {}", glyphs.full, file.file())),
                Verdict::Doubtful(why) => Cell::text(format!("{} {why}", glyphs.alert)).style(theme.warning),
                Verdict::Faulty(why) => Cell::text(format!("{} {why}", glyphs.cross)).style(theme.failed),
            }
        }),
    ];

    fn id(&self) -> u64 {
        self.id
    }

    fn fields(&self) -> Vec<Cow<'_, str>> {
        vec![clean(&self.name), self.file().into()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_from_file_names() {
        let name = |path: &str| name_of(Path::new(path));
        assert_eq!(name("/a/House_rules_2026.final.pdf"), "House rules 2026.final");
        assert_eq!(name("受付__案内.txt"), "受付 案内");
        assert_eq!(name("_.txt"), "", "which is a fault until it is named");
    }
}
