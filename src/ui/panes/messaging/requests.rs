//! What the pane requests, and when.

use super::{Front, ID, Messaging, Part, PendingRequest, WatchListSource, format};
use crate::api::{
    Conversation, ConversationFilter, ConversationQuery, ConversationType, Field, Page, PageRef, Party, rules,
};
use crate::messaging::Window;
use crate::records::{StorageRequest, Watched};
use crate::tasks::{Task, TaskId};
use crate::ui::compose::Known;
use crate::ui::prelude::*;
use jiff::SignedDuration;

/// The customer of a messaging conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Customer {
    /// In E.164.
    phone: String,
    name: Option<String>,
    /// The sender's number, in E.164.
    from: Option<String>,
}

impl Customer {
    /// Their name.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The customer of this conversation.
    ///
    /// # Errors
    /// Why there is none to write to, for people.
    pub fn of(row: &Conversation) -> Result<Self, &'static str> {
        if row.kind.known() != Some(&ConversationType::Msgapp) {
            return Err("this is no messaging conversation");
        }
        let phone = |party: &Field<Party>| party.known().and_then(|party| party.phone.clone());
        let number = phone(&row.customer).ok_or("the server does not tell the customer's number")?;
        rules::e164("phone", &number).map_err(|_| "the customer's number is not an international one")?;
        let name = row.customer.known().and_then(|party| party.name.as_deref()).map(|name| clean(name).into_owned());
        Ok(Self { phone: number, name: name.filter(|name| !name.trim().is_empty()), from: phone(&row.msgapp_sender) })
    }
}

/// An empty watch list is filled with the customers of the last day, from so many pages of so many rows at most.
const FIRST_PAGES: u32 = 3;
const FIRST_ROWS: u32 = rules::PER_PAGE_MAX;
/// How long a window lasts.
const DAY: SignedDuration = SignedDuration::from_hours(24);
/// How many entries of the outbox are listed.
const ENTRIES: u32 = 500;
/// Templates older than this are requested again when they are looked at: their status changes every few hours.
const TEMPLATES_FRESH: Duration = Duration::from_secs(600);

impl Messaging {
    pub(super) fn request(&mut self, what: PendingRequest, task: impl Into<Task>, cx: &mut Context) -> TaskId {
        let id = cx.run(Origin::new(ID.0), task);
        self.pending.push((id, what));
        id
    }

    pub(super) fn store(&mut self, what: &'static str, request: StorageRequest, cx: &mut Context) {
        self.request(PendingRequest::Store(what), request, cx);
    }

    pub(super) fn load_outbox(&mut self, cx: &mut Context) {
        self.request(PendingRequest::Outbox, StorageRequest::ListOutbox { limit: ENTRIES }, cx);
    }

    fn fetch_templates(&mut self, id: i64, cx: &mut Context) {
        let remote = self.data.templates.entry(id).or_default();
        remote.fetch(Request::ListTemplates { sender_id: id }, Origin::new(ID.0), &mut cx.tasks, cx.now);
    }

    /// Requests the templates of a sender, unless they are in flight or still fresh.
    pub(super) fn want_templates(&mut self, id: i64, cx: &mut Context) {
        let oldest = self.refreshed.max(cx.now.mono - TEMPLATES_FRESH);
        let fresh = self.data.templates.get(&id).map(Remote::freshness).unwrap_or_default();
        let is_fresh = match fresh.failure {
            Some(failure) => super::replies::is_unknown_sender(failure),
            None => fresh.loaded.is_some_and(|at| at.mono >= oldest),
        };
        if !is_fresh {
            self.fetch_templates(id, cx);
        }
    }

    /// Shows the templates of the selected sender and requests them, then those of the others one after another: a form
    /// finds them loaded.
    pub(super) fn show_templates(&mut self, cx: &mut Context) {
        self.arrange_templates();
        if let Some(id) = self.sender().map(|sender| sender.id) {
            self.want_templates(id, cx);
        }
        self.want_next_templates(cx);
    }

    /// Requests the templates of a sender whose templates were never requested.
    pub(super) fn want_next_templates(&mut self, cx: &mut Context) {
        if self.data.templates.values().any(|remote| remote.freshness().pending) {
            return;
        }
        let mut ids = self.data.senders.iter().map(|sender| sender.id);
        if let Some(id) = ids.find(|id| !self.data.templates.contains_key(id)) {
            self.fetch_templates(id, cx);
        }
    }

    /// Fills an empty watch list, once storage has been read and the senders are loaded.
    pub(super) fn want_customers(&mut self, cx: &mut Context) {
        let is_ready = self.source == WatchListSource::Conversations && self.visited && !self.data.senders.is_empty();
        if is_ready && !self.pending.iter().any(|(_, what)| matches!(what, PendingRequest::Customers(_))) {
            self.request_customers(1, PageRef::Number(1), cx);
        }
    }

    fn request_customers(&mut self, number: u32, page: PageRef, cx: &mut Context) {
        let filter = ConversationFilter { kind: Some(ConversationType::Msgapp), ..ConversationFilter::default() };
        let query = ConversationQuery { filter, per_page: FIRST_ROWS, page };
        self.request(PendingRequest::Customers(number), Request::ListConversations { query }, cx);
    }

    /// Watches the customers of a page, each once, where number and sender are known. Windows older than a day are
    /// closed, so no older page is requested.
    pub(super) fn customers_came(&mut self, number: u32, page: &Page<Conversation>, cx: &mut Context) {
        self.source = WatchListSource::Storage;
        let mut customers: Vec<Watched> = Vec::new();
        for row in page.rows() {
            let Ok(watched) = Customer::of(row).and_then(|customer| self.watched(customer)) else { continue };
            if !customers.iter().any(|one| one.sender_id == watched.sender_id && one.phone == watched.phone) {
                customers.push(watched);
            }
        }
        self.watch(&customers, cx);
        let oldest = page.rows().last().and_then(|row| row.updated_at.known());
        let within = oldest.is_some_and(|oldest| self.server_now(cx.now).duration_since(oldest.0) < DAY);
        if let Some(next) = page.next().filter(|_| within && number < FIRST_PAGES) {
            self.request_customers(number + 1, next, cx);
        }
    }

    /// Whether a conversation is surely the one of this sender and recipient.
    pub(super) fn is_with(&self, row: &Conversation, (sender_id, phone): &super::RowId) -> bool {
        let watched = Customer::of(row).and_then(|customer| self.watched(customer));
        watched.is_ok_and(|watched| watched.sender_id == *sender_id && watched.phone == *phone)
    }

    /// The customer with the id of the sender.
    fn watched(&self, customer: Customer) -> Result<Watched, &'static str> {
        let senders = &self.data.senders;
        let same = senders.iter().find(|sender| sender.phone.is_some() && sender.phone == customer.from);
        // A single sender without a number must be the one.
        let only = senders.first().filter(|only| senders.len() == 1 && only.phone.is_none());
        let sender = same.or(only).ok_or("the sender of this conversation is not known")?;
        Ok(Watched { sender_id: sender.id, phone: customer.phone, name: customer.name })
    }

    /// Writes to the customer of a conversation, or only watches their window; as soon as the senders are loaded.
    pub(super) fn meet(&mut self, customer: Customer, write: bool, cx: &mut Context) {
        if self.senders.is_waiting() {
            self.later = Some((customer, write));
            return self.senders.remote.refresh(cx);
        }
        match self.watched(customer) {
            Ok(watched) if write => {
                self.write_to(watched, cx);
                self.opened_from(cx.previous);
            }
            Ok(watched) => {
                let who = watched.name.clone().unwrap_or_else(|| format::phone(&watched.phone));
                self.watch(&[watched], cx);
                cx.toast(format!("The window of {who} is watched; 3 shows it"));
            }
            Err(reason) => cx.toast(format!("Not now: {reason}")),
        }
    }

    /// Opens a freeform message where the window is open, and a template where it is closed. While that is not known, a
    /// freeform message that becomes a template unless somebody has begun to write.
    fn write_to(&mut self, watched: Watched, cx: &mut Context) {
        let window = self.data.window(watched.sender_id, &watched.phone);
        let preset = self.preset(watched);
        let is_open = window.is_none_or(|window| matches!(window.at(self.server_now(cx.now)), Window::Open { .. }));
        self.open_composer(preset.clone(), is_open, cx);
        self.undecided = window.is_none().then_some(preset);
    }

    /// Turns an undecided message to a template once its window is known to be closed.
    pub(super) fn decide(&mut self, cx: &mut Context) {
        let pair = self.undecided.as_ref().and_then(|preset| preset.sender_id.zip(preset.phone.as_deref()));
        let Some(window) = pair.and_then(|(sender_id, phone)| self.data.window(sender_id, phone)) else { return };
        let (Some(preset), Front::Composer(composer, opener)) = (self.undecided.take(), &self.front) else { return };
        let (begun, opener) = (composer.is_begun(), *opener);
        if !begun && !matches!(window.at(self.server_now(cx.now)), Window::Open { .. }) {
            self.open_composer(preset, false, cx);
            self.front.set_opener(opener);
        }
    }

    /// False where the server has no such operation: it will not have it a minute later either.
    pub(super) fn polls_senders(&self) -> bool {
        self.visited && self.senders.remote.is_offered()
    }

    /// Requests what the pane shows.
    pub(super) fn refresh(&mut self, cx: &mut Context) {
        self.senders.remote.refresh(cx);
        cx.data.fetch(Item::Account, &mut cx.tasks, cx.now);
        self.refreshed = cx.now.mono;
        if let Some(id) = self.sender().map(|sender| sender.id) {
            self.fetch_templates(id, cx);
        }
        for (_, shown) in self.lists[Part::Windows as usize].in_view(self.height_of(Part::Windows)) {
            self.data.windows[shown.row].poll.hurry(cx.now.mono);
        }
        self.poll_windows(cx);
    }
}
