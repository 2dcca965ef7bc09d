//! The messaging provider at work, in the service's time: messages travel, and every 4 hours the statuses of templates
//! are asked for again. There is no other provider, so this one works outside a sandbox too.

use super::state::State;
use super::store::StoreError;
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;

/// The pause after the database failed.
const RECOVERY: SignedDuration = SignedDuration::from_secs(1);

/// Does all that is due by now. Whoever moves the clock calls it, so that what follows from that is there at once.
///
/// # Errors
/// Where the database fails.
pub fn catch_up(state: &State) -> Result<(), StoreError> {
    state.store.settle(state.clock.now())
}

/// Works until the service is to end. With nothing to do it sleeps.
pub async fn work(state: Arc<State>) {
    while state.stop.run_until_cancelled(round(&state)).await.is_some() {}
}

async fn round(state: &State) {
    let due = match catch_up(state).and_then(|()| state.store.next_step()) {
        Ok(due) => due,
        Err(error) => {
            tracing::warn!(%error, "the provider could not work");
            Some(state.clock.now().saturating_add(RECOVERY).unwrap_or(Timestamp::MAX))
        }
    };
    let woken = state.provider.notified();
    match due {
        Some(due) => tokio::select! {
            () = state.clock.until(due) => {}
            () = woken => {}
        },
        None => woken.await,
    }
}
