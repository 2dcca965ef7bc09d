//! The body of a request.

use super::mask;
use crate::api::FileDocument;
use serde::Serialize;
use serde_json::json;

/// A body and its media type.
pub(super) enum Content {
    Json(String),
    Form { boundary: String, bytes: Vec<u8> },
}

impl Content {
    pub(super) fn json(body: &impl Serialize) -> Self {
        // The types of the contract have string keys only, so they always serialize.
        Self::Json(json!(body).to_string())
    }

    /// A multipart form. It is held in memory: a document's file has at most 20 MiB.
    pub(super) fn form(document: &FileDocument) -> Self {
        let FileDocument { name, description, kind, file_name, content } = document;
        let boundary = format!("switchboard-{:032x}", fastrand::u128(..));
        let mut bytes = Vec::with_capacity(content.len() + 1024);
        let fields =
            [("name", Some(name.as_str())), ("description", description.as_deref()), ("type", Some(kind.as_str()))];
        for (field, value) in fields.into_iter().filter_map(|(field, value)| Some((field, value?))) {
            let head = format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{field}\"\r\n\r\n{value}\r\n");
            bytes.extend_from_slice(head.as_bytes());
        }
        let file_name = file_name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A");
        let head = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{file_name}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        );
        bytes.extend_from_slice(head.as_bytes());
        bytes.extend_from_slice(content);
        bytes.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
        Self::Form { boundary, bytes }
    }

    pub(super) fn media_type(&self) -> String {
        match self {
            Self::Json(_) => "application/json".to_owned(),
            Self::Form { boundary, .. } => format!("multipart/form-data; boundary={boundary}"),
        }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Json(text) => text.into_bytes(),
            Self::Form { bytes, .. } => bytes,
        }
    }

    /// A JSON body with its secrets masked; `None` for a form.
    pub(super) fn masked(&self) -> Option<String> {
        match self {
            Self::Json(text) => Some(mask::json(text)),
            Self::Form { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::DocumentType;

    #[test]
    fn form_quotes_file_names_and_ends_with_its_boundary() {
        let form = Content::form(&FileDocument {
            name: "Prices".to_owned(),
            description: None,
            kind: DocumentType::Txt,
            file_name: "a\"b\r\n.txt".to_owned(),
            content: b"1 EUR".as_slice().into(),
        });
        let media_type = form.media_type();
        let boundary = media_type.strip_prefix("multipart/form-data; boundary=").unwrap().to_owned();
        let text = String::from_utf8(form.into_bytes()).unwrap();
        assert!(text.contains("filename=\"a%22b%0D%0A.txt\""), "{text}");
        assert!(text.ends_with(&format!("\r\n1 EUR\r\n--{boundary}--\r\n")), "{text}");
        assert!(!text.contains("description"), "{text}");
    }
}
