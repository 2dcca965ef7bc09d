//! Assistants: what each is told, where its webhooks go, and what can be done with it.

mod call;
mod chat;
mod edit;
mod history;
mod inspector;
mod keys;
mod listen;
mod progress;
mod row;
mod webhooks;

use crate::api::Rows;
use crate::records::{AssistantData, StorageReply, StorageRequest};
use crate::tasks::{Answer, Event};
use crate::ui::action::{FieldStep, Motion};
use crate::ui::held::HeldSend;
use crate::ui::layout;
use crate::ui::options::Place;
use crate::ui::prelude::*;
use crate::ui::route::Route;
use crate::ui::widgets::form::FormEvent;
use chat::Chat;
use edit::{Editor, Writes};
use history::History;
use listen::Listen;
use row::Row;
use webhooks::Webhooks;

/// The name of the pane.
pub const ID: PaneId = PaneId("assistants");
/// The pane in the registry.
pub const PANE: Registration = Registration {
    id: ID,
    title: "Assistants",
    digit: '2',
    bindings: keys::BINDINGS,
    new: |_, _| Box::new(Assistants::default()),
};

/// A list older than this is loaded again when the pane is shown.
const STALE: Duration = Duration::from_secs(60);
/// From this width on the inspector stands beside the list.
const INSPECTOR_FROM: u16 = 96;

/// What is on screen.
#[derive(Debug, Clone, PartialEq, Default)]
enum Front {
    /// The list with the inspector.
    #[default]
    List,
    /// The form of an assistant.
    Edit(Box<Editor>),
    /// Earlier versions of one.
    History(Box<History>),
    /// A test chat.
    Chat,
    /// The webhooks received on this machine.
    Listen,
}

/// The state of the pane.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assistants {
    list: Browser<Rows<Row>>,
    front: Front,
    chat: Chat,
    listen: Listen,
    /// The inspector has the focus.
    inspecting: bool,
    /// Lines of the inspector that are scrolled away.
    scrolled: usize,
    /// What is stored on this machine about the assistants of this server.
    stored: AssistantData,
    /// The base URL of the server that `stored` is about.
    server: String,
    writes: Writes,
    calls: call::Calls,
    /// Switches of webhooks, and what was delivered.
    webhooks: Webhooks,
}

/// The areas of the inspector and, beside it where there is room, of what stands in place of the list.
fn beside(body: Rect) -> [Rect; 2] {
    let [list, inspector] = areas(body, false);
    if inspector.is_empty() { [inspector, list] } else { [list, inspector] }
}

/// The areas of the list with its title, and of the inspector; on a narrow screen the focused one has all.
fn areas(body: Rect, inspecting: bool) -> [Rect; 2] {
    let none = Rect { width: 0, height: 0, ..body };
    if body.width < INSPECTOR_FROM {
        return if inspecting { [none, body] } else { [body, none] };
    }
    let wide = body.width / 2;
    let list = Rect { width: body.width - wide, ..body };
    [list, Rect { x: list.right(), width: wide, ..body }]
}

impl Assistants {
    fn selected(&self) -> Option<&Row> {
        self.list.selected()
    }

    /// Makes the rows of what has come: the full list, or the outbound one where no other can be had.
    fn refresh(&mut self, cx: &Context) {
        let (data, stored) = (&cx.data, &self.stored);
        let rows = match data.all_assistants.value() {
            Some(all) => all.iter().filter_map(|record| Row::new(record, stored, data)).collect::<Vec<_>>(),
            // Not before the full list has failed: its rows have another order, and the selection would jump.
            None => data
                .assistants
                .value()
                .filter(|_| data.all_assistants.is_missing())
                .into_iter()
                .flatten()
                .filter_map(|one| Row::outbound(one, stored, data))
                .collect(),
        };
        self.list.source = rows.into();
        self.list.refresh(&cx.view(), below_first(areas(cx.body, false)[0]));
    }

    fn fetch(&mut self, cx: &mut Context) {
        cx.data.all_assistants.fetch(&mut cx.tasks, cx.now);
        for item in [Item::Assistants, Item::Tools, Item::Knowledgebases] {
            cx.data.fetch(item, &mut cx.tasks, cx.now);
        }
        self.refresh_deliveries(cx);
        self.load(cx);
    }

    /// Loads what is stored about the assistants of this server.
    fn load(&self, cx: &mut Context) {
        if !self.server.is_empty() {
            cx.run(Origin::new(ID.0), StorageRequest::LoadAssistants { server: self.server.clone() });
        }
    }

    fn state<'a>(&'a self, view: &'a View<'_>) -> Option<State<'a>> {
        if !self.list.source.is_empty() {
            return None;
        }
        let (data, what) = (view.data, "The assistants");
        let waiting = if data.all_assistants.is_missing() {
            data.assistants.state(what, view)
        } else {
            data.all_assistants.state(what, view)
        };
        waiting.or_else(|| Some(State::Empty("No assistants".into(), "r looks again.".into())))
    }

    fn scroll(&mut self, motion: Motion, cx: &Context) {
        let area = layout::inspector_text(areas(cx.body, true)[1], cx.body);
        if let Some(row) = self.list.selected() {
            let details = inspector::details(row, self, &cx.view());
            self.scrolled = details.scroll(self.scrolled, motion, &cx.options, area);
        }
    }
}

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
            (false, true) => keys::INSPECTING,
            (false, false) => keys::LISTING,
        }
    }

    fn takes_text(&self) -> bool {
        if let Front::Edit(editor) = &self.front {
            return !editor.aside && editor.form.takes_letters();
        }
        self.scopes().contains(&Scope::TEXT)
    }

    fn disabled(&self, action: Action, view: &View<'_>) -> Option<&'static str> {
        if let Front::Edit(editor) = &self.front {
            return Self::disabled_in_form(editor, action, view);
        }
        if let Some(reason) = self.no_write(action, view) {
            return Some(reason);
        }
        let needs_one = [Action::Open, Action::Copy, Action::CopyAll, Action::Edit, Action::Duplicate, Action::Delete];
        let needs_one = needs_one.contains(&action) || matches!(action, Action::History | Action::Call);
        let none = needs_one && self.selected().is_none();
        let no_uuid = self.selected().is_some_and(|row| row.record.uuid.known().is_none());
        match action {
            Action::Prove if self.selected().is_none() => Some("no assistant is selected"),
            Action::Prove if no_uuid && view.options.place == Place::Sandbox => {
                Some("the server does not tell UUIDs, and a chat needs one")
            }
            _ if self.front == Front::Listen => self.listen.disabled(action),
            _ if none => Some("no assistant is selected"),
            Action::Call => self.selected().and_then(call::cannot_call),
            Action::CopyAll if no_uuid => Some("the server does not tell UUIDs"),
            Action::Chat => self.chat.disabled(self.selected()),
            Action::Editor => Some("this field has one line"),
            _ if matches!(self.front, Front::History(_)) => None,
            _ => self.webhooks_disabled(action),
        }
    }

    fn hint(&self, action: Action) -> Option<&'static str> {
        match action {
            _ if self.front == Front::Listen => self.listen.hint(action),
            Action::Field(FieldStep::Enter) if self.front == Front::Chat => Some("send"),
            Action::Submit | Action::Field(_) if self.front == Front::Chat => Some(""),
            Action::Back if self.webhooks.progress().is_some() => Some("stop the rest"),
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
        } else if let Some((list, area)) = self.list(cx.body) {
            list.text(input, area);
        }
    }

    fn mouse(&mut self, mouse: Mouse, cx: &mut Context) -> Option<Action> {
        match (&self.front, mouse.kind) {
            (Front::Edit(_), MouseKind::Press) => self.with_form(cx, |form| form.click(mouse.x, mouse.y)),
            (Front::Chat, MouseKind::WheelUp) => self.chat.scroll(Motion::Up, beside(cx.body)[1], cx),
            (Front::Chat, MouseKind::WheelDown) => self.chat.scroll(Motion::Down, beside(cx.body)[1], cx),
            _ => {}
        }
        let (list, area) = self.list(cx.body)?;
        list.mouse(mouse, &cx.view(), area)
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
        match &self.front {
            Front::Edit(_) => return self.act_in_form(action, cx),
            Front::History(_) => return self.act_in_history(action, cx),
            Front::List | Front::Chat | Front::Listen => {}
        }
        if self.front == Front::Chat {
            let stays = self.chat.act(action, beside(cx.body)[1], cx);
            self.front = if stays { Front::Chat } else { Front::List };
            return;
        }
        if action == Action::Prove {
            if let Some(row) = self.list.selected() {
                self.front = Front::Listen;
                self.listen.prove(row, &self.server, cx);
            }
            return;
        }
        if self.front == Front::Listen {
            let stays = self.listen.act(action, cx);
            self.front = if stays { Front::Listen } else { Front::List };
            return;
        }
        match action {
            _ if self.webhooks.shows_many() => return self.act_on_many(action, cx),
            Action::Move(motion) if self.inspecting => return self.scroll(motion, cx),
            Action::Back if self.inspecting => self.inspecting = false,
            _ => {}
        }
        let before = self.list.selected().map(|row| row.id);
        let listed = !self.inspecting && self.list.act(action, below_first(areas(cx.body, false)[0]));
        if self.list.selected().map(|row| row.id) != before {
            self.scrolled = 0;
            self.record_version(cx);
        }
        if listed {
            return;
        }
        match action {
            Action::Chat => {
                if let Some(row) = self.list.selected() {
                    self.chat.open(row, cx);
                    self.front = Front::Chat;
                }
            }
            Action::Open => self.inspecting = self.selected().is_some(),
            Action::Refresh => {
                self.fetch(cx);
                self.hurry_calls(cx);
            }
            Action::Call => {
                if let Some(id) = self.selected().map(|row| row.id) {
                    self.open_call(id, cx);
                }
            }
            Action::Create | Action::Edit | Action::Duplicate | Action::Delete => self.act_on_record(action, cx),
            Action::History => self.open_history(cx),
            Action::Copy => {
                if let Some(row) = self.selected() {
                    cx.copy("Id", row.id.to_string());
                }
            }
            Action::CopyAll => {
                if let Some(uuid) = self.selected().and_then(|row| row.record.uuid.known().cloned()) {
                    cx.copy("UUID", uuid);
                }
            }
            action => self.act_on_webhooks(action, cx),
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
            OverlayEvent::Changed(listen::TUNNEL) => self.listen.warn(cx),
            _ => {
                self.edit_overlay(event, cx);
                self.webhooks_overlay(event, cx);
                self.call_overlay(event, cx);
            }
        }
    }

    fn route(&mut self, route: Route, cx: &mut Context) {
        if route == Route::Listen {
            self.put_form_aside(cx);
            self.front = Front::Listen;
            self.listen.open(cx);
        }
    }

    fn data_changed(&mut self, cx: &mut Context) {
        self.refresh(cx);
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
        let draft = if let Front::Edit(editor) = &self.front { editor.next_change() } else { None };
        let minute = view.now.mono + crate::ui::ages::until_next_minute(view.now.wall);
        let polls = [self.next_deliveries(), self.calls.next_change()].into_iter().flatten();
        let polls = polls.filter(|_| view.unconnected().is_none());
        let due = [draft, self.listen.next_change()].into_iter().flatten().chain(polls);
        rows.into_iter().chain(Some(minute)).filter(|_| view.shown).chain(due).min()
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
            inspector::details(row, self, view).draw(self.scrolled, view, inner, buffer);
        }
        caret
    }
}
