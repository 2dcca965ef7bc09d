//! The numbers to send from.

use super::{Messaging, MessagingSender, Part};
use crate::api::{Rows, Sender};
use crate::ui::prelude::*;
use std::cmp::Ordering;

/// The shortest poll interval: senders seldom change.
const INTERVAL_MIN: Duration = Duration::from_secs(60);

/// The state of the part.
#[derive(Debug, Clone, PartialEq)]
pub struct Senders {
    pub(super) remote: Remote<Rows<Sender>>,
    /// Ids added by hand, in that order.
    pub(super) added: Vec<i64>,
    /// True where a person chose the sender, false where it follows the selected window.
    pub(super) chosen: bool,
}

impl Senders {
    pub fn new(refresh: Option<Duration>) -> Self {
        let remote = Remote::of(Request::ListSenders, refresh.map(|every| every.max(INTERVAL_MIN)));
        Self { remote, added: Vec::new(), chosen: false }
    }

    /// True where the server lists its senders, so that none need be added.
    pub fn are_listed(&self) -> bool {
        self.remote.value().is_some() && self.remote.is_offered()
    }

    /// True before the first reply.
    pub fn is_waiting(&self) -> bool {
        self.remote.value().is_none() && self.remote.failure().is_none()
    }
}

impl Messaging {
    /// Puts the senders that were added behind those that the server lists, with the selection on the same one.
    pub(super) fn arrange_senders(&mut self) {
        let mut senders: Vec<_> =
            self.senders.remote.value().into_iter().flatten().filter_map(MessagingSender::read).collect();
        for id in self.senders.added.iter().filter(|_| !self.senders.is_waiting()) {
            if senders.iter().all(|sender| sender.id != *id) {
                senders.push(MessagingSender { id: *id, added: true, ..MessagingSender::default() });
            }
        }
        let (id, height) = (|sender: &MessagingSender| (sender.id, String::new()), self.height_of(Part::Senders));
        self.list_mut(Part::Senders).refresh(&senders, |_| true, id, |_| Vec::new(), |_, _, _| Ordering::Equal, height);
        self.needs.senders(&senders);
        self.data.senders = senders;
    }
}
