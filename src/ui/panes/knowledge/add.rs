//! Knowledgebases by their number, for servers that do not list them.

use super::Knowledge;
use super::row::is_processing;
use crate::api::{Document, DocumentStatus, Field, Knowledgebase, KnowledgebaseStatus};
use crate::records::Resource;
use crate::ui::by_number::Numbered;
use crate::ui::prelude::*;

impl Numbered for Knowledgebase {
    const RESOURCE: Resource = Resource::Knowledgebase;
    const NAME: &'static str = "knowledgebase";
    const READ: fn(Reply) -> Option<Self> = Reply::get_knowledgebase;

    fn request(id: i64) -> Request {
        Request::GetKnowledgebase { id }
    }

    fn proof(id: i64) -> Option<Request> {
        Some(Request::ListDocuments { id })
    }
}

impl Knowledge {
    /// The rows where the server has no list.
    pub(super) fn numbered(&self) -> Vec<Knowledgebase> {
        self.known.iter().map(|(id, remote)| self.record(*id, remote.value())).collect()
    }

    /// What is known of a knowledgebase, from its documents too.
    fn record(&self, id: i64, record: Option<&Knowledgebase>) -> Knowledgebase {
        let unknown = || Knowledgebase { id: id.into(), ..Knowledgebase::default() };
        let mut record = record.cloned().unwrap_or_else(unknown);
        let Some(documents) = self.loaded.rows(id) else { return record };
        if record.documents_count == Field::Missing {
            record.documents_count = (documents.len() as u64).into();
        }
        if record.status == Field::Missing {
            let failed = |document: &Document| document.status.known() == Some(&DocumentStatus::Failed);
            record.status = match () {
                () if documents.is_empty() => KnowledgebaseStatus::Empty,
                () if documents.iter().any(is_processing) => KnowledgebaseStatus::Processing,
                () if documents.iter().any(failed) => KnowledgebaseStatus::Failed,
                () => KnowledgebaseStatus::Active,
            }
            .into();
        }
        record
    }

    /// Takes a knowledgebase off the list.
    pub(super) fn remove_number(&mut self, id: i64, cx: &mut Context) {
        self.known.remove(id, cx);
        self.loaded.forget(id);
        self.refresh(cx);
    }
}
