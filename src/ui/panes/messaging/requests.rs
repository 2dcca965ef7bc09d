//! What the pane requests, and when.

use super::windows::{self, Key};
use super::{Messaging, PendingRequest, Visit, WatchListSource, format};
use crate::api::{
    Conversation, ConversationFilter, ConversationQuery, ConversationType, Field, Page, PageRef, Party, rules,
};
use crate::client::Request;
use crate::config::Notify;
use crate::messaging::countdown;
use crate::records::{StorageRequest, Watched};
use crate::tasks::{Task, TaskId};
use crate::ui::data::Item;
use crate::ui::message::{Effect, Moment};
use crate::ui::panes::Context;
use crate::ui::remote::Remote;
use crate::ui::text::{clean, count};
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

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
    pub(super) fn request(&mut self, what: PendingRequest, task: impl Into<Task>, cx: &mut Context<'_>) -> TaskId {
        let id = cx.run(self.origin, task);
        self.pending.push((id, what));
        id
    }

    pub(super) fn store(&mut self, what: &'static str, request: StorageRequest, cx: &mut Context<'_>) {
        self.request(PendingRequest::Store(what), request, cx);
    }

    /// The pane comes on screen, or leaves it. Requests begin when it is seen for the first time.
    pub(super) fn see(&mut self, seen: bool, cx: &mut Context<'_>) {
        let first = seen && self.visit == Visit::Never;
        self.visit = match (seen, self.visit) {
            (true, _) => Visit::Now,
            (false, Visit::Never) => Visit::Never,
            (false, _) => Visit::Before,
        };
        self.senders.remote.see(seen, cx.now);
        let server_now = self.server_now(cx.now);
        self.windows.see(seen, &mut self.known.windows, cx.now, server_now);
        if first {
            self.store("The phone numbers", StorageRequest::LoadPhones, cx);
            self.fetch_senders(cx);
            cx.data.want(Item::Account, &mut cx.tasks, cx.now);
            self.load_outbox(cx);
        }
        if !seen {
            self.save_drafts(cx);
        }
        self.poll_windows(cx);
    }

    /// Saves drafts: the program stops, or the pane is left.
    pub(super) fn save_drafts(&mut self, cx: &mut Context<'_>) {
        self.put_composer_aside(cx);
    }

    pub(super) fn fetch_senders(&mut self, cx: &mut Context<'_>) {
        self.senders.remote.fetch(Request::ListSenders, self.origin, &mut cx.tasks, cx.now);
    }

    pub(super) fn load_outbox(&mut self, cx: &mut Context<'_>) {
        self.request(PendingRequest::Outbox, StorageRequest::ListOutbox { limit: ENTRIES }, cx);
    }

    fn fetch_templates(&mut self, id: i64, cx: &mut Context<'_>) {
        let remote = self.known.templates.entry(id).or_insert_with(|| Remote::new(None));
        remote.fetch(Request::ListTemplates { sender_id: id }, self.origin, &mut cx.tasks, cx.now);
    }

    /// Requests the templates of a sender, unless they are in flight or still fresh.
    pub(super) fn want_templates(&mut self, id: i64, cx: &mut Context<'_>) {
        let oldest = self.templates.refreshed.max(cx.now.mono.saturating_sub(TEMPLATES_FRESH));
        let fresh = self.known.templates.get(&id).map(Remote::freshness).unwrap_or_default();
        let is_fresh = match fresh.failure {
            Some(failure) => super::replies::is_unknown_sender(failure),
            None => fresh.loaded.is_some_and(|at| at.mono >= oldest),
        };
        if !is_fresh {
            self.fetch_templates(id, cx);
        }
    }

    /// Requests the templates of the selected sender, then those of the others one after another: a form finds them
    /// loaded.
    pub(super) fn want_all_templates(&mut self, cx: &mut Context<'_>) {
        if let Some(id) = self.sender().map(|sender| sender.id) {
            self.want_templates(id, cx);
        }
        self.want_next_templates(cx);
    }

    /// Requests the templates of a sender whose templates were never requested.
    pub(super) fn want_next_templates(&mut self, cx: &mut Context<'_>) {
        if self.known.templates.values().any(|remote| remote.freshness().pending) {
            return;
        }
        let new = self.known.senders.iter().find(|sender| !self.known.templates.contains_key(&sender.id));
        if let Some(id) = new.map(|sender| sender.id) {
            self.want_templates(id, cx);
        }
    }

    /// Fills an empty watch list, once storage has been read and the senders are loaded.
    fn want_customers(&mut self, cx: &mut Context<'_>) {
        let is_ready = self.source == WatchListSource::Conversations
            && self.visit != Visit::Never
            && !self.known.senders.is_empty();
        if is_ready && !self.pending.iter().any(|(_, what)| matches!(what, PendingRequest::Customers(_))) {
            self.request_customers(1, PageRef::Number(1), cx);
        }
    }

    fn request_customers(&mut self, number: u32, page: PageRef, cx: &mut Context<'_>) {
        let filter = ConversationFilter { kind: Some(ConversationType::Msgapp), ..ConversationFilter::default() };
        let query = ConversationQuery { filter, per_page: FIRST_ROWS, page };
        self.request(PendingRequest::Customers(number), Request::ListConversations { query }, cx);
    }

    /// Watches the customers of a page. Windows older than a day are closed, so no older page is requested.
    pub(super) fn customers_came(&mut self, number: u32, page: &Page<Conversation>, cx: &mut Context<'_>) {
        self.source = WatchListSource::Storage;
        let customers = self.customers(page);
        self.watch(&customers, cx);
        let oldest = page.rows().last().and_then(|row| row.updated_at.known());
        let within = oldest.is_some_and(|oldest| self.server_now(cx.now).duration_since(oldest.0) < DAY);
        if let Some(next) = page.next().filter(|_| within && number < FIRST_PAGES) {
            self.request_customers(number + 1, next, cx);
        }
    }

    /// Watches these, and stores what is new.
    pub(super) fn watch(&mut self, watched: &[Watched], cx: &mut Context<'_>) {
        let news = windows::watch(&mut self.known.windows, watched, cx.now.mono);
        self.arrange_windows(cx.now);
        if !news.is_empty() {
            self.store("The watch list", StorageRequest::Watch(news), cx);
        }
        self.poll_windows(cx);
    }

    /// The customers of messaging conversations, each once, where number and sender are known.
    fn customers(&self, page: &Page<Conversation>) -> Vec<Watched> {
        let mut found: Vec<Watched> = Vec::new();
        for row in page.rows() {
            let Ok(watched) = Customer::of(row).and_then(|customer| self.watched(customer)) else { continue };
            if !found.iter().any(|one| one.sender_id == watched.sender_id && one.phone == watched.phone) {
                found.push(watched);
            }
        }
        found
    }

    /// The customer with the id of the sender.
    fn watched(&self, customer: Customer) -> Result<Watched, &'static str> {
        let senders = &self.known.senders;
        let same = senders.iter().find(|sender| sender.phone.is_some() && sender.phone == customer.from);
        // A single sender without a number must be the one.
        let only = senders.first().filter(|only| senders.len() == 1 && only.phone.is_none());
        let sender = same.or(only).ok_or("the sender of this conversation is not known")?;
        Ok(Watched { sender_id: sender.id, phone: customer.phone, name: customer.name })
    }

    /// Writes to the customer of a conversation, or only watches their window; as soon as the senders are loaded.
    pub(super) fn meet(&mut self, customer: Customer, write: bool, cx: &mut Context<'_>) {
        if self.senders.is_waiting() {
            self.later = Some((customer, write));
            return self.fetch_senders(cx);
        }
        match self.watched(customer) {
            Ok(watched) if write => {
                self.write_to(watched, cx);
                self.opened_from(cx.previous);
            }
            Ok(watched) => {
                let who = watched.name.clone().unwrap_or_else(|| format::phone(&watched.phone));
                self.watch(&[watched], cx);
                cx.notices.toast(format!("The window of {who} is watched; 3 shows it"), cx.now);
            }
            Err(reason) => cx.notices.toast(format!("Not now: {reason}"), cx.now),
        }
    }

    // Time.

    /// Does what is due.
    pub(super) fn do_due(&mut self, cx: &mut Context<'_>) {
        self.compose_tick(cx);
        if let Some(bulk) = &mut self.bulk {
            bulk.tick(&self.known, cx);
        }
        if self.windows.next_edge().is_some_and(|edge| edge <= cx.now.mono) {
            self.arrange_windows(cx.now);
            self.tell_alerts(cx);
        }
        if self.polls_senders() {
            self.senders.remote.poll(self.origin, &mut cx.tasks, cx.now);
        }
        self.poll_windows(cx);
    }

    /// False where the server has no such operation: it will not have it a minute later either.
    pub(super) fn polls_senders(&self) -> bool {
        self.connected && self.visit != Visit::Never && self.senders.remote.is_offered()
    }

    /// Sends the requests that are due.
    pub(super) fn poll_windows(&mut self, cx: &mut Context<'_>) {
        if !self.connected {
            return;
        }
        self.want_customers(cx);
        self.follow_window(cx);
        let height = self.height_of(super::Part::Windows);
        let mut any = false;
        while let Some(at) = self.windows.next_request(&self.known.windows, cx.now.mono, height) {
            let (sender_id, phone) = self.known.windows[at].key();
            let request = Request::session_status(sender_id, &phone);
            let id = self.request(PendingRequest::Window(sender_id, phone), request, cx);
            self.windows.requested(&mut self.known.windows[at], id, cx.now.mono);
            any = true;
        }
        if any {
            let server_now = self.server_now(cx.now);
            self.windows.plan(&self.known.windows, cx.now, server_now);
        }
    }

    pub(super) fn arrange_windows(&mut self, now: Moment) {
        let (server_now, height) = (self.server_now(now), self.height_of(super::Part::Windows));
        self.windows.arrange(&mut self.known.windows, now, server_now, height);
    }

    pub(super) fn arrange_templates(&mut self) {
        let height = self.height_of(super::Part::Templates);
        let Some(id) = self.sender().map(|sender| sender.id) else { return };
        self.templates.arrange(id, self.known.templates_of(id).unwrap_or_default(), height);
    }

    /// A reply has told the server's time.
    pub(super) fn hear_time(&mut self, server_time: Timestamp, took: Duration, cx: &mut Context<'_>) {
        if self.clock.heard(server_time, took, cx.now.mono) {
            let server_now = self.server_now(cx.now);
            self.windows.schedule(&mut self.known.windows, cx.now, server_now);
            self.arrange_windows(cx.now);
            self.tell_alerts(cx);
        }
    }

    /// Tells which windows have come close to their end since the last call.
    pub(super) fn tell_alerts(&mut self, cx: &mut Context<'_>) {
        let server_now = self.server_now(cx.now);
        let alerts = self.windows.alerts(&mut self.known.windows, server_now);
        let said = match alerts.as_slice() {
            [] => match self.windows.first_summary(&self.known.windows, server_now) {
                Some((close, span)) => {
                    let verb = if close == 1 { "closes" } else { "close" };
                    format!("{} {verb} within {}", count(close as u64, "window", "windows"), countdown::span(span))
                }
                None => return,
            },
            [alert] => format!("{}: {} left", alert.who, countdown::span(alert.threshold)),
            // The first has the least left.
            [first, others @ ..] => {
                let widest = others.iter().map(|alert| alert.threshold).max().unwrap_or(first.threshold);
                let (span, widest) = (countdown::span(first.threshold), countdown::span(widest));
                let others = count(others.len() as u64, "other", "others");
                if span == widest {
                    format!("{} and {others}: {span} left", first.who)
                } else {
                    format!("{}: {span} left; {others}: {widest}", first.who)
                }
            }
        };
        if cx.options.settings.messaging.notify != Notify::Off {
            cx.push(Effect::Notify(clean(&said).into_owned()));
        }
        cx.notices.toast(said, cx.now);
    }

    /// A page of conversations was loaded: windows of customers who have written since are requested at once.
    pub(super) fn hear_conversations(&mut self, page: &Page<Conversation>, cx: &mut Context<'_>) {
        let server_now = self.server_now(cx.now);
        let mut any = false;
        for row in page.rows() {
            let phone = row.customer.known().and_then(|party| party.phone.as_deref());
            let (Some(phone), Some(updated)) = (phone, row.updated_at.known().map(|time| time.0)) else { continue };
            let age = Duration::try_from(server_now.duration_since(updated)).unwrap_or_default();
            any |= windows::changed(&mut self.known.windows, phone, updated, age, cx.now.mono);
        }
        if any {
            self.windows.plan(&self.known.windows, cx.now, server_now);
            self.poll_windows(cx);
        }
    }

    /// Requests what the pane shows.
    pub(super) fn refresh(&mut self, cx: &mut Context<'_>) {
        self.fetch_senders(cx);
        cx.data.fetch(Item::Account, &mut cx.tasks, cx.now);
        self.templates.refreshed = cx.now.mono;
        if let Some(id) = self.sender().map(|sender| sender.id) {
            self.fetch_templates(id, cx);
        }
        let height = self.height_of(super::Part::Windows);
        self.windows.hurry_in_view(&mut self.known.windows, cx.now.mono, height);
        self.arrange_windows(cx.now);
        self.poll_windows(cx);
    }

    /// Requests one window at once.
    pub(super) fn hurry(&mut self, key: &Key, cx: &mut Context<'_>) {
        windows::hurry(&mut self.known.windows, key, cx.now.mono);
        self.arrange_windows(cx.now);
        self.poll_windows(cx);
    }
}
