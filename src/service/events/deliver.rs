//! The loop that takes deliveries from the queue: a few at a time for each user, so that a slow receiver of one keeps
//! nobody else waiting.

use super::secret;
use super::send::{WebhookRequest, WebhookSender};
use crate::service::state::State;
use crate::service::store::{AttemptResult, DueDelivery, StoreError};
use futures_util::StreamExt;
use futures_util::future::OptionFuture;
use futures_util::stream::FuturesUnordered;
use jiff::Timestamp;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

/// Deliveries under way for one user.
const FOR_EACH_USER: usize = 4;
/// Deliveries under way in all.
const AT_ONCE: usize = 64;
/// The pauses before an attempt is repeated; after the last one it is given up.
const PAUSES: [Duration; 3] = [Duration::from_secs(30), Duration::from_secs(60), Duration::from_secs(120)];
/// How often the queue is looked at where another process may have asked for a delivery to be sent again.
const LOOK_AGAIN: Duration = Duration::from_secs(15);
/// The pause after the store has failed.
const STORE_PAUSE: Duration = Duration::from_secs(1);
/// How long deliveries under way have to arrive when the service ends. Those that do not are sent again after the next
/// start.
const GRACE: Duration = Duration::from_secs(3);

/// Delivers until the service is to end. `watched_by_others` says that other processes may write to the queue.
pub async fn deliver(state: Arc<State>, watched_by_others: bool) {
    let sender = WebhookSender::new(state.faults.is_some());
    let mut under_way = FuturesUnordered::new();
    let mut taken = HashSet::new();
    let mut writes = state.store.subscribe();
    loop {
        writes.mark_unchanged();
        let next = match take(&state, &mut taken) {
            Ok((due, next)) => {
                under_way.extend(due.into_iter().map(|due| attempt(&state, &sender, due)));
                next
            }
            Err(error) => {
                tracing::error!(%error, "the queue of deliveries cannot be read");
                None
            }
        };
        let look_again: OptionFuture<_> = watched_by_others.then(|| tokio::time::sleep(LOOK_AGAIN)).into();
        tokio::select! {
            Some(id) = under_way.next() => {
                taken.remove(&id);
            }
            // The store outlives this task.
            _ = writes.changed() => {}
            () = state.clock.until_any(next) => {}
            Some(()) = look_again => {}
            () = state.stop.cancelled() => break,
        }
    }
    let landed = async { while under_way.next().await.is_some() {} };
    // What has not arrived by then stays in the queue.
    let _ = tokio::time::timeout(GRACE, landed).await;
}

/// The deliveries to send now, and when the next one is due.
fn take(state: &State, taken: &mut HashSet<i64>) -> Result<(Vec<DueDelivery>, Option<Timestamp>), StoreError> {
    let now = state.clock.now();
    let mut due = state.store.due_deliveries(now, FOR_EACH_USER)?;
    due.retain(|due| !taken.contains(&due.id));
    due.truncate(AT_ONCE.saturating_sub(taken.len()));
    taken.extend(due.iter().map(|due| due.id));
    Ok((due, state.store.next_delivery(now)?))
}

/// Tries a delivery once, writes down what came of it, and gives its number back.
async fn attempt(state: &State, sender: &WebhookSender, due: DueDelivery) -> i64 {
    let id = due.id;
    let retry = usize::try_from(due.tries).ok().and_then(|tries| PAUSES.get(tries)).copied();
    let attempted = match send(state, sender, due).await {
        Ok(()) => AttemptResult::Delivered,
        Err(error) => {
            let again = retry.map(|pause| state.clock.now().saturating_add(pause).unwrap_or(Timestamp::MAX));
            AttemptResult::Failed { error, again }
        }
    };
    while let Err(error) = state.store.record_attempt(id, &attempted, state.clock.now()) {
        tracing::error!(%error, delivery = id, "what came of a delivery cannot be written down");
        tokio::time::sleep(STORE_PAUSE).await;
    }
    id
}

async fn send(state: &State, sender: &WebhookSender, due: DueDelivery) -> Result<(), String> {
    let secret = secret::of_user(&state.store, due.user_id).map_err(|error| {
        tracing::error!(%error, "a delivery cannot be signed");
        "it could not be signed".to_owned()
    })?;
    let timestamp = state.clock.now().as_second();
    let DueDelivery { url, webhook_id, body, .. } = due;
    // The word is put in when it leaves: it may have been queued under another one.
    let body = state.channel.spell_body(body.as_bytes()).unwrap_or(body);
    let signature = secret.sign(&webhook_id, timestamp, body.as_bytes());
    let parcel = WebhookRequest { url: &url, webhook_id: &webhook_id, timestamp, signature: &signature, body };
    sender.send(parcel).await.map_err(|error| error.to_string())
}
