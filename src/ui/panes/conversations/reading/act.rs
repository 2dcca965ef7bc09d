//! What keys do in the conversation that is read.

use super::super::{Conversations, areas};
use super::{Around, Aspect, export, facts};
use crate::api::Conversation;
use crate::records::{StorageReply, StorageRequest};
use crate::tasks::Answer;
use crate::ui::layout;
use crate::ui::prelude::*;
use crate::ui::widgets::json;
use crate::ui::widgets::transcript::has_calls;

/// The form that asks to which of the customer's conversations to go.
pub const OTHERS: &str = "others";
const TO: &str = "to";

impl Conversations {
    /// Where what is read is drawn in this body of the pane: its text, in parts.
    pub(in super::super) fn reading_areas(&self, body: Rect, data: &Data) -> areas::ReadingAreas {
        let inner = layout::inspector_text(areas::of(body, self.inspecting).inspector, body);
        areas::reading(inner, self.foot(inner.width, data))
    }

    /// Where the messages are drawn in this body of the pane; `None` where they are not.
    fn messages_area(&self, body: Rect, data: &Data) -> Option<Rect> {
        let has_room = areas::of(body, self.inspecting).inspector.width > 0;
        has_room.then(|| self.reading_areas(body, data).body)
    }

    /// The row of the conversation on screen; the selected one where that is not known.
    pub(in super::super) fn shown_row(&self) -> Option<&Conversation> {
        if let Some(row) = self.replies.row() {
            return Some(row);
        }
        self.reading.shown().and_then(|id| self.listed(id)).or_else(|| self.selected())
    }

    /// A conversation as the page has it now.
    pub(in super::super) fn listed(&self, id: &str) -> Option<&Conversation> {
        let rows = self.paged.list.source.rows().iter().map(|row| &row.data);
        rows.into_iter().find(|row| row.id.known().is_some_and(|known| known == id))
    }

    /// The list around the selected row, and where the messages are drawn in this body of the pane.
    pub(in super::super) fn around(&self, body: Rect, data: &Data) -> Around<'_> {
        Around::new(&self.paged.list, self.replies.row(), self.messages_area(body, data), self.inspecting)
    }

    /// Lets the conversation beside the list follow whatever has changed.
    pub(in super::super) fn sync(&mut self, cx: &mut Context) {
        self.follow_line(cx);
        let body = self.messages_area(cx.body, &cx.data);
        let around = Around::new(&self.paged.list, self.replies.row(), body, self.inspecting);
        self.reading.sync(&around, cx);
    }

    /// Opens the selected conversation: it is fetched at once.
    pub(in super::super) fn open_reading(&mut self, cx: &mut Context) {
        let body = self.messages_area(cx.body, &cx.data);
        let around = Around::new(&self.paged.list, self.replies.row(), body, self.inspecting);
        self.reading.open(&around, cx);
    }

    /// Why an action cannot be done in the conversation that is read, to be read after "Not now: ".
    pub(in super::super) fn disabled_reading(&self, action: Action) -> Option<&'static str> {
        let reading = &self.reading;
        let is_transcript = reading.shown_aspect() == Aspect::Transcript;
        let talk = reading.talk();
        let unread = Some("the messages are not loaded");
        match action {
            Action::NextMatch | Action::PreviousMatch if is_transcript => reading.transcript.search.disabled(action),
            Action::NextMatch | Action::PreviousMatch => reading.reader.disabled(action),
            Action::ToggleCalls if !is_transcript => Some("only the transcript has tool calls"),
            Action::ToggleCalls if !talk.is_some_and(|talk| talk.messages().iter().any(has_calls)) => {
                Some("no tool was called")
            }
            Action::Copy | Action::CopyAll if self.inspecting && is_transcript && talk.is_none() => unread,
            Action::Export if talk.is_none() => unread,
            Action::Follow if self.others().is_empty() => Some("no other conversation of the customer is loaded"),
            _ => None,
        }
    }

    /// Does an action of the conversation that is read; false where it is none.
    pub(in super::super) fn act_reading(&mut self, action: Action, cx: &mut Context) -> bool {
        let parts = self.reading_areas(cx.body, &cx.data);
        let is_transcript = self.reading.shown_aspect() == Aspect::Transcript;
        match action {
            Action::Copy if is_transcript => {
                let talk = self.reading.talk();
                let at = talk.map(|talk| self.reading.transcript.selected_at(talk.messages().len()));
                let message = talk.zip(at).and_then(|(talk, at)| talk.messages().get(at)).and_then(export::message);
                cx.copy("Message", message);
            }
            Action::CopyAll if is_transcript => cx.copy("Transcript", self.reading.talk().map(export::text)),
            Action::CopyAll => {
                let json = self.shown_row().and_then(|row| facts::whole_json(row, self.talk_of(row)).ok());
                cx.copy("JSON", json.map(|json| json::pretty(&json)));
            }
            Action::NextRecord | Action::PreviousRecord => {
                let motion = if action == Action::NextRecord { Motion::Down } else { Motion::Up };
                self.paged.list.act(Action::Move(motion), areas::table(cx.body));
            }
            action if is_transcript => {
                let Some(talk) = self.reading.talk().cloned() else { return false };
                return self.reading.transcript.act(action, talk.messages(), &cx.options, parts.body);
            }
            action => {
                let area = parts.all_but_foot();
                let Some(details) = self.details(&cx.view(), area.width) else { return false };
                return self.reading.reader.act(action, &details, &cx.options, area);
            }
        }
        true
    }

    /// Takes a typed character or a paste of a search.
    pub(in super::super) fn type_search(&mut self, input: &Input, cx: &Context) {
        let parts = self.reading_areas(cx.body, &cx.data);
        let area = parts.all_but_foot();
        if self.reading.shown_aspect() == Aspect::Transcript {
            if let Some(talk) = self.reading.talk().cloned() {
                self.reading.transcript.text(input, talk.messages(), &cx.options, parts.body);
            }
        } else if let Some(details) = self.details(&cx.view(), area.width) {
            self.reading.reader.text(input, &details, &cx.options, area);
        }
    }

    /// True while a search is typed.
    pub(in super::super) fn is_searching(&self) -> bool {
        let reading = &self.reading;
        let is_transcript = reading.shown_aspect() == Aspect::Transcript;
        if is_transcript { reading.transcript.search.typing } else { reading.reader.is_typing() }
    }

    fn talk_of(&self, row: &Conversation) -> Option<&super::Talk> {
        self.reading.talk().filter(|talk| row.id.known() == Some(&talk.id))
    }

    /// Facts or JSON of the conversation on screen.
    fn details(&self, view: &View<'_>, columns: u16) -> Option<Details> {
        let row = self.shown_row()?;
        Some(self.reading.details(row, self.paged.list.source.loaded().collect(), view, columns))
    }

    // Ways to the customer's other conversations.

    fn others(&self) -> Vec<&super::Row> {
        self.shown_row().map(|row| facts::others(row, self.paged.list.source.loaded())).unwrap_or_default()
    }

    /// Goes to the customer's other conversation, or asks to which.
    pub(in super::super) fn follow_others(&mut self, cx: &mut Context) {
        let others = self.others();
        if let [only] = &others[..] {
            let id = only.id();
            return self.go_to(id, cx);
        }
        let items = others.iter().map(|row| Value::new(row.id(), facts::other(&row.data, &cx.view()))).collect();
        let first = others.first().map(|row| row.id()).unwrap_or_default();
        let form = Form::new(vec![FormField::picker(TO, "To", items, first).required()]);
        cx.open(OTHERS, FormDialog::new("Other conversations of the customer", "go", form.quick()));
    }

    /// One of them was chosen.
    pub(in super::super) fn submit_other(&mut self, cx: &mut Context) {
        if let Some(id) = cx.overlays.submit(OTHERS, |form| Ok(form.text_of(TO).to_owned())) {
            self.go_to(id, cx);
        }
    }

    /// Selects a loaded conversation, on whatever page it is.
    pub(in super::super) fn go_to(&mut self, id: String, cx: &mut Context) {
        if let Some(query) = self.paged.list.source.page_of(&id).cloned()
            && query != self.paged.query
        {
            self.paged.turn_to(query, cx);
        }
        self.paged.list.state.select(id, crate::ui::widgets::table::height(areas::table(cx.body)));
        self.arrange(cx);
    }

    // The file.

    /// Asks for a file.
    pub(in super::super) fn open_export(&self, cx: &mut Context) {
        if let Some(row) = self.shown_row() {
            cx.open(export::FORM, export::form(row));
        }
    }

    /// Writes the file. The form stays until it is written.
    pub(in super::super) fn submit_export(&mut self, cx: &mut Context) {
        let (Some(row), Some(talk)) = (self.shown_row(), self.reading.talk()) else { return };
        let Some(form) = cx.overlays.form(export::FORM).filter(|_| self.reading.writing.is_none()) else { return };
        match export::read(form, row, talk) {
            Err(faults) => drop(form.set_refused(faults)),
            Ok((path, text)) => {
                let id = cx.run(Origin::new(super::ID.0), StorageRequest::WriteFile { path, text });
                self.reading.writing = Some(id);
            }
        }
    }
}

impl super::Reading {
    /// The file is written, or could not be.
    pub(super) fn written(&mut self, report: Report, cx: &mut Context) {
        self.writing = None;
        match report.result {
            Ok(Answer::Stored(StorageReply::Written(path))) => {
                cx.overlays.close(export::FORM);
                cx.toast(format!("Written to {}", clean(&path.display().to_string())));
            }
            Ok(_) => {}
            Err(failure) => cx.write_failed(export::FORM, "file", "written", &failure),
        }
    }
}
