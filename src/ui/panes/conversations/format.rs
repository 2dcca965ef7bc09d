//! The fields of a conversation as text, cleaned.

use crate::api::{Conversation, ConversationType, Field, Party, PlainTimestamp};
use crate::ui::ages::{Age, date_and_time};
use crate::ui::format::{abbreviate, money};
use crate::ui::pane::View;
use crate::ui::text::{clean, fit, thousands, width};
use crate::ui::widgets::table::Cell;
use serde_json::Value;
use std::borrow::Cow;

/// What stands where the server sent nothing.
const MISSING: &str = "-";
/// Cells of a number where there is not room for all of it.
const SHORT: usize = 5;
/// A cost from here on is shown by its power of ten.
const HUGE: f64 = 1e12;

/// The value as `shown` has it; one of an unexpected type with a question mark, as it came.
pub fn field<T>(field: &Field<T>, shown: impl Fn(&T) -> Cow<'_, str>) -> Cow<'_, str> {
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

/// The type.
pub fn kind(row: &Conversation) -> Cow<'_, str> {
    field(&row.kind, kind_name)
}

/// The assistant's name.
pub fn assistant(row: &Conversation) -> Cow<'_, str> {
    field(&row.assistant_name, |name| clean(name))
}

/// The number of messages.
pub fn messages(row: &Conversation) -> Cow<'_, str> {
    field(&row.message_count, |count| thousands(*count).into())
}

/// The number of messages, abbreviated where the column is narrow.
pub fn messages_cell(row: &Conversation) -> Cell<'_> {
    match row.message_count.known() {
        Some(count) => Cell::number(thousands(*count), abbreviate(*count, SHORT)),
        None => Cell::text(messages(row)),
    }
}

/// An amount in USD, without the sign.
pub fn usd(cost: f64, decimals: usize) -> String {
    if cost.abs() < HUGE { money(cost, decimals) } else { format!("{cost:.1e}") }
}

/// The cost in USD with two decimals, abbreviated where the column is narrow.
pub fn cost_cell(row: &Conversation) -> Cell<'_> {
    row.total_cost.known().map_or_else(|| Cell::text(exact_cost(row)), |cost| usd_cell(*cost))
}

/// An amount in USD with two decimals, abbreviated where the column is narrow.
pub fn usd_cell(cost: f64) -> Cell<'static> {
    let full = usd(cost, 2);
    let whole = (cost > 999.0).then(|| format!("{cost:.0}").parse().ok()).flatten();
    let short =
        whole.filter(|whole: &u64| *whole >= 1000).map_or_else(|| full.clone(), |whole| abbreviate(whole, SHORT));
    Cell::number(full, short)
}

/// The cost with its sign, to a hundredth of a cent.
pub fn exact_cost(row: &Conversation) -> Cow<'_, str> {
    field(&row.total_cost, |cost| format!("${}", usd(*cost, 4)).into())
}

fn side(party: &Field<Party>) -> Option<(Cow<'_, str>, bool)> {
    let Party { name, phone } = party.known()?;
    let [name, phone] = [name, phone].map(|text| text.as_deref().map(clean).filter(|text| !text.trim().is_empty()));
    name.map(|name| (name, false)).or_else(|| phone.map(|phone| (phone, true)))
}

/// Who writes: the customer's name, else the number, else type and id.
pub fn customer(row: &Conversation) -> Cow<'_, str> {
    side(&row.customer).map_or_else(
        || {
            let named = row.extra.get("external_identifier").and_then(Value::as_str).filter(|name| !name.is_empty());
            named.map_or_else(|| format!("{} {}", kind(row), fit(&id(row), 8, "")).into(), clean)
        },
        |(text, _)| text,
    )
}

/// The same in a column; a number is never cut, and who has no name is dim.
pub fn customer_cell<'r>(row: &'r Conversation, view: &View<'_>) -> Cell<'r> {
    let theme = &view.options.theme;
    match side(&row.customer) {
        Some((text, is_number)) => {
            let cell = if is_number { Cell::whole(text.into_owned()) } else { Cell::text(text) };
            if row.ai_enabled.known() == Some(&false) { cell.style(theme.strong) } else { cell }
        }
        None => Cell::text(customer(row)).style(theme.dim),
    }
}

/// The sender's name, else its number.
pub fn sender(row: &Conversation) -> Cow<'_, str> {
    side(&row.msgapp_sender).map(|(text, _)| text).unwrap_or_default()
}

/// Whether the AI answers.
pub fn ai(row: &Conversation) -> Cow<'_, str> {
    field(&row.ai_enabled, |on| if *on { "on" } else { "off" }.into())
}

/// The whole id.
pub fn id(row: &Conversation) -> Cow<'_, str> {
    field(&row.id, |id| clean(id))
}

/// The assistant's name and the start of its id.
pub fn assistant_with_id(row: &Conversation, view: &View<'_>) -> String {
    let id = field(&row.assistant_id, |id| clean(id));
    format!("{} {} {}", assistant(row), view.options.glyphs.dot, fit(&id, 8, ""))
}

/// Date, time and age.
pub fn time(time: &Field<PlainTimestamp>, view: &View<'_>) -> String {
    let now = view.now.wall;
    match time {
        Field::Known(PlainTimestamp(time)) => {
            let dot = view.options.glyphs.dot;
            format!("{} {dot} {}", date_and_time(*time, now, view.zone), Age::between(*time, now))
        }
        Field::Missing => "not sent".to_owned(),
        Field::Odd(value) => format!("?{}", clean(&value.to_string())),
    }
}

/// The name and the number of a side, the name cut where both do not fit; a dash for what is not known.
pub fn party(party: &Field<Party>, columns: usize, view: &View<'_>) -> String {
    let Field::Known(Party { name, phone }) = party else { return field(party, |_| MISSING.into()).into_owned() };
    let known = |text: &'_ Option<String>| text.as_deref().map(|text| clean(text).into_owned());
    match (known(name), known(phone)) {
        (None, None) => MISSING.to_owned(),
        (name, phone) => {
            let [name, phone] = [name, phone].map(|text| text.unwrap_or_else(|| MISSING.to_owned()));
            let room = columns.saturating_sub(width(&phone) + 2);
            format!("{}  {phone}", fit(&name, room, view.options.glyphs.ellipsis))
        }
    }
}
