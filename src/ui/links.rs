//! Addresses that are opened outside the terminal, with the system's own program.

use super::message::Effect;
use super::overlay::OverlayEvent;
use super::pane::Context;
use super::widgets::confirm::Confirm;
use super::widgets::details::Details;
use crate::ui::text::clean;
use std::collections::BTreeSet;
use url::Url;

/// The name of the dialog.
const OPEN: &str = "open a link";

/// What is known about hosts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Links {
    /// The hosts that are opened without a question: the server's, that of the profile's link, and those that somebody has
    /// confirmed.
    known: BTreeSet<String>,
    /// The address that the dialog asks about.
    asked: Option<Url>,
}

impl Links {
    /// Nothing is asked before an address of this one's host is opened.
    pub fn learn(&mut self, address: &str) {
        let host = Url::parse(address).ok().and_then(|url| url.host_str().map(str::to_owned));
        self.known.extend(host);
    }
}

impl Context {
    /// Opens an `http` or `https` address outside the terminal. One of another host than the server's asks first, once a run;
    /// `what` names what is opened in the middle of a sentence: "the recording".
    pub fn open_link(&mut self, what: &str, address: &str) {
        let url = Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let Some((url, host)) = url.and_then(|url| url.host_str().map(str::to_owned).map(|host| (url, host))) else {
            return self.problem(format!("Not opened: {} is no web address.", clean(address)));
        };
        if self.links.known.contains(&host) {
            return self.push(Effect::OpenUrl(url.into()));
        }
        let about = Details::new(9)
            .field("Host", host)
            .wrapped("Address", url.as_str())
            .text("The address is from the server's answer, and its host is not the server's. Your browser opens it.");
        self.links.asked = Some(url);
        self.overlays.open_own(OPEN, Confirm::new(format!("Open {what}?"), about, "open").reads());
    }

    /// The dialog was answered.
    pub(super) fn answer_link(&mut self, event: OverlayEvent) {
        let asked = self.links.asked.take();
        if let Some(url) = asked.filter(|_| event == OverlayEvent::Confirmed(OPEN)) {
            self.links.known.extend(url.host_str().map(str::to_owned));
            self.push(Effect::OpenUrl(url.into()));
        }
    }

    /// No program opened the address: it is copied instead.
    pub(super) fn not_opened(&mut self, url: String, why: &str) {
        self.push(Effect::Copy(url));
        self.problem(format!("The address could not be opened ({why}). It was copied to the clipboard."));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_host_than_the_servers_is_asked_about_once() {
        let mut cx = Context::default();
        cx.links.learn("https://api.example.com/v1");
        let opened = |cx: &mut Context| std::mem::take(&mut cx.tasks.effects);
        cx.open_link("the page", "https://api.example.com/x");
        assert_eq!(opened(&mut cx), [Effect::OpenUrl("https://api.example.com/x".to_owned())]);

        let address = "https://files.example.net/a.mp3";
        for (event, opens) in [(OverlayEvent::Cancelled(OPEN), false), (OverlayEvent::Confirmed(OPEN), true)] {
            cx.open_link("the recording", address);
            assert_eq!(opened(&mut cx), []);
            assert_eq!(cx.overlays.layers.pop().map(|layer| (layer.owner, layer.name)), Some((None, OPEN)));
            cx.answer_link(event);
            assert_eq!(opened(&mut cx).len(), usize::from(opens));
        }
        cx.open_link("the recording", address);
        assert_eq!(opened(&mut cx), [Effect::OpenUrl(address.to_owned())]);
    }

    #[test]
    fn only_web_addresses_are_opened() {
        for address in ["file:///etc/passwd", "javascript:alert(1)", "-version", "", "http://", "mailto:a@example.com"]
        {
            let mut cx = Context::default();
            cx.open_link("the recording", address);
            assert!(cx.tasks.effects.is_empty() && cx.overlays.layers.is_empty(), "{address}");
        }
    }
}
