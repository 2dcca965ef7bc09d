//! The webhook switches of the assistants pane, against the real service.

use super::snapshots::{UUIDS, picture};
use crate::support::inside::{Inside, service_clock};
use crate::support::server::Server;
use crate::support::story::{Clocked as _, Story};
use serde_json::json;
use std::net::TcpListener;
use std::time::Duration;
use switchboard::ui::Options;

/// Ids and ports differ in each run.
const FILTERS: &[(&str, &str)] = &[UUIDS, (r"127\.0\.0\.1:[0-9]{5}", "127.0.0.1:[port]")];

const URL: &str = "https://example.com/hook";
const SIZES: [((u16, u16), &str); 2] = [((120, 40), "120x40"), ((80, 24), "80x24")];

/// The assistants, the newest first in the list, and nobody who writes.
fn world() -> String {
    let names = ["Empfang", "Order bot", "Sales desk", "Reception"];
    let assistants =
        names.map(|name| format!("[[users.assistants]]\nname = \"{name}\"\nvariables = {{ company = \"Acme\" }}\n"));
    format!("[[users]]\nemail = \"ada@example.com\"\ntokens = [\"sandbox-ada\"]\n{}", assistants.concat())
}

fn server() -> Server {
    Server::start(&world(), service_clock())
}

/// A server with the operations of the documented API only.
fn documented() -> Server {
    let server = server();
    let more = ["/user/assistants/get", "/user/assistants/disable-conversation-ended-webhook", "/user/assistant/"];
    for path in more {
        server.fault(&json!({"path": path, "status": 404, "count": 99}));
    }
    server
}

fn story(size: (u16, u16), options: Options, server: Server) -> Story<Inside> {
    let mut story = Story(Inside::start(size, options, server));
    story.press("2").sees("ASSISTANTS").sees("Sales desk");
    story.0.settle();
    story
}

/// Where the service sends a webhook of an assistant, by the assistant's number.
fn pointed(server: &Server, id: i64, field: &str) -> Option<String> {
    let all = server.get("/user/assistants/get");
    let of_it = all["data"].as_array().unwrap().iter().find(|one| one["id"] == id).unwrap();
    of_it[field].as_str().map(str::to_owned)
}

/// The first in the list.
const RECEPTION: i64 = 4;
const ENDED: &str = "conversation_ended_webhook_url";

#[test]
fn webhook_is_turned_on_undone_and_turned_on_with_two_keys() {
    let mut story = story((120, 40), Options::default(), server());
    story.press("w").sees("Webhooks of Reception").sees("formatted_transcript");
    story.types(URL).press("enter").sees("Reception: Conversation ended is on (u undoes)");
    assert_eq!(pointed(&story.0.server, RECEPTION, ENDED).as_deref(), Some(URL));
    story.press("u").sees("Reception: Conversation ended is off");
    assert_eq!(pointed(&story.0.server, RECEPTION, ENDED), None);
    story.0.settle();
    story.press("w").sees("turn on").press("enter").sees("Conversation ended is on");
    assert_eq!(pointed(&story.0.server, RECEPTION, ENDED).as_deref(), Some(URL));
    story
        .press("w")
        .sees("on  https")
        .press("backspace")
        .sees("turn off")
        .press("enter")
        .sees("Conversation ended is off");
    assert_eq!(pointed(&story.0.server, RECEPTION, ENDED), None);
}

#[test]
fn other_webhooks_have_fields_of_their_own() {
    let mut story = story((120, 40), Options::default(), server());
    story.press("w tab").types(URL).press("enter").sees("Inbound call is on");
    story.passes(60).press("w tab tab").types("https://example.com/calls").press("enter").sees("Post-call is on");
    assert_eq!(pointed(&story.0.server, RECEPTION, "inbound_webhook_url").as_deref(), Some(URL));
    assert_eq!(pointed(&story.0.server, RECEPTION, "webhook_url").as_deref(), Some("https://example.com/calls"));
    story.press("w tab tab backspace enter").sees("Post-call is off");
    assert_eq!(pointed(&story.0.server, RECEPTION, "webhook_url"), None);
    // The suggestion that is taken stays to be confirmed.
    story.press("w down down enter").sees("Webhooks of Reception").press("enter").sees("Conversation ended is on");
    assert_eq!(pointed(&story.0.server, RECEPTION, ENDED).as_deref(), Some(URL));
}

#[test]
fn dialog_tells_what_is_odd_and_what_is_wrong_with_a_url() {
    for (size, at) in SIZES {
        let mut story = story(size, Options::default(), server());
        story.press("w").types("example.com").press("enter").sees("must be a valid URL").press("ctrl-u");
        story.types("http://192.168.1.5/hook").sees("not encrypted").sees("private network");
        picture(&mut story, &format!("assistants_webhooks_{at}"), FILTERS);
        story.press("pgdn pgdn pgdn").sees("2026-03-02").press("enter").sees("Conversation ended is on");
        story.press("w").sees("on  http://192.168.1.5/hook");
        picture(&mut story, &format!("assistants_webhooks_on_{at}"), FILTERS);
    }
}

#[test]
fn documented_api_tells_nothing_back_and_cannot_turn_off() {
    for (size, at) in SIZES {
        let mut story = story(size, Options::default(), documented());
        story
            .sees("OUTBOUND ASSISTANTS")
            .press("/")
            .types("recep")
            .press("enter w")
            .sees("not known: the server does not tell");
        story.sees("no operation to change it");
        story.press("enter").sees("A URL turns it on, the word off");
        picture(&mut story, &format!("assistants_webhooks_documented_{at}"), FILTERS);
        story.types(URL).press("enter").sees("Conversation ended is on");
        story.press("w").sees("set from here").press("backspace enter").sees("cannot turn it off");
        picture(&mut story, &format!("assistants_webhooks_no_off_{at}"), FILTERS);
        story.types("https://example.com/other").press("enter").sees_no_more("Webhooks of Reception");
        assert_eq!(pointed_without_list(&story), "https://example.com/other");
        story.press("u").sees("is on (u undoes): https://example.com/hook");
        story
            .press("w tab")
            .types(URL)
            .press("enter")
            .sees("Inbound call is on")
            .press("u")
            .sees("Inbound call is off");
        story.press("w tab").types("off").sees("turn off").press("esc").sees_no_more("Webhooks of Reception");
    }
}

/// The same as [`pointed`] of Reception, where the list is closed by a fault that is ended first.
fn pointed_without_list(story: &Story<Inside>) -> String {
    let server = &story.0.server;
    server.fault(&json!({"clear": true}));
    let url = pointed(server, RECEPTION, ENDED).unwrap();
    let path = "/user/assistants/disable-conversation-ended-webhook";
    server.fault(&json!({"path": path, "status": 404, "count": 99}));
    server.fault(&json!({"path": "/user/assistants/get", "status": 404, "count": 99}));
    url
}

#[test]
fn read_only_switches_nothing() {
    let mut story = story((120, 40), Options { read_only: true, ..Options::default() }, server());
    story.press("w").sees("Not now: this is read-only").press("W").sees("Not now: this is read-only");
}

#[test]
fn failed_switch_keeps_the_dialog_with_what_was_typed() {
    let mut story = story((120, 40), Options::default(), server());
    let path = "/user/assistants/enable-conversation-ended-webhook";
    story.0.server.fault(&json!({"path": path, "status": 401, "count": 1}));
    story.press("w").types(URL).press("enter").sees("was not turned on").sees("401").sees("Webhooks of Reception");
    story.0.server.fault(&json!({"path": path, "status": 500, "drop": true, "count": 1}));
    story.press("enter").sees("Unknown whether Conversation ended of Reception was turned on").sees(URL);
    story.0.server.fault(&json!({"path": path, "status": 404, "count": 1}));
    story.press("enter").sees_no_more("Webhooks of Reception").sees("1 of 3");
}

#[test]
fn all_listed_are_switched_one_after_the_other() {
    for (size, at) in SIZES {
        let mut story = story(size, Options::default(), server());
        story.press("w").types("https://example.com/old").press("enter").sees("is on");
        story.press("/").types("e").press("enter W").sees("Webhook of 4 assistants listed").press("tab").types(URL);
        picture(&mut story, &format!("assistants_webhooks_all_{at}"), FILTERS);
        story.press("enter").sees("https://example.com/old →");
        picture(&mut story, &format!("assistants_webhooks_all_confirm_{at}"), FILTERS);
        story.0.pass(Duration::from_secs(2));
        story.press("y").sees("Switched 4 of 4 assistants");
        picture(&mut story, &format!("assistants_webhooks_all_done_{at}"), FILTERS);
        for id in 1..=4 {
            assert_eq!(pointed(&story.0.server, id, ENDED).as_deref(), Some(URL));
        }
        story
            .press("esc")
            .sees("ASSISTANTS")
            .press("W tab")
            .types(URL)
            .press("enter")
            .sees("4 assistants have this setting");
    }
}

#[test]
fn refused_token_stops_the_rest() {
    let mut story = story((120, 40), Options::default(), server());
    story.press("W").sees("Webhook of 4 assistants listed").press("right tab").types(URL).press("enter");
    story.sees("of 4 assistants?");
    story.0.pass(Duration::from_secs(2));
    story.0.settle();
    let path = "/user/assistants/enable-inbound-webhook";
    story.0.server.fault(&json!({"path": path, "latency_ms": 1, "count": 1}));
    story.0.server.fault(&json!({"path": path, "status": 401, "count": 9}));
    story.press("y").sees("Switched 1 of 4 assistants").sees("Stopped:").sees("not done  off");
    picture(&mut story, "assistants_webhooks_all_stopped_120x40", FILTERS);
    assert_eq!(pointed(&story.0.server, RECEPTION, "inbound_webhook_url").as_deref(), Some(URL));
    assert_eq!(pointed(&story.0.server, 2, "inbound_webhook_url"), None);
    story.press("esc esc").sees("ASSISTANTS");
}

#[test]
fn escape_stops_the_rest() {
    let mut story = story((120, 40), Options::default(), server());
    story.press("W tab").types(URL).press("enter").sees("of 4 assistants?");
    story.0.pass(Duration::from_secs(2));
    story.0.settle();
    let path = "/user/assistants/enable-conversation-ended-webhook";
    story.0.server.fault(&json!({"path": path, "latency_ms": 1500, "count": 1}));
    story.press("y").sees("in flight").sees("webhooks 0/4").press("esc").sees("Stopped: stopped with Esc");
    story.sees("Switched 1 of 4 assistants");
    assert_eq!(pointed(&story.0.server, 3, ENDED), None);
}

#[test]
fn inspector_lists_deliveries_and_sends_a_failed_one_again() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = closed.local_addr().unwrap();
    drop(closed);
    let mut story = story((120, 40), Options::default(), server());
    story.press("w tab").types(&format!("http://{address}/hook")).press("enter").sees("Inbound call is on");
    story.sees("none yet");
    story.0.server.control("inbound-call", &json!({"assistant_id": RECEPTION, "customer_phone": "+14155550123"}));
    story.0.settle();
    // Refused each time, until the service gives up.
    for _ in 0..40 {
        story.0.pass(Duration::from_secs(6 * 3600));
        story.0.settle();
        story.press("r");
        story.0.settle();
        if story.screen().shows("failed") {
            break;
        }
    }
    story.sees("failed  Inbound call");
    // How many of those steps it takes is up to the service.
    let filters: Vec<_> = FILTERS.iter().copied().chain([(r"[0-9]{2}:02", "hh:02")]).collect();
    picture(&mut story, "assistants_deliveries_120x40", &filters);
    story.press("enter R").sees("The delivery is sent again");
}
