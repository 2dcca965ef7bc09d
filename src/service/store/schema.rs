//! The versions of the schema. A released version is never changed: what is new is appended.

use super::StoreError;
use super::bulk::SORTING_KIB;
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
    include_str!("sql/0011_list_counts.sql"),
    include_str!("sql/0012_indexes.sql"),
    include_str!("sql/0013_silences.sql"),
];

/// Brings the schema to the newest version.
pub(super) fn migrate(writer: &mut Connection) -> Result<(), StoreError> {
    let cache: i64 = writer.pragma_query_value(None, "cache_size", |row| row.get(0))?;
    // A version that counts or indexes what there is sorts it.
    writer.pragma_update(None, "cache_size", -SORTING_KIB)?;
    sqlite::migrate(writer, VERSIONS)?;
    Ok(writer.pragma_update(None, "cache_size", cache)?)
}

/// Why a database is another program's; `None` for one of ours or an empty one.
pub(super) fn mismatch(connection: &Connection, application_id: i64) -> Result<Option<String>, sqlite::MigrationError> {
    sqlite::schema_mismatch(connection, application_id, VERSIONS)
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

    /// User, narrowing, level, stretch, day and count.
    type Counted = (i64, String, i64, i64, i64, i64);

    #[test]
    fn conversations_and_calls_of_an_older_version_are_counted() {
        let mut connection = Connection::open_in_memory().unwrap();
        sqlite::migrate(&mut connection, &VERSIONS[..10]).unwrap();
        connection
            .execute_batch(
                "INSERT INTO users (id, email, kind, balance_micros, tool_limit, is_simulated, created_at, name) \
                 VALUES (1, 'a@b.c', 'tenant', 0, 5, FALSE, 0, 'A'); \
                 INSERT INTO assistants VALUES (12, x'01', 1, 'A', 'chat', 'pipeline', 'active', 1, 1, 'UTC', '', '', \
                 '{}', NULL, FALSE, 0, 0, NULL, NULL, NULL, '{}', NULL); \
                 INSERT INTO knowledgebases VALUES (1, 1, 'K', NULL, 0, 0), (2, 1, 'L', NULL, 0, 0); \
                 INSERT INTO documents VALUES (1, 1, 'D', NULL, 'pdf', 'active', 0, 0, 0); \
                 INSERT INTO conversations (id, uuid, user_id, assistant_id, type, message_count, total_cost_micros, \
                 ai_enabled, created_at, updated_at) VALUES \
                 (1, x'02', 1, 12, 'api', 1, 0, TRUE, -1, 5), (2, x'03', 1, 12, 'widget', 1, 0, TRUE, -1, -1); \
                 INSERT INTO calls (id, user_id, assistant_id, type, status, client_phone_number, variables, outcome, \
                 talk_seconds, duration, transcript, evaluation, carrier_cost_micros, total_cost_micros, created_at, \
                 updated_at) VALUES (65600, 1, 12, 'web', 'busy', '+1', '', 'busy', 0, 0, '', '', 0, 0, 86400000000, 0)",
            )
            .unwrap();
        migrate(&mut connection).unwrap();
        let counts = |list: i64, level: i64| -> Vec<Counted> {
            connection
                .prepare(
                    "SELECT user_id, narrowing, level, stretch, created_day, count FROM list_counts \
                          WHERE list = $1 AND level = $2 ORDER BY narrowing, stretch, created_day",
                )
                .unwrap()
                .query_map([list, level], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
                })
                .unwrap()
                .collect::<Result<_, _>>()
                .unwrap()
        };
        for level in [0, 1] {
            let of = |narrowing: &str, stretch| (1, narrowing.to_owned(), level, stretch, -1, 1);
            assert_eq!(
                counts(1, level),
                [
                    of("/", -1),
                    of("/", 0),
                    of("/api", 0),
                    of("/widget", -1),
                    of("12/", -1),
                    of("12/", 0),
                    of("12/api", 0),
                    of("12/widget", -1)
                ]
            );
            let narrowings = ["//", "//busy", "/web/", "/web/busy", "12//", "12//busy", "12/web/", "12/web/busy"];
            let stretch = if level == 0 { 1 } else { 64 };
            assert_eq!(counts(2, level), narrowings.map(|words| (1, words.to_owned(), level, stretch, 1, 1)));
        }
        let documents: Vec<i64> = connection
            .prepare("SELECT documents_count FROM knowledgebases ORDER BY id")
            .unwrap()
            .query_map([], |row| row.get(0))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        assert_eq!(documents, [1, 0]);
    }

    #[test]
    fn migrating_twice_changes_nothing() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection).unwrap();
        migrate(&mut connection).unwrap();
        assert_eq!(sqlite::version(&connection).unwrap(), VERSIONS.len());
    }
}
