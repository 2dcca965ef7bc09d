//! What keys do in the boxes in front of a pane.

use super::{App, Popup};
use crate::ui::action::{Action, Motion, Scope};
use crate::ui::input::{Key, KeyCode};
use crate::ui::message::Effect;
use crate::ui::panes::conversations::{self, FilterForm};
use crate::ui::panes::messaging;
use crate::ui::popups;
use crate::ui::widgets::list::scroll;

impl App {
    pub(super) fn scroll_popup(&mut self, motion: Motion) {
        let (length, height) = popups::text_size(self);
        if let Some(Popup::Help(at) | Popup::Messages(at)) = &mut self.popup {
            *at = scroll(*at, motion, length, height);
        }
    }

    pub(super) fn popup_key(&mut self, key: Key, effects: &mut Vec<Effect>) {
        let Some(mut popup) = self.popup.take() else { return };
        match &mut popup {
            Popup::Help(_) | Popup::Messages(_) => {
                let action = self.options.keymap.action(&[Scope::Moving, Scope::Everywhere], key);
                match action {
                    Some(Action::Move(motion)) => {
                        self.popup = Some(popup);
                        self.scroll_popup(motion);
                    }
                    _ if matches!(popup, Popup::Messages(_)) => self.notices.read_all(),
                    Some(Action::Go(_)) => self.key(key, effects),
                    _ => {}
                }
            }
            Popup::Filter(form) => match form.key(key, self.conversations.assistants()) {
                conversations::Outcome::Open => self.popup = Some(popup),
                conversations::Outcome::Left => {
                    let untouched = FilterForm::new(self.conversations.filter(), self.conversations.assistants());
                    self.filter_draft = form.says_other_than(&untouched).then(|| form.clone());
                }
                conversations::Outcome::Chosen(filter) => {
                    // Kept until the list has come: a list that fails takes the filter back, not what was typed.
                    self.filter_draft = Some(form.clone());
                    let (panes, mut cx) = self.parts(effects);
                    panes.conversations.set_filter(filter, &mut cx);
                }
            },
            Popup::Add(form) => match form.key(key, &self.options) {
                messaging::Outcome::Open => self.popup = Some(popup),
                messaging::Outcome::Left => {}
                messaging::Outcome::Chosen(added) => {
                    let (panes, mut cx) = self.parts(effects);
                    panes.messaging.add(added, &mut cx);
                }
            },
            Popup::Jump(input, fault) => match key.code {
                KeyCode::Esc => {}
                KeyCode::Enter => match self.page_named(input.value()) {
                    Ok(number) => {
                        let (panes, mut cx) = self.parts(effects);
                        panes.conversations.jump(number, &mut cx);
                    }
                    Err(reason) => {
                        *fault = Some(reason);
                        self.popup = Some(popup);
                    }
                },
                _ => {
                    input.key(key);
                    *fault = None;
                    self.popup = Some(popup);
                }
            },
            Popup::Palette(input, marked) => {
                let found = popups::commands(self, input.value());
                match key.code {
                    KeyCode::Esc => {}
                    KeyCode::Enter => {
                        if let Some(action) = found.get(*marked).map(|(binding, _)| binding.action) {
                            self.act(action, effects);
                        }
                    }
                    KeyCode::Down | KeyCode::Up => {
                        let down = key.code == KeyCode::Down;
                        *marked = if down { *marked + 1 } else { marked.saturating_sub(1) };
                        *marked = (*marked).min(found.len().saturating_sub(1));
                        self.popup = Some(popup);
                    }
                    _ => {
                        input.key(key);
                        *marked = 0;
                        self.popup = Some(popup);
                    }
                }
            }
        }
    }

    /// The page that was typed, where there is one.
    fn page_named(&self, typed: &str) -> Result<u64, String> {
        let last = self.conversations.page_numbers().map_or(1, |(_, last)| last);
        match typed.trim().parse() {
            Ok(number) if (1..=last).contains(&number) => Ok(number),
            _ => Err(format!("a page is a number from 1 to {last}")),
        }
    }
}
