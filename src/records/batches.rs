//! The file of the last batch, and how many of its rows are left.

use super::guard::keyed_digest;
use super::{BatchOf, Records, RecordsError, TemplateName, Unfinished, files};
use crate::sqlite::{execute, many, moment, try_many};
use jiff::{SignedDuration, Timestamp};
use std::path::PathBuf;
use uuid::Uuid;

/// Files of earlier batches that are looked for.
const FILES_MAX: u32 = 20;
/// Older batches are not offered for resuming.
const LATELY: SignedDuration = SignedDuration::from_hours(24);

impl Records {
    /// Records that a batch begins or resumes, with this text of its template.
    pub(super) fn batch_begins(
        &self,
        profile: &str,
        of: &BatchOf,
        text: &str,
        now: Timestamp,
    ) -> Result<(), RecordsError> {
        let BatchOf { batch, sender_id, template, path, mapping, rows } = of;
        let unwritable = |_| RecordsError::Unreadable("mapping without a form in JSON");
        let mapping = serde_json::to_string(mapping).map_err(unwritable)?;
        // The next program may be started in another folder.
        let path = files::absolute(path);
        let rows = i64::try_from(*rows).unwrap_or(i64::MAX);
        self.write(|transaction| {
            let begin = "INSERT OR REPLACE INTO batches (batch, profile, sender_id, template_id, template_name, path, \
                         mapping, rows, began, text_digest) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
            let digest = keyed_digest(transaction, text)?;
            let TemplateName { id, name } = template;
            let (batch, path, now) = (batch.to_string(), path.to_string_lossy(), now.as_microsecond());
            execute(transaction, begin, (batch, profile, sender_id, id, name, path, mapping, rows, now, digest))?;
            Ok(())
        })
    }

    /// Whether a batch was last sent with another text of its template; false where that is not known.
    pub(super) fn is_other_text(&self, batch: Uuid, text: &str) -> Result<bool, RecordsError> {
        self.with(|connection, _| {
            let sql = "SELECT text_digest FROM batches WHERE batch = $1 AND text_digest IS NOT NULL";
            let known: Vec<Vec<u8>> = many(connection, sql, [batch.to_string()], |row| row.get(0))?;
            let digest = keyed_digest(connection, text)?;
            Ok(known.iter().any(|known| *known != digest))
        })
    }

    /// The last batch of the last 24 hours, if rows of it are left.
    pub(super) fn unfinished(&self, profile: &str, now: Timestamp) -> Result<Option<Unfinished>, RecordsError> {
        let last = "SELECT batch, sender_id, template_id, template_name, path, mapping, rows, began, \
                    (SELECT COUNT(DISTINCT line) FROM outbox WHERE outbox.batch = batches.batch \
                    AND state IS NOT 'not-sent' AND mark IS NOT 'not-sent') AS sent FROM batches \
                    WHERE profile = $1 AND began >= $2 ORDER BY began DESC LIMIT 1";
        let found = self.with(|connection, _| {
            try_many(connection, last, (profile, lately(now)), |row| {
                let odd = |_| RecordsError::Unreadable("batch");
                let batch = row.get::<_, String>("batch")?;
                let mapping = row.get::<_, String>("mapping")?;
                let of = BatchOf {
                    batch: Uuid::parse_str(&batch).map_err(|_| RecordsError::Unreadable("batch"))?,
                    sender_id: row.get("sender_id")?,
                    template: TemplateName { id: row.get("template_id")?, name: row.get("template_name")? },
                    path: row.get::<_, String>("path")?.into(),
                    mapping: serde_json::from_str(&mapping).map_err(|_| RecordsError::Unreadable("batch"))?,
                    rows: usize::try_from(row.get::<_, i64>("rows")?).map_err(odd)?,
                };
                let sent = usize::try_from(row.get::<_, i64>("sent")?).map_err(odd)?;
                Ok(Unfinished { left: of.rows.saturating_sub(sent), of, began: moment(row.get("began")?)? })
            })
        })?;
        // What another program is sending was not interrupted.
        Ok(found.into_iter().next().filter(|last| last.left > 0 && !self.is_claimed_elsewhere(last.of.batch)))
    }

    /// The files of the last batches that are still there, the newest first.
    pub(super) fn batch_files(&self, profile: &str) -> Result<Vec<PathBuf>, RecordsError> {
        let sql = "SELECT path FROM batches WHERE profile = $1 GROUP BY path ORDER BY MAX(began) DESC LIMIT $2";
        let paths: Vec<String> =
            self.with(|connection, _| Ok(many(connection, sql, (profile, FILES_MAX), |row| row.get(0))?))?;
        Ok(paths.into_iter().map(PathBuf::from).filter(|path| path.is_file()).collect())
    }
}

fn lately(now: Timestamp) -> i64 {
    now.checked_sub(LATELY).unwrap_or(Timestamp::MIN).as_microsecond()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messaging::batch::Mapping;
    use crate::records::{Content, Departing, Intent, RowOf, StorageRequest};

    #[test]
    fn the_last_batch_is_found_while_rows_of_it_are_left() {
        let records = Records::in_memory().unwrap();
        let now: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
        let template = TemplateName { id: 2, name: "reminder".to_owned() };
        let mapping = Mapping::guess(&["to".to_owned(), "date".to_owned()], &["date".to_owned()]);
        let (batch, path) = (Uuid::from_u128(9), "/lists/may.csv".into());
        let of = BatchOf { batch, sender_id: 1, template: template.clone(), path, mapping, rows: 2 };
        assert_eq!(records.unfinished("live", now).unwrap(), None);
        let text = "See you on {{1}}.".to_owned();
        records.store("live", &StorageRequest::SaveBatch { of: of.clone().into(), text: text.clone() }, now).unwrap();
        let sends = |line: u64| {
            let intent = Intent {
                id: Uuid::from_u128(u128::from(line)),
                profile: "live".to_owned(),
                sender_id: 1,
                sender: "+14155550100".to_owned(),
                phone: "+4930901820".to_owned(),
                name: None,
                content: Content::Template(template.clone()),
                row: Some(RowOf { batch, line }),
                before: None,
                text: None,
            };
            let _ = records.begin(&Departing::again(&intent, "ada"), now).unwrap();
        };
        sends(2);
        let day = now + SignedDuration::from_hours(24);
        assert_eq!(records.unfinished("live", day).unwrap(), Some(Unfinished { of, left: 1, began: now }));
        assert_eq!(records.unfinished("live", day + SignedDuration::from_secs(1)).unwrap(), None);
        assert_eq!(records.unfinished("other", now).unwrap(), None);
        sends(3);
        assert_eq!(records.unfinished("live", now).unwrap(), None);
    }

    #[test]
    fn what_another_program_is_sending_was_not_interrupted_and_looking_claims_nothing() {
        let home = tempfile::tempdir().unwrap();
        let [one, other] = [(); 2].map(|()| Records::open(home.path()).unwrap());
        let (now, path) = ("2026-11-21T12:00:00Z".parse().unwrap(), home.path().join("may.csv"));
        std::fs::write(&path, "to\n").unwrap();
        let of = BatchOf {
            batch: Uuid::from_u128(9),
            sender_id: 1,
            template: TemplateName { id: 2, name: "reminder".to_owned() },
            path: path.clone(),
            mapping: Mapping::guess(&["to".to_owned()], &[]),
            rows: 2,
        };
        one.store("live", &StorageRequest::SaveBatch { of: of.into(), text: String::new() }, now).unwrap();
        assert!(one.unfinished("live", now).unwrap().is_some(), "its own, which was stopped");
        assert_eq!(other.unfinished("live", now).unwrap(), None);
        assert_eq!(other.batch_files("live").unwrap(), std::slice::from_ref(&path));
        drop(one);
        assert!(other.unfinished("live", now).unwrap().is_some());
        Records::open(home.path()).unwrap().claim(Uuid::from_u128(9)).unwrap();
        std::fs::remove_file(path).unwrap();
        assert_eq!(other.batch_files("live").unwrap(), Vec::<PathBuf>::new());
    }

    #[test]
    fn another_text_of_a_template_is_told_from_the_same_for_as_long_as_the_batch_is_known() {
        let records = Records::in_memory().unwrap();
        let now: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
        let save = |batch, text: &str, now| {
            let of = BatchOf {
                batch: Uuid::from_u128(batch),
                sender_id: 1,
                template: TemplateName { id: 2, name: "reminder".to_owned() },
                path: "/lists/may.csv".into(),
                mapping: Mapping::guess(&["to".to_owned()], &[]),
                rows: 2,
            };
            records.store("live", &StorageRequest::SaveBatch { of: of.into(), text: text.to_owned() }, now).unwrap();
        };
        let is_other = |batch, text| records.is_other_text(Uuid::from_u128(batch), text).unwrap();
        assert!(!is_other(1, "See you."), "nothing is known");
        save(1, "See you.", now);
        save(2, "Good bye.", now + SignedDuration::from_hours(48));
        assert_eq!((is_other(1, "See you."), is_other(1, "Good bye."), is_other(2, "Good bye.")), (false, true, false));
        save(1, "Good bye.", now + SignedDuration::from_hours(49));
        assert!(!is_other(1, "Good bye."), "it went on with that");
    }
}
