//! The versions of the schema. A released version is never changed: what is new is appended.

use super::StoreError;
use crate::sqlite;
use rusqlite::Connection;

const VERSIONS: &[&str] = &[
    include_str!("sql/0001_first.sql"),
    include_str!("sql/0002_messaging.sql"),
    concat!(include_str!("sql/0003_resources.sql"), include_str!("sql/0003_catalogue.sql")),
    include_str!("sql/0004_events.sql"),
    include_str!("sql/0005_counts.sql"),
    include_str!("sql/0006_chats.sql"),
    include_str!("sql/0007_slots.sql"),
    include_str!("sql/0008_ended_deliveries.sql"),
    include_str!("sql/0009_leases.sql"),
    include_str!("sql/0010_reserved.sql"),
];

/// Brings the schema to the newest version.
pub(super) fn migrate(writer: &mut Connection) -> Result<(), StoreError> {
    Ok(sqlite::migrate(writer, VERSIONS)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_from_the_future_is_refused() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.pragma_update(None, "user_version", 99).unwrap();
        assert!(matches!(migrate(&mut connection), Err(StoreError::TooNew { found: 99, .. })));
    }

    #[test]
    fn assistants_of_the_first_version_get_a_voice_and_a_model_of_the_catalogue() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(VERSIONS[0]).unwrap();
        connection.pragma_update(None, "user_version", 1).unwrap();
        connection.execute_batch("INSERT INTO users VALUES (1, 'a@b.c', 'tenant', 0, 5, FALSE, 0)").unwrap();
        for (id, mode) in ["pipeline", "multimodal", "dualplex"].iter().enumerate() {
            let insert = "INSERT INTO assistants VALUES ($1, $1, 1, 'Name', 'outbound', $2, 'active', 1, 1, 'UTC', '', '', \
                          '{}', NULL, FALSE, 0, 0)";
            connection.execute(insert, (i64::try_from(id).unwrap(), mode)).unwrap();
        }
        migrate(&mut connection).unwrap();
        let mut statement = connection
            .prepare(
                "SELECT a.mode, v.synthesizer_provider_id IS NULL, a.settings FROM assistants AS a \
                 JOIN voices AS v ON v.id = a.voice_id AND v.language_id = a.language_id ORDER BY a.id",
            )
            .unwrap();
        let found: Vec<(String, bool, String)> = statement
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        let of = |mode: &str, multimodal, settings: &str| (mode.to_owned(), multimodal, settings.to_owned());
        assert_eq!(
            found,
            [
                of("pipeline", false, r#"{"llm_model_id":1}"#),
                of("multimodal", true, r#"{"multimodal_model_id":1}"#),
                of("dualplex", false, r#"{"multimodal_model_id":4}"#),
            ]
        );
    }

    #[test]
    fn a_database_of_the_first_version_is_brought_up_to_date_with_its_data() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(VERSIONS[0]).unwrap();
        connection.pragma_update(None, "user_version", 1).unwrap();
        connection
            .execute_batch(
                "INSERT INTO users VALUES (1, 'a@b.c', 'tenant', 0, 5, FALSE, 0); \
                 INSERT INTO assistants VALUES (1, x'01', 1, 'A', 'chat', 'pipeline', 'active', 1, 1, 'UTC', '', '', \
                 '{}', NULL, FALSE, 0, 0); \
                 INSERT INTO senders VALUES (1, 1, 1, '+14155550100', 'S', 'online'); \
                 INSERT INTO conversations VALUES (1, x'02', 1, 1, 1, NULL, '+14155550101', 'msgapp', 1, 0, TRUE, 5, 7, NULL), \
                 (2, x'03', 1, 1, NULL, NULL, NULL, 'api', 1, 0, TRUE, 5, 7, NULL);",
            )
            .unwrap();
        migrate(&mut connection).unwrap();
        let windows: Vec<Option<i64>> = connection
            .prepare("SELECT window_from FROM conversations ORDER BY id")
            .unwrap()
            .query_map([], |row| row.get(0))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        assert_eq!(windows, [Some(7), None]);
        let name: String = connection.query_row("SELECT name FROM users", [], |row| row.get(0)).unwrap();
        assert_eq!(name, "a@b.c");
    }

    #[test]
    fn migrating_twice_changes_nothing() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection).unwrap();
        migrate(&mut connection).unwrap();
        assert_eq!(sqlite::version(&connection).unwrap(), VERSIONS.len());
    }
}
