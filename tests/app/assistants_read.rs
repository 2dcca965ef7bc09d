//! Reading an assistant: search in its inspector, today's conversations, the ways to what it uses.

use super::assistants_edit::WORLD;
use super::snapshots::picture;
use crate::support::canned::Canned;
use crate::support::inside::{Inside, service_clock};
use crate::support::pure::Pure;
use crate::support::server::Server;
use crate::support::story::Story;
use serde_json::json;
use switchboard::tasks::Event;
use switchboard::ui::{Message, Options, Place};

fn on(size: (u16, u16), options: Options, server: Server) -> Story<Inside> {
    let mut story = Story(Inside::start(size, options, server));
    story.press("2").sees("ASSISTANTS").sees("Sales desk");
    story.0.settle();
    story.press("G");
    story
}

fn story(size: (u16, u16)) -> Story<Inside> {
    on(size, Options::default(), Server::start(WORLD, service_clock()))
}

#[test]
fn inspector_is_searched_from_match_to_match() {
    for (size, at) in [((120, 40), "120x40"), ((80, 24), "80x24")] {
        let mut story = story(size);
        // What is counted later would be searched too.
        story.press("enter").passes(1).sees("0 today (UTC)").press("n").sees("Not now: nothing is searched for");
        story.press("/").types("Be warm and").sees("1 of 1").press("ctrl-u").types("o").sees(" of 55").press("enter");
        story.press("n N N");
        picture(&mut story, &format!("assistants_search_{at}"), &[]);
        story
            .press("/ ctrl-u")
            .types("receptionist")
            .sees("1 of 1")
            .press("enter esc")
            .sees_no_more("1 of 1")
            .press("esc k enter");
        story.press("/").types("receptionist").sees("not found").press("esc").sees_no_more("not found");
        // The next Esc is the inspector's.
        story.press("esc").sees("↵ open");
    }
}

#[test]
fn conversations_of_today_are_counted_for_the_selected_assistant() {
    let mut story = story((120, 40));
    story.passes(1).sees("0 today (UTC)");
    story.press("t").sees("TRY IT").sees("1 message").press("esc").sees("ASSISTANTS").press("r").sees("1 today (UTC)");
    story.press("k").sees_no_more("today (UTC)").passes(1).sees("0 today (UTC)");
    story.0.server.fault(&json!({"path": "/user/conversations", "status": 401, "count": 1}));
    story.press("j").passes(1).sees_no_more("(UTC)").press("k").passes(60).sees_no_more("today (UTC)");
    story.press("r").sees("0 today (UTC)");
}

#[test]
fn only_the_selection_that_rests_is_counted() {
    let mut story = Story(Pure::connected((120, 40), Options::default(), Canned::default()));
    story.press("2").sees("OUTBOUND ASSISTANTS").press("g");
    story.passes(1);
    let asked = |story: &Story<Pure>| {
        let counts = |message: &&Message| match message {
            Message::Task(Event::Started { operation, .. }) => {
                format!("{operation:?}").contains("/user/conversations?")
            }
            _ => false,
        };
        story.0.happened.iter().filter(counts).count()
    };
    let before = asked(&story);
    story.press("j j j k j j").passes(1).passes(1);
    assert_eq!(asked(&story), before + 1);
}

#[test]
fn assistant_without_tools_leads_nowhere() {
    let mut story = story((80, 24));
    story.press("enter o").sees("Not now: the assistant has no tool and no knowledgebase");
}

#[test]
fn receiver_is_offered_as_a_url() {
    let mut story = story((120, 40));
    story.press("L").sees("Receive webhooks").press("ctrl-u").types("0").press("enter").sees("Listening on http://127");
    story.press("esc").sees("ASSISTANTS").press("w").sees("Webhooks of Reception").press("ctrl-u");
    story.press("backspace").types("127").sees("  listening ").press("down enter");
    story.press("enter").sees("Conversation ended is on").sees("on  http://127.0.0.1:");
}

#[test]
fn other_channel_word_and_a_live_profile_read_the_same() {
    let channel = "chatter".parse().unwrap();
    let options = Options { place: Place::Profile("live".to_owned()), ..Options::default() };
    let mut story = on((120, 40), options, Server::speaking(channel, WORLD, service_clock()));
    story.passes(1).sees("0 today (UTC)").press("w").sees("Webhooks of Reception").sees("timestamp_unix");
    story.types("https://example.com/hook").press("enter").sees("Conversation ended is on");
    story.press("enter").sees("● on  https://example.com/hook").sees_no_more("SANDBOX");
}
