//! A message that has passed every check, on its way into the box that asks.

use super::{Sight, Wanted};
use crate::messaging::{Outgoing, Window};
use crate::records::{Before, Intent, TemplateName, Used};
use crate::tasks::Sending;
use uuid::Uuid;

/// What came of a key in a form or an editor.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    /// It goes on.
    Stay,
    /// It was left.
    Leave,
    /// Ask whether to send this.
    Ready(Box<Ready>),
    /// Say why it is not sent.
    Told(String),
    /// The form of a template instead.
    Instead(Wanted),
}

/// A message as it was checked: what leaves, and what people are told about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ready {
    /// What leaves.
    pub(super) outgoing: Outgoing,
    /// The sender's name, where it has one.
    pub(super) sender_name: Option<String>,
    /// The sender's number as it is kept: its phone number, or its number at the service.
    pub(super) sender: String,
    /// The recipient's name.
    pub(super) name: Option<String>,
    /// The template.
    pub(super) template: Option<TemplateName>,
    /// The text as the customer reads it.
    pub(super) text: String,
    /// The values to offer the next time.
    pub(super) used: Vec<Used>,
}

/// The names that this program gives to sends are derived below this one.
const NAMESPACE: Uuid = Uuid::from_u128(0x8a2f_6c1e_51b7_4c0d_9e3a_77d0_12c4_be65);

impl Ready {
    /// The send that is recorded and leaves. `before` is what is known of its window.
    pub(super) fn sending(self, before: Option<Window>, confirms: u64, sight: &Sight<'_>) -> Sending {
        let before = before.map(|window| match window {
            Window::Open { expires } => Before { open: true, expiry: Some(expires) },
            Window::Expired { since } => Before { open: false, expiry: since },
            Window::None => Before { open: false, expiry: None },
        });
        let intent = Intent {
            id: self.id(confirms, sight),
            profile: sight.options.place.profile().to_owned(),
            sender_id: self.outgoing.sender_id(),
            sender: self.sender,
            phone: self.outgoing.recipient_phone().to_owned(),
            name: self.name,
            template: self.template,
            row: None,
            before,
            text: sight.options.settings.messaging.keep_text.then_some(self.text),
        };
        Sending { intent, outgoing: self.outgoing }
    }

    /// A name for this send. The interface has no chance to roll: the moment, to the nanosecond on two clocks, stands in
    /// for it.
    fn id(&self, confirms: u64, sight: &Sight<'_>) -> Uuid {
        let (wall, mono) = (sight.now.wall.as_nanosecond(), sight.now.mono.as_nanos());
        let server = sight.server_now.as_nanosecond();
        let (place, phone) = (sight.options.place.profile(), self.outgoing.recipient_phone());
        let seed = format!("{place}\n{wall}\n{mono}\n{server}\n{confirms}\n{phone}\n{}", self.text);
        Uuid::new_v5(&NAMESPACE, seed.as_bytes())
    }
}
