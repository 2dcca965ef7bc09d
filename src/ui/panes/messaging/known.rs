//! What the pane knows of the server's side of messaging, and of what is kept for the profile.

use crate::api::{SenderStatus, Template};
use crate::messaging::Window;
use crate::records::{Draft, Used};
use std::collections::BTreeMap;

/// What is known.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Known {
    /// The senders that the server lists, then those that were added by number.
    pub senders: Vec<KnownSender>,
    /// By sender, in the order of the list: what can be sent comes first.
    pub templates: BTreeMap<i64, Vec<Template>>,
    /// The watched recipients.
    pub windows: Vec<Watch>,
    /// The windows of recipients that nobody watches, as last heard.
    pub other_windows: Vec<(i64, String, Window)>,
    /// The newest first.
    pub drafts: Vec<Draft>,
    /// The newest first.
    pub used: Vec<Used>,
    /// The caller's balance, in whatever it is counted.
    pub balance: Option<f64>,
}

/// A sender.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownSender {
    /// Its number at the service.
    pub id: i64,
    /// Its phone number; `None` where the server does not tell it.
    pub phone: Option<String>,
    /// What customers see.
    pub name: Option<String>,
    /// Whether it can send; `None` where the server does not tell it.
    pub status: Option<SenderStatus>,
    /// True where it was added by number.
    pub added: bool,
}

/// A watched recipient.
#[derive(Debug, Clone, PartialEq)]
pub struct Watch {
    /// The sender's number at the service.
    pub sender_id: i64,
    /// The recipient, in E.164.
    pub phone: String,
    /// The recipient's name, where it is known.
    pub name: Option<String>,
    /// The window as last heard; `None` before the first answer.
    pub window: Option<Window>,
}

impl Known {
    /// The sender of this number.
    pub fn sender(&self, id: i64) -> Option<&KnownSender> {
        self.senders.iter().find(|sender| sender.id == id)
    }

    /// The template of this number of a sender.
    pub fn template(&self, sender_id: i64, template_id: i64) -> Option<&Template> {
        let templates = self.templates.get(&sender_id)?;
        templates.iter().find(|template| template.id.known() == Some(&template_id))
    }

    /// The window of a recipient, watched or not, as last heard.
    pub fn window(&self, sender_id: i64, phone: &str) -> Option<Window> {
        let watched = self.watch(sender_id, phone).and_then(|watch| watch.window);
        let other = || self.other_windows.iter().find(|(id, number, _)| (*id, number.as_str()) == (sender_id, phone));
        watched.or_else(|| other().map(|(.., window)| *window))
    }

    /// Remembers the window of a recipient that nobody watches.
    pub fn set_other_window(&mut self, sender_id: i64, phone: &str, window: Window) {
        self.other_windows.retain(|(id, number, _)| (*id, number.as_str()) != (sender_id, phone));
        self.other_windows.push((sender_id, phone.to_owned(), window));
    }

    /// The recipient watched under this sender and number.
    pub fn watch(&self, sender_id: i64, phone: &str) -> Option<&Watch> {
        self.windows.iter().find(|watch| watch.sender_id == sender_id && watch.phone == phone)
    }
}
