//! What several panes need of the server, once: requested when somebody first wants it, read through the context.

use super::health::Freshness;
use super::message::Moment;
use super::pane::{Tasks, View};
use super::remote::Remote;
use super::widgets::state::State;
use crate::api::{
    Account, Assistant, CatalogueQuery, Knowledgebase, Language, Model, ModelType, OutboundAssistant, Page, PageQuery,
    PageRef, Provider, Rows, Sender, Tool, Voice, rules,
};
use crate::client::{Reply, Request};
use crate::messaging::Charges;
use crate::tasks::{Origin, Report};

/// The name under which shared data is requested.
pub const NAME: &str = "data";

macro_rules! data {
    ($($(#[$doc:meta])* $item:ident $field:ident: $type:ty = $request:expr, $read:path;)+) => {
        /// A part of the shared data.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Item { $($(#[$doc])* $item),+ }

        /// The shared data.
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct Data {
            /// The id of the API key in use; `None` where the token does not contain it.
            pub key_id: Option<i64>,
            /// What the server charges for messages, where that is known.
            pub charges: Option<Charges>,
            /// All assistants, where the server has the full list.
            pub all_assistants: AllAssistants,
            $($(#[$doc])* pub $field: Remote<$type>),+
        }

        impl Data {
            /// Requests this, unless it is there or in flight.
            pub fn want(&mut self, item: Item, tasks: &mut Tasks, now: Moment) {
                match item { $(Item::$item => self.$field.want($request, Origin::new(NAME), tasks, now)),+ }
            }

            /// Requests this now.
            pub fn fetch(&mut self, item: Item, tasks: &mut Tasks, now: Moment) {
                match item { $(Item::$item => self.$field.fetch($request, Origin::new(NAME), tasks, now)),+ }
            }

            /// What stands in place of this; `None` once it has come. `what` begins a sentence: "The voices".
            pub fn state<'a>(&'a self, item: Item, what: &str, view: &'a View<'_>) -> Option<State<'a>> {
                match item { $(Item::$item => self.$field.state(what, view)),+ }
            }

            /// Takes a reply.
            pub fn reply(&mut self, report: Report, tasks: &mut Tasks, now: Moment) {
                let report = self.all_assistants.reply(report, tasks, now);
                $(let report = report.and_then(|report| self.$field.reply(report, $read, now));)+
                // A reply that nobody awaits any more is dropped.
                drop(report);
            }
        }
    };
}

data! {
    /// The account of the token, with its balance.
    Account account: Account = Request::GetAccount, Reply::get_account;
    /// The outbound assistants.
    Assistants assistants: Rows<OutboundAssistant> = Request::ListOutboundAssistants, Reply::list_outbound_assistants;
    /// The numbers to send from.
    Senders senders: Rows<Sender> = Request::ListSenders, Reply::list_senders;
    /// All voices.
    Voices voices: Rows<Voice> = Request::ListVoices { query: CatalogueQuery::default() }, Reply::list_voices;
    /// The providers that make speech.
    Synthesizers synthesizers: Rows<Provider> =
        Request::ListSynthesizerProviders { query: CatalogueQuery::default() }, Reply::list_synthesizer_providers;
    /// The providers that understand speech.
    Transcribers transcribers: Rows<Provider> =
        Request::ListTranscriberProviders { query: CatalogueQuery::default() }, Reply::list_transcriber_providers;
    /// The language models.
    LanguageModels llms: Rows<Model> = Request::ListModels { kind: ModelType::Llm }, Reply::list_models;
    /// The multimodal models.
    MultimodalModels multimodal: Rows<Model> = Request::ListModels { kind: ModelType::Multimodal }, Reply::list_models;
    /// The mid call tools.
    Tools tools: Rows<Tool> = Request::ListTools, Reply::list_tools;
    /// The knowledgebases.
    Knowledgebases knowledgebases: Rows<Knowledgebase> = Request::ListKnowledgebases, Reply::list_knowledgebases;
    /// The languages.
    Languages languages: Rows<Language> = Request::ListLanguages, Reply::list_languages;
}

/// All assistants, inbound ones too, in the pages in which the server lists them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AllAssistants {
    page: Remote<Page<Assistant>>,
    /// Those of the pages so far, while more are to come.
    collected: Vec<Assistant>,
    all: Option<Vec<Assistant>>,
}

impl AllAssistants {
    /// All of them as they last came; `None` before, and where the server has no such list.
    pub fn value(&self) -> Option<&[Assistant]> {
        self.all.as_deref()
    }

    /// Requests them, unless they are there or in flight.
    pub fn want(&mut self, tasks: &mut Tasks, now: Moment) {
        if self.page.value().is_none() && self.page.failure().is_none() {
            self.fetch(tasks, now);
        }
    }

    /// Requests them now.
    pub fn fetch(&mut self, tasks: &mut Tasks, now: Moment) {
        self.collected.clear();
        self.fetch_page(PageRef::Number(1), tasks, now);
    }

    fn fetch_page(&mut self, page: PageRef, tasks: &mut Tasks, now: Moment) {
        let query = PageQuery { per_page: rules::PER_PAGE_MAX, page };
        self.page.fetch(Request::ListAssistants { query }, Origin::new(NAME), tasks, now);
    }

    fn reply(&mut self, report: Report, tasks: &mut Tasks, now: Moment) -> Option<Report> {
        let came = report.result.is_ok();
        if let Some(report) = self.page.reply(report, Reply::list_assistants, now) {
            return Some(report);
        }
        if let Some(page) = self.page.value().filter(|_| came) {
            self.collected.extend_from_slice(page.rows());
            match page.next() {
                Some(next) => self.fetch_page(next, tasks, now),
                None => self.all = Some(std::mem::take(&mut self.collected)),
            }
        }
        None
    }

    /// False where the server has no such list.
    pub fn is_offered(&self) -> bool {
        self.page.is_offered()
    }

    /// True where the server has no such list, or did not give it.
    pub fn is_missing(&self) -> bool {
        !self.is_offered() || self.page.failure().is_some()
    }

    /// What stands in their place; `None` once they are there. `what` begins a sentence.
    pub fn state<'a>(&'a self, what: &'a str, view: &'a View<'_>) -> Option<State<'a>> {
        if self.all.is_some() { None } else { self.page.state(what, view) }
    }

    /// How fresh they are.
    pub fn freshness(&self) -> Freshness<'_> {
        self.page.freshness()
    }

    /// Replaces one of them, as after a write whose reply told the new one.
    pub fn update(&mut self, change: impl FnOnce(&mut Vec<Assistant>)) {
        if let Some(all) = &mut self.all {
            change(all);
        }
    }
}
