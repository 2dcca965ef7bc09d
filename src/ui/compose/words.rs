//! Text that whatever sends a message shares: windows, senders and templates in words.

use super::{Facts, MessagingSender};
use crate::api::{SenderStatus, Template, TemplateCategory, TemplateStatus};
use crate::messaging::{Level, Remaining, Window, asks_for_name};
use crate::ui::options::Options;
use crate::ui::text::clean;
use jiff::Timestamp;
use ratatui::style::Style;

/// The glyph of a window, and its style.
pub fn window_sign(remaining: Remaining, options: &Options) -> (&'static str, Style) {
    let Options { theme, glyphs, .. } = options;
    match remaining.level() {
        Level::Urgent => (glyphs.alert, theme.failed),
        Level::Warning => (glyphs.half, theme.warning),
        Level::Normal => (glyphs.full, Style::new()),
        Level::Calm => (glyphs.full, theme.good),
        Level::Closed if remaining == Remaining::None => (glyphs.none, theme.dim),
        Level::Closed => (glyphs.hollow, theme.dim),
    }
}

/// A window in a few words; `window` as it is at `now` of the server's clock.
pub fn window_short(window: Window, now: Timestamp) -> String {
    let remaining = Remaining::of(window, now);
    match remaining.level() {
        Level::Calm | Level::Normal => format!("{}, {} left", remaining.state(), remaining.figure()),
        _ => remaining.to_string(),
    }
}

/// A window with its glyph and its style; what it means is said for a template, or for a message of one's own.
pub fn window_line(window: Option<Window>, template: bool, facts: &Facts<'_>) -> (String, Style) {
    let (theme, glyphs, now) = (&facts.view.options.theme, facts.view.options.glyphs, facts.server_now);
    let Some(window) = window else {
        return (format!("{} not known yet", glyphs.half), theme.dim);
    };
    let (sign, style) = window_sign(Remaining::of(window, now), facts.view.options);
    let opens = match window {
        Window::Expired { .. } if template => ": this template opens it again",
        Window::None if template => ": this template opens one",
        _ => "",
    };
    (format!("{sign} {}{opens}", window_short(window, now)), style)
}

/// The part of the recipient's name that a variable asks for: all of it, or the first word; `None` where it asks for
/// something else.
pub fn name_for<'a>(variable: &str, name: &'a str) -> Option<&'a str> {
    let plain: String = variable.chars().filter(|letter| letter.is_alphanumeric()).collect();
    if matches!(plain.to_lowercase().as_str(), "firstname" | "customerfirstname" | "vorname" | "prénom" | "prenom") {
        return Some(name.split_whitespace().next().unwrap_or_default());
    }
    asks_for_name(variable).then_some(name.trim())
}

/// Why nothing can be sent from a sender.
pub fn sender_barred(sender: &MessagingSender) -> Option<String> {
    let status = sender.status.as_ref().filter(|status| **status != SenderStatus::Online)?;
    Some(format!("{}: nothing can be sent from it", status.as_str()))
}

/// Why a template cannot be sent, in a sentence; `None` where it can.
pub fn why_not_sendable(template: &Template) -> Option<String> {
    Some(match template.status.known() {
        Some(TemplateStatus::Approved) => return None,
        Some(TemplateStatus::Pending) => "pending: the platform is polled every 4 hours".to_owned(),
        Some(other) => format!("{}: it cannot be sent", clean(other.as_str())),
        None => "the server does not send its status".to_owned(),
    })
}

/// True where a template may carry something that is one recipient's alone, such as a code to log in with.
pub fn is_secret(template: &Template) -> bool {
    !matches!(template.category.known(), Some(TemplateCategory::Utility | TemplateCategory::Marketing))
}

/// True where a value may be suggested for other recipients: neither a name nor a login code.
pub fn may_be_shared(template: &Template, variable: &str) -> bool {
    !is_secret(template) && name_for(variable, "").is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
