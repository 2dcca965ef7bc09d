//! What is said in a chat: the messages of one that was made up, and the assistant's replies in one that goes on.

use super::customers::language_of;
use super::draw::{mix, one};
use super::phrases::PhraseLanguage;
use super::script::{Line, Scene, Script};
use crate::api::{AssistantMode, ConversationType, Role};
use fastrand::Rng;
use jiff::Timestamp;
use serde_json::{Map, Value};
use uuid::Uuid;

/// What decides how people write in a conversation.
#[derive(Debug, Clone, Copy)]
pub struct Chat<'a> {
    /// The conversation: the same one always says the same.
    pub uuid: Uuid,
    /// Where it takes place.
    pub kind: &'a ConversationType,
    /// When it began.
    pub began: Timestamp,
    /// The assistant's time zone.
    pub timezone: &'a str,
    /// The customer's number, where it is known.
    pub customer_phone: Option<&'a str>,
    /// The customer's name, where it is known.
    pub customer_name: Option<&'a str>,
}

/// What a conversation began with.
#[derive(Debug, Clone, PartialEq)]
pub struct Beginning {
    /// The messages, oldest first.
    pub lines: Vec<Line>,
    /// What the assistant was told beforehand; none in the messaging app, where customers come unannounced.
    pub input: Option<Map<String, Value>>,
    /// What was found out.
    pub extracted: Map<String, Value>,
}

/// Who has the last word in a conversation that was made up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// The assistant, as long as nobody takes over.
    Assistant,
    /// A person who took over.
    Person,
    /// The customer, who waits for a person.
    Waiting,
}

/// How a conversation that was made up ends. It hangs on the upper half of the id alone, which is the same before a
/// conversation has an owner.
pub(super) fn ending(uuid: Uuid, kind: &ConversationType) -> Ending {
    let in_percent = if matches!(kind, ConversationType::Msgapp | ConversationType::Widget) { 14 } else { 1 };
    let draw = mix(uuid.as_u64_pair().0);
    match draw % 100 < in_percent {
        false => Ending::Assistant,
        true if (draw >> 32).is_multiple_of(4) => Ending::Person,
        true => Ending::Waiting,
    }
}

impl Chat<'_> {
    /// So many messages that a conversation began with.
    pub fn beginning(&self, count: u64) -> Beginning {
        let stories = self.language().stories();
        let scene = Scene { language: self.language(), began: self.began, customer: self.customer_name };
        let mut script = Script::new(scene, self.rng(0));
        let (ask, handing_over) = stories.hand_over;
        let (user, assistant) = (Role::User, Role::Assistant);
        // The messages with which a person takes over; they come last.
        let tail: &[(Role, &str)] = match (ending(self.uuid, self.kind), count) {
            (Ending::Assistant, _) | (_, 0) => &[],
            (_, 1) => &[(user, ask)],
            (_, 2) => &[(user, stories.hello), (Role::User, ask)],
            (Ending::Person, 4..) => &[
                (user, ask),
                (assistant, handing_over),
                (Role::User, stories.waiting),
                (Role::Assistant, stories.person),
            ],
            _ => &[(user, ask), (assistant, handing_over), (Role::User, stories.waiting)],
        };
        let before = count - tail.len() as u64;
        if before % 2 == 1 {
            match self.kind {
                // A widget opens with the assistant's words; whoever writes only these has gone again.
                _ if before == 1 && tail.is_empty() => script.request(),
                ConversationType::Msgapp => script.say(Role::User, stories.hello),
                _ => script.say(Role::Assistant, stories.greeting),
            }
        }
        script.pairs(before / 2, tail.is_empty());
        for (role, text) in tail {
            script.say(role.clone(), text);
        }
        let (lines, extracted) = script.end();
        Beginning { lines, input: self.input(), extracted }
    }

    /// What the program that started a chat told the assistant; a test is started without.
    fn input(&self) -> Option<Map<String, Value>> {
        let mut rng = self.rng(u64::MAX);
        let mut input = Map::new();
        match self.kind {
            ConversationType::Widget => {
                let page = one(&mut rng, &["tables", "chairs", "fabrics", "delivery", "contact"]).copied();
                input
                    .insert("page".to_owned(), format!("https://shop.example.com/{}", page.unwrap_or_default()).into());
            }
            ConversationType::Api => {
                input.insert("crm_id".to_owned(), format!("C-{}", rng.u32(10_000..100_000)).into());
            }
            _ => return None,
        }
        input.insert("language".to_owned(), self.language().iso_2().into());
        Some(input)
    }

    /// The assistant's reply to a customer's message, with so many messages before it.
    pub fn reply(&self, message: &str, before: u64) -> &'static str {
        let exchanges = self.language().phrases().exchanges;
        let fitting = exchanges.iter().find(|(asked, _)| *asked == message.trim());
        fitting.or_else(|| one(&mut self.rng(before + 1), exchanges)).map_or("", |(_, reply)| reply)
    }

    /// What a customer writes next with so many messages before it, and the assistant's reply.
    pub fn exchange(&self, before: u64) -> (&'static str, &'static str) {
        one(&mut self.rng(before + 1), self.language().phrases().exchanges).copied().unwrap_or_default()
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
        Chat {
            uuid: Uuid::from_u128(seed << 64 | seed),
            kind: &ConversationType::Msgapp,
            began: Timestamp::from_second(1_795_000_000).unwrap(),
            timezone: "Europe/Berlin",
            customer_phone: None,
            customer_name: Some("Jürgen Groß"),
        }
    }

    /// The first chats that end like this.
    fn ending_with(which: Ending) -> impl Iterator<Item = Chat<'static>> {
        (0..).map(chat).filter(move |chat| ending(chat.uuid, chat.kind) == which)
    }

    fn said(chat: &Chat<'_>, count: u64) -> Vec<(Role, String)> {
        chat.beginning(count).lines.into_iter().map(|line| (line.role, line.text)).collect()
    }

    #[test]
    fn a_conversation_has_as_many_messages_as_were_asked_for_and_always_the_same() {
        for kind in [ConversationType::Msgapp, ConversationType::Widget, ConversationType::Test] {
            for which in [Ending::Assistant, Ending::Person, Ending::Waiting] {
                let Some(chat) =
                    (0..5_000).map(|seed| Chat { kind: &kind, ..chat(seed) }).find(|c| ending(c.uuid, &kind) == which)
                else {
                    panic!("{which:?}")
                };
                for count in (0..100).chain([5_000]) {
                    let said = chat.beginning(count);
                    assert_eq!(said.lines.len() as u64, count, "{which:?}");
                    assert_eq!(said, chat.beginning(count));
                }
            }
        }
        assert_ne!(chat(7).beginning(20), chat(8).beginning(20));
    }

    #[test]
    fn the_customer_speaks_first_and_nothing_is_said_twice_in_a_row() {
        for count in 1..60 {
            let said = said(&chat(u128::from(count)), count);
            assert_eq!(said[0].0, Role::User);
            assert!(said.windows(3).all(|three| three[0] != three[2]), "{said:?}");
        }
    }

    #[test]
    fn in_a_widget_the_assistant_speaks_first_where_somebody_has_the_last_word() {
        let chat = Chat { kind: &ConversationType::Widget, ..ending_with(Ending::Assistant).next().unwrap() };
        let lines = chat.beginning(9).lines;
        assert_eq!((&lines[0].role, &lines[8].role), (&Role::Assistant, &Role::Assistant));
        assert!(lines.windows(2).all(|two| two[0].role != two[1].role));
    }

    #[test]
    fn a_request_is_made_worked_on_and_closed_with_thanks() {
        let chat = ending_with(Ending::Assistant).next().unwrap();
        let said = said(&chat, 8);
        let stories = PhraseLanguage::De.stories().requests;
        assert_eq!(
            said[6..].iter().map(|line| line.1.as_str()).collect::<Vec<_>>(),
            ["Vielen Dank, das war's schon.", "Sehr gern. Einen schönen Tag noch!"]
        );
        assert!(stories.iter().any(|story| said[1].1.starts_with(&story[0].answers[..5])), "{said:?}");
        assert!(said.iter().all(|(_, text)| !text.contains(['{', '}'])), "{said:?}");
    }

    #[test]
    fn tools_are_called_now_and_then_and_what_they_learn_is_extracted() {
        let (mut calls, mut failed) = (0, 0);
        for chat in ending_with(Ending::Assistant).take(200) {
            let made = chat.beginning(8);
            for line in &made.lines {
                assert!(line.calls.is_empty() || line.role == Role::Assistant);
                for call in &line.calls {
                    assert!(["track_order", "check_stock", "book_visit"].contains(&call.name.as_str()));
                    assert!(call.arguments.is_object() && call.result.is_object());
                    failed += usize::from(call.result.get("error").is_some());
                    calls += 1;
                }
            }
            assert_eq!(made.extracted.len(), 1, "{made:?}");
        }
        assert!((190..260).contains(&calls) && (5..40).contains(&failed), "{calls} {failed}");
    }

    #[test]
    fn whoever_waits_for_a_person_has_the_last_word_and_a_person_has_it_elsewhere() {
        for chat in ending_with(Ending::Waiting).take(20) {
            assert!((1..40).all(|count| said(&chat, count).last().unwrap().0 == Role::User));
        }
        for chat in ending_with(Ending::Person).take(20) {
            assert!((4..40).all(|count| said(&chat, count).last().unwrap().1.contains("Sommer")));
        }
    }

    #[test]
    fn the_number_of_a_customer_tells_the_language_before_the_time_zone_does() {
        let spanish = Chat { customer_phone: Some("+34912345678"), ..ending_with(Ending::Assistant).next().unwrap() };
        assert_eq!(said(&spanish, 3)[0].1, PhraseLanguage::Es.stories().hello);
    }

    #[test]
    fn a_question_that_is_known_gets_its_answer_and_any_other_gets_one() {
        assert_eq!(chat(1).reply("Kann ich mit Karte zahlen?", 3), "Natürlich, wir nehmen alle gängigen Karten.");
        assert!(!chat(1).reply("?", 3).is_empty());
    }
}
