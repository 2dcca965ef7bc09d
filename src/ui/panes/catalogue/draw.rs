//! The pane on screen: the parts beside their list, or above it where it is narrow, and the details of one entry.

use super::Catalogue;
use super::entry::{Entry, PARTS, VOICES};
use crate::ui::prelude::*;

/// Lines of the details with the rule above them, and the height from which on there is room for them.
const DETAILS: u16 = 9;
const DETAILS_FROM: u16 = 17;

/// What the tabs say.
pub const TITLES: [&str; PARTS.len()] = [PARTS[0].0, PARTS[1].0, PARTS[2].0, PARTS[3].0, PARTS[4].0];

/// The areas of the list and of the details; without room for those they have no height.
fn areas(body: Rect) -> [Rect; 2] {
    let rest = tabs::areas(body).1;
    let details = if body.height < DETAILS_FROM { 0 } else { DETAILS };
    let list = Rect { height: rest.height - details, ..rest };
    [list, Rect { y: list.bottom(), height: details, ..rest }]
}

/// Where the table of the list lies.
pub fn table(body: Rect) -> Rect {
    below_first(areas(body)[0])
}

impl Catalogue {
    /// What stands in place of the rows; `None` where there are some.
    pub(super) fn state<'a>(&'a self, view: &'a View<'_>) -> Option<State<'a>> {
        let (name, items) = (PARTS[self.part].0.to_lowercase(), PARTS[self.part].1);
        let what = format!("The {name}");
        let waiting = || items.iter().find_map(|item| view.data.state(*item, &what, view));
        let next = if self.filters() { "x clears the filters." } else { "This server offers none." };
        let none = || State::Empty(format!("No {name}").into(), next.into());
        let waiting = || if self.filters() { self.filtered.state(&what, view) } else { waiting() };
        self.shown().source.is_empty().then(|| waiting().unwrap_or_else(none))
    }

    fn title(&self, view: &View<'_>) -> String {
        let mode = self.query.mode.as_ref().map(|mode| format!("   mode: {}", mode.as_str()));
        let language = self.query.language_id.map(|id| {
            let mut languages = view.data.languages.value().into_iter().flatten();
            let known = languages.find(|one| one.id.known() == Some(&id)).and_then(|one| one.name.known());
            format!("   language: {}", known.cloned().unwrap_or_else(|| id.to_string()))
        });
        let filters = [mode, language].into_iter().flatten().filter(|_| self.part == VOICES);
        std::iter::once(PARTS[self.part].0.to_uppercase()).chain(filters).collect()
    }

    fn details(&self, entry: &Entry, none: &str) -> Details {
        let or_none = |text: &str| if text.is_empty() { none.to_owned() } else { text.to_owned() };
        let [name, code, kind, about @ .., provider] = &entry.texts;
        let details = Details::new(12).section(name).field("Id", entry.id.to_string());
        if self.part != VOICES {
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
    tabs::draw(&TITLES, pane.part, &pane.lists.each_ref().map(|list| list.source.len()), view, buffer);
    let caret = pane.shown().draw_titled((&pane.title(view), true), pane.state(view), view, list, buffer);
    if let Some(entry) = pane.shown().selected().filter(|_| details.height > 0) {
        rule(buffer, Rect { height: 1, ..details }, glyphs.horizontal, theme.dim);
        let (x, y, width) = (details.x + 2, details.y + 1, details.width.saturating_sub(3));
        let inner = Rect { x, y, width, height: details.height - 1 };
        pane.details(entry, glyphs.none).draw(0, view, inner, buffer);
    }
    caret
}
