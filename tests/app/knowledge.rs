//! Knowledge: both lists, what is watched, deleted, attached, and known by number, against the real service.

use super::snapshots::picture;
use crate::support::inside::{Inside, service_clock};
use crate::support::server::Server;
use crate::support::story::Story;
use serde_json::json;
use std::sync::Arc;
use switchboard::records::Records;
use switchboard::ui::Options;

pub const WORLD: &str = r#"
[[users]]
email = "ada@example.com"
tokens = ["sandbox-ada"]
[[users.assistants]]
name = "Reception"
[[users.assistants]]
name = "Sales desk"
[[users.knowledgebases]]
name = "Customer handbook"
description = "What every assistant may tell a customer"
[[users.knowledgebases.documents]]
name = "Opening hours"
type = "txt"
status = "active"
[[users.knowledgebases.documents]]
name = "Returns and warranty"
type = "pdf"
status = "failed"
[[users.knowledgebases]]
name = "よくある質問 ☕"
[[users]]
email = "bob@example.com"
tokens = ["sandbox-bob"]
[[users.knowledgebases]]
name = "Bob's own"
"#;

/// The pane with nothing loaded, and what is stored on this machine.
pub fn opened(size: (u16, u16), options: Options, server: Server, records: Arc<Records>) -> Story<Inside> {
    let mut story = Story(Inside::start_on(size, options, server, records));
    story.sees("page 1 of 1").press("4");
    story
}

fn fresh() -> Arc<Records> {
    Arc::new(Records::in_memory().unwrap())
}

pub fn story_with(size: (u16, u16), options: Options) -> Story<Inside> {
    let mut story = opened(size, options, Server::start(WORLD, service_clock()), fresh());
    story.sees("KNOWLEDGEBASES").sees("Customer handbook");
    story.0.settle();
    story
}

pub fn story(size: (u16, u16)) -> Story<Inside> {
    story_with(size, Options::default())
}

/// A server with the documented operations: it neither lists knowledgebases nor shows one by itself.
pub fn documented(records: Arc<Records>) -> Story<Inside> {
    let server = Server::start(WORLD, service_clock());
    server.fault(&json!({"path": "/user/knowledgebases", "status": 404, "count": 1}));
    let mut story = opened((120, 40), Options::default(), server, records);
    story.sees("KNOWLEDGEBASES");
    story.0.settle();
    story
}

/// Confirms a dialog once it is armed.
pub fn confirm(story: &mut Story<Inside>) {
    use crate::support::story::Clocked as _;
    story.0.pass(std::time::Duration::from_secs(1));
    story.passes(2).press("y");
}

#[test]
fn lists_and_details_are_shown() {
    for (size, at) in [((120, 40), "120x40"), ((80, 24), "80x24")] {
        let mut story = story(size);
        picture(&mut story, &format!("knowledge_{at}"), &[]);
        story.press("enter").sees("DOCUMENTS OF Customer handbook").sees("Returns and warranty").press("j");
        story.sees("the server does not say why");
        picture(&mut story, &format!("knowledge_documents_{at}"), &[]);
        story.press("i").sees_no_more("DOCUMENTS OF").sees("Returns and warranty");
        story.press("esc").sees("DOCUMENTS OF").press("esc").sees("KNOWLEDGEBASES");
    }
}

#[test]
fn documents_are_requested_once_the_selection_rests() {
    let mut story = story((120, 40));
    story.sees("Opening hours").press("j").sees("DOCUMENTS OF よくある質問").sees_no_more("Opening hours");
    story.0.settle();
    story.sees_no_more("No documents").passes(1).sees("No documents");
    story.press("k").sees("Opening hours");
}

#[test]
fn lists_are_narrowed_and_sorted() {
    let mut story = story((120, 40));
    story.press("/").types("よく").sees("1 of 1 (of 2)").press("enter").sees("DOCUMENTS OF よくある質問");
    story.press("esc g").sees("1 of 2").press("enter /").types("warr").sees("1 of 1 (of 2)").press("esc");
    story.press("o").sees("NAME ▴").press("y").sees("Id copied to the clipboard");
}

#[test]
fn processing_is_watched_until_it_ends_whatever_pane_is_on_screen() {
    let mut story = story((120, 40));
    let body = json!({"name": "Shop", "type": "website", "url": "https://example.com"});
    story.0.server.create("/user/knowledgebases/1/documents", &body);
    story.press("r").sees("◐ processing…").sees("3: 1 active, 1 failed, 1 processing");
    picture(&mut story, "knowledge_processing_120x40", &[]);
    story.press("1").sees("page 1 of 1").passes(6).passes(12);
    story.0.settle();
    story.sees("Ready: Shop of Customer handbook").press("4").sees("2 active").sees_no_more("processing");
}

#[test]
fn document_that_fails_is_told() {
    let mut story = story((120, 40));
    let body = json!({"name": "Will fail", "type": "website", "url": "https://example.com"});
    story.0.server.create("/user/knowledgebases/2/documents", &body);
    // Nobody looks at this one, but its knowledgebase is being processed.
    story.press("r").sees("◐ processing");
    story.0.settle();
    story.passes(6).passes(12);
    story.0.settle();
    story.sees("Failed: Will fail of よくある質問 ☕; the server does not say why").sees("✕ failed");
}

#[test]
fn knowledgebase_is_deleted_once_its_name_is_typed() {
    for (size, at) in [((120, 40), "120x40"), ((80, 24), "80x24")] {
        let mut story = story(size);
        story.0.server.request("PUT /api/user/assistant/2", &json!({"knowledgebase_id": 1}));
        story.press("r").sees("Used by       Sales desk").press("d").sees("Delete this knowledgebase?");
        picture(&mut story, &format!("knowledge_delete_{at}"), &[]);
        story.types("Customer handbook").press("enter").sees("Deleted: Customer handbook").sees("1 of 1");
        assert_eq!(story.0.server.get("/user/knowledgebases")["data"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn document_is_deleted_after_a_yes() {
    let mut story = story((80, 24));
    story.press("enter").sees("Opening hours").press("d").sees("Delete this document?");
    confirm(&mut story);
    story.sees("Deleted: Opening hours").sees("1 of 1").press("esc").sees("1 failed");
}

#[test]
fn knowledgebase_is_attached_and_detached() {
    let mut story = story((120, 40));
    story.press("A").sees("Attach Customer handbook").types("Sales").press("enter").sees("to Sales desk?");
    confirm(&mut story);
    story.sees("Attached: Customer handbook to Sales desk").sees("Used by       Sales desk");
    story.press("X").sees("Detach Customer handbook").press("enter").sees("from Sales desk?");
    confirm(&mut story);
    story.sees("Detached: Customer handbook").sees("no assistant");
    story.press("X").sees("Not now: no assistant uses it");
}

#[test]
fn read_only_says_why_nothing_is_written() {
    let mut story = story_with((120, 40), Options { read_only: true, ..Options::default() });
    for key in ["c", "e", "d", "A"] {
        story.press(key).sees("Not now: this is read-only").press("esc");
    }
    story.press("enter");
    for key in ["c", "e", "d"] {
        story.press(key).sees("Not now: this is read-only").press("!").press("esc");
    }
}

#[test]
fn refused_token_keeps_what_was_loaded() {
    let mut story = story((120, 40));
    story.0.server.fault(&json!({"path": "/user", "status": 401, "count": 3}));
    story.press("r").sees("token refused").sees("Customer handbook").sees("Opening hours");
    story.press("r").sees("live").sees("Customer handbook");
}

#[test]
fn those_known_by_number_are_kept_where_the_server_has_no_list() {
    let records = fresh();
    let mut story = documented(Arc::clone(&records));
    story.sees("This server does not list knowledgebases");
    picture(&mut story, "knowledge_documented_120x40", &[]);
    story.press("a").sees("Add a knowledgebase").types("abc").press("enter").sees("is a whole number from 1");
    // Another account's.
    story.press("ctrl-u").types("3").press("enter").sees("has no knowledgebase with this id");
    story.0.server.fault(&json!({"path": "/user/knowledgebases/1", "status": 405, "count": 1}));
    story.press("ctrl-u").types("1").press("enter").sees("1 of 1").sees("Opening hours").sees("2: 1 active, 1 failed");
    story.press("a").types("1").press("enter").sees("is listed already").press("esc");
    drop(story);
    let mut later = documented(Arc::clone(&records));
    later.sees("Customer handbook").press("x").sees("the server still has it");
    drop(later);
    documented(records).sees("This server does not list knowledgebases");
}

#[test]
fn knowledgebase_of_an_assistant_is_one_key_away() {
    let mut story = story((120, 40));
    story.0.server.request("PUT /api/user/assistant/1", &json!({"knowledgebase_id": 2}));
    story.press("r").sees("Used by       no assistant");
    story.0.settle();
    story.press("2").sees("ASSISTANTS").press("G").sees("よくある質問").press("enter o");
    story.sees("KNOWLEDGEBASES  2 of 2").sees("Used by       Reception");
}

#[test]
fn clicks_go_from_list_to_list_and_open_what_is_selected() {
    let mut story = story((120, 40));
    story.clicks(70, 6).sees("the server does not say why").clicks(70, 6).sees_no_more("DOCUMENTS OF");
    story.press("esc").clicks(5, 6).sees("DOCUMENTS OF よくある質問").sees("○ empty").clicks(5, 6);
    story.press("c").sees("ADD A WEBSITE TO よくある質問");
}
