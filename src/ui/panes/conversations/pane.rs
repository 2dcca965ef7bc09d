//! The pane as the app sees it.

use super::areas::{self};
use super::{Conversations, Focus, Health, INSPECTOR, LIST, draw};
use crate::api::{ConversationFilter, Page};
use crate::tasks::Report;
use crate::ui::action::{Action, Motion, Scope, Turn};
use crate::ui::health::Freshness;
use crate::ui::input::{Input, Mouse, MouseKind};
use crate::ui::layout;
use crate::ui::pane::{Context, Pane, View};
use crate::ui::route::{Customer, Route};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::time::Duration;

impl Conversations {
    /// Rows in view, also while the inspector hides them: the list stays where it was.
    pub(super) fn height(body: Rect) -> usize {
        usize::from(areas::of(body, false).rows.height)
    }

    fn moves(&mut self, motion: Motion, cx: &Context<'_>) {
        if self.is_inspecting() {
            let inspector = areas::of(cx.body, true).inspector;
            let text = layout::inspector_text(inspector, cx.body);
            self.scroll_inspector(motion, text, cx.now, cx.zone, cx.options);
        } else {
            self.step(motion, Self::height(cx.body));
        }
    }

    /// Goes to the form for the customer of the selected conversation, or watches their window; or says why not.
    fn meet(&self, route: fn(Customer) -> Route, cx: &mut Context<'_>) {
        match self.selected_row().map(Customer::of) {
            Some(Ok(customer)) => cx.go(route(customer)),
            Some(Err(reason)) => cx.toast(format!("Not now: {reason}")),
            None => {}
        }
    }
}

impl Pane for Conversations {
    fn scopes(&self) -> &'static [Scope] {
        match self.focus {
            Focus::List => &[LIST, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE],
            Focus::Inspector => &[INSPECTOR, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE],
            Focus::Narrow => &[Scope::NARROW, Scope::TEXT, Scope::EVERYWHERE],
        }
    }

    fn disabled(&self, action: Action, _view: &View<'_>) -> Option<&'static str> {
        let by_cursor = matches!(self.pages.shown().map(|shown| &*shown.page), Some(Page::Cursor(_)));
        match action {
            Action::JumpToPage | Action::Turn(Turn::Last) if by_cursor => {
                Some("this server pages by cursor, without totals and jumps")
            }
            Action::JumpToPage | Action::Turn(_) if self.pages.shown().is_none() => Some("no page has come yet"),
            Action::Turn(turn) if self.target(turn).is_none() => Some(match turn {
                Turn::Next | Turn::Last => "this is the last page",
                Turn::Previous | Turn::First => "this is the first page",
            }),
            Action::TogglePause if self.polling.is_off() => Some("the automatic refresh is off in the settings"),
            Action::ClearFilters if self.query.filter == ConversationFilter::default() => Some("no filter is set"),
            Action::Open | Action::Copy | Action::CopyAll | Action::ToggleRaw | Action::Send | Action::Watch
                if self.selected_row().is_none() =>
            {
                Some("no conversation is selected")
            }
            _ => None,
        }
    }

    fn hint(&self, action: Action) -> Option<&'static str> {
        (action == Action::TogglePause && self.is_paused()).then_some("resume")
    }

    fn takes_text(&self) -> bool {
        self.focus == Focus::Narrow
    }

    fn start(&mut self, cx: &mut Context<'_>) {
        self.begin(cx);
    }

    fn show(&mut self, shown: bool, cx: &mut Context<'_>) {
        self.polling.see(shown, cx.now.mono);
    }

    fn route(&mut self, route: Route, cx: &mut Context<'_>) {
        if let Route::Conversations(filter) = route {
            self.set_filter(filter, cx);
        }
    }

    fn act(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Move(motion) => self.moves(motion, cx),
            Action::Send => self.meet(Route::WriteTo, cx),
            Action::Watch => self.meet(Route::Watch, cx),
            action => self.do_action(action, Self::height(cx.body), cx),
        }
    }

    fn text(&mut self, input: &Input, cx: &mut Context<'_>) {
        self.narrow.text(input);
        self.rearrange(Self::height(cx.body));
    }

    fn mouse(&mut self, mouse: Mouse, cx: &mut Context<'_>) -> Option<Action> {
        let areas = areas::of(cx.body, self.is_inspecting());
        let inside = |area: Rect| area.contains((mouse.x, mouse.y).into());
        let height = Self::height(cx.body);
        let motion = match mouse.kind {
            MouseKind::WheelUp => Motion::Up,
            MouseKind::WheelDown => Motion::Down,
            MouseKind::Press => {
                if inside(areas.rows) {
                    self.click(usize::from(mouse.y - areas.rows.y), height);
                } else if inside(areas.header) {
                    self.click_header(mouse.x, areas.header, height);
                } else if inside(areas.inspector) && self.selected_row().is_some() {
                    self.focus = Focus::Inspector;
                }
                return None;
            }
        };
        if inside(areas.inspector) {
            let text = layout::inspector_text(areas.inspector, cx.body);
            self.scroll_inspector(motion, text, cx.now, cx.zone, cx.options);
        } else {
            self.moves(motion, cx);
        }
        None
    }

    fn reply(&mut self, report: Report, cx: &mut Context<'_>) {
        self.answered(report, Self::height(cx.body), cx);
    }

    fn resize(&mut self, cx: &mut Context<'_>) {
        self.cursor.select(self.cursor.at, self.visible.len(), Self::height(cx.body));
    }

    fn tick(&mut self, cx: &mut Context<'_>) {
        self.poll(cx);
    }

    fn next_change(&self, view: &View<'_>) -> Option<Duration> {
        let poll = self.polling.next().filter(|_| view.unconnected().is_none());
        let on_screen = || self.next_visible_change(view.now, Self::height(view.body));
        [poll, view.shown.then(on_screen).flatten()].into_iter().flatten().min()
    }

    fn freshness(&self) -> Option<Freshness<'_>> {
        let (loaded, failure) = match &self.health {
            Health::Waiting => (None, None),
            Health::Live(at) => (Some(*at), None),
            Health::Failing(failure) => (None, Some(failure)),
        };
        Some(Freshness {
            loaded,
            interval: self.polling.interval(),
            paused: self.is_paused(),
            pending: self.is_asking(),
            failure,
            next: self.polling.next(),
        })
    }

    fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        draw::draw(self, view, buffer)
    }
}
