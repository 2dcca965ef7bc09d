//! The pane on screen.

use super::filter::{self, Chosen, Wanted};
use super::format;
use super::pages::Filtering as _;
use super::{Conversations, SCOPES, areas, reading, status};
use crate::api::ConversationType;
use crate::ui::prelude::*;

/// Draws the pane and tells where its cursor is.
pub(super) fn draw(pane: &Conversations, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
    let areas = areas::of(view.body, pane.inspecting);
    let told = (pane.alerts(), chips(&pane.paged.wanted, &pane.known(view.data), view));
    let cursor = status::draw(&pane.paged, told, SCOPES, view, areas.status, buffer);
    if !areas.list.is_empty() {
        let state = status::state(&pane.paged, SCOPES, view);
        pane.paged.list.draw(!pane.inspecting, state, view, areas.list, buffer);
    }
    if areas.inspector.width > 0 {
        return reading::draw(pane, view, areas.inspector, buffer).or(cursor);
    }
    cursor
}

/// The chips of the filters in force.
pub(super) fn chips(wanted: &Wanted, known: &[Chosen], view: &View<'_>) -> Vec<String> {
    let kind = Some(wanted.kind.as_str()).filter(|word| !word.is_empty()).map(ConversationType::from);
    let mut chips = Vec::new();
    chips.extend(kind.map(|kind| format!("type: {}", format::kind_name(&kind))));
    chips.extend(wanted.assistant.as_ref().map(|one| match (filter::named(one, known), one.id) {
        (name, None) => format!("assistant: {name} (loaded rows)"),
        (name, Some(id)) if name == id.to_string() => format!("assistant: no. {id}"),
        (name, Some(_)) => format!("assistant: {name}"),
    }));
    if !wanted.days.is_empty() {
        let today = filter::today(view.now.wall, view.zone);
        chips.push(format!("created: {}", wanted.parsed_days(view.now.wall, view.zone).words(today)));
    }
    if !wanted.customer.is_empty() {
        chips.push(format!("customer: {}", wanted.customer));
    }
    chips
}
