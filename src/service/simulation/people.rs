//! The people of a sandbox, who start, continue and end conversations.

use super::Customer;
use crate::api::ConversationType;
use crate::service::world::User;
use std::time::Duration;

/// Something that people do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happening {
    /// A conversation starts.
    Starts {
        /// Who handles it: an index into the user's assistants.
        assistant: usize,
        /// Where it takes place.
        kind: ConversationType,
        /// The number it runs over, an index into the user's senders; exactly on messaging conversations.
        sender: Option<usize>,
        /// The other side; exactly on messaging conversations.
        customer: Option<Customer>,
        /// The first message.
        text: String,
    },
    /// A message comes and is answered.
    Grows {
        /// A draw: taken modulo the number of open conversations, newest first, it names one.
        which: u64,
        /// The message.
        from_customer: String,
        /// The answer.
        reply: String,
        /// What the answer costs, in millionths of a USD.
        cost_micros: i64,
    },
    /// A conversation ends.
    Ends {
        /// A draw: taken modulo the number of open conversations, newest first, it names one.
        which: u64,
    },
}

/// Draws what happens next.
#[derive(Debug, Clone)]
pub struct People {
    rng: fastrand::Rng,
}

impl People {
    /// The same seed draws the same.
    pub fn new(seed: u64) -> Self {
        Self { rng: fastrand::Rng::with_seed(seed) }
    }

    /// What happens next among a user's customers, and how long until then.
    pub fn next(&mut self, user: &User) -> (Duration, Happening) {
        let _ = user;
        (Duration::from_secs(self.rng.u64(2..6)), Happening::Ends { which: self.rng.u64(..) })
    }
}
