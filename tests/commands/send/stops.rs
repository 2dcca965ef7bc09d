//! What stops a row or a run, and what `--resume` makes of it.

use super::*;

#[test]
fn what_is_not_about_one_recipient_is_not_sent_and_resumed() {
    for (status, code, words) in [
        (422, "SENDER_OFFLINE", "the sender is offline"),
        (404, "TEMPLATE_NOT_FOUND", "there is no such template"),
        (422, "TEMPLATE_NOT_APPROVED", "the template is not approved"),
        (422, "TEMPLATE_MISMATCH", "the values do not fit the template"),
    ] {
        let mut stage = Stage::new();
        let file = stage.file("people.csv", &people(8));
        let sends = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&sends);
        let fault = move || match counted.fetch_add(1, Ordering::Relaxed) {
            3..8 => Fault::Coded(status, code),
            _ => Fault::None,
        };
        stage.base_url = Proxy::start(stage.address(), fault).base_url();
        let said = stage.many(&file, &["--yes"]).ends(1).err(&format!("stopped: not sent · {words}"));
        said.out("3 accepted, 0 refused, 0 unknown, 5 not sent").err("5 rows were not sent; --resume sends them");
        let listed = stage.command("outbox").output().unwrap();
        Said::of(&listed).ends(0).out("not sent").out(&format!("{code}: No."));
        sends.store(8, Ordering::Relaxed);
        stage.many(&file, &["--yes", "--resume"]).ends(0).out("8 accepted, 0 refused, 0 unknown\n");
        assert!(stage.delivered().into_values().eq([1; 8]), "{code}");
    }
}

#[test]
fn json_has_a_line_for_each_row_that_is_skipped_with_the_earlier_send() {
    let stage = Stage::sandbox();
    let file = stage.file("people.csv", "to,name,customer_name,date\n+14155550121,Ada,a,b\n+14155999014,,a,b\n");
    stage.many(&file, &["--yes"]).ends(3);
    let told = json(&stage.many(&file, &["--yes", "--resume", "--json"]).ends(3).out);
    let lines: Vec<_> =
        told[..2].iter().map(|row| (row["line"].as_u64().unwrap(), &row["earlier"]["outcome"])).collect();
    assert_eq!(lines, [(2, &"accepted".into()), (3, &"refused".into())]);
    assert_eq!(
        (&told[0]["outcome"], &told[0]["name"], &told[1]["name"]),
        (&"skipped".into(), &"Ada".into(), &Value::Null)
    );
    let reason = |row: &Value| row["reasons"][0].as_str().unwrap().to_owned();
    assert!(
        reason(&told[0]).starts_with("sent before, on 20") && reason(&told[1]).starts_with("refused before, on 20")
    );
    assert!(told[2]["summary"].is_object() && told.len() == 3, "{told:?}");

    let other = stage.file("other.csv", "to,customer_name,date\n+14155550121,a,c\n+14155550122,a,c\n");
    let told = json(&stage.many(&other, &["--yes", "--resume", "--json"]).ends(0).out);
    assert_eq!((&told[0]["line"], &told[0]["outcome"]), (&2.into(), &"skipped".into()));
    let id = |entry: &Value| entry["id"].as_str().unwrap().to_owned();
    let sent = stage.command("outbox").arg("--json").output().unwrap();
    let sent = json(&String::from_utf8(sent.stdout).unwrap());
    let first = sent.iter().find(|entry| entry["phone"] == "+14155550121").unwrap();
    assert_eq!((told[0]["earlier"]["phone"].as_str(), id(&told[0]["earlier"])), (Some("+14155550121"), id(first)));
    assert_eq!((told[1]["phone"].as_str(), told[2]["summary"]["skipped"].as_u64()), (Some("+14155550122"), Some(1)));
}

#[test]
fn rows_whose_people_are_in_flight_elsewhere_wait_for_that() {
    let mut stage = Stage::new();
    stage.base_url = Proxy::start(stage.address(), || Fault::Late(Duration::from_secs(8))).base_url();
    let file = stage.file("people.csv", &people(1));
    let other = stage.file("other.csv", &people(1).replace("Ada 0", "Ada"));
    stage.many(&other, &["--yes", "--resume"]).ends(2).err("knows nothing of this file");
    let mut command = stage.command("send");
    let mut first = command.args(REMINDER).arg("--csv").arg(&file).arg("--yes").stdout(Stdio::null()).spawn().unwrap();
    while stage.outbox().is_empty() {
        assert!(first.try_wait().unwrap().is_none(), "it ended before it sent");
    }
    let said = stage.many(&other, &["--yes", "--resume", "--json"]).ends(0);
    let said = said.err("another program is sending this template to 1 of these recipients; their rows wait for it");
    let said = said.err("line 2  +14155550000  waits: another program is sending the same to this person");
    let told = json(&said.out);
    assert_eq!((&told[0]["outcome"], &told[0]["earlier"]["outcome"]), (&"skipped".into(), &"accepted".into()));
    assert_eq!((told.len(), &told[1]["summary"]["skipped"]), (2, &1.into()));
    assert!(first.wait().unwrap().success());
    assert!(stage.delivered().into_values().eq([1]));
}

#[test]
fn another_spelling_of_a_mobile_number_is_the_same_person() {
    let stage = Stage::new();
    let pairs =
        [("+5215512345678", "+525512345678"), ("+5491123456789", "+541123456789"), ("+5511991234567", "+551191234567")];
    let list = |name, numbers: [&str; 3]| {
        let rows = numbers.map(|number| format!("{number},a,b\n")).concat();
        stage.file(name, &format!("to,customer_name,date\n{rows}"))
    };
    let (with, without) = (list("with.csv", pairs.map(|pair| pair.0)), list("without.csv", pairs.map(|pair| pair.1)));
    stage.many(&with, &["--yes"]).ends(0);
    stage.many(&without, &["--yes"]).ends(2).err("3 of these recipients were sent this template within a day");
    stage.many(&without, &["--yes", "--resume"]).ends(0).out("0 accepted, 0 refused, 0 unknown, 3 skipped");
    let single = ["--to", pairs[0].1, "--var", "1=Ada", "--var", "2=May", "--yes"];
    stage.send(&[&REMINDER[..], &single].concat()).ends(2).err("was sent this template on ");
    let expected: BTreeMap<_, _> = pairs.iter().map(|pair| (pair.0.to_owned(), 1)).collect();
    assert_eq!(stage.delivered(), expected, "as they were written");
}

#[test]
#[cfg(target_os = "linux")]
fn hangup_ends_a_run_unless_it_was_ignored_from_the_start() {
    // Where the tests themselves run under nohup, there is nothing to hear.
    let heard = switchboard::ui::terminal::hangup().is_some();
    for (script, ends) in [("exec \"$0\" \"$@\"", heard), ("trap '' HUP; exec \"$0\" \"$@\"", false)] {
        let stage = Stage::new();
        let file = stage.file("people.csv", &people(8));
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_switchboard")).arg("send").args(REMINDER);
        command.arg("--csv").arg(&file).args(["--yes", "--json", "--base-url", &stage.base_url]).env_clear();
        command.env("HOME", stage.home.path()).env("SWITCHBOARD_TOKEN", stage.token).stdin(Stdio::null());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.next().unwrap().unwrap().contains("accepted"));
        kill_process(Pid::from_child(&child), Signal::HUP).unwrap();
        lines.for_each(drop);
        assert_eq!(child.wait().unwrap().code(), Some(if ends { 130 } else { 0 }), "{script}");
        assert_eq!(stage.delivered().len() == 8, !ends, "{script}");
    }
}

#[test]
fn run_that_is_ended_while_the_server_asks_to_wait_is_sent_once_by_resuming() {
    let hangup = switchboard::ui::terminal::hangup().map(|_| Signal::HUP);
    for signal in [Signal::TERM, Signal::INT].into_iter().chain(hangup) {
        let mut stage = Stage::new();
        let is_busy = Arc::new(AtomicUsize::new(1));
        let asked = Arc::clone(&is_busy);
        let fault = move || if asked.load(Ordering::Relaxed) == 1 { Fault::Answer(429) } else { Fault::None };
        stage.base_url = Proxy::start(stage.address(), fault).base_url();
        let file = stage.file("people.csv", &people(6));
        let mut command = stage.command("send");
        command.args(REMINDER).arg("--csv").arg(&file).arg("--yes").stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().starts_with("waiting: the server's rate limit")));
        // `timeout` sends it twice at once: that counts as once.
        for _ in 0..2 {
            kill_process(Pid::from_child(&child), signal).unwrap();
        }
        let told: Vec<String> = lines.map(Result::unwrap).collect();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{told:?}");
        assert!(told.contains(&"6 rows were not sent; --resume sends them".to_owned()), "{told:?}");
        assert!(stage.outbox().values().all(|outcome| outcome == "not sent"), "{signal:?} {:?}", stage.outbox());
        is_busy.store(0, Ordering::Relaxed);
        stage.many(&file, &["--yes", "--resume"]).ends(0).out("6 accepted, 0 refused, 0 unknown\n");
        assert!(stage.delivered().into_values().eq([1; 6]), "{signal:?}");
    }
}

#[test]
fn file_that_may_not_grow_is_an_error_and_no_death() {
    let stage = Stage::new();
    let file = stage.file("people.csv", &people(3));
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "ulimit -f 16; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_switchboard"), "send"]).args(REMINDER);
    command.arg("--csv").arg(&file).args(["--yes", "--base-url", &stage.base_url]).env_clear();
    command.env("HOME", stage.home.path()).env("SWITCHBOARD_TOKEN", stage.token).stdin(Stdio::null());
    Said::of(&command.output().unwrap()).ends(1).err("nothing was sent: ");
    assert!(stage.delivered().is_empty());
}
