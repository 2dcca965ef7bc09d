//! What several panes need of the server, once: requested when somebody first wants it, read through the context.

use super::message::Moment;
use super::pane::{Tasks, View};
use super::remote::Remote;
use super::widgets::state::State;
use crate::api::{Account, CatalogueQuery, Language, Model, ModelType, OutboundAssistant, Provider, Voice};
use crate::client::{Reply, Request};
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
            pub fn reply(&mut self, report: Report, now: Moment) {
                let report = Some(report);
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
    Assistants assistants: Vec<OutboundAssistant> = Request::ListOutboundAssistants, Reply::list_outbound_assistants;
    /// All voices.
    Voices voices: Vec<Voice> = Request::ListVoices { query: CatalogueQuery::default() }, Reply::list_voices;
    /// The providers that make speech.
    Synthesizers synthesizers: Vec<Provider> =
        Request::ListSynthesizerProviders { query: CatalogueQuery::default() }, Reply::list_synthesizer_providers;
    /// The providers that understand speech.
    Transcribers transcribers: Vec<Provider> =
        Request::ListTranscriberProviders { query: CatalogueQuery::default() }, Reply::list_transcriber_providers;
    /// The language models.
    LanguageModels llms: Vec<Model> = Request::ListModels { kind: ModelType::Llm }, Reply::list_models;
    /// The multimodal models.
    MultimodalModels multimodal: Vec<Model> = Request::ListModels { kind: ModelType::Multimodal }, Reply::list_models;
    /// The languages.
    Languages languages: Vec<Language> = Request::ListLanguages, Reply::list_languages;
}
