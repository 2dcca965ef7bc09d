//! The people of a sandbox, who start, continue and end conversations.

use super::Customer;
use super::customers::{pool, recurring};
use super::draw::{mix, one, percent};
use super::phrases::PhraseLanguage;
use crate::api::{AssistantStatus, ConversationType, SenderStatus};
use crate::service::world::User;
use fastrand::Rng;
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
        /// A draw below [`NEWEST`]: taken modulo the number of open conversations, newest first, it names one.
        which: u64,
        /// What the answer costs, in millionths of a USD.
        cost_micros: i64,
    },
    /// A conversation ends.
    Ends {
        /// A draw below [`NEWEST`]: taken modulo the number of open conversations, newest first, it names one.
        which: u64,
    },
}

/// People are busy with the newest so many open conversations; older ones lie still.
pub const NEWEST: u64 = 64;

/// Draws what happens next.
#[derive(Debug, Clone)]
pub struct People {
    rng: Rng,
}

impl People {
    /// The same seed draws the same.
    pub fn new(seed: u64) -> Self {
        Self { rng: Rng::with_seed(mix(seed)) }
    }

    /// What happens next among a user's customers, and how long until then: 2 to 6 seconds.
    ///
    /// New conversations go to active assistants and over online senders only; without any, none starts.
    pub fn next(&mut self, user: &User) -> (Duration, Happening) {
        let wait = Duration::from_millis(self.rng.u64(2_000..=6_000));
        // As many start as end, so that the number of open ones stays about the same.
        let happening = match self.rng.u32(..100) {
            0..20 => self.start(user).unwrap_or_else(|| self.exchange()),
            20..40 => Happening::Ends { which: self.rng.u64(NEWEST / 8..NEWEST) },
            _ => self.exchange(),
        };
        (wait, happening)
    }

    fn start(&mut self, user: &User) -> Option<Happening> {
        let active = active(user);
        let lines: Vec<_> = user
            .senders
            .iter()
            .enumerate()
            .filter(|(_, sender)| sender.status == SenderStatus::Online)
            .filter_map(|(at, sender)| {
                let name = sender.assistant.as_ref()?;
                active.iter().find(|&&assistant| user.assistants[assistant].name == *name).map(|&desk| (at, desk))
            })
            .collect();
        if percent(&mut self.rng, 55)
            && let Some(&(sender, assistant)) = one(&mut self.rng, &lines)
        {
            let conversations = user.generate.map_or(0, |plan| plan.conversations);
            let (customer, language) = recurring(&mut self.rng, user, sender, pool(conversations));
            return Some(Happening::Starts {
                assistant,
                kind: ConversationType::Msgapp,
                sender: Some(sender),
                customer: Some(customer),
                text: self.opening(language),
            });
        }
        let &assistant = one(&mut self.rng, &active)?;
        let kind = match self.rng.u32(..100) {
            0..12 => ConversationType::Test,
            12..30 => ConversationType::Api,
            _ => ConversationType::Widget,
        };
        let text = self.opening(PhraseLanguage::of_timezone(&user.assistants[assistant].timezone));
        Some(Happening::Starts { assistant, kind, sender: None, customer: None, text })
    }

    fn exchange(&mut self) -> Happening {
        // The lesser of two draws: the newest are the liveliest.
        let which = self.rng.u64(..NEWEST).min(self.rng.u64(..NEWEST));
        Happening::Grows { which, cost_micros: self.rng.i64(4_300..=24_000) }
    }

    fn opening(&mut self, language: PhraseLanguage) -> String {
        one(&mut self.rng, language.phrases().openings).copied().unwrap_or_default().to_owned()
    }
}

/// The active assistants, as indices.
fn active(user: &User) -> Vec<usize> {
    let assistants = user.assistants.iter().enumerate();
    assistants.filter(|(_, assistant)| assistant.status == AssistantStatus::Active).map(|(at, _)| at).collect()
}
