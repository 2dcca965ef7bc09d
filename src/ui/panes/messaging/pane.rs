//! The pane as the app sees it.

use super::compose::Snapshot;
use super::{Front, ID, Messaging, OUTBOX, PARTS, Part, PendingRequest, add, draw};
use crate::records::StorageRequest;
use crate::tasks::{Answer, Event};
use crate::ui::compose::drafts;
use crate::ui::held::HeldSend;
use crate::ui::prelude::*;
use crate::ui::route::Route;
use crate::ui::widgets::form::FormEvent;
use uuid::Uuid;

impl Pane for Messaging {
    fn scopes(&self) -> &'static [Scope] {
        match &self.front {
            Front::Composer(composer, _) => composer.message.form.scopes(),
            Front::Outbox if self.outbox.narrowing => &[Scope::NARROW, Scope::TEXT, Scope::EVERYWHERE],
            Front::Outbox => &[OUTBOX, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE],
            Front::Narrowing => &[Scope::NARROW, Scope::TEXT, Scope::EVERYWHERE],
            Front::Bulk if self.bulk.is_some() => self.bulk.as_ref().map_or(&[], |bulk| bulk.scopes()),
            _ => &[PARTS, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE],
        }
    }

    fn disabled(&self, action: Action, view: &View<'_>) -> Option<&'static str> {
        if view.options.read_only && action == Action::Open && self.front == Front::Parts && self.focus != Part::Senders
        {
            return Some("this is read-only; nothing is sent or changed");
        }
        match self.front {
            Front::Parts => self.disabled_in_parts(action),
            Front::Outbox => self.outbox.disabled(action),
            Front::Bulk => self.bulk.as_ref()?.disabled(action),
            _ => None,
        }
    }

    fn hint(&self, action: Action) -> Option<&'static str> {
        match (action, &self.front) {
            (Action::Submit, Front::Composer(..)) => Some("review"),
            (action, Front::Bulk) => self.bulk.as_ref()?.hint(action),
            (Action::OnlyProblems, Front::Outbox) if self.outbox.only_unknown => Some("all"),
            (Action::MarkSent, Front::Outbox) if self.outbox.is_at_call() => Some("mark made"),
            (Action::MarkNotSent, Front::Outbox) if self.outbox.is_at_call() => Some("mark not made"),
            _ => None,
        }
    }

    fn start(&mut self, cx: &mut Context) {
        self.request(PendingRequest::LoadStorage, StorageRequest::Load, cx);
        self.request(PendingRequest::Unfinished, StorageRequest::FindUnfinishedBatch, cx);
    }

    /// Requests begin when the pane is seen for the first time.
    fn show(&mut self, shown: bool, cx: &mut Context) {
        self.senders.remote.show(shown, cx);
        self.schedule_windows(cx);
        if shown && !std::mem::replace(&mut self.visited, true) {
            cx.data.want(Item::Account, &mut cx.tasks, cx.now);
            self.load_outbox(cx);
        }
        if !shown {
            self.put_composer_aside(cx);
        }
        self.poll_windows(cx);
    }

    fn route(&mut self, route: Route, cx: &mut Context) {
        match route {
            Route::WriteTo(customer) => self.meet(customer, true, cx),
            Route::Watch(customer) => self.meet(customer, false, cx),
            _ => {}
        }
    }

    fn act(&mut self, action: Action, cx: &mut Context) {
        if self.with_composer(cx, |message, snapshot| message.act(action, snapshot)) {
            return;
        }
        match (action, &self.front) {
            (action, Front::Bulk) => self.bulk_act(action, cx),
            (action, Front::Outbox) => self.act_in_outbox(action, cx),
            (action, _) => self.act_in_parts(action, cx),
        }
    }

    fn text(&mut self, input: &Input, cx: &mut Context) {
        if self.with_composer(cx, |message, _| message.form.text(input)) {
            return;
        }
        match (&self.front, &mut self.bulk) {
            (Front::Narrowing, _) => self.narrow(cx, |typed| typed.text(input)),
            (Front::Outbox, _) => self.outbox.text(input),
            (_, Some(bulk)) => bulk.text(input, cx),
            _ => {}
        }
    }

    fn overlay(&mut self, event: OverlayEvent, cx: &mut Context) {
        self.composer_overlay(event, cx);
        self.bulk_overlay(event, cx);
        if self.repeated.answer(event, cx) {
            self.outbox.hold(&cx.held, cx.now);
        }
        match event {
            OverlayEvent::Changed(name) => {
                let Some(form) = cx.overlays.form(name) else { return };
                if name == add::SENDER {
                    add::sender(form);
                } else {
                    add::recipient(form, &cx.options, self.sender().and_then(|sender| sender.phone.as_deref()));
                }
            }
            OverlayEvent::Submitted(name) => self.form_submitted(name, cx),
            OverlayEvent::Confirmed(name) => self.mark_confirmed(name, cx),
            OverlayEvent::Cancelled(_) => {}
        }
    }

    fn depart(&mut self, held: HeldSend, cx: &mut Context) {
        self.outbox.hold(&cx.held, cx.now);
        self.send_held(&held, cx);
    }

    fn selected_hold(&self) -> Option<Uuid> {
        (self.front == Front::Outbox).then(|| self.outbox.selected_hold())?
    }

    fn taken_back(&mut self, held: &HeldSend, cx: &mut Context) {
        self.outbox.hold(&cx.held, cx.now);
        self.select_again(held, cx);
    }

    fn signs(&self, options: &Options) -> Vec<Sign> {
        if matches!(self.front, Front::Parts | Front::Narrowing) { draw::signs(options) } else { Vec::new() }
    }

    fn edited(&mut self, text: &str, cx: &mut Context) {
        self.with_composer(cx, |message, _| message.edited(text));
    }

    fn data_changed(&mut self, cx: &mut Context) {
        let balance = cx.data.account.value().and_then(|account| account.total_balance.known().copied());
        self.data.balance = balance.or(self.data.balance);
    }

    fn mouse(&mut self, mouse: Mouse, cx: &mut Context) -> Option<Action> {
        let motion = match mouse.kind {
            MouseKind::Press => None,
            MouseKind::WheelUp => Some(Motion::Up),
            MouseKind::WheelDown => Some(Motion::Down),
        };
        match (&self.front, motion) {
            (Front::Parts | Front::Narrowing, _) => return self.mouse_in_parts((mouse.x, mouse.y), motion, cx),
            (Front::Composer(..), None) => {
                self.with_composer(cx, |message, _| message.form.click(mouse.x, mouse.y));
            }
            (Front::Composer(..), Some(_)) => {}
            (Front::Bulk, None) => self.bulk.iter_mut().for_each(|bulk| bulk.click(mouse, cx)),
            (Front::Outbox, None) => self.outbox.click(mouse.x, mouse.y),
            (Front::Bulk | Front::Outbox, Some(motion)) => self.act(Action::Move(motion), cx),
        }
        None
    }

    fn reply(&mut self, report: Report, cx: &mut Context) {
        self.take_reply(report, cx);
    }

    fn hear(&mut self, event: &Event, cx: &mut Context) {
        drafts::hear(&mut self.data.drafts, event, ID);
        match event {
            Event::Connected { .. } => self.poll_windows(cx),
            Event::Tried { id, attempt } => {
                let time = attempt.server_time;
                if time.is_some_and(|time| self.clock.heard(time, attempt.took, cx.now.mono)) {
                    self.schedule_windows(cx);
                    self.tell_alerts(cx);
                }
                if let Some(wait) = attempt.retry_in {
                    self.retries_at(*id, cx.now.plus(wait));
                }
            }
            Event::Written if self.visited => self.load_outbox(cx),
            // Another pane has made a call or sent a reply.
            Event::Done(Report { origin, result: Ok(Answer::Sent(_)), .. }) if origin.pane != ID.0 && self.visited => {
                self.load_outbox(cx);
            }
            Event::Done(Report { origin, result: Ok(Answer::Reply(reply)), .. }) if origin.pane != ID.0 => {
                if let Reply::ListConversations(page) = &**reply {
                    self.hear_conversations(page, cx);
                }
            }
            _ => {}
        }
    }

    fn resize(&mut self, cx: &mut Context) {
        self.body = cx.body;
        self.outbox.resize(cx.body);
        self.with_composer(cx, |_, _| FormEvent::Ignored);
        self.arrange_senders();
        self.arrange_templates();
        self.arrange_windows(cx);
    }

    fn holds(&self) -> bool {
        self.holds_batch()
    }

    fn take_back(&mut self, cx: &mut Context) {
        self.take_back_batch(cx);
    }

    fn put_aside(&mut self, cx: &mut Context) {
        self.outbox.hold(&cx.held, cx.now);
        self.put_composer_aside(cx);
        if let Some(bulk) = &mut self.bulk {
            bulk.stopped();
        }
    }

    fn tick(&mut self, cx: &mut Context) {
        self.outbox.hold(&cx.held, cx.now);
        self.with_composer(cx, |_, _| FormEvent::Ignored);
        if let Some(bulk) = &mut self.bulk {
            bulk.tick(&self.data, cx);
        }
        if self.windows.edge.is_some_and(|edge| edge <= cx.now.mono) {
            self.tell_alerts(cx);
        }
        if self.polls_senders() {
            self.senders.remote.tick(cx);
        }
        self.poll_windows(cx);
    }

    fn next_change(&self, view: &View<'_>) -> Option<Instant> {
        let now = view.now;
        let poll = self.senders.remote.next_change().filter(|_| view.unconnected().is_none() && self.polls_senders());
        let batch = self.bulk.as_ref();
        let batch = batch.and_then(|bulk| bulk.next_change(now.mono, self.front == Front::Bulk && view.shown));
        let on_screen = match &self.front {
            Front::Composer(composer, _) => composer.next_change(&Snapshot::new(&self.data, &self.clock, *view)),
            Front::Outbox if view.shown => self.outbox.next_change(now),
            Front::Parts | Front::Narrowing if view.shown => {
                let states = Part::ALL.into_iter().filter_map(|part| draw::state(self, view, part));
                let loading = states.filter_map(|state| state.next_change(now.mono));
                self.next_window_change(now).into_iter().chain(loading).min()
            }
            _ => None,
        };
        [self.next_window_due(view), poll, batch, on_screen].into_iter().flatten().min()
    }

    fn progress(&self) -> Option<String> {
        self.bulk.as_ref()?.progress()
    }

    fn interrupts(&self) -> Option<&'static str> {
        self.bulk.as_ref()?.interrupts()
    }

    fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        draw::draw(self, view, buffer)
    }
}
