//! What keeps the same message from reaching a person twice: before an intent is written, the outbox looks for an earlier
//! send, by whatever program and from whatever file.

use super::outbox::{SELECT, entry};
use super::{Content, Entry, Intent, Records, RecordsError};
use crate::messaging::Outcome;
use crate::sqlite::{one, try_many};
use jiff::{SignedDuration, Timestamp};
use ring::hmac;
use rusqlite::{Connection, Transaction};

/// How long the same text to the same person asks first, unless they have written since.
const TEXT: SignedDuration = SignedDuration::from_mins(10);
/// How long a second call by the same assistant to the same person asks first.
const CALL: SignedDuration = SignedDuration::from_mins(10);
/// How long a second code to the same person asks first.
const CODE: SignedDuration = SignedDuration::from_secs(60);

/// A send that is about to leave, as the outbox compares it with earlier ones.
#[derive(Debug, Clone)]
pub struct Departing<'a> {
    /// What is recorded.
    pub intent: &'a Intent,
    /// Who is charged.
    pub account: &'a str,
    /// The template's values or the text. `None` for a call and for an authentication template: a digest of a code is
    /// the code.
    pub content: Option<&'a str>,
    /// True where a person has confirmed it although something like it was sent lately.
    pub again: bool,
    /// How long the same template to the same person asks first.
    pub repeat: SignedDuration,
}

impl<'a> Departing<'a> {
    /// A send that a person has confirmed once more: nothing is asked of the outbox.
    pub fn again(intent: &'a Intent, account: &'a str) -> Self {
        Self { intent, account, content: None, again: true, repeat: SignedDuration::ZERO }
    }

    /// The digest of the content under the key of this database.
    pub(super) fn digest(&self, connection: &Connection) -> Result<Option<Vec<u8>>, RecordsError> {
        let Some(content) = self.content else { return Ok(None) };
        let key = key(connection)?;
        Ok(Some(hmac::sign(&key, content.as_bytes()).as_ref().to_vec()))
    }

    /// How long ago an earlier send still counts.
    fn span(&self) -> SignedDuration {
        match &self.intent.content {
            Content::Call => CALL,
            Content::Freeform => TEXT,
            Content::Template(_) if self.content.is_none() && self.intent.row.is_none() => CODE,
            Content::Template(_) => self.repeat,
        }
    }

    /// Whether an entry for the same person at the same account, whose digest is `earlier_digest`, is the same send.
    fn repeats(&self, earlier: &Entry, digest: Option<&[u8]>, earlier_digest: Option<&[u8]>) -> bool {
        // Entries of older versions have no digest: they may be the same.
        let same_content = earlier_digest.is_none() || earlier_digest == digest;
        match (&self.intent.content, &earlier.intent.content) {
            (Content::Call, Content::Call) => earlier.intent.sender_id == self.intent.sender_id,
            (Content::Freeform, Content::Freeform) => same_content && !wrote_since(earlier, self.intent),
            (Content::Template(template), Content::Template(other)) => {
                let of_file = self.intent.row.is_some() || earlier.intent.row.is_some();
                let is_unknown = matches!(earlier.outcome, Some(Outcome::Unknown { .. }));
                template.id == other.id && (of_file || is_unknown || self.content.is_none() || same_content)
            }
            _ => false,
        }
    }
}

/// Whether the customer has surely written between the two: only that moves the end of an open window.
fn wrote_since(earlier: &Entry, intent: &Intent) -> bool {
    let expiry = |intent: &Intent| intent.before.filter(|before| before.open).and_then(|before| before.expiry);
    expiry(&earlier.intent).zip(expiry(intent)).is_some_and(|(then, now)| now > then)
}

/// The newest send that this one would repeat, unless it is certain that it reached nobody; `None` where it may leave.
/// A date in the future counts, for clocks are set back.
pub(super) fn repeated(
    transaction: &Transaction<'_>,
    departing: &Departing<'_>,
    digest: Option<&[u8]>,
    now: Timestamp,
) -> Result<Option<Entry>, RecordsError> {
    if departing.again {
        return Ok(None);
    }
    let sql = format!(
        "SELECT digest, {SELECT} FROM outbox WHERE phone = $1 AND (account = $2 OR account IS NULL) AND began > $3 \
         AND (state IS NULL OR state IN ('accepted', 'unknown')) AND mark IS NOT 'not-sent' ORDER BY number DESC"
    );
    let since = now.checked_sub(departing.span()).unwrap_or(Timestamp::MIN).as_microsecond();
    let earlier = try_many(transaction, &sql, (&departing.intent.phone, departing.account, since), |row| {
        Ok::<_, RecordsError>((row.get::<_, Option<Vec<u8>>>("digest")?, entry(row)?))
    })?;
    let same = earlier.into_iter().find(|(other, entry)| departing.repeats(entry, digest, other.as_deref()));
    Ok(same.map(|(_, entry)| entry))
}

impl Records {
    /// The digest of something secret under the key of this database, in hexadecimal.
    ///
    /// # Errors
    /// Where the key cannot be read.
    pub fn digest(&self, secret: &[u8]) -> Result<String, RecordsError> {
        let key = self.with(|connection, _| key(connection))?;
        Ok(hmac::sign(&key, secret).as_ref().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

/// The key of digests. It never leaves the database.
fn key(connection: &Connection) -> Result<hmac::Key, RecordsError> {
    let key: Vec<u8> = one(connection, "SELECT value FROM about WHERE name = 'key'", [], |row| row.get(0))?;
    Ok(hmac::Key::new(hmac::HMAC_SHA256, &key))
}
