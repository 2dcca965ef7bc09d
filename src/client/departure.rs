//! Whether a message was sent: until then it can be taken back.

use std::sync::Arc;
use tokio::sync::watch;

/// The moment at which a message leaves. Until then it may be taken back; one of the two happens, never both.
pub struct Departure {
    stage: watch::Sender<Stage>,
    waits: Option<Arc<Waits>>,
    leaves: Option<Box<dyn Fn() + Send + Sync>>,
}

impl std::fmt::Debug for Departure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Departure").field(&*self.stage.borrow()).finish()
    }
}

/// Writes down that a message waits to leave again, or that it is about to; false where it cannot be written. It may
/// block.
pub type Waits = dyn Fn(bool) -> bool + Send + Sync;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing of it has left.
    Here,
    /// It may have reached the server. `wanted_back`: do not retry it, should the server not have taken it.
    Left { wanted_back: bool },
    /// It never leaves.
    TakenBack,
}

impl Default for Departure {
    fn default() -> Self {
        Self { stage: watch::Sender::new(Stage::Here), waits: None, leaves: None }
    }
}

impl Departure {
    /// A departure whose waits are written down.
    pub fn noting(waits: Arc<Waits>) -> Self {
        Self { waits: Some(waits), ..Self::default() }
    }

    /// One that calls this whenever the message leaves.
    #[must_use]
    pub fn telling(self, leaves: impl Fn() + Send + Sync + 'static) -> Self {
        Self { leaves: Some(Box::new(leaves)), ..self }
    }

    /// Writes down that the message waits, or that the wait is over; false where it cannot be written.
    pub(super) async fn note_wait(&self, waiting: bool) -> bool {
        let Some(waits) = self.waits.clone() else { return true };
        tokio::task::spawn_blocking(move || waits(waiting)).await.unwrap_or(false)
    }

    /// Keeps the message from leaving, or from leaving again where the server has not taken it; true where nothing of it
    /// has left and nothing will.
    pub fn take_back(&self) -> bool {
        self.stage.send_modify(|stage| match stage {
            Stage::Here => *stage = Stage::TakenBack,
            Stage::Left { wanted_back } => *wanted_back = true,
            Stage::TakenBack => {}
        });
        *self.stage.borrow() == Stage::TakenBack
    }

    /// True where the message may have reached the server.
    pub fn has_left(&self) -> bool {
        matches!(*self.stage.borrow(), Stage::Left { .. })
    }

    /// Lets it leave; false where it was taken back.
    pub fn leave(&self) -> bool {
        let leaves = self.stage.send_if_modified(|stage| {
            let here = *stage == Stage::Here;
            if here {
                *stage = Stage::Left { wanted_back: false };
            }
            here
        });
        if let Some(tell) = self.leaves.as_ref().filter(|_| leaves) {
            tell();
        }
        leaves
    }

    /// It is certain that the server has not taken it.
    pub fn returned(&self) {
        self.stage.send_modify(|stage| match stage {
            Stage::Left { wanted_back: true } => *stage = Stage::TakenBack,
            Stage::Left { wanted_back: false } => *stage = Stage::Here,
            Stage::Here | Stage::TakenBack => {}
        });
    }

    /// Waits until it is taken back.
    pub async fn taken_back(&self) {
        // The channel lives as long as `self`.
        let _ = self.stage.subscribe().wait_for(|stage| *stage == Stage::TakenBack).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_leaves_or_is_taken_back_and_never_both() {
        let departure = Departure::default();
        assert!(departure.take_back() && departure.take_back());
        assert!(!departure.leave() && !departure.has_left());

        let departure = Departure::default();
        assert!(departure.leave() && departure.has_left());
        assert!(!departure.take_back());
    }

    #[test]
    fn a_message_that_was_wanted_back_too_late_does_not_leave_again() {
        let departure = Departure::default();
        assert!(departure.leave());
        departure.returned();
        assert!(departure.leave(), "nobody wanted it back");
        assert!(!departure.take_back());
        departure.returned();
        assert!(!departure.leave() && departure.take_back());
    }

    #[test]
    fn whoever_waits_hears_that_it_was_taken_back() {
        let departure = Departure::default();
        let mut waits = polled(&departure);
        assert!(!waits());
        departure.take_back();
        assert!(waits());
    }

    /// Whether the wait is over, each time it is asked.
    fn polled(departure: &Departure) -> impl FnMut() -> bool {
        use std::task::{Context, Waker};
        let mut waits = Box::pin(departure.taken_back());
        move || waits.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready()
    }
}
