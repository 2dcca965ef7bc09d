//! Voices, providers, models and languages: what assistants are made from.

use super::filter::Where;
use super::{Store, StoreError, many, one};
use crate::api::{AssistantMode, Language, Model, ModelType, Provider, Voice};
use rusqlite::{Connection, OptionalExtension, Row};

impl Store {
    /// The voices that are public or a user's own. Voices of multimodal models have no synthesizer, those of the other
    /// modes have one.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn voices(
        &self,
        user_id: i64,
        mode: Option<&AssistantMode>,
        language_id: Option<i64>,
    ) -> Result<Vec<Voice>, StoreError> {
        let clause = Where::default()
            .and("COALESCE(user_id, $1) =", user_id)
            .and_if("language_id =", language_id)
            .and_if("(synthesizer_provider_id IS NULL) =", mode.map(|mode| *mode == AssistantMode::Multimodal))
            .text(" ORDER BY id /* scans: some dozens of voices */");
        let sql = format!(
            "SELECT id, name, language_id, gender, preview_url, accent, age, synthesizer_provider_id FROM voices{}",
            clause.sql()
        );
        self.read(|reader| {
            Ok(many(reader, &sql, clause.params(), |row| {
                Ok(Voice {
                    id: row.get::<_, i64>(0)?.into(),
                    name: row.get::<_, String>(1)?.into(),
                    language_id: row.get::<_, i64>(2)?.into(),
                    gender: row.get::<_, String>(3)?.into(),
                    preview_url: row.get::<_, String>(4)?.into(),
                    accent: row.get::<_, Option<String>>(5)?.into(),
                    age: row.get::<_, Option<String>>(6)?.into(),
                    synthesizer_provider_id: row.get::<_, Option<i64>>(7)?.into(),
                    ..Voice::default()
                })
            })?)
        })
    }

    /// All synthesizers, or those of one language.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn synthesizer_providers(&self, language_id: Option<i64>) -> Result<Vec<Provider>, StoreError> {
        self.providers("synthesizer_providers", "synthesizer_languages", language_id)
    }

    /// All transcribers, or those of one language.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn transcriber_providers(&self, language_id: Option<i64>) -> Result<Vec<Provider>, StoreError> {
        self.providers("transcriber_providers", "transcriber_languages", language_id)
    }

    fn providers(&self, table: &str, languages: &str, language_id: Option<i64>) -> Result<Vec<Provider>, StoreError> {
        let (join, order) = match language_id {
            Some(_) => (format!(" JOIN {languages} AS l ON l.provider_id = p.id"), " ORDER BY l.provider_id"),
            None => (String::new(), " ORDER BY p.id /* scans: a few providers */"),
        };
        let clause = Where::default().and_if("l.language_id =", language_id).text(order);
        let sql = format!("SELECT p.id, p.name, p.code FROM {table} AS p{join}{}", clause.sql());
        self.read(|reader| {
            Ok(many(reader, &sql, clause.params(), |row| {
                Ok(Provider {
                    id: row.get::<_, i64>(0)?.into(),
                    name: row.get::<_, String>(1)?.into(),
                    code: row.get::<_, String>(2)?.into(),
                    ..Provider::default()
                })
            })?)
        })
    }

    /// The models of a type.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn models(&self, kind: &ModelType) -> Result<Vec<Model>, StoreError> {
        let named = |row: &Row<'_>| {
            let (id, name): (i64, String) = (row.get(0)?, row.get(1)?);
            Ok(Model { id: id.into(), name: name.into(), ..Model::default() })
        };
        self.read(|reader| match kind {
            ModelType::Llm => {
                Ok(many(reader, "SELECT id, name FROM llm_models ORDER BY id /* scans: a few models */", [], named)?)
            }
            other => Ok(many(
                reader,
                "SELECT id, name, code FROM multimodal_models WHERE mode = $1 ORDER BY id /* scans: a few models */",
                [other.as_str()],
                |row| Ok(Model { code: row.get::<_, String>(2)?.into(), ..named(row)? }),
            )?),
        })
    }

    /// All languages.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn languages(&self) -> Result<Vec<Language>, StoreError> {
        self.read(|reader| {
            Ok(many(
                reader,
                "SELECT id, name, iso_2 FROM languages ORDER BY id /* scans: all languages */",
                [],
                language,
            )?)
        })
    }

    /// Whether there is this language.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn has_language(&self, id: i64) -> Result<bool, StoreError> {
        self.read(|reader| Ok(exists(reader, "SELECT 1 FROM languages WHERE id = $1", [id])?))
    }
}

fn language(row: &Row<'_>) -> rusqlite::Result<Language> {
    Ok(Language {
        id: row.get::<_, i64>(0)?.into(),
        name: row.get::<_, String>(1)?.into(),
        iso_2: row.get::<_, String>(2)?.into(),
        ..Language::default()
    })
}

/// Whether a statement finds a row.
pub(super) fn exists(connection: &Connection, sql: &str, params: impl rusqlite::Params) -> rusqlite::Result<bool> {
    Ok(one(connection, sql, params, |_| Ok(())).optional()?.is_some())
}

/// The parts of the catalogue that an assistant begins with where nobody has chosen: those of a language and a mode.
#[derive(Debug, Clone, Copy)]
pub(super) struct FirstChoice {
    pub(super) language: i64,
    pub(super) voice: i64,
    pub(super) llm_model: Option<i64>,
    pub(super) multimodal_model: Option<i64>,
}

impl FirstChoice {
    pub(super) fn of(connection: &Connection, iso_2: &str, mode: &AssistantMode) -> rusqlite::Result<Self> {
        let id = |sql: &str, params: &[&dyn rusqlite::ToSql]| one(connection, sql, params, |row| row.get(0));
        let language: i64 = id("SELECT id FROM languages WHERE iso_2 = $1", &[&iso_2])?;
        let multimodal = *mode == AssistantMode::Multimodal;
        let voice = id(
            "SELECT MIN(id) FROM voices WHERE user_id IS NULL AND language_id = $1 \
             AND (synthesizer_provider_id IS NULL) = $2 /* scans: some dozens of voices */",
            &[&language, &multimodal],
        )?;
        let (llm_model, multimodal_model) = match mode {
            AssistantMode::Pipeline => {
                (Some(id("SELECT MIN(id) FROM llm_models /* scans: a few models */", &[])?), None)
            }
            other => (
                None,
                Some(id(
                    "SELECT MIN(id) FROM multimodal_models WHERE mode = $1 /* scans: a few models */",
                    &[&other.as_str()],
                )?),
            ),
        };
        Ok(Self { language, voice, llm_model, multimodal_model })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Field;
    use crate::service::simulation;
    use crate::service::store::{Data, execute};

    #[test]
    fn a_voice_of_ones_own_is_seen_by_nobody_else() {
        let store = Store::open(&Data::Memory).unwrap();
        store
            .write(|tx| {
                for id in [1_i64, 2] {
                    let user = "INSERT INTO users (id, email, kind, balance_micros, tool_limit, is_simulated, created_at) \
                                VALUES ($1, $2, 'tenant', 0, 5, FALSE, 0)";
                    execute(tx, user, (id, format!("{id}@b.c")))?;
                }
                let voice = "INSERT INTO voices VALUES (99, 1, 'Mine', 1, 'female', 'https://a.b', NULL, NULL, NULL)";
                execute(tx, voice, [])?;
                Ok(())
            })
            .unwrap();
        let names = |user_id| -> Vec<_> {
            store.voices(user_id, None, None).unwrap().into_iter().map(|voice| voice.name).collect()
        };
        let mine = Field::Known("Mine".to_owned());
        assert!(names(1).contains(&mine) && !names(2).contains(&mine));
    }

    #[test]
    fn there_is_a_first_choice_for_every_language_of_the_simulation_and_every_mode() {
        let store = Store::open(&Data::Memory).unwrap();
        for zone in ["UTC", "Europe/Berlin", "Asia/Tokyo", "Asia/Dubai", "Asia/Kolkata", "Asia/Seoul", "Europe/Rome"] {
            for mode in AssistantMode::KNOWN {
                let code = simulation::language_code(zone);
                let choice = store.read(|reader| Ok(FirstChoice::of(reader, code, mode)?)).unwrap();
                assert!(choice.llm_model.is_some() != choice.multimodal_model.is_some(), "{zone} {mode:?}");
            }
        }
    }
}
