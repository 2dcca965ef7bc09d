// Nobody stops it: what one caller leaves behind keeps nobody else waiting.

use crate::receiver::Receiver;
use crate::support::{BOB, Service, WORLD, noon, options};
use rusqlite::Connection;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Duration;
use switchboard::service::{Clock, Data, Options};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::time::timeout;

/// Far more than an answer takes, and far less than the backlog would.
const SOON: Duration = Duration::from_secs(5);

/// A database of the small world, for a service that starts later.
pub async fn database() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.db");
    on(&path, false).await.running.shutdown().await;
    (folder, path)
}

pub async fn on(path: &Path, sandbox: bool) -> Service {
    let options = Options { data: Data::File(path.to_owned()), sandbox, ..options(WORLD) };
    Service::at(options, Clock::fixed(noon())).await
}

/// Lets so many deliveries of a user be due. Each is the only one of its subject.
fn queue(path: &Path, user: i64, url: &str, count: i64) {
    let database = Connection::open(path).unwrap();
    let body = "x".repeat(2_000);
    database
        .execute(
            "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < $1) \
             INSERT INTO webhook_deliveries (user_id, event, subject, webhook_id, url, body, attempts, tries, due_at, created_at) \
             SELECT $2, 'conversation_ended', 'conversation:' || $2 || '-' || n, 'msg_' || $2 || '_' || n, $3, $4, 0, 0, 0, 0 FROM n",
            (count, user, url, body),
        )
        .unwrap();
}

#[tokio::test]
async fn a_backlog_whose_attempts_end_at_once_keeps_nobody_waiting_nor_the_end() {
    let (_folder, path) = database().await;
    // Outside a sandbox nothing goes to a neighbour: each attempt ends at once.
    queue(&path, 1, "http://127.0.0.1:9/", 60_000);
    let service = on(&path, false).await;
    timeout(SOON, async {
        for _ in 0..50 {
            service.get(BOB, "/user/me").await.is(200);
            service.post(BOB, "/api/user/api-keys", json!({"name": "k"})).await.is(201);
        }
    })
    .await
    .expect("others wait for the backlog");
    timeout(SOON, service.running.shutdown()).await.expect("the end waits for the backlog");
}

#[tokio::test]
async fn receivers_that_never_answer_leave_places_for_those_that_do() {
    let (_folder, path) = database().await;
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", silent.local_addr().unwrap());
    let accounts = "INSERT INTO users (id, email, kind, balance_micros, tool_limit, is_simulated, created_at) \
                    VALUES ($1, $1 || '@b.c', 'tenant', 0, 5, FALSE, 0)";
    for user in 100..116 {
        Connection::open(&path).unwrap().execute(accounts, [user]).unwrap();
        queue(&path, user, &url, 20);
    }
    let mut receiver = Receiver::start().await;
    Connection::open(&path).unwrap().execute(accounts, [200]).unwrap();
    queue(&path, 200, &receiver.url, 10);
    let service = on(&path, true).await;
    timeout(SOON, async {
        for _ in 0..10 {
            receiver.next().await;
        }
    })
    .await
    .expect("the silent ones have all places");
    drop(service);
}

#[tokio::test]
async fn a_backlog_leaves_at_fifty_a_second_and_more() {
    let (_folder, path) = database().await;
    let mut receiver = Receiver::start().await;
    queue(&path, 1, &receiver.url, 20_000);
    let service = on(&path, true).await;
    timeout(SOON, async {
        for _ in 0..200 {
            receiver.next().await;
        }
    })
    .await
    .expect("deliveries leave too slowly");
    drop(service);
}
