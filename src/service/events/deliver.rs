//! The loop that takes deliveries from the queue: a few at a time for each user, so that a slow receiver of one keeps
//! nobody else waiting, and so many in a while at most, so that no backlog does.

use super::places::{Places, Speed};
use super::secret;
use super::send::{WebhookRequest, WebhookSender};
use crate::service::state::State;
use crate::service::store::{Attempt, AttemptResult, DueDelivery, Leased, StoreError};
use futures_util::future::OptionFuture;
use jiff::Timestamp;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// The pauses before an attempt is repeated; after the last one it is given up.
const PAUSES: [Duration; 3] = [Duration::from_secs(30), Duration::from_secs(60), Duration::from_secs(120)];
/// Between two looks at the queue. Attempts that end at once and writes that follow one another give way to all else.
const ROUND: Duration = Duration::from_millis(10);
/// How often the queue is looked at where another process may have asked for a delivery to be sent again.
const LOOK_AGAIN: Duration = Duration::from_secs(15);
/// The pause after the store has failed.
const STORE_PAUSE: Duration = Duration::from_secs(1);
/// How long deliveries under way have to arrive when the service ends. Those that do not are sent again after the next
/// start.
const GRACE: Duration = Duration::from_secs(3);
/// An attempt that took so long was slow, whatever came of it.
const SLOW: Duration = Duration::from_secs(2);

/// An attempt that is over, and whose it was.
struct Ended {
    user_id: i64,
    speed: Speed,
    attempt: Attempt,
}

/// Delivers until the service is to end. `watched_by_others` says that other processes may write to the queue.
pub async fn deliver(state: Arc<State>, watched_by_others: bool) {
    let sender = Arc::new(WebhookSender::new(state.faults.is_some()));
    // Tasks, which go on while the queue is read and written.
    let mut under_way = JoinSet::new();
    let (mut places, mut last_user) = (Places::default(), 0);
    let mut writes = state.store.subscribe();
    // Whoever leased something before this start has ended.
    on_store(&state, |state| state.store.release_leases(None)).await;
    while !state.stop.is_cancelled() {
        let round = Instant::now();
        writes.mark_unchanged();
        let mut at = places.clone();
        let leased = on_store(&state, move |state| take(state, &mut at, last_user)).await.unwrap_or_default();
        for due in &leased.deliveries {
            places.begin(due.user_id);
        }
        last_user = leased.last_user;
        let (next, is_unfinished) = (leased.next, leased.is_unfinished);
        for due in leased.deliveries {
            under_way.spawn(attempt(Arc::clone(&state), Arc::clone(&sender), due));
        }
        let look_again: OptionFuture<_> = watched_by_others.then(|| tokio::time::sleep(LOOK_AGAIN)).into();
        let mut ended = None;
        tokio::select! {
            Some(first) = under_way.join_next() => ended = Some(first),
            // The store outlives this task.
            _ = writes.changed() => {}
            () = state.clock.until_any(next) => {}
            Some(()) = look_again => {}
            () = std::future::ready(()), if is_unfinished => {}
            () = state.stop.cancelled() => break,
        }
        if state.stop.run_until_cancelled(tokio::time::sleep_until(round + ROUND)).await.is_none() {
            break;
        }
        // All that has ended meanwhile is written down at once.
        let more = std::iter::from_fn(|| under_way.try_join_next());
        // An attempt does not panic; if one did, its lease would end.
        let attempts: Vec<_> = ended.into_iter().chain(more).flatten().collect();
        for ended in &attempts {
            places.end(ended.user_id, ended.speed);
        }
        record(&state, attempts).await;
    }
    let landed = async {
        while let Some(ended) = under_way.join_next().await {
            record(&state, ended.into_iter().collect()).await;
        }
    };
    // What has not arrived by then stays in the queue.
    let _ = tokio::time::timeout(GRACE, landed).await;
}

/// The deliveries to send now, and when the next one is due.
fn take(state: &State, places: &mut Places, last_user: i64) -> Result<Leased, StoreError> {
    let today = Timestamp::now();
    state.store.release_leases(Some(today))?;
    let free = |user_id| {
        let free = places.free(user_id);
        (0..free).for_each(|_| places.begin(user_id));
        free
    };
    state.store.lease_deliveries((state.clock.now(), today), last_user, free)
}

/// Runs `work` where it may wait for the database. Nothing where that fails, after a pause.
async fn on_store<T: Send + 'static>(
    state: &Arc<State>,
    work: impl FnOnce(&State) -> Result<T, StoreError> + Send + 'static,
) -> Option<T> {
    let shared = Arc::clone(state);
    let why = match tokio::task::spawn_blocking(move || work(&shared)).await {
        Ok(Ok(done)) => return Some(done),
        Ok(Err(error)) => error.to_string(),
        Err(error) => error.to_string(),
    };
    tracing::error!(why, "the queue of deliveries cannot be read or written");
    state.stop.run_until_cancelled(tokio::time::sleep(STORE_PAUSE)).await;
    None
}

/// Writes down what came of attempts, however often that takes: what is not written down is sent twice.
async fn record(state: &Arc<State>, ended: Vec<Ended>) {
    let attempts: Arc<[Attempt]> = ended.into_iter().map(|ended| ended.attempt).collect();
    while !attempts.is_empty() {
        let these = Arc::clone(&attempts);
        if on_store(state, move |state| state.store.record_attempts(&these)).await.is_some()
            || state.stop.is_cancelled()
        {
            return;
        }
    }
}

/// Tries a delivery once.
async fn attempt(state: Arc<State>, sender: Arc<WebhookSender>, due: DueDelivery) -> Ended {
    let (id, user_id, resends, begin) = (due.id, due.user_id, due.resends, Instant::now());
    let retry = usize::try_from(due.tries).ok().and_then(|tries| PAUSES.get(tries)).copied();
    let result = match send(&state, &sender, due).await {
        Ok(()) => AttemptResult::Delivered,
        Err(error) => {
            let again = retry.map(|pause| state.clock.now().saturating_add(pause).unwrap_or(Timestamp::MAX));
            AttemptResult::Failed { error, again }
        }
    };
    let speed = match &result {
        _ if begin.elapsed() >= SLOW => Speed::Slow,
        AttemptResult::Delivered => Speed::Answered,
        AttemptResult::Failed { .. } => Speed::Refused,
    };
    Ended { user_id, speed, attempt: Attempt { id, resends, result, at: state.clock.now() } }
}

async fn send(state: &Arc<State>, sender: &WebhookSender, due: DueDelivery) -> Result<(), String> {
    let (shared, user_id) = (Arc::clone(state), due.user_id);
    let secret =
        tokio::task::spawn_blocking(move || secret::of_user(&shared.store, user_id).map_err(|error| error.to_string()));
    let secret = secret.await.map_err(|error| error.to_string()).flatten().map_err(|error| {
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
