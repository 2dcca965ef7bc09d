//! How the pane carries the composer.

use super::super::{Front, Messaging, Opener, PendingRequest};
use super::suggestions;
use super::{Composer, MessageForm, Preset, Snapshot, format, remember};
use crate::records::{DraftKey, StorageRequest};
use crate::tasks::{Sending, Work};
use crate::ui::compose::drafts::draft_of;
use crate::ui::compose::message::recheck_held;
use crate::ui::compose::{Known, Leaving, UnresolvedSend};
use crate::ui::held::HeldSend;
use crate::ui::prelude::*;
use crate::ui::route::Route;
use crate::ui::widgets::form::FormEvent;

/// The name of the dialog that asks before a message is sent.
const CONFIRM: &str = "send";

impl Messaging {
    pub(in super::super) fn open_composer(&mut self, preset: Preset, freeform: bool, cx: &mut Context) {
        let snapshot = Snapshot::new(&self.data, &self.clock, cx.view());
        let messages = cx.held.iter().filter(|held| !held.sending.intent.is_call());
        let held = messages.map(|held| UnresolvedSend {
            phone: held.sending.intent.phone.clone(),
            began: cx.now.wall,
            leaving: true,
        });
        let unresolved = held.chain(self.outbox.unresolved()).collect();
        let opener = if self.front == Front::Outbox { Opener::Outbox } else { Opener::Parts };
        self.undecided = None;
        let mut composer = Composer::new(preset, freeform, unresolved, &snapshot);
        composer.fit(&snapshot);
        self.front = Front::Composer(Box::new(composer), opener);
        self.after_composer(cx);
        self.want_history(cx);
    }

    /// Lets the form of the composer take something, and does what follows. False where none is open.
    pub(in super::super) fn with_composer(
        &mut self,
        cx: &mut Context,
        change: impl FnOnce(&mut MessageForm, &Snapshot<'_>) -> FormEvent,
    ) -> bool {
        let Front::Composer(composer, _) = &mut self.front else { return false };
        let snapshot = Snapshot::new(&self.data, &self.clock, cx.view());
        composer.fit(&snapshot);
        let mut draft = None;
        let event = change(&mut composer.message, &snapshot);
        composer.after(event, &snapshot);
        composer.fit(&snapshot);
        match event {
            FormEvent::Submit => {
                if let Some(confirm) = composer.review(&snapshot) {
                    draft = composer.stored_draft(&snapshot);
                    cx.open(CONFIRM, confirm);
                }
            }
            FormEvent::OpenEditor => {
                let form = &composer.message.form;
                cx.push(Effect::EditText(form.text_of(form.focused()).to_owned()));
            }
            FormEvent::Cancel if composer.drafts.own.is_some() => {
                cx.toast("Draft saved for this recipient and template");
            }
            _ => {}
        }
        self.after_composer(cx);
        if let Some(key) = draft {
            self.request(PendingRequest::Draft(key.clone()), StorageRequest::FindDraft(key), cx);
        }
        if event == FormEvent::Cancel {
            self.close_composer(cx);
        }
        true
    }

    /// Back to where the composer was opened.
    fn close_composer(&mut self, cx: &mut Context) {
        let Front::Composer(_, opener) = &self.front else { return };
        if let Opener::Pane(pane) = *opener {
            cx.go(Route::Pane(pane));
        }
        self.front = if *opener == Opener::Outbox { Front::Outbox } else { Front::Parts };
    }

    /// The draft that the dialog asks about is stored no more: it stays in the form, and is asked about anew.
    pub(in super::super) fn draft_is_gone(&mut self, key: &DraftKey, cx: &mut Context) {
        let snapshot = Snapshot::new(&self.data, &self.clock, cx.view());
        if let Front::Composer(composer, _) = &mut self.front
            && composer.stored_draft(&snapshot).as_ref() == Some(key)
            && composer.confirming.take().is_some()
        {
            let why =
                "Not yet: another window has sent or discarded this draft. Check the conversation before you send it.";
            composer.note = Some(why.to_owned());
            cx.overlays.close(CONFIRM);
        }
        self.data.drafts.retain(|draft| draft.key() != *key);
    }

    /// Another pane opened the composer.
    pub(in super::super) fn opened_from(&mut self, pane: PaneId) {
        self.front.set_opener(Opener::Pane(pane));
    }

    pub(in super::super) fn composer_overlay(&mut self, event: OverlayEvent, cx: &mut Context) {
        let (Front::Composer(composer, opener), OverlayEvent::Confirmed(CONFIRM)) = (&mut self.front, event) else {
            return;
        };
        let snapshot = Snapshot::new(&self.data, &self.clock, cx.view());
        let (opener, Some(message)) = (*opener, composer.confirmed(&snapshot)) else { return };
        let intent = &message.sending.intent;
        let who = intent.name.clone().unwrap_or_else(|| format::phone(&intent.phone));
        // The draft is saved until the message is accepted.
        self.after_composer(cx);
        self.keep_whole(&message.sending, cx);
        self.close_composer(cx);
        self.confirmed(&message.sending.intent, opener == Opener::Parts, cx);
        cx.hold(message.sending, message.text, who);
        self.outbox.hold(&cx.held, cx.now);
    }

    /// Stores a confirmed message whole, where nothing of it is a draft yet: it can be taken back, or the program can end.
    fn keep_whole(&mut self, sending: &Sending, cx: &mut Context) {
        let id = sending.intent.template().map(|template| template.id);
        let template = id.and_then(|id| self.data.template(sending.intent.sender_id, id));
        let draft = draft_of(sending, cx.now);
        let is_kept = self.data.drafts.iter().any(|known| known.key() == draft.key());
        if !is_kept && !template.is_some_and(suggestions::is_secret) {
            self.store_and_remember(StorageRequest::SaveDraft(draft), cx);
        }
    }

    /// Sends a message whose hold has ended, if it may still be sent.
    pub(in super::super) fn send_held(&mut self, held: &HeldSend, cx: &mut Context) {
        let (who, text, is_code) = (held.who.clone(), held.text.clone(), held.sending.is_code);
        match recheck_held(held.clone(), &Snapshot::new(&self.data, &self.clock, cx.view()).facts()) {
            Err(why) => {
                cx.let_go(held);
                let kept = if is_code { "The code has to be typed again." } else { "The draft is kept." };
                cx.problem(format!("Nothing was sent to {who}: {why}. {kept}"));
            }
            Ok((sending, used)) => {
                if !used.is_empty() {
                    self.store_and_remember(StorageRequest::SaveValues(used), cx);
                }
                self.outbox.leaving(&sending, &text, &mut self.data, cx.now);
                self.leaving.push(Leaving { sending: sending.clone(), text, who });
                self.request(PendingRequest::Send(sending.intent.id), Work::Send(Box::new(sending)), cx);
            }
        }
    }

    /// The pane is left, or the program stops: the draft is saved, and the dialog closes.
    pub(in super::super) fn put_composer_aside(&mut self, cx: &mut Context) {
        if let Front::Composer(composer, _) = &mut self.front {
            composer.confirming = None;
            composer.save(&Snapshot::new(&self.data, &self.clock, cx.view()), true);
            cx.overlays.close(CONFIRM);
            self.after_composer(cx);
        }
    }

    fn store_and_remember(&mut self, request: StorageRequest, cx: &mut Context) {
        remember(&mut self.data, &request);
        self.store("The draft", request, cx);
    }

    /// Saves what the composer wants saved, and requests what it needs.
    fn after_composer(&mut self, cx: &mut Context) {
        let Front::Composer(composer, _) = &mut self.front else { return };
        let snapshot = Snapshot::new(&self.data, &self.clock, cx.view());
        let (requests, queue) = (composer.take_requests(&snapshot), std::mem::take(&mut composer.drafts.queue));
        for request in queue {
            self.store_and_remember(request, cx);
        }
        for request in requests {
            match request {
                Request::ListTemplates { sender_id } => self.want_templates(sender_id, cx),
                Request::GetSessionStatus { sender_id, ref recipient_phone } => {
                    self.request(PendingRequest::Window((sender_id, recipient_phone.as_str().to_owned())), request, cx);
                }
                _ => {}
            }
        }
    }
}
