//! The pane as the app sees it: what each key, reply and frame means by what is on screen.

use super::{Assistants, Front, STALE, areas, beside, call, inspector, keys, listen, uses};
use crate::records::StorageReply;
use crate::tasks::{Answer, Event};
use crate::ui::action::FieldStep;
use crate::ui::ages::until_next_minute;
use crate::ui::held::HeldSend;
use crate::ui::layout;
use crate::ui::options::Place;
use crate::ui::prelude::*;
use crate::ui::route::Route;
use crate::ui::widgets::form::FormEvent;

impl Pane for Assistants {
    fn scopes(&self) -> &'static [Scope] {
        match &self.front {
            Front::Edit(editor) => return keys::editing(editor),
            Front::History(history) => return keys::history(history),
            Front::Chat => return keys::CHATTING,
            Front::Listen => return self.listen.scopes(),
            Front::List => {}
        }
        match (self.list.narrowing, self.inspecting) {
            _ if self.webhooks.shows_many() => keys::SWITCHING,
            (true, _) => NARROWING,
            (false, true) if self.reader.is_typing() => SEARCHING,
            (false, true) => keys::INSPECTING,
            (false, false) => keys::LISTING,
        }
    }

    fn takes_text(&self) -> bool {
        if let Front::Edit(editor) = &self.front {
            return !editor.kit.aside && editor.kit.form.takes_letters();
        }
        self.scopes().contains(&Scope::TEXT)
    }

    fn disabled(&self, action: Action, view: &View<'_>) -> Option<&'static str> {
        match &self.front {
            Front::Edit(editor) => Self::disabled_in_form(editor, action, view),
            Front::Chat => self.chat.cannot(action),
            Front::Listen if action != Action::Prove => self.listen.disabled(action),
            Front::History(history) => history.reader.disabled(action),
            Front::List | Front::Listen => self.disabled_in_list(action, view),
        }
    }

    fn hint(&self, action: Action) -> Option<&'static str> {
        match (&self.front, action) {
            (Front::Listen, _) => self.listen.hint(action),
            (Front::Chat, Action::Field(FieldStep::Enter)) => Some("send"),
            (Front::Chat, Action::Submit | Action::Field(_)) => Some(""),
            (_, Action::Back) if self.webhooks.progress().is_some() => Some("stop the rest"),
            _ => None,
        }
    }

    fn list(&mut self, body: Rect) -> Option<(&mut dyn List, Rect)> {
        let area = below_first(areas(body, false)[0]);
        match &mut self.front {
            Front::List if self.webhooks.shows_many() => None,
            Front::List => Some((&mut self.list, area)),
            Front::History(history) => Some((&mut history.list, area)),
            Front::Listen => Some(self.listen.list()),
            Front::Edit(_) | Front::Chat => None,
        }
    }

    fn text(&mut self, input: &Input, cx: &mut Context) {
        self.with_form(cx, |form| form.text(input));
        if self.front == Front::Chat {
            self.chat.text(input);
        } else if let Front::History(history) = &mut self.front
            && history.reader.is_typing()
        {
            history.text(input, cx);
        } else if self.scopes() == SEARCHING
            && let Some((details, area)) = self.read_details(cx)
        {
            self.reader.text(input, &details, &cx.options, area);
        } else if let Some((list, area)) = self.list(cx.body) {
            list.text(input, area);
        }
        self.history_changed(cx);
    }

    fn mouse(&mut self, mouse: Mouse, cx: &mut Context) -> Option<Action> {
        match (&self.front, mouse.kind) {
            (Front::Edit(_), MouseKind::Press) => self.with_form(cx, |form| form.click(mouse.x, mouse.y)),
            (Front::Chat, MouseKind::WheelUp) => self.chat.scroll(Motion::Up, beside(cx.body)[1], cx),
            (Front::Chat, MouseKind::WheelDown) => self.chat.scroll(Motion::Down, beside(cx.body)[1], cx),
            _ => {}
        }
        let (list, area) = self.list(cx.body)?;
        let action = list.mouse(mouse, &cx.view(), area);
        self.history_changed(cx);
        if self.follow_selection(cx) {
            self.record_version(cx);
        }
        action
    }

    fn edited(&mut self, text: &str, cx: &mut Context) {
        self.with_form(cx, |form| {
            let path = form.focused().to_owned();
            form.set(&path, text);
            FormEvent::Changed
        });
    }

    fn tick(&mut self, cx: &mut Context) {
        if let Front::Edit(editor) = &mut self.front {
            editor.save_draft(false, cx);
        }
        self.poll_deliveries(cx);
        self.follow_selection(cx);
        self.today.tick(cx);
        self.listen.tick(cx);
        self.follow_calls(cx);
    }

    fn put_aside(&mut self, cx: &mut Context) {
        self.put_form_aside(cx);
    }

    fn show(&mut self, shown: bool, cx: &mut Context) {
        self.webhooks_shown(shown, cx);
        if !shown {
            return self.put_form_aside(cx);
        }
        let loaded = cx.data.all_assistants.freshness().loaded;
        if loaded.is_some_and(|loaded| cx.now.mono > loaded.mono + STALE) {
            cx.data.all_assistants.fetch(&mut cx.tasks, cx.now);
        }
        cx.data.all_assistants.want(&mut cx.tasks, cx.now);
        let items = [Item::Assistants, Item::Voices, Item::Languages, Item::Synthesizers, Item::Transcribers];
        let models = [Item::LanguageModels, Item::MultimodalModels, Item::Tools, Item::Knowledgebases];
        for item in items.into_iter().chain(models) {
            cx.data.want(item, &mut cx.tasks, cx.now);
        }
        self.refresh(cx);
    }

    fn act(&mut self, action: Action, cx: &mut Context) {
        let stays = match &self.front {
            Front::Edit(_) => return self.act_in_form(action, cx),
            Front::History(_) => return self.act_in_history(action, cx),
            Front::List if self.webhooks.shows_many() => return self.act_on_many(action, cx),
            Front::Chat => self.chat.act(action, beside(cx.body)[1], cx),
            Front::Listen if action != Action::Prove => self.listen.act(action, cx),
            Front::List | Front::Listen => return self.act_in_list(action, cx),
        };
        if !stays {
            let opener = if self.front == Front::Chat { self.chat.opener.take() } else { None };
            self.front = Front::List;
            if let Some(opener) = opener {
                cx.go(Route::Pane(opener));
            }
        }
    }

    fn depart(&mut self, held: HeldSend, cx: &mut Context) {
        self.make_call(held, cx);
    }

    fn resize(&mut self, cx: &mut Context) {
        self.refresh(cx);
        self.listen.refresh(cx);
    }

    fn reply(&mut self, report: Report, cx: &mut Context) {
        let report = self.chat.reply(report, cx).and_then(|report| self.listen.reply(report, cx));
        let report = report.and_then(|report| self.today.reply(report, cx.now));
        let report = report.and_then(|report| self.call_reply(report, cx));
        let report = report.and_then(|report| self.edit_reply(report, cx));
        let Some(report) = report.and_then(|report| self.history_reply(report, cx)) else { return };
        if let Some(report) = self.webhooks_reply(report, cx)
            && let Ok(Answer::Stored(StorageReply::AssistantData(stored))) = report.result
        {
            self.stored = *stored;
        }
        self.refresh(cx);
        self.webhooks_changed(cx);
    }

    fn hear(&mut self, event: &Event, cx: &mut Context) {
        if let Event::Connected { base_url, .. } = event {
            base_url.trim_end_matches('/').clone_into(&mut self.server);
            self.calls.reconnected();
            self.load(cx);
        }
        self.listen.hear(event, cx);
    }

    fn overlay(&mut self, event: OverlayEvent, cx: &mut Context) {
        match event {
            OverlayEvent::Submitted(name @ (listen::START | listen::TUNNEL)) => {
                self.listen.submit(name, self.list.selected(), &self.server, cx);
            }
            OverlayEvent::Submitted(uses::FORM) => self.submit_use(cx),
            OverlayEvent::Changed(listen::TUNNEL) => self.listen.warn(cx),
            _ => {
                self.edit_overlay(event, cx);
                self.webhooks_overlay(event, cx);
                self.call_overlay(event, cx);
            }
        }
    }

    fn route(&mut self, route: Route, cx: &mut Context) {
        match route {
            Route::Listen => {
                self.put_form_aside(cx);
                self.front = Front::Listen;
                self.listen.open(cx);
            }
            Route::Chat(with) => {
                self.put_form_aside(cx);
                self.front = Front::Chat;
                self.chat.begin(with, Some(cx.previous), cx);
                self.refresh(cx);
            }
            _ => {}
        }
    }

    fn data_changed(&mut self, cx: &mut Context) {
        self.refresh(cx);
        self.history_changed(cx);
        self.read_again(cx);
        self.record_version(cx);
        self.webhooks_changed(cx);
    }

    fn progress(&self) -> Option<String> {
        self.webhooks.progress().or_else(|| self.listen.progress())
    }

    fn interrupts(&self) -> Option<&'static str> {
        let switching = "Webhooks are being switched one after the other: q again quits";
        self.calls.interrupts().or_else(|| self.webhooks.progress().map(|_| switching))
    }

    fn next_change(&self, view: &View<'_>) -> Option<Instant> {
        let rows = self.list.next_change(self.state(view), view, below_first(areas(view.body, false)[0]));
        let draft = if let Front::Edit(editor) = &self.front { editor.kit.draft.next_change() } else { None };
        let minute = view.now.mono + until_next_minute(view.now.wall);
        let polls = [self.next_deliveries(), self.calls.next_change()].into_iter().flatten();
        let polls = polls.filter(|_| view.unconnected().is_none());
        let today = self.today.next_change().filter(|_| view.unconnected().is_none());
        let due = [draft, self.listen.next_change()].into_iter().flatten().chain(polls);
        rows.into_iter().chain(Some(minute)).chain(today).filter(|_| view.shown).chain(due).min()
    }

    fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        match &self.front {
            Front::Edit(editor) => return editor.draw(view, buffer),
            Front::History(history) => return history.draw(view, buffer),
            Front::List if self.webhooks.shows_many() => {
                self.draw_many(view, buffer);
                return None;
            }
            Front::Listen => return self.listen.draw(view, buffer),
            Front::List | Front::Chat => {}
        }
        let chatting = self.front == Front::Chat;
        let [left, right] = if chatting { beside(view.body) } else { areas(view.body, self.inspecting) };
        let (list, inspector) = if chatting { (right, left) } else { (left, right) };
        let full = view.data.all_assistants.value().is_some();
        let title = if full || self.list.source.is_empty() { "ASSISTANTS" } else { "OUTBOUND ASSISTANTS" };
        let caret = if chatting {
            self.chat.draw(view, list, buffer)
        } else if list.is_empty() {
            None
        } else {
            self.list.draw_titled((title, !self.inspecting), self.state(view), view, list, buffer)
        };
        if !left.is_empty() && !right.is_empty() {
            let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
            let style = if chatting || self.inspecting { theme.accent } else { theme.dim };
            column(buffer, Rect { width: 1, ..right }, glyphs.vertical, style);
        }
        if let Some(row) = self.selected().filter(|_| !inspector.is_empty()) {
            let inner = layout::inspector_text(inspector, view.body);
            let details = inspector::details(row, self, view);
            return self.reader.draw(&details, view, inner, buffer).or(caret);
        }
        caret
    }
}

impl Assistants {
    /// Why an action cannot be done with the selected assistant.
    fn disabled_in_list(&self, action: Action, view: &View<'_>) -> Option<&'static str> {
        if let Some(reason) = self.no_write(action, view) {
            return Some(reason);
        }
        if let Some(reason) = self.reader.disabled(action) {
            return Some(reason);
        }
        let row = self.selected();
        let no_uuid = row.is_some_and(|row| row.record.uuid.known().is_none());
        match action {
            Action::Open | Action::Copy | Action::CopyAll | Action::Edit | Action::Duplicate | Action::Delete
                if row.is_none() =>
            {
                Some("no assistant is selected")
            }
            Action::History | Action::Call | Action::Prove if row.is_none() => Some("no assistant is selected"),
            Action::Prove if no_uuid && view.options.place == Place::Sandbox => {
                Some("the server does not tell UUIDs, and a chat needs one")
            }
            Action::Call => row.and_then(call::cannot_call),
            Action::CopyAll if no_uuid => Some("the server does not tell UUIDs"),
            Action::Chat => self.chat.disabled(row),
            Action::Follow => row.and_then(|row| uses::disabled(row, view.data)),
            _ => self.webhooks_disabled(action),
        }
    }

    fn act_in_list(&mut self, action: Action, cx: &mut Context) {
        match action {
            _ if self.inspecting && self.read(action, cx) => return,
            Action::Back if self.inspecting => self.inspecting = false,
            _ => {}
        }
        let listed = !self.inspecting && self.list.act(action, below_first(areas(cx.body, false)[0]));
        if self.follow_selection(cx) {
            self.record_version(cx);
        }
        if listed {
            return;
        }
        match (action, self.list.selected()) {
            (Action::Prove, Some(row)) => {
                self.front = Front::Listen;
                self.listen.prove(row, &self.server, cx);
            }
            (Action::Chat, Some(row)) => {
                self.chat.open(row, cx);
                self.front = Front::Chat;
            }
            (Action::Open, row) => self.inspecting = row.is_some(),
            (Action::Refresh, _) => {
                self.fetch(cx);
                self.hurry_calls(cx);
            }
            (Action::Call, Some(row)) => self.open_call(row.id, cx),
            (Action::Create | Action::Edit | Action::Duplicate | Action::Delete, _) => self.act_on_record(action, cx),
            (Action::History, _) => self.open_history(cx),
            (Action::Follow, _) => self.follow_uses(cx),
            (Action::Copy, Some(row)) => cx.copy("Id", row.id.to_string()),
            (Action::CopyAll, Some(row)) => cx.copy("UUID", row.record.uuid.known().cloned()),
            (action, _) => self.act_on_webhooks(action, cx),
        }
    }
}
