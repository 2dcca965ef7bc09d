//! What assistants are made from.

use super::integer;
use crate::api::{AssistantMode, Language, Model, ModelType, Provider, Voice};
use crate::service::openapi::{ErrorShape, Operation};

const TAG: &str = "Catalogue";
const OF_LANGUAGE: &str = "Only those for this language.";
const NO_LANGUAGE: &str = "There is no such language.";

/// `GET /user/assistants/voices`.
pub fn voices() -> Operation {
    Operation::spec(TAG, "listVoices", "List the voices that are public or the caller's own")
        .query_word::<AssistantMode>("mode", "Only those for assistants of this mode.")
        .query("language_id", OF_LANGUAGE, integer())
        .answers::<Vec<Voice>>(200, "The voices.")
        .refuses(422, ErrorShape::Validation, "There is no such mode or language.")
}

/// `GET /user/assistants/synthesizer-providers`.
pub fn synthesizer_providers() -> Operation {
    Operation::spec(TAG, "listSynthesizerProviders", "List who can make voices heard")
        .words("For pipeline and dualplex assistants. One that names none gets its language's default.")
        .query("language_id", OF_LANGUAGE, integer())
        .answers::<Vec<Provider>>(200, "The providers.")
        .refuses(422, ErrorShape::Validation, NO_LANGUAGE)
}

/// `GET /user/assistants/transcriber-providers`.
pub fn transcriber_providers() -> Operation {
    Operation::spec(TAG, "listTranscriberProviders", "List who can write down what is heard")
        .words("For pipeline assistants. One that names none gets its language's default.")
        .query("language_id", OF_LANGUAGE, integer())
        .answers::<Vec<Provider>>(200, "The providers.")
        .refuses(422, ErrorShape::Validation, NO_LANGUAGE)
}

/// `GET /user/assistants/models`.
pub fn models() -> Operation {
    Operation::spec(TAG, "listModels", "List the models of a type")
        .query_word::<ModelType>("type", "What they are for; `llm` where it is not given.")
        .answers::<Vec<Model>>(200, "The models.")
        .refuses(422, ErrorShape::Validation, "There is no such type.")
}

/// `GET /user/assistants/languages`.
pub fn languages() -> Operation {
    Operation::extension(TAG, "listLanguages", "List the languages").answers::<Vec<Language>>(200, "The languages.")
}
