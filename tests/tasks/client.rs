//! What each operation puts on the wire and reads from it.

use super::server::{Reply, Server};
use std::time::Duration;
use switchboard::api::{
    ConversationFilter, ConversationQuery, ConversationType, CreateApiKey, Field, Page, PageRef, Token,
};
use switchboard::client::{Client, ClientConfig, ConfigError, Failure, FailureKind, Reply as Read, Request};

pub const TOKEN: &str = "1|very-secret";

/// As shipped, but quick to try again.
pub fn config(base_url: &str) -> ClientConfig {
    let mut config = ClientConfig::new(base_url.parse().unwrap(), Token::new(TOKEN));
    config.min_backoff = Duration::from_millis(1);
    config
}

pub fn client(server: &Server) -> Client {
    Client::new(config(&server.base_url())).unwrap()
}

async fn call(client: &Client, request: Request) -> Result<Read, Failure> {
    client.call(&request, &mut |_| ()).await
}

#[tokio::test]
async fn a_page_of_conversations_is_asked_for_and_read() {
    let server = Server::start([Reply::json(200, r#"{"current_page": 2, "data": [{"id": "a", "type": "widget"}]}"#)]);
    let query = ConversationQuery { page: PageRef::Number(2), ..ConversationQuery::default() };
    let page = call(&client(&server), Request::ListConversations { query }).await.unwrap().list_conversations();
    let Some(Page::Numbered(page)) = page else { panic!("a page with a number is numbered") };
    assert_eq!((page.current_page, &page.data[0].id), (2, &Field::Known("a".to_owned())));

    let request = server.request();
    assert_eq!(request.line, "GET /api/user/conversations?page=2 HTTP/1.1");
    assert_eq!(request.header("authorization"), Some("Bearer 1|very-secret"));
    assert_eq!(request.header("accept"), Some("application/json"));
    assert_eq!(request.header("accept-encoding"), Some("gzip"));
    assert!(request.header("user-agent").unwrap().starts_with("switchboard/"));
}

#[tokio::test]
async fn a_base_url_with_a_trailing_slash_is_the_same_base_url() {
    let server = Server::start([Reply::json(200, "[]")]);
    let client = Client::new(config(&format!("{}/", server.base_url()))).unwrap();
    let reply = call(&client, Request::ListOutboundAssistants).await;
    assert_eq!(reply, Ok(Read::ListOutboundAssistants(Vec::new().into())));
    assert_eq!(server.request().line, "GET /api/user/assistants/outbound HTTP/1.1");
}

#[tokio::test]
async fn api_keys_are_listed_made_and_deleted() {
    let server = Server::start([
        Reply::json(200, r#"{"api_keys": [{"id": 4, "name": "ci", "last_used_at": null}]}"#),
        Reply::json(
            201,
            r#"{"message": "API key created successfully.", "api_key":
                {"name": "deploy", "token": "5|abc", "created_at": "2026-11-21T08:00:00.000000Z"}}"#,
        ),
        Reply::json(204, ""),
    ]);
    let client = client(&server);
    let keys = call(&client, Request::ListApiKeys).await.unwrap().list_api_keys().unwrap();
    assert_eq!((&keys[0].id, &keys[0].last_used_at), (&Field::Known(4), &Field::Known(None)));
    let body = CreateApiKey { name: "deploy".to_owned() };
    let key = call(&client, Request::CreateApiKey { body }).await.unwrap().create_api_key().unwrap();
    assert_eq!(key.token, Token::new("5|abc"));
    call(&client, Request::DeleteApiKey { id: 5 }).await.unwrap();

    assert_eq!(server.request().line, "GET /api/user/api-keys HTTP/1.1");
    let made = server.request();
    assert_eq!((made.line.as_str(), made.body.as_str()), ("POST /api/user/api-keys HTTP/1.1", r#"{"name":"deploy"}"#));
    assert_eq!(made.header("content-type"), Some("application/json"));
    let deleted = server.request();
    assert_eq!(deleted.line, "DELETE /api/user/api-keys/5 HTTP/1.1");
    assert_eq!(deleted.connection, 1, "one connection serves all");
}

#[tokio::test]
async fn automation_key_goes_where_the_ai_is_switched_and_nowhere_else() {
    let uuid = || "0b7e4c1d-6c1e-4d0f-9a51-000000000001".into();
    let body = CreateApiKey { name: "deploy".to_owned() };
    let requests = [
        Request::DisableAi { uuid: uuid() },
        Request::EnableAi { uuid: uuid() },
        Request::ListConversations { query: ConversationQuery::default() },
        Request::GetConversation { uuid: uuid() },
        Request::ListSenders,
        Request::CreateApiKey { body },
    ];
    let server = Server::start(requests.iter().map(|_| Reply::json(200, "{}")));
    let config = ClientConfig { automation_key: Some(Token::new("automate-me")), ..config(&server.base_url()) };
    let client = Client::new(config).unwrap();
    for request in requests {
        // Most replies are not what was asked for; what matters is what was sent.
        drop(call(&client, request).await);
        let sent = server.request();
        let is_automation = sent.line.contains(" /api/automate/");
        let key = if is_automation { "Bearer automate-me" } else { "Bearer 1|very-secret" };
        assert_eq!(sent.header("authorization"), Some(key), "{}", sent.line);
        let credentials = sent.headers.iter().filter(|line| line.to_lowercase().starts_with("authorization"));
        assert_eq!(credentials.count(), 1, "{}", sent.line);
        let holds_key = sent.line.contains("automate-me") || sent.body.contains("automate-me");
        assert!(!holds_key, "{}", sent.line);
    }
}

#[tokio::test]
async fn client_without_an_automation_key_switches_the_ai_with_its_token() {
    let server = Server::start([Reply::json(200, r#"{"status": true, "ai_enabled": false}"#)]);
    drop(call(&client(&server), Request::DisableAi { uuid: "a".into() }).await);
    assert_eq!(server.request().header("authorization"), Some("Bearer 1|very-secret"));
}

#[tokio::test]
async fn a_compressed_answer_is_read() {
    // `[{"id":7}]` as gzip writes it.
    let body = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 139, 174, 86, 202, 76, 81, 178, 50, 175, 141, 5, 0, 214, 212, 104, 108, 10, 0,
        0, 0,
    ];
    let reply =
        Reply::Answer { status: 200, headers: vec![("Content-Encoding", "gzip".to_owned())], body: body.into() };
    let server = Server::start([reply]);
    let assistants = call(&client(&server), Request::ListOutboundAssistants).await.unwrap().list_outbound_assistants();
    assert_eq!(assistants.unwrap()[0].id, Field::Known(7));
}

#[tokio::test]
async fn broken_compression_is_unreadable() {
    let server = Server::start([Reply::json(200, "no gzip at all").with("Content-Encoding", "gzip")]);
    let failure = call(&client(&server), Request::ListOutboundAssistants).await.unwrap_err();
    assert!(matches!(&failure.kind, FailureKind::Unreadable(why) if why.contains("compression")), "{failure}");
}

#[test]
fn a_client_is_not_made_of_what_no_request_could_carry() {
    let made = |base: &str, token: &str| {
        Client::new(ClientConfig::new(base.parse().unwrap(), Token::new(token))).map(|_| ()).unwrap_err()
    };
    assert_eq!(made("https://example.com/api", "two\nlines"), ConfigError::Token);
    let refused = made("https://ada:hunter2@example.com/api", "t");
    assert_eq!(refused, ConfigError::Credentials);
    assert!(!format!("{refused} {refused:?}").contains("hunter2"));
}

#[test]
fn a_client_of_an_encrypted_server_can_be_made() {
    assert_eq!(Client::new(config("https://example.com/api/")).unwrap().base_url(), "https://example.com/api");
}

#[tokio::test]
async fn the_channels_own_word_is_on_the_wire_and_nowhere_else() {
    let body = r#"{"current_page": 1, "data": [
        {"id": "a", "type": "whatsapp", "whatsapp_sender": {"name": "whatsapp", "phone": null}}]}"#;
    let server = Server::start([Reply::json(200, body)]);
    let mut config = config(&server.base_url());
    config.channel = "whatsapp".parse().unwrap();
    let filter = ConversationFilter { kind: Some(ConversationType::Msgapp), ..ConversationFilter::default() };
    let query = ConversationQuery { filter, ..ConversationQuery::default() };
    let reply = call(&Client::new(config).unwrap(), Request::ListConversations { query }).await.unwrap();
    let page = reply.list_conversations().unwrap();
    assert_eq!(server.request().line, "GET /api/user/conversations?type=whatsapp HTTP/1.1");
    let row = &page.rows()[0];
    assert_eq!(row.kind.known(), Some(&ConversationType::Msgapp));
    assert_eq!(row.msgapp_sender.known().unwrap().name.as_deref(), Some("whatsapp"));
}
