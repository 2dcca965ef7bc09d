//! The fields of a conversation as people read them, cleaned.

use crate::api::{Conversation, ConversationType, Field, Party};
use crate::ui::format::money;
use crate::ui::text::{clean, thousands};
use serde_json::Value;
use std::borrow::Cow;

/// What stands where the server sent nothing.
const MISSING: &str = "-";

fn odd<T>(field: &Field<T>, shown: impl Fn(&T) -> Cow<'_, str>) -> Cow<'_, str> {
    match field {
        Field::Known(value) => shown(value),
        Field::Missing | Field::Odd(Value::Null) => Cow::Borrowed(MISSING),
        Field::Odd(value) => Cow::Owned(format!("?{}", clean(&value.to_string()))),
    }
}

/// The name of a type.
pub fn kind_name(kind: &ConversationType) -> Cow<'_, str> {
    match kind {
        ConversationType::Test => "test".into(),
        ConversationType::Widget => "widget".into(),
        ConversationType::Msgapp => "messaging".into(),
        ConversationType::Api => "API".into(),
        ConversationType::Other(word) => clean(word),
    }
}

/// Where it takes place.
pub fn kind(row: &Conversation) -> Cow<'_, str> {
    odd(&row.kind, kind_name)
}

/// Who handles it.
pub fn assistant(row: &Conversation) -> Cow<'_, str> {
    odd(&row.assistant_name, |name| clean(name))
}

/// How many messages it has.
pub fn messages(row: &Conversation) -> Cow<'_, str> {
    odd(&row.message_count, |count| thousands(*count).into())
}

/// The cost in USD with two decimals; below a cent its first digits.
pub fn cost(row: &Conversation) -> Cow<'_, str> {
    odd(&row.total_cost, |cost| money(*cost, 2).into())
}

/// The cost in USD with its sign and four decimals; below that its first digits.
pub fn exact_cost(row: &Conversation) -> Cow<'_, str> {
    odd(&row.total_cost, |cost| format!("${}", money(*cost, 4)).into())
}

/// Whether the AI answers.
pub fn ai(row: &Conversation) -> Cow<'_, str> {
    odd(&row.ai_enabled, |on| if *on { "on" } else { "off" }.into())
}

/// Its id, whole.
pub fn id(row: &Conversation) -> Cow<'_, str> {
    odd(&row.id, |id| clean(id))
}

/// The id of who handles it, whole.
pub fn assistant_id(row: &Conversation) -> Cow<'_, str> {
    odd(&row.assistant_id, |id| clean(id))
}

/// The name and the number of a side; a dash for what is not known.
pub fn party(party: &Field<Party>) -> (Cow<'_, str>, Cow<'_, str>) {
    let known = |text: &'_ Option<String>| text.as_deref().map(|text| clean(text).into_owned());
    match party {
        Field::Known(Party { name, phone }) => {
            (known(name).unwrap_or(MISSING.into()).into(), known(phone).unwrap_or(MISSING.into()).into())
        }
        Field::Missing => (MISSING.into(), MISSING.into()),
        Field::Odd(_) => (odd(party, |_| MISSING.into()), MISSING.into()),
    }
}
