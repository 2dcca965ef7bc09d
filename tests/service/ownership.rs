//! Rule 1 of the spec: an identifier of a resource that belongs to someone else is answered as not found. Each operation
//! that takes an id is tried with one of Ada's by Bob.

use crate::receiver::{Receiver, Told};
use crate::support::{ADA, BOB, WORLD, options};
use reqwest::Method;
use serde_json::{Value, json};

const NO_UUID: &str = "01234567-89ab-4cde-8f01-23456789abcd";
const NO_NUMBER: &str = "987654321";

/// An operation on something of Ada's: `{id}` stands for its id, in the path or in the body.
struct Probe {
    method: Method,
    path: &'static str,
    body: Value,
    /// The id of Ada's, and one that is nobody's.
    ids: (String, &'static str),
}

/// Every operation that names something by its id. Those that destroy it come last.
fn probes(conversation: &str, assistant: &str) -> Vec<Probe> {
    let of =
        |method: Method, path, body, id: &str, nobodys| Probe { method, path, body, ids: (id.to_owned(), nobodys) };
    let uuid = |method, path, body| of(method, path, body, conversation, NO_UUID);
    let number = |method, path, body, id| of(method, path, body, id, NO_NUMBER);
    let get = |path| number(Method::GET, path, Value::Null, "1");
    let post = |path, body| number(Method::POST, path, body, "1");
    let put = |path, body| number(Method::PUT, path, body, "1");
    let delete = |path| number(Method::DELETE, path, Value::Null, "1");
    let (phone, url) = ("+493012345678", "https://example.com/hook");
    let listen = json!({"assistant_id": "{id}", "webhook_url": url});
    let named = json!({"name": "changed"});
    vec![
        // API keys
        number(Method::DELETE, "/api/user/api-keys/{id}", Value::Null, "3"),
        // Assistants
        post("/api/user/assistants/enable-conversation-ended-webhook", listen.clone()),
        post("/api/user/assistants/disable-conversation-ended-webhook", listen.clone()),
        post("/api/user/assistants/enable-inbound-webhook", listen.clone()),
        post("/api/user/assistants/disable-inbound-webhook", listen.clone()),
        post("/api/user/assistants/disable-webhook", listen),
        put("/api/user/assistant/{id}", named.clone()),
        // Calls
        post("/api/user/make_call", json!({"assistant_id": "{id}", "phone_number": phone})),
        post("/sandbox/inbound-call", json!({"assistant_id": "{id}", "customer_phone": phone})),
        get("/api/user/calls?assistant_id={id}"),
        get("/api/user/calls/{id}"),
        delete("/api/user/calls/{id}"),
        // Conversations
        get("/api/user/conversations?assistant_id={id}"),
        uuid(Method::GET, "/api/conversations/{id}", Value::Null),
        of(Method::POST, "/api/conversations", json!({"assistant_id": "{id}", "type": "test"}), assistant, NO_UUID),
        uuid(Method::POST, "/api/conversations/{id}/messages", json!({"message": "Hi"})),
        uuid(Method::POST, "/api/automate/conversations/{id}/disable-ai", json!({})),
        uuid(Method::POST, "/api/automate/conversations/{id}/enable-ai", json!({})),
        post("/sandbox/inbound-message", json!({"sender_id": "{id}", "customer_phone": phone, "text": "Hi"})),
        uuid(Method::POST, "/sandbox/end-conversation", json!({"conversation_id": "{id}"})),
        // Messaging
        get("/api/user/msgapp/session-status?sender_id={id}&recipient_phone=%2B493012345678"),
        get("/api/user/msgapp/senders/{id}/templates"),
        // Knowledgebases
        get("/api/user/knowledgebases/{id}"),
        put("/api/user/knowledgebases/{id}", named.clone()),
        get("/api/user/knowledgebases/{id}/documents"),
        post("/api/user/knowledgebases/{id}/documents", json!({"name": "Site", "type": "website", "url": url})),
        get("/api/user/knowledgebases/1/documents/{id}"),
        put("/api/user/knowledgebases/1/documents/{id}", named.clone()),
        delete("/api/user/knowledgebases/1/documents/{id}"),
        delete("/api/user/knowledgebases/{id}"),
        // Mid call tools
        get("/api/user/tools/{id}"),
        put("/api/user/tools/{id}", named),
        delete("/api/user/tools/{id}"),
        // Messaging
        post(
            "/api/user/msgapp/send",
            json!({"sender_id": "{id}", "template_id": 1, "recipient_phone": phone, "variables": {}}),
        ),
        post("/api/user/msgapp/send-freeform", json!({"sender_id": "{id}", "recipient_phone": phone, "message": "Hi"})),
        get("/api/user/msgapp/session-status?sender_id={id}&recipient_phone=%2B493012345678"),
        get("/api/user/msgapp/senders/{id}/templates"),
        // Events
        post("/sandbox/deliveries/{id}/resend", json!({})),
        // And the assistant, which most of the others need.
        delete("/api/user/assistant/{id}"),
    ]
}

/// A status and the very bytes of a body.
async fn answer(told: &Told, token: &str, probe: &Probe, id: &str) -> (u16, String) {
    // Five sends a second are allowed.
    told.service.advance(1).await;
    let path = probe.path.replace("{id}", id);
    // Numbers are numbers in a body, and UUIDs are strings.
    let wanted = if id.parse::<u64>().is_ok() { id.to_owned() } else { format!("\"{id}\"") };
    let body = probe.body.to_string().replace("\"{id}\"", &wanted);
    let request = told.service.request(probe.method.clone(), token, &path);
    let request =
        if probe.body.is_null() { request } else { request.header("content-type", "application/json").body(body) };
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

#[tokio::test]
async fn with_anothers_token_every_id_is_answered_byte_for_byte_as_one_that_is_not_there() {
    let (told, mut receiver) = (told().await, Receiver::start().await);
    told.tell(ADA, 1, &receiver.url).await;
    told.ended_chat("+493012345678").await;
    receiver.next().await;
    owns_one_of_each(&told).await;
    let row = told.service.get(ADA, "/user/conversations").await.is(200)["data"][0].clone();
    let assistant = row["assistant_id"].as_str().unwrap();
    let start = json!({"assistant_id": assistant, "type": "widget"});
    let chat = told.service.post(ADA, "/api/conversations", start).await.is(200)["conversation_id"].clone();

    let probes = probes(chat.as_str().unwrap(), assistant);
    let before = seen(&told, ADA).await;
    for probe in &probes {
        let Probe { method, path, ids: (adas, nobodys), .. } = probe;
        let foreign = answer(&told, BOB, probe, adas).await;
        let unknown = answer(&told, BOB, probe, nobodys).await;
        assert_eq!(foreign, unknown, "{method} {path}");
        // Inside a knowledgebase of Ada's it is the knowledgebase that is not there.
        let inside = path.contains("/knowledgebases/1/");
        assert_eq!(foreign.0, 404, "{method} {path}: {}", foreign.1);
        let own = answer(&told, ADA, probe, nobodys).await;
        assert!(inside || own == unknown, "{method} {path}: Ada hears the same, and not {own:?}");
    }
    assert_eq!(seen(&told, ADA).await, before, "and nothing of it has happened");
    for probe in &probes {
        let (status, body) = answer(&told, ADA, probe, &probe.ids.0).await;
        assert!([200, 201].contains(&status), "{} {} works for Ada: {status} {body}", probe.method, probe.path);
    }
}

/// A world in which Ada has a template.
async fn told() -> Told {
    let template = "[[users.senders.templates]]\nname = \"sale\"\nbody_text = \"Sale!\"\n";
    let second = "[[users.senders]]\nphone_number = \"+14155550101\"";
    Told::with(options(&WORLD.replacen(second, &format!("{template}{second}"), 1))).await
}

/// Of what is numbered, each is the first of its kind. Nothing of it goes on by itself any more.
async fn owns_one_of_each(told: &Told) {
    let made = async |path: &str, body| told.service.post(ADA, path, body).await;
    made("/api/user/api-keys", json!({"name": "CI"})).await.is(201);
    made("/api/user/tools", tool()).await.is(201);
    made("/api/user/knowledgebases", json!({"name": "Handbook"})).await.is(201);
    let site = json!({"name": "Site", "type": "website", "url": "https://example.com/"});
    made("/api/user/knowledgebases/1/documents", site).await.is(201);
    made("/sandbox/inbound-call", json!({"assistant_id": 1, "customer_phone": "+493012345678"})).await.is(200);
    told.service.advance(3600).await;
}

fn tool() -> Value {
    json!({"name": "look_up", "description": "Looks it up", "endpoint": "https://example.com/", "method": "GET"})
}

#[tokio::test]
async fn what_belongs_to_somebody_else_cannot_be_attached() {
    let told = told().await;
    owns_one_of_each(&told).await;
    let bobs = told.service.post(BOB, "/api/user/knowledgebases", json!({"name": "Mine"})).await.is(201);
    let bobs = bobs["data"]["id"].as_i64().unwrap();
    assert_eq!(bobs, 2);
    let send = json!({"sender_id": 3, "template_id": "{id}", "recipient_phone": "+493012345678"});
    let put = |path, body| Probe { method: Method::PUT, path, body, ids: ("1".to_owned(), NO_NUMBER) };
    for probe in [
        Probe { method: Method::POST, ..put("/api/user/msgapp/send", send) },
        put("/api/user/assistant/4", json!({"tool_ids": ["{id}"]})),
        put("/api/user/assistant/4", json!({"knowledgebase_id": "{id}", "knowledgebase_mode": "function_call"})),
        put("/api/user/knowledgebases/2/documents/{id}", json!({"name": "changed"})),
    ] {
        let foreign = answer(&told, BOB, &probe, "1").await;
        assert!([404, 422].contains(&foreign.0), "{foreign:?}");
        assert_eq!(foreign, answer(&told, BOB, &probe, NO_NUMBER).await);
    }
}

#[tokio::test]
async fn no_list_shows_anything_of_somebody_else() {
    let (told, mut receiver) = (told().await, Receiver::start().await);
    told.tell(ADA, 1, &receiver.url).await;
    let before = seen(&told, BOB).await;
    told.ended_chat("+493012345678").await;
    receiver.next().await;
    owns_one_of_each(&told).await;
    assert_eq!(seen(&told, BOB).await, before);
}

/// All lists of a user, without the times at which their keys were used: looking changes those.
async fn seen(told: &Told, token: &str) -> Vec<Value> {
    let mut lists = Vec::new();
    for path in [
        "/api/user/api-keys",
        "/api/user/assistants/get",
        "/api/user/assistants/outbound",
        "/api/user/calls",
        "/api/user/conversations",
        "/api/user/knowledgebases",
        "/api/user/me",
        "/api/user/msgapp/senders?status=all",
        "/api/user/tools",
        "/sandbox/deliveries",
    ] {
        let response = told.service.request(Method::GET, token, path).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        let mut list: Value = response.json().await.unwrap();
        for key in list.get_mut("api_keys").and_then(Value::as_array_mut).into_iter().flatten() {
            key.as_object_mut().unwrap().remove("last_used_at");
        }
        lists.push(list);
    }
    lists
}
