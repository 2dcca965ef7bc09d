//! What the pane has loaded of messaging, and what storage keeps for the profile.

use super::RowId;
use super::replies::is_unknown_sender;
use super::windows::WindowPoll;
use crate::api::{Rows, Template};
use crate::messaging::{LastMessage, Window};
use crate::records::{Draft, Used, Watched};
use crate::ui::compose::{Known, MessagingSender};
use crate::ui::remote::Remote;
use std::collections::BTreeMap;

/// The data of the pane.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MessagingData {
    /// The senders that the server lists, then those added by id.
    pub senders: Vec<MessagingSender>,
    /// By sender id, in display order: sendable ones first.
    pub templates: BTreeMap<i64, Remote<Rows<Template>>>,
    /// The watched recipients, the window that closes first at the top.
    pub windows: Vec<WatchedWindow>,
    /// The windows of recipients that are not watched, as last loaded.
    pub other_windows: BTreeMap<RowId, Window>,
    /// What the server tells of their last messages, watched or not.
    pub last_messages: BTreeMap<RowId, LastMessage>,
    /// The newest first.
    pub drafts: Vec<Draft>,
    /// The newest first.
    pub used: Vec<Used>,
    /// The account's balance, in credits or minutes.
    pub balance: Option<f64>,
}

/// A watched recipient.
#[derive(Debug, Clone, PartialEq)]
pub struct WatchedWindow {
    /// The sender.
    pub sender_id: i64,
    /// The recipient, in E.164.
    pub phone: String,
    /// The recipient's name.
    pub name: Option<String>,
    /// `None` before the first reply.
    pub window: Option<Window>,
    /// When it is polled next, and how the last request went.
    pub poll: WindowPoll,
    /// The number in groups, formatted once.
    pub number: String,
}

impl WatchedWindow {
    /// A recipient whose window has not been requested.
    pub fn new(Watched { sender_id, phone, name }: Watched) -> Self {
        let number = super::format::phone(&phone);
        Self { sender_id, phone, name, window: None, poll: WindowPoll::default(), number }
    }

    /// Sender id and phone number.
    pub fn key(&self) -> RowId {
        (self.sender_id, self.phone.clone())
    }

    /// The recipient, as storage keeps it.
    pub fn watched(&self) -> Watched {
        Watched { sender_id: self.sender_id, phone: self.phone.clone(), name: self.name.clone() }
    }

    /// The name, or the number where there is none.
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.number)
    }
}

impl MessagingData {
    /// The templates of a sender; `None` while they have not been loaded, or where the server has no such sender.
    pub fn templates_of(&self, sender_id: i64) -> Option<&[Template]> {
        let remote = self.templates.get(&sender_id)?;
        let exists = !remote.failure().is_some_and(is_unknown_sender);
        remote.value().filter(|_| exists).map(|rows| &rows[..])
    }

    /// The recipient watched under this sender and number.
    pub fn watch(&self, sender_id: i64, phone: &str) -> Option<&WatchedWindow> {
        self.windows.iter().find(|watch| watch.sender_id == sender_id && watch.phone == phone)
    }
}

impl Known for MessagingData {
    fn sender(&self, id: i64) -> Option<&MessagingSender> {
        self.senders.iter().find(|sender| sender.id == id)
    }

    fn template(&self, sender_id: i64, template_id: i64) -> Option<&Template> {
        self.templates_of(sender_id)?.iter().find(|template| template.id.known() == Some(&template_id))
    }

    fn window(&self, sender_id: i64, phone: &str) -> Option<Window> {
        let watched = self.watch(sender_id, phone).and_then(|watch| watch.window);
        watched.or_else(|| self.other_windows.get(&(sender_id, phone.to_owned())).copied())
    }

    fn last_message(&self, sender_id: i64, phone: &str) -> LastMessage {
        self.last_messages.get(&(sender_id, phone.to_owned())).copied().unwrap_or_default()
    }

    fn balance(&self) -> Option<f64> {
        self.balance
    }
}
