//! What the catalogue offers for a mode and a language.

use super::fields::{Catalogue, Values, items, pairs, value};
use super::form::voice;
use crate::api::{AssistantMode, CatalogueQuery, Model, ModelType, Provider, Rows, Voice};
use crate::ui::prelude::*;
use crate::ui::text::json_text;

/// Voices, providers and models that fit.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Offers {
    /// The mode and the language that they are for.
    of: Option<(String, Option<i64>)>,
    voices: Remote<Rows<Voice>>,
    synthesizers: Remote<Rows<Provider>>,
    transcribers: Remote<Rows<Provider>>,
    models: Remote<Rows<Model>>,
}

impl Offers {
    /// Requests what fits the mode and language of these values, unless it has.
    pub fn want(&mut self, values: &Values, cx: &mut Context) {
        let (mode, language_id) = (json_text(value(values, "mode")), value(values, "language_id").as_i64());
        let of = Some((mode.clone(), language_id));
        if mode.is_empty() || self.of == of {
            return;
        }
        self.of = of;
        let (origin, tasks, now) = (Origin::new(cx.pane.0), &mut cx.tasks, cx.now);
        let query = CatalogueQuery { mode: None, language_id };
        let voices = CatalogueQuery { mode: Some(AssistantMode::from(mode.as_str())), language_id };
        let kind = match mode.as_str() {
            "pipeline" => ModelType::Llm,
            "dualplex" => ModelType::Dualplex,
            _ => ModelType::Multimodal,
        };
        self.voices.fetch(Request::ListVoices { query: voices }, origin, tasks, now);
        self.synthesizers.fetch(Request::ListSynthesizerProviders { query: query.clone() }, origin, tasks, now);
        self.transcribers.fetch(Request::ListTranscriberProviders { query }, origin, tasks, now);
        self.models.fetch(Request::ListModels { kind }, origin, tasks, now);
    }

    /// Takes a reply; any other report comes back.
    pub fn reply(&mut self, report: Report, now: Moment) -> Option<Report> {
        let report = self.voices.reply(report, Reply::list_voices, now)?;
        let report = self.synthesizers.reply(report, Reply::list_synthesizer_providers, now)?;
        let report = self.transcribers.reply(report, Reply::list_transcriber_providers, now)?;
        self.models.reply(report, Reply::list_models, now)
    }

    /// What fits, as items of a picker; `None` where the whole catalogue is offered.
    pub fn items(&self, of: Catalogue) -> Option<Vec<Value>> {
        match of {
            Catalogue::Voice => Some(self.voices.value()?.iter().filter_map(voice).collect()),
            Catalogue::Synthesizer => self.synthesizers.value().map(|_| items(pairs(&self.synthesizers))),
            Catalogue::Transcriber => self.transcribers.value().map(|_| items(pairs(&self.transcribers))),
            Catalogue::Llm | Catalogue::Multimodal => self.models.value().map(|_| items(pairs(&self.models))),
            Catalogue::Language | Catalogue::Knowledgebase | Catalogue::Tool => None,
        }
    }

    /// Where a sample of a voice can be heard.
    pub fn preview(&self, voice_id: &str, data: &Data) -> Option<String> {
        let known = |all: Option<&Rows<Voice>>| {
            let all = all?.iter();
            let mut found = all.filter(|one| one.id.known().is_some_and(|id| id.to_string() == voice_id));
            found.next()?.preview_url.known().cloned()
        };
        known(self.voices.value()).or_else(|| known(data.voices.value())).filter(|url| url.starts_with("http"))
    }
}
