//! What the queue gives out, in which order, and from which indexes.

use super::*;
use crate::api::{AssistantConfig, AssistantStatus, WebhookDeliveryStatus};
use crate::service::store::Data;
use crate::service::store::assistant_changes::insert_assistant;
use uuid::Uuid;

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

fn store(deliveries: &[(i64, &str)]) -> Store {
    let store = Store::open(&Data::Memory).unwrap();
    store
        .write(|tx| {
            for user_id in [1, 2] {
                let user = "INSERT INTO users (id, email, kind, balance_micros, tool_limit, is_simulated, created_at) \
                            VALUES ($1, $2, 'tenant', 0, 5, FALSE, 0)";
                execute(tx, user, (user_id, format!("{user_id}@b.c")))?;
            }
            let (status, config) = (AssistantStatus::Active, AssistantConfig::default());
            let assistant_id = insert_assistant(tx, 1, |_| Uuid::nil(), &status, &config, NOW)?;
            for &(user_id, subject) in deliveries {
                let (kind, subject, body) = (WebhookEvent::CallCompleted, subject.to_owned(), "{}".to_owned());
                queue(tx, &QueuedEvent { user_id, assistant_id, kind, subject, url: "http://h/", body }, NOW)?;
            }
            Ok(())
        })
        .unwrap();
    store
}

fn lease(store: &Store, now: Timestamp, of_each: usize) -> Vec<DueDelivery> {
    store.lease_deliveries((now, NOW), 0, |_| of_each).unwrap().deliveries
}

/// What could leave; nothing is kept.
fn due(store: &Store, now: Timestamp, of_each: usize) -> Vec<i64> {
    let due = lease(store, now, of_each).into_iter().map(|due| due.id).collect();
    store.release_leases(None).unwrap();
    due
}

fn record(store: &Store, id: i64, result: &AttemptResult, at: Timestamp) {
    store.record_attempts(&[Attempt { id, resends: 0, result: result.clone(), at }]).unwrap();
}

fn failed(again: Option<Timestamp>) -> AttemptResult {
    AttemptResult::Failed { error: "no".to_owned(), again }
}

fn next(store: &Store) -> Option<Timestamp> {
    store.lease_deliveries((NOW, NOW), 0, |_| 0).unwrap().next
}

#[test]
fn deliveries_of_one_subject_wait_for_each_other_and_for_no_others() {
    let store = store(&[(1, "call:1"), (1, "call:1"), (1, "call:2")]);
    assert_eq!(due(&store, NOW, 9), [1, 3]);
    let later = Timestamp::from_second(30).unwrap();
    record(&store, 1, &failed(Some(later)), NOW);
    assert_eq!(due(&store, NOW, 9), [3]);
    assert_eq!(next(&store), Some(later));
    assert_eq!(due(&store, later, 9), [3, 1]);
    record(&store, 1, &failed(None), later);
    assert_eq!(due(&store, later, 9), [2, 3]);
    record(&store, 2, &AttemptResult::Delivered, later);
    assert_eq!(due(&store, later, 9), [3]);
}

#[test]
fn each_user_has_a_share() {
    let store = store(&[(1, "call:1"), (1, "call:2"), (1, "call:3"), (2, "call:4")]);
    assert_eq!(due(&store, NOW, 2), [1, 2, 4]);
}

#[test]
fn a_delivery_that_is_asked_for_again_has_all_its_tries_again() {
    let store = store(&[(1, "call:1")]);
    record(&store, 1, &failed(None), NOW);
    assert_eq!(store.deliveries(None, 9).unwrap()[0].status, WebhookDeliveryStatus::Failed);
    assert!(!store.resend(Some(2), 1).unwrap());
    assert!(store.resend(Some(1), 1).unwrap());
    assert_eq!(lease(&store, NOW, 9)[0].tries, 0);
    assert_eq!(store.deliveries(Some(1), 9).unwrap()[0].attempts, 1);
}

#[test]
fn attempt_of_an_ended_delivery_is_its_last() {
    let store = store(&[(1, "call:1"), (1, "call:2")]);
    // The assistant has no webhook: whatever waits is outdated.
    store.write(|tx| end_outdated(tx, 1)).unwrap();
    assert_eq!(due(&store, NOW, 9), [0; 0]);
    let again = Some(Timestamp::from_second(30).unwrap());
    record(&store, 1, &failed(again), NOW);
    assert_eq!(next(&store), None);
    let listed = store.deliveries(None, 9).unwrap();
    assert!(listed.iter().all(|delivery| delivery.status == WebhookDeliveryStatus::Failed));
    assert_eq!(listed[0].last_error.as_deref(), Some("the webhook was switched off or given another URL"));
}

#[test]
fn what_is_leased_is_nobody_elses_until_the_lease_ends() {
    let store = store(&[(1, "call:1"), (1, "call:2")]);
    assert_eq!(lease(&store, NOW, 1)[0].id, 1);
    assert_eq!(lease(&store, NOW, 9).iter().map(|due| due.id).collect::<Vec<_>>(), [2]);
    let after = |seconds| NOW.checked_add(SignedDuration::from_secs(seconds)).unwrap();
    store.release_leases(Some(after(119))).unwrap();
    assert_eq!(lease(&store, NOW, 9), []);
    store.release_leases(Some(after(120))).unwrap();
    assert_eq!(lease(&store, NOW, 9).len(), 2);
    // A clock that was put back by an hour makes no lease an hour longer.
    store.release_leases(Some(after(-3600))).unwrap();
    assert_eq!(lease(&store, NOW, 9).len(), 2);
}

#[test]
fn all_users_get_their_turn_where_there_is_one_place() {
    let store = store(&[(1, "call:1"), (1, "call:2"), (2, "call:3"), (2, "call:4")]);
    let mut last = 0;
    let turns: Vec<_> = (0..4)
        .map(|_| {
            let mut free = 1;
            let taken = store.lease_deliveries((NOW, NOW), last, |_| std::mem::take(&mut free)).unwrap();
            last = taken.last_user;
            taken.deliveries[0].user_id
        })
        .collect();
    assert_eq!(turns, [1, 2, 1, 2]);
}

#[test]
fn a_delivery_asked_for_again_while_it_is_under_way_is_sent_again() {
    let store = store(&[(1, "call:1"), (1, "call:1")]);
    let taken = lease(&store, NOW, 9).remove(0);
    assert!(store.resend(Some(1), 1).unwrap());
    record(&store, taken.id, &AttemptResult::Delivered, NOW);
    let again = lease(&store, NOW, 9).remove(0);
    assert_eq!((again.id, again.tries, again.resends), (1, 0, 1));
    assert_eq!(store.deliveries(None, 9).unwrap()[1].attempts, 1);
    let result = AttemptResult::Delivered;
    store.record_attempts(&[Attempt { id: 1, resends: 1, result, at: NOW }]).unwrap();
    assert_eq!(due(&store, NOW, 9), [2]);
}

#[test]
fn what_was_asked_for_again_comes_before_what_was_queued_after_it() {
    let store = store(&[(1, "call:1"), (1, "call:1")]);
    record(&store, 1, &failed(None), NOW);
    assert_eq!(due(&store, NOW, 9), [2]);
    store.resend(None, 1).unwrap();
    assert_eq!(due(&store, NOW, 9), [1]);
}
