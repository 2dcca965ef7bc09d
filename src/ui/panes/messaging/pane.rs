//! The pane as the app sees it.

use super::{Front, ID, Messaging, PARTS, draw};
use crate::client::Reply;
use crate::tasks::{Answer, Event, Report};
use crate::ui::action::{Action, Motion, Scope};
use crate::ui::held::HeldSend;
use crate::ui::input::{Input, Key, Mouse, MouseKind};
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
            _ => &[PARTS, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE],
        }
    }

    fn hint(&self, action: Action) -> Option<&'static str> {
        matches!((action, &self.front), (Action::Submit, Front::Composer(..))).then_some("review")
    }

    fn disabled(&self, action: Action, view: &View<'_>) -> Option<&'static str> {
        if view.options.read_only && action == Action::Open && self.open_writes() {
            return Some("this is read-only; nothing is sent or changed");
        }
        self.why_not(action)
    }

    fn takes_text(&self) -> bool {
        self.is_typing()
    }

    fn start(&mut self, cx: &mut Context<'_>) {
        self.begin(cx);
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
        match action {
            action if self.composer_act(action, cx) => {}
            Action::Move(motion) => self.step(motion, cx),
            action => self.do_action(action, cx),
        }
    }

    fn text(&mut self, input: &Input, cx: &mut Context<'_>) {
        if self.composer_text(input, cx) {
            return;
        }
        if let Input::Paste(text) = input {
            self.paste(text, cx);
        }
    }

    fn raw_key(&mut self, key: Key, cx: &mut Context<'_>) -> bool {
        let everywhere = cx.options.keymap.action(&[Scope::PANES, Scope::EVERYWHERE], key);
        let everywhere = everywhere.filter(|_| !self.is_typing() || key.typed().is_none());
        let captured = self.is_captured() || (self.is_typing() && !matches!(self.front, Front::Composer(..)));
        if !captured
            || matches!(
                everywhere,
                Some(Action::Go(_) | Action::Messages | Action::Quit | Action::Suspend | Action::Redraw)
            )
        {
            return false;
        }
        if let Some(behind) = key.behind_escape() {
            self.captured_key(Key::plain(crate::ui::input::KeyCode::Esc), cx);
            self.captured_key(behind, cx);
            return true;
        }
        self.captured_key(key, cx);
        true
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
        self.answered(report, cx);
    }

    fn hear(&mut self, event: &Event, cx: &mut Context<'_>) {
        match event {
            Event::Connected { .. } => self.connected(cx),
            Event::Tried { id, attempt } => {
                if let Some(time) = attempt.server_time {
                    self.heard(time, attempt.took, cx);
                }
                if let Some(wait) = attempt.retry_in {
                    self.tried(*id, wait, cx.now);
                }
            }
            Event::Done(report) if report.origin.pane != ID.0 => {
                if let Ok(Answer::Reply(reply)) = &report.result
                    && let Reply::ListConversations(page) = &**reply
                {
                    self.noticed(page, cx);
                }
            }
            _ => {}
        }
    }

    fn resize(&mut self, cx: &mut Context<'_>) {
        self.resized(cx.body);
    }

    fn overlay(&mut self, event: OverlayEvent, cx: &mut Context<'_>) {
        self.composer_overlay(event, cx);
    }

    fn depart(&mut self, held: HeldSend, cx: &mut Context<'_>) {
        self.send_held(held, cx);
    }

    fn edited(&mut self, text: &str, cx: &mut Context<'_>) {
        self.composer_edited(text, cx);
    }

    fn put_aside(&mut self, cx: &mut Context<'_>) {
        self.save_drafts(cx);
    }

    fn tick(&mut self, cx: &mut Context<'_>) {
        self.do_due(cx);
    }

    fn next_change(&self, view: &View<'_>) -> Option<Duration> {
        self.next_due(view.now, view.options, view.zone)
    }

    fn progress(&self) -> Option<String> {
        self.batch_line()
    }

    fn interrupts(&self) -> Option<&'static str> {
        self.has_batch_under_way().then_some("A batch is being sent: q again quits; it can be resumed")
    }

    fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        draw::draw(self, view, buffer)
    }
}
