//! How panes were left, and how far conversations have been read.

use super::{Records, RecordsError};
use crate::sqlite::{execute, many};
use jiff::Timestamp;
use std::collections::BTreeMap;

/// Conversations for each profile of which it is stored how far they have been read; the oldest reads go first.
const READS_MAX: u32 = 20_000;

impl Records {
    pub(super) fn save_preference(&self, profile: &str, name: &str, value: &str) -> Result<(), RecordsError> {
        let save = "INSERT INTO preferences (profile, name, value) VALUES ($1, $2, $3) \
                    ON CONFLICT (profile, name) DO UPDATE SET value = EXCLUDED.value";
        self.write(|tx| Ok(execute(tx, save, (profile, name, value)).map(|_| ())?))
    }

    pub(super) fn preferences(&self, profile: &str) -> Result<BTreeMap<String, String>, RecordsError> {
        let sql = "SELECT name, value FROM preferences WHERE profile = $1";
        let all = self.with(|connection, _| {
            Ok::<_, RecordsError>(many(connection, sql, [profile], |row| Ok((row.get(0)?, row.get(1)?)))?)
        })?;
        Ok(all.into_iter().collect())
    }

    /// A conversation is never read less far than before.
    pub(super) fn save_read(
        &self,
        profile: &str,
        (conversation, messages): (&str, u64),
        now: Timestamp,
    ) -> Result<(), RecordsError> {
        let messages = i64::try_from(messages).unwrap_or(i64::MAX);
        self.write(|tx| {
            let save = "INSERT INTO reads (profile, conversation, messages, at) VALUES ($1, $2, $3, $4) \
                        ON CONFLICT (profile, conversation) DO UPDATE \
                        SET messages = MAX(reads.messages, EXCLUDED.messages), at = EXCLUDED.at";
            execute(tx, save, (profile, conversation, messages, now.as_microsecond()))?;
            let trim = "DELETE FROM reads WHERE profile = $1 AND at < \
                        (SELECT at FROM reads WHERE profile = $1 ORDER BY at DESC LIMIT 1 OFFSET $2)";
            execute(tx, trim, (profile, READS_MAX - 1))?;
            Ok(())
        })
    }

    pub(super) fn reads(&self, profile: &str) -> Result<Vec<(String, u64)>, RecordsError> {
        let sql = "SELECT conversation, messages FROM reads WHERE profile = $1";
        self.with(|connection, _| {
            Ok(many(connection, sql, [profile], |row| {
                Ok((row.get(0)?, u64::try_from(row.get::<_, i64>(1)?).unwrap_or_default()))
            })?)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_790_000_000 + second).unwrap()
    }

    #[test]
    fn reads_only_grow_and_belong_to_their_profile() {
        let records = Records::in_memory().unwrap();
        records.save_read("live", ("9f3c21aa", 7), at(1)).unwrap();
        records.save_read("live", ("9f3c21aa", 3), at(2)).unwrap();
        records.save_read("trial", ("9f3c21aa", 2), at(3)).unwrap();
        assert_eq!(records.reads("live").unwrap(), [("9f3c21aa".to_owned(), 7)]);
        assert_eq!(records.reads("trial").unwrap(), [("9f3c21aa".to_owned(), 2)]);
    }

    #[test]
    fn preferences_are_replaced_by_name() {
        let records = Records::in_memory().unwrap();
        for value in ["facts", "json"] {
            records.save_preference("live", "conversations.view", value).unwrap();
        }
        let expected = BTreeMap::from([("conversations.view".to_owned(), "json".to_owned())]);
        assert_eq!(records.preferences("live").unwrap(), expected);
        assert_eq!(records.preferences("trial").unwrap(), BTreeMap::new());
    }
}
