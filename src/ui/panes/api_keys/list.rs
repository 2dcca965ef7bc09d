//! The list of keys.

use super::ApiKeys;
use crate::api::{ApiKey, IsoTimestamp};
use crate::ui::ages::Age;
use crate::ui::prelude::*;
use crate::ui::text::clean;
use jiff::Timestamp;
use std::borrow::Cow;

pub fn id(key: &ApiKey) -> i64 {
    key.id.known().copied().unwrap_or_default()
}

pub fn name(key: &ApiKey) -> String {
    key.name.known().map_or_else(|| "(no name)".to_owned(), |name| clean(name).into_owned())
}

/// When it was last used; `None` where never, or where the server does not tell.
fn used(key: &ApiKey) -> Option<Timestamp> {
    key.last_used_at.known()?.as_ref().map(|IsoTimestamp(time)| *time)
}

fn is_unused(key: &ApiKey) -> bool {
    key.last_used_at.known().is_some_and(Option::is_none)
}

fn created(key: &ApiKey) -> Option<Timestamp> {
    key.created_at.known().map(|IsoTimestamp(time)| *time)
}

pub fn last_used(key: &ApiKey, now: Timestamp) -> String {
    let none = if is_unused(key) { "never" } else { "–" };
    used(key).map_or_else(|| none.to_owned(), |time| Age::between(time, now).to_string())
}

impl Record for ApiKey {
    type Id = i64;
    const COLUMNS: &'static [Column<Self>] = &[
        text_column!("NAME", Width::Fill(12), 0, Some(0), |key| name(key)),
        Column {
            title: "",
            width: Width::Content { min: 0, max: 8 },
            right: false,
            drop: 1,
            field: None,
            sort: Sorting::None,
            cell: |key, view| {
                let in_use = view.data.key_id == Some(id(key));
                let text = if in_use { format!("{} in use", view.options.glyphs.full) } else { String::new() };
                Cell::text(text).style(view.options.theme.good)
            },
        },
        age_column!("CREATED", 2, |key| created(key), |_view| Cell::text("–")),
        age_column!("LAST USED", 0, |key| used(key), |view| {
            let never = Cell::text("never").style(view.options.theme.warning);
            if is_unused(key) { never } else { Cell::text("–") }
        }),
        number_column!("ID", 3, |key| id(key)),
    ];

    fn id(&self) -> i64 {
        id(self)
    }

    fn fields(&self) -> Vec<Cow<'_, str>> {
        vec![name(self).into()]
    }
}

impl ApiKeys {
    /// What stands in place of the rows; `None` where there are some.
    fn state<'a>(&'a self, view: &'a View<'_>) -> Option<State<'a>> {
        if self.list.hides_all(self.rows()) {
            return Some(State::Empty("No matching key".into(), "Esc shows all again.".into()));
        }
        let none = State::Empty("No API keys".into(), "c creates one.".into());
        self.keys.state("The API keys", view).or_else(|| self.rows().is_empty().then_some(none))
    }

    pub(super) fn draw_list(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        let unreadable = self.keys.value().and_then(|rows| rows.unreadable.first());
        let unreadable = unreadable.map(|why| format!("API KEYS   not all could be read ({why})"));
        let title = unreadable.as_deref().unwrap_or("API KEYS");
        let caret = self.list.draw((title, self.token.is_none()), self.rows(), view, view.body, buffer);
        if let Some(state) = self.state(view) {
            state.draw(&[38, 30, 34], view, Browser::<ApiKey>::rows_area(view.body), buffer);
        }
        caret
    }

    /// When an age or the state on screen reads otherwise.
    pub(super) fn next_visible_change(&self, view: &View<'_>) -> Option<Duration> {
        let state = self.state(view).and_then(|state| state.next_change(view.now.mono));
        let times = self.rows().iter().flat_map(|key| [used(key), created(key)]).flatten();
        let ages = times.map(|time| view.now.mono + Age::changes_in(time, view.now.wall));
        state.into_iter().chain(ages).min()
    }
}
