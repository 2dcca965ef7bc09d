//! The API keys pane, against the real service.

use super::snapshots::picture;
use crate::support::inside::Inside;
use crate::support::story::{Clocked as _, Story};
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;
use switchboard::ui::Options;

/// Tokens differ in each run.
const FILTERS: &[(&str, &str)] = &[(r"[0-9]+\|[A-Za-z0-9]{20,}", "[token]")];

fn story(size: (u16, u16), options: Options) -> Story<Inside> {
    let mut story = Story(Inside::small_with(size, options));
    story.sees("page 1 of 3").press("7").sees("API KEYS").sees("LAST USED");
    story
}

/// Creates a key, up to the sight of its token.
fn create(story: &mut Story<Inside>, name: &str) {
    story.press("c").sees("Create an API key").types(name).press("enter").sees(&format!("Token of {name}"));
}

#[test]
fn new_token_is_shown_once_and_does_not_close_before_it_is_kept() {
    for (size, at) in [((120, 40), "120x40"), ((80, 24), "80x24")] {
        let mut story = story(size, Options::default());
        story.press("c").sees("Create an API key");
        picture(&mut story, &format!("api_keys_create_{at}"), FILTERS);
        story.press("esc");
        create(&mut story, "nightly");
        picture(&mut story, &format!("api_keys_token_{at}"), FILTERS);
        story.press("esc").sees("Copy or save the token first").press("1 7").sees("Token of nightly");
        story.press("y").sees("Copied to the clipboard").press("esc").sees_no_more("Token of nightly");
        story.sees("nightly").sees("never");
        picture(&mut story, &format!("api_keys_{at}"), FILTERS);
    }
}

#[test]
fn token_is_saved_to_a_private_file_and_no_file_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nightly.token");
    let options = Options { token_file: Some(folder.path().join("live.token")), ..Options::default() };
    let mut story = story((120, 40), options);
    create(&mut story, "nightly");
    std::fs::write(&file, "something else").unwrap();
    story.press("s").sees("Save the token").press("enter").sees("already exists and is");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "something else");
    std::fs::remove_file(&file).unwrap();
    story.press("enter").sees("Saved to");
    let token = std::fs::read_to_string(&file).unwrap();
    assert!(token.contains('|'), "{token}");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn quitting_with_an_unkept_token_asks_first() {
    let mut story = story((120, 40), Options::default());
    create(&mut story, "nightly");
    story.press("ctrl-c").sees("neither copied nor saved").press("ctrl-c");
    story.0.ends();
}

#[test]
fn key_is_deleted_once_its_name_is_typed() {
    let mut story = story((80, 24), Options::default());
    create(&mut story, "nightly");
    story
        .press("y esc")
        .press("/")
        .types("nightly")
        .press("enter")
        .sees("1 of 1 (of 2)")
        .press("d")
        .sees("Delete this API key?");
    picture(&mut story, "api_keys_delete_80x24", FILTERS);
    story.types("nightl").press("enter").sees("Delete this API key?").types("y").press("enter");
    story.sees("Deleted: nightly").press("esc").sees("World file").sees_no_more("(of ");
}

#[test]
fn rotation_replaces_the_profiles_token_and_deletes_the_old_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("live.token");
    std::fs::write(&file, "1|old").unwrap();
    let options = Options { token_file: Some(file.clone()), ..Options::default() };
    let mut story = story((120, 40), options);
    story.sees("in use").press("R").sees("Rotate the key in use?").sees("live.token");
    story.sees("Deletes the old key");
    story.0.pass(Duration::from_secs(2));
    story.press("y").sees("Rotated:").sees("in use");
    story.press("d").sees("Switchboard will be signed out").press("esc");
    let token = std::fs::read_to_string(&file).unwrap();
    assert!(token.contains('|') && !token.contains("old"), "{token}");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn key_in_use_is_known_after_the_token_was_replaced_from_outside() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("live.token");
    std::fs::write(&file, "1|old").unwrap();
    let mut story = story((120, 40), Options { token_file: Some(file.clone()), ..Options::default() });
    create(&mut story, "nightly");
    story.press("y esc").press("/").types("nightly").press("enter").sees("1 of 1 (of 2)").sees_no_more("in use");
    std::fs::write(&file, "2|new").unwrap();
    story.0.server.fault(&serde_json::json!({"path": "/user/api-keys", "status": 401, "count": 1}));
    story.press("r").sees("token refused").press("r").sees("in use");
    story.press("d").sees("Switchboard will be signed out").press("f1 1").sees("Keys that work here");
    story.press("esc").sees("Switchboard will be signed out");
}

#[test]
fn rotation_says_why_it_cannot_be_done() {
    let mut story = story((120, 40), Options::default());
    story.press("R").sees("Not now: this profile's token is not in a token_file");
}

#[test]
fn read_only_offers_no_write() {
    let mut story = story((120, 40), Options { read_only: true, ..Options::default() });
    story.press("c").sees("Not now: this is read-only").sees_no_more("create");
}
