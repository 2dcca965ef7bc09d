//! What the pane does with replies.

use super::outbox::EvidenceCheck;
use super::windows::{self, Key};
use super::{Front, Messaging, PendingRequest, Visit, WatchListSource, format, senders, templates};
use crate::api::{ErrorBody, ErrorCode};
use crate::client::{Failure, FailureKind, Reply, Request};
use crate::messaging::{Outcome, Window};
use crate::records::{ProfileData, StorageReply, Watched};
use crate::tasks::{Answer, Report};
use crate::ui::data::Item;
use crate::ui::message::Moment;
use crate::ui::options::Place;
use crate::ui::panes::{Context, explain};
use crate::ui::text::clean;
use std::time::Duration;

/// After this the start is over, and windows that nobody looks at may be requested.
const SETTLED: Duration = Duration::from_secs(3);

impl Messaging {
    /// Takes the one result of an effect of this pane.
    pub(super) fn take_reply(&mut self, report: Report, cx: &mut Context<'_>) {
        let Some(at) = self.pending.iter().position(|(id, _)| *id == report.id) else {
            return self.take_remote(report, cx);
        };
        let (_, what) = self.pending.remove(at);
        match (what, report.result) {
            (PendingRequest::LoadStorage, result) => self.storage_loaded(result, cx),
            (PendingRequest::Store(what), Err(failure)) => {
                cx.problem(format!("{what} could not be saved: {}.", explain(&failure)));
            }
            (PendingRequest::Window(sender_id, phone), result) => self.window_came(&(sender_id, phone), result, cx),
            (PendingRequest::Customers(number), Ok(answer)) => {
                if let Some(page) = answer.reply(Reply::list_conversations) {
                    self.customers_came(number, &page, cx);
                }
            }
            // The list fills as people are written to.
            (PendingRequest::Customers(_), Err(_)) => self.source = WatchListSource::Storage,
            (PendingRequest::Outbox, Ok(Answer::Stored(StorageReply::Entries(entries)))) => {
                self.outbox.entries(entries);
            }
            (PendingRequest::Outbox, Err(failure)) => {
                cx.problem(format!("The outbox could not be read: {}.", explain(&failure)));
            }
            (PendingRequest::Send(id), result) => self.sent(id, result, cx),
            (PendingRequest::Check(id), Ok(Answer::Evidence(evidence))) => {
                self.outbox.check(id, EvidenceCheck::Done(evidence, self.server_now(cx.now)));
            }
            (PendingRequest::Check(id), Err(failure)) => {
                self.outbox.check(id, EvidenceCheck::Failed(explain(&failure)));
            }
            _ => {}
        }
    }

    fn take_remote(&mut self, report: Report, cx: &mut Context<'_>) {
        let Some(mut report) = self.senders.remote.reply(report, senders::read, cx.now) else {
            return self.senders_came(cx);
        };
        for (id, remote) in &mut self.known.templates {
            report = match remote.reply(report, templates::read, cx.now) {
                None => {
                    let id = *id;
                    return self.templates_came(id, cx);
                }
                Some(report) => report,
            };
        }
        self.bulk_reply(report, cx);
    }

    /// A try has ended; another follows after `retry_in`.
    pub(super) fn retried(&mut self, id: crate::tasks::TaskId, retry_in: Duration, now: Moment) {
        match self.pending.iter().find(|(pending, _)| *pending == id) {
            Some((_, PendingRequest::Send(entry))) => self.outbox.waiting(*entry, now.plus(retry_in)),
            Some(_) => {}
            None => {
                if let Some(bulk) = &mut self.bulk {
                    bulk.retried(id, now.plus(retry_in).mono);
                }
            }
        }
    }

    fn storage_loaded(&mut self, result: Result<Answer, Failure>, cx: &mut Context<'_>) {
        let stored = match result {
            Ok(Answer::Stored(StorageReply::ProfileData(stored))) => *stored,
            Ok(_) => ProfileData::default(),
            Err(failure) => {
                cx.problem(format!("The storage of this profile could not be read: {}.", explain(&failure)));
                ProfileData::default()
            }
        };
        let ProfileData { watched, senders, drafts, used } = stored;
        // A sandbox begins anew each time, and its people are others.
        let is_new = watched.is_none() || cx.options.place == Place::Sandbox;
        self.source = if is_new { WatchListSource::Conversations } else { WatchListSource::Storage };
        (self.known.drafts, self.known.used) = (drafts, used);
        self.senders.added = senders;
        if !self.senders.is_waiting() {
            self.senders_changed(cx);
        }
        // The first requests are for what is on screen.
        let due = if self.visit == Visit::Now { cx.now.mono } else { cx.now.mono + SETTLED };
        windows::watch(&mut self.known.windows, &watched.unwrap_or_default(), due);
        self.arrange_windows(cx.now);
        self.poll_windows(cx);
    }

    fn senders_came(&mut self, cx: &mut Context<'_>) {
        let failure = self.senders.remote.failure().filter(|_| self.senders.remote.is_offered()).map(explain);
        match failure {
            None => self.senders_changed(cx),
            Some(why) if self.later.take().is_some() => cx.problem(format!("The senders could not be loaded: {why}.")),
            Some(_) => {}
        }
    }

    pub(super) fn senders_changed(&mut self, cx: &mut Context<'_>) {
        self.arrange_senders();
        self.arrange_templates();
        self.want_all_templates(cx);
        if let Some((customer, write)) = self.later.take()
            && (!write || self.front == Front::Parts)
        {
            self.meet(customer, write, cx);
        }
        self.poll_windows(cx);
    }

    fn templates_came(&mut self, id: i64, cx: &mut Context<'_>) {
        let failure = self.known.templates.get(&id).and_then(|remote| remote.failure());
        if let Some(wait) = failure.filter(|failure| !is_unknown_sender(failure)).map(retry_after) {
            self.composer_lacks(&Request::ListTemplates { sender_id: id }, wait, cx);
        }
        if self.sender().is_some_and(|sender| sender.id == id) {
            self.arrange_templates();
        }
        // Those of the selected sender are requested again by hand only, or it would be in a circle while the server is
        // away.
        self.want_next_templates(cx);
    }

    fn window_came(&mut self, key: &Key, result: Result<Answer, Failure>, cx: &mut Context<'_>) {
        let server_now = self.server_now(cx.now);
        let request = Request::session_status(key.0, &key.1);
        match result.map(|answer| answer.reply(Reply::get_session_status)) {
            Ok(Some(status)) => {
                let name = status.customer_name.known().map(|name| clean(name).into_owned());
                let watch = windows::find(&mut self.known.windows, key);
                let nameless = watch.as_ref().is_some_and(|watch| watch.name.is_none());
                if let Some(window) = Window::read(&status, server_now) {
                    match watch {
                        Some(watch) => self.windows.answered(watch, window, cx.now, server_now),
                        None => self.known.set_other_window(key.0, &key.1, window),
                    }
                } else {
                    let why = Some("the reply does not say whether the window is open".to_owned());
                    if let Some(watch) = watch {
                        self.windows.failed(watch, why, Duration::ZERO, cx.now.mono);
                    }
                    self.composer_lacks(&request, None, cx);
                }
                if let (true, Some(name)) = (nameless, name.filter(|name| !name.is_empty())) {
                    let named = Watched { sender_id: key.0, phone: key.1.clone(), name: Some(name) };
                    self.watch(&[named], cx);
                }
            }
            Err(failure) => {
                let unknown = is_unknown_sender(&failure);
                if !unknown {
                    self.composer_lacks(&request, retry_after(&failure), cx);
                }
                let why = if unknown { UNKNOWN_SENDER.to_owned() } else { explain(&failure) };
                let why = Some(why).filter(|_| failure.kind != FailureKind::Cancelled);
                if let Some(watch) = windows::find(&mut self.known.windows, key) {
                    self.windows.failed(watch, why, retry_after(&failure).unwrap_or_default(), cx.now.mono);
                }
            }
            Ok(_) => {}
        }
        self.arrange_windows(cx.now);
        self.tell_alerts(cx);
        self.poll_windows(cx);
    }

    /// Something that the composer may wait for has failed.
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
                cx.problem(format!("Nothing was sent: {why}."));
                return self.outbox.dropped(id, &mut self.known);
            }
        };
        let who = entry.intent.name.clone().unwrap_or_else(|| format::phone(&entry.intent.phone));
        match &entry.outcome {
            Some(Outcome::Accepted(_)) => cx.toast(format!("Accepted: the message to {who}")),
            Some(Outcome::Refused(refusal)) => {
                let said = refusal.words.trim_end_matches('.');
                cx.problem(format!("Not sent to {who}: {said}. o shows what to do."));
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
            self.store("The draft", keep, cx);
        }
        if accepted {
            self.watch(&[Watched { sender_id, phone: phone.clone(), name }], cx);
            cx.data.fetch(Item::Account, &mut cx.tasks, cx.now);
        }
        self.hurry(&(sender_id, phone), cx);
    }
}

/// The words for [`is_unknown_sender`].
pub(super) const UNKNOWN_SENDER: &str = "there is no such sender";

fn retry_after(failure: &Failure) -> Option<Duration> {
    match &failure.kind {
        FailureKind::Status { retry_after, .. } => *retry_after,
        _ => None,
    }
}

/// True where the server has no sender of this id.
pub(super) fn is_unknown_sender(failure: &Failure) -> bool {
    let FailureKind::Status { body: Some(ErrorBody::Coded { error_code, .. }), .. } = &failure.kind else {
        return false;
    };
    *error_code == ErrorCode::SenderNotFound
}
