//! What keys do in the pane.

use super::add::{AddForm, Added};
use super::areas::PartAreas;
use super::compose::{Sight, Wanted};
use super::outbox::OutboxFlow;
use super::{Asked, Front, Messaging, Part, senders};
use crate::records::{StorageRequest, Watched};
use crate::tasks::Work;
use crate::ui::action::{Action, Motion};
use crate::ui::input::{Key, KeyCode};
use crate::ui::message::Effect;
use crate::ui::panes::Context;
use crate::ui::widgets::input::TextInput;
use ratatui::layout::Rect;

impl Messaging {
    /// The body has another size.
    pub fn resized(&mut self, body: Rect) {
        self.body = body;
        let (senders, windows) = (self.senders_height(), self.windows_height());
        self.senders.select(self.senders.cursor.at, &self.known.senders, senders);
        self.arrange_templates();
        self.windows.follow(&self.known.windows, windows);
    }

    fn part(&self) -> PartAreas {
        self.areas().part(self.focus)
    }

    pub(super) fn senders_height(&self) -> usize {
        usize::from(self.areas().senders.rows.height / senders::ROWS)
    }

    /// Lets a part have the keys.
    pub(super) fn focus(&mut self, part: Part) {
        self.focus = part;
        if self.front == Front::Narrowing {
            self.front = Front::Parts;
        }
        // Where the parts share a place, one that was not on screen has another height now.
        self.resized(self.body);
    }

    /// Moves the selection of the part that has the keys.
    pub fn step(&mut self, motion: Motion, cx: &mut Context<'_>) {
        if self.front == Front::Outbox {
            let sight = sight(&self.known, &self.clock, self.body, cx);
            return self.outbox.step(motion, &sight);
        }
        if self.front == Front::Bulk {
            return self.bulk_step(motion, cx);
        }
        let height = usize::from(self.part().rows.height);
        match self.focus {
            Part::Senders => {
                let height = self.senders_height();
                let mut cursor = self.senders.cursor;
                cursor.step(motion, self.known.senders.len(), height);
                self.choose_sender(cursor.at, cx);
            }
            Part::Templates => {
                let mut cursor = self.templates.cursor;
                cursor.step(motion, self.templates.shown.len(), height);
                self.select_template(cursor.at);
            }
            Part::Windows => {
                self.windows.step(motion, &self.known.windows, height);
                self.senders.chosen = false;
                self.side_with_window(cx);
            }
        }
    }

    /// Selects a sender for a person, who wants this one whoever is selected among the windows.
    pub(super) fn choose_sender(&mut self, at: usize, cx: &mut Context<'_>) {
        self.senders.chosen = true;
        self.select_sender(at, cx);
    }

    /// While nobody has chosen a sender, the one of the selected window is selected: what is seen beside it can be sent.
    pub(super) fn side_with_window(&mut self, cx: &mut Context<'_>) {
        if self.senders.chosen || self.focus != Part::Windows {
            return;
        }
        let wanted = self.windows.selected(&self.known.windows).map(|watch| watch.sender_id);
        let Some(wanted) = wanted.filter(|id| self.sender().is_none_or(|sender| sender.id != *id)) else { return };
        if let Some(at) = self.known.senders.iter().position(|sender| sender.id == wanted) {
            self.select_sender(at, cx);
        }
    }

    pub(super) fn select_sender(&mut self, at: usize, cx: &mut Context<'_>) {
        let height = self.senders_height();
        self.senders.select(at, &self.known.senders, height);
        self.arrange_templates();
        self.want_shelves(cx);
    }

    pub(super) fn select_template(&mut self, at: usize) {
        let height = usize::from(self.areas().templates.rows.height);
        if let Some(id) = self.sender().map(|sender| sender.id) {
            let list = self.known.templates.get(&id).map_or(&[][..], Vec::as_slice);
            self.templates.select(at, id, list, height);
        }
    }

    pub(super) fn do_action(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::NextPart | Action::PreviousPart => self.focus(self.focus.other(action == Action::NextPart)),
            Action::Open if self.focus == Part::Senders => self.focus(Part::Templates),
            Action::Open | Action::Send => self.compose(false, cx),
            Action::Freeform => self.compose(true, cx),
            Action::Add if self.focus == Part::Senders => {}
            Action::Add => {
                if let Some(sender) = self.sender() {
                    let form = AddForm::recipient(sender.id, super::words::sender(sender));
                    drop(form);
                }
            }
            Action::Remove => self.remove(cx),
            Action::Restore => self.restore(cx),
            Action::Many => self.open_bulk(cx),
            Action::Outbox => {
                self.front = Front::Outbox;
                self.ask_outbox(cx);
            }
            Action::Narrow => {
                if self.focus == Part::Senders {
                    self.focus(Part::Templates);
                }
                self.front = Front::Narrowing;
            }
            Action::Refresh => self.refresh(cx),
            Action::Copy => self.copy(cx),
            Action::Back => {
                if let Some(typed) = self.narrow().filter(|typed| !typed.value().is_empty()) {
                    *typed = TextInput::default();
                    self.narrowed(cx);
                }
            }
            _ => {}
        }
    }

    fn copy(&mut self, cx: &mut Context<'_>) {
        let number = match self.focus {
            Part::Windows => self.windows.selected(&self.known.windows).map(|watch| watch.phone.clone()),
            Part::Senders | Part::Templates => self.sender().and_then(|sender| sender.phone.clone()),
        };
        if let Some(number) = number {
            cx.push(Effect::Copy(number));
            cx.notices.toast("The number was handed to the terminal's clipboard", cx.now);
        }
    }

    fn remove(&mut self, cx: &mut Context<'_>) {
        match self.focus {
            Part::Senders => {
                let Some((id, at)) = self.sender().map(|sender| (sender.id, self.senders.cursor.at)) else { return };
                self.senders.added.retain(|added| *added != id);
                self.known.senders.retain(|sender| sender.id != id || !sender.added);
                self.templates.shelves.remove(&id);
                self.known.templates.remove(&id);
                self.select_sender(at, cx);
                self.keep("The list of senders", StorageRequest::RemoveSender(id), cx);
                cx.notices.toast(format!("The sender no. {id} is forgotten"), cx.now);
            }
            Part::Templates => {}
            Part::Windows => {
                let Some(watch) = self.windows.selected(&self.known.windows).cloned() else { return };
                let key = (watch.sender_id, watch.phone.clone());
                self.removed.push(Watched { sender_id: watch.sender_id, phone: watch.phone, name: watch.name.clone() });
                let who = watch.name.unwrap_or_else(|| super::words::phone(&key.1));
                if let Some(id) = self.windows.unwatch(&mut self.known.windows, &key) {
                    cx.cancel(id);
                }
                self.arrange_windows(cx.now);
                self.keep("The watch list", StorageRequest::Unwatch { sender_id: key.0, phone: key.1 }, cx);
                cx.notices.toast(format!("{who} is no longer watched; u takes that back"), cx.now);
            }
        }
    }

    fn restore(&mut self, cx: &mut Context<'_>) {
        let Some(watched) = self.removed.pop() else { return };
        let key = (watched.sender_id, watched.phone.clone());
        self.watch(&[watched], cx);
        self.focus(Part::Windows);
        let height = self.windows_height();
        self.windows.select_key(key, &self.known.windows, height);
    }

    /// Adds what was asked for in a box.
    pub fn add(&mut self, added: Added, cx: &mut Context<'_>) {
        match added {
            Added::Sender(id) => {
                if !self.senders.added.contains(&id) {
                    self.senders.added.push(id);
                    self.keep("The list of senders", StorageRequest::AddSender(id), cx);
                }
                self.show_added(cx);
                if let Some(at) = self.known.senders.iter().position(|sender| sender.id == id) {
                    self.choose_sender(at, cx);
                }
            }
            Added::Recipient { sender_id, phone, name } => {
                self.watch(&[Watched { sender_id, phone: phone.clone(), name }], cx);
                self.focus(Part::Windows);
                let height = self.windows_height();
                self.windows.select_key((sender_id, phone), &self.known.windows, height);
            }
        }
    }

    // Narrowing.

    fn narrow(&mut self) -> Option<&mut TextInput> {
        match self.focus {
            Part::Senders => None,
            Part::Templates => Some(&mut self.templates.narrow),
            Part::Windows => Some(&mut self.windows.narrow),
        }
    }

    fn narrowed(&mut self, cx: &Context<'_>) {
        match self.focus {
            Part::Senders => {}
            Part::Templates => self.arrange_templates(),
            Part::Windows => self.arrange_windows(cx.now),
        }
    }

    fn type_narrow(&mut self, key: Key, cx: &mut Context<'_>) {
        match key.code {
            KeyCode::Enter => self.front = Front::Parts,
            KeyCode::Esc => {
                self.front = Front::Parts;
                if let Some(typed) = self.narrow() {
                    *typed = TextInput::default();
                }
            }
            KeyCode::Down => return self.step(Motion::Down, cx),
            KeyCode::Up => return self.step(Motion::Up, cx),
            _ => {
                if let Some(typed) = self.narrow() {
                    typed.key(key);
                }
            }
        }
        self.narrowed(cx);
    }

    // The composer and the outbox.

    /// Takes a key while the composer, the outbox or the narrowing text has them all.
    pub fn captured_key(&mut self, key: Key, cx: &mut Context<'_>) {
        let sight = sight(&self.known, &self.clock, self.body, cx);
        match &mut self.front {
            Front::Outbox => {
                let flow = self.outbox.key(key, &sight);
                self.outbox_flow(flow, cx);
            }
            Front::Bulk => self.bulk_key(key, cx),
            Front::Parts | Front::Narrowing | Front::Composer(..) => self.type_narrow(key, cx),
        }
    }

    /// Takes a paste while letters are text.
    pub fn paste(&mut self, text: &str, cx: &mut Context<'_>) {
        if self.front == Front::Bulk {
            self.bulk_paste(text, cx);
        } else if self.front == Front::Narrowing {
            if let Some(typed) = self.narrow() {
                typed.paste(text);
            }
            self.narrowed(cx);
        }
    }

    /// Whom or what the form is opened with: the recipient among the windows, the template among the templates.
    fn wanted(&self) -> Wanted {
        let sender_id = self.sender().map(|sender| sender.id);
        match self.focus {
            Part::Senders => Wanted { sender_id, ..Wanted::default() },
            Part::Templates => {
                let template_id = self.selected_template().and_then(|template| template.id.known()).copied();
                Wanted { sender_id, template_id, ..Wanted::default() }
            }
            Part::Windows => match self.windows.selected(&self.known.windows) {
                Some(watch) => Wanted {
                    sender_id: Some(watch.sender_id),
                    phone: Some(watch.phone.clone()),
                    name: watch.name.clone(),
                    template_id: None,
                },
                None => Wanted { sender_id, ..Wanted::default() },
            },
        }
    }

    fn compose(&mut self, freeform: bool, cx: &mut Context<'_>) {
        let wanted = self.wanted();
        self.open_composer(wanted, freeform, cx);
    }

    /// Opens the form for this recipient.
    pub fn write_to(&mut self, to: Watched, cx: &mut Context<'_>) {
        let Watched { sender_id, phone, name } = to;
        let wanted = Wanted { sender_id: Some(sender_id), phone: Some(phone), name, template_id: None };
        self.open_composer(wanted, false, cx);
    }

    fn outbox_flow(&mut self, flow: OutboxFlow, cx: &mut Context<'_>) {
        match flow {
            OutboxFlow::Stay => {}
            OutboxFlow::Close => self.front = Front::Parts,
            OutboxFlow::Check(intent) => {
                self.ask(Asked::Evidence(intent.id), Work::Check(intent), cx);
            }
            OutboxFlow::Mark(id, mark) => {
                self.keep("The mark", StorageRequest::MarkEntry { id, mark }, cx);
                if let Some(keep) = self.outbox.marked(id, mark, &mut self.known) {
                    self.keep("The draft", keep, cx);
                }
                self.ask_outbox(cx);
            }
            OutboxFlow::Again(wanted) => self.open_composer(wanted, false, cx),
            OutboxFlow::AgainFreeform(wanted) => self.open_composer(wanted, true, cx),
            OutboxFlow::Reload => self.ask_outbox(cx),
        }
    }
}

/// What the composer and the outbox may look at.
pub(super) fn sight<'a>(
    known: &'a super::Known,
    clock: &crate::messaging::ServerClock,
    body: Rect,
    cx: &Context<'a>,
) -> Sight<'a> {
    Sight {
        known,
        options: cx.options,
        zone: cx.zone,
        now: cx.now,
        server_now: clock.now(cx.now.wall, cx.now.mono),
        body,
    }
}
