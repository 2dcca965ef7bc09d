//! `switchboard outbox`: what was sent from this machine, listed, exported and marked.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use std::process::{Command, Output};
use switchboard::api::ErrorCode;
use switchboard::messaging::{Accepted, Outcome, Refusal};
use switchboard::records::{Content, Departing, Intent, Mark, Records, RowOf, TemplateName};
use tempfile::TempDir;
use uuid::Uuid;

/// A user who has sent something.
struct User(TempDir);

impl User {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn records(&self) -> Records {
        Records::open(&self.0.path().join("switchboard")).unwrap()
    }

    /// With an accepted template, a refused freeform message of another profile, and an unknown one.
    fn who_has_sent() -> Self {
        let user = Self::new();
        let records = user.records();
        let accepted = Outcome::Accepted(Accepted {
            conversation_id: Some(5),
            message_sid: Some("SM1".to_owned()),
            status: Some("queued".to_owned()),
            ..Accepted::default()
        });
        let refused = Outcome::Refused(Refusal {
            status: Some(403),
            code: Some(ErrorCode::SessionExpired),
            words: "=cmd|'x' \u{1b}[2J\u{9b}31m".to_owned(),
        });
        let template = TemplateName { id: 12, name: "appointment".to_owned() };
        let row = RowOf { batch: Uuid::from_u128(7), line: 2 };
        for (at, intent, outcome) in [
            (0, Intent { content: Content::Template(template), row: Some(row), ..intent(1, "Maria Souza") }, accepted),
            (1, Intent { profile: "trial".to_owned(), ..intent(2, "受付") }, refused),
            (2, intent(3, "+1"), Outcome::Unknown { why: "time-out".to_owned() }),
        ] {
            let began = "2026-11-21T12:00:00Z".parse::<Timestamp>().unwrap() + SignedDuration::from_secs(at);
            let _recorded = records.begin(&Departing::again(&intent, "ada"), began).unwrap();
            records.settle(intent.id, &outcome, began).unwrap();
        }
        user
    }

    fn outbox(&self, args: &[&str]) -> Output {
        let mut program = Command::new(env!("CARGO_BIN_EXE_switchboard"));
        let program = program.arg("outbox").args(args).env("HOME", self.0.path()).env("XDG_STATE_HOME", self.0.path());
        program.output().unwrap()
    }

    fn says(&self, args: &[&str]) -> String {
        let output = self.outbox(args);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn fails(&self, args: &[&str]) -> (Option<i32>, String) {
        let output = self.outbox(args);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }
}

fn intent(id: u128, name: &str) -> Intent {
    Intent {
        id: Uuid::from_u128(id),
        profile: "live".to_owned(),
        sender_id: 3,
        sender: "+14155550100".to_owned(),
        phone: "+4930901820".to_owned(),
        name: Some(name.to_owned()),
        content: Content::Freeform,
        row: None,
        before: None,
        text: None,
    }
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_table_has_the_newest_first_and_nothing_that_steers_a_terminal() {
    let user = User::who_has_sent();
    assert_eq!(
        user.says(&[]),
        "TIME                  PROFILE  FROM          TO           NAME         WHAT         OUTCOME   DETAIL\n\
         2026-11-21 12:00:02Z  live     +14155550100  +4930901820  +1           freeform     unknown   time-out\n\
         2026-11-21 12:00:01Z  trial    +14155550100  +4930901820  受付         freeform     refused   SESSION_EXPIRED: \
         =cmd|'x' \u{fffd}[2J\u{fffd}31m\n\
         2026-11-21 12:00:00Z  live     +14155550100  +4930901820  Maria Souza  appointment  accepted  queued SM1\n"
    );
    assert_eq!(user.says(&["--profile", "live", "--limit", "1"]).lines().count(), 2);
}

#[test]
fn the_export_as_json_has_a_line_for_each_and_reads_back_as_it_was() {
    let user = User::who_has_sent();
    let text = user.says(&["--json"]);
    assert!(!text.contains(|letter: char| letter.is_control() && letter != '\n'), "{text:?}");
    let all = lines(&text);
    assert_eq!(all.len(), 3);
    assert_eq!(all[1]["detail"], "=cmd|'x' \u{1b}[2J\u{9b}31m");
    let of_batch = json!({
        "id": "00000000-0000-0000-0000-000000000001", "began": "2026-11-21T12:00:00Z", "ended": "2026-11-21T12:00:00Z",
        "profile": "live", "kind": "template", "sender_id": 3, "sender": "+14155550100", "assistant_id": null,
        "assistant": null, "phone": "+4930901820", "name": "Maria Souza",
        "template_id": 12, "template": "appointment", "batch": "00000000-0000-0000-0000-000000000007", "line": 2,
        "outcome": "accepted", "mark": null, "http_status": null, "error_code": null, "detail": null,
        "conversation_id": 5, "message_id": null, "msgapp_message_id": null, "message_sid": "SM1", "call_id": null,
        "status": "queued",
        "text": null
    });
    assert_eq!(all[2], of_batch);
    assert_eq!(lines(&user.says(&["--json", "--profile", "trial"]))[0]["error_code"], "SESSION_EXPIRED");
}

#[test]
fn the_export_as_csv_has_the_same_fields_and_no_formula_for_a_spreadsheet() {
    let user = User::who_has_sent();
    let text = user.says(&["--csv"]);
    let rows: Vec<_> = text.lines().collect();
    let fields = lines(&user.says(&["--json"]))[0].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(rows[0], fields.join(","));
    assert!(rows[1].contains(",+4930901820,'+1,"), "{}", rows[1]);
    assert!(rows[2].contains(",403,SESSION_EXPIRED,'=cmd|'x' \u{fffd}[2J\u{fffd}31m,"), "{}", rows[2]);
    assert_eq!(rows.len(), 4);
}

#[test]
fn what_is_unknown_is_listed_with_its_id_and_can_be_marked() {
    let user = User::who_has_sent();
    let id = Uuid::from_u128(3).to_string();
    let unknown = user.says(&["--unknown"]);
    assert!(unknown.starts_with("ID ") && unknown.lines().count() == 2 && unknown.contains(&id), "{unknown}");
    assert_eq!(user.says(&["mark", &id, "not-sent"]), "");
    assert!(user.says(&["--unknown"]).contains("unknown, marked not sent"));
    assert_eq!(user.records().entry(Uuid::from_u128(3)).unwrap().unwrap().mark, Some(Mark::NotSent));
    assert_eq!(lines(&user.says(&["--json", "--unknown"]))[0]["mark"], "not-sent");
}

#[test]
fn what_cannot_be_marked_is_said_in_a_sentence() {
    let user = User::who_has_sent();
    let (code, said) = user.fails(&["mark", &Uuid::from_u128(1).to_string(), "sent"]);
    assert_eq!((code, said.contains("is not unknown") && said.lines().count() == 1), (Some(1), true), "{said}");
    let (code, said) = user.fails(&["mark", &Uuid::from_u128(9).to_string(), "sent"]);
    assert_eq!((code, said.contains("has no entry")), (Some(1), true), "{said}");
    assert_eq!(user.fails(&["mark", &Uuid::from_u128(3).to_string(), "perhaps"]).0, Some(2));
    assert_eq!(user.fails(&["mark", "3", "sent"]).0, Some(2));
}

#[test]
fn where_nothing_was_sent_there_is_only_the_head_and_no_file_is_made() {
    let user = User::new();
    assert_eq!(user.says(&[]), "TIME  PROFILE  FROM  TO  NAME  WHAT  OUTCOME  DETAIL\n");
    assert_eq!(user.says(&["--json"]), "");
    assert!(user.says(&["--csv"]).starts_with("id,began,ended,profile,"));
    assert_eq!(user.says(&["--csv"]).lines().count(), 1);
    assert_eq!(user.fails(&["mark", &Uuid::from_u128(1).to_string(), "sent"]).0, Some(1));
    assert_eq!(std::fs::read_dir(user.0.path()).unwrap().count(), 0);
    assert_eq!(user.fails(&["--json", "--csv"]).0, Some(2));
}

#[test]
fn an_outbox_that_cannot_be_read_ends_with_1() {
    let user = User::new();
    std::fs::create_dir(user.0.path().join("switchboard")).unwrap();
    std::fs::write(user.0.path().join("switchboard/records.db"), "not a database, but of some length").unwrap();
    let (code, said) = user.fails(&[]);
    assert_eq!((code, said.contains("records.db cannot be opened")), (Some(1), true), "{said}");
}
