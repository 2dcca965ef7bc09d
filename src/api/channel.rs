//! The messaging channel's own word.
//!
//! The contract says `msgapp` where a live deployment has the channel's word: in a path (`/user/msgapp/send`), at the
//! beginning of a field (`msgapp_message_id`) and as a conversation's type. All of the program says `msgapp`; the word is
//! put in and taken out here, at the edge of the wire. What users wrote is never touched.

use serde_json::{Map, Value};
use std::borrow::Cow;
use std::str::FromStr;

/// The neutral word of the contract.
const NEUTRAL: &str = "msgapp";
/// Words that already mean something where the channel's word stands.
const TAKEN: &[&str] = &["api", "test", "widget"];
/// Longest word, in characters.
const LONGEST: usize = 32;
/// Fields whose value holds names and texts of users, whatever they look like.
const USERS_OWN: &[&str] = &[
    "variables",
    "input_variables",
    "extracted_variables",
    "arguments",
    "result",
    "headers",
    "schema",
    "post_call_schema",
];

/// The word that a deployment has for its messaging channel; `msgapp` by default, which costs nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channel(Cow<'static, str>);

/// A word that cannot stand for the channel.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoChannel {
    /// It is not made of lowercase letters and digits.
    #[error("a channel is one word of 2 to 32 lowercase letters and digits that begins with a letter")]
    Shape,
    /// It is another type of conversation.
    #[error("\"{0}\" is another type of conversation")]
    Taken(String),
}

impl Default for Channel {
    fn default() -> Self {
        Self(Cow::Borrowed(NEUTRAL))
    }
}

impl FromStr for Channel {
    type Err = NoChannel;

    fn from_str(word: &str) -> Result<Self, NoChannel> {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let begins = word.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase());
        if !begins || !(2..=LONGEST).contains(&word.len()) || !word.bytes().all(plain) {
            return Err(NoChannel::Shape);
        }
        if TAKEN.contains(&word) {
            return Err(NoChannel::Taken(word.to_owned()));
        }
        Ok(Self(Cow::Owned(word.to_owned())))
    }
}

impl Channel {
    /// The word.
    pub fn word(&self) -> &str {
        &self.0
    }

    /// True where nothing has to be translated.
    pub fn is_neutral(&self) -> bool {
        self.0 == NEUTRAL
    }

    /// A conversation's type as it came from the wire, in the program's words; `None` for the neutral word where the
    /// channel has its own, since the wire does not know it there.
    pub fn read<'a>(&self, kind: &'a str) -> Option<&'a str> {
        match kind {
            kind if kind == self.0 => Some(NEUTRAL),
            NEUTRAL => None,
            other => Some(other),
        }
    }

    /// A path with its query, as it goes out.
    pub fn spell_path<'a>(&self, path: &'a str) -> Cow<'a, str> {
        if self.is_neutral() {
            return Cow::Borrowed(path);
        }
        let (path, query) = path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query)));
        let segments: Vec<_> =
            path.split('/').map(|segment| if segment == NEUTRAL { self.word() } else { segment }).collect();
        let mut spelled = segments.join("/");
        for (at, pair) in query.into_iter().flat_map(|query| query.split('&')).enumerate() {
            spelled.push(if at == 0 { '?' } else { '&' });
            match pair.split_once('=') {
                Some(("type", NEUTRAL)) => spelled.extend(["type=", self.word()]),
                _ => spelled.push_str(pair),
            }
        }
        Cow::Owned(spelled)
    }

    /// A JSON body as it goes out; `None` where it goes as it is.
    pub fn spell_body(&self, body: &[u8]) -> Option<String> {
        self.respelled(body, NEUTRAL, self.word())
    }

    /// A JSON body that came in, in the program's words; `None` where it can be read as it is.
    pub fn read_body(&self, body: &[u8]) -> Option<String> {
        self.respelled(body, self.word(), NEUTRAL)
    }

    fn respelled(&self, body: &[u8], from: &str, to: &str) -> Option<String> {
        if self.is_neutral() {
            return None;
        }
        let mut value = serde_json::from_slice(body).ok()?;
        respell(&mut value, from, to);
        Some(value.to_string())
    }
}

/// Puts one word in place of another where the contract has the channel's.
fn respell(value: &mut Value, from: &str, to: &str) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| respell(item, from, to)),
        Value::Object(fields) => {
            let respelled = std::mem::take(fields).into_iter().map(|(key, mut value)| {
                if key == "type" && value == from {
                    value = to.into();
                } else if !USERS_OWN.contains(&key.as_str()) {
                    respell(&mut value, from, to);
                }
                let of_channel = key.strip_prefix(from).filter(|rest| rest.starts_with('_'));
                (of_channel.map_or_else(|| key.clone(), |rest| format!("{to}{rest}")), value)
            });
            *fields = respelled.collect::<Map<_, _>>();
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn other() -> Channel {
        "whatsapp".parse().unwrap()
    }

    #[test]
    fn a_channel_is_a_plain_word_that_means_nothing_else() {
        assert_eq!("msgapp".parse::<Channel>().unwrap(), Channel::default());
        assert_eq!(other().word(), "whatsapp");
        for wrong in ["", "w", "WhatsApp", "whats app", "whats/app", "9gag", "naïve", &"w".repeat(33)] {
            assert_eq!(wrong.parse::<Channel>(), Err(NoChannel::Shape), "{wrong}");
        }
        assert_eq!("widget".parse::<Channel>(), Err(NoChannel::Taken("widget".to_owned())));
    }

    #[test]
    fn a_path_has_the_word_as_a_segment_and_as_a_type_and_nowhere_else() {
        let spelled = |path| other().spell_path(path).into_owned();
        assert_eq!(spelled("/user/msgapp/send"), "/user/whatsapp/send");
        assert_eq!(spelled("/user/conversations?type=msgapp&page=2"), "/user/conversations?type=whatsapp&page=2");
        assert_eq!(spelled("/user/tools?name=msgapp"), "/user/tools?name=msgapp");
        assert_eq!(Channel::default().spell_path("/user/msgapp/send?a=b"), "/user/msgapp/send?a=b");
    }

    #[test]
    fn a_type_is_read_by_the_channels_word_only() {
        assert_eq!((other().read("whatsapp"), other().read("msgapp")), (Some("msgapp"), None));
        assert_eq!((other().read("widget"), Channel::default().read("msgapp")), (Some("widget"), Some("msgapp")));
    }

    #[test]
    fn a_body_is_spelled_and_read_back_in_its_order() {
        let neutral = r#"{"msgapp_message_id":7,"data":[{"type":"msgapp","msgapp_sender":{"name":"A"}}]}"#;
        let spelled = r#"{"whatsapp_message_id":7,"data":[{"type":"whatsapp","whatsapp_sender":{"name":"A"}}]}"#;
        assert_eq!(other().spell_body(neutral.as_bytes()).as_deref(), Some(spelled));
        assert_eq!(other().read_body(spelled.as_bytes()).as_deref(), Some(neutral));
    }

    #[test]
    fn what_needs_no_spelling_stays_as_it_is() {
        assert_eq!(Channel::default().spell_body(br#"{"type":"msgapp"}"#), None);
        assert_eq!(other().read_body(b"<html>"), None);
    }

    #[test]
    fn what_users_wrote_stays_as_it_is() {
        let written = json!({
            "name": "msgapp", "message": "use msgapp_sender", "description": "type: msgapp",
            "variables": {"msgapp_name": "msgapp", "type": "msgapp"},
            "history": [{"function_calls": [{"arguments": {"type": "msgapp"}, "result": {"msgapp_id": 1}}]}],
        })
        .to_string();
        assert_eq!(other().spell_body(written.as_bytes()), Some(written));
    }
}
