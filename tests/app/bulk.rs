//! One template to many, told as stories.

use super::scenes::{Scene, told};
use crate::support::canned::{Canned, noon};
use crate::support::pure::Pure;
use crate::support::story::Story;
use std::path::PathBuf;
use switchboard::api::ErrorCode;
use switchboard::messaging::{Outcome, Refusal};
use switchboard::records::Again;
use switchboard::tasks::Sending;
use switchboard::ui::Options;

const LIST: &str = "phone,order\n+14155550101,A1\n+14155550102,A2\n12,A3\n+14155550101,A4\n+14155550103,A5\n";

fn story(list: &str, change: impl FnOnce(&mut Canned)) -> Story<Pure> {
    let mut server = Canned::default();
    server.desk.files.insert(PathBuf::from("list.csv"), list.as_bytes().to_vec());
    change(&mut server);
    let mut story = Story(Pure::connected((120, 40), Options::default(), server));
    story.press("3 shift-tab j").sees("Your order").press("b").sees("Many recipients");
    story
}

fn lines(sent: &[Sending]) -> Vec<u64> {
    sent.iter().filter_map(|sending| sending.intent.row.as_ref().map(|row| row.line)).collect()
}

#[test]
fn a_file_is_checked_confirmed_held_and_sent_row_by_row() {
    let mut story = story(LIST, |_| {});
    story.types("gone.csv").press("enter").sees("cannot be read").press("ctrl-u").types("list.csv").press("enter");
    story.sees("3 rows are good").sees("2 rows cannot be sent; 1 of them repeats").sees("Many recipients 3 of 5");
    story.sees("the same number as line 2").sees("3 messages: 0.09 credits from the balance (241.20 credits)");
    story.press("enter").sees("Send 3 messages?").press("y");
    assert!(story.0.server.desk.sent.is_empty());
    story
        .sees("Send 3 messages?")
        .passes(1)
        .sees("too early: y again sends")
        .press("y")
        .sees("Starts in 5 s · u takes it back")
        .passes(4);
    assert!(story.0.server.desk.sent.is_empty(), "it can still be taken back");
    story.passes(3).sees("3 of 3").sees("done").sees("The results are in list.results.csv");
    assert_eq!(lines(&story.0.server.desk.sent), [2, 3, 6]);
}

#[test]
fn where_the_outbox_may_have_forgotten_something_a_file_is_sent_only_to_all() {
    let mut story = story(LIST, |server| server.desk.forgotten = Some(noon()));
    story.types("list.csv").press("enter").sees("it cannot tell who was sent this (a sends to all)").press("enter");
    story.sees("Not now: the outbox cannot tell who was sent this before").sees_no_more("Send 3 messages?");
    story
        .press("a")
        .sees("all are sent, though the outbox cannot tell who was sent this template before (a skips them)");
    story.press("enter").sees("Send 3 messages?").passes(1).press("y").sees("Starts in").passes(9).sees("3 of 3");
    assert!(story.0.server.desk.sent.iter().all(|sending| matches!(sending.again, Again::Before(_))));
}

#[test]
fn what_is_held_is_taken_back_and_enter_is_no_yes() {
    let mut story = story(LIST, |_| {});
    story.types("list.csv").press("enter enter").passes(1).press("enter").sees_no_more("Send 3 messages?");
    story.press("enter").passes(1).press("y").sees("Starts in").press("u").sees("Taken back").passes(20);
    assert!(story.0.server.desk.sent.is_empty());
}

#[test]
fn held_batch_is_taken_back_from_any_pane() {
    for away in ["esc", "1", "esc 8"] {
        let mut story = story(LIST, |_| {});
        story.types("list.csv").press("enter enter").passes(1).press("y").press(away).sees("batch about to start");
        story.press("u").sees("Taken back: the batch was not started").sees_no_more("batch about to start").passes(20);
        assert!(story.0.server.desk.sent.is_empty(), "{away}");
    }
}

#[test]
fn hold_goes_on_while_the_agent_is_elsewhere_but_not_while_the_program_is_stopped() {
    let mut story = story(LIST, |_| {});
    story.types("list.csv").press("enter enter").passes(1).press("y").sees("u take back").press("esc");
    story.sees("batch about to start").press("8").passes(6).sees("3 accepted, 0 refused");
    assert_eq!(lines(&story.0.server.desk.sent), [2, 3, 6]);
    let mut story = self::story(LIST, |_| {});
    story.types("list.csv").press("enter enter").passes(1).press("y q").sees("A batch is about to start");
    story.press("ctrl-z").sees("Taken back: the program was stopped").passes(20);
    assert!(story.0.server.desk.sent.is_empty());
}

#[test]
fn tab_completes_the_path_and_keys_are_those_of_the_keymap() {
    let mut story = story(LIST, |_| {});
    story.sees("list.csv").types("l").press("tab").sees("tab complete").press("enter").sees("3 rows are good");
    story.press("?").sees("Choose the columns again").press("esc m").sees("the first row of the file");
    story.press("esc").sees("File").press("ctrl-u").types("lost").press("tab enter").sees("cannot be read");
}

#[test]
fn rows_of_an_earlier_run_are_not_asked_again_and_unknown_ones_are_listed() {
    let unknown = Outcome::Unknown { why: "the connection broke".to_owned() };
    let mut story = story(LIST, |server| {
        server.desk.outcomes.insert("+14155550102".to_owned(), unknown);
    });
    story.types("list.csv").press("enter enter").passes(1).press("y").passes(5).press("x x").passes(2);
    let first = lines(&story.0.server.desk.sent);
    assert!(first.len() < 3, "cancelled after {first:?}");
    story.sees("cancelled").press("esc esc b").types("list.csv").press("enter").sees("sent already").press("enter");
    story.passes(1).press("y").passes(9).sees("done").sees("1 unknown").sees("list.results-2.csv");
    let mut all = lines(&story.0.server.desk.sent);
    all.sort_unstable();
    assert_eq!(all, [2, 3, 6], "each row was asked once");
}

#[test]
fn sending_to_all_again_names_in_the_dialog_what_is_repeated() {
    let unknown = Outcome::Unknown { why: "the connection broke".to_owned() };
    let mut story = story(LIST, |server| {
        server.desk.outcomes.insert("+14155550102".to_owned(), unknown);
    });
    story.types("list.csv").press("enter enter").sees_no_more("sent before").passes(1).press("y").passes(9);
    story.sees("1 unknown").press("esc esc b").types("list.csv").press("enter").sees("sent already").press("a enter");
    story.sees("Send 3 messages?").sees("2 rows sent before, 1 row of unknown outcome");
}

#[test]
fn who_has_got_it_out_of_another_file_is_skipped_unless_asked_for() {
    let mut story = story("phone,order\n+14155550101,A1\n", |server| {
        server.desk.files.insert(PathBuf::from("mended.csv"), LIST.as_bytes().to_vec());
    });
    story.types("list.csv").press("enter enter").passes(1).press("y").passes(9).sees("done").press("esc b");
    story.types("mended.csv").press("enter").sees("1 recipient was sent this template from another file");
    story
        .sees("2 messages: 0.06 credits")
        .press("a")
        .sees("3 messages: 0.09 credits")
        .sees("once more to those who were sent");
    story.press("a enter").sees("Send 2 messages?").passes(1).press("y").passes(9).sees("2 of 2").sees("done");
    let to: Vec<_> = story.0.server.desk.sent.iter().map(|sending| sending.intent.phone.as_str()).collect();
    assert_eq!(to, ["+14155550101", "+14155550102", "+14155550103"]);
    let results = &story.0.server.desk.files[&PathBuf::from("mended.results.csv")];
    assert!(String::from_utf8_lossy(results).contains("\n2,+14155550101,,skipped,\"sent before, on"));
}

#[test]
fn a_paused_batch_waits_and_quitting_asks_first() {
    let mut story = story(LIST, |_| {});
    story
        .types("list.csv")
        .press("enter enter")
        .passes(1)
        .press("y")
        .passes(5)
        .press("space")
        .sees("paused")
        .passes(60);
    assert!(story.0.server.desk.sent.len() < 3);
    story.press("q").sees("A batch is being sent");
    assert!(!story.0.ended);
    story.passes(9).press("esc b space").passes(3).sees("done").press("q");
    assert!(story.0.ended);
}

#[test]
fn columns_that_are_not_found_are_chosen_by_hand() {
    let mut story = story("who,what\n+14155550101,A1\n", |_| {});
    story
        .types("list.csv")
        .press("enter")
        .sees("Which column of the file holds which value?")
        .press("right enter right right enter");
    story.sees("1 row is good").sees("Your order A1 is on its way.");
}

#[test]
fn a_column_without_a_use_and_the_text_of_the_first_are_told_before_it_is_sent() {
    let mut story = story("phone,order,code\n+14155550101,A1,4321\n", |_| {});
    story.types("list.csv").press("enter").sees("not used      code").press("enter");
    story.sees("Send 1 message?").sees("not used      code").sees("reads         Your order A1 is on its way.");
}

#[test]
fn a_batch_that_was_killed_is_offered_with_its_file_sender_template_and_columns() {
    let mut story = story("who,what\n+14155550101,A1\n+14155550102,A2\n+14155550103,A3\n", |_| {});
    story.types("list.csv").press("enter right enter right right enter").sees("3 rows are good");
    story.press("enter").passes(1).press("y").passes(5);
    let server = story.0.server.clone();
    let first = lines(&server.desk.sent);
    assert!((1..3).contains(&first.len()), "killed after {first:?}");
    let mut next = Story(Pure::connected((120, 40), Options::default(), server));
    next.press("3 shift-tab b").sees("appointment_reminder  Acme").sees("list.csv was interrupted");
    next.sees("order_update, started").press("ctrl-r").sees("order_update  Acme Support").sees("sent already");
    next.press("enter").passes(1).press("y").passes(9).sees("3 of 3").press("esc b").sees_no_more("was interrupted");
    let mut all = lines(&next.0.server.desk.sent);
    all.sort_unstable();
    assert_eq!(all, [2, 3, 4], "each row was asked once");
}

#[test]
fn an_unknown_row_is_told_until_it_is_read_and_found_alone_in_the_outbox() {
    let unknown = Outcome::Unknown { why: "the connection broke".to_owned() };
    let mut story = story(LIST, |server| {
        server.desk.outcomes.insert("+14155550102".to_owned(), unknown);
    });
    story.types("list.csv").press("enter enter").passes(1).press("y").passes(9).sees("1 unknown (o shows them)");
    story.sees("! read  esc dismiss").press("o").sees("3 sends · 1 unknown").sees("+1 415-555-0103");
    story.sees("! read").press("f").sees("the 1 unknown of 3 sends");
    story.sees_no_more("+1 415-555-0103").sees("+1 415-555-0102").press("f").sees("+1 415-555-0103");
}

#[test]
fn odd_numbers_and_numbers_of_spreadsheets_are_told_before_anything_is_sent() {
    let list = "phone,order\n+14155550101,A1\n+1415555010,A2\n+49 30 901820.0,A3\n";
    let mut story = story(list, |_| {});
    story.types("list.csv").press("enter").sees("2 rows are good").sees("1 row cannot be sent");
    story.sees("1 number looks wrong: line 3").sees("can be sent: no number of North America has this length");
    story.sees("phone: looks like +49 30 901820, written as a decimal number");
}

#[test]
fn another_text_of_the_template_is_told_before_the_rest_of_a_file_is_sent() {
    let mut story = story(LIST, |_| {});
    story.types("list.csv").press("enter enter").passes(1).press("y").passes(5);
    let mut server = story.0.server.clone();
    assert!((1..3).contains(&server.desk.sent.len()));
    let other = "The template's text has changed since this file was last sent";
    let same = Story(Pure::connected((120, 40), Options::default(), server.clone()));
    let resume = |mut story: Story<Pure>| {
        story.press("3 shift-tab b").sees("list.csv was interrupted").press("ctrl-r").sees("sent already");
        story
    };
    resume(same).sees_no_more(other);
    server.desk.texts.values_mut().for_each(|text| *text = "Your order {{1}} is late.".to_owned());
    let mut changed = resume(Story(Pure::connected((120, 40), Options::default(), server)));
    changed.sees(other).press("enter").sees("Send ").sees(other).passes(1).press("y").passes(9).sees("3 of 3");
}

#[test]
fn every_message_of_the_dry_run_is_read_line_by_line() {
    let mut story = story(LIST, |_| {});
    story.types("list.csv").press("enter").sees("line 2      +1 415-555-0101").sees("Your order A1 is on its way.");
    story.press("j").sees("line 3      +1 415-555-0102").sees("Your order A2 is on its way.").press("j");
    story.sees("line 6      +1 415-555-0103").sees("Your order A5 is on its way.").sees("5 of 5").press("g");
    story
        .sees("line 4      12")
        .sees("needs a + and the country code")
        .sees_no_more("is on its way")
        .press("k j j j")
        .sees("Your order A2 is");
    story.press("k").sees("Your order A1 is").press("enter").sees("Send 3 messages?").sees("first to").sees("order A1");
}

#[test]
fn rows_that_were_sent_before_are_told_from_those_that_are_left() {
    let mut story = story("phone,order\n+14155550101,A1\n", |server| {
        server.desk.files.insert(PathBuf::from("mended.csv"), LIST.as_bytes().to_vec());
    });
    story.types("list.csv").press("enter enter").passes(1).press("y").passes(9).sees("done").press("esc b");
    story.types("mended.csv").press("enter").sees("sent before: skipped").sees("line 3      +1 415-555-0102");
    story.press("k").sees("line 2      +1 415-555-0101").sees("status      sent before: skipped").press("a");
    story.sees_no_more("sent before: skipped").sees("line 2      +1 415-555-0101").sees("status      ready");
}

#[test]
fn files_of_earlier_batches_are_suggested_first() {
    let mut story = story(LIST, |server| {
        server.desk.recent = vec![PathBuf::from("/lists/may.csv"), PathBuf::from("/lists/april.csv")];
        server.desk.files.insert(PathBuf::from("/lists/may.csv"), LIST.as_bytes().to_vec());
    });
    story.sees("/lists/may.csv    sent before").sees("/lists/april.csv  sent before").sees("list.csv");
    story.types("l").sees_no_more("sent before").press("ctrl-u").sees("sent before").press("down enter enter");
    story.sees("3 rows are good");
}

#[test]
fn a_file_of_excel_is_read_and_one_without_a_header_is_refused() {
    let mut story = story("sep=;\r\nphone;order\r\n+14155550101;A1\r\n", |server| {
        let bare = "+14155550101,A1\n+14155550102,A2\n";
        server.desk.files.insert(PathBuf::from("bare.csv"), bare.as_bytes().to_vec());
    });
    story.types("list.csv").press("enter").sees("1 row is good").sees("line 3      +1 415-555-0101").press("esc");
    story.press("ctrl-u").types("bare.csv").press("enter").sees("line 1 looks like data: the header is missing");
}

#[test]
fn an_interrupted_batch_is_told_at_the_start_with_the_keys_that_lead_to_it() {
    let mut story = story(LIST, |_| {});
    story.types("list.csv").press("enter enter").passes(1).press("y").passes(5);
    let server = story.0.server.clone();
    let left = 3 - server.desk.sent.len();
    let mut next = Story(Pure::connected((120, 40), Options::default(), server.clone()));
    next.sees(&format!("The batch of list.csv was interrupted: {left} row")).sees("left of 3. 3, then b shows it.");
    next.press("3").sees("appointment_reminder").press("b").sees("list.csv was interrupted").press("ctrl-r");
    next.sees("sent already");
    // Where all of it was sent, or nothing was begun, nothing is told.
    story.passes(9).sees("done");
    for server in [story.0.server.clone(), Canned::default()] {
        Story(Pure::connected((120, 40), Options::default(), server)).sees("page 1 of 3").sees_no_more("interrupted");
    }
}

#[test]
fn what_a_batch_has_sent_is_said_in_the_outbox() {
    let mut story = story(LIST, |_| {});
    story.types("list.csv").press("enter enter").passes(1).press("y").passes(9).sees("done").press("o");
    story.sees("order_update · Your").sees("text          Your order A5 is on its way.");
}

#[test]
fn a_row_that_meets_what_concerns_all_is_not_sent_and_leaves_when_the_batch_goes_on() {
    let refusal =
        Refusal { status: Some(422), code: Some(ErrorCode::SenderOffline), words: "The sender is offline.".to_owned() };
    let mut story = story(LIST, |server| {
        server.desk.outcomes.insert("+14155550101".to_owned(), Outcome::NotSent(refusal));
    });
    story.types("list.csv").press("enter enter").passes(1).press("y").passes(9);
    story
        .sees("paused by itself: not sent · the sender is offline")
        .sees("0 accepted")
        .sees("0 refused")
        .sees("3 left");
    story
        .sees("not sent · the sender is offline")
        .press("o")
        .sees("not sent")
        .sees("The sender is offline")
        .press("esc esc");
    story.0.server.desk.outcomes.clear();
    story.press("b space").passes(9).sees("done").sees("3 accepted").sees("0 refused");
    assert_eq!(lines(&story.0.server.desk.sent), [2, 3, 6, 2], "the others first");
}

#[test]
fn a_balance_that_is_too_low_for_all_is_told_before_the_first_is_sent() {
    let rows: Vec<_> = (0..9000).map(|at| format!("+1415555{at:04},A{at}\n")).collect();
    let mut story = story(&format!("phone,order\n{}", rows.concat()), |_| {});
    story
        .types("list.csv")
        .press("enter")
        .sees("9,000 messages: 270.00 credits from the balance (241.20 credits), which is");
}

fn on(size: (u16, u16), list: &str, tell: fn(&mut Story<Pure>)) -> Pure {
    let mut server = Canned::default();
    server.desk.files.insert(PathBuf::from("list.csv"), list.as_bytes().to_vec());
    let unknown = Outcome::Unknown { why: "the connection broke".to_owned() };
    server.desk.outcomes.insert("+14155550102".to_owned(), unknown);
    let mut stage = Story(Pure::connected(size, Options::default(), server));
    stage.press("3 shift-tab j b").types("list.csv");
    told(stage.0, tell)
}

pub const SCENES: &[Scene] = &[
    ("bulk 1 file", |size| on(size, LIST, |_| {})),
    ("bulk 2 columns", |size| {
        on(size, "who,what\n+14155550101,A1\n", |story| {
            story.press("enter right enter");
        })
    }),
    ("bulk 3 dry run", |size| {
        on(size, LIST, |story| {
            story.press("enter");
        })
    }),
    ("bulk 3 dry run of a bad row", |size| {
        on(size, LIST, |story| {
            story.press("enter g");
        })
    }),
    ("bulk 4 confirm", |size| {
        on(size, LIST, |story| {
            story.press("enter enter");
        })
    }),
    ("bulk 5 under way", |size| {
        on(size, LIST, |story| {
            story.press("enter enter").passes(1).press("y").passes(5);
        })
    }),
    ("bulk 6 done", |size| {
        on(size, LIST, |story| {
            story.press("enter enter").passes(1).press("y").passes(9);
        })
    }),
];
