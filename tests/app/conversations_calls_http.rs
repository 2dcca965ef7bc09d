//! The list of calls, against the real service.

use super::snapshots::picture;
use crate::support::inside::{Inside, service_clock};
use crate::support::server::Server;
use crate::support::story::Story;
use serde_json::json;
use switchboard::ui::Options;

const WIDE: (u16, u16) = (120, 40);
const SMALL: (u16, u16) = (80, 24);

fn world(generated: &str) -> String {
    format!(
        "[[users]]\nemail = \"ada@example.com\"\nkind = \"tenant\"\nbalance = 250.0\ntokens = [\"ada\"]\n{generated}\
         [[users.assistants]]\nname = \"Reception\"\n\
         [[users.assistants]]\nname = \"Hotline\"\ntype = \"inbound\"\ntimezone = \"Europe/Berlin\"\n\
         [[users.senders]]\nphone_number = \"+14155550100\"\nassistant = \"Reception\"\n"
    )
}

fn story(size: (u16, u16), generated: &str) -> Story<Inside> {
    let server = Server::start(&world(generated), service_clock());
    let mut story = Story(Inside::start(size, Options::default(), server));
    story.press("]").sees("calls");
    story
}

/// Time goes by for the service, which does what is due before it answers.
fn catches_up(story: &Story<Inside>, seconds: u32) {
    story.0.server.control("clock", &json!({"advance_seconds": seconds}));
}

#[test]
fn past_of_a_world_has_calls_that_are_listed_filtered_and_read() {
    for (size, at) in [(WIDE, "120x40"), (SMALL, "80x24")] {
        let mut story = story(size, "generate = { conversations = 30, calls = 60, seed = 7 }\n");
        story.sees("60 calls").sees("page 1 of");
        picture(&mut story, &format!("conversations_calls_http_{at}"), &[]);
        story.press("f").sees("Filter calls").types("comp").press("enter").sees("status: completed");
        story.press("enter").sees("● Assistant  0:");
        picture(&mut story, &format!("conversations_call_http_{at}"), &[]);
        story.press("v").sees("Evaluation").press("v").sees("\"client_phone_number\"").press("esc");
        story.press("x").sees("60 calls").press("f tab").types("i").press("enter").sees("type: inbound");
    }
}

#[test]
fn call_that_is_placed_is_followed_to_its_end() {
    let mut story = story(WIDE, "");
    story.sees("There are no calls yet.");
    story.0.server.request("POST /api/user/make_call", &json!({"phone_number": "+4930901820", "assistant_id": 1}));
    story.press("r").sees("1 call").sees("+49 30 901820").sees("Nothing has been said so far.");
    catches_up(&story, 4);
    story.passes(2).sees("in progress");
    catches_up(&story, 120);
    story.passes(5).sees("completed").sees_no_more("in progress").sees("Customer");
    story.press("d").sees("Delete call").passes(1).press("y").sees("There are no calls yet.");
}
