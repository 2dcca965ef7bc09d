//! The fields of a call as text, cleaned.

use super::super::format::{field, usd, usd_cell};
use super::rows::Row;
use crate::api::{Call, CallStatus, CallType, Field};
use crate::ui::options::Options;
use crate::ui::phone;
use crate::ui::text::{clean, fit};
use crate::ui::widgets::table::Cell;
use ratatui::style::Style;
use std::borrow::Cow;

/// The word of a status; without anybody named, the customer hung up.
pub fn status_name(status: &CallStatus) -> Cow<'_, str> {
    match status {
        CallStatus::EndedByCustomer => "hung up".into(),
        CallStatus::EndedByAssistant => "AI hung up".into(),
        status => clean(status.as_str()).replace(['_', '-'], " ").into(),
    }
}

/// How far the call is.
pub fn status(call: &Call) -> Cow<'_, str> {
    field(&call.status, status_name)
}

/// The glyph of its status, and the style of both.
pub fn sign(call: &Call, options: &Options) -> (&'static str, Style) {
    let (theme, glyphs) = (&options.theme, options.glyphs);
    match call.status.known() {
        Some(CallStatus::Initiated | CallStatus::Ringing) => (glyphs.half, theme.fresh),
        Some(CallStatus::InProgress) => (glyphs.half, theme.good),
        Some(CallStatus::Ended) => (glyphs.half, theme.dim),
        Some(CallStatus::Completed) => (glyphs.full, Style::new()),
        Some(CallStatus::EndedByCustomer | CallStatus::EndedByAssistant) => (glyphs.full, theme.dim),
        Some(CallStatus::Busy | CallStatus::NoAnswer) => (glyphs.hollow, theme.warning),
        Some(CallStatus::Failed) => (glyphs.cross, theme.failed),
        Some(CallStatus::Other(_)) | None => (glyphs.none, theme.dim),
    }
}

/// The name of a type.
pub fn kind_name(kind: &CallType) -> Cow<'_, str> {
    clean(kind.as_str())
}

/// Who calls whom.
pub fn kind(call: &Call) -> Cow<'_, str> {
    field(&call.kind, kind_name)
}

/// The same in fewer cells.
pub fn short_kind(call: &Call) -> Cow<'_, str> {
    match call.kind.known() {
        Some(CallType::Inbound) => "in".into(),
        Some(CallType::Outbound) => "out".into(),
        _ => fit(&kind(call), 4, "").into_owned().into(),
    }
}

/// The assistant's name.
pub fn assistant(call: &Call) -> Cow<'_, str> {
    field(&call.assistant_name, |name| clean(name))
}

/// The customer's number in groups.
pub fn number(call: &Call) -> Cow<'_, str> {
    field(&call.client_phone_number, |number| phone::phone(number).into())
}

/// The customer's name where it is known, else the number; true for the latter.
pub fn customer(row: &Row) -> (Cow<'_, str>, bool) {
    row.name.as_deref().map_or_else(|| (number(&row.data), true), |name| (name.into(), false))
}

/// How long they talked: `1:05`.
pub fn clock(call: &Call) -> Cow<'_, str> {
    match &call.duration {
        Field::Known(0) => "-".into(),
        duration => field(duration, |seconds| format!("{}:{:02}", seconds / 60, (seconds % 60).abs()).into()),
    }
}

/// An amount as a number, which some servers send; `None` where it is none.
pub fn amount(cost: &Field<String>) -> Option<f64> {
    let amount = match cost {
        Field::Known(text) => text.trim().parse().ok(),
        Field::Odd(value) => value.as_f64(),
        Field::Missing => None,
    };
    amount.filter(|amount: &f64| amount.is_finite())
}

/// An amount in USD to a hundredth of a cent; what is no number as it came.
pub fn exact(cost: &Field<String>) -> Cow<'_, str> {
    amount(cost).map_or_else(|| field(cost, |cost| clean(cost)), |cost| format!("${}", usd(cost, 4)).into())
}

/// The whole cost, abbreviated where the column is narrow.
pub fn cost_cell(call: &Call) -> Cell<'_> {
    match amount(&call.total_cost) {
        Some(0.0) => Cell::text("-"),
        Some(cost) => usd_cell(cost),
        None => Cell::text(field(&call.total_cost, |cost| clean(cost))),
    }
}
