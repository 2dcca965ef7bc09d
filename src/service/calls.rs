//! Keeps calls going: each step is taken when the service's clock gets there.

use super::state::State;
use super::store::StoreError;
use std::sync::Arc;
use std::time::Duration;

/// The pause after the store failed.
const PAUSE: Duration = Duration::from_secs(1);

/// Takes the steps of all calls until the service is to end. While nobody calls it sleeps.
pub async fn run(state: Arc<State>) {
    while state.stop.run_until_cancelled(next_steps(&state)).await.is_some() {}
}

async fn next_steps(state: &State) {
    let due = match state.store.next_call_step() {
        Ok(due) => due,
        Err(error) => return failed(&error).await,
    };
    tokio::select! {
        () = state.clock.until_any(due) => {}
        () = state.call_began.notified() => {}
    }
    if let Err(error) = advance(state) {
        failed(&error).await;
    }
}

async fn failed(error: &StoreError) {
    tracing::warn!(%error, "calls do not go on");
    tokio::time::sleep(PAUSE).await;
}

/// Takes the steps that are due, as whoever moves the clock wants it before anybody looks.
///
/// # Errors
/// Where the store fails.
pub fn advance(state: &State) -> Result<(), StoreError> {
    state.store.advance_calls(state.clock.now())
}
