//! Calls from the Assistants pane, against the real service and against one of the documented operations alone.

use super::snapshots::picture;
use crate::support::canned::Canned;
use crate::support::inside::{Inside, service_clock};
use crate::support::pure::Pure;
use crate::support::server::Server;
use crate::support::story::{Clocked, Story};
use serde_json::json;
use switchboard::messaging::{Accepted, Outcome, Refusal};
use switchboard::tasks::Event;
use switchboard::ui::{Message, Options};

const NUMBER: &str = "+49 30 901820";
const WIDE: (u16, u16) = (120, 40);

fn world(balance: u32) -> String {
    format!(
        "[[users]]\nemail = \"ada@example.com\"\nkind = \"tenant\"\nbalance = {balance}.0\ntokens = [\"ada\"]\n\
         [[users.assistants]]\nname = \"Hotline\"\ntype = \"inbound\"\n\
         [[users.assistants]]\nname = \"Reception\"\nvariables = {{ company = \"Acme\", clerk = \"Jo\" }}\n\
         [[users.senders]]\nphone_number = \"+14155550100\"\nassistant = \"Reception\"\n"
    )
}

fn story_with(size: (u16, u16), balance: u32, options: Options) -> Story<Inside> {
    let mut story = Story(Inside::start(size, options, Server::start(&world(balance), service_clock())));
    // Hotline is in the fuller list alone, so its row says that the rows are there for good.
    story.press("2").sees("Hotline").press("g").sees("▌Reception");
    story
}

fn story(size: (u16, u16)) -> Story<Inside> {
    story_with(size, 250, Options::default())
}

/// Opens the form, types the number and says yes.
fn confirms<S: Clocked>(story: &mut Story<S>) {
    story.press("C").sees("Call by Reception").types("+4930901820").press("ctrl-s");
    story.sees("Make this call?").passes(1).press("y").sees(&format!("Calling {NUMBER} in 5 s"));
}

/// Time goes by for the service, which does what is due before it answers: the next request finds it done.
fn catches_up(story: &Story<Inside>, seconds: u32) {
    story.0.server.control("clock", &json!({"advance_seconds": seconds}));
}

/// How many calls the server has begun.
fn calls(story: &Story<Inside>) -> usize {
    story.0.settle();
    story.0.server.get("/user/calls")["data"].as_array().unwrap().len()
}

#[test]
fn call_is_confirmed_made_and_followed_to_its_end() {
    for (size, at) in [(WIDE, "120x40"), ((80, 24), "80x24")] {
        let mut story = story(size);
        story
            .press("C")
            .sees("Call by Reception")
            .sees("Acme")
            .types("030901820")
            .press("tab")
            .sees("needs a + and the country code");
        story.press("shift-tab ctrl-u").types("+4930901820").sees("(Germany)");
        picture(&mut story, &format!("calls_form_{at}"), &[]);
        story.press("ctrl-s").sees("Make this call?").sees("deducted from the balance (250.00").sees("Acme");
        picture(&mut story, &format!("calls_confirm_{at}"), &[]);
        story.passes(1).press("y").sees(&format!("Calling {NUMBER} in 5 s"));
        assert_eq!(calls(&story), 0);
        story.passes(6).sees(&format!("Accepted: the call to {NUMBER}"));
        assert_eq!(calls(&story), 1);
        story.press("enter").sees("Calls from here").sees("accepted");
        catches_up(&story, 4);
        story.passes(2).sees("in progress");
        catches_up(&story, 60);
        story.passes(5);
        story.sees("completed, ").sees("USD");
        picture(&mut story, &format!("calls_over_{at}"), &[]);
    }
}

#[test]
fn call_can_be_taken_back_and_what_was_typed_stays() {
    let mut story = story(WIDE);
    confirms(&mut story);
    story.press("q").sees("A call is waiting to be made: q again quits");
    story.press("u").sees(&format!("Taken back: {NUMBER} was not called")).passes(20);
    assert_eq!(calls(&story), 0);
    story.press("C").sees(NUMBER).press("esc").sees_no_more("Call by");
}

#[test]
fn program_that_ends_in_the_hold_calls_nobody() {
    let mut story = story(WIDE);
    confirms(&mut story);
    story.press("q q");
    story.0.ends();
    assert!(story.0.server.get("/user/calls")["data"].as_array().unwrap().is_empty());
}

#[test]
fn only_outbound_assistants_call_and_nobody_in_read_only() {
    let mut story = story(WIDE);
    story.press("G C").sees("Not now: only outbound assistants make calls");
    let mut story = story_with(WIDE, 250, Options { read_only: true, ..Options::default() });
    story.press("C").sees("read-only").sees_no_more("Call by");
}

#[test]
fn second_call_to_a_number_names_the_first_and_asks_again() {
    let mut story = story(WIDE);
    confirms(&mut story);
    story.passes(6).sees("Accepted");
    catches_up(&story, 60);
    story.passes(5).sees("completed");
    confirms(&mut story);
    story.passes(6).sees("Called recently. Call again?").sees("accepted").sees("sandbox");
    picture(&mut story, "calls_again_120x40", &[]);
    assert_eq!(calls(&story), 1);
    story.press("esc").sees_no_more("Called recently");
    story.press("C").sees(NUMBER).press("ctrl-s").sees("Make this call?").passes(1).press("y").passes(6);
    story
        .sees("Called recently")
        .press("y")
        .passes(2)
        .sees("Called recently")
        .press("y")
        .sees("Calling")
        .passes(6)
        .sees("Accepted");
    assert_eq!(calls(&story), 2);
}

#[test]
fn question_about_a_second_call_never_opens_over_a_form() {
    let mut story = story(WIDE);
    confirms(&mut story);
    story.passes(6).sees("Accepted");
    confirms(&mut story);
    story
        .press("C")
        .sees("Call by Reception")
        .passes(6)
        .sees("asks again")
        .sees_no_more("Called recently. Call again?");
    assert_eq!(calls(&story), 1);
}

#[test]
fn call_without_an_answer_is_unknown_made_once_and_looked_up_in_the_outbox() {
    let mut story = story(WIDE);
    story.0.server.fault(&json!({"path": "/user/make_call", "drop": true, "count": 1}));
    confirms(&mut story);
    story.passes(6).sees(&format!("Unknown whether {NUMBER} was called")).passes(60);
    catches_up(&story, 60);
    assert_eq!(calls(&story), 1);
    story.press("3 o").sees("call by Reception").sees("unknown").press("c").sees("certainly made");
    picture(&mut story, "calls_outbox_120x40", &[]);
    story.press("m").sees("Mark this call as made?").passes(1).press("y").sees("marked as made");
    assert_eq!(calls(&story), 1);
}

#[test]
fn call_made_elsewhere_appears_in_the_open_outbox() {
    let mut story = story(WIDE);
    story.press("3 o").sees("No sends yet").press("2");
    confirms(&mut story);
    story.press("3").sees("held · leaves in").passes(6).sees("call by Reception").sees("accepted");
    story.press("s").sees("C in Assistants calls again");
}

#[test]
fn refused_call_comes_back_to_the_form_in_the_services_words() {
    let mut story = story_with(WIDE, 0, Options::default());
    confirms(&mut story);
    story.passes(6).sees("Insufficient balance").sees("Call by Reception").sees(NUMBER).sees("Acme");
    assert_eq!(calls(&story), 0);
}

fn documented(options: Options, outcome: Option<Outcome>) -> Story<Pure> {
    let mut server = Canned::default();
    let accepted = || Outcome::Accepted(Accepted::default());
    server.desk.outcomes.insert("+4930901820".to_owned(), outcome.unwrap_or_else(accepted));
    let mut story = Story(Pure::connected(WIDE, options, server));
    story.press("2").sees("OUTBOUND ASSISTANTS").press("g").sees("▌Reception");
    story
}

/// How often the server was asked how calls go.
fn polls(story: &Story<Pure>) -> usize {
    let asked = |message: &&Message| match message {
        Message::Task(Event::Started { operation, .. }) => format!("{operation:?}").contains("/user/calls"),
        _ => false,
    };
    story.0.happened.iter().filter(asked).count()
}

#[test]
fn server_of_the_documented_api_is_asked_once_how_a_call_goes() {
    let mut story = documented(Options::default(), None);
    for _ in 0..2 {
        confirms(&mut story);
        story.passes(6).sees("Accepted").passes(120);
        story.sees("accepted, progress not known");
        assert_eq!(polls(&story), 1);
    }
    assert_eq!(story.0.server.desk.sent.len(), 2);
}

#[test]
fn number_that_the_service_refuses_is_marked_in_the_form() {
    let words = "Invalid phone number format.".to_owned();
    let refused = Outcome::Refused(Refusal { status: Some(400), code: None, words });
    let mut story = documented(Options::default(), Some(refused));
    confirms(&mut story);
    story.passes(6).sees("Call by Reception").sees("Invalid phone number format.").sees_no_more("was not called");
    // Where it would be in the way, it waits until the form is opened again.
    story.press("esc").sees_no_more("Call by");
    confirms_again(&mut story);
    story.press("8").passes(6).sees("was not called: Invalid phone").press("2 C").sees("Invalid phone number format.");
}

#[test]
fn accepted_call_is_asked_about_by_its_id_first() {
    let accepted = Accepted { call_id: Some(17), ..Accepted::default() };
    let mut story = documented(Options::default(), Some(Outcome::Accepted(accepted)));
    confirms(&mut story);
    story.passes(6).sees("Accepted").passes(120).sees("accepted, progress not known");
    let asked = story.0.happened.iter().filter_map(|message| match message {
        Message::Task(Event::Started { operation, .. }) => Some(format!("{operation:?}")),
        _ => None,
    });
    let asked: Vec<_> = asked.filter(|operation| operation.contains("/user/calls")).collect();
    assert!(asked.len() == 2 && asked[0].contains("/user/calls/17"), "{asked:?}");
}

fn confirms_again(story: &mut Story<Pure>) {
    story.press("C").sees("Call by Reception").press("ctrl-s").sees("Make this call?").passes(1).press("y");
}
