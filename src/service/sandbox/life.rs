//! The people of a sandbox at work: every few seconds of the service's time a conversation starts, grows or ends.

use super::random_uuid;
use crate::service::simulation::people::{Happening, People};
use crate::service::state::State;
use crate::service::store::{NewConversation, SimulatedUser, StoreError};
use futures_util::future::join_all;
use jiff::Timestamp;
use std::sync::Arc;

/// Lets the customers of every user live until the service is to end.
pub async fn live(state: Arc<State>, simulated_users: Vec<SimulatedUser>) {
    join_all(simulated_users.iter().map(|simulated_user| live_one(&state, simulated_user))).await;
}

async fn live_one(state: &State, simulated_user: &SimulatedUser) {
    let mut people = People::new(simulated_user.user_id.unsigned_abs());
    loop {
        let (pause, happening) = people.next(&simulated_user.user);
        let due = state.clock.now().saturating_add(pause).unwrap_or(Timestamp::MAX);
        tokio::select! {
            () = state.clock.until(due) => {}
            () = state.stop.cancelled() => return,
        }
        if let Err(error) = happen(state, simulated_user, happening, state.clock.now()) {
            tracing::warn!(%error, "nothing came of what a simulated customer did");
        }
    }
}

fn happen(
    state: &State,
    simulated_user: &SimulatedUser,
    happening: Happening,
    now: Timestamp,
) -> Result<(), StoreError> {
    match happening {
        Happening::Starts { assistant, kind, sender, customer, text } => {
            let between = sender.and_then(|at| simulated_user.senders.get(at)).copied().zip(customer.as_ref());
            if let Some(&assistant_id) = simulated_user.assistants.get(assistant)
                && state.store.has_assistant(simulated_user.user_id, assistant_id)?
            {
                let opening = NewConversation {
                    user_id: simulated_user.user_id,
                    assistant_id,
                    kind,
                    between,
                    uuid: random_uuid(),
                };
                state.store.receive(&opening, &text, now)?;
            }
        }
        Happening::Grows { which, cost_micros } => {
            state.store.exchange(simulated_user.user_id, which, cost_micros, now)?;
        }
        Happening::Ends { which } => {
            state.store.end_any(simulated_user.user_id, which, now)?;
        }
    }
    Ok(())
}
