//! What assistants are made from (spec: Voice, Synthesizer provider / transcriber provider, Model, Language).

use super::query::Query;
use super::words::wire_words;
use super::{AssistantMode, Field};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Filters of the voices and the providers; the empty one lists all.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct CatalogueQuery {
    /// Voices only: those for assistants of this mode.
    pub mode: Option<AssistantMode>,
    /// Those for this language.
    pub language_id: Option<i64>,
}

impl Query for CatalogueQuery {
    fn pairs(&self) -> Vec<(&'static str, String)> {
        let mode = self.mode.as_ref().map(|mode| ("mode", mode.as_str().to_owned()));
        let language = self.language_id.map(|id| ("language_id", id.to_string()));
        mode.into_iter().chain(language).collect()
    }
}

impl Query for ModelType {
    fn pairs(&self) -> Vec<(&'static str, String)> {
        vec![("type", self.as_str().to_owned())]
    }
}

/// A row of `GET /user/assistants/voices`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Voice {
    /// Used as `voice_id`.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub id: Field<i64>,
    /// What it is called.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub name: Field<String>,
    /// The language it speaks.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub language_id: Field<i64>,
    /// `male` or `female`.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub gender: Field<String>,
    /// URL of a sample.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub preview_url: Field<String>,
    /// Where it sounds to be from.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub accent: Field<Option<String>>,
    /// How old it sounds.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub age: Field<Option<String>>,
    /// Who makes it heard; none for the voices of multimodal models.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub synthesizer_provider_id: Field<Option<i64>>,
    /// Fields that the spec does not name, as they came.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A row of `GET /user/assistants/synthesizer-providers` and `…/transcriber-providers`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Provider {
    /// Used as `synthesizer_provider_id` or `transcriber_provider_id`.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub id: Field<i64>,
    /// What it is called.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub name: Field<String>,
    /// Its short name.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub code: Field<String>,
    /// Fields that the spec does not name, as they came.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

wire_words! {
    /// What a list of models is for.
    ModelType {
        /// Language models of pipeline assistants.
        Llm = "llm",
        /// Models of multimodal assistants.
        Multimodal = "multimodal",
        /// Models of dualplex assistants.
        Dualplex = "dualplex",
    }
}

/// A row of `GET /user/assistants/models`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Model {
    /// Used as `llm_model_id` or `multimodal_model_id`.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub id: Field<i64>,
    /// What it is called.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub name: Field<String>,
    /// Its short name; language models have none.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[schemars(extend("x-presence" = "on multimodal models"))]
    pub code: Field<String>,
    /// Fields that the spec does not name, as they came.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A row of `GET /user/assistants/languages`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Language {
    /// Used as `language_id`.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub id: Field<i64>,
    /// Its English name.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub name: Field<String>,
    /// Its code of two letters.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub iso_2: Field<String>,
    /// Fields that the spec does not name, as they came.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}
