//! The people of a sandbox at work: every few seconds of the service's time a conversation starts, grows or ends.

use super::random_uuid;
use crate::service::simulation::people::{Happening, People};
use crate::service::state::State;
use crate::service::store::{Cast, Opening, StoreError};
use futures_util::future::join_all;
use jiff::Timestamp;
use std::sync::Arc;

/// Lets the customers of every user live until the service is to end.
pub async fn live(state: Arc<State>, casts: Vec<Cast>) {
    join_all(casts.iter().map(|cast| live_one(&state, cast))).await;
}

async fn live_one(state: &State, cast: &Cast) {
    let mut people = People::new(cast.user_id.unsigned_abs());
    loop {
        let (pause, happening) = people.next(&cast.user);
        let due = state.clock.now().saturating_add(pause).unwrap_or(Timestamp::MAX);
        tokio::select! {
            () = state.clock.until(due) => {}
            () = state.stop.cancelled() => return,
        }
        if let Err(error) = happen(state, cast, happening, state.clock.now()) {
            tracing::warn!(%error, "nothing came of what a simulated customer did");
        }
    }
}

fn happen(state: &State, cast: &Cast, happening: Happening, now: Timestamp) -> Result<(), StoreError> {
    match happening {
        Happening::Starts { assistant, kind, sender, customer, text } => {
            let between = sender.and_then(|at| cast.senders.get(at)).copied().zip(customer.as_ref());
            if let Some(&assistant_id) = cast.assistants.get(assistant)
                && state.store.has_assistant(cast.user_id, assistant_id)?
            {
                let opening = Opening { user_id: cast.user_id, assistant_id, kind, between, uuid: random_uuid() };
                state.store.receive(&opening, &text, now)?;
            }
        }
        Happening::Grows { which, from_customer, reply, cost_micros } => {
            state.store.exchange(cast.user_id, which, (&from_customer, &reply, cost_micros), now)?;
        }
        Happening::Ends { which } => {
            state.store.end_any(cast.user_id, which, now)?;
        }
    }
    Ok(())
}
