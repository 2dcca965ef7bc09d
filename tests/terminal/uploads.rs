//! Uploads, and the end of the program.

use crate::support::pty::Terminal;
use crate::support::server::Server;
use crate::support::story::Story;
use rusqlite::Connection;
use rustix::process::Signal;
use serde_json::json;
use switchboard::records::Records;
use switchboard::service::Clock;

const WORLD: &str = "[[users]]\nemail = \"ada@example.com\"\ntokens = [\"ada\"]\n\
                     [[users.knowledgebases]]\nname = \"Handbook\"\n";
const PATH: &str = "/user/knowledgebases/1/documents";

/// Kills the program while it uploads a file of this size; the documents at the server, and the status in the queue.
fn killed(size: usize) -> (usize, String) {
    let server = Server::start(WORLD, Clock::system());
    let mut story = Story(Terminal::on((120, 40), server, ""));
    let file = story.0.home.path().join("manual.txt");
    std::fs::write(&file, vec![b'x'; size]).unwrap();
    story.press("4").sees("▌Handbook").press("enter").sees("No documents").press("u").sees("Add files to Handbook");
    story.types(file.to_str().unwrap()).press("enter").sees("1 ready").press("ctrl-s").sees("Upload 1 file?");
    let server = story.0.server.as_ref().unwrap();
    server.fault(&json!({"path": PATH, "latency_ms": 600_000, "count": 1}));
    story.0.rests();
    let moves = |line: &String| line.contains(" %") && !line.contains(" 0 %");
    story.press("y").waits("progress", |screen| screen.lines().iter().any(moves)).0.signal(Signal::KILL);
    story.0.ends();
    let dir = story.0.home.path().join(".local/state/switchboard");
    // The next start.
    drop(Records::open(&dir).unwrap());
    let records = Connection::open(dir.join("records.db")).unwrap();
    let status = records.query_row("SELECT status FROM uploads", [], |row| row.get(0)).unwrap();
    story.0.server.as_ref().unwrap().fault(&json!({"clear": true}));
    let documents = story.0.server.as_ref().unwrap().get(PATH);
    (documents["data"].as_array().unwrap().len(), status)
}

/// How much of the file is on its way when the program dies is up to the machine: a whole one may become a document.
#[test]
fn upload_in_flight_when_the_program_is_killed_is_unknown_and_at_most_one_document() {
    for size in [20 * 1024 * 1024, 1000] {
        let (documents, status) = killed(size);
        assert!(documents <= 1, "{documents}");
        assert_eq!(status, "unknown");
    }
}
