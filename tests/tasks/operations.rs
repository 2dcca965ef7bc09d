//! Calls every operation of the client's table against the embedded service, and reads its answer.

use crate::support::canned::noon;
use crate::support::server::Server;
use std::collections::{BTreeMap, BTreeSet};
use switchboard::api::sandbox::{
    AdvanceClock, ClearFaults, EndConversation, InboundCall, InboundMessage, SandboxFault,
};
use switchboard::api::{
    AssistantChange, AssistantMode, AssistantType, CallQuery, CatalogueQuery, ChatMessage, ConversationQuery,
    ConversationType, CreateApiKey, DisableWebhook, DocumentType, EnableWebhook, Field, FileDocument, Label, LogIn,
    MakeCall, ModelType, PageQuery, Password, Patch, Segment, SendFreeform, SendTemplate, StartConversation, Token,
    ToolChange, ToolMethod, WebsiteDocument,
};
use switchboard::client::{Client, ClientConfig, FailureKind, Reply, Request};
use switchboard::service::Clock;

const WORLD: &str = r#"
[[users]]
email = "ada@example.com"
password = "hunter2 hunter2"
balance = 1000.0
tokens = ["sandbox-ada"]
[[users.assistants]]
name = "Reception"
[[users.senders]]
phone_number = "+14155550100"
assistant = "Reception"
[[users.senders.templates]]
name = "note"
body_text = "This is a note."
"#;
const CUSTOMER: &str = "+4930901820";

/// A client that remembers which operations it has called.
struct Caller {
    client: Client,
    called: BTreeSet<&'static str>,
}

impl Caller {
    async fn call<T>(&mut self, request: Request, read: fn(Reply) -> Option<T>) -> T {
        self.called.insert(request.name());
        let reply = self.client.call(&request, &mut |_| ()).await;
        let reply = reply.unwrap_or_else(|failure| panic!("{}: {failure}", request.name()));
        read(reply).unwrap_or_else(|| panic!("{}: the reply of another operation", request.name()))
    }
}

fn known<T: Clone + std::fmt::Debug>(field: &Field<T>) -> T {
    field.known().unwrap_or_else(|| panic!("{field:?} is not known")).clone()
}

#[test]
fn every_operation_of_the_table_is_called_and_its_answer_read() {
    let server = Server::start(WORLD, Clock::fixed(noon()));
    let config = ClientConfig::new(server.base_url().parse().unwrap(), server.token.clone());
    let mut caller = Caller { client: Client::new(config).unwrap(), called: BTreeSet::new() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        account(&mut caller).await;
        let uuid = assistants(&mut caller).await;
        catalogue(&mut caller).await;
        tools(&mut caller).await;
        knowledgebases(&mut caller).await;
        messaging(&mut caller).await;
        conversations(&mut caller, uuid.clone()).await;
        calls(&mut caller).await;
        webhooks(&mut caller, uuid).await;
        faults(&mut caller).await;
    });
    let missing: Vec<_> = Request::NAMES.iter().filter(|name| !caller.called.contains(*name)).collect();
    assert!(missing.is_empty(), "never called: {missing:?}");
}

async fn account(caller: &mut Caller) {
    let account = caller.call(Request::GetAccount, Reply::get_account).await;
    assert_eq!(known(&account.email), "ada@example.com");
    let body = LogIn { email: known(&account.email), password: Password::new("hunter2 hunter2"), token_name: None };
    let login = caller.call(Request::LogIn { body }, Reply::log_in).await;
    assert!(!login.token.expose().is_empty());

    let body = CreateApiKey { name: "ci".to_owned() };
    let created = caller.call(Request::CreateApiKey { body }, Reply::create_api_key).await;
    assert!(created.token != Token::new(""));
    let keys = caller.call(Request::ListApiKeys, Reply::list_api_keys).await;
    let key = keys.iter().find(|key| key.name.known() == Some(&"ci".to_owned())).unwrap();
    caller.call(Request::DeleteApiKey { id: known(&key.id) }, Reply::delete_api_key).await;
    assert_eq!(caller.call(Request::ListApiKeys, Reply::list_api_keys).await.len(), keys.len() - 1);
    let description = caller.call(Request::GetApiDescription, Reply::get_api_description).await;
    assert!(description["openapi"].is_string());
}

/// Returns the UUID of an assistant to chat with.
async fn assistants(caller: &mut Caller) -> String {
    let body = Box::new(AssistantChange {
        name: Some("Clara".to_owned()),
        kind: Some(AssistantType::Outbound),
        mode: Some(AssistantMode::Pipeline),
        voice_id: Some(5),
        language_id: Some(2),
        timezone: Some("Europe/Berlin".to_owned()),
        initial_message: Some("Guten Tag!".to_owned()),
        system_prompt: Some("Sei freundlich.".to_owned()),
        llm_model_id: Patch::Set(2),
        ..AssistantChange::default()
    });
    let created = caller.call(Request::CreateAssistant { body }, Reply::create_assistant).await.data;
    let body = Box::new(AssistantChange { name: Some("Carla".to_owned()), ..AssistantChange::default() });
    let updated = caller.call(Request::UpdateAssistant { id: created.id, body }, Reply::update_assistant).await.data;
    assert_eq!((updated.id, updated.name.as_str()), (created.id, "Carla"));
    let outbound = caller.call(Request::ListOutboundAssistants, Reply::list_outbound_assistants).await;
    assert_eq!(outbound.len(), 2);
    caller.call(Request::DeleteAssistant { id: created.id }, Reply::delete_assistant).await;
    let page = caller.call(Request::ListAssistants { query: PageQuery::default() }, Reply::list_assistants).await;
    assert_eq!(page.rows().len(), 1);
    known(&page.rows()[0].uuid)
}

async fn catalogue(caller: &mut Caller) {
    let query = CatalogueQuery { mode: Some(AssistantMode::Pipeline), language_id: Some(2) };
    let voices = caller.call(Request::ListVoices { query: query.clone() }, Reply::list_voices).await;
    assert!(voices.iter().all(|voice| known(&voice.language_id) == 2) && !voices.is_empty());
    let query = CatalogueQuery { mode: None, ..query };
    let request = Request::ListSynthesizerProviders { query: query.clone() };
    assert!(!caller.call(request, Reply::list_synthesizer_providers).await.is_empty());
    let request = Request::ListTranscriberProviders { query };
    assert!(!caller.call(request, Reply::list_transcriber_providers).await.is_empty());
    let models = caller.call(Request::ListModels { kind: ModelType::Multimodal }, Reply::list_models).await;
    assert!(models.iter().all(|model| model.code.known().is_some()) && !models.is_empty());
    assert!(!caller.call(Request::ListLanguages, Reply::list_languages).await.is_empty());
}

async fn tools(caller: &mut Caller) {
    let body = ToolChange {
        name: Some("look_up".to_owned()),
        description: Some("Looks up an order".to_owned()),
        endpoint: Some("https://example.com/orders".to_owned()),
        method: Some(ToolMethod::Get),
        ..ToolChange::default()
    };
    let id = known(&caller.call(Request::CreateTool { body }, Reply::create_tool).await.data.id);
    let body = ToolChange { timeout: Some(7), ..ToolChange::default() };
    let updated = caller.call(Request::UpdateTool { id, body }, Reply::update_tool).await.data;
    assert_eq!(known(&updated.timeout), 7);
    let found = caller.call(Request::GetTool { id }, Reply::get_tool).await;
    assert_eq!(caller.call(Request::ListTools, Reply::list_tools).await.rows, [found]);
    caller.call(Request::DeleteTool { id }, Reply::delete_tool).await;
    assert_eq!(caller.call(Request::ListTools, Reply::list_tools).await.rows, []);
}

async fn knowledgebases(caller: &mut Caller) {
    let body = Label { name: Some("Handbook".to_owned()), description: Patch::Keep };
    let created = caller.call(Request::CreateKnowledgebase { body }, Reply::create_knowledgebase).await.data;
    let id = known(&created.id);
    let body = Label { name: None, description: Patch::Set("For staff".to_owned()) };
    caller.call(Request::UpdateKnowledgebase { id, body }, Reply::update_knowledgebase).await;
    let found = caller.call(Request::GetKnowledgebase { id }, Reply::get_knowledgebase).await;
    assert_eq!(known(&found.description), Some("For staff".to_owned()));
    assert_eq!(caller.call(Request::ListKnowledgebases, Reply::list_knowledgebases).await.rows, [found]);

    let body = WebsiteDocument {
        name: "Site".to_owned(),
        description: None,
        kind: DocumentType::Website,
        url: Some("https://example.com/".to_owned()),
        links: Vec::new(),
        relative_links_limit: Some(3),
    };
    let request = Request::CreateWebsiteDocument { id, body };
    let site = caller.call(request, Reply::create_website_document).await.data;
    let folder = tempfile::tempdir().unwrap();
    let (path, content) = (folder.path().join("prices.txt"), "Tea 2 EUR\r\n");
    std::fs::write(&path, content).unwrap();
    let body = FileDocument {
        name: "Prices \"2026\"".to_owned(),
        description: Some("All prices".to_owned()),
        kind: DocumentType::Txt,
        file_name: "prices.txt".to_owned(),
        path,
        size: content.len() as u64,
        digest: None,
    };
    let file = caller.call(Request::CreateFileDocument { id, body }, Reply::create_file_document).await.data;
    assert_eq!(known(&file.name), "Prices \"2026\"");
    let document_id = known(&file.id);
    let body = Label { name: Some("Prices".to_owned()), description: Patch::Keep };
    caller.call(Request::UpdateDocument { id, document_id, body }, Reply::update_document).await;
    let found = caller.call(Request::GetDocument { id, document_id }, Reply::get_document).await;
    assert_eq!((known(&found.name), known(&found.kind)), ("Prices".to_owned(), DocumentType::Txt));
    caller.call(Request::DeleteDocument { id, document_id }, Reply::delete_document).await;
    let left = caller.call(Request::ListDocuments { id }, Reply::list_documents).await;
    assert_eq!(left.iter().map(|document| known(&document.id)).collect::<Vec<_>>(), [known(&site.id)]);
    caller.call(Request::DeleteKnowledgebase { id }, Reply::delete_knowledgebase).await;
    assert_eq!(caller.call(Request::ListKnowledgebases, Reply::list_knowledgebases).await.rows, []);
}

async fn messaging(caller: &mut Caller) {
    let senders = caller.call(Request::ListSenders, Reply::list_senders).await;
    let sender_id = known(&senders[0].id);
    let templates = caller.call(Request::ListTemplates { sender_id }, Reply::list_templates).await;
    let body = SendTemplate {
        sender_id,
        template_id: known(&templates[0].id),
        recipient_phone: CUSTOMER.to_owned(),
        recipient_name: None,
        variables: BTreeMap::new(),
    };
    let sent = caller.call(Request::SendTemplate { body }, Reply::send_template).await;
    let sid = Segment::from(known(&sent.message_sid));
    let delivery = caller.call(Request::GetMessageDelivery { sid }, Reply::get_message_delivery).await;
    assert_eq!(delivery.message_sid, known(&sent.message_sid));
    let body = InboundMessage {
        sender_id,
        customer_phone: CUSTOMER.to_owned(),
        text: "Hello".to_owned(),
        customer_name: Some("Jörg".to_owned()),
    };
    let received = caller.call(Request::ReceiveMessage { body }, Reply::receive_message).await;
    assert_eq!(received.conversation_id, known(&sent.conversation_id));
    let body = SendFreeform { sender_id, recipient_phone: CUSTOMER.to_owned(), message: "Hi".to_owned() };
    assert!(known(&caller.call(Request::SendFreeform { body }, Reply::send_freeform).await.success));

    let status = caller.call(Request::session_status(sender_id, CUSTOMER), Reply::get_session_status).await;
    assert!(known(&known(&status.session_status).is_open));
    let body = AdvanceClock { advance_seconds: 25 * 3600 };
    let time = caller.call(Request::AdvanceClock { body }, Reply::advance_clock).await;
    assert!(time.now.0 > noon());
    let status = caller.call(Request::session_status(sender_id, CUSTOMER), Reply::get_session_status).await;
    assert!(!known(&known(&status.session_status).is_open));
}

async fn conversations(caller: &mut Caller, assistant_id: String) {
    let body = StartConversation { assistant_id, kind: ConversationType::Test, variables: BTreeMap::new() };
    let started = caller.call(Request::StartConversation { body }, Reply::start_conversation).await;
    let uuid = Segment::from(started.conversation_id.as_str());
    let request = Request::SendChatMessage { uuid: uuid.clone(), body: ChatMessage { message: "Hello".to_owned() } };
    assert!(caller.call(request, Reply::send_chat_message).await.message.is_some());
    assert!(!caller.call(Request::DisableAi { uuid: uuid.clone() }, Reply::disable_ai).await.ai_enabled);
    assert!(caller.call(Request::EnableAi { uuid: uuid.clone() }, Reply::enable_ai).await.ai_enabled);
    let history = caller.call(Request::GetConversation { uuid }, Reply::get_conversation).await.history;
    assert!(history.iter().any(|message| known(&message.content) == "Hello"));
    let request = Request::ListConversations { query: ConversationQuery::default() };
    assert_eq!(caller.call(request, Reply::list_conversations).await.rows().len(), 2);
    let body = EndConversation { conversation_id: started.conversation_id };
    caller.call(Request::EndConversation { body }, Reply::end_conversation).await;
}

async fn calls(caller: &mut Caller) {
    let body = MakeCall { phone_number: CUSTOMER.to_owned(), assistant_id: 1, variables: BTreeMap::new() };
    assert!(!caller.call(Request::MakeCall { body }, Reply::make_call).await.message.is_empty());
    let body = InboundCall { assistant_id: 1, customer_phone: CUSTOMER.to_owned(), duration_seconds: Some(5) };
    let id = caller.call(Request::ReceiveCall { body }, Reply::receive_call).await.call_id;
    let call = caller.call(Request::GetCall { id }, Reply::get_call).await;
    assert_eq!(known(&call.client_phone_number), CUSTOMER);
    caller.call(Request::DeleteCall { id }, Reply::delete_call).await;
    let page = caller.call(Request::ListCalls { query: CallQuery::default() }, Reply::list_calls).await;
    assert_eq!(page.rows().len(), 1);
}

async fn webhooks(caller: &mut Caller, assistant_id: String) {
    let on = || EnableWebhook { assistant_id: 1, webhook_url: "http://127.0.0.1:9/hook".to_owned() };
    let off = DisableWebhook { assistant_id: 1 };
    caller.call(Request::EnableInboundWebhook { body: on() }, Reply::enable_inbound_webhook).await;
    caller.call(Request::DisableInboundWebhook { body: off }, Reply::disable_inbound_webhook).await;
    caller.call(Request::DisableWebhook { body: off }, Reply::disable_webhook).await;
    let request = Request::EnableConversationEndedWebhook { body: on() };
    caller.call(request, Reply::enable_conversation_ended_webhook).await;

    let body = StartConversation { assistant_id, kind: ConversationType::Widget, variables: BTreeMap::new() };
    let conversation_id =
        caller.call(Request::StartConversation { body }, Reply::start_conversation).await.conversation_id;
    let body = EndConversation { conversation_id };
    caller.call(Request::EndConversation { body }, Reply::end_conversation).await;
    let deliveries = caller.call(Request::ListDeliveries, Reply::list_deliveries).await;
    caller.call(Request::ResendDelivery { id: deliveries[0].id }, Reply::resend_delivery).await;
    let request = Request::DisableConversationEndedWebhook { body: off };
    caller.call(request, Reply::disable_conversation_ended_webhook).await;
    let secret = caller.call(Request::GetWebhookSecret, Reply::get_webhook_secret).await.secret;
    assert!(!secret.expose().is_empty());
}

async fn faults(caller: &mut Caller) {
    let body = SandboxFault { path: "/user/tools".to_owned(), status: Some(500), count: 9, ..SandboxFault::default() };
    caller.call(Request::SetFault { body }, Reply::set_fault).await;
    let failure = caller.client.call(&Request::ListTools, &mut |_| ()).await.unwrap_err();
    assert!(matches!(failure.kind, FailureKind::Status { status: 500, .. }), "{failure}");
    caller.call(Request::ClearFaults { body: ClearFaults { clear: true } }, Reply::clear_faults).await;
    caller.call(Request::ListTools, Reply::list_tools).await;
}
