//! A message on its way from what was typed to what leaves, for every pane that sends one: the rules it must pass, what the
//! confirm dialog says, its draft, and the question where the same was sent lately.

pub mod drafts;
pub mod message;
mod outcome;
pub mod words;

pub use outcome::{Leaving, Repeated, UnresolvedSend, tell};

use crate::api::{Sender, SenderStatus, Template};
use crate::messaging::{LastMessage, Window};
use crate::ui::pane::View;
use crate::ui::text::clean;
use jiff::Timestamp;

/// Cells for the labels of details.
pub const LABEL: usize = 9;

/// What a pane knows of the server's side of messaging. Recipients are in E.164.
pub trait Known {
    /// The sender of this id.
    fn sender(&self, id: i64) -> Option<&MessagingSender>;

    /// A template by the ids of its sender and its own.
    fn template(&self, sender_id: i64, template_id: i64) -> Option<&Template>;

    /// The window of a recipient as last loaded.
    fn window(&self, sender_id: i64, phone: &str) -> Option<Window>;

    /// What the server tells of a recipient's last message.
    fn last_message(&self, sender_id: i64, phone: &str) -> LastMessage;

    /// The account's balance, in credits or minutes.
    fn balance(&self) -> Option<f64>;
}

/// What a message depends on, at one moment.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// The server's side.
    pub known: &'a dyn Known,
    /// Now by the server's clock.
    pub server_now: Timestamp,
    /// Settings, time and place.
    pub view: View<'a>,
}

impl Facts<'_> {
    /// The window of a recipient at this moment; `None` while it has not been loaded.
    pub fn window(&self, sender_id: i64, phone: &str) -> Option<Window> {
        self.known.window(sender_id, phone).map(|window| window.at(self.server_now))
    }
}

/// A sender.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MessagingSender {
    /// The `sender_id` of the API.
    pub id: i64,
    /// In E.164; `None` where the server does not send it.
    pub phone: Option<String>,
    /// The display name.
    pub name: Option<String>,
    /// `None` where the server does not send it.
    pub status: Option<SenderStatus>,
    /// True where it was added by id.
    pub added: bool,
}

impl MessagingSender {
    /// As the server lists it; `None` for a sender without an id.
    pub fn read(sender: &Sender) -> Option<Self> {
        let text = |text: Option<&String>| text.map(|text| clean(text).into_owned()).filter(|text| !text.is_empty());
        Some(Self {
            id: *sender.id.known()?,
            phone: text(sender.phone_number.known()),
            name: text(sender.display_name.known()),
            status: sender.status.known().cloned(),
            added: false,
        })
    }
}
