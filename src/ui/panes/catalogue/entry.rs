//! The rows of the pane: one shape for voices, providers, models and languages.

use crate::api::{Field, Language, Model, Provider, Rows, Voice};
use crate::ui::prelude::*;
use std::borrow::Cow;

/// The parts of the catalogue, as their tabs name them, and the shared data they are made of.
pub const PARTS: [&str; 5] = ["Voices", "Synthesizers", "Transcribers", "Models", "Languages"];
pub const ITEMS: [&[Item]; PARTS.len()] = [
    &[Item::Voices],
    &[Item::Synthesizers],
    &[Item::Transcribers],
    &[Item::LanguageModels, Item::MultimodalModels],
    &[Item::Languages],
];
/// The part that has filters, previews and assistants.
pub const VOICES: usize = 0;

/// The entries of each part; `voices` are those that are listed.
pub fn entries(voices: &Remote<Rows<Voice>>, data: &Data) -> [Rows<Entry>; PARTS.len()] {
    let provider = |one: &Provider| Entry::plain(&one.id, &one.name, &one.code, "");
    let model = |kind| move |one: &Model| Entry::plain(&one.id, &one.name, &one.code, kind);
    let (mut models, more) = (all(&data.llms, model("language model")), all(&data.multimodal, model("multimodal")));
    models.rows.extend(more.rows);
    models.unreadable.extend(more.unreadable);
    [
        all(voices, |voice| Entry::of_voice(voice, data)),
        all(&data.synthesizers, provider),
        all(&data.transcribers, provider),
        models,
        all(&data.languages, |one: &Language| Entry::plain(&one.id, &one.name, &one.iso_2, "")),
    ]
}

fn all<T>(remote: &Remote<Rows<T>>, entry: impl Fn(&T) -> Option<Entry>) -> Rows<Entry> {
    let Some(Rows { rows, unreadable }) = remote.value() else { return Rows::default() };
    Rows { rows: rows.iter().filter_map(entry).collect(), unreadable: unreadable.clone() }
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

/// The name of the one with this id, or its number.
pub fn named<T>(id: i64, list: &Remote<Rows<T>>, of: impl Fn(&T) -> (&Field<i64>, &Field<String>)) -> String {
    let one = list.value().into_iter().flatten().map(of).find(|(known, _)| known.known() == Some(&id));
    one.map_or_else(|| format!("no. {id}"), |(_, name)| text(name))
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
        let language = |id: &i64| named(*id, &data.languages, |one| (&one.id, &one.name));
        let provider = |id: i64| named(id, &data.synthesizers, |one| (&one.id, &one.name));
        entry.texts[3] = voice.language_id.known().map(language).unwrap_or_default();
        entry.texts[4] = text(&voice.gender);
        (entry.texts[5], entry.texts[6]) = (optional(&voice.accent), optional(&voice.age).replace('_', " "));
        let made_by = voice.synthesizer_provider_id.known().copied().flatten();
        entry.texts[7] = made_by.map_or_else(|| "multimodal model".to_owned(), provider);
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
    const NAME: &'static str = "entry";
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
