//! Knowledge: the knowledgebases with their documents, and which assistants use them.

mod add;
mod delete;
mod documents;
mod draw;
mod form;
mod keys;
mod outcome;
mod pane;
mod row;
mod save;
mod upload;
mod write;

use crate::api::{Document, Knowledgebase, KnowledgebaseStatus, Rows};
use crate::ui::attachments::Attachments;
use crate::ui::by_number::ByNumber;
use crate::ui::prelude::*;
use crate::ui::widgets::table;
use crate::ui::writes::Deletion;
use documents::{Documents, News};
use draw::areas;
use outcome::Writes;
use write::Writing;

/// The name of the pane.
pub const ID: PaneId = PaneId("knowledge");
/// The pane in the registry.
pub const PANE: Registration = Registration {
    id: ID,
    title: "Knowledge",
    digit: '4',
    bindings: keys::BINDINGS,
    new: |_, _| Box::new(Knowledge::default()),
};

/// A list older than this is loaded again when the pane is shown.
const STALE: Duration = Duration::from_secs(60);
/// How long the selection rests before the documents are requested.
const REST: Duration = Duration::from_millis(300);
/// Lists of documents that are requested because their knowledgebase is being processed, without a look at them.
const WATCHED_MAX: usize = 8;

/// A part of the pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Part {
    #[default]
    Knowledgebases,
    Documents,
}

/// The state of the pane.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Knowledge {
    bases: Browser<Rows<Knowledgebase>>,
    /// The documents of the selected knowledgebase, and those of all that were looked at.
    documents: Browser<Rows<Document>>,
    loaded: Documents,
    /// The part with the focus; its details have it where `reading`.
    focus: Part,
    reading: bool,
    /// Lines of the details that are scrolled away.
    scrolled: usize,
    /// The knowledgebase whose documents are shown, and when they are requested.
    selected: Option<i64>,
    rests_until: Option<Instant>,
    /// The one that is to be selected once it is listed.
    wanted: Option<i64>,
    known: ByNumber<Knowledgebase>,
    attachments: Attachments,
    uploads: upload::Uploads,
    /// The form in front of the lists.
    form: Option<Box<Writing>>,
    writes: Writes,
    deletion: Deletion<delete::Deleted>,
    /// The document that is to be selected once it is listed.
    wanted_document: Option<i64>,
    /// True once the pane was on screen.
    visited: bool,
}

impl Knowledge {
    /// The selected knowledgebase.
    fn base(&self) -> Option<&Knowledgebase> {
        self.bases.selected()
    }

    /// Its name for people.
    fn base_name(&self, id: i64) -> String {
        let found = self.bases.source.iter().find(|base| base.id() == id);
        found.map_or_else(|| format!("no. {id}"), |base| row::name(&base.name, id))
    }

    /// Takes what has come, and shows the documents of the selected knowledgebase.
    fn refresh(&mut self, cx: &mut Context) {
        let listed = &cx.data.knowledgebases;
        self.bases.source = match listed.value().filter(|_| listed.is_offered()) {
            Some(rows) => rows.clone(),
            None if listed.is_offered() => Rows::default(),
            None => self.numbered().into(),
        };
        let [list, ..] = areas(cx.body, self.focus, false);
        self.bases.refresh(&cx.view(), below_first(list));
        if let Some(id) = self.wanted.filter(|id| self.bases.source.iter().any(|base| base.id() == *id)) {
            self.wanted = None;
            self.bases.state.select(id, table::height(below_first(list)));
        }
        if self.visited && !cx.data.knowledgebases.is_offered() {
            self.known.load(cx);
        }
        self.follow(cx);
    }

    /// Shows the documents of the selected knowledgebase; those of another one are requested once the selection rests.
    fn follow(&mut self, cx: &mut Context) {
        let id = self.base().map(Record::id);
        if id != self.selected {
            let first = self.selected.is_none();
            (self.selected, self.documents, self.scrolled) = (id, Browser::default(), 0);
            self.rests_until = id.map(|_| cx.now.mono + if first { Duration::ZERO } else { REST });
            self.rest(cx);
        }
        self.documents.source = id.and_then(|id| self.loaded.rows(id)).cloned().unwrap_or_default();
        let [_, list, _] = areas(cx.body, self.focus, false);
        self.documents.refresh(&cx.view(), below_first(list));
        if let Some(id) = self.wanted_document.filter(|id| self.documents.source.iter().any(|row| row.id() == *id)) {
            self.wanted_document = None;
            self.documents.state.select(id, table::height(below_first(list)));
        }
    }

    /// Requests the documents once the selection has rested.
    fn rest(&mut self, cx: &mut Context) {
        if self.visited && self.rests_until.take_if(|until| *until <= cx.now.mono).is_some() {
            self.look(cx);
        }
    }

    /// Requests the documents of the selected knowledgebase, unless they are there.
    fn look(&mut self, cx: &mut Context) {
        self.rests_until = None;
        if let Some(id) = self.selected {
            self.loaded.look(id, cx);
        }
    }

    /// Requests what the pane shows.
    fn fetch(&mut self, cx: &mut Context) {
        cx.data.fetch(Item::Knowledgebases, &mut cx.tasks, cx.now);
        cx.data.all_assistants.fetch(&mut cx.tasks, cx.now);
        self.known.refresh(cx);
        if let Some(id) = self.selected {
            self.loaded.fetch(id, cx);
        }
        self.list_again(cx);
    }

    /// Requests the documents of knowledgebases that are being processed, to say when that ends.
    fn watch(&mut self, cx: &mut Context) {
        let is_processing = |base: &&Knowledgebase| base.status.known() == Some(&KnowledgebaseStatus::Processing);
        let ids: Vec<_> = self.bases.source.iter().filter(is_processing).map(Record::id).take(WATCHED_MAX).collect();
        for id in ids {
            if self.loaded.of(id).is_none() {
                self.loaded.fetch(id, cx);
            }
        }
    }

    /// Says what became of documents, whatever pane is on screen.
    fn tell(&self, id: i64, news: &News, cx: &mut Context) {
        if news.failed.is_empty() && (news.ready.is_empty() || news.processing > 0) {
            return;
        }
        let base = self.base_name(id);
        if news.failed.is_empty() {
            let what = if let [only] = &news.ready[..] { only.clone() } else { "all documents".to_owned() };
            cx.toast(format!("Ready: {what} of {base}"));
        } else {
            let names = news.failed.join(", ");
            cx.toast(format!("Failed: {names} of {base}; the server does not say why"));
        }
    }

    /// The lists of documents have changed: so have counts and states of their knowledgebases.
    fn documents_came(&mut self, (id, news): (i64, News), cx: &mut Context) {
        self.tell(id, &news, cx);
        self.documents_listed(id, cx);
        let listed = self.bases.source.iter().find(|base| base.id() == id);
        let counted = listed.and_then(|base| base.documents_count.known().copied());
        let differs = self.loaded.rows(id).is_some_and(|rows| Some(rows.len() as u64) != counted);
        if cx.data.knowledgebases.is_offered() && (differs || !news.failed.is_empty() || !news.ready.is_empty()) {
            cx.data.fetch(Item::Knowledgebases, &mut cx.tasks, cx.now);
        }
    }
}
