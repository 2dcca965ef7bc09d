//! What assistants are made of: voices, providers, models, languages. Fetched once, refreshed on request.

mod draw;
mod entry;
mod keys;

use crate::api::{AssistantMode, CatalogueQuery, Rows, Voice, rules::Fault};
use crate::ui::prelude::*;
use draw::table;
use entry::{Entry, ITEMS, PARTS, VOICES};

/// The name of the pane.
pub const ID: PaneId = PaneId("catalogue");
/// The pane in the registry.
pub const PANE: Registration = Registration {
    id: ID,
    title: "Catalogue",
    digit: '6',
    bindings: keys::BINDINGS,
    new: |_, _| Box::new(Catalogue::default()),
};

/// The state of the pane.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Catalogue {
    /// The index of the shown part in [`PARTS`], and the entries of each.
    part: usize,
    lists: [Browser<Rows<Entry>>; PARTS.len()],
    /// Which voices are listed, and those of them where not all are.
    query: CatalogueQuery,
    filtered: Remote<Rows<Voice>>,
}

impl Catalogue {
    fn shown(&self) -> &Browser<Rows<Entry>> {
        &self.lists[self.part]
    }

    fn is_filtered(&self) -> bool {
        self.query != CatalogueQuery::default()
    }

    /// True where the voices of a filter are shown.
    fn filters(&self) -> bool {
        self.is_filtered() && self.part == VOICES
    }

    /// Makes the entries of what has come.
    fn refresh(&mut self, cx: &Context) {
        let voices = if self.is_filtered() { &self.filtered } else { &cx.data.voices };
        for (list, entries) in self.lists.iter_mut().zip(entry::entries(voices, &cx.data)) {
            list.source = entries;
            list.refresh(&cx.view(), table(cx.body));
        }
    }

    fn form(&self, cx: &Context) -> Form {
        let modes = AssistantMode::KNOWN.iter().map(|mode| Value::new(mode.as_str(), mode.as_str()));
        let modes = std::iter::once(Value::new("", "any")).chain(modes).collect();
        let mode = self.query.mode.as_ref().map_or("", AssistantMode::as_str);
        let language = self.query.language_id.map(|id| id.to_string()).unwrap_or_default();
        Form::new(vec![
            FormField::choice("mode", "Mode", modes, mode),
            FormField::picker("language_id", "Language", languages(&cx.data), language),
        ])
    }

    fn submit(&mut self, cx: &mut Context) {
        let read = |form: &Form| {
            let mode = Some(form.text_of("mode")).filter(|mode| !mode.is_empty()).map(AssistantMode::from);
            let language = Some(form.text_of("language_id")).filter(|id| !id.is_empty()).map(str::parse).transpose();
            let language_id = language.map_err(|_| vec![Fault::new("language_id", "No such language.")])?;
            Ok(CatalogueQuery { mode, language_id })
        };
        let Some(query) = cx.overlays.submit("voices", read) else { return };
        self.filtered = Remote::of(Request::ListVoices { query: query.clone() }, None);
        self.query = query;
        if self.is_filtered() {
            self.filtered.refresh(cx);
        }
        self.refresh(cx);
    }
}

impl Pane for Catalogue {
    fn scopes(&self) -> &'static [Scope] {
        if self.shown().narrowing { NARROWING } else { keys::SCOPES }
    }

    fn list(&mut self, body: Rect) -> Option<(&mut dyn List, Rect)> {
        Some((&mut self.lists[self.part], table(body)))
    }

    fn disabled(&self, action: Action, _view: &View<'_>) -> Option<&'static str> {
        let selected = self.shown().selected();
        let silent = selected.is_none_or(|entry| entry.preview.is_none());
        match action {
            Action::Copy if selected.is_none() => Some("nothing is selected"),
            Action::Open | Action::CopyAll if silent => Some("there is no preview to play"),
            Action::Filter if self.part != VOICES => Some("only voices have filters"),
            Action::ClearFilters if !self.is_filtered() => Some("no filter is set"),
            _ => None,
        }
    }

    fn show(&mut self, shown: bool, cx: &mut Context) {
        if shown {
            for item in ITEMS.into_iter().flatten().chain(&[Item::Assistants]) {
                cx.data.want(*item, &mut cx.tasks, cx.now);
            }
            self.refresh(cx);
        }
    }

    fn act(&mut self, action: Action, cx: &mut Context) {
        let at = self.part;
        if self.lists[at].act(action, table(cx.body)) {
            return;
        }
        let selected = self.lists[at].selected();
        let preview = || selected.and_then(|entry| entry.preview.clone());
        match action {
            Action::NextPart => self.part = (at + 1) % PARTS.len(),
            Action::PreviousPart => self.part = (at + PARTS.len() - 1) % PARTS.len(),
            Action::Refresh if self.filters() => self.filtered.refresh(cx),
            Action::Refresh => {
                for item in ITEMS[at] {
                    cx.data.fetch(*item, &mut cx.tasks, cx.now);
                }
            }
            Action::Filter => cx.open("voices", FormDialog::new("Voices", "list", self.form(cx))),
            Action::ClearFilters => {
                self.query = CatalogueQuery::default();
                self.refresh(cx);
            }
            Action::Copy => cx.copy("Id", selected.map(|entry| entry.id.to_string())),
            Action::CopyAll => cx.copy("Preview URL", preview()),
            Action::Open => {
                if let Some(address) = preview() {
                    cx.open_link("the voice's preview", &address);
                }
            }
            _ => {}
        }
    }

    fn mouse(&mut self, mouse: Mouse, cx: &mut Context) -> Option<Action> {
        let click = Some(Position { x: mouse.x, y: mouse.y }).filter(|_| mouse.kind == MouseKind::Press);
        if let Some(at) = click.and_then(|click| tabs::at(&PARTS, click, cx.body)) {
            self.part = at;
            return None;
        }
        self.lists[self.part].mouse(mouse, &cx.view(), table(cx.body))
    }

    fn overlay(&mut self, event: OverlayEvent, cx: &mut Context) {
        if event == OverlayEvent::Submitted("voices") {
            self.submit(cx);
        }
    }

    fn reply(&mut self, report: Report, cx: &mut Context) {
        // A reply to an earlier filter is dropped.
        drop(self.filtered.reply(report, Reply::list_voices, cx.now));
        self.refresh(cx);
    }

    fn data_changed(&mut self, cx: &mut Context) {
        if let Some(form) = cx.overlays.form("voices") {
            form.offer("language_id", languages(&cx.data));
        }
        self.refresh(cx);
    }

    fn resize(&mut self, cx: &mut Context) {
        self.refresh(cx);
    }

    fn next_change(&self, view: &View<'_>) -> Option<Instant> {
        self.state(view).and_then(|state| state.next_change(view.now.mono)).filter(|_| view.shown)
    }

    fn freshness(&self) -> Option<Freshness<'_>> {
        self.is_filtered().then(|| self.filtered.freshness())
    }

    fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        draw::draw(self, view, buffer)
    }
}

/// The languages to choose from, as far as they have come.
fn languages(data: &Data) -> Vec<Value> {
    let known = data.languages.value().into_iter().flatten().filter_map(|one| {
        let about = one.iso_2.known().cloned().unwrap_or_default();
        Some(Value::new(one.id.known()?.to_string(), one.name.known()?).about(about))
    });
    std::iter::once(Value::new("", "any")).chain(known).collect()
}
