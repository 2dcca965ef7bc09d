//! `switchboard serve`, as the process that it is.

use crate::support::{ADA, WORLD, client};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};

pub struct Served {
    child: Child,
    stdout: BufReader<ChildStdout>,
}

impl Served {
    pub fn start(args: &[&str]) -> Self {
        Self::run(&mut command(args))
    }

    pub fn run(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Self { child, stdout }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// The value of the next ready line.
    pub fn ready(&mut self, name: &str) -> String {
        let line = self.line();
        line.strip_prefix(&format!("{name}=")).unwrap_or_else(|| panic!("{line} is not {name}")).to_owned()
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What it says where it does not start.
    pub fn refusal(mut self) -> String {
        assert_eq!(self.line(), "", "it starts");
        let mut errors = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(1), "{errors}");
        errors
    }

    pub fn end(mut self, signal: Signal) -> (Option<i32>, String) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
        let mut errors = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        (self.child.wait().unwrap().code(), errors)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // A test that failed leaves nothing running; one that did not has already waited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    command.arg("serve").args(args).env_remove("RUST_LOG");
    command
}

pub fn world(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.toml");
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

#[tokio::test]
async fn it_says_where_it_is_and_ends_in_peace() {
    let (_folder, path) = world(WORLD);
    for signal in [Signal::TERM, Signal::INT] {
        let mut served = Served::start(&["--listen", "127.0.0.1:0", "--world", path.to_str().unwrap(), "--sandbox"]);
        let base_url = served.ready("SWITCHBOARD_BASE_URL");
        let token = served.ready("SWITCHBOARD_TOKEN");
        assert_eq!(token, ADA);
        let answer = client().get(format!("{base_url}/user/conversations")).bearer_auth(token).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        let (code, errors) = served.end(signal);
        assert_eq!((code, errors.as_str()), (Some(0), ""));
    }
}

#[tokio::test]
async fn a_database_opened_again_without_its_world_tells_no_token_and_says_why() {
    let (folder, path) = world(WORLD);
    let data = folder.path().join("data.db");
    let args = ["--listen", "127.0.0.1:0", "--data", data.to_str().unwrap()];
    let mut served = Served::start(&[&args[..], &["--world", path.to_str().unwrap()]].concat());
    served.ready("SWITCHBOARD_BASE_URL");
    served.ready("SWITCHBOARD_TOKEN");
    assert_eq!(served.end(Signal::TERM).0, Some(0));

    let mut served = Served::start(&args);
    let base_url = served.ready("SWITCHBOARD_BASE_URL");
    let answer = client().get(format!("{base_url}/user/api-keys")).bearer_auth(ADA).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    drop(answer);
    let (code, errors) = served.end(Signal::TERM);
    assert_eq!(code, Some(0));
    assert!(errors.contains("no token to show"), "{errors}");
}

#[tokio::test]
async fn after_a_clean_end_the_database_is_one_file() {
    let (folder, path) = world(WORLD);
    let data = folder.path().join("data.db");
    let args = ["--listen", "127.0.0.1:0", "--data", data.to_str().unwrap(), "--world", path.to_str().unwrap()];
    let mut served = Served::start(&args);
    let base_url = served.ready("SWITCHBOARD_BASE_URL");
    let answer = client().get(format!("{base_url}/user/conversations")).bearer_auth(ADA).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    drop(answer);
    assert_eq!(served.end(Signal::TERM).0, Some(0));
    let log = std::fs::metadata(folder.path().join("data.db-wal")).map_or(0, |log| log.len());
    assert_eq!(log, 0, "bytes that a copy of the file would miss");
}

#[test]
fn a_mistake_in_the_world_is_named_with_its_line_and_stops_the_start() {
    let (_folder, path) = world("[[users]]\nemail = \"a@b.c\"\nnonsense = 1\n");
    let output = command(&["--listen", "127.0.0.1:0", "--world", path.to_str().unwrap()]).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("world.toml: line 3:"), "{errors}");
    assert!(output.stdout.is_empty());

    let output = command(&["--listen", "127.0.0.1:0", "--world", "/nowhere.toml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[tokio::test]
async fn the_channels_word_is_a_flag_and_a_wrong_one_stops_the_start() {
    let (_folder, path) = world(WORLD);
    let args = ["--listen", "127.0.0.1:0", "--world", path.to_str().unwrap(), "--channel"];
    let mut served = Served::start(&[&args[..], &["whatsapp"]].concat());
    let base_url = served.ready("SWITCHBOARD_BASE_URL");
    let answer = client().get(format!("{base_url}/user/whatsapp/senders")).bearer_auth(ADA).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    drop(answer);
    assert_eq!(served.end(Signal::TERM).0, Some(0));
    for wrong in ["WhatsApp", "widget"] {
        assert_eq!(command(&[&args[..], &[wrong]].concat()).output().unwrap().status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn an_address_in_use_is_said_plainly() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = command(&["--listen", &address]).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains(&format!("cannot listen on {address}")), "{errors}");
}

#[test]
fn a_file_that_is_no_database_is_refused() {
    let (_folder, path) = world(&"This is no database. ".repeat(100));
    let output = command(&["--listen", "127.0.0.1:0", "--data", path.to_str().unwrap()]).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("cannot open the database"), "{errors}");
}
