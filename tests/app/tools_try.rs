//! Importing, exporting and trying tools, against the real service.

use super::tools::{SECRET, confirm, picture, records, server, story, story_on};
use crate::support::inside::{Inside, service_clock};
use crate::support::server::Server;
use crate::support::story::Story;
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread::JoinHandle;
use switchboard::ui::Options;

const CURL: &str = r#"curl -s -X POST https://stock.example.com/v1/reserve \
  -H 'Authorization: Bearer very-secret-key' -H 'Accept: application/json' \
  --json '{"article": "LM-2040", "pieces": 2, "reserve": true}'"#;

/// An endpoint that answers each request with the same bytes, and keeps the requests.
fn endpoint(answers: Vec<&'static str>) -> (u16, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let serve = move |answer: &str| {
        let mut stream = listener.accept().unwrap().0;
        let mut request = String::new();
        let mut buffer = [0; 4096];
        while !request.contains("\r\n\r\n") || request.starts_with("POST") && !request.ends_with('}') {
            let read = stream.read(&mut buffer).unwrap();
            request.push_str(&String::from_utf8_lossy(&buffer[..read]));
        }
        let head = format!("content-type: application/json\r\ncontent-length: {}\r\n\r\n", answer.len());
        write!(stream, "HTTP/1.1 200 OK\r\n{head}{answer}").unwrap();
        request
    };
    (port, std::thread::spawn(move || answers.into_iter().map(serve).collect()))
}

/// The pane with a tool at this port, whose endpoint is shown with another one.
fn tried(size: (u16, u16), port: u16, options: Options) -> Story<Inside> {
    let world = format!(
        r#"
[[users]]
email = "ada@example.com"
tokens = ["sandbox-ada"]
[[users.tools]]
name = "check_stock"
description = "Tells how many pieces there are."
endpoint = "http://127.0.0.1:{port}/articles"
method = "POST"
timeout = 2
headers = [{{ name = "X-Api-Key", value = "{SECRET}" }}]
parameters = [
    {{ name = "article", type = "string", description = "The article number" }},
    {{ name = "pieces", type = "number", description = "How many" }},
    {{ name = "reserve", type = "boolean", description = "Whether to reserve" }},
]
[[users.tools]]
name = "list_stock"
description = "Lists all."
endpoint = "http://127.0.0.1:{port}/all"
"#
    );
    let mut story = story_on(size, options, Server::start(&world, service_clock()), records());
    story.sees("check_stock");
    story
}

/// A picture in which every port is the same.
fn picture_at(story: &mut Story<Inside>, port: u16, name: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(&port.to_string(), "54321");
    settings.bind(|| picture(story, name));
}

#[test]
fn curl_command_becomes_a_tool() {
    for (size, at) in [((120, 40), "120x40"), ((80, 24), "80x24")] {
        let mut story = story(size);
        story.press("i").sees("Import a tool");
        picture(&mut story, &format!("tools_import_{at}"));
        story.pastes(CURL).sees("IMPORT A TOOL").sees("reserve").sees_no_more(SECRET);
        picture(&mut story, &format!("tools_imported_{at}"));
        story.types("Reserves an article").press("ctrl-s").sees("Create reserve?");
        confirm(&mut story);
        story.sees("Created: reserve");
        story.0.settle();
        let made = story.0.server.get("/user/tools/3");
        assert_eq!(made["endpoint"], "https://stock.example.com/v1/reserve");
        assert_eq!(made["headers"][0], json!({"name": "Authorization", "value": format!("Bearer {SECRET}")}));
        let kinds: Vec<_> = made["schema"].as_array().unwrap().iter().map(|one| one["type"].clone()).collect();
        assert_eq!(kinds, ["string", "number", "boolean"]);
    }
}

#[test]
fn what_an_import_leaves_out_is_named_and_what_cannot_be_read_stays() {
    let mut story = story((120, 40));
    story.press("i").sees("Import a tool").pastes("curl -k 'https://a.example").sees("a quote is not");
    story.types("'").press("ctrl-s").sees("IMPORT A TOOL").sees("Not taken over: -k.").press("esc");
    story.press("i").pastes(r#"{"name": "a_tool", "colour": "red", "timeout": 7}"#);
    story.sees("Not taken over: colour.").sees("a_tool").press("esc");
    story.press("i").types("wget x").press("ctrl-s").sees("neither a curl command");
}

#[test]
fn secrets_leave_only_after_a_question() {
    let mut story = story((120, 40));
    story.press("E").sees("Export check_stock").sees("With secrets").press("enter").sees("curl command copied");
    story.press("E").sees("Export check_stock").press("right tab right enter").sees("Copy with its secrets?");
    story.passes(1).passes(2).press("y").sees("Tool with its secrets copied");
    story.press("j E").sees("Export track_order").sees_no_more("With secrets").press("esc");
}

#[test]
fn tool_is_tried_with_typed_values_and_answers_are_compared() {
    for (size, at) in [((120, 40), "120x40"), ((80, 24), "80x24")] {
        let answers = vec![r#"{"pieces": 7, "token": "abc"}"#, r#"{"pieces": 8, "key": "very-secret-key"}"#];
        let (port, thread) = endpoint(answers);
        let mut story = tried(size, port, Options::default());
        story.press("t").sees("Try check_stock").types("LM-2040 é").press("tab").types("many").press("ctrl-s");
        story.sees("must be a number").press("ctrl-u").types("2").press("tab right");
        picture_at(&mut story, port, &format!("tools_try_form_{at}"));
        story
            .press("ctrl-s")
            .sees("Send this request to 127.0.0.1?")
            .sees("sent from this machine")
            .sees_no_more(SECRET);
        picture_at(&mut story, port, &format!("tools_try_confirm_{at}"));
        confirm(&mut story);
        story.sees("TRIES").sees("200");
        story.0.settle();
        story.press("enter").sees("\"pieces\": 7").sees("12 ms of 2 s");
        picture_at(&mut story, port, &format!("tools_tried_{at}"));
        story.press("t").sees("LM-2040 é").press("ctrl-s").sees("Send this request");
        confirm(&mut story);
        story.sees("200");
        story.0.settle();
        story.press("enter").sees("\"pieces\": 8").sees_no_more(SECRET).press("esc j enter").sees("\"pieces\": 7");
        let requests = thread.join().unwrap();
        assert!(requests[0].ends_with(r#"{"article":"LM-2040 é","pieces":2,"reserve":true}"#), "{}", requests[0]);
        assert!(requests[0].contains(&format!("x-api-key: {SECRET}")) && !requests[0].contains("sandbox-ada"));
    }
}

#[test]
fn tool_that_is_too_slow_says_so_and_a_closed_port_too() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let mut story = tried((120, 40), port, Options::default());
    story.press("t").sees("Try check_stock").press("ctrl-s").sees("Send this request");
    confirm(&mut story);
    story.sees("waiting for 127.0.0.1, up to 2 s").sees("no answer").sees("within the tool's timeout of 2 s");
    drop(listener);
    story.press("t").sees("Try check_stock").press("ctrl-s").sees("Send this request");
    confirm(&mut story);
    story.sees("connection refused").sees("1 of 2");
}

#[test]
fn read_only_tries_only_what_reads() {
    let (port, thread) = endpoint(vec!["[1]"]);
    let mut story = tried((120, 40), port, Options { read_only: true, ..Options::default() });
    story.press("t").sees("Not now: this is read-only, and the tool does not use GET").press("esc");
    story.press("j t").sees("Send this request to 127.0.0.1?");
    confirm(&mut story);
    story.sees("TRIES").sees("200");
    assert!(thread.join().unwrap()[0].starts_with("GET /all HTTP/1.1"));
}

#[test]
fn nothing_was_tried_yet() {
    let mut story = story_on((80, 24), Options::default(), server(), records());
    story.press("H").sees("Nothing was tried yet").press("enter").sees("Not now: nothing was tried yet");
}
