//! Text that the parts of the pane share.

use super::MessagingSender;
use super::replies::is_unknown_sender;
use crate::api::{Field, HistoryMessage, Role, SenderStatus, Template, TemplateCategory, TemplateStatus};
use crate::client::Failure;
use crate::ui::ages::seconds;
pub use crate::ui::ages::time_today as time;
use crate::ui::prelude::*;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::borrow::Cow;

pub use crate::ui::compose::words::{why_not_sendable, window_sign};
pub use crate::ui::phone::{phone, recipient};

/// Why a request of this pane failed.
pub fn why(failure: &Failure) -> String {
    if is_unknown_sender(failure) { "there is no such sender".to_owned() } else { explain(failure) }
}

/// A text of a template, cleaned; empty where the server sent none.
pub fn text(field: &Field<String>) -> Cow<'_, str> {
    field.known().map(|text| clean(text)).unwrap_or_default()
}

/// Why a template cannot be sent, in one word; `None` where it can.
pub fn not_sendable(template: &Template) -> Option<Cow<'_, str>> {
    match template.status.known() {
        Some(TemplateStatus::Approved) => None,
        Some(other) => Some(clean(other.as_str())),
        None => Some("status?".into()),
    }
}

/// What a template is for, in a short word.
pub fn category(template: &Template) -> Cow<'_, str> {
    match template.category.known() {
        Some(TemplateCategory::Authentication) => "auth".into(),
        Some(other) => clean(other.as_str()),
        None => "".into(),
    }
}

/// Who says a message, in a word.
pub fn speaker(message: &HistoryMessage) -> Cow<'_, str> {
    match message.role.known() {
        Some(Role::User) => "Customer".into(),
        Some(Role::Assistant) => "Assistant".into(),
        Some(Role::System) => "Platform".into(),
        Some(Role::Other(role)) => clean(role),
        None => "Unknown".into(),
    }
}

/// Whether a sender can send, in a word, with its sign and style.
pub fn sender_state(sender: &MessagingSender, options: &Options) -> (&'static str, Cow<'static, str>, Style) {
    let Options { theme, glyphs, .. } = options;
    match &sender.status {
        Some(SenderStatus::Online) => (glyphs.full, "online".into(), theme.good),
        Some(SenderStatus::Offline) => (glyphs.cross, "offline: nothing can be sent from it".into(), theme.failed),
        Some(other) => {
            let state = format!("{}: nothing can be sent from it", clean(other.as_str()));
            (glyphs.cross, state.into(), theme.failed)
        }
        None => (glyphs.half, "status unknown".into(), theme.dim),
    }
}

/// A sender's number, or its id.
pub fn sender(sender: &MessagingSender) -> String {
    match &sender.phone {
        Some(number) => phone(number),
        None => format!("sender {}", sender.id),
    }
}

/// The state of a sender and its name, where that is not the number.
pub fn sender_about(state: &str, sender: &MessagingSender, dot: &str) -> String {
    let name = sender.name.as_deref().filter(|name| Some(*name) != sender.phone.as_deref());
    let name = name.map(|name| format!(" {dot} {}", clean(name))).unwrap_or_default();
    format!("{state}{name}")
}

/// `40 s`, `12 min`, `2 h 5 min`.
pub fn span(span: Duration) -> String {
    let minutes = seconds(span).div_ceil(60);
    match seconds(span) {
        seconds @ ..100 => format!("{seconds} s"),
        _ if minutes < 60 => format!("{minutes} min"),
        _ => format!("{} h {} min", minutes / 60, minutes % 60),
    }
}

/// A time of today, or the day with it, in twelve columns.
pub fn time_in_list(time: Timestamp, now: Moment, zone: &TimeZone) -> String {
    let (then, now) = (time.to_zoned(zone.clone()), now.wall.to_zoned(zone.clone()));
    let form = match (then.date() == now.date(), then.year() == now.year()) {
        (true, _) => "%H:%M",
        (false, true) => "%-d %b %H:%M",
        (false, false) => "%-d %b %Y",
    };
    then.strftime(form).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_told_in_the_unit_that_matters() {
        let said = [1, 99, 100, 720, 3600, 7500].map(|seconds| span(Duration::from_secs(seconds)));
        assert_eq!(said, ["1 s", "99 s", "2 min", "12 min", "1 h 0 min", "2 h 5 min"]);
    }
}
