//! The pane on screen: knowledgebases, documents, and the details of what is selected.

use super::row::{description, document_status, knowledgebase_status, name, time};
use super::{Knowledge, Part};
use crate::api::{Document, Knowledgebase};
use crate::client::FailureKind;
use crate::ui::ages::date_and_time;
use crate::ui::attachments::{Kind, users};
use crate::ui::layout;
use crate::ui::prelude::*;
use jiff::Timestamp;

/// From this width on the lists stand side by side.
const BESIDE: u16 = 96;
/// Lines of the details with the rule above them, on bodies lower and higher than this.
const DETAILS: [u16; 2] = [9, 13];
/// The height from which on there is room for them.
const DETAILS_FROM: u16 = 17;
/// Cells for labels.
const LABEL: usize = 14;

/// The areas of both lists and of the details. While the details are read they have the whole body; on a narrow screen the
/// list with the focus has what is left of it.
pub fn areas(body: Rect, focus: Part, reading: bool) -> [Rect; 3] {
    let none = Rect { width: 0, height: 0, ..body };
    if reading {
        return [none, none, body];
    }
    let lines = if body.height < DETAILS_FROM { 0 } else { DETAILS[usize::from(body.height >= layout::AIRY)] };
    let lists = Rect { height: body.height - lines, ..body };
    let details = Rect { y: lists.bottom(), height: lines, ..body };
    if body.width >= BESIDE {
        let right = body.width / 2;
        let left = Rect { width: body.width - right, ..lists };
        return [left, Rect { x: left.right(), width: right, ..lists }, details];
    }
    match focus {
        Part::Knowledgebases => [lists, none, details],
        Part::Documents => [none, lists, details],
    }
}

/// Where the text of the details lies.
pub fn details_text(area: Rect, reading: bool) -> Rect {
    let top = u16::from(!reading).min(area.height);
    let (x, width) = (area.x + 2.min(area.width), area.width.saturating_sub(3));
    Rect { x, y: area.y + top, width, height: area.height - top }
}

impl Knowledge {
    /// What stands in place of the knowledgebases; `None` where there are some.
    pub(super) fn bases_state<'a>(&'a self, view: &'a View<'_>) -> Option<State<'a>> {
        if !self.bases.source.is_empty() {
            return None;
        }
        let listed = &view.data.knowledgebases;
        if !listed.is_offered() {
            let next = "Add one by its number with a, or create one with c.";
            return Some(State::NotOffered("This server does not list knowledgebases.".into(), next.into()));
        }
        let none = || State::Empty("No knowledgebases".into(), "c creates one.".into());
        Some(listed.state("The knowledgebases", view).unwrap_or_else(none))
    }

    /// What stands in place of the documents; `None` where there are some.
    pub(super) fn documents_state<'a>(&'a self, view: &'a View<'_>) -> Option<State<'a>> {
        if !self.documents.source.is_empty() {
            return None;
        }
        let Some(remote) = self.selected.and_then(|id| self.loaded.of(id)) else {
            let nothing = if self.selected.is_some() { "" } else { "No knowledgebase is selected" };
            return Some(State::Empty(nothing.into(), "".into()));
        };
        match remote.failure().map(|failure| &failure.kind) {
            Some(FailureKind::Status { status: 404, .. }) if remote.value().is_none() => Some(State::Failed {
                what: "There is no such knowledgebase:".into(),
                why: "it was deleted, or belongs to another account.".into(),
                next: "r tries again".into(),
            }),
            _ => {
                let none = || State::Empty("No documents".into(), "u uploads files, c adds a website.".into());
                Some(remote.state("The documents", view).unwrap_or_else(none))
            }
        }
    }

    /// Everything about what is selected in the part with the focus.
    pub(super) fn details(&self, view: &View<'_>) -> Details {
        match self.focus {
            Part::Knowledgebases => self.base().map_or_else(Details::default, |base| self.base_details(base, view)),
            Part::Documents => {
                let size = |document: &Document| self.uploads.size_of(document.id());
                let details = |document| document_details(document, size(document), view);
                self.documents.selected().map_or_else(Details::default, details)
            }
        }
    }

    fn base_details(&self, base: &Knowledgebase, view: &View<'_>) -> Details {
        let (id, none) = (base.id(), view.options.glyphs.none);
        let (status, style) = knowledgebase_status(base, view);
        let used = match users(Kind::Knowledgebase, id, view.data) {
            Some(names) if names.is_empty() => "no assistant".to_owned(),
            Some(names) => names.join(", "),
            None => base.assistants_count.known().map_or_else(
                || "not known: the server does not tell".to_owned(),
                |assistants| count(*assistants, "assistant", "assistants"),
            ),
        };
        let details = Details::new(LABEL)
            .section(name(&base.name, id))
            .field("Status", status)
            .styled(style)
            .field("Documents", self.counted(base, none))
            .wrapped("Used by", used);
        dated(details, [time(&base.created_at), time(&base.updated_at)], id, &description(&base.description), view)
    }

    /// How many documents a knowledgebase has, by status once they are loaded.
    fn counted(&self, base: &Knowledgebase, none: &str) -> String {
        let Some(rows) = self.loaded.rows(base.id()).filter(|rows| !rows.is_empty()) else {
            return base.documents_count.known().map_or_else(|| none.to_owned(), u64::to_string);
        };
        let mut states: Vec<(&str, usize)> = Vec::new();
        for document in rows {
            let word = document.status.known().map_or("not known", |status| status.as_str());
            match states.iter_mut().find(|(known, _)| *known == word) {
                Some((_, count)) => *count += 1,
                None => states.push((word, 1)),
            }
        }
        let states: Vec<_> = states.iter().map(|(word, count)| format!("{count} {word}")).collect();
        if states.len() > 1 { format!("{}: {}", rows.len(), states.join(", ")) } else { states.join("") }
    }
}

fn document_details(document: &Document, size: Option<String>, view: &View<'_>) -> Details {
    let (status, style) = document_status(document, view);
    let failed = document.status.known().is_some_and(|status| status.as_str() == "failed");
    let status = if failed { format!("{status} (the server does not say why)") } else { status };
    let id = document.id();
    let details = Details::new(LABEL)
        .section(name(&document.name, id))
        .field("Status", status)
        .styled(style)
        .field("Type", document.kind.known().map_or(view.options.glyphs.none, |kind| kind.label()));
    let details = match size {
        Some(size) => details.field("Size", size),
        None => details,
    };
    let times = [time(&document.created_at), time(&document.updated_at)];
    dated(details, times, id, &description(&document.description), view)
}

fn dated(details: Details, times: [Option<Timestamp>; 2], id: i64, about: &str, view: &View<'_>) -> Details {
    let none = view.options.glyphs.none;
    let [created, updated] =
        times.map(|time| time.map_or_else(|| none.to_owned(), |time| date_and_time(time, view.now.wall, view.zone)));
    let about = if about.trim().is_empty() { none } else { about };
    details
        .field("Created", created)
        .field("Updated", updated)
        .field("Id", id.to_string())
        .wrapped("Description", about)
}

/// Draws the pane and returns where its cursor is.
pub fn draw(pane: &Knowledge, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
    let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
    let [left, right, details] = areas(view.body, pane.focus, pane.reading);
    let focused = |part| pane.focus == part;
    let mut caret = None;
    if !left.is_empty() {
        let title = ("KNOWLEDGEBASES", focused(Part::Knowledgebases));
        caret = pane.bases.draw_titled(title, pane.bases_state(view), view, left, buffer);
    }
    if !right.is_empty() {
        let of = pane.selected.map(|id| format!("DOCUMENTS OF {}", pane.base_name(id)));
        let title =
            fit(of.as_deref().unwrap_or("DOCUMENTS"), usize::from(right.width / 2), glyphs.ellipsis).into_owned();
        let title = (&*title, focused(Part::Documents));
        caret = pane.documents.draw_titled(title, pane.documents_state(view), view, right, buffer).or(caret);
    }
    if !left.is_empty() && !right.is_empty() {
        let style = if focused(Part::Documents) { theme.accent } else { theme.dim };
        column(buffer, Rect { width: 1, ..right }, glyphs.vertical, style);
    }
    if !details.is_empty() {
        if !pane.reading {
            rule(buffer, Rect { height: 1, ..details }, glyphs.horizontal, theme.dim);
        }
        let scrolled = if pane.reading { pane.scrolled } else { 0 };
        pane.details(view).draw(scrolled, view, details_text(details, pane.reading), buffer);
    }
    caret
}
