//! The editor of a tool, and the end of the program.

use crate::support::pty::Terminal;
use crate::support::server::Server;
use crate::support::story::Story;
use rustix::process::Signal;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;
use switchboard::service::Clock;

const WORLD: &str = "[[users]]\nemail = \"ada@example.com\"\ntokens = [\"ada\"]\n\
                     [[users.tools]]\nname = \"check_stock\"\ndescription = \"Counts.\"\n\
                     endpoint = \"https://stock.example.com\"\n";
/// Longer than a draft rests before it is saved, and than a confirm dialog before its key counts.
const RESTS: Duration = Duration::from_millis(1_400);

fn edit(story: &mut Story<Terminal>) {
    story.press("5").sees("▌check_stock").press("e").sees("EDIT check_stock");
}

#[test]
fn what_was_typed_survives_a_kill_and_a_saved_form_leaves_no_draft() {
    let server = Server::start(WORLD, Clock::system());
    let mut story = Story(Terminal::on((120, 40), server, ""));
    edit(&mut story);
    story.press("tab").types(" \u{4e88}\u{7d04} e\u{301} \u{1f469}\u{200d}\u{1f467}").press("tab tab tab tab ctrl-n");
    story.types("X-Api-Key").press("tab").types("very-secret").sees("+ X-Api-Key: •••").0.is_quiet(RESTS);
    story.0.signal(Signal::KILL);
    story.0.ends();
    let records = story.0.home.path().join(".local/state/switchboard/records.db");
    assert_eq!(std::fs::metadata(records).unwrap().permissions().mode() & 0o777, 0o600);
    story.0.again();
    edit(&mut story);
    story.sees("draft from today").sees("\u{4e88}\u{7d04}").sees("+ X-Api-Key: •••").sees_no_more("very-secret");
    story.press("ctrl-s").sees("Save check_stock?").0.is_quiet(RESTS);
    story.press("y").sees("Saved: check_stock").0.signal(Signal::KILL);
    story.0.ends();
    story.0.again();
    edit(&mut story);
    story.sees("X-Api-Key").sees("Nothing has changed").sees_no_more("draft from");
}
