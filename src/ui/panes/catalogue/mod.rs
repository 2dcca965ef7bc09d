//! What assistants are made of: voices, providers, models, languages. Fetched once, refreshed on request.

mod draw;
mod entry;
mod keys;

use crate::api::{AssistantMode, CatalogueQuery, Voice, rules::Fault};
use crate::ui::prelude::*;
use draw::areas;
use entry::{Entry, Part, TITLES};

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
    part: Part,
    /// The entries of each part, in the order of [`Part::ALL`].
    entries: [Vec<Entry>; 5],
    lists: [Browser<Entry>; 5],
    /// Which voices are listed, and those of them where not all are.
    query: CatalogueQuery,
    filtered: Remote<Vec<Voice>>,
}

impl Catalogue {
    fn entries(&self) -> &[Entry] {
        &self.entries[self.part as usize]
    }

    fn list(&self) -> &Browser<Entry> {
        &self.lists[self.part as usize]
    }

    fn selected(&self) -> Option<&Entry> {
        self.list().selected(self.entries())
    }

    fn is_filtered(&self) -> bool {
        self.query != CatalogueQuery::default()
    }

    /// The voices that are listed: all, or those of the filter.
    fn voices<'a>(&'a self, data: &'a Data) -> &'a Remote<Vec<Voice>> {
        if self.is_filtered() { &self.filtered } else { &data.voices }
    }

    /// Makes the entries of what has come.
    fn refresh(&mut self, cx: &Context<'_>) {
        for part in Part::ALL {
            let at = part as usize;
            self.entries[at] = part.entries(self.voices(&cx.data), &cx.data);
            self.lists[at].refresh(&self.entries[at], &cx.view(), areas(cx.body)[0]);
        }
    }

    fn fetch_voices(&mut self, cx: &mut Context<'_>) {
        if self.is_filtered() {
            let request = Request::ListVoices { query: self.query.clone() };
            self.filtered.fetch(request, Origin::new(ID.0), &mut cx.tasks, cx.now);
        }
    }

    fn form(&self, cx: &Context<'_>) -> Form {
        let modes = AssistantMode::KNOWN.iter().map(|mode| Value::new(mode.as_str(), mode.as_str()));
        let modes = std::iter::once(Value::new("", "any")).chain(modes).collect();
        let mode = self.query.mode.as_ref().map_or("", AssistantMode::as_str);
        let language = self.query.language_id.map(|id| id.to_string()).unwrap_or_default();
        Form::new(vec![
            FormField::new("mode", "Mode", Control::Choice(Choice::new(modes, mode))),
            FormField::new("language_id", "Language", Control::Picker(Picker::new(languages(cx), language))),
        ])
    }

    fn submit(&mut self, cx: &mut Context<'_>) {
        let Some(form) = cx.overlays.form("voices") else { return };
        let language = form.text_of("language_id");
        let query = CatalogueQuery {
            mode: Some(form.text_of("mode")).filter(|mode| !mode.is_empty()).map(AssistantMode::from),
            language_id: language.parse().ok(),
        };
        if !language.is_empty() && query.language_id.is_none() {
            drop(form.set_errors(vec![Fault::new("language_id", "No such language.")]));
            return;
        }
        cx.overlays.close("voices");
        self.query = query;
        self.filtered = Remote::new(None);
        self.fetch_voices(cx);
        self.refresh(cx);
    }
}

impl Pane for Catalogue {
    fn scopes(&self) -> &'static [Scope] {
        if self.takes_text() { Browser::<Entry>::NARROWING } else { keys::SCOPES }
    }

    fn takes_text(&self) -> bool {
        self.list().takes_text()
    }

    fn disabled(&self, action: Action, _view: &View<'_>) -> Option<&'static str> {
        let selected = self.selected();
        match action {
            Action::Copy if selected.is_none() => Some("nothing is selected"),
            Action::Open | Action::CopyAll if selected.is_none_or(|entry| entry.preview.is_none()) => {
                Some("there is no preview to play")
            }
            Action::Filter if self.part != Part::Voices => Some("only voices have filters"),
            Action::ClearFilters if !self.is_filtered() => Some("no filter is set"),
            _ => None,
        }
    }

    fn show(&mut self, shown: bool, cx: &mut Context<'_>) {
        if shown {
            for item in Part::ALL.into_iter().flat_map(Part::items).chain(&[Item::Assistants]) {
                cx.data.want(*item, &mut cx.tasks, cx.now);
            }
            self.refresh(cx);
        }
    }

    fn act(&mut self, action: Action, cx: &mut Context<'_>) {
        let (at, area) = (self.part as usize, areas(cx.body)[0]);
        if self.lists[at].act(action, &self.entries[at], area) {
            return;
        }
        match action {
            Action::NextPart => self.part = Part::ALL[(at + 1) % Part::ALL.len()],
            Action::PreviousPart => self.part = Part::ALL[(at + Part::ALL.len() - 1) % Part::ALL.len()],
            Action::Refresh => {
                for item in self.part.items() {
                    cx.data.fetch(*item, &mut cx.tasks, cx.now);
                }
                self.fetch_voices(cx);
            }
            Action::Filter => {
                let dialog = FormDialog::new("Voices", "list", self.form(cx));
                cx.open("voices", Overlay::Form(Box::new(dialog)));
            }
            Action::ClearFilters => {
                self.query = CatalogueQuery::default();
                self.refresh(cx);
            }
            Action::Copy => {
                if let Some(id) = self.selected().map(|entry| entry.id.to_string()) {
                    cx.copy("Id", id);
                }
            }
            Action::CopyAll => {
                if let Some(url) = self.selected().and_then(|entry| entry.preview.clone()) {
                    cx.copy("Preview URL", url);
                }
            }
            Action::Open => {
                cx.tasks.effects.extend(self.selected().and_then(|entry| entry.preview.clone()).map(Effect::OpenUrl));
            }
            _ => {}
        }
    }

    fn text(&mut self, input: &Input, cx: &mut Context<'_>) {
        let at = self.part as usize;
        self.lists[at].text(input, &self.entries[at], areas(cx.body)[0]);
    }

    fn mouse(&mut self, mouse: Mouse, cx: &mut Context<'_>) -> Option<Action> {
        let click = Some(Position { x: mouse.x, y: mouse.y }).filter(|_| mouse.kind == MouseKind::Press);
        if let Some(at) = click.and_then(|click| tabs::at(&TITLES, click, cx.body)) {
            self.part = Part::ALL[at];
            return None;
        }
        let at = self.part as usize;
        let opens = self.lists[at].mouse(mouse, &self.entries[at], &cx.view(), areas(cx.body)[0]);
        opens.then_some(Action::Open)
    }

    fn overlay(&mut self, event: OverlayEvent, cx: &mut Context<'_>) {
        if event == OverlayEvent::Submitted("voices") {
            self.submit(cx);
        }
    }

    fn reply(&mut self, report: Report, cx: &mut Context<'_>) {
        // A reply to an earlier filter is dropped.
        drop(self.filtered.reply(report, Reply::list_voices, cx.now));
        self.refresh(cx);
    }

    fn data_changed(&mut self, cx: &mut Context<'_>) {
        let languages = languages(cx);
        if let Some(form) = cx.overlays.form("voices") {
            form.offer("language_id", languages);
        }
        self.refresh(cx);
    }

    fn resize(&mut self, cx: &mut Context<'_>) {
        self.refresh(cx);
    }

    fn next_change(&self, view: &View<'_>) -> Option<Duration> {
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
fn languages(cx: &Context<'_>) -> Vec<Value> {
    let known = cx.data.languages.value().into_iter().flatten().filter_map(|one| {
        let about = one.iso_2.known().cloned().unwrap_or_default();
        Some(Value::new(one.id.known()?.to_string(), one.name.known()?).about(about))
    });
    std::iter::once(Value::new("", "any")).chain(known).collect()
}
