//! The list of calls, against a server in a value: what is requested when, and each state.

use crate::support::calls;
use crate::support::canned::{Canned, Mood, Paging};
use crate::support::pure::Pure;
use crate::support::story::{Clocked as _, Story};
use std::time::Duration;
use switchboard::api::ErrorBody;
use switchboard::client::FailureKind;
use switchboard::tasks::Event;
use switchboard::ui::{Message, Options};

const WIDE: (u16, u16) = (120, 40);
const SMALL: (u16, u16) = (80, 24);

fn picture(story: &mut Story<Pure>, name: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, story.screen().with_looks()));
}

fn server() -> Canned {
    Canned { calls: Some(calls::calls()), ..Canned::default() }
}

fn story_with(size: (u16, u16), options: Options, server: Canned) -> Story<Pure> {
    let mut story = Story(Pure::connected(size, options, server));
    story.press("]");
    story
}

fn story(size: (u16, u16)) -> Story<Pure> {
    story_with(size, Options::default(), server())
}

/// The paths of requests about calls so far.
fn asked(story: &Story<Pure>) -> Vec<String> {
    let started = story.0.happened.iter().filter_map(|message| match message {
        Message::Task(Event::Started { operation, .. }) => Some(operation.path.clone()),
        _ => None,
    });
    started.filter(|path| path.starts_with("/user/calls")).collect()
}

fn failing(status: u16) -> Mood {
    let body = Some(ErrorBody::message("No"));
    Mood::Failing(FailureKind::Status { status, body, retry_after: None })
}

#[test]
fn second_list_of_the_pane_has_the_calls_with_the_names_that_conversations_tell() {
    for (size, at) in [(WIDE, "120x40"), (SMALL, "80x24")] {
        let mut story = story(size);
        story.sees("46 calls").sees("initiated").sees("Maria Souza").sees("+34 619 68 08 70").sees("AI hung up");
        picture(&mut story, &format!("conversations_calls_{at}"));
        story.press("[").sees("120 conversations").press(":").types("calls").press("enter").sees("46 calls");
        // From another pane as well: the list is where it was left.
        story.press("1").sees("46 calls").press("2 1").sees("46 calls").press("]").sees("120 conversations");
    }
}

#[test]
fn nothing_is_requested_before_the_calls_are_on_screen_nor_after() {
    let mut story = Story(Pure::connected(WIDE, Options::default(), server()));
    story.passes(120);
    assert_eq!(asked(&story), Vec::<String>::new());
    story.press("]").sees("46 calls").press("[").sees("120 conversations");
    let before = asked(&story).len();
    story.passes(600);
    assert_eq!(asked(&story).len(), before);
    story.press("]").passes(6);
    assert!(asked(&story).len() > before);
}

#[test]
fn call_is_read_with_its_speakers_its_facts_and_its_json() {
    for (size, at) in [(WIDE, "120x40"), (SMALL, "80x24")] {
        let mut story = story(size);
        story.press("j j j enter").sees("Customer").sees("nobody has called me").sees("0:11");
        picture(&mut story, &format!("conversations_call_{at}"));
        story.press("v").sees("Answered by human").sees("Evaluation");
        picture(&mut story, &format!("conversations_call_facts_{at}"));
        story.press("v").sees("\"client_phone_number\"").press("v").sees("Good afternoon");
        story.press("J").sees("Nothing was said.").sees("Noah Smith").press("esc");
    }
}

#[test]
fn where_nothing_was_said_the_facts_say_so() {
    let mut story = story(WIDE);
    story.press("j j j j").sees("Nothing was said. These are the facts.").press("enter");
    story.press("v").sees("\"transcript\": []").press("v").sees("Nothing was said.");
}

#[test]
fn transcript_is_searched_and_copied() {
    let mut story = story(WIDE);
    story.press("j j enter / ").types("friday").press("enter").sees("1 of 1").press("esc g");
    story.press("y").sees("Message copied");
    assert_eq!(story.0.copied.last().unwrap(), "Good afternoon, Lindqvist & Moreau. How can I help?");
    story.press("Y").sees("Transcript copied");
    assert!(story.0.copied.last().unwrap().starts_with("0:00 Assistant: Good afternoon"));
    assert!(story.0.copied.last().unwrap().contains("\n0:11 Customer: My table"));
    story.press("v y").sees("Id copied");
    assert_eq!(story.0.copied.last().unwrap(), "4998");
    story.press("Y").sees("JSON copied");
    assert!(story.0.copied.last().unwrap().contains("\"crm_id\": \"C-40002\""));
}

#[test]
fn recording_is_opened_once_its_host_is_confirmed_or_its_url_is_copied() {
    for (size, at) in [(WIDE, "120x40"), (SMALL, "80x24")] {
        let mut story = story(size);
        story.press("B").sees("Not now: this call has no recording").press("j j j B");
        story.sees("Open the recording?").sees("files.example.net");
        picture(&mut story, &format!("conversations_call_recording_{at}"));
        assert_eq!(story.0.opened, Vec::<String>::new());
        story.press("esc B").passes(1).press("y").sees_no_more("Open the recording?");
        let url = "https://files.example.net/calls/4997.mp3".to_owned();
        assert_eq!(story.0.opened, std::slice::from_ref(&url));
        story.press("enter B");
        assert_eq!(story.0.opened.len(), 2, "its host is known now");
        story.press("L").sees("The recording's URL copied");
        assert_eq!(story.0.copied.last(), Some(&url));
    }
}

#[test]
fn address_that_no_program_opens_is_copied() {
    let mut story = story(WIDE);
    let (url, why) = ("https://files.example.net/a.mp3".to_owned(), "xdg-open cannot be started".to_owned());
    story.0.tell(Message::NotOpened { url: url.clone(), why });
    story.sees("could not be opened (xdg-open cannot be started). It was copied");
    assert_eq!(story.0.copied, [url]);
}

#[test]
fn recording_that_is_no_web_address_is_not_opened() {
    let mut server = server();
    server.calls.as_mut().unwrap()[0].recording_url = Some("file:///etc/passwd".to_owned()).into();
    let mut story = story_with(WIDE, Options::default(), server);
    story.press("B").sees("Not opened: file:///etc/passwd is no web address");
    assert_eq!(story.0.opened, Vec::<String>::new());
}

#[test]
fn server_filters_by_status_type_number_assistant_and_days() {
    let mut story = story(WIDE);
    story.press("f").sees("Filter calls").types("no").press("enter").sees("status: no answer").sees("5 calls");
    assert!(asked(&story).last().unwrap().contains("status=no-answer"));
    story.press("x f tab").types("w").press("enter").sees("type: web").press("x f tab tab").types("maria");
    story.sees("Maria Souza").press("down enter").sees("+55 11 91234-5678");
    picture(&mut story, "conversations_calls_filter_120x40");
    story.press("ctrl-s").sees("number: +55 11 91234-5678").sees("10 calls");
    assert!(asked(&story).iter().any(|path| path.contains("phone_number=%2B5511912345678")));
    story.press("f ctrl-u shift-tab shift-tab").types("sales").press("tab").types("-1d").press("enter");
    story.sees("assistant: Sales desk").sees("began: yesterday to today");
    assert!(asked(&story).iter().any(|path| path.contains("assistant_id=3&date_from=2026-11-19&date_to=2026-11-21")));
    story.press("f").sees("Sales desk").press("esc x").sees("46 calls");
}

#[test]
fn filter_that_no_call_passes_says_how_to_change_it() {
    let mut story = story(SMALL);
    story.press("f tab tab").types("+4915112345678").press("enter").sees("No call matches these filters.");
    picture(&mut story, "conversations_calls_filtered_empty_80x24");
    story.press("f tab tab ctrl-u").types("12").press("tab").sees("needs a + and the country code").press("esc");
    // What was typed is there again.
    story.press("f").sees("customer   12");
}

#[test]
fn narrowing_and_sorting_work_on_the_loaded_rows() {
    let mut story = story(WIDE);
    story.press("/").types("busy").sees("loaded rows").sees_no_more("no answer").press("enter esc");
    story.press("/").types("619").sees("+34 619 68 08 70").sees_no_more("Maria").press("esc");
    story.press("o o").sees("sorted by status").press("=");
    story.press("o o o o").sees("sorted by talk").press("o").sees("sorted by cost").press("O o").sees("server's order");
}

#[test]
fn server_without_calls_says_so_and_is_not_polled() {
    for (size, at) in [(WIDE, "120x40"), (SMALL, "80x24")] {
        let mut story = story_with(size, Options::default(), Canned::default());
        story.sees("This server does not list calls.").passes(600);
        picture(&mut story, &format!("conversations_calls_not_offered_{at}"));
        story.press("[ ]").sees("This server does not list calls.");
        assert_eq!(asked(&story).len(), 1);
        story.press("f").sees("Not now: this server does not list calls");
        story.press("r");
        assert_eq!(asked(&story).len(), 2);
        // Another server may list them.
        story.0.server.calls = Some(calls::calls());
        story.0.connect();
        story.sees("46 calls");
    }
}

#[test]
fn states_without_rows_are_told_in_words() {
    let nobody = Canned { calls: Some(Vec::new()), ..Canned::default() };
    let mut story = story_with(SMALL, Options::default(), nobody);
    story.sees("There are no calls yet.").press("enter").sees("Not now: no call is selected");

    for (status, says) in [(401, "token"), (503, "Next try in"), (500, "Calls failed to load:")] {
        let mut story = Story(Pure::connected(SMALL, Options::default(), server()));
        story.0.server.mood = failing(status);
        story.press("]").sees("Calls failed to load:").sees(says);
        picture(&mut story, &format!("conversations_calls_failed_{status}_80x24"));
        let before = asked(&story).len();
        story.passes(120);
        assert_eq!(asked(&story).len() == before, status == 401, "{status}");
        story.0.server.mood = Mood::Well;
        story.press("r").sees("46 calls");
    }

    let mut story = Story(Pure::connected(SMALL, Options::default(), server()));
    story.0.server.mood = Mood::Silent;
    story.press("]").0.pass(Duration::from_secs(1));
    picture(&mut story, "conversations_calls_loading_80x24");
    story.0.server.mood = Mood::Well;
    story.0.answers();
    story.sees("46 calls");
}

#[test]
fn pages_are_turned_by_number_and_by_cursor() {
    let mut story = story(SMALL);
    story.press("- -").sees("15 rows per page").sees("page 1 of 4").press("n").sees("page 2 of 4").press("N");
    story.sees("page 4 of 4").press("#").types("1").press("enter").sees("page 1 of 4").press("+").sees("25 rows");
    let server = Canned { paging: Paging::Cursor, ..server() };
    let mut story = story_with(SMALL, Options::default(), server);
    story
        .press("-")
        .sees("more follow")
        .press("n")
        .sees("the last page")
        .press("#")
        .sees("Not now: this server pages by cursor");
    assert!(asked(&story).iter().any(|path| path.contains("cursor=2")));
}

#[test]
fn call_under_way_is_followed_in_row_and_inspector_and_no_longer_than_that() {
    let mut story = story(WIDE);
    story.press("space").sees("Automatic refresh paused");
    let by_id = |story: &Story<Pure>| asked(story).iter().filter(|path| path.contains("/5000")).count();
    story.passes(3);
    assert_eq!(by_id(&story), 1);
    for (after, status) in [(5, "ringing"), (5, "in-progress"), (5, "completed")] {
        story.0.server.calls.as_mut().unwrap()[0] = calls::call(0, status);
        story.passes(after);
        let words = status.replace('-', " ");
        let screen = story.screen();
        let shown = screen.lines().iter().filter(|line| line.contains(&format!(" {words}"))).count();
        assert!(screen.lines()[6].matches(&words).count() == 1 && shown >= 2, "{words}");
    }
    story.sees("Good afternoon");
    let done = by_id(&story);
    story.passes(600);
    assert_eq!(by_id(&story), done, "it is over");
    // Of the others only the selected one is followed, and none while nobody looks.
    story.press("j").passes(3);
    assert!(asked(&story).iter().any(|path| path.contains("/4999")));
    let before = asked(&story).len();
    story.press("2").passes(600);
    assert_eq!(asked(&story).len(), before);
}

#[test]
fn call_under_way_that_cannot_be_asked_about_is_not_asked_again() {
    let mut story = story(WIDE);
    story.press("space");
    story.0.server.calls.as_mut().unwrap().remove(0);
    story.passes(120);
    assert_eq!(asked(&story).iter().filter(|path| path.contains("/5000")).count(), 1);
}

#[test]
fn transcript_that_the_list_leaves_out_is_fetched_once_the_selection_rests() {
    let mut story = story_with(WIDE, Options::default(), Canned { lists_words: false, ..server() });
    story.press("space j j j").sees("The transcript is loading.");
    story.0.pass(Duration::from_millis(150));
    story.sees("Good afternoon");
    let single = |story: &Story<Pure>| asked(story).iter().filter(|path| path.contains("/4997")).count();
    assert_eq!(single(&story), 1);
    story.press("space").passes(60).sees("Good afternoon");
    // The call has not changed since.
    assert!(single(&story) <= 13, "only while it is under way: {}", single(&story));
    for _ in 0..5 {
        story.press("j");
    }
    let before = asked(&story).len();
    story.0.pass(Duration::from_millis(200));
    assert!(asked(&story).len() <= before + 1, "those between are not fetched");
}

#[test]
fn call_is_deleted_after_a_question_and_not_while_read_only() {
    let mut story = story(WIDE);
    story.press("j j j j j d").sees("Delete call 4995?").sees("cannot be undone.");
    picture(&mut story, "conversations_call_delete_120x40");
    story.passes(1).press("y").sees("Deleted: call 4995").sees("45 calls");
    story.press("g d").sees("It is under way").press("esc").sees_no_more("Delete call");

    let options = Options { read_only: true, ..Options::default() };
    let mut story = story_with(SMALL, options, server());
    story.sees("46 calls").press("d").sees("read-only").press("enter").sees("initiated");
}

#[test]
fn costs_as_numbers_and_transcripts_of_another_form_are_not_lost() {
    let mut server = server();
    let call = &mut server.calls.as_mut().unwrap()[0];
    let text = r#"{"id": 1, "status": "completed", "duration": "75", "total_cost": 0.25, "carrier_cost": 0.0313,
                   "transcript": "bot: Hello", "client_phone_number": null, "created_at": "2026-11-21T12:00:00Z"}"#;
    *call = serde_json::from_str(text).unwrap();
    let mut story = story_with(WIDE, Options::default(), server);
    story.sees("46 calls").sees("1:15").sees("$0.2500, of it carrier $0.0313").sees("The transcript cannot be read.");
}

#[test]
fn hostile_texts_of_a_call_harm_neither_terminal_nor_layout() {
    let mut server = server();
    let text = "\u{1b}[2J\u{1b}]0;owned\u{7}red \u{202e}gpj.exe\r\nnext\u{0}".to_owned();
    let call = &mut server.calls.as_mut().unwrap()[0];
    call.client_phone_number = text.clone().into();
    call.assistant_name = text.clone().into();
    call.total_cost = text.clone().into();
    call.status = switchboard::api::CallStatus::from(text.as_str()).into();
    call.answered_by = Some(text.clone()).into();
    call.recording_url = Some(text).into();
    for size in [WIDE, SMALL] {
        let mut story = story_with(size, Options::default(), server.clone());
        story.sees("46 calls").press("enter").sees("Answered by");
        let screen = story.screen();
        assert!(screen.lines().iter().all(|line| !line.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{0}'])));
    }
}
