//! The ways from an assistant to its knowledgebase and its tools.

use super::Assistants;
use super::edit::fields::{Catalogue, name};
use super::row::Row;
use crate::ui::prelude::*;
use crate::ui::route::Route;

/// The form that asks where to go.
pub const FORM: &str = "uses";
const TO: &str = "to";

/// What an assistant uses and where that is shown, the knowledgebase first.
fn uses(row: &Row, data: &Data) -> Vec<(String, Route)> {
    let knowledgebase = row.record.knowledgebase_id.known().copied().flatten();
    let tools = row.record.tool_ids.known().into_iter().flatten().copied();
    let knowledgebase = knowledgebase.map(|id| (name(Catalogue::Knowledgebase, id, data), Route::Knowledgebase(id)));
    knowledgebase.into_iter().chain(tools.map(|id| (name(Catalogue::Tool, id, data), Route::Tool(id)))).collect()
}

/// Why there is no way, to be read after "Not now: ".
pub fn disabled(row: &Row, data: &Data) -> Option<&'static str> {
    let all = uses(row, data);
    match all.iter().any(|(_, route)| route.is_offered()) {
        _ if all.is_empty() => Some("the assistant has no tool and no knowledgebase"),
        false => Some("this dashboard has no pane for tools or knowledgebases"),
        true => None,
    }
}

impl Assistants {
    fn uses(&self, cx: &Context) -> Vec<(String, Route)> {
        let all = self.selected().map(|row| uses(row, &cx.data)).unwrap_or_default();
        all.into_iter().filter(|(_, route)| route.is_offered()).collect()
    }

    /// Goes to the one thing that the selected assistant uses, or asks to which.
    pub(super) fn follow_uses(&self, cx: &mut Context) {
        let all = self.uses(cx);
        if let [(_, only)] = &all[..] {
            return cx.go(only.clone());
        }
        let item = |(at, (name, route)): (usize, &(String, Route))| {
            let about = if matches!(route, Route::Tool(_)) { "tool" } else { "knowledgebase" };
            Value::new(at.to_string(), name.as_str()).about(about)
        };
        let items = all.iter().enumerate().map(item).collect();
        let form = Form::new(vec![FormField::picker(TO, "To", items, "0").required()]);
        cx.open(FORM, FormDialog::new("What the assistant uses", "go", form.quick()));
    }

    /// The way was chosen.
    pub(super) fn submit_use(&self, cx: &mut Context) {
        let at = cx.overlays.submit(FORM, |form| Ok(form.text_of(TO).parse::<usize>().unwrap_or_default()));
        if let Some((_, route)) = at.and_then(|at| self.uses(cx).into_iter().nth(at)) {
            cx.go(route);
        }
    }
}
