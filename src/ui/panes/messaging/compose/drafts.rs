//! The drafts that the pane knows, and the values it suggests.

use super::suggestions::is_secret;
use crate::records::{Draft, StorageRequest};
use crate::ui::compose::drafts;
use crate::ui::pane::Context;
use crate::ui::panes::messaging::{Messaging, MessagingData};
use std::collections::BTreeSet;

/// Changes the loaded drafts and values as storage is changed, so that they are suggested again at once.
pub fn remember(known: &mut MessagingData, request: &StorageRequest) {
    drafts::remember(&mut known.drafts, request);
    if let StorageRequest::SaveValues(values) = request {
        for value in values {
            known.used.retain(|old| old != value);
            known.used.insert(0, value.clone());
        }
    }
}

impl Messaging {
    /// Deletes what earlier versions have stored of values that may be codes, once it is known whose they are.
    pub(in crate::ui::panes::messaging) fn forget_codes(&mut self, cx: &mut Context) {
        let templates = self.data.templates.values().filter_map(|remote| remote.value()).flatten();
        let secret: BTreeSet<i64> = templates
            .filter(|template| is_secret(template))
            .filter_map(|template| template.id.known().copied())
            .collect();
        let has_code =
            |draft: &Draft| !draft.values.is_empty() && draft.template_id.is_some_and(|id| secret.contains(&id));
        let drafted = self.data.drafts.iter().filter(|draft| has_code(draft)).filter_map(|draft| draft.template_id);
        let used = self.data.used.iter().map(|used| used.template_id).filter(|id| secret.contains(id));
        let ids: BTreeSet<i64> = drafted.chain(used).collect();
        if !ids.is_empty() {
            self.data.drafts.retain(|draft| !has_code(draft));
            self.data.used.retain(|used| !secret.contains(&used.template_id));
            let template_ids = ids.into_iter().collect();
            self.store("The drafts", StorageRequest::DeleteValues { template_ids }, cx);
        }
    }
}
