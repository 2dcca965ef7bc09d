// Answers of any length: complete, and sent in pieces; and what a user may store.

use crate::support::{ADA, BOB, Service, WORLD, fields, options};
use reqwest::Method;
use rusqlite::Connection;
use serde_json::{Value, json};
use switchboard::service::{Data, Options};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A piece of an answer, in bytes.
const PIECE: usize = 64 * 1024;
const PASSWORD: &str = "correct horse battery staple";

/// A service on a file, and the file for whoever writes beside it.
async fn beside(channel: &str) -> (TempDir, Connection, Service) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.db");
    let world = WORLD.replacen("tokens =", &format!("password = \"{PASSWORD}\"\ntokens ="), 1);
    let data = Data::File(path.clone());
    let service = Service::with(Options { data, sandbox: true, channel: channel.parse().unwrap(), ..options(&world) });
    (folder, Connection::open(path).unwrap(), service.await)
}

/// Runs a statement of which `{n}` counts from 1 to `count`, with a text of 2,000 characters as `{text}`.
fn insert(database: &Connection, count: usize, insert: &str, select: &str) {
    let numbers = format!("WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {count})");
    let select = select.replace("{text}", "replace(hex(zeroblob(1000)), '00', 'é' || char(1))");
    database.execute_batch(&format!("{numbers} INSERT INTO {insert} SELECT {select} FROM n")).unwrap();
}

/// Knowledgebases whose descriptions are long.
fn knowledgebases(database: &Connection, count: usize) {
    let columns = "knowledgebases (user_id, name, description, created_at, updated_at)";
    insert(database, count, columns, "1, 'K' || n, {text}, n, n");
}

fn column(database: &Connection, sql: &str) -> Vec<String> {
    let mut statement = database.prepare(sql).unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

/// The body of an answer and the length of its chunks; none where it has a `Content-Length`.
async fn raw(service: &Service, path: &str) -> (Value, Option<Vec<usize>>) {
    let address = service.root().strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!(
        "GET /api{path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {ADA}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let line = |bytes: &[u8]| bytes.windows(2).position(|two| two == b"\r\n").unwrap();
    let head = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let (head, mut rest) = (String::from_utf8(answer[..head].to_vec()).unwrap(), &answer[head + 4..]);
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    if let Some((_, length)) = head.split_once("content-length: ") {
        assert_eq!(length.split_once("\r\n").map_or(length, |(length, _)| length), rest.len().to_string());
        return (serde_json::from_slice(rest).unwrap(), None);
    }
    let (mut body, mut chunks) = (Vec::new(), Vec::new());
    loop {
        let end = line(rest);
        let length = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap(), 16).unwrap();
        if length == 0 {
            return (serde_json::from_slice(&body).unwrap(), Some(chunks));
        }
        body.extend_from_slice(&rest[end + 2..end + 2 + length]);
        chunks.push(length);
        rest = &rest[end + 4 + length..];
    }
}

/// An answer that comes in chunks of at most a piece; returns it.
async fn in_pieces(service: &Service, path: &str) -> Value {
    let (body, chunks) = raw(service, path).await;
    let chunks = chunks.unwrap_or_default();
    assert!(chunks.len() > 4 && chunks.iter().all(|length| *length <= PIECE), "{path}: {chunks:?}");
    body
}

#[tokio::test]
async fn page_of_long_calls_comes_in_pieces_and_each_call_is_on_it_as_by_itself() {
    let (_folder, _database, service) = beside("msgapp").await;
    let body = json!({"assistant_id": 1, "customer_phone": "+493012345678", "duration_seconds": 1200});
    for _ in 0..12 {
        service.post(ADA, "/sandbox/inbound-call", body.clone()).await.is(200);
    }
    service.advance(3_600).await;
    let page = in_pieces(&service, "/user/calls?per_page=12").await;
    assert_eq!((&page["total"], &page["to"], &page["last_page"]), (&json!(12), &json!(12), &json!(1)));
    for (row, id) in page["data"].as_array().unwrap().iter().zip((1..=12).rev()) {
        assert_eq!(*row, service.get(ADA, &format!("/user/calls/{id}")).await.is(200));
    }
}

fn texts<'a>(rows: &'a Value, field: &str) -> Vec<&'a str> {
    rows.as_array().unwrap().iter().map(|row| row[field].as_str().unwrap()).collect()
}

fn assistant(prompt: &str) -> Value {
    json!({
        "name": "Clara", "type": "outbound", "mode": "pipeline", "voice_id": 5, "language_id": 2,
        "timezone": "Europe/Berlin", "initial_message": "Guten Tag!", "system_prompt": prompt, "llm_model_id": 2
    })
}

/// Starts a test chat; returns its id.
async fn chat(service: &Service) -> String {
    let page = service.get(ADA, "/user/assistants/get?per_page=1").await.is(200);
    let body = json!({"assistant_id": page["data"][0]["uuid"], "type": "test"});
    service.post(ADA, "/api/conversations", body).await.is(200)["conversation_id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn assistants_with_large_prompts_arrive_whole_and_in_pieces() {
    let (_folder, _, service) = beside("msgapp").await;
    let prompts: Vec<_> = ["\u{1}", "é", "x\"", "\u{1f}"].iter().map(|text| text.repeat(32_768)).collect();
    for prompt in &prompts {
        service.post(ADA, "/api/user/assistant", assistant(prompt)).await.is(201);
        service.post(ADA, "/api/user/assistant", assistant(prompt)).await.is(201);
    }
    let twice: Vec<_> = prompts.iter().flat_map(|prompt| [prompt; 2]).collect();
    let outbound = in_pieces(&service, "/user/assistants/outbound").await;
    assert_eq!(texts(&outbound, "system_prompt")[2..], twice);

    let page = in_pieces(&service, "/user/assistants/get?per_page=7&page=1").await;
    assert!(texts(&page["data"], "system_prompt").iter().eq(twice.iter().rev().take(7)));
    let bounds = |page: &Value| [&page["from"], &page["to"], &page["total"]].map(|number| number.as_u64().unwrap());
    assert_eq!(bounds(&page), [1, 7, 11]);
    let (second, _) = raw(&service, "/user/assistants/get?per_page=7&page=2").await;
    assert_eq!(
        (texts(&second["data"], "name"), bounds(&second)),
        (vec!["Clara", "Sales", "受付", "Reception"], [8, 11, 11])
    );
    let small = raw(&service, "/user/assistants/get?per_page=3&page=4").await;
    assert_eq!(
        (texts(&small.0["data"], "name"), small.1),
        (vec!["受付", "Reception"], None),
        "a small page is one piece"
    );
}

#[tokio::test]
async fn lists_without_pages_arrive_whole_and_in_pieces() {
    let (_folder, database, service) = beside("msgapp").await;
    knowledgebases(&database, 600);
    insert(
        &database,
        600,
        "documents (knowledgebase_id, name, description, type, outcome, ready_at, created_at, updated_at)",
        "1, 'D' || n, substr({text}, 1, 255), 'pdf', 'active', n, n, n",
    );
    insert(
        &database,
        600,
        "api_keys (user_id, name, token_lookup, token_hash, created_at)",
        "1, 'A' || n || {text}, n, x'', n",
    );
    let knowledgebases = in_pieces(&service, "/user/knowledgebases").await;
    for (path, list, sql) in [
        ("/user/knowledgebases/1/documents", "data", "SELECT name FROM documents ORDER BY id"),
        ("/user/api-keys", "api_keys", "SELECT name FROM api_keys WHERE user_id = 1 ORDER BY id"),
    ] {
        let answer = in_pieces(&service, path).await;
        assert_eq!(fields(&answer), [list]);
        assert_eq!(texts(&answer[list], "name"), column(&database, sql), "{path}");
    }
    assert_eq!(fields(&knowledgebases), ["data"]);
    let names = column(&database, "SELECT name FROM knowledgebases ORDER BY id");
    assert_eq!(texts(&knowledgebases["data"], "name"), names);
    let described = column(&database, "SELECT description FROM knowledgebases ORDER BY id");
    assert_eq!(texts(&knowledgebases["data"], "description"), described);
}

#[tokio::test]
async fn a_long_conversation_arrives_whole_and_in_pieces_with_what_comes_after_it() {
    let (_folder, database, service) = beside("whatsapp").await;
    service.customer_writes("+493012345678", "Hallo").await.is(200);
    insert(&database, 1500, "messages (conversation_id, role, content, created_at)", "1, 'assistant', n || {text}, n");
    // Some of its messages are made up, and come first.
    database.execute("UPDATE conversations SET message_count = 2000", []).unwrap();
    let id = service.get(ADA, "/user/conversations").await.is(200)["data"][0]["id"].as_str().unwrap().to_owned();
    let read = in_pieces(&service, &format!("/conversations/{id}")).await;
    assert_eq!(fields(&read), ["status", "history", "variables", "whatsapp_sender", "customer"]);
    assert_eq!(read["customer"], json!({"name": "Zoë", "phone": "+493012345678"}));
    let said = texts(&read["history"], "content");
    assert_eq!(said.len(), 2000);
    assert_eq!(said[499..], column(&database, "SELECT content FROM messages ORDER BY id"));
}

#[tokio::test]
async fn an_answer_that_fails_on_the_way_is_not_taken_for_complete() {
    let (_folder, database, service) = beside("msgapp").await;
    knowledgebases(&database, 600);
    // No calendar has such a day.
    database.execute(&format!("UPDATE knowledgebases SET created_at = {} WHERE id = 590", i64::MAX), []).unwrap();
    let answer = service.request(Method::GET, ADA, "/api/user/knowledgebases").send().await.unwrap();
    assert_eq!(answer.status(), 200);
    assert!(answer.bytes().await.is_err());
    service.get(ADA, "/user/me").await.is(200);
}

#[tokio::test]
async fn a_user_has_so_many_knowledgebases_documents_and_keys() {
    let (_folder, database, service) = beside("msgapp").await;
    insert(&database, 999, "knowledgebases (user_id, name, created_at, updated_at)", "1, 'K', n, n");
    database.execute("UPDATE knowledgebases SET documents_count = 999 WHERE id = 1", []).unwrap();
    insert(&database, 998, "api_keys (user_id, name, token_lookup, token_hash, created_at)", "1, 'A', n, x'', n");
    let website = json!({"name": "D", "type": "website", "url": "https://example.com"});
    for (path, body, sentence) in [
        ("/user/knowledgebases", json!({"name": "K"}), "You may not have more than 1000 knowledgebases."),
        ("/user/knowledgebases/1/documents", website, "You may not have more than 1000 documents in a knowledgebase."),
        ("/user/api-keys", json!({"name": "A"}), "You may not have more than 1000 API keys."),
    ] {
        let create = async || service.post(ADA, &format!("/api{path}"), body.clone()).await;
        create().await.is(201);
        assert_eq!(create().await.is(422)["errors"], json!({"name": [sentence]}));
    }
    // What others have does not count, and whoever deletes one may have another.
    service.post(BOB, "/api/user/knowledgebases", json!({"name": "K"})).await.is(201);
    service.delete(ADA, "/user/knowledgebases/2").await.is(200);
    service.post(ADA, "/api/user/knowledgebases", json!({"name": "K"})).await.is(201);
}

#[tokio::test]
async fn a_login_beyond_the_keys_of_a_user_replaces_the_oldest_of_its_name() {
    let (_folder, database, service) = beside("msgapp").await;
    insert(&database, 1099, "api_keys (user_id, name, token_lookup, token_hash, created_at)", "1, 'phone', n, x'', n");
    let log_in = async |name: &str| {
        let body = json!({"email": "ada@example.com", "password": PASSWORD, "token_name": name});
        service.post(ADA, "/api/white-label/login", body).await
    };
    let oldest = || column(&database, "SELECT CAST(MIN(id) AS TEXT) FROM api_keys WHERE name = 'phone'");
    let before = oldest();
    let token = log_in("phone").await.is(200)["token"].as_str().unwrap().to_owned();
    service.get(&token, "/user/me").await.is(200);
    assert_ne!(oldest(), before);
    let keys = service.get(ADA, "/user/api-keys").await.is(200);
    assert_eq!(keys["api_keys"].as_array().unwrap().len(), 1100);
    let refused = log_in("laptop").await.is(422);
    assert_eq!(refused["errors"], json!({"token_name": ["You may not have more than 1100 API keys."]}));
}

#[tokio::test]
async fn a_chat_has_so_many_messages() {
    let (_folder, database, service) = beside("msgapp").await;
    let path = format!("/api/conversations/{}/messages", chat(&service).await);
    database.execute("UPDATE conversations SET message_count = 1997", []).unwrap();
    let say = async || service.post(ADA, &path, json!({"message": "Hallo"})).await;
    say().await.is(200);
    let full = json!({"status": false, "error": "This conversation may not have more than 2000 messages."});
    assert_eq!(say().await.is(422), full, "a message and its reply are two");
    service
        .post(ADA, &path.replace("/api/", "/api/automate/").replace("/messages", "/disable-ai"), json!({}))
        .await
        .is(200);
    say().await.is(200);
    assert_eq!(say().await.is(422), full);
}

#[tokio::test]
async fn variables_and_lists_are_only_so_large() {
    let (_folder, _, service) = beside("msgapp").await;
    let large = json!({"x": "v".repeat(8_200)});
    let call = json!({"phone_number": "+14155550123", "assistant_id": 1, "variables": large});
    let call = service.post(ADA, "/api/user/make_call", call).await.is(422);
    assert_eq!(call["errors"], json!({"variables": ["The variables may not be larger than 8192 bytes."]}));
    let page = service.get(ADA, "/user/assistants/get").await.is(200);
    let start = json!({"assistant_id": page["data"][0]["uuid"], "type": "test", "variables": large});
    let start = service.post(ADA, "/api/conversations", start).await.is(422);
    assert_eq!(start["error"], "The variables may not be larger than 8192 bytes.");
    let many: serde_json::Map<String, Value> = (0..100).map(|n| (n.to_string(), "v".repeat(700).into())).collect();
    for (field, value) in [
        ("variables", Value::Object(many)),
        ("tools", json!([{"type": "end_call", "data": "d".repeat(70_000)}])),
        ("post_call_schema", json!([{"name": "n", "type": "t".repeat(70_000)}])),
    ] {
        let answer = service.put(ADA, "/user/assistant/1", json!({field: value})).await.is(422);
        let sentences = answer["errors"][field].as_array().unwrap();
        let sentence = format!("The {} may not be larger than 65536 bytes.", field.replace('_', " "));
        assert!(sentences.contains(&json!(sentence)), "{answer}");
    }
    let header = json!({"name": "X-A", "value": "v"});
    let tool = json!({
        "name": "look_up", "description": "d", "endpoint": "https://example.com", "method": "GET",
        "headers": vec![header; 101]
    });
    let tool = service.post(ADA, "/api/user/tools", tool).await.is(422);
    assert_eq!(tool["errors"], json!({"headers": ["The headers may not have more than 100 items."]}));
}
