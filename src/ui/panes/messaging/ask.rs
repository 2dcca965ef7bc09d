//! What the pane asks for, and when.

use super::senders::Listing;
use super::windows::Key;
use super::words;
use super::{Asked, Filling, Messaging, Visit};
use crate::api::{
    Conversation, ConversationFilter, ConversationQuery, ConversationType, Field, Page, PageRef, Party, rules,
};
use crate::client::Request;
use crate::config::Notify;
use crate::messaging::countdown;
use crate::records::{StorageRequest, Watched};
use crate::tasks::{Task, TaskId};
use crate::ui::message::{Effect, Moment};
use crate::ui::panes::Context;
use crate::ui::text::{clean, count};
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

/// The customer of a messaging conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Customer {
    /// In E.164.
    phone: String,
    name: Option<String>,
    /// The number of the sender.
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

/// The watch list is filled at first with the customers of the last day, on so many pages of so many at most.
const FIRST_PAGES: u32 = 3;
const FIRST_ROWS: u32 = rules::PER_PAGE_MAX;
/// How long a window lasts.
const DAY: SignedDuration = SignedDuration::from_hours(24);
/// How many entries of the outbox are shown.
const ENTRIES: u32 = 500;
/// Templates are asked for again when they are older than this: their status changes every few hours.
const SHELF_LIFE: Duration = Duration::from_secs(600);

impl Messaging {
    /// Reads what is kept. It needs no server.
    pub(super) fn begin(&mut self, cx: &mut Context<'_>) {
        self.ask(Asked::Recall, StorageRequest::Load, cx);
    }

    pub(super) fn ask(&mut self, asked: Asked, task: impl Into<Task>, cx: &mut Context<'_>) -> TaskId {
        let id = cx.run(self.origin, task);
        self.asked.push((id, asked));
        id
    }

    pub(super) fn keep(&mut self, what: &'static str, keep: StorageRequest, cx: &mut Context<'_>) {
        self.ask(Asked::Keep(what), keep, cx);
    }

    /// The pane is on screen, or no longer. It begins to ask when it is for the first time.
    pub fn see(&mut self, seen: bool, cx: &mut Context<'_>) {
        let first = seen && self.visit == Visit::Never;
        self.visit = match (seen, self.visit) {
            (true, _) => Visit::Now,
            (false, Visit::Never) => Visit::Never,
            (false, _) => Visit::Before,
        };
        self.senders.polling.see(seen, cx.now.mono);
        let server_now = self.server_now(cx.now);
        self.windows.see(seen, &self.known.windows, cx.now, server_now);
        if first {
            self.ask_senders(cx);
            self.ask(Asked::Account, Request::GetAccount, cx);
            self.ask_outbox(cx);
        }
        if !seen {
            self.save_drafts(cx);
        }
        self.pump(cx);
    }

    /// What is typed is kept, and what is held is taken back: the program stops, or the pane is left.
    pub(super) fn save_drafts(&mut self, cx: &mut Context<'_>) {
        self.put_composer_aside(cx);
        if let Some(bulk) = &mut self.bulk {
            bulk.suspended();
        }
    }

    pub(super) fn ask_senders(&mut self, cx: &mut Context<'_>) {
        if self.senders.since.is_none() {
            self.senders.since = Some(cx.now.mono);
            self.senders.polling.asked();
            self.ask(Asked::Senders, Request::ListSenders, cx);
        }
    }

    pub(super) fn ask_outbox(&mut self, cx: &mut Context<'_>) {
        self.ask(Asked::Outbox, StorageRequest::ListOutbox { limit: ENTRIES }, cx);
    }

    /// Asks for the templates of a sender, unless they are on their way or still good.
    pub(super) fn want_templates(&mut self, id: i64, cx: &mut Context<'_>) {
        let of_sender = self.templates.shelves.entry(id).or_default();
        let good = of_sender.came.is_some_and(|came| came + SHELF_LIFE > cx.now.mono);
        if of_sender.since.is_none() && !good {
            of_sender.since = Some(cx.now.mono);
            self.ask(Asked::Templates(id), Request::ListTemplates { sender_id: id }, cx);
        }
    }

    /// The templates of the selected sender, then those of one that was not asked for yet: whoever opens a form finds
    /// them there.
    pub(super) fn want_shelves(&mut self, cx: &mut Context<'_>) {
        if let Some(id) = self.sender().map(|sender| sender.id) {
            self.want_templates(id, cx);
        }
        if self.asked.iter().any(|(_, asked)| matches!(asked, Asked::Templates(_))) {
            return;
        }
        let new = self.known.senders.iter().find(|sender| !self.templates.shelves.contains_key(&sender.id));
        if let Some(id) = new.map(|sender| sender.id) {
            self.want_templates(id, cx);
        }
    }

    /// Fills the watch list for the first time, once it is known that it was never filled and which senders there are.
    pub(super) fn want_customers(&mut self, cx: &mut Context<'_>) {
        let ready = self.filling == Filling::Wanted && self.visit != Visit::Never && !self.known.senders.is_empty();
        if ready && !self.asked.iter().any(|(_, asked)| matches!(asked, Asked::Customers(_))) {
            self.ask_customers(1, PageRef::Number(1), cx);
        }
    }

    fn ask_customers(&mut self, number: u32, page: PageRef, cx: &mut Context<'_>) {
        let filter = ConversationFilter { kind: Some(ConversationType::Msgapp), ..ConversationFilter::default() };
        self.ask(
            Asked::Customers(number),
            Request::ListConversations { query: ConversationQuery { filter, per_page: FIRST_ROWS, page } },
            cx,
        );
    }

    /// Customers to watch have come. Older windows than those of a day are closed, so nobody asks for older ones.
    pub(super) fn customers_came(&mut self, number: u32, page: &Page<Conversation>, cx: &mut Context<'_>) {
        self.filling = Filling::Done;
        let customers = self.customers(page);
        self.watch(&customers, cx);
        let oldest = page.rows().last().and_then(|row| row.updated_at.known());
        let within = oldest.is_some_and(|oldest| self.server_now(cx.now).duration_since(oldest.0) < DAY);
        if let Some(next) = page.next().filter(|_| within && number < FIRST_PAGES) {
            self.ask_customers(number + 1, next, cx);
        }
    }

    /// Watches these, and keeps those that are news.
    pub(super) fn watch(&mut self, watched: &[Watched], cx: &mut Context<'_>) {
        let news = self.windows.watch(&mut self.known.windows, watched, cx.now.mono);
        self.arrange_windows(cx.now);
        if !news.is_empty() {
            self.keep("The watch list", StorageRequest::Watch(news), cx);
        }
        self.pump(cx);
    }

    /// The customers of messaging conversations, each once, where the server tells them and the sender is known.
    pub(super) fn customers(&self, page: &Page<Conversation>) -> Vec<Watched> {
        let mut found: Vec<Watched> = Vec::new();
        for row in page.rows() {
            let Ok(watched) = Customer::of(row).and_then(|customer| self.watched(customer)) else { continue };
            if !found.iter().any(|one| one.sender_id == watched.sender_id && one.phone == watched.phone) {
                found.push(watched);
            }
        }
        found
    }

    /// A customer as somebody to write to.
    fn watched(&self, customer: Customer) -> Result<Watched, &'static str> {
        let senders = &self.known.senders;
        let same = senders.iter().find(|sender| sender.phone.is_some() && sender.phone == customer.from);
        // Where the only sender there is tells no number, it is the one.
        let only = senders.first().filter(|only| senders.len() == 1 && only.phone.is_none());
        let sender = same.or(only).ok_or("the sender of this conversation is not known")?;
        Ok(Watched { sender_id: sender.id, phone: customer.phone, name: customer.name })
    }

    /// Writes to the customer of a conversation, or only watches their window; as soon as the senders are known.
    pub fn meet(&mut self, customer: Customer, write: bool, cx: &mut Context<'_>) {
        if *self.listing() == Listing::Waiting {
            self.later = Some((customer, write));
            return self.ask_senders(cx);
        }
        match self.watched(customer) {
            Ok(watched) if write => self.write_to(watched, cx),
            Ok(watched) => {
                let who = watched.name.clone().unwrap_or_else(|| words::phone(&watched.phone));
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
        self.bulk_tick(cx);
        if self.windows.next_edge().is_some_and(|edge| edge <= cx.now.mono) {
            self.arrange_windows(cx.now);
            self.tell_alerts(cx);
        }
        if self.connected && self.visit != Visit::Never && self.senders.polling.is_due(cx.now.mono) {
            self.ask_senders(cx);
        }
        self.pump(cx);
    }

    /// Lets the questions leave that are due.
    pub(super) fn pump(&mut self, cx: &mut Context<'_>) {
        if !self.connected {
            return;
        }
        self.want_customers(cx);
        self.side_with_window(cx);
        let height = self.windows_height();
        let mut any = false;
        while let Some(at) = self.windows.next_question(cx.now.mono, height) {
            let Some(watch) = self.known.windows.get(at) else { break };
            let (sender_id, phone) = (watch.sender_id, watch.phone.clone());
            let work = Request::session_status(sender_id, &phone);
            let id = self.ask(Asked::Window(sender_id, phone), work, cx);
            self.windows.asked(at, id, cx.now.mono);
            any = true;
        }
        if any {
            let server_now = self.server_now(cx.now);
            self.windows.plan(&self.known.windows, cx.now, server_now);
        }
    }

    pub(super) fn windows_height(&self) -> usize {
        usize::from(self.areas().windows.rows.height)
    }

    pub(super) fn arrange_windows(&mut self, now: Moment) {
        let (server_now, height) = (self.server_now(now), self.windows_height());
        self.windows.arrange(&self.known.windows, now, server_now, height);
    }

    /// There is a server now.
    pub fn connected(&mut self, cx: &mut Context<'_>) {
        self.connected = true;
        self.pump(cx);
    }

    /// An answer has told the server's time.
    pub fn heard(&mut self, server_time: Timestamp, took: Duration, cx: &mut Context<'_>) {
        if self.clock.heard(server_time, took, cx.now.mono) {
            let server_now = self.server_now(cx.now);
            self.windows.schedule(&self.known.windows, cx.now, server_now);
            self.arrange_windows(cx.now);
            self.tell_alerts(cx);
        }
    }

    /// Tells which windows have come close to their end since the last look.
    pub(super) fn tell_alerts(&mut self, cx: &mut Context<'_>) {
        let server_now = self.server_now(cx.now);
        let alerts = self.windows.alerts(&self.known.windows, server_now);
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

    /// The list of conversations has come anew: who has written since is asked after at once.
    pub fn noticed(&mut self, page: &Page<Conversation>, cx: &mut Context<'_>) {
        if self.known.windows.is_empty() {
            return;
        }
        let server_now = self.server_now(cx.now);
        let mut any = false;
        for row in page.rows() {
            let phone = row.customer.known().and_then(|party| party.phone.as_deref());
            let (Some(phone), Some(updated)) = (phone, row.updated_at.known().map(|time| time.0)) else { continue };
            let age = Duration::try_from(server_now.duration_since(updated)).unwrap_or_default();
            any |= self.windows.changed(&self.known.windows, phone, updated, age, cx.now.mono);
        }
        if any {
            self.windows.plan(&self.known.windows, cx.now, server_now);
            self.pump(cx);
        }
    }

    /// Asks now for what the pane shows.
    pub(super) fn refresh(&mut self, cx: &mut Context<'_>) {
        self.ask_senders(cx);
        self.ask(Asked::Account, Request::GetAccount, cx);
        for shelf in self.templates.shelves.values_mut() {
            shelf.came = None;
        }
        self.want_shelves(cx);
        let height = self.windows_height();
        self.windows.hurry_in_view(cx.now.mono, height);
        self.arrange_windows(cx.now);
        self.pump(cx);
    }

    /// Asks after one window at once.
    pub(super) fn hurry(&mut self, key: &Key, cx: &mut Context<'_>) {
        self.windows.hurry(&self.known.windows, key, cx.now.mono);
        self.arrange_windows(cx.now);
        self.pump(cx);
    }

    pub(super) fn listing(&self) -> &Listing {
        &self.senders.listing
    }
}
