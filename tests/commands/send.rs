//! `switchboard send`, as scripts call it, against the service as a process of its own.

mod files;
mod stops;

use crate::proxy::{Fault, Proxy};
use rusqlite::Connection;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::Permissions;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// Sender 1 has template 1, ready, and 2, pending; the balance is enough for all. Bob has none.
const WORLD: &str = r#"
[[users]]
email = "ada@example.com"
tokens = ["token-of-ada"]
balance = 1000
[[users.assistants]]
name = "Reception"
[[users.senders]]
phone_number = "+14155550100"
display_name = "Acme Support"
assistant = "Reception"
[[users.senders.templates]]
name = "reminder"
body_text = "Hi {{1}}, see you on {{2}}."
variables = ["customer_name", "date"]
[[users.senders.templates]]
name = "login_code"
status = "pending"
body_text = "Your code."

[[users]]
email = "bob@example.com"
tokens = ["token-of-bob"]
balance = 0
[[users.assistants]]
name = "Bob's"
[[users.senders]]
phone_number = "+14155550101"
assistant = "Bob's"
[[users.senders.templates]]
name = "hello"
body_text = "Hello."
"#;

const REMINDER: [&str; 4] = ["--sender", "1", "--template", "1"];

/// A service, and a user of it with a home.
struct Stage {
    home: TempDir,
    child: Child,
    base_url: String,
    token: &'static str,
}

impl Stage {
    fn new() -> Self {
        Self::with(&[])
    }

    /// Where numbers choose what the provider does.
    fn sandbox() -> Self {
        Self::with(&["--sandbox"])
    }

    fn with(args: &[&str]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let world = home.path().join("world.toml");
        std::fs::write(&world, WORLD).unwrap();
        let mut serve = Command::new(env!("CARGO_BIN_EXE_switchboard"));
        serve.args(["serve", "--listen", "127.0.0.1:0", "--world"]).arg(&world).arg("--data").arg(data(home.path()));
        let mut child = serve.args(args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let base_url = lines.next().unwrap().strip_prefix("SWITCHBOARD_BASE_URL=").unwrap().to_owned();
        assert_eq!(lines.next().unwrap(), "SWITCHBOARD_TOKEN=token-of-ada");
        Self { home, child, base_url, token: "token-of-ada" }
    }

    fn address(&self) -> SocketAddr {
        let origin = self.base_url.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/api"));
        origin.unwrap().parse().unwrap()
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.home.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
        let home = self.home.path();
        command.arg(name).env_clear().env("HOME", home).stdin(Stdio::null());
        command.env("SWITCHBOARD_BASE_URL", &self.base_url).env("SWITCHBOARD_TOKEN", self.token);
        command
    }

    fn send(&self, args: &[&str]) -> Said {
        Said::of(&self.command("send").args(args).output().unwrap())
    }

    fn many(&self, file: &Path, args: &[&str]) -> Said {
        self.send(&[&REMINDER[..], &["--csv", file.to_str().unwrap()], args].concat())
    }

    /// How many messages each number has got, as the service has it.
    fn delivered(&self) -> BTreeMap<String, u32> {
        let database = Connection::open(data(self.home.path())).unwrap();
        let count = "SELECT customer_phone, COUNT(*) FROM messages JOIN conversations \
                     ON conversations.id = messages.conversation_id GROUP BY 1";
        let mut statement = database.prepare(count).unwrap();
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().collect::<Result<_, _>>().unwrap()
    }

    /// The outcome of each send by its number, as the outbox has it.
    fn outbox(&self) -> BTreeMap<String, String> {
        let output = self.command("outbox").arg("--json").output().unwrap();
        let entries = json(&String::from_utf8(output.stdout).unwrap());
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        // The newest comes first: a row that was killed in a wait has another entry by its resuming.
        entries.iter().rev().map(|entry| (text(&entry["phone"]), text(&entry["outcome"]))).collect()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn data(home: &Path) -> PathBuf {
    home.join("data.db")
}

fn json(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What a command said, and how it ended.
#[derive(Debug)]
struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Said {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Self { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }

    fn out(self, part: &str) -> Self {
        assert!(self.out.contains(part), "{part} is not said: {self:?}");
        self
    }

    fn err(self, part: &str) -> Self {
        assert!(self.err.contains(part), "{part} is not said: {self:?}");
        self
    }
}

#[test]
fn one_message_is_sent_recorded_and_told() {
    let stage = Stage::new();
    let message = ["--to", "+1 (415) 555-0123", "--name", "Maria", "--var", "1=Maria", "--var", "date=3 May"];
    let args = [&REMINDER[..], &message].concat();
    stage.send(&[&args[..], &["--dry-run"]].concat()).ends(0).out("text      Hi Maria, see you on 3 May.");
    let checked = json(&stage.send(&[&args[..], &["--dry-run", "--json"]].concat()).ends(0).out).remove(0);
    assert_eq!((&checked["dry_run"], &checked["phone"]), (&true.into(), &"+14155550123".into()));
    assert_eq!(checked["text"], "Hi Maria, see you on 3 May.");
    stage.send(&args).ends(2).err("no terminal to confirm on; pass --yes to send without confirmation");
    assert!(stage.delivered().is_empty() && stage.outbox().is_empty());

    let said = stage.send(&[&args[..], &["--yes", "--json"]].concat()).ends(0);
    let entry = &json(&said.out)[0];
    assert_eq!((entry["outcome"].as_str(), entry["phone"].as_str()), (Some("accepted"), Some("+14155550123")));
    assert_eq!((entry["sender"].as_str(), entry["template"].as_str()), (Some("+14155550100"), Some("reminder")));
    assert!(entry["message_sid"].is_string() && entry["text"].is_null());
    let same = stage.send(&[&args[..], &["--yes"]].concat()).ends(2).err("+14155550123 was sent this template on ");
    same.err("(accepted); --again sends it once more");
    let again = stage.send(&[&args[..], &["--yes", "--again"]].concat()).ends(0);
    again.out("accepted · queued\nconversation 1, message ");
    let update = [&REMINDER[..], &message[..6], &["--var", "date=4 May", "--yes"]].concat();
    stage.send(&update).ends(0).out("accepted");
    assert_eq!(stage.delivered()["+14155550123"], 3, "another date is another message");
}

#[test]
fn what_is_wrong_is_told_before_anything_leaves() {
    let stage = Stage::new();
    let to = ["--to", "+14155550123", "--yes"];
    let values = ["--var", "customer_name=Ada", "--var", "date=May"];
    let wrong = |args: &[&str], code: i32, why: &str| {
        stage.send(&[&REMINDER[..], args].concat()).ends(code).err(why);
    };
    wrong(&[&["--to", "030 901820"][..], &values].concat(), 2, "--to needs a + and the country code");
    wrong(&[&to[..], &values[..2]].concat(), 2, "The template needs a value for: date.");
    wrong(&[&to[..], &values, &["--var", "day=x"]].concat(), 2, "no variable called: day");
    wrong(&[&to[..], &values, &["--var", "nonsense"]].concat(), 2, "not of the form KEY=VALUE");
    wrong(&[&to[..], &["--var", "1= ", "--var", "2=x"]].concat(), 2, "Customer name has no value");
    wrong(&[&to[..], &values, &["--name", &"x".repeat(256)]].concat(), 2, "may not be greater than 255");
    wrong(&[&to[..], &values, &["--read-only"]].concat(), 2, "read-only mode is on");
    wrong(&[&to[..], &values, &["--demo"]].concat(), 2, "sending needs a server");
    wrong(&[&to[..], &["--csv", "x.csv"]].concat(), 2, "cannot be used with");
    stage.send(&[&["--sender", "1", "--template", "2"][..], &to].concat()).ends(3).err("the template is pending");
    stage.send(&[&["--sender", "1", "--template", "9"][..], &to].concat()).ends(3).err("has no template 9");
    stage.send(&[&["--sender", "2", "--template", "3"][..], &to].concat()).ends(1).err("Sender not found");
    let nobody =
        stage.command("send").args(REMINDER).args(to).env("SWITCHBOARD_BASE_URL", "http://127.0.0.1:9/api").output();
    Said::of(&nobody.unwrap()).ends(1).err("cannot reach the server");
    assert!(stage.delivered().is_empty() && stage.outbox().is_empty());
}

#[test]
fn a_refused_message_and_an_unknown_one_are_told_with_what_to_do() {
    let mut stage = Stage::sandbox();
    let values = ["--var", "customer_name=Ada", "--var", "date=May", "--yes"];
    let send = |stage: &Stage, to: &str| stage.send(&[&REMINDER[..], &["--to", to], &values].concat());
    send(&stage, "+14155999014").ends(3).out("refused · the provider's error 63024").err("Look that number up");
    let said = send(&stage, "+14155999022").ends(4).out("unknown · ").err("switchboard outbox mark ");
    let id = said.err.split("outbox mark ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    assert_eq!(stage.delivered().get("+14155999022"), Some(&1), "it was sent, as it turns out");
    let marked = stage.command("outbox").args(["mark", &id, "sent"]).output().unwrap();
    assert!(marked.status.success());

    stage.token = "token-of-bob";
    let hello = ["--sender", "2", "--template", "3", "--to", "+14155550123", "--yes"];
    stage.send(&hello).ends(1).out("not sent · the balance is too low").err("Top up the account");
}

#[test]
fn a_file_is_checked_and_then_sent_with_what_is_bad_left_out() {
    let stage = Stage::new();
    let file = stage.file(
        "people.csv",
        "\u{feff}Phone;Name;Customer Name;When\r\n+14155550121;Ada;Ada;1 May\r\n+1 415 555 0121;Ada again;Ada;1 May\r\n\
         nobody;;x;\r\n+14155550122;;\"Bob; the second\";2 May\r\n",
    );
    stage.many(&file, &["--dry-run"]).ends(2).err("no column for: Date; map one with --map COLUMN=TARGET");
    stage
        .many(&file, &["--dry-run", "--map", "Then=date"])
        .ends(2)
        .err("unknown column; the file has: Phone, Name, Customer Name, When");
    stage
        .many(&file, &["--dry-run", "--map", "When=day"])
        .ends(2)
        .err("unknown target; expected one of: phone, name, customer_name, date");

    let map = ["--map", "when=date"];
    let with = |more: &[&'static str]| stage.many(&file, &[&map[..], more].concat());
    with(&["--dry-run"])
        .ends(5)
        .out("line 3  +1 415 555 0121  the same number as line 2\n")
        .out("line 4  nobody  phone: 'n' is not allowed in a phone number; Date has no value\n")
        .out("2 rows can be sent, 2 cannot\n");
    let wider = stage.file("wider.csv", "to,customer_name,date,code\n+14155550123,Ada,1 May,4321\n");
    stage.many(&wider, &["--dry-run"]).ends(0).err("warning: not used by the template: code");
    let summary = json(&stage.many(&wider, &["--dry-run", "--json"]).ends(0).out).remove(0);
    assert_eq!(summary["summary"]["unused_columns"], serde_json::json!(["code"]));
    let checked = json(&with(&["--dry-run", "--json"]).ends(5).out);
    assert_eq!((checked[0]["line"].as_u64(), checked[2]["summary"]["good"].as_u64()), (Some(3), Some(2)));
    with(&[]).ends(2).err("no terminal to confirm on");
    assert!(stage.delivered().is_empty());

    let nowhere = stage.home.path().join("no/such/results.csv");
    with(&["--yes", "--results", nowhere.to_str().unwrap().to_owned().leak()])
        .ends(2)
        .err("results.csv cannot be written: No such file or directory; nothing was sent");
    assert!(stage.delivered().is_empty(), "it is noticed before anything leaves");
    let results = stage.home.path().join("results.csv");
    with(&["--results", results.to_str().unwrap().to_owned().leak()]).ends(2).err("no terminal to confirm on");
    assert!(!results.exists(), "nothing was sent, so there are none");
    let args = [&map[..], &["--yes", "--results", results.to_str().unwrap()]].concat();
    stage.many(&file, &args).ends(5).out("2 accepted, 0 refused, 0 unknown, 2 bad\n");
    let written = std::fs::read_to_string(&results).unwrap();
    let words: Vec<_> = written.lines().map(|line| line.split(',').nth(3).unwrap()).collect();
    assert_eq!(words, ["outcome", "accepted", "bad row", "bad row", "accepted"]);
    assert_eq!(stage.delivered(), BTreeMap::from([("+14155550121".to_owned(), 1), ("+14155550122".to_owned(), 1)]));

    stage.many(&file, &args).ends(2).err("results.csv already exists and is not overwritten; nothing was sent");
    with(&["--yes"]).ends(2).err("2 rows of this file were sent already, the last on ").err("--again sends to all");
    with(&["--yes", "--resume"]).ends(5).out("2 accepted, 0 refused, 0 unknown, 2 bad\n");
    assert_eq!(stage.delivered()["+14155550121"], 1);
    with(&["--yes", "--again"]).ends(5);
    assert_eq!(stage.delivered()["+14155550121"], 2);
}

#[test]
fn a_file_stops_where_no_further_row_would_be_sent() {
    let mut stage = Stage::sandbox();
    let file = stage.file(
        "people.csv",
        "to,customer_name,date\n+14155550121,a,b\n+14155999014,a,b\n+14155999022,a,b\n+14155550122,a,b\n",
    );
    let said = stage.many(&file, &["--yes", "--json"]).ends(4);
    let summary = &json(&said.out).pop().unwrap()["summary"];
    let counts = ["accepted", "refused", "unknown", "not_sent"].map(|name| summary[name].as_u64().unwrap());
    assert_eq!(counts, [2, 1, 1, 0], "one bad number says nothing of the next");

    stage.token = "token-of-bob";
    let rows: Vec<_> = std::iter::once("to".to_owned()).chain((10..40).map(|row| format!("+141555502{row}"))).collect();
    let file = stage.file("hello.csv", &rows.join("\n"));
    let hello = ["--sender", "2", "--template", "3", "--yes", "--csv", file.to_str().unwrap()];
    let said = stage.send(&hello).ends(1).err("stopped: not sent · the balance is too low");
    said.err("30 rows were not sent; --resume sends them").out("0 accepted, 0 refused, 0 unknown, 30 not sent");
}

#[test]
fn ctrl_c_lets_what_is_on_its_way_land_and_the_rest_can_be_sent_later() {
    let stage = Stage::new();
    let file = stage.file("people.csv", &people(12));
    let mut command = stage.command("send");
    command.args(REMINDER).arg("--csv").arg(&file).args(["--yes", "--json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("accepted"));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let summary = &json(rest.last().unwrap())[0]["summary"];
    assert_eq!(summary["unknown"], 0);
    assert!(summary["not_sent"].as_u64().unwrap() > 0, "{summary}");
    stage.many(&file, &["--yes", "--resume"]).ends(0).out("12 accepted, 0 refused, 0 unknown\n");
    assert!(stage.delivered().into_values().eq([1; 12]));
}

#[test]
fn rows_that_were_not_sent_are_sent_by_resuming() {
    for status in [401, 402, 403] {
        let mut stage = Stage::new();
        let file = stage.file("people.csv", &people(30));
        let sends = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&sends);
        // After ten sends it fails for ten.
        let fault = move || match counted.fetch_add(1, Ordering::Relaxed) {
            10..20 => Fault::Answer(status),
            _ => Fault::None,
        };
        stage.base_url = Proxy::start(stage.address(), fault).base_url();
        let said = stage.many(&file, &["--yes"]).ends(1).err("rows were not sent; --resume sends them");
        let said = said.out("10 accepted, 0 refused, 0 unknown, 20 not sent\n");
        assert!(said.out.contains("not sent · No"), "{said:?}");
        sends.store(20, Ordering::Relaxed);
        stage.many(&file, &["--yes", "--resume"]).ends(0).out("30 accepted, 0 refused, 0 unknown\n");
        assert!(stage.delivered().into_values().eq([1; 30]), "{status}");
    }
}

#[test]
fn overlapping_files_at_once_reach_each_person_once() {
    let stage = Stage::new();
    let one = stage.file("one.csv", &people(20));
    let other = stage.file("other.csv", &people(24).replace('\n', "\r\n"));
    let mut programs = [&one, &other].map(|file| {
        let mut command = stage.command("send");
        command.args(REMINDER).arg("--csv").arg(file).arg("--yes").stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    });
    let codes: Vec<_> = programs.iter_mut().map(|program| program.wait().unwrap().code()).collect();
    // The one that began later may have been told so at its start.
    if codes.contains(&Some(2)) {
        stage.many(&other, &["--yes", "--resume"]).ends(0);
        stage.many(&one, &["--yes", "--resume"]).ends(0);
    }
    assert!(stage.delivered().into_values().eq([1; 24]), "{codes:?} {:?}", stage.delivered());
}

#[test]
fn the_same_account_by_another_name_is_the_same() {
    let mut stage = Stage::new();
    let file = stage.file("people.csv", &people(3));
    stage.many(&file, &["--yes"]).ends(0);
    let told = "3 rows of this file were sent already";
    stage.base_url = stage.base_url.replace("127.0.0.1", "localhost") + "/";
    stage.many(&file, &["--yes"]).ends(2).err(told);
    stage.many(&file, &["--yes", "--resume"]).ends(0).out("3 accepted");
    let config = stage
        .file("config.toml", &format!("[profiles.other]\nbase_url = \"{}\"\ntoken_file = \"token\"\n", stage.base_url));
    let token = stage.file("token", stage.token);
    std::fs::set_permissions(token, Permissions::from_mode(0o600)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    command.arg("send").args(REMINDER).arg("--csv").arg(&file).arg("--yes").arg("--config").arg(config);
    command.args(["--profile", "other"]).env_clear().env("HOME", stage.home.path()).stdin(Stdio::null());
    Said::of(&command.output().unwrap()).ends(2).err(told);
    assert!(stage.delivered().into_values().eq([1; 3]));
}

#[test]
fn the_same_key_never_sends_twice() {
    let stage = Stage::new();
    let message = ["--to", "+14155550123", "--var", "1=Maria", "--var", "date=3 May", "--yes", "--id", "order 7"];
    let args = [&REMINDER[..], &message].concat();
    stage.send(&args).ends(0).out("accepted");
    stage.send(&args).ends(0).out("accepted");
    stage.send(&[&args[..], &["--again"]].concat()).ends(0).out("accepted");
    assert_eq!(stage.delivered()["+14155550123"], 1);
    let other = ["--to", "+14155550124", "--var", "1=Ada", "--var", "date=3 May", "--yes", "--id", "order 7"];
    let said = stage.send(&[&REMINDER[..], &other].concat()).ends(2).err("the key of --id was used on ");
    said.err("for another message, to +14155550123");
    assert_eq!(stage.delivered().len(), 1);
}

#[test]
fn an_interrupted_repeat_is_finished_by_resuming() {
    let stage = Stage::new();
    let file = stage.file("people.csv", &people(12));
    stage.many(&file, &["--yes"]).ends(0);
    let mut command = stage.command("send");
    command.args(REMINDER).arg("--csv").arg(&file).args(["--yes", "--json", "--again"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("accepted"));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    lines.for_each(drop);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    stage.many(&file, &["--yes", "--resume"]).ends(0).out("12 accepted, 0 refused, 0 unknown\n");
    assert!(stage.delivered().into_values().eq([2; 12]));
}

#[test]
fn rows_whose_person_has_an_unknown_message_are_unknown_and_stay_away() {
    let stage = Stage::sandbox();
    let header = "to,customer_name,date\n";
    let file = stage.file("one.csv", &format!("{header}+14155999022,Ada,1 May\n"));
    stage.many(&file, &["--yes"]).ends(4).out("0 accepted, 0 refused, 1 unknown");
    let copy = stage.file("two.csv", &format!("{header}+14155999022,Ada,1 May\n+14155550121,Bob,1 May\n"));
    let said = stage.many(&copy, &["--yes"]).ends(4).out("1 accepted, 0 refused, 1 unknown");
    said.out("not sent; an earlier message to this person");
    assert_eq!(stage.outbox().len(), 2);
    let listed = stage.command("outbox").args(["--json", "--unknown"]).output().unwrap();
    let id = json(&String::from_utf8(listed.stdout).unwrap())[0]["id"].as_str().unwrap().to_owned();
    let marked = stage.command("outbox").args(["mark", &id, "sent"]).output().unwrap();
    assert!(marked.status.success());
    stage.many(&file, &["--yes", "--resume"]).ends(0).out("1 accepted, 0 refused, 0 unknown");
}

#[test]
fn resuming_needs_an_outbox_that_knows_the_file() {
    let stage = Stage::new();
    let file = stage.file("people.csv", &people(3));
    let resume = |stage: &Stage| stage.many(&file, &["--yes", "--resume"]);
    let said = resume(&stage).ends(2).err("knows nothing of this file").err("charged to http://localhost:");
    said.err(stage.home.path().to_str().unwrap()).err("ada@example.com");
    stage.many(&file, &["--yes"]).ends(0);
    let folder = stage.home.path().join(".local/state/switchboard");
    let copy = stage.home.path().join("copy.db");
    std::fs::copy(folder.join("records.db"), &copy).unwrap();
    resume(&stage).ends(0);
    std::fs::copy(&copy, folder.join("records.db")).unwrap();
    resume(&stage).ends(2).err("was replaced by an older copy or deleted before 20").err("--again sends all");
    std::fs::remove_file(folder.join("records.db")).unwrap();
    resume(&stage).ends(2).err("was replaced by an older copy or deleted");
    stage.many(&file, &["--yes"]).ends(2).err("--again sends all the same");
    let single = ["--to", "+14155550000", "--var", "1=Ada", "--var", "date=1 May", "--yes"];
    stage.send(&[&REMINDER[..], &single].concat()).ends(2).err("cannot tell who was reached");
    assert!(stage.delivered().into_values().eq([1; 3]));
}

#[test]
fn a_second_program_on_the_same_file_is_told_of_the_first() {
    let mut stage = Stage::new();
    stage.base_url = Proxy::start(stage.address(), || Fault::Late(Duration::from_millis(300))).base_url();
    let file = stage.file("people.csv", &people(12));
    let mut command = stage.command("send");
    command.args(REMINDER).arg("--csv").arg(&file).args(["--yes", "--json"]);
    let mut first = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(first.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("accepted"));
    let pid = first.id().to_string();
    let said = stage.many(&file, &["--yes", "--resume"]).ends(1).err("another program is sending this file");
    said.err(&pid);
    assert_eq!(lines.count(), 12, "11 rows and the summary");
    assert!(first.wait().unwrap().success());
}

#[test]
fn flags_of_the_connection_stand_before_the_command_too() {
    let stage = Stage::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    command.env_clear().env("HOME", stage.home.path()).env("SWITCHBOARD_TOKEN", stage.token).stdin(Stdio::null());
    command.args(["--base-url", &stage.base_url, "send"]).args(REMINDER).args(["--to", "+14155550123"]);
    command.args(["--var", "1=Maria", "--var", "date=3 May", "--yes"]);
    Said::of(&command.output().unwrap()).ends(0).out("accepted");
    let mut other = stage.command("--profile");
    other.args(["live", "outbox"]);
    Said::of(&other.output().unwrap()).ends(2).err("only the dashboard and `send` take --demo, --profile");
}

#[test]
fn output_to_a_full_device_fails() {
    let stage = Stage::new();
    let file = stage.file("people.csv", &people(12));
    let mut command = stage.command("send");
    command.args(REMINDER).arg("--csv").arg(&file).args(["--yes", "--json"]);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = command.stdout(full).stderr(Stdio::piped()).output().unwrap();
    Said::of(&output).ends(1).err("the output cannot be written: No space left on device");
}

#[test]
fn an_unknown_message_is_not_sent_again_by_yes_alone() {
    let stage = Stage::sandbox();
    let message = ["--to", "+14155999022", "--var", "1=Maria", "--var", "date=3 May", "--yes"];
    let other_values = ["--to", "+14155999022", "--var", "1=Maria", "--var", "date=4 May", "--yes"];
    stage.send(&[&REMINDER[..], &message].concat()).ends(4).out("unknown");
    stage.send(&[&REMINDER[..], &message].concat()).ends(4).err("was sent this template on ").err("(unknown)");
    stage.send(&[&REMINDER[..], &other_values].concat()).ends(4).err("--again sends it once more");
    assert_eq!(stage.outbox().len(), 1);
}

#[test]
fn a_file_in_which_something_was_corrected_is_sent_to_nobody_twice() {
    let stage = Stage::new();
    let file = stage.file("people.csv", &format!("{}oops,Eve,4 May\n", people(3)));
    stage.many(&file, &["--yes"]).ends(5).out("3 accepted, 0 refused, 0 unknown, 1 bad");
    let file = stage.file("people.csv", &format!("{}+14155550199,Eve,4 May\n", people(3)));
    stage.many(&file, &["--yes"]).ends(2).err("3 of these recipients were sent this template within a day");
    let results = stage.home.path().join("results.csv");
    let args = ["--yes", "--resume", "--results", results.to_str().unwrap()];
    stage.many(&file, &args).ends(0).out("1 accepted, 0 refused, 0 unknown, 3 skipped\n");
    assert!(std::fs::read_to_string(results).unwrap().contains("\n2,+14155550000,Ada 0,skipped,\"sent before, on 20"));
    assert!(stage.delivered().into_values().eq([1; 4]));
}

/// A file of so many recipients.
fn people(count: usize) -> String {
    let rows = (0..count).map(|number| format!("+1415555{number:04},Ada {number},{number} May\n"));
    std::iter::once("to,customer_name,date\n".to_owned()).chain(rows).collect()
}

#[test]
fn killed_ten_times_each_recipient_has_got_one_message_or_is_listed_as_unknown() {
    const ROWS: usize = 200;
    const KILLS: usize = 10;
    // With those that are on their way then, ten times as many are fewer than there are: each run still has rows to send.
    const ROWS_A_RUN: usize = 14;
    let mut stage = Stage::new();
    // Answers take their time, so that many a kill comes between a message and its answer.
    let late = || Fault::Late(Duration::from_millis(fastrand::u64(20..250)));
    stage.base_url = Proxy::start(stage.address(), late).base_url();
    let file = stage.file("people.csv", &people(ROWS));
    let seed = fastrand::u64(..);
    let mut random = fastrand::Rng::with_seed(seed);
    for kill in 0..KILLS {
        let mut command = stage.command("send");
        command.args(REMINDER).arg("--csv").arg(&file).args(["--yes", "--json"]);
        // A run that was killed before its first row has left nothing to resume.
        command.args((kill > 0 && !stage.outbox().is_empty()).then_some("--resume"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        for row in 0..random.usize(0..ROWS_A_RUN) {
            // Those that an earlier run has sent are told first.
            let is_new = |line: &std::io::Result<String>| !line.as_ref().unwrap().contains("\"skipped\"");
            let told = lines.by_ref().any(|line| is_new(&line));
            assert!(told, "it ended by itself after {row} rows: {} (seed {seed})", child.wait().unwrap());
        }
        // Anywhere between two rows, and while one is recorded, sent or settled.
        std::thread::sleep(Duration::from_micros(random.u64(0..250_000)));
        kill_process(Pid::from_child(&child), Signal::KILL).unwrap();
        child.wait().unwrap();
    }
    let last = stage.many(&file, &["--yes", "--resume"]);
    let (delivered, outbox) = (stage.delivered(), stage.outbox());
    let unknown = outbox.values().filter(|outcome| *outcome == "unknown").count();
    let twice = delivered.values().filter(|count| **count > 1).count();
    println!(
        "{ROWS} recipients, {KILLS} kills (seed {seed}): {} messages on the server, {} accepted, {unknown} unknown, {twice} \
         sent twice",
        delivered.values().sum::<u32>(),
        outbox.values().filter(|outcome| *outcome == "accepted").count(),
    );
    let last = last.ends(if unknown > 0 { 4 } else { 0 });
    assert_eq!((twice, outbox.len()), (0, ROWS), "seed {seed}");
    for (phone, outcome) in &outbox {
        match outcome.as_str() {
            "accepted" => assert_eq!(delivered.get(phone), Some(&1), "{phone} (seed {seed})"),
            "unknown" => assert!(last.out.contains(phone), "{phone} is not listed (seed {seed})"),
            other => panic!("{phone} is {other} (seed {seed})"),
        }
    }
}
