//! Rule 1 of the spec: an identifier of a resource that belongs to someone else is answered as not found. Each operation
//! that takes an id is tried with one of Ada's by Bob.

use crate::receiver::{Receiver, Told};
use crate::support::{ADA, BOB};
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
    let phone = "+493012345678";
    vec![
        number(Method::GET, "/api/user/conversations?assistant_id={id}", Value::Null, "1"),
        uuid(Method::GET, "/api/conversations/{id}", Value::Null),
        of(Method::POST, "/api/conversations", json!({"assistant_id": "{id}", "type": "test"}), assistant, NO_UUID),
        uuid(Method::POST, "/api/conversations/{id}/messages", json!({"message": "Hi"})),
        uuid(Method::POST, "/api/automate/conversations/{id}/disable-ai", json!({})),
        uuid(Method::POST, "/api/automate/conversations/{id}/enable-ai", json!({})),
        number(
            Method::POST,
            "/sandbox/inbound-message",
            json!({"sender_id": "{id}", "customer_phone": phone, "text": "Hi"}),
            "1",
        ),
        uuid(Method::POST, "/sandbox/end-conversation", json!({"conversation_id": "{id}"})),
        number(Method::POST, "/sandbox/deliveries/{id}/resend", json!({}), "1"),
        number(Method::DELETE, "/api/user/api-keys/{id}", Value::Null, "3"),
    ]
}

/// A status and the very bytes of a body.
async fn answer(told: &Told, token: &str, probe: &Probe, id: &str) -> (u16, String) {
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
    let (told, mut receiver) = (Told::sandbox().await, Receiver::start().await);
    told.tell(ADA, 1, &receiver.url).await;
    told.ended_chat("+493012345678").await;
    receiver.next().await;
    told.service.post(ADA, "/api/user/api-keys", json!({"name": "CI"})).await.is(201);
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
        assert_eq!(foreign.0, 404, "{method} {path}: {}", foreign.1);
        assert_eq!(answer(&told, ADA, probe, nobodys).await, unknown, "{method} {path}: nor is it told to Ada");
    }
    assert_eq!(seen(&told, ADA).await, before, "and nothing of it has happened");
    for probe in &probes {
        let (status, body) = answer(&told, ADA, probe, &probe.ids.0).await;
        assert_eq!(status, 200, "{} {} works for Ada: {body}", probe.method, probe.path);
    }
}

#[tokio::test]
async fn no_list_shows_anything_of_somebody_else() {
    let (told, mut receiver) = (Told::sandbox().await, Receiver::start().await);
    told.tell(ADA, 1, &receiver.url).await;
    let before = seen(&told, BOB).await;
    told.ended_chat("+493012345678").await;
    receiver.next().await;
    told.service.post(ADA, "/api/user/api-keys", json!({"name": "CI"})).await.is(201);
    assert_eq!(seen(&told, BOB).await, before);
}

/// All lists of a user.
async fn seen(told: &Told, token: &str) -> Vec<Value> {
    let mut lists = Vec::new();
    for path in
        ["/api/user/conversations", "/api/user/assistants/outbound", "/api/user/api-keys", "/sandbox/deliveries"]
    {
        let response = told.service.request(Method::GET, token, path).send().await.unwrap();
        lists.push(response.json().await.unwrap());
    }
    lists
}
