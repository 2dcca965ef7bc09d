//! The pane on screen: the parts beside their list, or above it where it is narrow, and the details of one entry.

use super::Catalogue;
use super::entry::{Entry, Part, TITLES};
use crate::ui::prelude::*;

/// Lines of the details with the rule above them, and the height from which on there is room for them.
const DETAILS: u16 = 9;
const DETAILS_FROM: u16 = 17;

/// The areas of the list and of the details; without room for those they have no height.
pub fn areas(body: Rect) -> [Rect; 2] {
    let rest = tabs::areas(body).1;
    let details = if body.height < DETAILS_FROM { 0 } else { DETAILS };
    let list = Rect { height: rest.height - details, ..rest };
    [list, Rect { y: list.bottom(), height: details, ..rest }]
}

impl Catalogue {
    /// What stands in place of the rows; `None` where there are some.
    pub(super) fn state<'a>(&'a self, view: &'a View<'_>) -> Option<State<'a>> {
        let data = view.data;
        let waiting = match self.part {
            Part::Voices => self.voices(data).state("The voices", view),
            Part::Synthesizers => data.synthesizers.state("The synthesizers", view),
            Part::Transcribers => data.transcribers.state("The transcribers", view),
            Part::Models => data.llms.state("The models", view).or_else(|| data.multimodal.state("The models", view)),
            Part::Languages => data.languages.state("The languages", view),
        };
        if self.list().hides_all(self.entries()) {
            return Some(State::Empty("No matching entry".into(), "Esc shows all again.".into()));
        }
        let filtered = self.is_filtered() && self.part == Part::Voices;
        let next = if filtered { "x clears the filters." } else { "This server offers none." };
        let none = State::Empty(format!("No {}", TITLES[self.part as usize].to_lowercase()).into(), next.into());
        if self.entries().is_empty() { Some(waiting.unwrap_or(none)) } else { None }
    }

    fn details(entry: &Entry, part: Part, none: &str) -> Details {
        let or_none = |text: &str| if text.is_empty() { none.to_owned() } else { text.to_owned() };
        let [name, code, kind, about @ .., provider] = &entry.texts;
        let details = Details::new(12).section(name).field("Id", entry.id.to_string());
        if part != Part::Voices {
            let details = details.field("Code", or_none(code));
            return if kind.is_empty() { details } else { details.field("Type", kind) };
        }
        let about: Vec<_> = about.iter().filter(|text| !text.is_empty()).map(String::as_str).collect();
        details
            .field("Voice", or_none(&about.join(", ")))
            .field("Provider", provider)
            .field("Preview", or_none(entry.preview.as_deref().unwrap_or_default()))
            .wrapped("Used by", or_none(&entry.used_by.join(", ")))
    }
}

/// Draws the pane and returns where its cursor is.
pub fn draw(pane: &Catalogue, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
    let (theme, glyphs, [list, details]) = (&view.options.theme, view.options.glyphs, areas(view.body));
    tabs::draw(&TITLES, pane.part as usize, &pane.entries.each_ref().map(Vec::len), view, buffer);
    let mut title = TITLES[pane.part as usize].to_uppercase();
    if pane.part == Part::Voices {
        let languages = || view.data.languages.value().into_iter().flatten();
        let mode = pane.query.mode.as_ref().map(|mode| format!("   mode: {}", mode.as_str()));
        let language = pane.query.language_id.map(|id| {
            let known = languages().find(|one| one.id.known() == Some(&id)).and_then(|one| one.name.known());
            format!("   language: {}", known.cloned().unwrap_or_else(|| id.to_string()))
        });
        title.extend([mode, language].into_iter().flatten());
    }
    let caret = pane.list().draw((&title, true), pane.entries(), view, list, buffer);
    if let Some(state) = pane.state(view) {
        state.draw(&[34, 28, 31, 22], view, Browser::<Entry>::rows_area(list), buffer);
    }
    if let Some(entry) = pane.selected().filter(|_| details.height > 0) {
        rule(buffer, Rect { height: 1, ..details }, glyphs.horizontal, theme.dim);
        let (x, y, width) = (details.x + 2, details.y + 1, details.width.saturating_sub(3));
        let inner = Rect { x, y, width, height: details.height - 1 };
        Catalogue::details(entry, pane.part, glyphs.none).draw(0, view, inner, buffer);
    }
    caret
}
