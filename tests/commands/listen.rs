//! `switchboard listen`: webhooks received as a script reads them.

use jiff::Timestamp;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use switchboard::api::SigningSecret;

const SECRET: &str = "whsec_c2VjcmV0";

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    command.arg("listen").args(args).env_remove("SWITCHBOARD_WEBHOOK_SECRET").env("TZ", "UTC");
    command
}

fn output(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

struct Listening {
    child: Child,
    stdout: Option<BufReader<ChildStdout>>,
    /// What it said at its start.
    said: String,
    address: String,
}

impl Listening {
    fn start(command: &mut Command, lines: usize) -> Self {
        let mut child = command.args(["--port", "0"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        for _ in 0..lines {
            stderr.read_line(&mut said).unwrap();
        }
        let address = said.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
        let stdout = Some(BufReader::new(child.stdout.take().unwrap()));
        Self { child, stdout, said, address }
    }

    /// Posts a body and gives the status of the answer.
    fn post(&self, headers: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!("POST /hook?a=1 HTTP/1.1\r\nHost: h\r\n{headers}Content-Length: {}\r\n\r\n", body.len());
        stream.write_all((head + body).as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split(' ').nth(1).unwrap().to_owned()
    }

    fn post_signed(&self, secret: &str, body: &str) -> String {
        let time = Timestamp::now().as_second();
        let signature = SigningSecret::new(secret).sign("msg_1", time, body.as_bytes());
        let headers = format!("webhook-id: msg_1\r\nwebhook-timestamp: {time}\r\nwebhook-signature: {signature}\r\n");
        self.post(&headers, body)
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.as_mut().unwrap().read_line(&mut line).unwrap();
        line
    }

    fn json(&mut self) -> Value {
        serde_json::from_str(&self.line()).unwrap()
    }

    fn end(mut self, signal: Signal) -> Option<i32> {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const CONVERSATION: &str = "01993c21-6c1e-7d0f-9a51-0c5c1d2e3f40";

#[test]
fn delivery_is_a_line_with_its_body_below_and_ctrl_c_ends() {
    let mut listening = Listening::start(command(&[]).env("SWITCHBOARD_WEBHOOK_SECRET", SECRET), 1);
    assert!(listening.said.starts_with("Listening on http://127.0.0.1:"), "{}", listening.said);
    let body = json!({"conversation_id": CONVERSATION, "ended_at": "now", "type": "widget"}).to_string();
    assert_eq!(listening.post_signed(SECRET, &body), "200");
    let line = listening.line();
    let expected = format!("  conversation_ended  conversation {CONVERSATION}  200  signature valid\n");
    assert!(line.ends_with(&expected), "{line}");
    for expected in
        ["  {\n", "    \"conversation_id\": ", "    \"ended_at\": \"now\",\n", "    \"type\": \"widget\"\n", "  }\n"]
    {
        let line = listening.line();
        assert!(line.starts_with(expected), "{line}");
    }
    listening.post_signed("whsec_d3Jvbmc=", "{}");
    let line = listening.line();
    assert!(line.ends_with("  unknown event  200  signature invalid: wrong secret or changed body\n"), "{line}");
    assert_eq!(listening.end(Signal::INT), Some(0));
}

#[test]
fn hostile_text_neither_steers_the_terminal_nor_breaks_a_line() {
    let body = "{\"event\": \"\u{9b}2J\u{202e}\\u001b[2J\",\r\n \"n\": 12345678901234567890123.50, \"s\": \"\u{85}\u{7f}\u{e0001}\"}";
    let plain = |text: &str| text.chars().all(|char| char == '\n' || !char.is_control() && char != '\u{202e}');
    let mut listening = Listening::start(&mut command(&[]), 2);
    assert!(listening.said.contains("Signatures are not checked"), "{}", listening.said);
    for body in [body, "no JSON \u{1b}]0;title\u{7}\n\u{9b}2J"] {
        listening.post("x-bell: \u{7f}\r\n", body);
    }
    listening.post("", body);
    listening.post("", "end");
    let mut shown = String::new();
    while !shown.ends_with("  end\n") {
        shown += &listening.line();
    }
    assert!(plain(&shown), "{shown:?}");

    let mut listening = Listening::start(&mut command(&["--json"]), 2);
    listening.post("cookie: very-secret\r\n", body);
    let line = listening.line();
    assert!(plain(&line) && line.contains("12345678901234567890123.50"), "{line:?}");
    let delivery: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(delivery["event"], "\u{9b}2J\u{202e}\u{1b}[2J");
    assert_eq!(delivery["body"]["s"], "\u{85}\u{7f}\u{e0001}");
    assert_eq!(delivery["headers"]["cookie"], "•••");
    assert_eq!(listening.end(Signal::TERM), Some(0));
}

#[test]
fn json_has_every_field_of_a_delivery() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("secret");
    std::fs::write(&file, format!("{SECRET}\n")).unwrap();
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
    let args = ["--json", "--forward", "http://127.0.0.1:1/", "--secret-file", file.to_str().unwrap()];
    let mut listening = Listening::start(&mut command(&args), 2);
    assert!(listening.said.ends_with("Forwarding to http://127.0.0.1:1/\n"), "{}", listening.said);
    let body = json!({"id": 7, "duration": 5, "finished_at": "now"});
    assert_eq!(listening.post_signed(SECRET, &body.to_string()), "502");
    let mut delivery = listening.json();
    let received = delivery["received_at"].take();
    assert!(received.as_str().unwrap().parse::<Timestamp>().is_ok(), "{received}");
    let headers = delivery["headers"].take();
    assert_eq!(headers["webhook-id"], "msg_1");
    assert_eq!(
        delivery,
        json!({
            "number": 1, "received_at": null, "path": "/hook", "webhook_id": "msg_1", "event": "call_completed",
            "conversation_id": null, "call_id": 7, "status": 502, "forward_error": "connection refused",
            "signature": "valid", "signature_detail": "signature valid", "headers": null, "body": body,
        })
    );
    assert_eq!(listening.post("", "no JSON"), "502");
    let delivery = listening.json();
    assert_eq!((&delivery["signature"], &delivery["body"]), (&json!("missing"), &json!("no JSON")));
}

#[test]
fn end_of_the_reader_ends_it_quietly() {
    let mut listening = Listening::start(&mut command(&["--json"]), 2);
    listening.post("", "{}");
    listening.json();
    drop(listening.stdout.take());
    // The write after the reader is gone fails; what was received is answered all the same.
    listening.post("", "{}");
    assert_eq!(listening.child.wait().unwrap().code(), Some(0));
}

#[test]
fn mistakes_are_refused_without_showing_the_secret() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("secret");
    std::fs::write(&file, "very-secret").unwrap();
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
    let file = file.to_str().unwrap();
    for (args, code, text) in [
        (["--secret-file", file].as_slice(), 2, "is readable by others"),
        (&["--secret", ""], 2, "the signing secret is empty"),
        (&["--secret", "very-secret", "--secret-file", file], 2, "cannot be used with"),
        (&["--forward", "ftp://127.0.0.1/"], 2, "cannot forward to this URL"),
        (&["--forward", "nowhere"], 2, "--forward"),
    ] {
        let output = output(args);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {errors}");
        assert!(errors.contains(text) && !errors.contains("very-secret"), "{args:?}: {errors}");
    }
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = output(&["--port", &port]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(errors.starts_with(&format!("error: cannot listen on 127.0.0.1:{port}: ")), "{errors}");
}
