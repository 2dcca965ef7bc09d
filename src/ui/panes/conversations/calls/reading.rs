//! The call beside the list: what was said, its facts, its JSON.

use super::super::areas;
use super::super::pages::Listed as _;
use super::super::reading::{Aspect, frame, who_line};
use super::rows::Row;
use super::{Calls, facts, format};
use crate::api::call::Utterance;
use crate::api::{Call, Field, HistoryMessage};
use crate::ui::layout;
use crate::ui::prelude::*;
use crate::ui::widgets::transcript::{Margin, Transcript};
use crate::ui::widgets::{json, put_cut};

/// The call on screen.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// What a person wants to see.
    aspect: Aspect,
    /// Its id; empty where none is on screen.
    id: String,
    /// What was said as the server told it, and as messages.
    told: Field<Vec<Utterance>>,
    messages: Vec<HistoryMessage>,
    pub transcript: Transcript,
    pub reader: Reader,
}

impl Reading {
    /// Another call may be on screen, or more may have been said.
    pub fn show(&mut self, call: Option<&Call>) {
        let id = call.map(Call::id).unwrap_or_default();
        let is_other = self.id != id;
        if is_other {
            self.id = id;
            self.transcript.reset();
            self.reader.rewind();
        }
        let told = call.map_or(&Field::Missing, |call| &call.transcript);
        if !is_other && *told == self.told {
            return;
        }
        self.told = told.clone();
        let (before, messages) = (self.messages.len(), call.map(facts::messages).unwrap_or_default());
        self.transcript.marks.times = call.map(facts::times).unwrap_or_default();
        if !is_other && before > 0 && before < messages.len() {
            self.transcript.marks.new_from = Some(self.transcript.marks.new_from.unwrap_or(before));
        }
        self.messages = messages;
        self.transcript.changed(&self.messages);
    }

    /// What is shown: the facts where nothing was said.
    pub fn aspect(&self) -> Aspect {
        if self.aspect == Aspect::Transcript && self.messages.is_empty() { Aspect::Facts } else { self.aspect }
    }

    /// Goes round transcript, facts and JSON; where nothing was said, the facts stand for the transcript.
    pub fn turn(&mut self) {
        self.aspect = self.aspect().next();
        self.reader.rewind();
    }

    /// The name of what comes next.
    pub fn next_word(&self) -> &'static str {
        match self.aspect().next() {
            Aspect::Transcript if self.messages.is_empty() => Aspect::Facts.word(),
            next => next.word(),
        }
    }

    /// True while a search is typed.
    pub fn is_searching(&self) -> bool {
        if self.aspect() == Aspect::Transcript { self.transcript.search.typing } else { self.reader.is_typing() }
    }
}

/// Where the inspector's text lies while it has the focus.
fn inner(body: Rect) -> Rect {
    layout::inspector_text(areas::of(body, true).inspector, body)
}

impl Calls {
    /// The selected row with its call as it was last heard of.
    fn shown(&self) -> Option<(&Row, &Call)> {
        let row = self.paged.list.selected()?;
        Some((row, self.followed.current(row)))
    }

    /// Facts or JSON of the selected call.
    fn details(&self, view: &View<'_>, columns: u16) -> Option<Details> {
        let (row, call) = self.shown()?;
        if self.reading.aspect() == Aspect::Json {
            return Some(facts::raw(call, view, columns.into()));
        }
        let note = (self.reading.aspect == Aspect::Transcript).then(|| match () {
            () if call.transcript.is_missing() && self.followed.next().is_some() => "The transcript is loading.",
            () if facts::is_unreadable(call) => "The transcript cannot be read. These are the facts; the JSON has it.",
            () if call.is_under_way() => "Nothing has been said so far. These are the facts.",
            () => "Nothing was said. These are the facts.",
        });
        Some(facts::details(row, call, note, view))
    }

    /// Takes an action of the call on screen; false where it is not one of reading.
    pub(super) fn act_reading(&mut self, action: Action, cx: &mut Context) -> bool {
        let inner = inner(cx.body);
        let is_transcript = self.reading.aspect() == Aspect::Transcript;
        match action {
            Action::Copy if is_transcript => {
                let at = self.reading.transcript.selected_at(self.reading.messages.len());
                let text = self.reading.messages.get(at).and_then(|message| message.content.known());
                cx.copy("Message", text.map(|text| clean(text).into_owned()));
            }
            Action::CopyAll if is_transcript => cx.copy("Transcript", self.shown().map(|(_, call)| facts::text(call))),
            Action::NextRecord | Action::PreviousRecord => {
                let motion = if action == Action::NextRecord { Motion::Down } else { Motion::Up };
                self.paged.list.act(Action::Move(motion), areas::table(cx.body));
            }
            action if is_transcript => {
                let area = areas::reading(inner, 0).body;
                let Reading { transcript, messages, .. } = &mut self.reading;
                return transcript.act(action, messages, &cx.options, area);
            }
            action => {
                let Some(details) = self.details(&cx.view(), inner.width) else { return false };
                return self.reading.reader.act(action, &details, &cx.options, areas::reading(inner, 0).body);
            }
        }
        true
    }

    /// Takes a typed character or a paste of a search.
    pub(super) fn type_search(&mut self, input: &Input, cx: &Context) {
        let inner = inner(cx.body);
        let area = areas::reading(inner, 0).body;
        if self.reading.aspect() == Aspect::Transcript {
            let Reading { transcript, messages, .. } = &mut self.reading;
            transcript.text(input, messages, &cx.options, area);
        } else if let Some(details) = self.details(&cx.view(), inner.width) {
            self.reading.reader.text(input, &details, &cx.options, area);
        }
    }

    /// Copies the JSON of the selected call.
    pub(super) fn copy_json(&self, cx: &mut Context) {
        let json = self.shown().and_then(|(_, call)| call.json().ok().map(|json| json::pretty(&json)));
        cx.copy("JSON", json);
    }

    /// The URL of its recording.
    pub(super) fn recording(&self) -> Option<String> {
        let (_, call) = self.shown()?;
        call.recording_url.known().cloned().flatten().filter(|url| !url.is_empty())
    }
}

/// Draws the selected call beside the list or in its place, and returns where the cursor is.
pub fn draw(pane: &Calls, view: &View<'_>, area: Rect, buffer: &mut Buffer) -> Option<Position> {
    let Options { theme, glyphs, .. } = view.options;
    let inner = frame(pane.inspecting, view, area, buffer);
    let Some((row, call)) = pane.shown() else {
        if pane.inspecting {
            put_cut(buffer, inner, &Line::styled("No call is selected.", theme.dim), glyphs.ellipsis);
        }
        return None;
    };
    let areas = areas::reading(inner, 0);
    head(row, call, view, areas.head, buffer);
    let reading = &pane.reading;
    if reading.aspect() != Aspect::Transcript {
        let details = pane.details(view, inner.width)?;
        return reading.reader.draw(&details, view, areas.body, buffer);
    }
    let margin = Margin { x: inner.x.saturating_sub(2).max(area.x), selects: pane.inspecting };
    reading.transcript.draw(&reading.messages, Some(margin), view, areas.body, buffer)
}

/// Who talked to whom and how it stands, on two lines.
fn head(row: &Row, call: &Call, view: &View<'_>, area: Rect, buffer: &mut Buffer) {
    let Options { theme, glyphs, .. } = view.options;
    let (glyph, style) = format::sign(call, view.options);
    let right = Line::styled(format!("  {glyph} {}", format::status(call)), style);
    let (who, is_number) = format::customer(row);
    let number = (!is_number).then(|| format::number(call).into_owned());
    who_line((Line::styled(who.into_owned(), theme.strong), number), Some(&right), view, area, buffer);
    if area.height > 1 {
        let dot = format!(" {} ", glyphs.dot);
        let parts = [
            Some(format::assistant(call)),
            Some(format::kind(call)),
            Some(format::clock(call)).filter(|length| length != "-"),
            Some(format::exact(&call.total_cost)).filter(|_| format::amount(&call.total_cost) != Some(0.0)),
        ];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        let second = Rect { y: area.y + 1, height: 1, ..area };
        put_cut(buffer, second, &Line::styled(parts.join(&dot), theme.dim), glyphs.ellipsis);
    }
}
