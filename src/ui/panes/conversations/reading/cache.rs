//! Conversations that have been read, bounded in memory.

use super::fetch::{Target, Version};
use crate::api::{ConversationHistory, FunctionCall, HistoryMessage, Role};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Bytes of messages that are kept, about. The conversation on screen is kept whatever its size.
const BYTES_MAX: usize = 16 * 1024 * 1024;

/// A conversation with its messages.
#[derive(Debug, Clone, PartialEq)]
pub struct Talk {
    /// Its UUID.
    pub id: String,
    /// As it came.
    pub history: Arc<ConversationHistory>,
    /// What the list said of it when it was requested.
    pub version: Version,
    /// Messages of the assistant that came while the AI was off: a person wrote them.
    pub by_person: BTreeSet<usize>,
    /// The AI was off when it was requested.
    ai_off: bool,
    /// It is to be read again.
    pub is_stale: bool,
    bytes: usize,
}

impl Talk {
    /// The messages, oldest first.
    pub fn messages(&self) -> &[HistoryMessage] {
        &self.history.history
    }
}

/// The conversations, the one that was used last at the end.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cache {
    talks: Vec<Talk>,
    bytes: usize,
}

impl Cache {
    /// The conversation with this id.
    pub fn get(&self, id: &str) -> Option<&Talk> {
        self.talks.iter().rev().find(|talk| talk.id == id)
    }

    /// Bytes of all of them, about.
    #[cfg(test)]
    fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes a reply; others than the conversation `on_screen` make room for it. Returns from which message on it is new;
    /// `None` where the conversation was not known, or its messages are not those of before.
    pub fn put(&mut self, target: &Target, history: ConversationHistory, on_screen: Option<&str>) -> Option<usize> {
        let before = self.talks.iter().position(|talk| talk.id == target.id).map(|at| self.talks.remove(at));
        self.bytes -= before.as_ref().map_or(0, |talk| talk.bytes);
        let mut history = history;
        history.history.shrink_to_fit();
        let new_from = before.as_ref().and_then(|talk| appended(talk.messages(), &history.history));
        let mut by_person = BTreeSet::new();
        if let (Some(before), Some(from)) = (&before, new_from) {
            let moved = before.messages().len() - from.min(before.messages().len());
            by_person.extend(before.by_person.iter().filter_map(|at| at.checked_sub(moved)));
            if before.ai_off && target.ai_off {
                let ours = |at: &usize| history.history[*at].role.known() == Some(&Role::Assistant);
                by_person.extend((from..history.history.len()).filter(ours));
            }
        }
        let talk = Talk {
            id: target.id.clone(),
            bytes: size(&history) + target.id.len() + size_of::<Talk>(),
            version: target.version,
            ai_off: target.ai_off,
            is_stale: false,
            history: Arc::new(history),
            by_person,
        };
        self.bytes += talk.bytes;
        self.talks.push(talk);
        while let Some(at) = self.talks.iter().position(|talk| self.bytes > BYTES_MAX && Some(&*talk.id) != on_screen) {
            self.bytes -= self.talks.remove(at).bytes;
        }
        new_from
    }

    /// The conversation has changed, whatever the list says of it.
    pub fn expire(&mut self, id: &str) {
        self.talks.iter_mut().filter(|talk| talk.id == id).for_each(|talk| talk.is_stale = true);
    }

    /// The conversation is looked at: others make room before it.
    pub fn touch(&mut self, id: &str) {
        if let Some(at) = self.talks.iter().position(|talk| talk.id == id) {
            self.talks[at..].rotate_left(1);
        }
    }
}

/// From which message on a reply goes beyond what was read before: all that was read is at its start, or the server
/// leaves out the oldest. `None` where the two have nothing in common.
pub fn appended(before: &[HistoryMessage], now: &[HistoryMessage]) -> Option<usize> {
    let overlap = |dropped: &usize| now.len() >= before.len() - dropped && now.starts_with(&before[*dropped..]);
    let dropped = (0..before.len()).find(overlap).or(before.is_empty().then_some(0))?;
    Some(before.len() - dropped)
}

/// Bytes of a conversation in memory, about.
fn size(history: &ConversationHistory) -> usize {
    let call = |call: &FunctionCall| {
        size_of::<FunctionCall>() + call.name.len() + value_size(&call.arguments) + value_size(&call.result)
    };
    let message = |message: &HistoryMessage| {
        let calls: usize = message.function_calls.known().into_iter().flatten().map(call).sum();
        size_of::<HistoryMessage>() + message.content.known().map_or(0, String::len) + calls
    };
    let variables = history.variables.known().and_then(Option::as_ref).into_iter().flatten();
    let fields = variables.chain(&history.extra).map(|(name, value)| name.len() + value_size(value) + 64);
    history.history.iter().map(message).sum::<usize>()
        + fields.sum::<usize>()
        + history.raw.as_ref().map_or(0, |raw| raw.len())
}

fn value_size(value: &Value) -> usize {
    size_of::<Value>()
        + match value {
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(value_size).sum(),
            Value::Object(fields) => fields.iter().map(|(name, value)| name.len() + 64 + value_size(value)).sum(),
            _ => 0,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn said(texts: &[u8]) -> Vec<HistoryMessage> {
        let role = |text: u8| if text.is_multiple_of(2) { Role::User } else { Role::Assistant };
        texts.iter().map(|text| HistoryMessage::new(role(*text), text.to_string())).collect()
    }

    fn target(id: &str, ai_off: bool) -> Target {
        Target { id: id.to_owned(), version: Version::default(), ai_off }
    }

    fn history(texts: &[u8]) -> ConversationHistory {
        ConversationHistory { history: said(texts), ..ConversationHistory::default() }
    }

    #[test]
    fn what_is_new_follows_what_was_read() {
        assert_eq!(appended(&said(&[1, 2]), &said(&[1, 2, 3])), Some(2));
        assert_eq!(appended(&said(&[1, 2]), &said(&[1, 2])), Some(2));
        assert_eq!(appended(&said(&[1, 2, 3]), &said(&[2, 3, 4])), Some(2), "the server leaves out the oldest");
        assert_eq!(appended(&said(&[]), &said(&[1])), Some(0));
        assert_eq!(appended(&said(&[1, 2]), &said(&[5, 6])), None);
        assert_eq!(appended(&said(&[1, 2]), &said(&[])), None);
    }

    #[test]
    fn what_the_assistant_says_while_the_ai_is_off_is_said_by_a_person() {
        let mut cache = Cache::default();
        cache.put(&target("a", false), history(&[2, 1]), None);
        cache.put(&target("a", true), history(&[2, 1, 3]), None);
        assert_eq!(cache.get("a").unwrap().by_person, BTreeSet::new(), "it may have been said before it went off");
        cache.put(&target("a", true), history(&[2, 1, 3, 4, 5]), None);
        assert_eq!(cache.get("a").unwrap().by_person, BTreeSet::from([4]));
        cache.put(&target("a", false), history(&[1, 3, 4, 5, 7]), None);
        assert_eq!(cache.get("a").unwrap().by_person, BTreeSet::from([3]));
    }

    #[test]
    fn the_oldest_make_room_and_the_one_on_screen_stays_whatever_its_size() {
        let long = |bytes: usize| ConversationHistory {
            history: vec![HistoryMessage::new(Role::User, "x".repeat(bytes))],
            ..ConversationHistory::default()
        };
        let mut cache = Cache::default();
        for id in ["a", "b", "c"] {
            cache.put(&target(id, false), long(BYTES_MAX / 3 - 2000), None);
        }
        cache.touch("a");
        cache.put(&target("d", false), long(BYTES_MAX / 4), None);
        let there = |cache: &Cache| ["a", "b", "c", "d"].map(|id| cache.get(id).is_some());
        assert_eq!(there(&cache), [true, false, true, true]);
        assert!(cache.bytes() <= BYTES_MAX);
        cache.put(&target("d", false), long(2 * BYTES_MAX), Some("a"));
        assert_eq!(there(&cache), [true, false, false, false], "it is not kept ahead");
        cache.put(&target("d", false), long(2 * BYTES_MAX), Some("d"));
        assert_eq!(there(&cache), [false, false, false, true]);
    }

    proptest! {
        #[test]
        fn appended_messages_are_found_behind_any_that_are_left_out(
            before in proptest::collection::vec(0u8..200, 1..20), more in proptest::collection::vec(200u8..250, 0..9), dropped in 0usize..19,
        ) {
            let dropped = dropped.min(before.len() - 1);
            let now: Vec<u8> = before[dropped..].iter().chain(&more).copied().collect();
            let from = appended(&said(&before), &said(&now)).unwrap();
            prop_assert_eq!(&now[from..], &more[..]);
        }
    }
}
