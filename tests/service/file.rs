// The file of the database: one service at a time has it, by whatever name, and nothing is answered once it is gone.

use crate::serve::{Served, command};
use crate::support::{ADA, WORLD, client};
use rusqlite::Connection;
use rustix::process::Signal;
use serde_json::json;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A service on `data.db` in a folder, started in that folder by the name of `data`.
fn start(folder: &TempDir, data: &str) -> Served {
    let world = folder.path().join("world.toml");
    fs::write(&world, WORLD).unwrap();
    let args = ["--listen", "127.0.0.1:0", "--world", world.to_str().unwrap(), "--data", data];
    let mut command = command(&args);
    command.current_dir(folder);
    Served::run(&mut command)
}

/// What a service that does not start says.
fn refusal(data: &Path) -> String {
    Served::start(&["--listen", "127.0.0.1:0", "--data", data.to_str().unwrap()]).refusal()
}

#[test]
fn a_second_service_is_refused_by_a_hard_link_and_without_the_pid_file() {
    let folder = tempfile::tempdir().unwrap();
    let [data, link] = ["data.db", "link.db"].map(|name| folder.path().join(name));
    let mut served = start(&folder, "data.db");
    served.ready("SWITCHBOARD_BASE_URL");
    let named = format!("is served by process {} already", served.pid());
    fs::hard_link(&data, &link).unwrap();
    assert!(refusal(&link).contains(&named));
    fs::remove_file(folder.path().join("data.db.pid")).unwrap();
    assert!(refusal(&data).contains(&named));
    assert!(!folder.path().join("link.db-wal").exists());
    assert_eq!(served.end(Signal::TERM).0, Some(0));
    assert!(refusal(&data).contains("2 names"));
}

#[test]
fn a_name_that_looks_like_a_uri_is_that_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut served = start(&folder, "file:data.db");
    served.ready("SWITCHBOARD_BASE_URL");
    assert!(folder.path().join("file:data.db-wal").exists());
    assert!(!folder.path().join("data.db").exists());
    assert_eq!(served.end(Signal::TERM).0, Some(0));
}

#[tokio::test]
async fn nothing_is_acknowledged_once_the_file_is_gone_and_the_log_says_so_once() {
    for ending in ["", "-wal"] {
        let folder = tempfile::tempdir().unwrap();
        let mut served = start(&folder, "data.db");
        let root = served.ready("SWITCHBOARD_BASE_URL");
        let keys = client().get(format!("{root}/user/api-keys")).bearer_auth(ADA);
        let make = client().post(format!("{root}/user/api-keys")).bearer_auth(ADA).json(&json!({"name": "k"}));
        let status = async |request: &reqwest::RequestBuilder| {
            request.try_clone().unwrap().send().await.unwrap().status().as_u16()
        };
        assert_eq!([status(&make).await, status(&keys).await], [201, 200]);
        let (path, aside) = (folder.path().join(format!("data.db{ending}")), folder.path().join("aside"));
        fs::rename(&path, &aside).unwrap();
        for request in [&make, &keys, &make] {
            assert_eq!(status(request).await, 503, "{ending}");
        }
        let gone = make.try_clone().unwrap().send().await.unwrap();
        assert_eq!(gone.json::<serde_json::Value>().await.unwrap(), json!({"message": "Service Unavailable"}));
        fs::rename(&aside, &path).unwrap();
        assert_eq!([status(&make).await, status(&keys).await], [201, 200], "{ending}");
        drop((make, keys));
        let (code, errors) = served.end(Signal::TERM);
        assert_eq!((code, errors.matches("every request is refused").count()), (Some(0), 1), "{errors}");
    }
}

#[test]
fn a_file_that_took_the_place_of_a_served_one_is_not_served() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data.db");
    let mut served = start(&folder, "data.db");
    served.ready("SWITCHBOARD_BASE_URL");
    fs::remove_file(&data).unwrap();
    assert!(refusal(&data).contains(&format!("process {}", served.pid())));
    assert_eq!(served.end(Signal::TERM).0, Some(0));
}

#[test]
fn a_foreign_database_stays_as_it_is() {
    for (sql, named) in [
        ("CREATE VIEW v AS SELECT 1", "it has the view v"),
        ("PRAGMA user_version = 3", "it lacks the index"),
        ("PRAGMA journal_mode = WAL; CREATE TABLE notes (text TEXT)", "it has the table notes"),
        ("CREATE TABLE notes (text TEXT); PRAGMA application_id = 0x53574253", "it has the table notes"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data.db");
        Connection::open(&data).unwrap().execute_batch(sql).unwrap();
        let before = fs::read(&data).unwrap();
        let errors = refusal(&data);
        assert!(errors.contains(named), "{errors}");
        assert!(fs::read(&data).unwrap() == before, "{sql}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "{sql}");
    }
}
