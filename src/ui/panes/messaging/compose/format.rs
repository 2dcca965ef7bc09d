//! The words that the form, the box and the outbox share.

use super::Snapshot;
use crate::api::{Template, TemplateCategory};
use crate::messaging::{Level, Remaining, Window, asks_for_name};
use crate::ui::panes::messaging::{MessagingSender, words as pane};
use crate::ui::text::{clean, wrap};
use jiff::Timestamp;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// A number as people read it.
pub(in crate::ui::panes::messaging) use pane::{country, phone as pretty};

/// What a sender is called, and its number; its number at the service stands in for both.
pub(super) fn sender(sender: &MessagingSender) -> (String, String) {
    let phone = pane::sender(sender);
    match &sender.name {
        Some(name) if !name.trim().is_empty() => (name.clone(), phone),
        _ => (phone, String::new()),
    }
}

/// The language and the category of a template.
pub(super) fn template_about(template: &Template) -> String {
    let language = template.language.known().map(String::as_str);
    let category = template.category.known().map(TemplateCategory::as_str);
    [language, category].into_iter().flatten().collect::<Vec<_>>().join("  ")
}

/// A time of today, or the day with it.
pub(in crate::ui::panes::messaging) fn time(time: Timestamp, context: &Snapshot<'_>) -> String {
    pane::time(time, context.now, context.zone)
}

/// A window in a few words; `window` as it is at `now` of the server's clock.
pub(super) fn window_short(window: Window, now: Timestamp) -> String {
    let remaining = Remaining::of(window, now);
    match (remaining.level(), remaining.figure()) {
        (Level::Calm | Level::Normal, figure) => format!("{}, {figure} left", remaining.state()),
        (_, figure) if figure.is_empty() => remaining.state().to_owned(),
        (_, figure) => format!("{} {figure}", remaining.state()),
    }
}

/// The part of the recipient's name that a variable asks for: all of it, or the first word; `None` where it asks for
/// something else.
pub(super) fn name_for<'a>(variable: &str, name: &'a str) -> Option<&'a str> {
    let plain: String = variable.chars().filter(|letter| letter.is_alphanumeric()).collect();
    if matches!(plain.to_lowercase().as_str(), "firstname" | "customerfirstname" | "vorname" | "prénom" | "prenom") {
        return Some(name.split_whitespace().next().unwrap_or_default());
    }
    asks_for_name(variable).then_some(name.trim())
}

/// A window with its glyph and its style; what it means is said for a template, or for a message of one's own.
pub(super) fn window_line(window: Option<Window>, template: bool, context: &Snapshot<'_>) -> (String, Style) {
    let (theme, glyphs, now) = (&context.options.theme, context.options.glyphs, context.server_now);
    let Some(window) = window else {
        return (format!("{} not known yet", glyphs.half), theme.dim);
    };
    let (sign, style) = pane::window_sign(Remaining::of(window, now), context.options);
    let opens = match window {
        Window::Expired { .. } if template => ": this template opens it again",
        Window::None if template => ": this template opens one",
        _ => "",
    };
    (format!("{sign} {}{opens}", window_short(window, now)), style)
}

/// Text in lines of at most `columns`, its own line breaks kept, harmless for the terminal. Each piece has its style.
pub(in crate::ui::panes::messaging) fn styled(pieces: &[(String, Style)], columns: usize) -> Vec<Line<'static>> {
    let mut paragraphs: Vec<Vec<(char, Style)>> = vec![Vec::new()];
    for (text, style) in pieces {
        for (at, line) in text.replace("\r\n", "\n").split('\n').enumerate() {
            if at > 0 {
                paragraphs.push(Vec::new());
            }
            if let Some(paragraph) = paragraphs.last_mut() {
                paragraph.extend(clean(line).chars().map(|letter| (letter, *style)));
            }
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

    #[test]
    fn a_window_is_told_in_hours_then_minutes_then_seconds() {
        let now: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
        let open = |left| window_short(Window::Open { expires: now + jiff::SignedDuration::from_secs(left) }, now);
        assert_eq!([3 * 3600 + 720, 1860, 461].map(open), ["open, 3 h 12 left", "closes in 31 min", "closes in 7:41"]);
        assert_eq!(window_short(Window::None, now), "none yet");
        assert_eq!(window_short(Window::Expired { since: None }, now), "expired");
    }

    #[test]
    fn a_variable_that_asks_for_the_recipients_name_is_known_by_its_own() {
        let given = |variable: &str| name_for(variable, " Maria Souza ");
        for name in ["name", "customer_name", "Customer Name", "full_name", "Nombre", "kundenname", "お名前"] {
            assert_eq!(given(name), Some("Maria Souza"), "{name}");
        }
        for name in ["first_name", "Vorname", "prénom"] {
            assert_eq!(given(name), Some("Maria"), "{name}");
        }
        for other in ["company_name", "doctor_name", "date", "", "product name", "first_order"] {
            assert_eq!(given(other), None, "{other}");
        }
    }

    #[test]
    fn styles_stay_with_their_letters_where_lines_break() {
        let bold = Style::new().add_modifier(ratatui::style::Modifier::BOLD);
        let lines =
            styled(&[("Hi ".into(), Style::new()), ("Maria Souza".into(), bold), ("!\nBye".into(), Style::new())], 8);
        let said: Vec<String> = lines.iter().map(ToString::to_string).collect();
        assert_eq!(said, ["Hi Maria", "Souza!", "Bye"]);
        assert_eq!(lines[1].spans[0].style, bold);
        assert_eq!(lines[1].spans[1].style, Style::new());
    }
}
