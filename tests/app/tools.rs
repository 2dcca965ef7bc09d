//! The list of tools, what is known of each, and attaching them, against the real service.

use crate::support::inside::{Inside, service_clock};
use crate::support::server::Server;
use crate::support::story::Story;
use serde_json::json;
use std::sync::Arc;
use switchboard::records::Records;
use switchboard::ui::Options;

/// The value of a header that no screen shows unasked.
pub const SECRET: &str = "very-secret-key";

const WORLD: &str = r#"
[[users]]
email = "ada@example.com"
tokens = ["sandbox-ada"]
tool_limit = 4
[[users.assistants]]
name = "Reception"
[[users.assistants]]
name = "Order bot"
[[users.tools]]
name = "check_stock"
description = "Tells how many pieces of an article are in a warehouse. Use it before promising a delivery date."
endpoint = "https://stock.example.com/v1/articles"
method = "POST"
headers = [{ name = "Accept", value = "application/json" }, { name = "X-Api-Key", value = "very-secret-key" }]
parameters = [
    { name = "article", type = "string", description = "The article number" },
    { name = "pieces", type = "number", description = "How many the customer wants" },
]
assistants = ["Reception"]
[[users.tools]]
name = "track_order"
description = "Where an order is, by its number."
endpoint = "https://orders.example.com/track"
timeout = 5
"#;

/// The pane on this server, with what was stored on this machine before.
pub fn story_on(size: (u16, u16), options: Options, server: Server, records: Arc<Records>) -> Story<Inside> {
    let mut story = Story(Inside::start_on(size, options, server, records));
    story.press("5").sees("TOOLS");
    story.0.settle();
    story
}

pub fn server() -> Server {
    Server::start(WORLD, service_clock())
}

pub fn records() -> Arc<Records> {
    Arc::new(Records::in_memory().unwrap())
}

pub fn story(size: (u16, u16)) -> Story<Inside> {
    let mut story = story_on(size, Options::default(), server(), records());
    story.sees("check_stock");
    story
}

pub fn picture(story: &mut Story<Inside>, name: &str) {
    story.0.settle();
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, story.screen().with_looks()));
}

/// Confirms a dialog once it is armed.
pub fn confirm(story: &mut Story<Inside>) {
    story.passes(1).passes(2).press("y");
}

/// A server without the operations that the documented API does not have.
fn without_list() -> Server {
    let server = server();
    server.fault(&json!({"path": "/user/tools", "status": 405, "count": 1}));
    server
}

#[test]
fn tools_are_listed_with_what_is_known_of_each() {
    for (size, at) in [((120, 40), "120x40"), ((80, 24), "80x24")] {
        let mut story = story(size);
        picture(&mut story, &format!("tools_{at}"));
        story.press("enter").sees("Used by").sees("Reception");
        picture(&mut story, &format!("tools_inspector_{at}"));
    }
}

#[test]
fn secrets_are_masked_until_they_are_shown_and_again_with_another_tool() {
    let mut story = story((120, 40));
    story.sees("X-Api-Key").sees("•••").sees_no_more(SECRET);
    story.press("s").sees(SECRET).press("s").sees_no_more(SECRET);
    story.press("s").sees(SECRET).press("j k").sees("X-Api-Key").sees_no_more(SECRET);
}

#[test]
fn list_is_narrowed_sorted_and_copied_from() {
    let mut story = story((120, 40));
    story.press("/").types("track").press("enter").sees("1 of 1 (of 2)").sees("orders.example.com");
    story.press("esc o O").sees("1 of 2").press("y").sees("Id copied").press("Y").sees("Endpoint copied");
}

#[test]
fn tool_is_attached_after_the_assistant_was_read_again() {
    for (size, at) in [((120, 40), "120x40"), ((80, 24), "80x24")] {
        let mut story = story(size);
        story.press("A").sees("Attach check_stock").sees("Order bot");
        picture(&mut story, &format!("tools_attach_{at}"));
        // Another tool is attached meanwhile: it is read again and stays.
        story.0.server.request("PUT /api/user/assistant/2", &json!({"tool_ids": [2]}));
        story.press("enter").sees("Attach check_stock to Order bot?").sees("track_order → track_order, check_stock");
        picture(&mut story, &format!("tools_attach_confirm_{at}"));
        confirm(&mut story);
        story.sees("Attached: check_stock to Order bot");
        story.0.settle();
        let told = story.0.server.get("/user/assistants/get");
        let bot = told["data"].as_array().unwrap().iter().find(|one| one["id"] == 2).unwrap();
        assert_eq!(bot["tool_ids"], json!([1, 2]));
    }
}

#[test]
fn tool_is_detached_from_one_that_uses_it() {
    let mut story = story((120, 40));
    story.press("X").sees("Detach check_stock").sees_no_more("Order bot").press("enter").sees("check_stock → none");
    confirm(&mut story);
    story.sees("Detached: check_stock from Reception").sees("no assistant");
    story.press("X").sees("Not now: no assistant uses it");
}

#[test]
fn attaching_says_what_failed_where_it_was_picked() {
    let mut story = story((120, 40));
    story.press("A").sees("Attach check_stock");
    story.0.server.request("PUT /api/user/assistant/2", &json!({"tool_ids": [1]}));
    story.press("enter").sees("This assistant has it already").press("esc").sees_no_more("Attach check_stock");
    story.0.settle();
    story.press("j A").sees("Attach track_order").types("Recep").press("enter").sees("to Reception?");
    story.0.server.request("DELETE /api/user/tools/2", &json!({}));
    confirm(&mut story);
    story.sees("The selected tool ids is").press("esc").sees_no_more("Attach track_order");
}

#[test]
fn unclear_outcome_of_attaching_is_said_and_not_repeated() {
    let mut story = story((120, 40));
    story.press("A").sees("Attach check_stock").press("enter").sees("to Order bot?");
    story.0.server.fault(&json!({"path": "/user/assistant/", "drop": true, "count": 1}));
    confirm(&mut story);
    story.sees("Unknown whether the assistant Order bot was changed").sees_no_more("Attach check_stock");
    // It was changed, and the list that was read after it shows that.
    story.0.settle();
    story.press("esc A").sees("Not now: there is no assistant without it");
}

#[test]
fn tool_is_deleted_once_its_name_is_typed_where_assistants_use_it() {
    let mut story = story((80, 24));
    story.press("d").sees("Delete this tool?").sees("Reception");
    picture(&mut story, "tools_delete_80x24");
    story.types("check_stock").press("enter").sees("Deleted: check_stock").sees("1 of 1");
    story.press("d").sees("no assistant");
    confirm(&mut story);
    story.sees("Deleted: track_order").sees("No tools").sees("i imports one");
    picture(&mut story, "tools_empty_80x24");
}

#[test]
fn without_a_list_tools_are_known_by_number_also_after_a_restart() {
    let records = records();
    let mut story = story_on((120, 40), Options::default(), without_list(), Arc::clone(&records));
    story.sees("This server does not list tools");
    picture(&mut story, "tools_not_listed_120x40");
    story.press("a").sees("Add a tool").types("7").press("enter").sees("looked up: the server says");
    story.press("backspace").types("2").press("enter").sees("track_order").sees_no_more("Add a tool");
    drop(story);
    let mut story = story_on((120, 40), Options::default(), without_list(), records);
    story.sees("track_order").press("x").sees("the server still has it").sees("a adds one");
}

#[test]
fn assistant_leads_to_its_tool() {
    let mut story = story((120, 40));
    story.press("j 2").sees("ASSISTANTS").press("/").types("Recep").press("enter enter o");
    story.sees("TOOLS  1 of 2").sees("Tells how many pieces");
}

#[test]
fn failed_list_says_why_and_what_to_press() {
    let server = server();
    server.fault(&json!({"path": "/user/tools", "status": 503, "count": 1}));
    let mut story = story_on((80, 24), Options::default(), server, records());
    story.sees("The tools could not be loaded").press("r").sees("check_stock");
    story.0.server.fault(&json!({"path": "/user/tools", "status": 401, "count": 1}));
    story.press("r").sees("TOOLS, not refreshed").sees("check_stock").press("r").sees_no_more("not refreshed");
}

#[test]
fn read_only_reads_and_offers_no_write() {
    let options = Options { read_only: true, ..Options::default() };
    let mut story = story_on((120, 40), options, server(), records());
    for key in ["c", "e", "D", "d", "A", "X", "i"] {
        story.press(key).sees("Not now: this is read-only").press("esc");
    }
    story.press("enter").sees("Used by");
}
