//! What was typed into a form outlives the program, however it ends.

use crate::support::pty::{self, Terminal};
use crate::support::server::Server;
use crate::support::story::{PATIENCE, Story};
use rustix::process::Signal;
use std::time::{Duration, Instant};
use switchboard::records::{Records, StorageReply, StorageRequest};
use switchboard::service::Clock;
use tempfile::TempDir;

const WORLD: &str = r#"
[[users]]
email = "ada@example.com"
tokens = ["token-of-ada"]
[[users.knowledgebases]]
name = "Customer handbook"
"#;

/// The documents of the knowledgebase, in this home.
fn documents(server: Server, home: TempDir) -> Story<Terminal> {
    let program = pty::dashboard(&home).args(["--base-url", &server.base_url()]);
    let program = program.env("SWITCHBOARD_TOKEN", server.token.expose());
    let mut story = Story(Terminal::run((100, 30), program, home));
    story.0.server = Some(server);
    story.sees("page 1 of 1").press("4").sees("Customer handbook").press("enter").sees("No documents");
    story
}

/// Waits until the form is stored; there is no sign of that on screen.
fn is_stored(story: &mut Story<Terminal>, form: &str) -> bool {
    let records = Records::open(&story.0.home.path().join(".local/state/switchboard")).unwrap();
    let profile = story.0.server.as_ref().unwrap().address.to_string();
    let request = StorageRequest::LoadFormDraft(form.to_owned());
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        let found = records.store(&profile, &request, jiff::Timestamp::UNIX_EPOCH).unwrap();
        if matches!(found, StorageReply::FormDraft(Some(_))) {
            return true;
        }
        story.0.is_quiet(Duration::from_millis(50));
    }
    false
}

#[test]
fn a_killed_program_loses_nothing_that_was_typed() {
    let mut first = documents(Server::start(WORLD, Clock::system()), TempDir::new().unwrap());
    first.press("c").sees("ADD A WEBSITE").types("受付 Café").press("tab tab").types("https://example.com");
    assert!(is_stored(&mut first, "website of knowledgebase 1"));
    first.0.signal(Signal::KILL);
    first.0.ends();
    let (server, home) =
        (first.0.server.take().unwrap(), std::mem::replace(&mut first.0.home, TempDir::new().unwrap()));
    let mut second = documents(server, home);
    second.press("c").sees("draft from").sees("受付 Café").sees("https://example.com");
    second.press("ctrl-s").sees("Created: 受付 Café");
    second.0.signal(Signal::KILL);
    second.0.ends();
    let (server, home) =
        (second.0.server.take().unwrap(), std::mem::replace(&mut second.0.home, TempDir::new().unwrap()));
    assert_eq!(server.get("/user/knowledgebases/1/documents")["data"].as_array().unwrap().len(), 1);
    drop(home);
}
