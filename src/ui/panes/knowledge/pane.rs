//! What the pane does with keys, replies and time.

use super::draw::{areas, details_text};
use super::write::Writing;
use super::{Knowledge, Part, STALE, draw, keys};
use crate::api::Knowledgebase;
use crate::tasks::Event;
use crate::ui::attachments::{self, Kind};
use crate::ui::by_number::ByNumber;
use crate::ui::prelude::*;
use crate::ui::route::Route;
use crate::ui::widgets::form::FormEvent;

impl Knowledge {
    fn act_on_details(&mut self, action: Action, cx: &mut Context) -> bool {
        match action {
            Action::Move(motion) => {
                let area = details_text(cx.body, true);
                self.scrolled = self.details(&cx.view()).scroll(self.scrolled, motion, &cx.options, area);
            }
            Action::Back => self.reading = false,
            _ => return false,
        }
        true
    }

    /// Lets the list with the focus take an action.
    fn act_on_list(&mut self, action: Action, cx: &mut Context) -> bool {
        let [bases, documents, _] = areas(cx.body, self.focus, false);
        let taken = match self.focus {
            Part::Knowledgebases => self.bases.act(action, below_first(bases)),
            Part::Documents => self.documents.act(action, below_first(documents)),
        };
        if taken {
            self.scrolled = 0;
            self.follow(cx);
        }
        taken
    }

    fn focus(&mut self, part: Part, cx: &mut Context) {
        (self.focus, self.scrolled) = (part, 0);
        self.look(cx);
        self.refresh(cx);
    }

    fn is_narrowing(&self) -> bool {
        match self.focus {
            Part::Knowledgebases => self.bases.narrowing,
            Part::Documents => self.documents.narrowing,
        }
    }

    /// The id of what is selected in the part with the focus.
    fn id(&self) -> Option<i64> {
        match self.focus {
            Part::Knowledgebases => self.base().map(Record::id),
            Part::Documents => self.documents.selected().map(Record::id),
        }
    }
}

impl Pane for Knowledge {
    fn scopes(&self) -> &'static [Scope] {
        if let Some(writing) = &self.form {
            return keys::writing(writing);
        }
        match self.focus {
            _ if self.uploads.is_shown() => self.uploads.scopes().unwrap_or(keys::LISTING),
            _ if self.reading => keys::READING,
            _ if self.is_narrowing() => NARROWING,
            Part::Knowledgebases => keys::LISTING,
            Part::Documents => keys::DOCUMENTING,
        }
    }

    fn takes_text(&self) -> bool {
        let typing = |writing: &Writing| !writing.editor.aside && writing.editor.form.takes_letters();
        self.form.as_deref().map_or_else(|| self.scopes().contains(&Scope::TEXT), typing)
    }

    fn disabled(&self, action: Action, view: &View<'_>) -> Option<&'static str> {
        if self.uploads.is_shown() {
            return self.uploads.disabled(action, view);
        }
        if let Some(writing) = &self.form {
            return writing.editor.disabled(action, view);
        }
        if let Some(reason) = self.no_write(action) {
            return Some(reason);
        }
        let none = match self.focus {
            Part::Knowledgebases => "no knowledgebase is selected",
            Part::Documents => "no document is selected",
        };
        let listed = view.data.knowledgebases.is_offered();
        match action {
            Action::Open if self.base().is_none() => Some("no knowledgebase is selected"),
            Action::Attach | Action::Detach => match self.base() {
                None => Some(none),
                Some(base) => self.attachments.disabled(action == Action::Attach, Kind::Knowledgebase, base.id(), view),
            },
            Action::Upload if self.selected.is_none() => Some("no knowledgebase is selected"),
            Action::Upload if view.unconnected().is_some() => Some("there is no server"),
            Action::Add | Action::Remove if listed => Some("this server lists its knowledgebases"),
            Action::Edit | Action::Delete | Action::Copy | Action::ToggleRaw | Action::Remove
                if self.id().is_none() =>
            {
                Some(none)
            }
            _ => None,
        }
    }

    fn list(&mut self, body: Rect) -> Option<(&mut dyn List, Rect)> {
        if self.uploads.is_shown() {
            return self.uploads.list(body);
        }
        let [bases, documents, _] = areas(body, self.focus, false);
        match self.focus {
            _ if self.reading || self.form.is_some() => None,
            Part::Knowledgebases => Some((&mut self.bases, below_first(bases))),
            Part::Documents => Some((&mut self.documents, below_first(documents))),
        }
    }

    fn hint(&self, action: Action) -> Option<&'static str> {
        self.uploads.hint(action)
    }

    fn text(&mut self, input: &Input, cx: &mut Context) {
        self.with_form(cx, |form| form.text(input));
        if let Some((list, area)) = self.list(cx.body) {
            list.text(input, area);
        }
        self.follow(cx);
    }

    fn mouse(&mut self, mouse: Mouse, cx: &mut Context) -> Option<Action> {
        if self.uploads.is_shown() {
            let (list, area) = self.uploads.list(cx.body)?;
            return list.mouse(mouse, &cx.view(), area);
        }
        if self.form.is_some() {
            if mouse.kind == MouseKind::Press {
                self.with_form(cx, |form| form.click(mouse.x, mouse.y));
            }
            return None;
        }
        let at = Position { x: mouse.x, y: mouse.y };
        let [bases, documents, _] = areas(cx.body, self.focus, self.reading);
        let part = [(Part::Knowledgebases, bases), (Part::Documents, documents)];
        if let Some((part, _)) = part.into_iter().find(|(part, area)| area.contains(at) && *part != self.focus) {
            self.focus(part, cx);
        }
        let (list, area) = self.list(cx.body)?;
        let action = list.mouse(mouse, &cx.view(), area);
        self.follow(cx);
        match (action, self.focus) {
            (Some(Action::Open), Part::Documents) => Some(Action::ToggleRaw),
            (action, _) => action,
        }
    }

    fn show(&mut self, shown: bool, cx: &mut Context) {
        if !shown {
            return self.put_aside(cx);
        }
        self.visited = true;
        let loaded = cx.data.knowledgebases.freshness().loaded;
        if loaded.is_some_and(|loaded| cx.now.mono > loaded.mono + STALE) {
            cx.data.fetch(Item::Knowledgebases, &mut cx.tasks, cx.now);
        }
        cx.data.want(Item::Knowledgebases, &mut cx.tasks, cx.now);
        cx.data.all_assistants.want(&mut cx.tasks, cx.now);
        self.refresh(cx);
        self.watch(cx);
        self.look(cx);
    }

    fn route(&mut self, route: Route, cx: &mut Context) {
        self.uploads.hide();
        if let Route::Knowledgebase(id) = route {
            (self.focus, self.reading, self.wanted) = (Part::Knowledgebases, false, Some(id));
            if !cx.data.knowledgebases.is_offered() {
                self.known.list(id, None, cx);
            }
            self.refresh(cx);
        }
    }

    fn act(&mut self, action: Action, cx: &mut Context) {
        if self.uploads.is_shown() {
            self.uploads.act(action, cx);
            if let Some(id) = self.uploads.wanted.take() {
                (self.wanted, self.focus) = (Some(id), Part::Documents);
                self.refresh(cx);
                self.look(cx);
            }
            return;
        }
        if self.form.is_some() {
            return self.act_in_form(action, cx);
        }
        if self.reading && self.act_on_details(action, cx) || self.act_on_list(action, cx) {
            return;
        }
        match action {
            Action::Open => self.focus(Part::Documents, cx),
            Action::Back if self.focus == Part::Documents => self.focus(Part::Knowledgebases, cx),
            Action::ToggleRaw => (self.reading, self.scrolled) = (true, 0),
            Action::Refresh => self.fetch(cx),
            Action::Uploads => self.uploads.open_queue(cx),
            Action::Upload => {
                if let Some(id) = self.selected {
                    self.uploads.open((id, self.base_name(id)), cx);
                }
            }
            Action::Create | Action::Edit => self.open_form(action, cx),
            Action::Delete => self.confirm_delete(cx),
            Action::Add => ByNumber::<Knowledgebase>::open(cx),
            Action::Remove => {
                if let Some(id) = self.base().map(Record::id) {
                    cx.toast(format!("{} is no longer listed; the server still has it", self.base_name(id)));
                    self.remove_number(id, cx);
                }
            }
            Action::Attach | Action::Detach => {
                if let Some(id) = self.base().map(Record::id) {
                    let part = attachments::Part { kind: Kind::Knowledgebase, id, name: self.base_name(id) };
                    self.attachments.open(part, action == Action::Attach, cx);
                }
            }
            Action::Copy => cx.copy("Id", self.id().map(|id| id.to_string())),
            _ => {}
        }
    }

    fn overlay(&mut self, event: OverlayEvent, cx: &mut Context) {
        let taken = self.uploads.overlay(event, cx)
            || self.attachments.overlay(event, cx)
            || self.form_overlay(event, cx)
            || self.delete_overlay(event, cx);
        if !taken {
            self.known.overlay(event, cx);
        }
    }

    fn reply(&mut self, report: Report, cx: &mut Context) {
        let report = self.attachments.reply(report, cx).and_then(|report| self.known.reply(report, cx));
        self.wanted = self.known.take_added().or(self.wanted);
        let report = report.and_then(|report| self.uploads.reply(report, cx));
        let report = report.and_then(|report| self.form_reply(report, cx));
        let report = report.and_then(|report| self.delete_reply(report, cx));
        for id in self.uploads.take_created(cx.now) {
            self.loaded.fetch(id, cx);
        }
        let Some(report) = report else { return self.refresh(cx) };
        let mut came = None;
        let report = self.loaded.reply(report, &mut came, cx.now);
        if let Some(came) = came {
            self.documents_came(came, cx);
        }
        // A reply that nobody awaits any more is dropped.
        drop(report);
        self.refresh(cx);
    }

    fn hear(&mut self, event: &Event, cx: &mut Context) {
        self.uploads.hear(event, cx);
    }

    fn data_changed(&mut self, cx: &mut Context) {
        self.attachments.data_changed(cx);
        self.refresh(cx);
        self.bases_listed(cx);
        if self.visited {
            self.watch(cx);
        }
    }

    fn edited(&mut self, text: &str, cx: &mut Context) {
        self.with_form(cx, |form| {
            let path = form.focused().to_owned();
            form.set(&path, text);
            FormEvent::Changed
        });
    }

    fn put_aside(&mut self, cx: &mut Context) {
        if let Some(writing) = &mut self.form {
            writing.save_draft(true, cx);
        }
    }

    fn tick(&mut self, cx: &mut Context) {
        if let Some(writing) = &mut self.form {
            writing.save_draft(false, cx);
        }
        self.rest(cx);
        self.loaded.tick(cx);
    }

    fn next_change(&self, view: &View<'_>) -> Option<Instant> {
        let [bases, documents, _] = areas(view.body, self.focus, self.reading);
        let rows = [
            self.bases.next_change(self.bases_state(view), view, below_first(bases)),
            self.documents.next_change(self.documents_state(view), view, below_first(documents)),
            self.rests_until.filter(|_| self.visited),
            self.form.as_ref().and_then(|writing| writing.editor.draft.next_change()),
        ];
        let poll = self.loaded.next_change().filter(|_| view.unconnected().is_none());
        rows.into_iter().flatten().chain(poll).min()
    }

    fn resize(&mut self, cx: &mut Context) {
        self.refresh(cx);
        self.uploads.refresh(cx);
    }

    fn progress(&self) -> Option<String> {
        self.uploads.progress()
    }

    fn interrupts(&self) -> Option<&'static str> {
        self.uploads.interrupts()
    }

    fn freshness(&self) -> Option<Freshness<'_>> {
        self.selected.and_then(|id| self.loaded.of(id)).map(Remote::freshness)
    }

    fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        if self.uploads.is_shown() {
            return self.uploads.draw(view, buffer);
        }
        if let Some(writing) = &self.form {
            let discard = view.key(keys::FORMS, Action::Remove, " discards it");
            return writing.editor.draw(&writing.details(view), &discard, view, buffer);
        }
        draw::draw(self, view, buffer)
    }
}
