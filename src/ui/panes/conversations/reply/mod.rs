//! A reply to the conversation that is read: the line below its messages, its draft, and its way through the hold to an
//! outcome. What leaves is a freeform message like any other, by the rules of [`crate::ui::compose`].

mod canned;
mod draw;
mod line;
mod send;

pub use canned::CANNED;
pub use draw::draw;
pub use line::{ANSWERS, Line};
pub use send::SEND;

use super::reading::Reading;
use super::reading::window::Key;
use super::{Conversations, ID};
use crate::api::{Conversation, Template};
use crate::messaging::{LastMessage, Window};
use crate::records::{Draft, DraftKey, Entry, StorageReply, StorageRequest};
use crate::tasks::{Answer, TaskId};
use crate::ui::compose::{Facts, Known, MessagingSender, Repeated, drafts};
use crate::ui::prelude::*;
use canned::Canned;
use send::Reply as Sent;
use std::collections::HashMap;

/// The replies of this run of the program.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Replies {
    /// The one that is being written.
    pub line: Option<Box<Line>>,
    /// The drafts of freeform messages, the newest first.
    pub drafts: Vec<Draft>,
    /// Confirmed, and without an outcome.
    sent: Vec<Sent>,
    /// The one that is asked about, since the same was sent lately.
    repeated: Repeated,
    /// The conversation of which it is asked who answers.
    asked: Option<Box<Conversation>>,
    /// Texts of conversations whose senders were not known when the line was left: they have no draft yet.
    kept: HashMap<String, String>,
    /// The conversation whose line was open when another pane came on screen.
    left: Option<Box<Conversation>>,
    /// The newest sends, to warn where one has no outcome or an unknown one.
    entries: Vec<Entry>,
    /// The replies of the profile's file.
    canned: Canned,
    pending: Vec<(TaskId, Stored)>,
}

/// A use of the storage in flight.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Stored {
    Drafts,
    Outbox,
    Save,
    /// Whether the draft that is about to be sent is still there.
    Find(DraftKey),
}

/// What is known of one sender and one recipient.
#[derive(Debug, Clone, Default)]
struct AtHand {
    sender: Option<MessagingSender>,
    window: Option<Window>,
    last_message: LastMessage,
    balance: Option<f64>,
}

impl AtHand {
    fn new(key: &Key, reading: &Reading, data: &Data) -> Self {
        let senders = data.senders.value().into_iter().flatten();
        let sender = senders.filter_map(MessagingSender::read).find(|sender| sender.id == key.0);
        let (window, last_message) = reading.windows.told(key).and_then(Result::ok).unwrap_or_default();
        let balance = data.account.value().and_then(|account| account.total_balance.known().copied());
        Self { sender, window, last_message, balance }
    }

    fn facts<'a>(&'a self, reading: &Reading, view: View<'a>) -> Facts<'a> {
        Facts { known: self, server_now: reading.windows.server_now(view.now), view }
    }
}

impl Known for AtHand {
    fn sender(&self, _: i64) -> Option<&MessagingSender> {
        self.sender.as_ref()
    }

    fn template(&self, _: i64, _: i64) -> Option<&Template> {
        None
    }

    fn window(&self, _: i64, _: &str) -> Option<Window> {
        self.window
    }

    fn last_message(&self, _: i64, _: &str) -> LastMessage {
        self.last_message
    }

    fn balance(&self) -> Option<f64> {
        self.balance
    }
}

impl Replies {
    /// Loads the drafts.
    pub fn start(&mut self, cx: &mut Context) {
        self.store(Stored::Drafts, StorageRequest::Load, cx);
    }

    /// The conversation that a reply is written to.
    pub fn row(&self) -> Option<&Conversation> {
        self.line.as_ref().map(|line| &line.row)
    }

    fn store(&mut self, what: Stored, request: StorageRequest, cx: &mut Context) {
        let id = cx.run(Origin::new(ID.0), request);
        self.pending.push((id, what));
    }

    /// The draft for this sender and recipient.
    pub fn draft(&self, key: &Key) -> Option<&Draft> {
        let theirs = |draft: &&Draft| draft.message.is_some() && draft.sender_id == Some(key.0) && draft.phone == key.1;
        self.drafts.iter().find(theirs)
    }

    /// Saves or deletes what the line wants saved.
    fn save(&mut self, cx: &mut Context) {
        let queue =
            self.line.as_mut().and_then(|line| line.drafts.as_mut()).map(|drafts| std::mem::take(&mut drafts.queue));
        for request in queue.into_iter().flatten() {
            drafts::remember(&mut self.drafts, &request);
            self.store(Stored::Save, request, cx);
        }
    }

    /// Takes the report of a use of the storage; any other comes back.
    fn stored(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        let Some(at) = self.pending.iter().position(|(id, _)| *id == report.id) else { return Some(report) };
        let (_, what) = self.pending.remove(at);
        match (what, report.result) {
            (Stored::Drafts, Ok(Answer::Stored(StorageReply::ProfileData(stored)))) => {
                self.drafts = stored.drafts.into_iter().filter(|draft| draft.message.is_some()).collect();
            }
            (Stored::Outbox, Ok(Answer::Stored(StorageReply::Entries(entries)))) => self.entries = entries,
            (Stored::Find(key), Ok(Answer::Stored(StorageReply::HasDraft(false)))) => self.draft_is_gone(&key, cx),
            (Stored::Save, Err(failure)) => {
                cx.problem(format!("The draft could not be saved: {}.", explain(&failure)));
            }
            _ => {}
        }
        None
    }
}

impl Conversations {
    /// Takes a report about replies; any other comes back.
    pub(super) fn reply_reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        let report = self.replies.stored(report, cx)?;
        let report = self.canned_reply(report, cx)?;
        self.sent_reply(report, cx)
    }

    /// What happened to an overlay that belongs to a reply.
    pub(super) fn reply_overlay(&mut self, event: OverlayEvent, cx: &mut Context) {
        match event {
            OverlayEvent::Submitted(ANSWERS) => self.submit_who_answers(cx),
            OverlayEvent::Confirmed(SEND) => self.confirm_reply(cx),
            OverlayEvent::Submitted(CANNED) => self.insert_canned(cx),
            _ => {}
        }
        if self.replies.repeated.answer(event, cx) {
            self.note_held(cx);
        }
    }
}
