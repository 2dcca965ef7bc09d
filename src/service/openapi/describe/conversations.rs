//! `/user/conversations`.

use super::{day, integer, paged};
use crate::api::rules::PER_PAGE_DEFAULT;
use crate::api::{Conversation, ConversationType, NumberedPage};
use crate::service::openapi::{ErrorShape, Operation};

/// `GET /user/conversations`.
pub fn list() -> Operation {
    let list =
        Operation::spec("Conversations", "listConversations", "List the conversations of the caller's assistants")
            .words("Those that changed last come first.")
            .query_word::<ConversationType>("type", "Only conversations of this type.")
            .query("assistant_id", "Only conversations of this assistant, one of the caller's.", integer())
            .query("date_from", "Only conversations begun on this day (UTC) or later.", day())
            .query("date_to", "Only conversations begun on this day (UTC) or earlier.", day());
    paged(list, PER_PAGE_DEFAULT)
        .answers::<NumberedPage<Conversation>>(200, "A page; beyond the last one it is empty.")
        .refuses(404, ErrorShape::Message, "The caller has no such assistant.")
        .refuses(422, ErrorShape::Validation, "A parameter cannot be read or is out of its bounds.")
}
