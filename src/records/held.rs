//! What was confirmed and is held: on disk without its text, so that a program that dies loses nothing without a word.

use super::outbox::{SELECT, entry};
use super::runs::{HELD, WAITED};
use super::{Entry, Intent, Records, RecordsError, about};
use crate::messaging::{Outcome, Phone};
use crate::sqlite::{execute, try_many};
use jiff::Timestamp;
use rusqlite::{Connection, params};
use uuid::Uuid;

impl Records {
    /// Writes down that a message or a call was confirmed and is held.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn hold(&self, intent: &Intent, now: Timestamp) -> Result<(), RecordsError> {
        let Intent { id, profile, sender_id, sender, phone, name, .. } = intent;
        let (template, kind) = (intent.template(), if intent.is_call() { "call" } else { "message" });
        let person = Phone::plain(phone);
        self.with(|connection, run| {
            let sql = "INSERT INTO held (id, run, profile, kind, sender_id, sender, phone, person, name, template_id, \
                       template_name, began) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) \
                       ON CONFLICT DO NOTHING";
            let (template_id, template_name) = (template.map(|of| of.id), template.map(|of| &of.name));
            let values = params![
                id.to_string(),
                run.name(),
                profile,
                kind,
                sender_id,
                sender,
                phone,
                person,
                name,
                template_id,
                template_name,
                now.as_microsecond()
            ];
            execute(connection, sql, values)?;
            Ok(())
        })
    }

    /// It is held no longer, and its person knows: it was taken back, or is about to leave.
    ///
    /// # Errors
    /// Where that cannot be written.
    pub fn let_go(&self, id: Uuid) -> Result<(), RecordsError> {
        self.with(|connection, _| let_go(connection, id))
    }

    /// What was not sent with a profile since its program ended, the newest first. It is told once.
    ///
    /// # Errors
    /// Where it cannot be read, or that it was told cannot be written.
    pub fn died_unsent(&self, profile: &str, now: Timestamp) -> Result<Vec<Entry>, RecordsError> {
        let sql = format!(
            "SELECT {SELECT} FROM outbox WHERE profile = $1 AND state = 'not-sent' AND ended > $2 ORDER BY number DESC"
        );
        let told = format!("told {profile}");
        self.with_the_dead_buried(|connection| {
            let since = about::get(connection, &told)?.unwrap_or(0_i64);
            let mut entries = try_many(connection, &sql, (profile, since), entry)?;
            entries.retain(|entry| {
                matches!(&entry.outcome, Some(Outcome::NotSent(why)) if [HELD, WAITED].contains(&why.words.as_str()))
            });
            about::set(connection, &told, now.as_microsecond().max(since))?;
            Ok(entries)
        })
    }
}

/// Takes one out.
pub(super) fn let_go(connection: &Connection, id: Uuid) -> Result<(), RecordsError> {
    execute(connection, "DELETE FROM held WHERE id = $1", [id.to_string()])?;
    Ok(())
}

/// Moves what a dead program held to the outbox: it was not sent, as `outcome` says.
pub(super) fn bury(connection: &Connection, run: &str, outcome: &str, now: Timestamp) -> Result<(), RecordsError> {
    let sql = "INSERT INTO outbox (id, run, profile, kind, sender_id, sender, phone, person, name, template_id, \
               template_name, began, ended, state, outcome) \
               SELECT id, run, profile, kind, sender_id, sender, phone, person, name, template_id, template_name, began, \
               $1, 'not-sent', $2 FROM held WHERE run = $3 ORDER BY began ON CONFLICT DO NOTHING";
    execute(connection, sql, (now.as_microsecond(), outcome, run))?;
    execute(connection, "DELETE FROM held WHERE run = $1", [run])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::tests::intent;
    use crate::records::{Begun, Departing};

    #[test]
    fn what_a_killed_program_held_was_not_sent_and_is_told_once() {
        let home = tempfile::tempdir().unwrap();
        let records = Records::open(home.path()).unwrap();
        for id in 1..=4 {
            records.hold(&Intent { text: Some("Hello.".to_owned()), ..intent(id) }, Timestamp::now()).unwrap();
        }
        let profile = &intent(1).profile;
        let died = |records: &Records| -> Vec<Uuid> {
            let found = records.died_unsent(profile, Timestamp::now()).unwrap();
            assert!(found.iter().all(|entry| entry.was_not_sent() && entry.intent.text.is_none()), "{found:?}");
            found.iter().map(|entry| entry.intent.id).collect()
        };
        let no_one: [Uuid; 0] = [];
        // The first has left, the second was taken back, the third waits, the fourth is held.
        let begun = records.begin(&Departing::again(&intent(1), "ada"), Timestamp::now()).unwrap();
        assert_eq!(begun, Begun::Recorded(intent(1).id));
        records.let_go(intent(2).id).unwrap();
        let _begun = records.begin(&Departing::again(&intent(3), "ada"), Timestamp::now()).unwrap();
        records.waits(intent(3).id, true).unwrap();
        let other = Records::open(home.path()).unwrap();
        assert_eq!(died(&other), no_one, "its program runs");
        assert_eq!(other.entry(intent(4).id).unwrap(), None);
        drop(records);
        // Another program may have found it first.
        assert_eq!(other.outbox(None, 9).unwrap().len(), 3);
        let next = Records::open(home.path()).unwrap();
        assert_eq!(died(&next), [intent(4).id, intent(3).id]);
        assert_eq!(died(&next), no_one);
        let begun = next.begin(&Departing::again(&intent(4), "ada"), Timestamp::now()).unwrap();
        assert!(matches!(begun, Begun::Recorded(id) if id != intent(4).id), "it can be sent: {begun:?}");
    }
}
