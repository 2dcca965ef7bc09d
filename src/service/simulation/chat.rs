//! What is said in a chat: the messages of one that was made up, and the assistant's replies in one that goes on.

use super::customers::language_of;
use super::draw::{mix, one};
use super::phrases::PhraseLanguage;
use crate::api::{AssistantMode, Role};
use fastrand::Rng;
use uuid::Uuid;

/// What decides how people write in a conversation.
#[derive(Debug, Clone, Copy)]
pub struct Chat<'a> {
    /// The conversation: the same one always says the same.
    pub uuid: Uuid,
    /// The assistant's time zone.
    pub timezone: &'a str,
    /// The customer's number, where it is known.
    pub customer_phone: Option<&'a str>,
}

impl Chat<'_> {
    /// So many messages that a conversation began with, oldest first.
    pub fn beginning(&self, count: u64) -> Vec<(Role, &'static str)> {
        let phrases = self.language().phrases();
        let mut rng = self.rng(0);
        let mut said = Vec::new();
        if count % 2 == 1 {
            said.extend(one(&mut rng, phrases.openings).map(|opening| (Role::User, *opening)));
        }
        let mut left = Vec::new();
        for _ in 0..count / 2 {
            if left.is_empty() {
                left = phrases.exchanges.to_vec();
                rng.shuffle(&mut left);
                // What was said last does not come again at once.
                if left.last().is_some_and(|(_, reply)| said.last() == Some(&(Role::Assistant, *reply))) {
                    left.reverse();
                }
            }
            if let Some((message, reply)) = left.pop() {
                said.extend([(Role::User, message), (Role::Assistant, reply)]);
            }
        }
        said
    }

    /// The assistant's reply to a customer's message, with so many messages before it.
    pub fn reply(&self, message: &str, before: u64) -> &'static str {
        let exchanges = self.language().phrases().exchanges;
        let fitting = exchanges.iter().find(|(asked, _)| *asked == message.trim());
        fitting.or_else(|| one(&mut self.rng(before + 1), exchanges)).map_or("", |(_, reply)| reply)
    }

    fn language(&self) -> PhraseLanguage {
        self.customer_phone.and_then(language_of).unwrap_or_else(|| PhraseLanguage::of_timezone(self.timezone))
    }

    fn rng(&self, at: u64) -> Rng {
        let (high, low) = self.uuid.as_u64_pair();
        Rng::with_seed(mix(mix(high ^ mix(low)) ^ at))
    }
}

/// What a reply costs, in millionths of a USD.
pub fn reply_cost(mode: &AssistantMode) -> i64 {
    match mode {
        AssistantMode::Pipeline | AssistantMode::Other(_) => 6_100,
        AssistantMode::Dualplex => 13_900,
        AssistantMode::Multimodal => 18_700,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chat(seed: u128) -> Chat<'static> {
        Chat { uuid: Uuid::from_u128(seed), timezone: "Europe/Berlin", customer_phone: None }
    }

    #[test]
    fn a_conversation_has_as_many_messages_as_were_asked_for_and_always_the_same() {
        for count in 0..100 {
            let said = chat(7).beginning(count);
            assert_eq!(said.len() as u64, count);
            assert_eq!(said, chat(7).beginning(count));
        }
        assert_ne!(chat(7).beginning(20), chat(8).beginning(20));
    }

    #[test]
    fn the_customer_speaks_first_and_nothing_is_said_twice_in_a_row() {
        for count in 1..60 {
            let said = chat(u128::from(count)).beginning(count);
            assert_eq!(said[0].0, Role::User);
            assert!(said.windows(3).all(|three| three[0] != three[2]), "{said:?}");
        }
    }

    #[test]
    fn the_number_of_a_customer_tells_the_language_before_the_time_zone_does() {
        let spanish = Chat { customer_phone: Some("+34912345678"), ..chat(1) };
        let phrases = PhraseLanguage::Es.phrases();
        assert!(phrases.openings.contains(&spanish.beginning(1)[0].1));
    }

    #[test]
    fn a_question_that_is_known_gets_its_answer_and_any_other_gets_one() {
        assert_eq!(chat(1).reply("Kann ich mit Karte zahlen?", 3), "Natürlich, wir nehmen alle gängigen Karten.");
        assert!(!chat(1).reply("?", 3).is_empty());
    }
}
