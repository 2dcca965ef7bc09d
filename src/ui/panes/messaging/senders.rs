//! The numbers to send from.

use super::MessagingSender;
use super::data::MessagingData;
use crate::api::Sender;
use crate::client::Reply;
use crate::ui::remote::Remote;
use crate::ui::text::clean;
use crate::ui::widgets::list::ListState;
use std::cmp::Ordering;
use std::time::Duration;

/// Lines of a row.
pub const LINES: u16 = 2;
/// The shortest poll interval: senders seldom change.
const INTERVAL_MIN: Duration = Duration::from_secs(60);

/// What the server lists.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Listed {
    /// Those with an id.
    pub senders: Vec<MessagingSender>,
    /// Why rows could not be read, a reason each.
    pub unreadable: Vec<String>,
}

/// The state of the part.
#[derive(Debug, Clone, PartialEq)]
pub struct Senders {
    pub(super) remote: Remote<Listed>,
    pub(super) list: ListState<i64>,
    /// Ids added by hand, in that order.
    pub(super) added: Vec<i64>,
    /// True where a person chose the sender, false where it follows the selected window.
    pub(super) chosen: bool,
}

impl Senders {
    pub fn new(refresh: Option<Duration>) -> Self {
        let remote = Remote::new(refresh.map(|every| every.max(INTERVAL_MIN)));
        Self { remote, list: ListState::default(), added: Vec::new(), chosen: false }
    }

    /// True where the server lists its senders, so that none need be added.
    pub fn are_listed(&self) -> bool {
        self.remote.value().is_some() && self.remote.is_offered()
    }

    /// True before the first reply.
    pub fn is_waiting(&self) -> bool {
        self.remote.value().is_none() && self.remote.failure().is_none()
    }

    /// Puts those that were added behind those that the server lists, with the selection on the same sender.
    pub fn arrange(&mut self, data: &mut MessagingData, height: usize) {
        let mut senders = self.remote.value().map(|listed| listed.senders.clone()).unwrap_or_default();
        for id in self.added.iter().filter(|_| !self.is_waiting()) {
            if senders.iter().all(|sender| sender.id != *id) {
                senders.push(MessagingSender { id: *id, phone: None, name: None, status: None, added: true });
            }
        }
        data.senders = senders;
        self.list.refresh(&data.senders, |sender| sender.id, |_| Vec::new(), |_, _, _| Ordering::Equal, height);
    }
}

/// Reads the reply.
pub fn read(reply: Reply) -> Option<Listed> {
    let rows = Reply::list_senders(reply)?;
    Some(Listed { senders: rows.iter().filter_map(read_one).collect(), unreadable: rows.unreadable.clone() })
}

/// `None` for a sender without an id.
fn read_one(sender: &Sender) -> Option<MessagingSender> {
    let text = |text: Option<&String>| text.map(|text| clean(text).into_owned()).filter(|text| !text.is_empty());
    Some(MessagingSender {
        id: *sender.id.known()?,
        phone: text(sender.phone_number.known()),
        name: text(sender.display_name.known()),
        status: sender.status.known().cloned(),
        added: false,
    })
}
