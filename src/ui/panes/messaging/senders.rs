//! The numbers to send from.

use super::KnownSender;
use crate::api::Sender;
use crate::ui::polling::Polling;
use crate::ui::text::clean;
use crate::ui::widgets::list::Cursor;
use std::time::Duration;

/// Rows of the screen for each sender.
pub const ROWS: u16 = 2;
/// Lists that seldom change are asked for as seldom as this.
const SELDOM: Duration = Duration::from_secs(60);

/// Whether the server tells its senders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listing {
    /// It has not answered yet.
    Waiting,
    /// It does.
    Listed,
    /// It has no such operation.
    Unlisted,
    /// It did not, and why.
    Failed(String),
}

/// The state of the part.
#[derive(Debug, Clone, PartialEq)]
pub struct Senders {
    pub(super) listing: Listing,
    /// Why rows of the list could not be read, a reason each.
    pub(super) unreadable: Vec<String>,
    pub(super) polling: Polling,
    pub(super) cursor: Cursor,
    /// Since when the list is asked for.
    pub(super) since: Option<Duration>,
    /// Those that were added by number, in that order.
    pub(super) added: Vec<i64>,
    selected: Option<i64>,
    /// True where a person chose it, false where it goes with the selected window.
    pub(super) chosen: bool,
}

impl Senders {
    pub fn new(refresh: Option<Duration>) -> Self {
        Self {
            listing: Listing::Waiting,
            unreadable: Vec::new(),
            polling: Polling::new(refresh.map(|every| every.max(SELDOM))),
            cursor: Cursor::default(),
            since: None,
            added: Vec::new(),
            selected: None,
            chosen: false,
        }
    }

    /// True where the server tells its senders, so that none need be added.
    pub fn lists(&self) -> bool {
        self.listing == Listing::Listed
    }

    /// Since when the first list is asked for.
    pub fn loading(&self) -> Option<Duration> {
        if self.listing == Listing::Waiting { self.since } else { None }
    }

    /// When the list is due to be asked for.
    pub fn next_poll(&self) -> Option<Duration> {
        self.polling.next()
    }

    /// The selected one.
    pub fn selected<'a>(&self, list: &'a [KnownSender]) -> Option<&'a KnownSender> {
        list.get(self.cursor.at)
    }

    /// Selects the one at this place.
    pub fn select(&mut self, at: usize, list: &[KnownSender], height: usize) {
        self.cursor.select(at, list.len(), height);
        self.selected = self.selected(list).map(|sender| sender.id);
    }

    /// Keeps the selection on the same sender.
    pub fn follow(&mut self, list: &[KnownSender], height: usize) {
        let same = self.selected.and_then(|id| list.iter().position(|sender| sender.id == id));
        self.select(same.unwrap_or(self.cursor.at), list, height);
    }

    /// The list with those that were added put behind those that the server tells.
    pub fn with_added(&self, listed: Vec<KnownSender>) -> Vec<KnownSender> {
        let missing = self.added.iter().filter(|id| !listed.iter().any(|sender| sender.id == **id));
        let added = missing.map(|id| KnownSender { id: *id, phone: None, name: None, status: None, added: true });
        let added: Vec<_> = added.collect();
        listed.into_iter().chain(added).collect()
    }
}

/// A sender as the server tells it; `None` for one without a number to name it by.
pub fn known(sender: &Sender) -> Option<KnownSender> {
    let text = |text: Option<&String>| text.map(|text| clean(text).into_owned()).filter(|text| !text.is_empty());
    Some(KnownSender {
        id: *sender.id.known()?,
        phone: text(sender.phone_number.known()),
        name: text(sender.display_name.known()),
        status: sender.status.known().cloned(),
        added: false,
    })
}
