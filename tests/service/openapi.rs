//! The OpenAPI document, and that the service is as it says. Every other test of this binary holds the answers that it
//! gets against the document too.

use crate::contract::{self, DOCUMENT};
use crate::support::{ADA, Answer, Service, WORLD, options};
use regex::Regex;
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::process::Command;
use switchboard::api::Channel;
use switchboard::service::{Options, openapi_document};

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// Every operation: its method, its path and itself.
fn operations() -> Vec<(Method, &'static str, &'static Value)> {
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let of_item = |(path, item): (&'static String, &'static Value)| {
        METHODS.iter().filter_map(move |name| {
            let method = Method::from_bytes(name.to_ascii_uppercase().as_bytes()).unwrap();
            item.get(name).map(|operation| (method, path.as_str(), operation))
        })
    };
    paths.iter().flat_map(of_item).collect()
}

/// Calls `visit` with every object inside a value.
fn walk(value: &'static Value, visit: &mut impl FnMut(&'static serde_json::Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            visit(object);
            object.values().for_each(|value| walk(value, visit));
        }
        Value::Array(items) => items.iter().for_each(|item| walk(item, visit)),
        _ => {}
    }
}

#[tokio::test]
async fn the_document_is_served_without_a_token_and_shows_controls_only_in_a_sandbox() {
    let sandbox = Service::sandbox().await;
    let request = sandbox.request(Method::GET, "nobody", "/api/openapi.json");
    assert_eq!(Answer::of(request.send().await.unwrap()).await.is(200), *DOCUMENT);

    let service = Service::with(options(WORLD)).await;
    let document = service.get(ADA, "/openapi.json").await.is(200);
    assert!(document["paths"].get("/user/conversations").is_some());
    assert!(document["paths"].as_object().unwrap().keys().all(|path| !path.starts_with("/sandbox")));
}

#[test]
fn the_command_prints_the_same_document() {
    for args in [&["openapi"][..], &["openapi", "--sandbox"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_switchboard")).args(args).output().unwrap();
        assert!(output.status.success());
        let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(printed, openapi_document(&Channel::default(), args.len() > 1));
    }
}

#[tokio::test]
async fn the_document_has_the_channels_word_wherever_the_contract_has_it() {
    let channel: Channel = "whatsapp".parse().unwrap();
    let service = Service::with(Options { channel, ..options(WORLD) }).await;
    let document = service.get(ADA, "/openapi.json").await.is(200);
    assert!(!document.to_string().contains("msgapp"));
    assert!(document["paths"].get("/user/whatsapp/send").is_some());
    let schemas = &document["components"]["schemas"];
    assert!(schemas["Conversation"]["properties"].get("whatsapp_sender").is_some());
    assert!(schemas["ConversationType"]["enum"].as_array().unwrap().contains(&json!("whatsapp")));
}

#[test]
fn every_reference_leads_to_a_component_and_every_component_is_used() {
    let mut used = HashSet::new();
    walk(&DOCUMENT, &mut |object| {
        if let Some(Value::String(reference)) = object.get("$ref") {
            let pointer = reference.strip_prefix('#').unwrap();
            assert!(DOCUMENT.pointer(pointer).is_some(), "{reference} leads nowhere");
            used.insert(reference.rsplit('/').next().unwrap());
        }
    });
    let components = DOCUMENT["components"]["schemas"].as_object().unwrap();
    let unused: Vec<_> = components.keys().filter(|name| !used.contains(name.as_str())).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn every_pattern_is_one_and_every_marker_of_the_code_is_gone() {
    walk(&DOCUMENT, &mut |object| {
        if let Some(Value::String(pattern)) = object.get("pattern") {
            assert!(Regex::new(pattern).is_ok(), "{pattern}");
        }
        assert!(!object.contains_key("x-sent"), "{object:?}");
    });
}

#[test]
fn every_operation_is_whole() {
    let mut ids = HashSet::new();
    for (method, path, operation) in operations() {
        let name = format!("{method} {path}");
        assert!(ids.insert(operation["operationId"].as_str().unwrap()), "{name} has the id of another");
        assert!(operation["summary"].is_string(), "{name}");
        assert!(matches!(operation["x-switchboard-origin"].as_str(), Some("spec" | "extension")), "{name}");
        let responses = operation["responses"].as_object().unwrap();
        assert!(responses.keys().any(|status| status.starts_with('2')), "{name}");
        for (status, response) in responses {
            let schema = &response["content"]["application/json"]["schema"];
            assert!(schema.is_object() && response["description"].is_string(), "{name} {status}");
        }
        // A login asks for no token, and refuses a wrong password.
        let refuses = operation["security"] != json!([]) || path == "/white-label/login";
        assert_eq!(responses.contains_key("401"), refuses, "{name}");
        let reads = operation.get("requestBody").is_some();
        assert!(["400", "413", "415"].iter().all(|status| responses.contains_key(*status) == reads), "{name}");
    }
}

#[test]
fn every_parameter_of_a_path_is_described_and_no_other() {
    for (method, path, operation) in operations() {
        let wanted: Vec<&str> =
            path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}')).collect();
        let parameters = operation["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
        let given: Vec<&str> = parameters
            .iter()
            .filter(|parameter| parameter["in"] == "path")
            .map(|parameter| parameter["name"].as_str().unwrap())
            .collect();
        assert_eq!(given, wanted, "{method} {path}");
    }
}

#[test]
fn every_operation_of_the_specification_is_marked_so_and_no_other() {
    let mut spec: Vec<_> = operations()
        .into_iter()
        .filter(|(_, _, operation)| operation["x-switchboard-origin"] == "spec")
        .map(|(method, path, _)| format!("{method} {path}"))
        .collect();
    spec.sort();
    let mut expected = [
        "DELETE /user/api-keys/{id}",
        "GET /user/api-keys",
        "GET /user/assistants/models",
        "GET /user/assistants/outbound",
        "GET /user/assistants/synthesizer-providers",
        "GET /user/assistants/transcriber-providers",
        "GET /user/assistants/voices",
        "GET /user/conversations",
        "GET /user/msgapp/senders/{sender_id}/templates",
        "GET /user/msgapp/session-status",
        "GET /user/knowledgebases/{id}/documents",
        "POST /user/api-keys",
        "POST /user/assistants/disable-inbound-webhook",
        "POST /user/assistants/enable-conversation-ended-webhook",
        "POST /user/assistants/enable-inbound-webhook",
        "POST /user/knowledgebases",
        "POST /user/make_call",
        "POST /user/msgapp/send",
        "POST /user/tools",
        "PUT /user/knowledgebases/{id}",
        "PUT /user/tools/{id}",
    ];
    expected.sort_unstable();
    assert_eq!(spec, expected);
}

#[tokio::test]
async fn every_operation_is_routed_and_asks_for_a_token_where_it_says_so() {
    let service = Service::sandbox().await;
    for (method, path, operation) in operations() {
        let root = if path.starts_with("/sandbox/") { "" } else { "/api" };
        let request = service.request(method.clone(), "nobody", &format!("{root}{path}"));
        let answer = Answer::of(request.send().await.unwrap()).await;
        let open = operation["security"] == json!([]);
        assert_eq!(answer.status == 401, !open, "{method} {path}: {answer:?}");
        assert!(answer.status != 405 && answer.body["message"] != "The route could not be found.", "{method} {path}");
    }
}

#[test]
fn the_check_of_answers_finds_what_is_missing_wrong_or_not_described() {
    let schema = json!({"$ref": "#/components/schemas/ApiKey"});
    let right = json!({"id": 1, "name": "x", "last_used_at": null, "created_at": "2026-11-21T12:00:00.000000Z"});
    assert_eq!(contract::matches(&DOCUMENT, &schema, &right), Ok(()));
    for (field, value) in [("name", json!(7)), ("created_at", json!("2026-11-21 12:00:00")), ("token", json!("secret"))]
    {
        let mut wrong = right.clone();
        wrong[field] = value;
        assert!(contract::matches(&DOCUMENT, &schema, &wrong).is_err(), "{field}");
    }
    let mut missing = right;
    missing.as_object_mut().unwrap().remove("last_used_at");
    assert!(contract::matches(&DOCUMENT, &schema, &missing).is_err());
}
