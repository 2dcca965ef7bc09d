// Another process that holds the database holds up who writes, and nobody else.

use crate::backlog::{database, on};
use crate::support::{ADA, BOB, Service, client};
use reqwest::{Method, Response};
use rusqlite::Connection;
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// A request that writes.
fn write(service: &Service) -> impl Future<Output = reqwest::Result<Response>> + use<> {
    let url = format!("{}/user/api-keys", service.running.base_url);
    client().request(Method::POST, url).bearer_auth(ADA).json(&json!({"name": "k"})).send()
}

#[tokio::test]
async fn who_only_reads_does_not_wait_for_the_lock_of_another_process() {
    let (_folder, path) = database().await;
    let service = on(&path, false).await;
    let held = Connection::open(&path).unwrap();
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    let writes: Vec<_> = (0..8).map(|_| tokio::spawn(write(&service))).collect();
    timeout(Duration::from_secs(2), async {
        for _ in 0..20 {
            service.get(BOB, "/user/me").await.is(200);
            service.get(ADA, "/user/conversations").await.is(200);
            // Writes arrive in between, whichever comes first.
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("readers wait for writers");
    held.execute_batch("ROLLBACK").unwrap();
    for write in writes {
        assert_eq!(write.await.unwrap().unwrap().status(), 201);
    }
}

#[tokio::test]
async fn writes_that_wait_for_another_process_are_refused_together_and_hardly_delay_the_end() {
    let (_folder, path) = database().await;
    let service = on(&path, false).await;
    let held = Connection::open(&path).unwrap();
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    let writes: Vec<_> = (0..30).map(|_| tokio::spawn(write(&service))).collect();
    let start = Instant::now();
    for write in writes {
        assert_eq!(write.await.unwrap().unwrap().status(), 503);
    }
    // One by one they would wait for two and a half minutes, by twos for 75 seconds.
    assert!(start.elapsed() < Duration::from_secs(30));
    held.execute_batch("ROLLBACK").unwrap();
    assert_eq!(write(&service).await.unwrap().status(), 201);
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    timeout(Duration::from_secs(9), service.running.shutdown()).await.expect("the end waits for the lock");
}
