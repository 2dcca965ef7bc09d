//! The pane as the app sees it.

use super::{Front, ID, Messaging, OUTBOX, PARTS, Part, PendingRequest, add, draw};
use crate::client::Reply;
use crate::records::StorageRequest;
use crate::tasks::{Answer, Event, Report};
use crate::ui::action::{Action, Motion, Scope};
use crate::ui::held::HeldSend;
use crate::ui::input::{Input, Mouse, MouseKind};
use crate::ui::overlay::OverlayEvent;
use crate::ui::pane::{Context, Pane, View};
use crate::ui::route::Route;
use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use std::time::Duration;

impl Pane for Messaging {
    fn scopes(&self) -> &'static [Scope] {
        match &self.front {
            Front::Composer(composer, _) => composer.scopes(),
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
            (Action::OnlyProblems, Front::Outbox) if self.outbox.is_narrowed() => Some("all"),
            _ => None,
        }
    }

    fn takes_text(&self) -> bool {
        match &self.front {
            Front::Composer(composer, _) => composer.takes_text(),
            Front::Narrowing => true,
            Front::Bulk => self.bulk.as_ref().is_some_and(|bulk| bulk.takes_text()),
            Front::Parts | Front::Outbox => false,
        }
    }

    fn start(&mut self, cx: &mut Context<'_>) {
        self.request(PendingRequest::LoadStorage, StorageRequest::Load, cx);
    }

    fn show(&mut self, shown: bool, cx: &mut Context<'_>) {
        self.see(shown, cx);
    }

    fn route(&mut self, route: Route, cx: &mut Context<'_>) {
        match route {
            Route::WriteTo(customer) => self.meet(customer, true, cx),
            Route::Watch(customer) => self.meet(customer, false, cx),
            Route::Pane(_) | Route::Conversations(_) => {}
        }
    }

    fn act(&mut self, action: Action, cx: &mut Context<'_>) {
        if self.composer_act(action, cx) {
            return;
        }
        match (action, &self.front) {
            (action, Front::Bulk) => self.bulk_act(action, cx),
            (action, Front::Outbox) => self.act_in_outbox(action, cx),
            (Action::Move(motion), _) => self.step(motion, cx),
            (action, Front::Narrowing) => self.act_in_narrowing(action, cx),
            (action, _) => self.act_in_parts(action, cx),
        }
    }

    fn text(&mut self, input: &Input, cx: &mut Context<'_>) {
        if !self.composer_text(input, cx) {
            self.take_text(input, cx);
        }
    }

    fn overlay(&mut self, event: OverlayEvent, cx: &mut Context<'_>) {
        self.composer_overlay(event, cx);
        self.bulk_overlay(event, cx);
        match event {
            OverlayEvent::Changed(name @ (add::SENDER | add::RECIPIENT)) => {
                let Some(form) = cx.overlays.form(name) else { return };
                match name {
                    add::SENDER => _ = add::sender(form),
                    _ => _ = add::recipient(form, &cx.options),
                }
            }
            OverlayEvent::Submitted(name) => self.form_submitted(name, cx),
            OverlayEvent::Confirmed(name) => self.mark_confirmed(name, cx),
            OverlayEvent::Changed(_) | OverlayEvent::Cancelled(_) => {}
        }
    }

    fn depart(&mut self, held: HeldSend, cx: &mut Context<'_>) {
        self.send_held(held, cx);
    }

    fn edited(&mut self, text: &str, cx: &mut Context<'_>) {
        self.composer_edited(text, cx);
    }

    fn data_changed(&mut self, cx: &mut Context<'_>) {
        let balance = cx.data.account.value().and_then(|account| account.total_balance.known().copied());
        self.known.balance = balance.or(self.known.balance);
    }

    fn mouse(&mut self, mouse: Mouse, cx: &mut Context<'_>) -> Option<Action> {
        match mouse.kind {
            MouseKind::WheelUp => self.wheel(mouse.x, mouse.y, Motion::Up, cx),
            MouseKind::WheelDown => self.wheel(mouse.x, mouse.y, Motion::Down, cx),
            MouseKind::Press if self.composer_click(mouse.x, mouse.y, cx) => {}
            MouseKind::Press => return self.click(mouse.x, mouse.y, cx).then_some(Action::Open),
        }
        None
    }

    fn reply(&mut self, report: Report, cx: &mut Context<'_>) {
        self.take_reply(report, cx);
    }

    fn hear(&mut self, event: &Event, cx: &mut Context<'_>) {
        match event {
            Event::Connected { .. } => {
                self.connected = true;
                self.poll_windows(cx);
            }
            Event::Tried { id, attempt } => {
                if let Some(time) = attempt.server_time {
                    self.hear_time(time, attempt.took, cx);
                }
                if let Some(wait) = attempt.retry_in {
                    self.retried(*id, wait, cx.now);
                }
            }
            Event::Done(report) if report.origin.pane != ID.0 => {
                if let Ok(Answer::Reply(reply)) = &report.result
                    && let Reply::ListConversations(page) = &**reply
                {
                    self.hear_conversations(page, cx);
                }
            }
            _ => {}
        }
    }

    fn resize(&mut self, cx: &mut Context<'_>) {
        self.resized(cx);
    }

    fn put_aside(&mut self, cx: &mut Context<'_>) {
        self.save_drafts(cx);
        if let Some(bulk) = &mut self.bulk {
            bulk.stopped();
        }
    }

    fn tick(&mut self, cx: &mut Context<'_>) {
        self.do_due(cx);
    }

    fn next_change(&self, view: &View<'_>) -> Option<Duration> {
        self.next_due(view)
    }

    fn progress(&self) -> Option<String> {
        self.batch_line()
    }

    fn interrupts(&self) -> Option<&'static str> {
        self.batch_interrupted()
    }

    fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        draw::draw(self, view, buffer)
    }
}
