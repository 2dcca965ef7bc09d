//! Creating, editing, duplicating and deleting tools, against the real service.

use super::tools::{SECRET, confirm, picture, records, server, story, story_on};
use crate::support::canned::{Canned, Mood};
use crate::support::inside::Inside;
use crate::support::pure::Pure;
use crate::support::story::{Clocked, Stage, Story};
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use switchboard::api::ErrorBody;
use switchboard::client::FailureKind;
use switchboard::ui::{Message, Options};

fn edit(story: &mut Story<Inside>) {
    story.press("e").sees("EDIT check_stock");
    story.0.settle();
}

/// Fills in the form of a new tool, key by key.
fn fill_in<S: Clocked + Stage>(story: &mut Story<S>) {
    story.press("c").sees("CREATE A TOOL").passes(2);
    story.types("book_visit").press("tab").types("Books a visit 予約 👩‍👩‍👧 e\u{301}").press("tab");
    story.types("https://calendar.example.com/visits").press("tab right tab ctrl-u").types("20").press("tab");
    story.press("ctrl-n").types("Authorization").press("tab").types("Bearer abc").press("tab");
    story.press("ctrl-n").types("starts_at").press("tab tab").types("Date and time 日時");
}

#[test]
fn tool_is_created_key_by_key() {
    for (size, at) in [((120, 40), "120x40"), ((80, 24), "80x24")] {
        let mut story = story(size);
        fill_in(&mut story);
        story.sees("starts_at").sees_no_more("Bearer abc");
        picture(&mut story, &format!("tools_form_{at}"));
        story.press("ctrl-s").sees("Create book_visit?");
        picture(&mut story, &format!("tools_create_{at}"));
        confirm(&mut story);
        story.sees("Created: book_visit").sees("3 of 3");
        story.0.settle();
        let made = story.0.server.get("/user/tools/3");
        let expected = json!({
            "id": 3, "name": "book_visit", "description": "Books a visit 予約 👩‍👩‍👧 e\u{301}",
            "endpoint": "https://calendar.example.com/visits", "method": "POST", "timeout": 20,
            "headers": [{"name": "Authorization", "value": "Bearer abc"}],
            "schema": [{"name": "starts_at", "type": "string", "description": "Date and time 日時"}],
            "created_at": made["created_at"], "updated_at": made["updated_at"],
        });
        assert_eq!(made, expected);
    }
}

#[test]
fn rules_are_said_while_typing_and_at_their_place() {
    let mut story = story((120, 40));
    story.press("c").sees("CREATE A TOOL");
    story.0.settle();
    story.types("Check").sees("must contain only lowercase").press("ctrl-u").types("check");
    story.press("tab").pastes(&"あ".repeat(256)).sees("256 / 255").sees("may not be greater than");
    story.press("ctrl-u").types("D").press("tab").types("ftp://x").press("tab").sees("must be a valid URL");
    story.press("tab ctrl-u").types("31").sees("between 1 and 30").press("ctrl-u").types("x").sees("an integer");
    story.press("ctrl-u tab ctrl-n").types("X Y").press("tab").sees("must be a valid");
    story.press("ctrl-d ctrl-n ctrl-s").sees("CREATE A TOOL").sees("This field is required");
}

#[test]
fn replaced_headers_are_shown_beside_the_old_ones() {
    for (size, at) in [((120, 40), "120x40"), ((80, 24), "80x24")] {
        let mut story = story(size);
        edit(&mut story);
        // The first header goes, the second stays; the parameters change places.
        story.press("tab tab tab tab tab ctrl-d tab tab ctrl-down ctrl-o").sees("- Accept: application/json");
        story.sees("  X-Api-Key: •••").sees("Parameters, replaced in whole").sees_no_more(SECRET);
        story.press("ctrl-o ctrl-s").sees("Save check_stock?").sees("no conditional update");
        picture(&mut story, &format!("tools_save_{at}"));
        confirm(&mut story);
        story.sees("Saved: check_stock");
        story.0.settle();
        let saved = story.0.server.get("/user/tools/1");
        assert_eq!(saved["headers"], json!([{"name": "X-Api-Key", "value": SECRET}]));
        assert_eq!(saved["schema"][0]["name"], "pieces");
    }
}

#[test]
fn secrets_are_masked_in_the_form_until_they_are_shown() {
    let mut story = story((120, 40));
    edit(&mut story);
    story
        .sees("***************")
        .sees_no_more(SECRET)
        .press("ctrl-p")
        .sees(SECRET)
        .press("ctrl-p")
        .sees_no_more(SECRET);
}

#[test]
fn what_somebody_else_changed_meanwhile_is_asked_about() {
    let mut story = story((120, 40));
    edit(&mut story);
    story.press("end").types("_now");
    let theirs = json!({"name": "stock", "timeout": 30, "headers": []});
    story.0.server.request("PUT /api/user/tools/1", &theirs);
    story.press("ctrl-s").sees("Somebody else has changed it").sees("check_stock → stock").sees("10 → 30");
    story
        .sees("yours replaces it, as below")
        .sees("kept: not changed in this form")
        .sees("- Accept: application/json")
        .sees("stock → check_stock_now");
    picture(&mut story, "tools_changed_meanwhile_120x40");
    confirm(&mut story);
    story.sees("Saved: check_stock_now");
    story.0.settle();
    let saved = story.0.server.get("/user/tools/1");
    assert_eq!((&saved["timeout"], &saved["headers"]), (&json!(30), &json!([])));
}

#[test]
fn where_one_tool_cannot_be_read_the_list_tells_what_it_is_now() {
    let mut story = story((120, 40));
    edit(&mut story);
    story.press("end").types("_b");
    story.0.server.fault(&json!({"path": "/user/tools/1", "status": 405, "count": 1}));
    story.press("ctrl-s").sees("Save check_stock_b?").sees("check_stock → check_stock_b").press("esc");
    story.0.server.request("DELETE /api/user/tools/1", &json!({}));
    story.press("ctrl-s").sees("does not exist any more").sees("EDIT check_stock").sees("check_stock_b");
}

#[test]
fn where_nothing_tells_what_it_is_now_the_dialog_says_so() {
    let server = server();
    server.fault(&json!({"path": "/user/tools", "status": 405, "count": 1}));
    let mut story = story_on((120, 40), Options::default(), server, records());
    story.press("a").types("1").press("enter").sees("check_stock");
    story.0.settle();
    edit(&mut story);
    story.press("end").types("_b");
    story.0.server.fault(&json!({"path": "/user/tools/1", "status": 405, "count": 1}));
    story.press("ctrl-s").sees("does not tell what the tool is now").sees("check_stock → check_stock_b");
    confirm(&mut story);
    story.sees("Saved: check_stock_b");
}

#[test]
fn refused_field_says_why_and_nothing_typed_is_lost() {
    let mut story = Story(Pure::connected((120, 40), Options::default(), Canned::default()));
    story.press("5").sees("does not list tools");
    fill_in(&mut story);
    story.press("ctrl-s").sees("Create book_visit?");
    let errors = BTreeMap::from([("schema.0.name".to_owned(), vec!["The name is reserved.".to_owned()])]);
    let body = Some(ErrorBody::Validation { message: "Validation failed".to_owned(), errors });
    story.0.server.mood = Mood::Failing(FailureKind::Status { status: 422, body, retry_after: None });
    story.passes(1).passes(2).press("y").sees("CREATE A TOOL").sees("The name is reserved.").sees("starts_at");
    // The cursor is in that field.
    story.types("_x").sees_no_more("The name is reserved.").sees("starts_at_x");
}

#[test]
fn plan_limit_stands_beside_the_form_with_the_number_in_use() {
    let mut story = story((120, 40));
    for name in ["copy_b", "copy_c"] {
        story.press("g D").sees("DUPLICATE check_stock").press("ctrl-u").types(name).press("ctrl-s");
        story.sees(&format!("Create {name}?"));
        confirm(&mut story);
        story.sees(&format!("Created: {name}")).sees_no_more("DUPLICATE");
        story.0.settle();
    }
    fill_in(&mut story);
    story.press("ctrl-s").sees("Create book_visit?");
    confirm(&mut story);
    story.sees("plan limit of 4").sees("In use: 4.").sees("CREATE A TOOL").sees("book_visit");
    picture(&mut story, "tools_plan_limit_120x40");
}

#[test]
fn unclear_outcome_is_said_and_nothing_is_sent_again() {
    let mut story = story((120, 40));
    edit(&mut story);
    story.press("end").types("_b").press("ctrl-s").sees("Save check_stock_b?");
    story.0.server.fault(&json!({"path": "/user/tools/1", "drop": true, "count": 1}));
    confirm(&mut story);
    story.sees("Unknown whether the tool was saved").sees("EDIT check_stock").sees("check_stock_b");
    // It was saved, and only the answer was lost.
    story.press("ctrl-s").sees("It is saved already").sees("TOOLS").sees("check_stock_b");
}

#[test]
fn draft_is_there_after_the_program_was_killed() {
    let records = records();
    let mut first = story_on((120, 40), Options::default(), server(), Arc::clone(&records));
    edit(&mut first);
    first.press("tab").types(" 受付 e\u{301}").press("tab tab tab tab tab tab tab ctrl-d").passes(2);
    first.0.settle();
    let mut second = story_on((120, 40), Options::default(), server(), records);
    edit(&mut second);
    second.sees("受付").sees("draft from today").sees("- X-Api-Key: •••");
    second.press("ctrl-r").sees_no_more("受付").press("esc e").sees("EDIT check_stock").sees_no_more("draft from");
    drop(first);
}

/// What is typed into the form of a tool.
#[derive(Debug, Clone)]
struct Typed {
    name: String,
    description: String,
    endpoint: String,
    /// How often the method is changed from GET.
    method: usize,
    timeout: String,
    headers: Vec<(String, String)>,
    /// Name, how often the type is changed from string, description.
    schema: Vec<(String, usize, String)>,
}

fn typed() -> impl Strategy<Value = Typed> {
    let name = prop_oneof![4 => "[a-z][a-z_]{0,20}", 1 => "[A-Za-z0-9_ é]{0,6}", 1 => "a{255,256}"];
    let text = prop_oneof![4 => "[ -~é受👍]{1,40}", 1 => "(あ|e\u{301}|👩‍👧){60,130}", 1 => " {0,3}"];
    let endpoint = prop_oneof![5 => "https?://[a-z]{1,9}\\.example(/[a-zé?=]{0,9})?", 1 => "[ -~]{0,12}"];
    let timeout = prop_oneof![4 => "[1-9]|[12][0-9]|30", 1 => "0|31|-1|x|1\\.5|99999999999999999999|"];
    let header = prop_oneof![5 => ("[A-Za-z-]{1,12}", "[!-~é受]{1,12}"), 1 => ("[ -~]{0,5}", " {0,2}")];
    let kind = 0..3usize;
    let parameter = prop_oneof![
        5 => ("[A-Za-z][A-Za-z_]{1,12}", kind.clone(), "[!-~é受]{3,12}"),
        1 => ("[A-Za-z0-9_-]{0,3}|a{32,33}", kind, "[a-z受]{0,4}|b{255,256}"),
    ];
    let rows = (prop::collection::vec(header, 0..3), prop::collection::vec(parameter, 0..3));
    (name, text, endpoint, 0..5usize, timeout, rows).prop_map(
        |(name, description, endpoint, method, timeout, (headers, schema))| Typed {
            name,
            description,
            endpoint,
            method,
            timeout,
            headers,
            schema,
        },
    )
}

/// Types it into the form of a new tool; true where the form would send it.
fn form_accepts(typed: &Typed) -> bool {
    let mut story = story((120, 40));
    let paste = |story: &mut Story<Inside>, text: &str| {
        // A paste into a line loses the blanks around it.
        if text.trim() == text && !text.is_empty() {
            story.pastes(text);
        } else {
            story.types(text);
        }
    };
    story.press("c").sees("CREATE A TOOL");
    for text in [&typed.name, &typed.description, &typed.endpoint] {
        paste(&mut story, text);
        story.press("tab");
    }
    story.press(&"right ".repeat(typed.method)).press("tab ctrl-u");
    paste(&mut story, &typed.timeout);
    story.press("tab");
    for (name, value) in &typed.headers {
        story.press("ctrl-n");
        paste(&mut story, name);
        story.press("tab");
        paste(&mut story, value);
    }
    story.press("tab");
    for (name, kind, description) in &typed.schema {
        story.press("ctrl-n");
        paste(&mut story, name);
        story.press("tab").press(&"right ".repeat(*kind)).press("tab");
        paste(&mut story, description);
    }
    story.press("ctrl-s");
    story.0.settle();
    story.screen().shows("y create")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, max_shrink_iters: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn form_accepts_what_the_service_accepts_and_nothing_else(typed in typed()) {
        let method = ["GET", "POST", "PUT", "PATCH", "DELETE"][typed.method];
        let headers: Vec<_> = typed.headers.iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
        let kinds = ["string", "number", "boolean"];
        let parameter = |(name, kind, about): &(String, usize, String)| json!({"name": name, "type": kinds[*kind], "description": about});
        let schema: Vec<_> = typed.schema.iter().map(parameter).collect();
        let mut body = json!({"name": typed.name, "description": typed.description, "endpoint": typed.endpoint, "method": method, "headers": headers, "schema": schema});
        if !typed.timeout.is_empty() {
            body["timeout"] = typed.timeout.parse::<i64>().map_or_else(|_| json!(typed.timeout), |seconds| json!(seconds));
        }
        let status = server().exchange("POST /api/user/tools", &body.to_string()).0;
        prop_assert!([201, 422].contains(&status), "{status}");
        prop_assert_eq!(form_accepts(&typed), status == 201, "{}", body);
    }
}

/// Edits the tool that is opened, as `$EDITOR` would: what it was given, and what comes back.
fn in_editor(story: &mut Story<Pure>, change: impl FnOnce(&str) -> String) -> String {
    story.press("ctrl-g");
    let given = story.0.edited.last().unwrap().clone();
    story.0.tell(Message::Edited(Ok(change(&given))));
    given
}

#[test]
fn whole_tool_is_edited_as_json_and_what_cannot_be_read_is_not_lost() {
    let mut story = Story(Pure::connected((120, 40), Options::default(), Canned::default()));
    story.press("5").sees("does not list tools");
    fill_in(&mut story);
    let given = in_editor(&mut story, |given| given.replace("\"timeout\": 20,", "\"timeout\" 20,"));
    assert!(given.contains("book_visit") && given.contains("•••") && !given.contains("Bearer abc"), "{given}");
    story.sees("The JSON was not taken over (ctrl-g reopens it): expected").sees("Timeout      20");
    let again = in_editor(&mut story, |given| {
        given.replace("\"timeout\" 20,", "\"timeout\": 31,\n  \"colour\": \"red\",").replace("starts_at", "x")
    });
    assert!(again.contains("\"timeout\" 20,"), "{again}");
    story.sees("Not taken over from the JSON: colour.").sees("between 1 and 30").sees("must be at least");
    // The secret was masked in the file, and stays.
    in_editor(&mut story, |given| given.replace("31", "9").replace("\"x\"", "\"starts_at\""));
    story.press("ctrl-p").sees("Bearer abc").press("ctrl-s").sees("Create book_visit?").sees("Timeout      9");
}

#[test]
fn undone_and_redone_text_is_as_it_was() {
    let mut story = story((120, 40));
    edit(&mut story);
    story.press("end").types("_x").sees("check_stock → check_stock_x").press("ctrl-z").sees("Nothing has changed");
    story.press("ctrl-y").sees("check_stock → check_stock_x");
}
