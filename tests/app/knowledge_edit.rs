//! The forms of Knowledge: name and description, websites, drafts, conflicts and outcomes, against the real service.

use super::knowledge::{WORLD, confirm, documented, opened, story, story_with};
use super::snapshots::picture;
use crate::support::inside::{Inside, service_clock};
use crate::support::server::Server;
use crate::support::story::Story;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;
use switchboard::records::Records;
use switchboard::ui::Options;

/// Of every kind that terminals find hard: CJK, a joined emoji, a combining mark.
const HARD: &str = "受付 👩‍🔧 Cafe\u{301}";
const DOCUMENTS: &str = "/user/knowledgebases/1/documents";

fn names(story: &Story<Inside>, path: &str) -> Vec<Value> {
    story.0.server.get(path)["data"].as_array().unwrap().iter().map(|row| row["name"].clone()).collect()
}

#[test]
fn knowledgebase_is_created_key_by_key() {
    let mut story = story((120, 40));
    story.press("c").sees("CREATE A KNOWLEDGEBASE").press("ctrl-s").sees("This field is required");
    story.types(HARD).press("tab").types("Für die 受付").sees("10 / 255").press("ctrl-z").types(" 受付 zuerst");
    picture(&mut story, "knowledge_create_120x40", &[]);
    story.press("ctrl-s").sees(&format!("Created: {HARD}")).sees("3 of 3").sees("Für die 受付 zuerst");
    assert_eq!(story.0.server.get("/user/knowledgebases/4")["data"]["name"], HARD);
    story.press("c").sees("CREATE A KNOWLEDGEBASE").sees_no_more("draft from");
}

#[test]
fn only_what_changed_is_saved_after_it_was_shown() {
    for (size, at) in [((120, 40), "120x40"), ((80, 24), "80x24")] {
        let mut story = story(size);
        story.press("e").sees("EDIT Customer handbook").press("ctrl-s").sees("Nothing has changed");
        story.press("end").types(" 2026");
        picture(&mut story, &format!("knowledge_edit_{at}"), &[]);
        story.press("ctrl-s").sees("Save Customer handbook 2026?").sees("Customer handbook → Customer handbook 2026");
        picture(&mut story, &format!("knowledge_save_{at}"), &[]);
        confirm(&mut story);
        story.sees("Saved: Customer handbook 2026").sees("What every assistant may tell a customer");
    }
}

#[test]
fn document_is_renamed_and_its_description_is_cleared() {
    let mut story = story((120, 40));
    story.0.server.request(&format!("PUT /api{DOCUMENTS}/1"), &json!({"description": "Since May"}));
    story.press("r").passes(1).press("enter").sees("Since May").press("e").sees("EDIT Opening hours");
    story.press("ctrl-u").types("Hours").press("tab ctrl-u ctrl-s").sees("Save Hours?").sees("[-Since May-]");
    confirm(&mut story);
    story.sees("Saved: Hours").sees("DOCUMENTS OF");
    let saved = story.0.server.get(&format!("{DOCUMENTS}/1"));
    assert_eq!((&saved["data"]["name"], &saved["data"]["description"]), (&json!("Hours"), &Value::Null));
}

#[test]
fn what_somebody_else_changed_meanwhile_is_asked_about() {
    let mut story = story((120, 40));
    story.press("e").sees("EDIT Customer handbook").press("end").types("!");
    let theirs = json!({"name": "Handbook", "description": "For everybody"});
    story.0.server.request("PUT /api/user/knowledgebases/1", &theirs);
    story.press("ctrl-s").sees("Somebody else has changed it").sees("Customer handbook → Handbook");
    story.sees("yours replaces it, as below").sees("kept: not changed in this form");
    picture(&mut story, "knowledge_conflict_120x40", &[]);
    confirm(&mut story);
    story.sees("Saved: Customer handbook!").sees("For everybody");
}

#[test]
fn what_was_deleted_meanwhile_is_not_saved_and_nothing_typed_is_lost() {
    let mut story = story((120, 40));
    story.press("e").sees("EDIT Customer handbook").press("end").types("!");
    story.0.server.request("DELETE /api/user/knowledgebases/1", &json!({}));
    story.press("ctrl-s").sees("it does not exist any more").sees("EDIT Customer handbook").sees("Customer handbook!");
}

/// The form of a website, filled in.
fn website(story: &mut Story<Inside>, name: &str) {
    story.press("enter").sees("DOCUMENTS OF").press("c").sees("ADD A WEBSITE TO Customer handbook");
    story.0.settle();
    story.types(name).press("tab tab").types("https://example.com/shop");
}

#[test]
fn website_is_added_and_processed() {
    for (size, at) in [((120, 40), "120x40"), ((80, 24), "80x24")] {
        let mut story = story(size);
        website(&mut story, "Shop");
        story.press("tab ctrl-n").types("example.com").press("ctrl-s").sees("must be a valid URL");
        story.press("ctrl-u").types("https://example.com/faq").press("tab").types("51").sees("must be between 1");
        picture(&mut story, &format!("knowledge_website_{at}"), &[]);
        story.press("backspace ctrl-s").sees("Created: Shop").sees("◐ processing").sees("3 of 3");
        let made = &story.0.server.get(DOCUMENTS)["data"][2];
        assert_eq!((&made["name"], &made["type"]), (&json!("Shop"), &json!("website")));
    }
}

#[test]
fn lost_answer_is_looked_up_before_another_try() {
    let mut story = story((120, 40));
    website(&mut story, "Shop");
    story.0.server.fault(&json!({"path": DOCUMENTS, "drop": true, "count": 1}));
    // It was created, and only the answer was lost.
    story.press("ctrl-s").sees("It was created after all: Shop").sees("◐ processing");
    story.press("c").sees("ADD A WEBSITE").sees_no_more("draft from");
    assert_eq!(names(&story, DOCUMENTS).iter().filter(|name| **name == "Shop").count(), 1);
}

#[test]
fn what_was_not_created_is_offered_again_with_what_was_typed() {
    let mut story = story((120, 40));
    website(&mut story, "Shop");
    story.0.server.fault(&json!({"path": DOCUMENTS, "status": 503, "count": 2}));
    story.press("ctrl-s").sees("Unknown whether the document was created").press("c");
    story.sees("Not now: the outcome of the last try is not known").press("r");
    story.sees("Shop is not in the list").press("c").sees("draft from").sees("example.com/shop");
    story.press("ctrl-s").sees("Created: Shop");
}

#[test]
fn knowledgebase_whose_answer_was_lost_is_found_in_the_list() {
    let mut story = story((120, 40));
    story.press("c").sees("CREATE A KNOWLEDGEBASE").types("Prices");
    story.0.server.fault(&json!({"path": "/user/knowledgebases", "drop": true, "count": 1}));
    story.press("ctrl-s").sees("It was created after all: Prices").sees("3 of 3");
    assert_eq!(names(&story, "/user/knowledgebases").len(), 3);
}

#[test]
fn change_whose_answer_was_lost_is_not_sent_again() {
    let mut story = story((120, 40));
    story.press("e").sees("EDIT Customer handbook").press("end").types("!").press("ctrl-s").sees("Save Customer");
    story.0.server.fault(&json!({"path": "/user/knowledgebases/1", "drop": true, "count": 1}));
    confirm(&mut story);
    story.sees("Unknown whether the knowledgebase was saved").sees("EDIT Customer handbook");
    story.press("ctrl-s").sees("It is saved already").sees("KNOWLEDGEBASES").sees("Customer handbook!");
}

#[test]
fn refusal_of_no_field_is_said_and_nothing_typed_is_lost() {
    let mut story = story((120, 40));
    website(&mut story, "Shop");
    story.0.server.fault(&json!({"path": DOCUMENTS, "status": 422, "count": 1}));
    story.press("ctrl-s").sees("The document was not created: the server says").sees("ADD A WEBSITE").sees("Shop");
    story.press("ctrl-s").sees("Created: Shop");
}

#[test]
fn server_without_an_operation_says_so_once() {
    let mut story = story((120, 40));
    website(&mut story, "Shop");
    story.0.server.fault(&json!({"path": DOCUMENTS, "status": 405, "count": 1}));
    story.press("ctrl-s").sees("The document was not created").sees("ADD A WEBSITE").press("esc esc").sees("DOCUMENTS");
    story.press("c").sees("Not now: the server cannot add documents");
}

#[test]
fn refused_fields_are_named_and_a_refused_token_loses_nothing() {
    let mut story = story((120, 40));
    story.press("c").sees("CREATE A KNOWLEDGEBASE").pastes(&"é".repeat(256)).sees("greater than 255");
    story.press("ctrl-u").types("Prices");
    story.0.server.fault(&json!({"path": "/user/knowledgebases", "status": 401, "count": 1}));
    story.press("ctrl-s").sees("does not accept the token").sees("CREATE A KNOWLEDGEBASE").sees("Prices");
    story.press("ctrl-s").sees("Created: Prices");
}

#[test]
fn documented_api_cannot_tell_what_somebody_else_changed() {
    let mut story = documented(Arc::new(Records::in_memory().unwrap()));
    story.press("c").sees("CREATE A KNOWLEDGEBASE").types("Prices").press("ctrl-s").sees("Created: Prices");
    // Its documents are requested a moment later, and must not meet the fault.
    story.sees("1 of 1").sees("No documents");
    story.0.server.fault(&json!({"path": "/user/knowledgebases/4", "status": 405, "count": 1}));
    story.press("e").sees("EDIT Prices").press("end").types(" 2026").press("ctrl-s").sees("cannot be known");
    picture(&mut story, "knowledge_save_documented_120x40", &[]);
    confirm(&mut story);
    story.sees("Saved: Prices 2026");
}

#[test]
fn draft_is_there_after_the_program_was_killed() {
    let records = Arc::new(Records::in_memory().unwrap());
    let start = || {
        let server = Server::start(WORLD, service_clock());
        let mut story = opened((120, 40), Options::default(), server, Arc::clone(&records));
        story.sees("Customer handbook").sees("Opening hours");
        story
    };
    let mut first = start();
    website(&mut first, HARD);
    first.press("tab ctrl-n").types("https://example.com/1").press("ctrl-n").types("https://example.com/2");
    first.passes(2);
    first.0.settle();
    let mut second = start();
    second.press("enter").sees("DOCUMENTS OF Customer").press("c").sees("ADD A WEBSITE").sees("draft from today");
    second.sees(HARD).sees("https://example.com/1").sees("https://example.com/2");
    second.press("ctrl-r").sees_no_more("https://example.com/1").press("esc c").sees("ADD A WEBSITE");
    second.0.settle();
    second.sees_no_more("draft from");
    drop(first);
}

#[test]
fn pane_is_left_and_the_draft_stays() {
    let mut story = story((80, 24));
    story
        .press("e")
        .sees("EDIT Customer handbook")
        .press("end")
        .types(" by night")
        .press("esc")
        .sees("The draft is kept");
    story.press("e").sees("Customer handbook by night").sees("draft from");
}

#[test]
fn read_only_opens_no_form() {
    let mut story = story_with((80, 24), Options { read_only: true, ..Options::default() });
    story.press("c").sees("Not now: this is read-only").sees_no_more("CREATE");
}

/// Texts around every limit, of every kind of character.
fn text() -> impl Strategy<Value = String> {
    let part = prop_oneof![Just("a"), Just("受"), Just("👩‍🔧"), Just("e\u{301}"), Just(" "), Just("ß")];
    let short = prop::collection::vec(part.clone(), 0..6).prop_map(|parts| parts.concat());
    let long = (part, 250usize..260).prop_map(|(part, length)| part.chars().cycle().take(length).collect());
    prop_oneof![3 => short, 2 => long]
}

const URLS: [&str; 8] =
    ["", " ", "https://example.com", "http://例え.jp/x", "ftp://example.com", "example.com", "https://", "x y"];

fn url() -> impl Strategy<Value = String> {
    let long = (2040usize..2056).prop_map(|length| format!("{:x<length$}", "https://example.com/"));
    prop_oneof![4 => prop::sample::select(&URLS[..]).prop_map(str::to_owned), 1 => long]
}

fn limit() -> impl Strategy<Value = String> {
    prop::sample::select(&["", "0", "1", "10", "50", "51", "-1", "1.5", "ten", "99999999999999999999"][..])
        .prop_map(str::to_owned)
}

/// The form of a website accepts what the service accepts, and nothing else.
#[test]
fn form_and_service_accept_the_same() {
    let mut story = story((120, 40));
    story.press("enter").sees("DOCUMENTS OF Customer handbook");
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig { cases: 48, ..ProptestConfig::default() });
    let story = std::cell::RefCell::new(story);
    let inputs = (text(), text(), url(), prop::collection::vec(url(), 0..3), limit());
    let outcome = runner.run(&inputs, |(name, description, url, links, limit)| {
        let story = &mut *story.borrow_mut();
        let before = names(story, DOCUMENTS).len();
        story.press("c").sees("ADD A WEBSITE");
        story.0.settle();
        story.pastes(&name).press("tab").pastes(&description).press("tab").pastes(&url).press("tab");
        for link in &links {
            story.press("ctrl-n").pastes(link);
        }
        story.press("tab").pastes(&limit).press("ctrl-s");
        story.0.settle();
        let accepted = names(story, DOCUMENTS).len() > before;
        if !accepted {
            story.press("esc").sees("DOCUMENTS OF");
            story.0.settle();
            // Nothing is left for the next one.
            story.press("c").sees("ADD A WEBSITE");
            story.0.settle();
            story.press("ctrl-r esc").sees("DOCUMENTS OF");
        }
        let limit = match limit.parse::<i64>() {
            Ok(limit) => json!(limit),
            Err(_) if limit.is_empty() => Value::Null,
            Err(_) => json!(limit),
        };
        let links: Vec<_> = links.iter().map(|link| json!({"link": link})).collect();
        let body = json!({"name": name, "description": description, "type": "website", "url": url, "links": links,
                          "relative_links_limit": limit});
        let (status, answer) = story.0.server.exchange("POST /api/user/knowledgebases/2/documents", &body.to_string());
        prop_assert_eq!(accepted, status == 201, "{}", answer);
        Ok(())
    });
    outcome.unwrap();
}
