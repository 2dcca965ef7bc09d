//! The table of operations, one line each. A new operation is a line here plus its types in [`crate::api`].

use super::answer;
use super::content::Content;
use super::table::{operations, read};
use super::{FailureKind, Operation};
use crate::api::sandbox::{
    AdvanceClock, ClearFaults, ClockTime, EndConversation, InboundCall, InboundMessage, MessageDelivery,
    ReceivedMessage, SandboxFault, StartedCall, WebhookSecret,
};
use crate::api::{
    Account, AiSwitched, ApiKey, ApiKeyList, Assistant, AssistantChange, AssistantSummary, Call, CallQuery,
    CallStarted, CatalogueQuery, ChatMessage, ChatReply, Conversation, ConversationHistory, ConversationQuery,
    CreateApiKey, CreatedApiKey, CreatedApiKeyBody, Data, DisableWebhook, Document, Done, EnableWebhook, FileDocument,
    Knowledgebase, Label, Language, LogIn, Login, MakeCall, MessageBody, Model, ModelType, OutboundAssistant, Page,
    PageQuery, Provider, Query, Rows, Segment, SendFreeform, SendTemplate, Sender, SentMessage, SessionStatus,
    StartConversation, StartedConversation, Template, Tool, ToolChange, Voice, WebhookDelivery, WebhookDeliveryList,
    WebsiteDocument,
};
use serde_json::Value;
use url::form_urlencoded;

operations! {
    LogIn log_in { body: LogIn }: POST "/white-label/login", json(body) => Login;
    GetAccount get_account: GET "/user/me" => Account;
    ListApiKeys list_api_keys: GET "/user/api-keys" => Rows<ApiKey> as ApiKeyList { api_keys };
    CreateApiKey create_api_key { body: CreateApiKey }: POST "/user/api-keys", json(body) => CreatedApiKey as CreatedApiKeyBody { api_key };
    DeleteApiKey delete_api_key { id: i64 }: DELETE "/user/api-keys/{id}" => (), any_body;

    ListSenders list_senders: GET "/user/msgapp/senders?status=all" => Rows<Sender> as Data<_> { data };
    ListTemplates list_templates { sender_id: i64 }: GET "/user/msgapp/senders/{sender_id}/templates?status=all" => Rows<Template> as Data<_> { data };
    GetSessionStatus get_session_status { sender_id: i64, recipient_phone: Segment }: GET "/user/msgapp/session-status?sender_id={sender_id}&recipient_phone={recipient_phone}" => SessionStatus;
    SendTemplate send_template { body: SendTemplate }: POST "/user/msgapp/send", json(body) => SentMessage;
    SendFreeform send_freeform { body: SendFreeform }: POST "/user/msgapp/send-freeform", json(body) => SentMessage;

    ListConversations list_conversations { query: ConversationQuery }: GET "/user/conversations" ? query => Page<Conversation>;
    GetConversation get_conversation { uuid: Segment }: GET "/conversations/{uuid}" => ConversationHistory, with_raw;
    StartConversation start_conversation { body: StartConversation }: POST "/conversations", json(body) => StartedConversation;
    SendChatMessage send_chat_message { uuid: Segment, body: ChatMessage }: POST "/conversations/{uuid}/messages", json(body) => ChatReply;
    DisableAi disable_ai { uuid: Segment }: POST "/automate/conversations/{uuid}/disable-ai" => AiSwitched;
    EnableAi enable_ai { uuid: Segment }: POST "/automate/conversations/{uuid}/enable-ai" => AiSwitched;

    ListOutboundAssistants list_outbound_assistants: GET "/user/assistants/outbound" => Rows<OutboundAssistant>;
    ListAssistants list_assistants { query: PageQuery }: GET "/user/assistants/get" ? query => Page<Assistant>;
    CreateAssistant create_assistant { body: Box<AssistantChange> }: POST "/user/assistant", json(body) => Done<AssistantSummary>;
    UpdateAssistant update_assistant { id: i64, body: Box<AssistantChange> }: PUT "/user/assistant/{id}", json(body) => Done<AssistantSummary>;
    DeleteAssistant delete_assistant { id: i64 }: DELETE "/user/assistant/{id}" => (), any_body;
    EnableConversationEndedWebhook enable_conversation_ended_webhook { body: EnableWebhook }: POST "/user/assistants/enable-conversation-ended-webhook", json(body) => MessageBody;
    DisableConversationEndedWebhook disable_conversation_ended_webhook { body: DisableWebhook }: POST "/user/assistants/disable-conversation-ended-webhook", json(body) => MessageBody;
    EnableInboundWebhook enable_inbound_webhook { body: EnableWebhook }: POST "/user/assistants/enable-inbound-webhook", json(body) => MessageBody;
    DisableInboundWebhook disable_inbound_webhook { body: DisableWebhook }: POST "/user/assistants/disable-inbound-webhook", json(body) => MessageBody;
    DisableWebhook disable_webhook { body: DisableWebhook }: POST "/user/assistants/disable-webhook", json(body) => MessageBody;

    ListVoices list_voices { query: CatalogueQuery }: GET "/user/assistants/voices" ? query => Rows<Voice>;
    ListSynthesizerProviders list_synthesizer_providers { query: CatalogueQuery }: GET "/user/assistants/synthesizer-providers" ? query => Rows<Provider>;
    ListTranscriberProviders list_transcriber_providers { query: CatalogueQuery }: GET "/user/assistants/transcriber-providers" ? query => Rows<Provider>;
    ListModels list_models { kind: ModelType }: GET "/user/assistants/models" ? kind => Rows<Model>;
    ListLanguages list_languages: GET "/user/assistants/languages" => Rows<Language>;

    MakeCall make_call { body: MakeCall }: POST "/user/make_call", json(body) => CallStarted;
    ListCalls list_calls { query: CallQuery }: GET "/user/calls" ? query => Page<Call>;
    GetCall get_call { id: i64 }: GET "/user/calls/{id}" => Call, with_raw;
    DeleteCall delete_call { id: i64 }: DELETE "/user/calls/{id}" => (), any_body;

    ListTools list_tools: GET "/user/tools" => Rows<Tool>;
    CreateTool create_tool { body: ToolChange }: POST "/user/tools", json(body) => Done<Tool>;
    GetTool get_tool { id: i64 }: GET "/user/tools/{id}" => Tool;
    UpdateTool update_tool { id: i64, body: ToolChange }: PUT "/user/tools/{id}", json(body) => Done<Tool>;
    DeleteTool delete_tool { id: i64 }: DELETE "/user/tools/{id}" => (), any_body;

    ListKnowledgebases list_knowledgebases: GET "/user/knowledgebases" => Rows<Knowledgebase> as Data<_> { data };
    CreateKnowledgebase create_knowledgebase { body: Label }: POST "/user/knowledgebases", json(body) => Done<Knowledgebase>;
    GetKnowledgebase get_knowledgebase { id: i64 }: GET "/user/knowledgebases/{id}" => Knowledgebase as Data<_> { data };
    UpdateKnowledgebase update_knowledgebase { id: i64, body: Label }: PUT "/user/knowledgebases/{id}", json(body) => Done<Knowledgebase>;
    DeleteKnowledgebase delete_knowledgebase { id: i64 }: DELETE "/user/knowledgebases/{id}" => (), any_body;
    ListDocuments list_documents { id: i64 }: GET "/user/knowledgebases/{id}/documents" => Rows<Document> as Data<_> { data };
    CreateWebsiteDocument create_website_document { id: i64, body: WebsiteDocument }: POST "/user/knowledgebases/{id}/documents", json(body) => Done<Document>;
    CreateFileDocument create_file_document { id: i64, body: FileDocument }: POST "/user/knowledgebases/{id}/documents", form(body) => Done<Document>;
    GetDocument get_document { id: i64, document_id: i64 }: GET "/user/knowledgebases/{id}/documents/{document_id}" => Document as Data<_> { data };
    UpdateDocument update_document { id: i64, document_id: i64, body: Label }: PUT "/user/knowledgebases/{id}/documents/{document_id}", json(body) => Done<Document>;
    DeleteDocument delete_document { id: i64, document_id: i64 }: DELETE "/user/knowledgebases/{id}/documents/{document_id}" => (), any_body;

    GetApiDescription get_api_description: GET "/openapi.json" => Value;
    AdvanceClock advance_clock { body: AdvanceClock }: POST "/sandbox/clock", json(body) => ClockTime;
    SetFault set_fault { body: SandboxFault }: POST "/sandbox/faults", json(body) => MessageBody;
    ClearFaults clear_faults { body: ClearFaults }: POST "/sandbox/faults", json(body) => MessageBody;
    ReceiveMessage receive_message { body: InboundMessage }: POST "/sandbox/inbound-message", json(body) => ReceivedMessage;
    EndConversation end_conversation { body: EndConversation }: POST "/sandbox/end-conversation", json(body) => MessageBody;
    ReceiveCall receive_call { body: InboundCall }: POST "/sandbox/inbound-call", json(body) => StartedCall;
    GetMessageDelivery get_message_delivery { sid: Segment }: GET "/sandbox/messages/{sid}" => MessageDelivery;
    ListDeliveries list_deliveries: GET "/sandbox/deliveries" => Vec<WebhookDelivery> as WebhookDeliveryList { data };
    ResendDelivery resend_delivery { id: i64 }: POST "/sandbox/deliveries/{id}/resend" => MessageBody;
    GetWebhookSecret get_webhook_secret: GET "/sandbox/webhook-secret" => WebhookSecret;
}

impl Request {
    /// The request as people read it: in logs, on screen, as a `curl` command. Secrets in the body are masked.
    pub fn operation(&self) -> Operation {
        let body = self.content().and_then(|content| content.masked());
        Operation { method: self.method(), path: self.path(), body }
    }

    /// True where asking twice does no harm: such a request may be retried and shared; any other may not.
    pub fn is_read(&self) -> bool {
        self.method() == "GET"
    }

    /// True for the operations that send a message or make a call: they cost money, are recorded before they leave and
    /// never repeated, and keep to the rate limit.
    pub fn is_charged(&self) -> bool {
        matches!(self, Self::SendTemplate { .. } | Self::SendFreeform { .. } | Self::MakeCall { .. })
    }

    /// True where a file on this machine is its body.
    pub fn is_upload(&self) -> bool {
        matches!(self, Self::CreateFileDocument { .. })
    }

    /// The window of a sender and a recipient (E.164).
    pub fn session_status(sender_id: i64, recipient_phone: &str) -> Self {
        Self::GetSessionStatus { sender_id, recipient_phone: recipient_phone.into() }
    }
}

fn with_query(path: String, queries: &[&dyn Query]) -> String {
    let pairs: Vec<_> = queries.iter().flat_map(|query| query.pairs()).collect();
    if pairs.is_empty() {
        return path;
    }
    format!("{path}?{}", form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{ConversationFilter, ConversationType, PageRef};
    use std::collections::HashSet;

    #[test]
    fn query_is_part_of_the_path_and_encoded() {
        let path = |query| Request::ListConversations { query }.path();
        assert_eq!(path(ConversationQuery::default()), "/user/conversations");
        let kind = Some(ConversationType::Other("a&b c".to_owned()));
        let filter = ConversationFilter { kind, ..ConversationFilter::default() };
        let query = ConversationQuery { filter, page: PageRef::Number(2), ..ConversationQuery::default() };
        assert_eq!(path(query), "/user/conversations?type=a%26b+c&page=2");
        let status = Request::session_status(7, "+4930555");
        assert_eq!(status.path(), "/user/msgapp/session-status?sender_id=7&recipient_phone=%2B4930555");
    }

    #[test]
    fn only_requests_that_change_nothing_are_reads() {
        assert!(Request::ListApiKeys.is_read());
        assert!(!Request::CreateApiKey { body: CreateApiKey { name: "ci".to_owned() } }.is_read());
        assert!(!Request::DeleteApiKey { id: 7 }.is_read());
    }

    #[test]
    fn operation_names_are_unique() {
        assert_eq!(Request::NAMES.iter().collect::<HashSet<_>>().len(), Request::NAMES.len());
    }
}
