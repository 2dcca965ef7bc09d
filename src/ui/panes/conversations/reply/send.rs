//! A reply from the confirm dialog to its outcome.

use super::super::{Conversations, ID};
use super::{AtHand, Stored};
use crate::messaging::Outcome;
use crate::records::{Draft, DraftKey, StorageRequest};
use crate::tasks::{TaskId, Work};
use crate::ui::compose::drafts::{draft_of, forget_sent};
use crate::ui::compose::message::{CheckedMessage, recheck_held};
use crate::ui::compose::{Leaving, UnresolvedSend, tell};
use crate::ui::held::HeldSend;
use crate::ui::phone::phone;
use crate::ui::prelude::*;
use uuid::Uuid;

/// The name of the dialog that asks before a reply is sent.
pub const SEND: &str = "send reply";

/// A confirmed reply without an outcome.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reply {
    id: Uuid,
    /// The UUID of its conversation.
    pub(super) conversation: String,
    /// As the recipient reads it.
    pub(super) text: String,
    /// Whether its sender knows that the AI may answer too.
    told_of_ai: bool,
    /// Once its hold has ended.
    pub(super) left: Option<(TaskId, Leaving, Draft)>,
}

impl super::Replies {
    /// The newest reply to this conversation that has no outcome.
    pub(super) fn sent_to(&self, conversation: &str) -> Option<&Reply> {
        self.sent.iter().rev().find(|reply| reply.conversation == conversation)
    }

    /// The draft that the dialog asks about is stored no more: it stays in the line, and is asked about anew.
    pub(super) fn draft_is_gone(&mut self, key: &DraftKey, cx: &mut Context) {
        if let Some(line) = &mut self.line
            && line.draft_key().as_ref() == Some(key)
            && line.confirming.take().is_some()
        {
            line.note(
                "Not yet: another window has sent or discarded this draft. Read the conversation before you send it.",
            );
            cx.overlays.close(SEND);
        }
        self.drafts.retain(|draft| draft.key() != *key);
    }

    /// Why the recipient may have got a message already, in a sentence.
    fn warning(&self, number: &str, at_hand: &AtHand, reading: &super::Reading, cx: &Context) -> Option<String> {
        let open = |leaving| UnresolvedSend { phone: number.to_owned(), began: cx.now.wall, leaving };
        let held = cx.held.iter().any(|held| !held.sending.intent.is_call() && held.sending.intent.phone == number);
        let recorded = self.entries.iter().filter_map(|entry| {
            let is_unknown = matches!(entry.outcome, Some(Outcome::Unknown { .. })) && entry.mark.is_none();
            let is_open = (entry.outcome.is_none() || is_unknown) && !entry.intent.is_call();
            let send = UnresolvedSend { began: entry.began, leaving: !is_unknown, ..open(true) };
            (is_open && entry.intent.phone == number).then_some(send)
        });
        let sends: Vec<_> = held.then(|| open(true)).into_iter().chain(recorded).collect();
        UnresolvedSend::warning(&sends, number, &at_hand.facts(reading, cx.view()))
    }
}

impl Conversations {
    /// The line was submitted: asks before it is sent, where it passes all rules.
    pub(super) fn review_reply(&mut self, cx: &mut Context) {
        let row = self.shown_row().cloned();
        let Some(line) = &self.replies.line else { return };
        let (Some(key), Some(outgoing)) = (line.key.clone(), line.message()) else {
            let senders = &cx.data.senders;
            let said = match senders.failure() {
                Some(failure) => {
                    format!("Not yet: the senders could not be loaded: {}. They are requested again.", explain(failure))
                }
                None => "Not yet: the senders are being loaded.".to_owned(),
            };
            cx.data.fetch(Item::Senders, &mut cx.tasks, cx.now);
            if let Some(line) = &mut self.replies.line {
                line.note(said);
            }
            return;
        };
        let failed = self.reading.windows.told(&key).and_then(Result::err).map(explain);
        let at_hand = self.at_hand(&key, cx);
        let told_of_ai = row.as_ref().is_some_and(|row| self.may_ai_answer(row));
        let ai = told_of_ai.then(|| "the AI answers here too: the customer may get both answers".to_owned());
        let unfilled: Vec<_> = line.unfilled.iter().filter(|name| line.text().contains(*name)).cloned().collect();
        let unfilled = (!unfilled.is_empty()).then(|| format!("not filled in: {}", unfilled.join(", ")));
        let facts = at_hand.facts(&self.reading, cx.view());
        let checked = CheckedMessage::new(outgoing, line.name.clone(), &facts);
        let earlier = self.replies.warning(&key.1, &at_hand, &self.reading, cx);
        let warnings: Vec<_> = earlier.into_iter().chain(unfilled).chain(ai).collect();
        let warning = (!warnings.is_empty()).then(|| warnings.join("; "));
        let confirm = checked.as_ref().ok().map(|message| message.confirm(warning, &facts));
        let target = row.as_ref().and_then(super::super::reading::Target::of);
        if let Some(target) = target {
            // The guard compares the windows of two messages: this one is to be told as it is now.
            self.reading.windows.fetch(key, &target, cx);
        }
        let Some(line) = &mut self.replies.line else { return };
        match (checked, confirm) {
            (Ok(message), Some(confirm)) => {
                (line.confirming, line.told_of_ai) = (Some(Box::new(message)), told_of_ai);
                let draft = line.draft_key().filter(|key| self.replies.drafts.iter().any(|draft| draft.key() == *key));
                cx.open(SEND, confirm);
                if let Some(key) = draft {
                    self.replies.store(Stored::Find(key.clone()), StorageRequest::FindDraft(key), cx);
                }
            }
            (Err(fault), _) => {
                let why = fault.sentence.trim_end_matches('.');
                line.note(match failed {
                    Some(failed) => {
                        format!("Not yet: the window could not be loaded: {failed}. It is requested again.")
                    }
                    None => format!("Not yet: {why}."),
                });
            }
            (Ok(_), None) => {}
        }
    }

    /// The dialog was answered with yes: the reply is held, where it may still be sent.
    pub(super) fn confirm_reply(&mut self, cx: &mut Context) {
        self.watch_draft(true, cx);
        let ai_answers = self.replies.row().is_some_and(|row| self.may_ai_answer(row));
        let Some(line) = &mut self.replies.line else { return };
        let (Some(message), Some(key)) = (line.confirming.take(), line.key.clone()) else { return };
        if ai_answers && !line.told_of_ai {
            return line.note("Nothing was sent: the AI answers in this conversation again.");
        }
        let (conversation, told_of_ai) = (line.conversation().unwrap_or_default().to_owned(), line.told_of_ai);
        let at_hand = AtHand::new(&key, &self.reading, &cx.data);
        let facts = at_hand.facts(&self.reading, cx.view());
        if let Err(why) = CheckedMessage::recheck(&message.sending, &message.text, &facts) {
            return line.note(format!("Nothing was sent: {why}."));
        }
        self.replies.line = None;
        let CheckedMessage { sending, text, .. } = *message;
        let who = sending.intent.name.clone().unwrap_or_else(|| phone(&sending.intent.phone));
        let reply = Reply { id: sending.intent.id, conversation, text: text.clone(), told_of_ai, left: None };
        self.replies.sent.push(reply);
        cx.hold(sending, text, who);
    }

    /// A reply that was asked about once more is held.
    pub(super) fn note_held(&mut self, cx: &Context) {
        let Some(held) = cx.held.last() else { return };
        let intent = &held.sending.intent;
        let is_theirs = |row: &&super::super::rows::Row| {
            super::super::reading::window::key(&row.data, &cx.data)
                .is_some_and(|key| key == (intent.sender_id, intent.phone.clone()))
        };
        // Where it was left open, the one on screen is meant.
        let shown = self.shown_row().and_then(|row| row.id.known().cloned());
        let row =
            self.paged.list.source.loaded().filter(is_theirs).min_by_key(|row| row.data.id.known() != shown.as_ref());
        let Some(row) = row.map(|row| &row.data) else { return };
        let Some(conversation) = row.id.known().cloned() else { return };
        // The first dialog told of it.
        let told_of_ai = self.may_ai_answer(row);
        self.replies.sent.push(Reply { id: intent.id, conversation, text: held.text.clone(), told_of_ai, left: None });
    }

    /// Sends a reply whose hold has ended, where it may still be sent.
    pub(in super::super) fn send_held(&mut self, held: &HeldSend, cx: &mut Context) {
        let key = (held.sending.intent.sender_id, held.sending.intent.phone.clone());
        let at_hand = AtHand::new(&key, &self.reading, &cx.data);
        let facts = at_hand.facts(&self.reading, cx.view());
        let at = self.replies.sent.iter().position(|reply| reply.id == held.sending.intent.id);
        let untold = at.map(|at| &self.replies.sent[at]).is_some_and(|reply| {
            let is_it = |row: &&super::super::rows::Row| row.data.id.known() == Some(&reply.conversation);
            let row = self.paged.list.source.loaded().find(is_it);
            !reply.told_of_ai && row.is_some_and(|row| self.may_ai_answer(&row.data))
        });
        let checked = recheck_held(held.clone(), &facts);
        let checked = if untold { Err("the AI answers in this conversation again".to_owned()) } else { checked };
        match checked {
            Err(why) => {
                at.map(|at| self.replies.sent.remove(at));
                cx.let_go(held);
                cx.problem(format!("Nothing was sent to {}: {why}. The draft is kept.", held.who));
            }
            Ok((sending, _)) => {
                let draft = draft_of(&sending, cx.now);
                // While its outcome is open, it is not offered again.
                let draft = forget_sent(&mut self.replies.drafts, &draft).unwrap_or(draft);
                let task = cx.run(Origin::new(ID.0), Work::Send(Box::new(sending.clone())));
                let leaving = Leaving { sending, text: held.text.clone(), who: held.who.clone() };
                let id = leaving.sending.intent.id;
                let reply = at.map(|at| self.replies.sent.remove(at));
                let (conversation, text) = (String::new(), held.text.clone());
                let reply = reply.unwrap_or(Reply { id, conversation, text, told_of_ai: true, left: None });
                self.replies.sent.push(Reply { left: Some((task, leaving, draft)), ..reply });
            }
        }
    }

    /// A held reply was taken back: its text is in the line of its conversation again.
    pub(in super::super) fn reply_taken_back(&mut self, held: &HeldSend, cx: &mut Context) {
        let at = self.replies.sent.iter().position(|reply| reply.id == held.sending.intent.id);
        let Some(reply) = at.map(|at| self.replies.sent.remove(at)) else { return };
        if self.is_free(cx) && self.paged.list.source.page_of(&reply.conversation).is_some() {
            self.open_again(&reply.conversation, None, cx);
        }
    }

    /// True where the messages of this conversation have the focus.
    fn is_reading(&self, conversation: &str) -> bool {
        self.inspecting && self.selected().is_some_and(|row| row.id.known().is_some_and(|id| id == conversation))
    }

    /// True where a line or a question may open without getting in the way.
    fn is_free(&self, cx: &Context) -> bool {
        cx.shown
            && cx.overlays.top().is_none()
            && self.replies.line.is_none()
            && !self.paged.list.narrowing
            && !(self.inspecting && self.is_searching())
    }

    /// Opens the line of a conversation with its draft, and says what is wrong with that.
    fn open_again(&mut self, conversation: &str, wrong: Option<String>, cx: &mut Context) {
        let is_it = |row: &&crate::api::Conversation| row.id.known().is_some_and(|id| id == conversation);
        if !self.selected().as_ref().is_some_and(is_it) {
            self.go_to(conversation.to_owned(), cx);
        }
        let Some(row) = self.selected().filter(is_it).cloned() else { return };
        self.open_line(&row, cx);
        if let (Some(line), Some(wrong)) = (&mut self.replies.line, wrong) {
            line.note(wrong);
        }
    }

    /// Takes the report of a reply that has left; any other comes back.
    pub(super) fn sent_reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        let sent = &mut self.replies.sent;
        let of_task = |reply: &Reply| reply.left.as_ref().is_some_and(|(task, ..)| *task == report.id);
        let Some(at) = sent.iter().position(of_task) else { return Some(report) };
        let Reply { conversation, left, .. } = sent.remove(at);
        let (_, leaving, draft) = left?;
        let free = self.is_free(cx);
        let entry = self.replies.repeated.result(report.result, Some(leaving), free, cx);
        let outcome = entry.as_ref().and_then(|entry| entry.outcome.as_ref());
        if !matches!(outcome, Some(Outcome::Accepted(_) | Outcome::Unknown { .. }))
            && self.replies.drafts.iter().all(|newer| newer.key() != draft.key())
        {
            self.replies.drafts.insert(0, draft);
        }
        let entry = entry?;
        match &entry.outcome {
            // Only where the person still is: nobody is carried to another conversation in the middle of something.
            Some(Outcome::Refused(refusal) | Outcome::NotSent(refusal)) if free && self.is_reading(&conversation) => {
                let said = refusal.words.trim_end_matches('.');
                self.open_again(&conversation, Some(format!("Not sent: {said}.")), cx);
            }
            outcome => {
                if matches!(outcome, Some(Outcome::Accepted(_))) {
                    cx.data.fetch(Item::Account, &mut cx.tasks, cx.now);
                }
                tell(&entry, "o in Messaging", cx);
            }
        }
        self.reading.forget(&conversation);
        self.paged.refresh(cx);
        None
    }

    /// Forgets replies whose hold ended otherwise: the program was stopped.
    pub(in super::super) fn forget_unheld(&mut self, cx: &Context) {
        let is_held = |id: Uuid| cx.held.iter().any(|held| held.sending.intent.id == id);
        self.replies.sent.retain(|reply| reply.left.is_some() || is_held(reply.id));
    }
}
