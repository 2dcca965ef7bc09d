//! Knowledgebases and their documents (spec: Resources, Knowledgebase and Knowledgebase document).

use super::rules::{self, Fault};
use super::words::wire_words;
use super::{Field, IsoTimestamp, Patch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// The largest file of a document, in bytes.
pub const FILE_MAX: usize = 20 * 1024 * 1024;
/// Pages that are followed from a website.
pub const RELATIVE_LINKS: RangeInclusive<i64> = 1..=50;
/// Pages where no number is given.
pub const RELATIVE_LINKS_DEFAULT: i64 = 10;

wire_words! {
    /// How far a knowledgebase is.
    KnowledgebaseStatus {
        /// It has no documents.
        Empty = "empty",
        /// At least one of its documents is in work.
        Processing = "processing",
        /// All its documents can be used.
        Active = "active",
        /// At least one of its documents could not be read.
        Failed = "failed",
    }
}

wire_words! {
    /// What a document is made from.
    DocumentType {
        /// Pages of a website.
        Website = "website",
        /// A PDF file.
        Pdf = "pdf",
        /// A plain text file.
        Txt = "txt",
        /// A word processor's file.
        Docx = "docx",
    }
}

wire_words! {
    /// How far the processing of a document has come.
    DocumentStatus {
        /// It is being read.
        Processing = "processing",
        /// It can be used.
        Active = "active",
        /// It could not be read.
        Failed = "failed",
    }
}

impl KnowledgebaseStatus {
    /// The status for people.
    pub fn label(&self) -> &str {
        match self {
            Self::Empty => "Empty",
            Self::Processing => "Processing",
            Self::Active => "Active",
            Self::Failed => "Failed",
            Self::Other(word) => word,
        }
    }
}

impl DocumentType {
    /// The type for people.
    pub fn label(&self) -> &str {
        match self {
            Self::Website => "Website",
            Self::Pdf => "PDF",
            Self::Txt => "TXT",
            Self::Docx => "DOCX",
            Self::Other(word) => word,
        }
    }
}

impl DocumentStatus {
    /// The status for people.
    pub fn label(&self) -> &str {
        match self {
            Self::Processing => "Processing",
            Self::Active => "Active",
            Self::Failed => "Failed",
            Self::Other(word) => word,
        }
    }
}

/// A knowledgebase as the API shows it; each operation leaves out other fields.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Knowledgebase {
    /// `knowledgebase_id` of assistants refers to it.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub id: Field<i64>,
    /// 1 to 255 characters; need not be unique.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub name: Field<String>,
    /// What it is about.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub description: Field<Option<String>>,
    /// How far it is.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub status: Field<KnowledgebaseStatus>,
    /// The same for people.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub status_label: Field<String>,
    /// How many documents it has; only in the list and by itself.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[schemars(extend("x-presence" = "in the list and by itself"))]
    pub documents_count: Field<u64>,
    /// How many assistants use it; only in the list and by itself.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[schemars(extend("x-presence" = "in the list and by itself"))]
    pub assistants_count: Field<u64>,
    /// When it was created.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[schemars(extend("x-presence" = "not in the answer to an update"))]
    pub created_at: Field<IsoTimestamp>,
    /// When it last changed.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub updated_at: Field<IsoTimestamp>,
    /// Fields that the spec does not name, as they came.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A document as the API shows it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Document {
    /// Unique among all documents.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub id: Field<i64>,
    /// 1 to 255 characters; need not be unique.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub name: Field<String>,
    /// What it is about.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub description: Field<Option<String>>,
    /// What it is made from.
    #[serde(rename = "type", skip_serializing_if = "Field::is_missing")]
    pub kind: Field<DocumentType>,
    /// The same for people.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub type_label: Field<String>,
    /// How far its processing is.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub status: Field<DocumentStatus>,
    /// The same for people.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub status_label: Field<String>,
    /// When it was created.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[schemars(extend("x-presence" = "not in the answer to an update"))]
    pub created_at: Field<IsoTimestamp>,
    /// When it last changed; missing at its creation.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[schemars(extend("x-presence" = "not in the answer to a creation"))]
    pub updated_at: Field<IsoTimestamp>,
    /// Fields that the spec does not name, as they came.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// The body of an update of a knowledgebase or a document, and with a name that of a knowledgebase's creation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, JsonSchema)]
#[schemars(default)]
pub struct Label {
    /// 1 to 255 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = rules::TEXT_MAX))]
    pub name: Option<String>,
    /// The description.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schemars(length(max = rules::TEXT_MAX))]
    pub description: Patch<String>,
}

/// The body of `POST /user/knowledgebases/{id}/documents` for a website: with `url` or with `links`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct WebsiteDocument {
    /// At most 255 characters.
    pub name: String,
    /// At most 255 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Always `website`.
    #[serde(rename = "type")]
    pub kind: DocumentType,
    /// The page to start from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The pages to read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<WebsiteLink>,
    /// How many linked pages are followed, 1 to 50.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relative_links_limit: Option<i64>,
}

/// A page of a website.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct WebsiteLink {
    /// Its URL.
    pub link: String,
}

/// The form of `POST /user/knowledgebases/{id}/documents` for a file, which is read from disk while it is sent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FileDocument {
    /// 1 to 255 characters.
    pub name: String,
    /// At most 255 characters.
    pub description: Option<String>,
    /// `pdf`, `txt` or `docx`.
    pub kind: DocumentType,
    /// The name that the service gets; its extension must match the type.
    pub file_name: String,
    /// Where the file is on this machine.
    pub path: PathBuf,
    /// In bytes, at most [`FILE_MAX`]. A file of another size is not sent.
    pub size: u64,
    /// The SHA-256 of the content in hexadecimal digits; a file with another content is not sent. `None`: not compared.
    pub digest: Option<String>,
}

impl FileDocument {
    /// What the service would refuse, before anything leaves.
    pub fn faults(&self) -> Vec<Fault> {
        let description = self.description.clone().map_or(Patch::Keep, Patch::Set);
        let label = Label { name: Some(self.name.clone()), description };
        let size = usize::try_from(self.size).ok().filter(|size| (1..=FILE_MAX).contains(size));
        let size = size.map(|_| ()).ok_or_else(|| Fault::new("file", "The file must have 1 byte to 20 MiB."));
        let file = file_name(&self.kind, &self.file_name).and(size).err();
        label.faults().into_iter().chain(file).collect()
    }
}

impl Label {
    /// What is wrong with the fields that are given.
    pub fn faults(&self) -> Vec<Fault> {
        let name = self.name.as_deref().map_or(Ok(()), |name| rules::filled("name", name, rules::TEXT_MAX));
        let description = self.description.new_value().map_or(Ok(()), |text| description(text));
        [name, description].into_iter().filter_map(Result::err).collect()
    }
}

impl WebsiteDocument {
    /// What is wrong with it.
    pub fn faults(&self) -> Vec<Fault> {
        let description = self.description.clone().map_or(Patch::Keep, Patch::Set);
        let mut faults = Label { name: Some(self.name.clone()), description }.faults();
        let links: Vec<_> = self.links.iter().map(|link| link.link.as_str()).collect();
        if self.url.is_none() && links.is_empty() {
            faults.push(rules::required("url"));
        }
        faults.extend(pages_faults(self.url.as_deref(), &links, self.relative_links_limit));
        faults
    }
}

/// What is wrong with the pages of a website: where they begin, those that are named, and how many are followed.
pub fn pages_faults(url: Option<&str>, links: &[&str], relative_links_limit: Option<i64>) -> Vec<Fault> {
    let url = url.map(|url| rules::web_url("url", url));
    let links = (0..).zip(links).map(|(at, link): (usize, _)| rules::web_url(format!("links.{at}.link"), link));
    let limit = relative_links_limit.map(|limit| rules::between("relative_links_limit", limit, &RELATIVE_LINKS));
    url.into_iter().chain(links).chain(limit).filter_map(Result::err).collect()
}

fn description(text: &str) -> Result<(), Fault> {
    rules::at_most("description", text, rules::TEXT_MAX)
}

/// The fault of a document that is to be made from a file, and has none.
pub fn file_required() -> Fault {
    Fault::new("file", "A file is required for this document type.")
}

/// The file of a document: its name must end as its type wants.
///
/// # Errors
/// The fault, where it ends otherwise.
pub fn file_name(kind: &DocumentType, name: &str) -> Result<(), Fault> {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    if ending.as_deref() == Some(kind.as_str()) {
        return Ok(());
    }
    Err(Fault::new("file", format!("The file must be a file of type: {}.", kind.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_ends_as_its_type_wants() {
        for name in ["a.pdf", "A.PDF", "a.txt.pdf", "Preisliste 2026.pdf"] {
            assert_eq!(file_name(&DocumentType::Pdf, name), Ok(()), "{name}");
        }
        for name in ["a.txt", "pdf", "", "a.pdf.exe"] {
            assert!(file_name(&DocumentType::Pdf, name).is_err(), "{name}");
        }
    }
}
