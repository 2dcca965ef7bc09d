//! Which request an operation is: the one table of methods and paths.

use super::Operation;
use crate::api::paths::{ACCOUNT, CONVERSATION, SEND_FREEFORM, SENDERS};
use crate::api::{ConversationQuery, CreateApiKey, SendFreeform, SendTemplate};
use serde_json::json;
use url::form_urlencoded;

const CONVERSATIONS: &str = "/user/conversations";
const OUTBOUND_ASSISTANTS: &str = "/user/assistants/outbound";
const API_KEYS: &str = "/user/api-keys";
const SESSION_STATUS: &str = "/user/msgapp/session-status";
const SEND: &str = "/user/msgapp/send";

impl Operation {
    /// One page of the conversation list.
    pub fn conversations(query: &ConversationQuery) -> Self {
        let pairs = query.pairs();
        if pairs.is_empty() {
            return Self::get(CONVERSATIONS.to_owned());
        }
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        Self::get(format!("{CONVERSATIONS}?{query}"))
    }

    /// The caller's outbound assistants.
    pub fn outbound_assistants() -> Self {
        Self::get(OUTBOUND_ASSISTANTS.to_owned())
    }

    /// The caller's API keys.
    pub fn api_keys() -> Self {
        Self::get(API_KEYS.to_owned())
    }

    /// A new API key.
    pub fn create_api_key(key: &CreateApiKey) -> Self {
        Self { method: "POST", path: API_KEYS.to_owned(), body: Some(json!(key).to_string()) }
    }

    /// The end of an API key.
    pub fn delete_api_key(id: i64) -> Self {
        Self { method: "DELETE", path: format!("{API_KEYS}/{id}"), body: None }
    }

    /// The caller's account.
    pub fn account() -> Self {
        Self::get(ACCOUNT.to_owned())
    }

    /// All senders of the messaging app, online or not.
    pub fn senders() -> Self {
        Self::get(format!("{SENDERS}?status=all"))
    }

    /// All templates of a sender, whatever their status.
    pub fn templates(sender_id: i64) -> Self {
        Self::get(format!("{SENDERS}/{sender_id}/templates?status=all"))
    }

    /// The window of a sender and a recipient.
    pub fn session_status(sender_id: i64, recipient_phone: &str) -> Self {
        let pairs = [("sender_id", &*sender_id.to_string()), ("recipient_phone", recipient_phone)];
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        Self::get(format!("{SESSION_STATUS}?{query}"))
    }

    /// A template message.
    pub fn send_template(message: &SendTemplate) -> Self {
        Self { method: "POST", path: SEND.to_owned(), body: Some(json!(message).to_string()) }
    }

    /// A freeform message.
    pub fn send_freeform(message: &SendFreeform) -> Self {
        Self { method: "POST", path: SEND_FREEFORM.to_owned(), body: Some(json!(message).to_string()) }
    }

    /// A conversation with its messages.
    pub fn conversation(id: &str) -> Self {
        Self::get(format!("{CONVERSATION}{}", form_urlencoded::byte_serialize(id.as_bytes()).collect::<String>()))
    }

    /// True where asking twice does no harm: such a request may be tried again and shared; any other may not.
    pub fn is_read(&self) -> bool {
        self.method == "GET"
    }

    /// The path without its query, which may hold a phone number: what logs are told.
    pub fn place(&self) -> &str {
        self.path.split('?').next().unwrap_or_default()
    }

    fn get(path: String) -> Self {
        Self { method: "GET", path, body: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{ConversationFilter, ConversationType, PageRef};

    #[test]
    fn a_query_is_part_of_the_path_and_is_encoded() {
        assert_eq!(Operation::conversations(&ConversationQuery::default()).path, "/user/conversations");
        let query = ConversationQuery {
            filter: ConversationFilter {
                kind: Some(ConversationType::Other("a&b c".to_owned())),
                ..ConversationFilter::default()
            },
            page: PageRef::Number(2),
            ..ConversationQuery::default()
        };
        assert_eq!(Operation::conversations(&query).path, "/user/conversations?type=a%26b+c&page=2");
    }

    #[test]
    fn only_what_changes_nothing_is_a_read() {
        assert!(Operation::api_keys().is_read());
        assert!(!Operation::create_api_key(&CreateApiKey { name: "ci".to_owned() }).is_read());
        assert!(!Operation::delete_api_key(7).is_read());
    }
}
