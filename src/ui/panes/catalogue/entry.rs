//! The rows of the pane: one shape for voices, providers, models and languages.

use crate::api::{Field, Language, Model, Provider, Voice};
use crate::ui::prelude::*;
use crate::ui::text::clean;
use std::borrow::Cow;

/// A part of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Part {
    #[default]
    Voices,
    Synthesizers,
    Transcribers,
    Models,
    Languages,
}

/// What the tabs of the parts say.
pub const TITLES: [&str; 5] = ["Voices", "Synthesizers", "Transcribers", "Models", "Languages"];

impl Part {
    /// In the order of their tabs.
    pub const ALL: [Self; 5] = [Self::Voices, Self::Synthesizers, Self::Transcribers, Self::Models, Self::Languages];

    /// The shared data it is made of.
    pub const fn items(self) -> &'static [Item] {
        match self {
            Self::Voices => &[Item::Voices],
            Self::Synthesizers => &[Item::Synthesizers],
            Self::Transcribers => &[Item::Transcribers],
            Self::Models => &[Item::LanguageModels, Item::MultimodalModels],
            Self::Languages => &[Item::Languages],
        }
    }

    /// Its entries; `voices` are those that are listed.
    pub fn entries(self, voices: &Remote<Vec<Voice>>, data: &Data) -> Vec<Entry> {
        let provider = |one: &Provider| Entry::plain(&one.id, &one.name, &one.code, "");
        match self {
            Self::Voices => all(voices, |voice| Entry::of_voice(voice, data)),
            Self::Synthesizers => all(&data.synthesizers, provider),
            Self::Transcribers => all(&data.transcribers, provider),
            Self::Models => {
                let model = |kind| move |one: &Model| Entry::plain(&one.id, &one.name, &one.code, kind);
                [all(&data.llms, model("language model")), all(&data.multimodal, model("multimodal"))].concat()
            }
            Self::Languages => all(&data.languages, |one: &Language| Entry::plain(&one.id, &one.name, &one.iso_2, "")),
        }
    }
}

fn all<T>(remote: &Remote<Vec<T>>, entry: impl Fn(&T) -> Option<Entry>) -> Vec<Entry> {
    remote.value().into_iter().flatten().filter_map(entry).collect()
}

/// A row; its texts are cleaned.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Entry {
    /// As other requests name it: `voice_id`, `llm_model_id` …
    pub id: i64,
    /// Name, code, type, language, gender, accent, age, provider: empty where the part has no such thing.
    pub texts: [String; 8],
    /// The URL of a voice's sample; http or https.
    pub preview: Option<String>,
    /// The names of outbound assistants that speak with this voice.
    pub used_by: Vec<String>,
}

fn text(field: &Field<String>) -> String {
    field.known().map(|text| clean(text).into_owned()).unwrap_or_default()
}

impl Entry {
    fn plain(id: &Field<i64>, name: &Field<String>, code: &Field<String>, kind: &str) -> Option<Self> {
        let mut texts: [String; 8] = Default::default();
        (texts[0], texts[1], texts[2]) = (text(name), text(code), kind.to_owned());
        Some(Self { id: *id.known()?, texts, ..Self::default() })
    }

    fn of_voice(voice: &Voice, data: &Data) -> Option<Self> {
        let mut entry = Self::plain(&voice.id, &voice.name, &Field::Missing, "")?;
        let optional = |field: &Field<Option<String>>| {
            field.known().and_then(Option::as_deref).map(|text| clean(text).into_owned()).unwrap_or_default()
        };
        let language = voice.language_id.known().map(|id| {
            let one = data.languages.value().into_iter().flatten().find(|one| one.id.known() == Some(id));
            one.map_or_else(|| format!("no. {id}"), |one| text(&one.name))
        });
        let provider = voice.synthesizer_provider_id.known().copied().flatten().map(|id| {
            let one = data.synthesizers.value().into_iter().flatten().find(|one| one.id.known() == Some(&id));
            one.map_or_else(|| format!("no. {id}"), |one| text(&one.name))
        });
        entry.texts[3] = language.unwrap_or_default();
        entry.texts[4] = text(&voice.gender);
        (entry.texts[5], entry.texts[6]) = (optional(&voice.accent), optional(&voice.age).replace('_', " "));
        entry.texts[7] = provider.unwrap_or_else(|| "multimodal model".to_owned());
        let url = voice.preview_url.known().map(|url| clean(url).into_owned());
        entry.preview = url.filter(|url| url.starts_with("https://") || url.starts_with("http://"));
        let assistants = data.assistants.value().into_iter().flatten();
        let speaks = assistants.filter(|one| one.voice_id.known() == Some(&entry.id));
        entry.used_by = speaks.map(|one| text(&one.name)).collect();
        Some(entry)
    }
}

const TEXT: Width = Width::Content { min: 0, max: 18 };

impl Record for Entry {
    type Id = (i64, String);
    const COLUMNS: &'static [Column<Self>] = &[
        text_column!("NAME", Width::Fill(12), 0, Some(0), |row| row.texts[0].as_str()),
        text_column!("CODE", TEXT, 2, Some(1), |row| row.texts[1].as_str()),
        text_column!("TYPE", TEXT, 3, Some(2), |row| row.texts[2].as_str()),
        text_column!("LANGUAGE", TEXT, 1, Some(3), |row| row.texts[3].as_str()),
        text_column!("GENDER", TEXT, 5, Some(4), |row| row.texts[4].as_str()),
        text_column!("ACCENT", TEXT, 6, Some(5), |row| row.texts[5].as_str()),
        text_column!("AGE", TEXT, 7, Some(6), |row| row.texts[6].as_str()),
        text_column!("PROVIDER", TEXT, 4, Some(7), |row| row.texts[7].as_str()),
        number_column!("ID", 0, |row| row.id),
    ];

    fn id(&self) -> Self::Id {
        (self.id, self.texts[2].clone())
    }

    fn fields(&self) -> Vec<Cow<'_, str>> {
        self.texts.iter().map(|text| text.as_str().into()).collect()
    }
}
