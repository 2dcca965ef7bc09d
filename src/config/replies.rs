//! Canned replies: a TOML file of `[[reply]]` tables, each with a title and a text.

use super::problem::Problem;
use super::section::{Problems, Section};
use toml::de::{DeTable, DeValue};

/// A text to reply with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CannedReply {
    /// What it is found by.
    pub title: String,
    /// The text, with variables in braces such as `{customer}`.
    pub text: String,
}

impl CannedReply {
    /// Reads the text of a file of replies. A wrong one is left out and is one of the problems, by their lines.
    pub fn parse(text: &str) -> (Vec<Self>, Vec<Problem>) {
        let mut problems = Problems::new(text);
        let table = match DeTable::parse(text) {
            Ok(table) => table.into_inner(),
            Err(error) => {
                let line = problems.line(error.span().map_or(0, |span| span.start));
                let message = format!("not readable as TOML ({})", error.message().trim());
                return (Vec::new(), vec![Problem::line(line, message)]);
            }
        };
        let mut file = Section::root(&mut problems, table);
        let mut replies = Vec::new();
        for entry in file.list("reply") {
            let line = entry.line;
            let Some(mut reply) = file.enter(entry) else { continue };
            let mut word = |key| {
                let text = |value: &DeValue| value.as_str().map(str::trim).map(str::to_owned);
                reply.read(key, "a text", "none", String::new(), text)
            };
            let (title, name, text) = (word("title"), word("name"), word("text"));
            reply.finish();
            let title = if title.is_empty() { name } else { title };
            let first = text.lines().next().unwrap_or_default().to_owned();
            if text.is_empty() {
                file.note(line, "reply", "has no text; left out");
            } else {
                replies.push(Self { title: if title.is_empty() { first } else { title }, text });
            }
        }
        file.finish();
        (replies, problems.into_problems())
    }

    /// The text with its variables filled in, and the names of those that have no value: they stay as they are.
    pub fn filled(&self, value: impl Fn(&str) -> Option<String>) -> (String, Vec<String>) {
        let (mut filled, mut unknown) = (String::new(), Vec::new());
        let mut rest = self.text.as_str();
        while let Some(open) = rest.find('{') {
            filled.push_str(&rest[..open]);
            rest = &rest[open..];
            let close = rest.find(['}', '\n']).filter(|close| rest[*close..].starts_with('}'));
            let name = close.map(|close| &rest[1..close]).filter(|name| is_name(name));
            let Some(name) = name else {
                filled.push('{');
                rest = &rest[1..];
                continue;
            };
            if let Some(value) = value(name) {
                filled.push_str(&value);
            } else {
                filled.extend(["{", name, "}"]);
                if !unknown.iter().any(|known| known == name) {
                    unknown.push(name.to_owned());
                }
            }
            rest = &rest[name.len() + 2..];
        }
        filled.push_str(rest);
        (filled, unknown)
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_alphanumeric() || "_-. ".contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn replies_are_read_and_wrong_ones_are_told_with_their_line() {
        let text = "[[reply]]\ntitle = \"Hours\"\ntext = \"We open at 9.\"\n\n[[reply]]\nname = \"Bye\"\n\n\
                    [[reply]]\ntext = \"Thanks, {customer}!\\nSee you\"\nkind = 3\n\n[[replies]]\ntext = \"x\"\n";
        let (replies, problems) = CannedReply::parse(text);
        let titles: Vec<_> = replies.iter().map(|reply| reply.title.as_str()).collect();
        assert_eq!(titles, ["Hours", "Thanks, {customer}!"]);
        let said: Vec<_> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "line 5: reply: has no text; left out",
                "line 10: reply.kind: is not a setting",
                "line 12: replies: is not a setting"
            ]
        );
        let (none, problems) = CannedReply::parse("[[reply]\ntext = 1");
        assert_eq!((none.len(), problems.len(), problems[0].line), (0, 1, Some(1)));
        assert_eq!(CannedReply::parse("reply = 7").1.len(), 1);
    }

    #[test]
    fn known_variables_are_filled_in_and_others_stay() {
        let reply =
            CannedReply { title: String::new(), text: "Hi {customer}, {order id} of {sender}: {x {{y}} {".into() };
        let value = |name: &str| (name == "customer").then(|| "Ana {sender}".to_owned());
        let (text, unknown) = reply.filled(value);
        assert_eq!(text, "Hi Ana {sender}, {order id} of {sender}: {x {{y}} {");
        assert_eq!(unknown, ["order id", "sender", "y"]);
    }

    proptest! {
        #[test]
        fn text_without_values_stays_as_it_is(text in "[{}a-c \n]{0,40}") {
            let reply = CannedReply { title: String::new(), text: text.clone() };
            prop_assert_eq!(reply.filled(|_| None).0, text);
        }

        #[test]
        fn no_file_panics(text in ".{0,200}") {
            CannedReply::parse(&text);
        }
    }
}
