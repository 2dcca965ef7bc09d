//! What the pane does with what comes back.

use super::senders::{self, Listing};
use super::templates::in_order;
use super::words;
use super::{Asked, Filling, Front, Messaging, Visit};
use crate::api::{ErrorBody, ErrorCode};
use crate::client::{Failure, FailureKind, Reply, Request};
use crate::messaging::{Outcome, Window};
use crate::records::{ProfileData, StorageReply, Watched};
use crate::tasks::{Answer, Report};
use crate::ui::message::Moment;
use crate::ui::options::Place;
use crate::ui::panes::{Context, explain};
use std::time::Duration;

/// From then on a start is over, and what nobody looks at may be asked for.
const SETTLED: Duration = Duration::from_secs(3);

impl Messaging {
    /// Takes the one result of something that this pane has asked for.
    pub fn answered(&mut self, report: Report, cx: &mut Context<'_>) {
        let Some(at) = self.asked.iter().position(|(id, _)| *id == report.id) else { return };
        let (_, asked) = self.asked.remove(at);
        match (asked, report.result) {
            (Asked::Recall, result) => self.recalled(result, cx),
            (Asked::Keep(what), Err(failure)) => {
                cx.notices.problem(format!("{what} could not be kept: {}.", explain(&failure)), cx.now);
            }
            (Asked::Senders, result) => self.senders_answered(result, cx),
            (Asked::Account, Ok(answer)) => {
                let Some(account) = answer.reply(Reply::get_account) else { return };
                self.known.balance = account.total_balance.known().copied().or(self.known.balance);
            }
            (Asked::Templates(id), result) => self.templates_answered(id, result, cx),
            (Asked::Window(sender_id, phone), result) => self.window_answered(sender_id, phone, result, cx),
            (Asked::Customers(number), Ok(answer)) => {
                if let Some(page) = answer.reply(Reply::list_conversations) {
                    self.customers_came(number, &page, cx);
                }
            }
            // The list fills as people are written to.
            (Asked::Customers(_), Err(_)) => self.filling = Filling::Done,
            (Asked::Outbox, Ok(Answer::Stored(StorageReply::Entries(entries)))) => self.outbox.entries(entries),
            (Asked::Outbox, Err(failure)) => {
                cx.notices.problem(format!("The outbox cannot be read: {}.", explain(&failure)), cx.now);
            }
            (Asked::Sent(id), result) => self.sent(id, result, cx),
            (Asked::Bulk(question), result) => self.bulk_answered(question, result, cx),
            (Asked::Evidence(_), Ok(Answer::Evidence(evidence))) => {
                let server_now = self.server_now(cx.now);
                self.outbox.evidence(evidence, server_now);
            }
            (Asked::Evidence(id), Err(failure)) => self.outbox.check_failed(id, explain(&failure)),
            _ => {}
        }
    }

    /// A try of something that this pane has asked for has ended; another follows after `retry_in`.
    pub fn tried(&mut self, id: crate::tasks::TaskId, retry_in: Duration, now: Moment) {
        let asked = self.asked.iter().find(|(asked, _)| *asked == id);
        if let Some((_, Asked::Sent(entry))) = asked {
            self.outbox.waiting(*entry, now.plus(retry_in));
        }
        if let (Some((_, Asked::Bulk(_))), Some(bulk)) = (asked, &mut self.bulk) {
            bulk.waiting(now.plus(retry_in).mono);
        }
    }

    fn recalled(&mut self, result: Result<Answer, Failure>, cx: &mut Context<'_>) {
        let kept = match result {
            Ok(Answer::Stored(StorageReply::ProfileData(kept))) => *kept,
            Ok(_) => ProfileData::default(),
            Err(failure) => {
                cx.notices.problem(format!("What is kept cannot be read: {}.", explain(&failure)), cx.now);
                ProfileData::default()
            }
        };
        let ProfileData { watched, senders, drafts, used } = kept;
        // A sandbox begins anew each time, and its people are others.
        let wanted = watched.is_none() || cx.options.place == Place::Sandbox;
        self.filling = if wanted { Filling::Wanted } else { Filling::Done };
        (self.known.drafts, self.known.used) = (drafts, used);
        self.senders.added = senders;
        if *self.listing() == Listing::Unlisted {
            self.show_added(cx);
        }
        // The first requests are for what is on screen.
        let due = if self.visit == Visit::Now { cx.now.mono } else { cx.now.mono + SETTLED };
        self.windows.watch(&mut self.known.windows, &watched.unwrap_or_default(), due);
        self.arrange_windows(cx.now);
        self.pump(cx);
    }

    fn senders_answered(&mut self, result: Result<Answer, Failure>, cx: &mut Context<'_>) {
        self.senders.since = None;
        match result.map(|answer| answer.reply(Reply::list_senders)) {
            Ok(Some(list)) => {
                self.senders.polling.answered(cx.now.mono);
                self.senders.listing = Listing::Listed;
                self.senders.unreadable.clone_from(&list.unreadable);
                let listed = list.iter().filter_map(senders::known).collect();
                self.known.senders = self.senders.with_added(listed);
            }
            Err(Failure { kind: FailureKind::Status { status: 404 | 405, .. }, .. }) => {
                // It will not have the operation a minute later either; r asks.
                self.senders.listing = Listing::Unlisted;
                return self.show_added(cx);
            }
            Err(failure) if failure.kind != FailureKind::Cancelled => {
                self.senders.polling.failed(true, &failure, cx.now.mono);
                if *self.listing() != Listing::Listed {
                    self.senders.listing = Listing::Failed(explain(&failure));
                }
                if self.later.take().is_some() {
                    let said = format!("The senders did not come: {}.", explain(&failure));
                    cx.notices.problem(said, cx.now);
                }
                return;
            }
            _ => return self.senders.polling.cancelled(cx.now.mono),
        }
        self.senders_changed(cx);
    }

    /// Shows the senders that were added by number, where the server tells none.
    pub(super) fn show_added(&mut self, cx: &mut Context<'_>) {
        let listed = self.known.senders.iter().filter(|sender| !sender.added).cloned().collect();
        self.known.senders = self.senders.with_added(listed);
        self.senders_changed(cx);
    }

    pub(super) fn senders_changed(&mut self, cx: &mut Context<'_>) {
        let height = self.senders_height();
        self.senders.follow(&self.known.senders, height);
        self.arrange_templates();
        self.want_shelves(cx);
        if let Some((customer, write)) = self.later.take()
            && (!write || self.front == Front::Parts)
        {
            self.meet(customer, write, cx);
        }
        self.pump(cx);
    }

    fn templates_answered(&mut self, id: i64, result: Result<Answer, Failure>, cx: &mut Context<'_>) {
        let of_sender = self.templates.shelves.entry(id).or_default();
        of_sender.since = None;
        // Also after a failure: asked again with the next look at the senders, or by r.
        of_sender.came = Some(cx.now.mono);
        match result.map(|answer| answer.reply(Reply::list_templates)) {
            Ok(Some(list)) => {
                of_sender.fault = None;
                self.known.templates.insert(id, in_order(list));
            }
            Err(failure) if is_no_sender(&failure) => {
                of_sender.fault = Some("there is no such sender".to_owned());
                self.known.templates.remove(&id);
            }
            Err(failure) => {
                (of_sender.fault, of_sender.came) = (Some(explain(&failure)), None);
                self.composer_lacks(&Request::ListTemplates { sender_id: id }, retry_after(&failure), cx);
            }
            Ok(_) => {}
        }
        if self.sender().is_some_and(|sender| sender.id == id) {
            self.arrange_templates();
        }
        // The selected one is asked for again only when told, or it would be in a circle while the server is away.
        let next = self.known.senders.iter().find(|sender| !self.templates.shelves.contains_key(&sender.id));
        if let Some(id) = next.map(|sender| sender.id) {
            self.want_templates(id, cx);
        }
    }

    pub(super) fn arrange_templates(&mut self) {
        let height = usize::from(self.areas().templates.rows.height);
        let Some(id) = self.sender().map(|sender| sender.id) else { return };
        let list = self.known.templates.get(&id).map_or(&[][..], Vec::as_slice);
        self.templates.arrange(id, list, height);
    }

    fn window_answered(
        &mut self,
        sender_id: i64,
        phone: String,
        result: Result<Answer, Failure>,
        cx: &mut Context<'_>,
    ) {
        let server_now = self.server_now(cx.now);
        let key = (sender_id, phone);
        match result.map(|answer| answer.reply(Reply::get_session_status)) {
            Ok(Some(status)) => {
                let name = status.customer_name.known().map(|name| crate::ui::text::clean(name).into_owned());
                if let Some(window) = Window::read(&status, server_now) {
                    self.windows.answered(&mut self.known.windows, &key, window, cx.now, server_now);
                    if self.known.watch(key.0, &key.1).is_none() {
                        self.known.set_other_window(key.0, &key.1, window);
                    }
                } else {
                    let why = Some("the answer does not tell whether it is open".to_owned());
                    self.windows.failed(&self.known.windows, &key, why, Duration::ZERO, cx.now.mono);
                    self.composer_lacks(&window_of(&key), None, cx);
                }
                let nameless = self.known.watch(key.0, &key.1).is_some_and(|watch| watch.name.is_none());
                if let (true, Some(name)) = (nameless, name.filter(|name| !name.is_empty())) {
                    let named = Watched { sender_id: key.0, phone: key.1.clone(), name: Some(name) };
                    self.watch(&[named], cx);
                }
            }
            Err(failure) => {
                if !is_no_sender(&failure) {
                    self.composer_lacks(&window_of(&key), retry_after(&failure), cx);
                }
                let why = if is_no_sender(&failure) { "there is no such sender".to_owned() } else { explain(&failure) };
                let why = Some(why).filter(|_| failure.kind != FailureKind::Cancelled);
                let wait = retry_after(&failure).unwrap_or_default();
                self.windows.failed(&self.known.windows, &key, why, wait, cx.now.mono);
            }
            Ok(_) => {}
        }
        self.arrange_windows(cx.now);
        self.tell_alerts(cx);
        self.pump(cx);
    }

    /// What the composer may have asked for did not come.
    fn composer_lacks(&mut self, request: &Request, retry_after: Option<Duration>, cx: &Context<'_>) {
        if let Front::Composer(composer, _) = &mut self.front {
            composer.failed(request, retry_after.unwrap_or_default(), cx.now.mono);
        }
    }

    /// A send has an outcome, or was not even recorded.
    fn sent(&mut self, id: uuid::Uuid, result: Result<Answer, Failure>, cx: &mut Context<'_>) {
        let entry = match result {
            Ok(Answer::Sent(entry)) => *entry,
            Ok(_) => return,
            Err(failure) => {
                let why = explain(&failure);
                cx.notices.problem(format!("Nothing was sent: {why}."), cx.now);
                return self.outbox.dropped(id, &mut self.known);
            }
        };
        let who = entry.intent.name.clone().unwrap_or_else(|| words::phone(&entry.intent.phone));
        match &entry.outcome {
            Some(Outcome::Accepted(_)) => cx.notices.toast(format!("Accepted: the message to {who}"), cx.now),
            Some(Outcome::Refused(refusal)) => {
                let said = refusal.words.trim_end_matches('.');
                cx.notices.problem(format!("Not sent to {who}: {said}. o shows what to do."), cx.now);
            }
            Some(Outcome::Unknown { .. }) => {
                let said = format!("Delivery to {who} unknown. Check the conversation before sending again; o helps.");
                cx.notices.urgent(said, cx.now);
            }
            None => {}
        }
        let (sender_id, phone, name) = (entry.intent.sender_id, entry.intent.phone.clone(), entry.intent.name.clone());
        let accepted = matches!(entry.outcome, Some(Outcome::Accepted(_)));
        if let Some(keep) = self.outbox.settled(entry, &mut self.known) {
            super::compose::remember(&mut self.known, &keep);
            self.keep("The draft", keep, cx);
        }
        if accepted {
            self.watch(&[Watched { sender_id, phone: phone.clone(), name }], cx);
            self.ask(Asked::Account, Request::GetAccount, cx);
        }
        self.hurry(&(sender_id, phone), cx);
    }
}

fn window_of((sender_id, phone): &(i64, String)) -> Request {
    Request::session_status(*sender_id, phone)
}

fn retry_after(failure: &Failure) -> Option<Duration> {
    match &failure.kind {
        FailureKind::Status { retry_after, .. } => *retry_after,
        _ => None,
    }
}

fn is_no_sender(failure: &Failure) -> bool {
    let FailureKind::Status { body: Some(ErrorBody::Coded { error_code, .. }), .. } = &failure.kind else {
        return false;
    };
    *error_code == ErrorCode::SenderNotFound
}
