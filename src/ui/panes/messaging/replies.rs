//! What the pane does with replies.

use super::outbox::EvidenceCheck;
use super::{Front, Messaging, PendingRequest, WatchListSource, templates, windows};
use crate::api::{ErrorBody, ErrorCode};
use crate::client::{Failure, FailureKind};
use crate::messaging::Outcome;
use crate::records::{Intent, ProfileData, StorageReply, Watched};
use crate::tasks::{Answer, TaskId};
use crate::ui::compose;
use crate::ui::options::Place;
use crate::ui::prelude::*;

/// After this the start is over, and windows that nobody looks at may be requested.
const SETTLED: Duration = Duration::from_secs(3);

impl Messaging {
    /// Takes the one result of an effect of this pane.
    pub(super) fn take_reply(&mut self, report: Report, cx: &mut Context) {
        let Some(at) = self.pending.iter().position(|(id, _)| *id == report.id) else {
            return self.take_remote(report, cx);
        };
        let (_, what) = self.pending.remove(at);
        match (what, report.result) {
            (PendingRequest::LoadStorage, result) => self.storage_loaded(result, cx),
            (PendingRequest::Store(what), Err(failure)) => {
                cx.problem(format!("{what} could not be saved: {}.", explain(&failure)));
            }
            (PendingRequest::Window(key), result) => self.window_came(&key, result, cx),
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
            (PendingRequest::Check(id), Ok(Answer::Calls(calls))) => {
                self.outbox.check(id, EvidenceCheck::Calls(calls));
            }
            (PendingRequest::Check(id), Err(failure)) => {
                self.outbox.check(id, EvidenceCheck::Failed(explain(&failure)));
            }
            (PendingRequest::Draft(key), Ok(Answer::Stored(StorageReply::HasDraft(false)))) => {
                self.draft_is_gone(&key, cx);
            }
            (PendingRequest::History(pair), result) => self.history_came(pair, result.ok(), cx),
            (PendingRequest::Unfinished, Ok(Answer::Stored(StorageReply::UnfinishedBatch(Some(batch))))) => {
                super::bulk::tell_unfinished(&batch, cx);
            }
            _ => {}
        }
    }

    fn take_remote(&mut self, report: Report, cx: &mut Context) {
        let Some(mut report) = self.senders.remote.reply(report, Reply::list_senders, cx.now) else {
            return self.senders_came(cx);
        };
        for (&id, remote) in &mut self.data.templates {
            match remote.reply(report, templates::read, cx.now) {
                None => return self.templates_came(id, cx),
                Some(other) => report = other,
            }
        }
        self.bulk_reply(report, cx);
    }

    /// A try has failed; another follows at this moment.
    pub(super) fn retries_at(&mut self, id: TaskId, at: Moment) {
        match (self.pending.iter().find(|(pending, _)| *pending == id), &mut self.bulk) {
            (Some((_, PendingRequest::Send(entry))), _) => self.outbox.waiting(*entry, at),
            (None, Some(bulk)) => bulk.retried(id, at.mono),
            _ => {}
        }
    }

    fn storage_loaded(&mut self, result: Result<Answer, Failure>, cx: &mut Context) {
        if let Err(failure) = &result {
            cx.problem(format!("The storage of this profile could not be read: {}.", explain(failure)));
        }
        let ProfileData { watched, senders, drafts, used } = match result {
            Ok(Answer::Stored(StorageReply::ProfileData(stored))) => *stored,
            _ => ProfileData::default(),
        };
        // A sandbox begins anew each time, and its people are others.
        let is_new = watched.is_none() || cx.options.place == Place::Sandbox;
        self.source = if is_new { WatchListSource::Conversations } else { WatchListSource::Storage };
        (self.data.drafts, self.data.used) = (drafts, used);
        self.forget_codes(cx);
        self.senders.added = senders;
        if !self.senders.is_waiting() {
            self.senders_changed(cx);
        }
        // The first requests are for what is on screen.
        let due = if cx.shown { cx.now.mono } else { cx.now.mono + SETTLED };
        windows::add(&mut self.data.windows, &watched.unwrap_or_default(), due);
        self.arrange_windows(cx);
        self.poll_windows(cx);
    }

    fn senders_came(&mut self, cx: &mut Context) {
        let failure = self.senders.remote.failure().filter(|_| self.senders.remote.is_offered()).map(explain);
        match failure {
            None => self.senders_changed(cx),
            Some(why) if self.later.take().is_some() => cx.problem(format!("The senders could not be loaded: {why}.")),
            Some(_) => {}
        }
    }

    pub(super) fn senders_changed(&mut self, cx: &mut Context) {
        self.arrange_senders();
        self.show_templates(cx);
        if let Some((customer, write)) = self.later.take()
            && (!write || self.front == Front::Parts)
        {
            self.meet(customer, write, cx);
        }
        self.poll_windows(cx);
    }

    fn templates_came(&mut self, id: i64, cx: &mut Context) {
        if let Some(failure) = self.data.templates.get(&id).and_then(|remote| remote.failure().cloned()) {
            self.composer_lacks(&Request::ListTemplates { sender_id: id }, &failure, cx);
        }
        self.forget_codes(cx);
        self.arrange_templates();
        // Those of the selected sender are requested again by hand only, or it would be in a circle while the server is
        // away.
        self.want_next_templates(cx);
    }

    /// Something that the composer may wait for has failed.
    pub(super) fn composer_lacks(&mut self, request: &Request, failure: &Failure, cx: &Context) {
        if let Front::Composer(composer, _) = &mut self.front
            && !is_unknown_sender(failure)
        {
            composer.failed(request, failure.kind.retry_after().unwrap_or_default(), cx.now.mono);
        }
    }

    /// True where a question may open without getting in the way.
    fn is_free(&self, cx: &Context) -> bool {
        cx.shown && cx.overlays.top().is_none() && matches!(self.front, Front::Parts | Front::Outbox)
    }

    /// A send has an outcome, or was not even recorded.
    fn sent(&mut self, id: uuid::Uuid, result: Result<Answer, Failure>, cx: &mut Context) {
        let leaving = self.leaving.iter().position(|leaving| leaving.sending.intent.id == id);
        let leaving = leaving.map(|at| self.leaving.swap_remove(at));
        let free = self.is_free(cx);
        let Some(entry) = self.repeated.result(result, leaving, free, cx) else {
            return self.outbox.dropped(id, &mut self.data);
        };
        compose::tell(&entry, "o", cx);
        let Intent { sender_id, phone, name, .. } = entry.intent.clone();
        let accepted = matches!(entry.outcome, Some(Outcome::Accepted(_)));
        if let Some(keep) = self.outbox.settled(entry, &mut self.data) {
            super::compose::remember(&mut self.data, &keep);
            self.store("The draft", keep, cx);
        }
        if accepted {
            self.watch(&[Watched { sender_id, phone: phone.clone(), name }], cx);
            cx.data.fetch(Item::Account, &mut cx.tasks, cx.now);
        }
        self.hurry(&(sender_id, phone), cx);
    }
}

/// True where the server has no sender of this id.
pub(super) fn is_unknown_sender(failure: &Failure) -> bool {
    let FailureKind::Status { body: Some(ErrorBody::Coded { error_code, .. }), .. } = &failure.kind else {
        return false;
    };
    *error_code == ErrorCode::SenderNotFound
}
