//! How the pane carries the composer.

use super::super::act::snapshot;
use super::super::{Front, Messaging, Opener, PendingRequest};
use super::{Composer, ComposerEvent, Preset, UnresolvedSend, departing, remember};
use crate::client::Request;
use crate::records::StorageRequest;
use crate::tasks::Work;
use crate::ui::action::{Action, PaneId};
use crate::ui::held::HeldSend;
use crate::ui::input::Input;
use crate::ui::message::Effect;
use crate::ui::overlay::{Overlay, OverlayEvent};
use crate::ui::panes::Context;
use crate::ui::route::Route;

/// The name of the dialog that asks before a message is sent.
const CONFIRM: &str = "send";

impl Messaging {
    pub(in super::super) fn open_composer(&mut self, preset: Preset, freeform: bool, cx: &mut Context<'_>) {
        let snapshot = snapshot(&self.data, &self.clock, self.body, cx);
        let held = cx.held.all().iter().map(|held| UnresolvedSend {
            phone: held.sending.intent.phone.clone(),
            began: cx.now.wall,
            leaving: true,
        });
        let unresolved = held.chain(self.outbox.unresolved()).collect();
        let open = if freeform { Composer::freeform } else { Composer::template };
        let opener = if self.front == Front::Outbox { Opener::Outbox } else { Opener::Parts };
        self.front = Front::Composer(Box::new(open(preset, unresolved, &snapshot)), opener);
        self.after_composer(cx);
    }

    /// Lets the composer take something, and does what follows. False where none is open.
    fn composer(
        &mut self,
        cx: &mut Context<'_>,
        take: impl FnOnce(&mut Composer, &super::Snapshot<'_>) -> ComposerEvent,
    ) -> bool {
        let Front::Composer(composer, _) = &mut self.front else { return false };
        let event = take(composer, &snapshot(&self.data, &self.clock, self.body, cx));
        let drafted = composer.left_draft();
        self.after_composer(cx);
        match event {
            ComposerEvent::Stay => {}
            ComposerEvent::Close => {
                self.close_composer();
                if drafted {
                    cx.toast("Draft saved for this recipient and template");
                }
            }
            ComposerEvent::Confirm(confirm) => cx.open(CONFIRM, Overlay::Confirm(confirm)),
            ComposerEvent::Edit(text) => cx.push(Effect::EditText(text)),
        }
        true
    }

    /// Back to where the composer was opened.
    fn close_composer(&mut self) {
        let from_outbox = matches!(self.front, Front::Composer(_, Opener::Outbox));
        self.front = if from_outbox { Front::Outbox } else { Front::Parts };
    }

    /// Another pane opened the composer.
    pub(in super::super) fn opened_from(&mut self, pane: PaneId) {
        if let Front::Composer(_, opener) = &mut self.front {
            *opener = Opener::Pane(pane);
        }
    }

    pub(in super::super) fn composer_act(&mut self, action: Action, cx: &mut Context<'_>) -> bool {
        self.composer(cx, |composer, snapshot| composer.act(action, snapshot))
    }

    pub(in super::super) fn composer_text(&mut self, input: &Input, cx: &mut Context<'_>) -> bool {
        self.composer(cx, |composer, snapshot| composer.text(input, snapshot))
    }

    pub(in super::super) fn composer_click(&mut self, x: u16, y: u16, cx: &mut Context<'_>) -> bool {
        self.composer(cx, |composer, snapshot| composer.click(x, y, snapshot))
    }

    pub(in super::super) fn composer_edited(&mut self, text: &str, cx: &mut Context<'_>) {
        self.composer(cx, |composer, snapshot| composer.edited(text, snapshot));
    }

    pub(in super::super) fn composer_overlay(&mut self, event: OverlayEvent, cx: &mut Context<'_>) {
        let Front::Composer(composer, opener) = &mut self.front else { return };
        match event {
            OverlayEvent::Confirmed(CONFIRM) => {
                let opener = *opener;
                let snapshot = snapshot(&self.data, &self.clock, self.body, cx);
                let Some(message) = composer.confirmed(&snapshot) else { return };
                let (text, who) = (message.text.clone(), message.who());
                let sending = message.sending(&snapshot);
                // The draft is saved until the message is accepted.
                self.after_composer(cx);
                self.close_composer();
                cx.hold(sending, text, who);
                if let Opener::Pane(pane) = opener {
                    cx.go(Route::Pane(pane));
                }
            }
            OverlayEvent::Cancelled(CONFIRM) => composer.cancelled(),
            _ => {}
        }
    }

    /// Sends a message whose hold has ended, if it may still be sent.
    pub(in super::super) fn send_held(&mut self, held: HeldSend, cx: &mut Context<'_>) {
        let who = held.who.clone();
        match departing(held, &snapshot(&self.data, &self.clock, self.body, cx)) {
            Err(why) => cx.problem(format!("Nothing was sent to {who}: {why}. The draft is kept.")),
            Ok((sending, used)) => {
                if !used.is_empty() {
                    self.keep_and_remember(StorageRequest::SaveValues(used), cx);
                }
                self.outbox.leaving(&sending, &mut self.data, cx.now);
                self.request(PendingRequest::Send(sending.intent.id), Work::Send(Box::new(sending)), cx);
            }
        }
    }

    pub(in super::super) fn compose_tick(&mut self, cx: &mut Context<'_>) {
        self.composer(cx, |composer, snapshot| {
            composer.tick(snapshot);
            ComposerEvent::Stay
        });
    }

    /// The pane is left, or the program stops: drafts are saved, and nothing is asked any more.
    pub(in super::super) fn put_composer_aside(&mut self, cx: &mut Context<'_>) {
        if let Front::Composer(composer, _) = &mut self.front {
            composer.put_aside(&snapshot(&self.data, &self.clock, self.body, cx));
            cx.overlays.close(CONFIRM);
            self.save_typed(cx);
        }
    }

    fn keep_and_remember(&mut self, keep: StorageRequest, cx: &mut Context<'_>) {
        remember(&mut self.data, &keep);
        self.store("The draft", keep, cx);
    }

    fn save_typed(&mut self, cx: &mut Context<'_>) {
        let Front::Composer(composer, _) = &mut self.front else { return };
        for keep in composer.take_saves() {
            self.keep_and_remember(keep, cx);
        }
    }

    /// Saves what the composer wants saved, and requests what it needs.
    fn after_composer(&mut self, cx: &mut Context<'_>) {
        self.save_typed(cx);
        let Front::Composer(composer, _) = &mut self.front else { return };
        for request in composer.take_requests(&snapshot(&self.data, &self.clock, self.body, cx)) {
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
