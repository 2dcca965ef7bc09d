//! The words that the form, the box and the outbox share.

use super::Sight;
use crate::api::Template;
use crate::messaging::{Phone, Window, asks_for_name};
use crate::ui::ages::{date_and_time, time_of_day};
use crate::ui::panes::messaging::KnownSender;
use crate::ui::text::{clean, wrap};
use jiff::Timestamp;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use std::time::Duration;

/// Seconds are told in the last ten minutes.
const CLOSE: i64 = 600;

/// A number as people read it.
pub(in crate::ui::panes::messaging) fn pretty(phone: &str) -> String {
    Phone::read(phone, None).map_or_else(|_| phone.to_owned(), |phone| phone.pretty())
}

/// The country of a number, in brackets behind a blank; nothing where it is not known.
pub(in crate::ui::panes::messaging) fn country(phone: &str) -> String {
    let phone = Phone::read(phone, None).ok();
    phone.as_ref().and_then(Phone::country).map(|country| format!("({country})")).unwrap_or_default()
}

/// What a sender is called, and its number; its number at the service stands in for both.
pub(super) fn sender(sender: &KnownSender) -> (String, String) {
    let phone = sender.phone.as_deref().map_or_else(|| format!("sender {}", sender.id), pretty);
    match &sender.name {
        Some(name) if !name.trim().is_empty() => (name.clone(), phone),
        _ => (phone, String::new()),
    }
}

/// The language and the category of a template.
pub(super) fn template_about(template: &Template) -> String {
    let language = template.language.known().map(String::as_str);
    let category = template.category.known().map(|category| category.as_str());
    [language, category].into_iter().flatten().collect::<Vec<_>>().join("  ")
}

/// A time of today, or the day with it.
pub(in crate::ui::panes::messaging) fn time(time: Timestamp, sight: &Sight<'_>) -> String {
    let said = date_and_time(time, sight.now.wall, sight.zone);
    if said.starts_with("today ") { time_of_day(time, sight.zone) } else { said }
}

/// A time of today, or the day with it, in twelve columns.
pub(in crate::ui::panes::messaging) fn time_in_a_list(time: Timestamp, sight: &Sight<'_>) -> String {
    let (then, now) = (time.to_zoned(sight.zone.clone()), sight.now.wall.to_zoned(sight.zone.clone()));
    let form = match (then.date() == now.date(), then.year() == now.year()) {
        (true, _) => "%H:%M",
        (false, true) => "%-d %b %H:%M",
        (false, false) => "%-d %b %Y",
    };
    then.strftime(form).to_string()
}

/// Whole seconds of a span.
fn spelled(seconds: i64) -> String {
    match seconds {
        ..CLOSE => format!("{}:{:02}", seconds / 60, seconds % 60),
        CLOSE..3600 => format!("{} min", seconds / 60),
        _ => format!("{} h {:02}", seconds / 3600, seconds / 60 % 60),
    }
}

/// How long ago, in the largest unit.
fn ago(seconds: i64) -> String {
    match seconds {
        ..60 => "just now".to_owned(),
        60..3600 => format!("{} min ago", seconds / 60),
        3600..86_400 => format!("{} h ago", seconds / 3600),
        86_400..172_800 => "1 day ago".to_owned(),
        _ => format!("{} days ago", seconds / 86_400),
    }
}

/// Seconds that are left, those begun counted whole.
fn left(expires: Timestamp, now: Timestamp) -> i64 {
    let left = expires.duration_since(now);
    left.as_secs() + i64::from(left.subsec_nanos() > 0)
}

/// A window in a word or two; `window` as it is at `now` of the server's clock.
pub(super) fn window_short(window: Window, now: Timestamp) -> String {
    match window {
        Window::Open { expires } => format!("open, {} left", spelled(left(expires, now))),
        Window::Expired { since: Some(since) } => format!("expired {}", ago(now.duration_since(since).as_secs())),
        Window::Expired { since: None } => "expired".to_owned(),
        Window::None => "none yet".to_owned(),
    }
}

/// What a window means for a template that is about to be sent.
pub(super) fn window_for_template(window: Window, now: Timestamp) -> String {
    let said = window_short(window, now);
    match window {
        Window::Open { .. } => said,
        Window::Expired { .. } => format!("{said}: this template opens it again"),
        Window::None => format!("{said}: this template opens one"),
    }
}

/// In how long [`window_short`] says something else.
pub(super) fn window_changes_in(window: Window, now: Timestamp) -> Option<Duration> {
    let Window::Open { expires } = window else { return None };
    let seconds = left(expires, now);
    // What is told holds to the end of its last second: "59 min" until 58:59 are left.
    let last = if seconds <= CLOSE { seconds } else { seconds / 60 * 60 };
    let millis = expires.duration_since(now).as_millis();
    let until = millis - i128::from(last - 1) * 1000;
    Some(Duration::from_millis(u64::try_from(until.min(millis)).unwrap_or(0).max(1)))
}

/// Which part of the recipient's name a variable asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NamePart {
    /// All of it.
    Whole,
    /// The first word.
    First,
}

/// Which part of the recipient's name a variable asks for, where it asks for any.
pub(super) fn asks_for(variable: &str) -> Option<NamePart> {
    let plain: String = variable.chars().filter(char::is_ascii_alphanumeric).collect();
    if plain.eq_ignore_ascii_case("firstname") || plain.eq_ignore_ascii_case("customerfirstname") {
        return Some(NamePart::First);
    }
    asks_for_name(variable).then_some(NamePart::Whole)
}

/// A window with its glyph and its style; what it means is said for a template, or for a message of one's own.
pub(super) fn window_line(window: Option<Window>, template: bool, sight: &Sight<'_>) -> (String, Style) {
    let (theme, glyphs, now) = (&sight.options.theme, sight.options.glyphs, sight.server_now);
    let Some(window) = window else {
        return (format!("{} not known yet", glyphs.half), theme.dim);
    };
    let said = if template { window_for_template(window, now) } else { window_short(window, now) };
    match window {
        Window::Open { expires } if left(expires, now) <= CLOSE => (format!("{} {said}", glyphs.alert), theme.failed),
        Window::Open { expires } if left(expires, now) <= 3600 => (format!("{} {said}", glyphs.alert), theme.warning),
        Window::Open { .. } => (format!("{} {said}", glyphs.full), theme.good),
        Window::Expired { .. } | Window::None => (format!("{} {said}", glyphs.hollow), theme.dim),
    }
}

/// Text in lines of at most `columns`, its own line breaks kept, harmless for the terminal. Each piece has its style.
pub(in crate::ui::panes::messaging) fn styled(pieces: &[(String, Style)], columns: usize) -> Vec<Line<'static>> {
    let mut paragraphs = vec![Vec::new()];
    for (text, style) in pieces {
        for (at, line) in text.replace("\r\n", "\n").split('\n').enumerate() {
            if at > 0 {
                paragraphs.push(Vec::new());
            }
            let letters = clean(line).chars().map(|letter| (letter, *style)).collect::<Vec<_>>();
            paragraphs.last_mut().map(|paragraph: &mut Vec<(char, Style)>| paragraph.extend(letters));
        }
    }
    paragraphs.iter().flat_map(|paragraph| wrapped(paragraph, columns)).collect()
}

fn wrapped(letters: &[(char, Style)], columns: usize) -> Vec<Line<'static>> {
    let text: String = letters.iter().map(|(letter, _)| letter).collect();
    let mut rest = letters.iter();
    let line = |line: String| {
        let mut spans: Vec<Span<'static>> = Vec::new();
        for letter in line.chars() {
            // Blanks at the end of a line are left out; all else is there, in its order.
            let style = rest.find(|(next, _)| *next == letter).map_or_else(Style::new, |(_, style)| *style);
            match spans.last_mut().filter(|span| span.style == style) {
                Some(span) => span.content.to_mut().push(letter),
                None => spans.push(Span::styled(letter.to_string(), style)),
            }
        }
        Line::from(spans)
    };
    wrap(&text, columns).into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millisecond(1_800_000_000_000 + millis).unwrap()
    }

    #[test]
    fn a_window_is_told_in_hours_then_minutes_then_seconds() {
        let said = |left: i64| window_short(Window::Open { expires: at(left * 1000) }, at(0));
        assert_eq!(said(3 * 3600 + 12 * 60), "open, 3 h 12 left");
        assert_eq!(said(1860), "open, 31 min left");
        assert_eq!(said(461), "open, 7:41 left");
        assert_eq!(window_short(Window::None, at(0)), "none yet");
        let expired = Window::Expired { since: Some(at(-7_200_000)) };
        assert_eq!(window_for_template(expired, at(0)), "expired 2 h ago: this template opens it again");
    }

    #[test]
    fn a_variable_that_asks_for_the_recipients_name_is_known_by_its_own() {
        for name in ["name", "customer_name", "Customer Name", "full_name"] {
            assert_eq!(asks_for(name), Some(NamePart::Whole), "{name}");
        }
        assert_eq!(asks_for("first_name"), Some(NamePart::First));
        for other in ["company_name", "doctor_name", "date", "", "product name", "first_order"] {
            assert_eq!(asks_for(other), None, "{other}");
        }
    }

    proptest! {
        #[test]
        fn what_is_told_of_a_window_holds_until_it_says_it_changes(left in 1i64..90_000_000) {
            let window = Window::Open { expires: at(left) };
            let wait = i64::try_from(window_changes_in(window, at(0)).unwrap().as_millis()).unwrap();
            let said = |after: i64| window_short(window.at(at(after)), at(after));
            prop_assert_eq!(said(0), said(wait - 1));
            prop_assert_ne!(said(0), said(wait));
        }
    }
}
