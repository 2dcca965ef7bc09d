//! What keys do in the pane.

use super::rows::Sort;
use super::{Conversations, Focus, Purpose, inspector};
use crate::api::{ConversationFilter, ConversationQuery, Field, PageRef};
use crate::client::Request;
use crate::ui::Options;
use crate::ui::action::{Action, Motion};
use crate::ui::message::Moment;
use crate::ui::panes::Context;
use crate::ui::widgets::input::TextInput;
use crate::ui::widgets::json;
use crate::ui::widgets::list::scroll;
use jiff::tz::TimeZone;
use ratatui::layout::Rect;

/// Rows a page that `+` and `-` step through.
const PER_PAGE_STEPS: [u32; 5] = [10, 15, 25, 50, 100];

impl Conversations {
    /// Moves the selection.
    pub fn step(&mut self, motion: Motion, height: usize) {
        self.cursor.step(motion, self.visible.len(), height);
        self.remember_selection();
    }

    /// Moves the text of the inspector.
    pub fn scroll_inspector(&mut self, motion: Motion, text: Rect, now: Moment, zone: &TimeZone, options: &Options) {
        let length = inspector::lines(self, now, zone, options, usize::from(text.width)).len();
        self.inspector_scroll = scroll(self.inspector_scroll, motion, length, usize::from(text.height));
    }

    /// Does what an action means in the list, the inspector, or the narrowing text.
    pub(super) fn do_action(&mut self, action: Action, height: usize, cx: &mut Context<'_>) {
        match action {
            Action::Submit => self.focus = Focus::List,
            Action::Back if self.focus == Focus::Narrow => {
                self.focus = Focus::List;
                self.narrow = TextInput::default();
                self.rearrange(height);
            }
            Action::Text(edit) => {
                self.narrow.act(edit);
                self.rearrange(height);
            }
            Action::Open => (self.focus, self.inspector_scroll) = (Focus::Inspector, 0),
            Action::NextPart | Action::Back if self.is_inspecting() => self.focus = Focus::List,
            Action::NextPart if self.selected_row().is_some() => self.focus = Focus::Inspector,
            Action::Back if !self.narrow.value().is_empty() => {
                self.narrow = TextInput::default();
                self.rearrange(height);
            }
            Action::Refresh => self.ask(Purpose::Show, self.query.clone(), cx),
            Action::TogglePause => {
                self.polling.toggle(cx.now.mono);
                let says =
                    if self.is_paused() { "Paused: the list is not refreshed" } else { "The list is live again" };
                cx.notices.toast(says, cx.now);
            }
            Action::Turn(turn) => {
                if let Some(page) = self.target(turn) {
                    self.question(ConversationQuery { page, ..self.query.clone() }, cx);
                }
            }
            Action::MoreRows | Action::FewerRows => self.step_per_page(action == Action::MoreRows, cx),
            Action::ClearFilters => self.set_filter(ConversationFilter::default(), cx),
            Action::Narrow => self.focus = Focus::Narrow,
            Action::SortColumn => {
                self.sort = Sort { by: self.sort.by.next(), descending: true };
                self.rearrange(height);
                cx.notices.toast(format!("This page is sorted by {}", self.sort.by.spoken()), cx.now);
            }
            Action::SortDirection => {
                self.sort.descending = !self.sort.descending;
                self.rearrange(height);
            }
            Action::ToggleRaw => {
                (self.raw, self.inspector_scroll, self.focus) = (!self.raw, 0, Focus::Inspector);
            }
            Action::Copy => {
                if let Some(Field::Known(id)) = self.selected_row().map(|row| &row.id) {
                    let id = id.clone();
                    cx.copy("Id", id);
                }
            }
            Action::CopyAll => {
                if let Some(json) = self.selected_row().and_then(|row| row.json().ok()) {
                    cx.copy("JSON", json::pretty(&json));
                }
            }
            _ => {}
        }
    }

    fn step_per_page(&mut self, more: bool, cx: &mut Context<'_>) {
        let current = self.query.per_page;
        let step = if more {
            PER_PAGE_STEPS.iter().find(|step| **step > current)
        } else {
            PER_PAGE_STEPS.iter().rev().find(|step| **step < current)
        };
        let Some(per_page) = step.copied() else {
            return cx.notices.toast(format!("{current} rows a page is the limit"), cx.now);
        };
        self.question(ConversationQuery { per_page, page: PageRef::Number(1), ..self.query.clone() }, cx);
    }

    /// Lists only what passes this filter, from its first page on.
    pub fn set_filter(&mut self, filter: ConversationFilter, cx: &mut Context<'_>) {
        if filter != self.query.filter {
            self.question(ConversationQuery { filter, page: PageRef::Number(1), ..self.query.clone() }, cx);
        }
    }

    /// Goes to a page by its number.
    pub fn jump(&mut self, number: u64, cx: &mut Context<'_>) {
        if self.query.page != PageRef::Number(number) {
            self.question(ConversationQuery { page: PageRef::Number(number), ..self.query.clone() }, cx);
        }
    }

    /// Asks which assistants there are, where that is not known yet.
    pub fn want_assistants(&mut self, cx: &mut Context<'_>) {
        if self.assistants.asked.is_none() {
            self.assistants.asked = Some(cx.run(self.origin, Request::ListOutboundAssistants));
        }
    }
}
