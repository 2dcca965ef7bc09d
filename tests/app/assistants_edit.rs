//! Creating, editing and deleting assistants, and their history, against the real service.

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
status = "active"
timezone = "Europe/London"
initial_message = "Hello, how can I help?"
system_prompt = """You are the receptionist of a furniture maker. Be warm and brief, one question at a time.
Never promise a delivery date; offer a call back instead."""
variables = { company = "Lindqvist", showroom = "London" }
[[users.assistants]]
name = "Sales desk"
type = "inbound"
mode = "multimodal"
[[users.knowledgebases]]
name = "Handbook"
description = "Staff handbook"
"#;

fn story_with(size: (u16, u16), options: Options, records: Arc<Records>) -> Story<Inside> {
    let server = Server::start(WORLD, service_clock());
    let mut story = Story(Inside::start_on(size, options, server, records));
    story.press("2").sees("ASSISTANTS").sees("Reception");
    story.0.settle();
    // The newest is first.
    story.press("G");
    story
}

fn story(size: (u16, u16)) -> Story<Inside> {
    story_with(size, Options::default(), Arc::new(Records::in_memory().unwrap()))
}

/// Opens the form and goes to the prompt, the eighth field.
fn edit(story: &mut Story<Inside>) {
    story.press("e").sees("EDIT Reception");
    story.0.settle();
}

fn to_prompt(story: &mut Story<Inside>) {
    story.press("tab tab tab tab tab tab tab");
}

/// Confirms a dialog once it is armed.
fn confirm(story: &mut Story<Inside>) {
    story.passes(1).passes(2).press("y");
}

#[test]
fn prompt_is_changed_after_its_words_were_compared() {
    for (size, at) in [((120, 40), "120x40"), ((80, 24), "80x24")] {
        let mut story = story(size);
        edit(&mut story);
        picture(&mut story, &format!("assistant_form_{at}"), &[]);
        to_prompt(&mut story);
        story.press("pgup pgup home").types("Hello. ").press("ctrl-o").sees("{+Hello. +}");
        picture(&mut story, &format!("assistant_changes_{at}"), &[]);
        story.press("ctrl-o ctrl-s").sees("Save Reception?").sees("no conditional update");
        picture(&mut story, &format!("assistant_save_{at}"), &[]);
        confirm(&mut story);
        story.sees("Saved: Reception").press("H").sees("VERSIONS OF Reception").sees("saved from here");
        story.press("enter /").types("hello").sees("1 of 1").press("enter esc esc").sees_no_more("1 of 1");
        picture(&mut story, &format!("assistant_history_{at}"), &[]);
    }
}

/// Fills in the form of a new assistant.
fn fill_in(story: &mut Story<Inside>) {
    story.press("c").sees("CREATE AN ASSISTANT");
    story.0.settle();
    story.types("Night desk").press("tab tab tab").types("Engl").press("tab");
    story.0.settle();
    story.press("down up enter tab").types("Good evening.").press("tab").types("Be brief.").press("ctrl-s");
    story.sees("field is required").press("down enter ctrl-s").sees("Create Night desk?");
    story.0.settle();
}

#[test]
fn assistant_is_created_from_the_catalogue() {
    let mut story = story((120, 40));
    fill_in(&mut story);
    confirm(&mut story);
    story.sees("Created: Night desk").sees_no_more("CREATE AN ASSISTANT").sees("Night desk");
}

#[test]
fn what_somebody_else_changed_meanwhile_is_asked_about() {
    let mut story = story((120, 40));
    edit(&mut story);
    story.press("end").types(" 1");
    story.0.server.request("PUT /api/user/assistant/1", &json!({"name": "Front desk", "timezone": "Europe/Paris"}));
    story.press("ctrl-s").sees("Somebody else has changed it").sees("Europe/Paris");
    story.sees("yours replaces it, as below").sees("kept: not changed in this form");
    picture(&mut story, "assistant_changed_meanwhile_120x40", &[]);
    story.press("esc").sees("EDIT Reception").press("ctrl-s").sees("Somebody else");
    confirm(&mut story);
    story.sees("Saved: Reception 1").press("enter").sees("Europe/Paris");
}

#[test]
fn refused_field_says_why_and_nothing_typed_is_lost() {
    let mut story = story((120, 40));
    edit(&mut story);
    to_prompt(&mut story);
    story.press("tab tab tab tab").types("Hand").press("enter ctrl-s").sees("Save Reception?").sees("none → Handbook");
    story.0.server.request("DELETE /api/user/knowledgebases/1", &json!({}));
    confirm(&mut story);
    story.sees("EDIT Reception").sees("The selected knowledgebase id is").sees("Handbook");
}

#[test]
fn unclear_outcome_is_said_and_nothing_is_sent_again() {
    let mut story = story((120, 40));
    edit(&mut story);
    story.press("end").types(" 1").press("ctrl-s").sees("Save Reception 1?");
    story.0.server.fault(&json!({"path": "/user/assistant/", "drop": true, "count": 1}));
    confirm(&mut story);
    story.sees("Unknown whether the assistant was saved").sees("EDIT Reception").sees("Reception 1");
    // It was saved, and only the answer was lost.
    story.press("ctrl-s").sees("Already saved").sees("ASSISTANTS").sees("Reception 1");
}

#[test]
fn limits_are_counted_while_typing() {
    let mut story = story((120, 40));
    edit(&mut story);
    story.press("tab tab tab tab tab tab").pastes(&"a".repeat(200)).sees("222 / 200").sees("greater than 200");
    story.press("ctrl-s").sees("EDIT Reception").sees_no_more("Save Reception?");
}

#[test]
fn draft_is_there_after_the_program_was_killed() {
    let records = Arc::new(Records::in_memory().unwrap());
    let mut first = story_with((120, 40), Options::default(), Arc::clone(&records));
    edit(&mut first);
    first.press("end").types(" by night").passes(2);
    first.0.settle();
    let mut second = story_with((120, 40), Options::default(), records);
    edit(&mut second);
    second.sees("Reception by night").sees("draft from today").press("ctrl-r").sees_no_more("by night");
    second.press("esc e").sees("EDIT Reception").sees_no_more("draft from");
    drop(first);
}

#[test]
fn earlier_version_is_restored_as_a_new_one() {
    let mut story = story((120, 40));
    edit(&mut story);
    story.press("end").types(" 2").press("ctrl-s").sees("Save Reception 2?");
    confirm(&mut story);
    story.sees("Saved: Reception 2").sees_no_more("EDIT");
    story.0.settle();
    story.press("H").sees("VERSIONS OF Reception 2").sees("CHANGED BY THIS VERSION").sees("Reception → Reception 2");
    story.press("G").sees("THE FIRST VERSION KNOWN").press("v").sees("FROM THIS VERSION TO NOW");
    story.press("R").sees("RESTORE Reception 2").sees("Reception 2 → Reception");
    story.press("ctrl-s").sees("Save Reception?");
    confirm(&mut story);
    story.sees_no_more("RESTORE").press("H").sees("1 of 3").sees("VERSIONS OF Reception");
}

#[test]
fn assistant_is_deleted_once_its_name_is_typed() {
    let mut story = story((80, 24));
    story.press("d").sees("Delete this assistant?").sees("Its conversations stay");
    picture(&mut story, "assistant_delete_80x24", &[]);
    story.types("Reception").press("enter").sees("Deleted: Reception").sees("1 of 1");
}

#[test]
fn copy_has_everything_but_webhooks() {
    let mut story = story((120, 40));
    story
        .press("D")
        .sees("DUPLICATE Reception")
        .sees("Reception (copy)")
        .press("ctrl-s")
        .sees("Create Reception (copy)?");
    confirm(&mut story);
    story.sees("Created: Reception (copy)").sees("1 of 3");
}

#[test]
fn refused_token_loses_nothing() {
    let mut story = story((120, 40));
    edit(&mut story);
    story.press("end").types(" 1");
    story.0.server.fault(&json!({"path": "/user/assistants/get", "status": 401, "count": 1}));
    story.press("ctrl-s").sees("could not be read again").sees("EDIT Reception").sees("Reception 1");
}

#[test]
fn read_only_reads_versions_and_offers_no_write() {
    let options = Options { read_only: true, ..Options::default() };
    let mut story = story_with((120, 40), options, Arc::new(Records::in_memory().unwrap()));
    for key in ["c", "e", "D", "d"] {
        story.press(key).sees("Not now: this is read-only").press("esc");
    }
    story.press("H").sees("VERSIONS OF Reception").press("R").sees("Not now: this is read-only");
}

#[test]
fn documented_api_has_no_records_to_edit() {
    let server = Server::start(WORLD, service_clock());
    server.fault(&json!({"path": "/user/assistants/get", "status": 404, "count": 9}));
    let mut story = Story(Inside::start((120, 40), Options::default(), server));
    story.press("2").sees("OUTBOUND ASSISTANTS");
    for key in ["e", "D", "d", "H"] {
        story.press(key).sees("Not now: the server does not list whole records").press("esc");
    }
    story.passes(10);
    fill_in(&mut story);
    story.0.server.fault(&json!({"path": "/user/assistant", "status": 405, "count": 1}));
    confirm(&mut story);
    story
        .sees("The assistant was not created")
        .sees("CREATE AN ASSISTANT")
        .sees("Night desk")
        .press("esc esc")
        .sees("OUTBOUND");
    story.press("c").sees("Not now: the server cannot create assistants");
}
