//! Ends chats in which nobody has written for as long as their assistant waits, in the service's time.

use super::state::State;
use super::store::StoreError;
use jiff::Timestamp;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// The pause after something was written, before it is looked for who falls silent next: silences last minutes, and a
/// busy service writes all the time.
const SETTLE: Duration = Duration::from_secs(1);
/// The pause between some that end and some more.
const GIVE_WAY: Duration = Duration::from_millis(5);
/// The pause after the store failed.
const PAUSE: Duration = Duration::from_secs(1);

/// Ends what is due until the service is to end. While nothing is written it sleeps.
pub async fn run(state: Arc<State>) {
    let mut writes = state.store.subscribe();
    let mut round = async || {
        writes.mark_unchanged();
        let due = match end_some(&state) {
            // The end of the service, and whoever else writes, get their turn in between.
            Ok(ControlFlow::Continue(())) => return tokio::time::sleep(GIVE_WAY).await,
            Ok(ControlFlow::Break(due)) => due,
            Err(error) => {
                tracing::warn!(%error, "silent chats do not end");
                return tokio::time::sleep(PAUSE).await;
            }
        };
        tokio::select! {
            () = state.clock.until_any(due) => {}
            // The store outlives this task.
            _ = writes.changed() => tokio::time::sleep(SETTLE).await,
        }
    };
    while state.stop.run_until_cancelled(round()).await.is_some() {}
}

/// Ends some of what is due; when the next is due, unless there may be more.
fn end_some(state: &State) -> Result<ControlFlow<Option<Timestamp>>, StoreError> {
    let now = state.clock.now();
    let next = state.store.next_silence()?;
    if next.is_some_and(|due| due <= now) && state.store.end_some_silent(now)? {
        return Ok(ControlFlow::Continue(()));
    }
    state.store.next_silence().map(ControlFlow::Break)
}

/// Ends what is due by now. Whoever moves the clock calls it, so that what follows from that is there at once.
///
/// # Errors
/// Where the database fails.
pub fn end_due(state: &State) -> Result<(), StoreError> {
    state.store.end_silent(state.clock.now())
}
