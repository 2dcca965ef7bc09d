//! What keeps the same message from reaching a person twice: before an intent is written, the outbox looks for an earlier
//! send, by whatever program and from whatever file.

use super::identity::{self, Restored};
use super::outbox::{SELECT, entry};
use super::{Content, Entry, Intent, Records, RecordsError, RowOf, about};
use crate::messaging::{LastMessage, Outcome};
use crate::sqlite::{one, try_many};
use jiff::{SignedDuration, Timestamp};
use ring::hmac;
use rusqlite::{Connection, Transaction};
use uuid::Uuid;

/// How long the same text to the same person asks first, unless they have written since.
const TEXT: SignedDuration = SignedDuration::from_mins(10);
/// How exactly the end of a window is known, as servers tell it.
const END_SURE: SignedDuration = SignedDuration::from_mins(2);
/// How long a second call by the same assistant to the same person asks first.
const CALL: SignedDuration = SignedDuration::from_mins(10);
/// How long a second code to the same person asks first.
const CODE: SignedDuration = SignedDuration::from_secs(60);

/// Whether a person has confirmed a send although the same was sent lately.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Again {
    /// Nobody has: an earlier one stops it.
    #[default]
    No,
    /// Only this entry was named, and what was sent before it: one made since stops it.
    After(Uuid),
    /// Whatever was recorded before then: what is made since stops it.
    Before(Timestamp),
    /// Nothing that is recorded, but what the outbox may have forgotten.
    Forgotten,
}

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
    /// What a person has confirmed to repeat.
    pub again: Again,
    /// How long the same template to the same person asks first.
    pub repeat: SignedDuration,
}

impl<'a> Departing<'a> {
    /// A send that a person has confirmed once more: nothing is asked of the outbox.
    pub fn again(intent: &'a Intent, account: &'a str) -> Self {
        Self { intent, account, content: None, again: Again::Before(Timestamp::MAX), repeat: SignedDuration::ZERO }
    }

    /// The digest of the content under the key of this database.
    pub(super) fn digest(&self, connection: &Connection) -> Result<Option<Vec<u8>>, RecordsError> {
        let Some(content) = self.content else { return Ok(None) };
        Ok(Some(keyed_digest(connection, content)?))
    }

    /// From when on an earlier send still counts.
    pub(super) fn since(&self, now: Timestamp) -> Timestamp {
        now.checked_sub(self.span()).unwrap_or(Timestamp::MIN)
    }

    fn span(&self) -> SignedDuration {
        match &self.intent.content {
            Content::Call => CALL,
            Content::Freeform => TEXT,
            Content::Template(_) if self.content.is_none() && self.intent.row.is_none() => CODE,
            Content::Template(_) => self.repeat,
        }
    }

    /// Whether an entry for the same person at the same account, whose digest is `earlier_digest`, is the same send.
    fn repeats(
        &self,
        (earlier, earlier_digest): (&Entry, Option<&[u8]>),
        digest: Option<&[u8]>,
        now: Timestamp,
    ) -> bool {
        // Entries of older versions have no digest: they may be the same.
        let same_content = earlier_digest.is_none() || earlier_digest == digest;
        let is_unknown = matches!(earlier.outcome, Some(Outcome::Unknown { .. }));
        match (&self.intent.content, &earlier.intent.content) {
            (Content::Call, Content::Call) => earlier.intent.sender_id == self.intent.sender_id,
            (Content::Freeform, Content::Freeform) => {
                same_content && (is_unknown || !wrote_since(earlier, self.intent, now))
            }
            (Content::Template(template), Content::Template(other)) => {
                let of_file = self.intent.row.is_some() || earlier.intent.row.is_some();
                template.id == other.id && (of_file || is_unknown || self.content.is_none() || same_content)
            }
            _ => false,
        }
    }
}

/// Whether the customer has surely written between the two. Where the server does not tell when, a later end of the open
/// window does, unless it advances with the clock: some servers recompute it for each answer.
fn wrote_since(earlier: &Entry, intent: &Intent, now: Timestamp) -> bool {
    let expiry = |intent: &Intent| intent.before.filter(|before| before.open).and_then(|before| before.expiry);
    let ends = expiry(&earlier.intent).zip(expiry(intent));
    match intent.before.map(|before| before.last_message).unwrap_or_default() {
        // By a clock that is slow, a message from before seems newer; but the end has not moved.
        LastMessage::At(wrote) => {
            return wrote.is_some_and(|wrote| wrote > earlier.began) && ends.is_none_or(|(then, end)| end > then);
        }
        LastMessage::Expiry => {}
        LastMessage::Untold => return false,
    }
    let Some((then, end)) = ends else { return false };
    let follows_the_clock = (end.duration_since(then) - now.duration_since(earlier.began)).abs() <= END_SURE;
    end.duration_since(then) > END_SURE && !follows_the_clock
}

/// A condition: the entry is one of account `$2`, by whatever name it had then. Entries of older versions know no account
/// and count for every one.
pub(super) const OF_ACCOUNT: &str = "(account = $2 OR account IS NULL OR account IN \
                                     (SELECT substr(name, 12) FROM about WHERE name LIKE 'account of %' AND value = $2))";

/// The newest send that this one would repeat, unless it is certain that it reached nobody; `None` where it may leave.
/// A date in the future counts, for clocks are set back.
pub(super) fn repeated(
    transaction: &Transaction<'_>,
    departing: &Departing<'_>,
    (person, digest): (&str, Option<&[u8]>),
    now: Timestamp,
) -> Result<Option<Entry>, RecordsError> {
    let sql = format!(
        "SELECT digest, {SELECT} FROM outbox WHERE person = $1 AND {OF_ACCOUNT} AND began > $3 AND (state IS NULL \
         OR state IN ('accepted', 'unknown')) AND mark IS NOT 'not-sent' ORDER BY number DESC"
    );
    let since = departing.since(now).as_microsecond();
    let earlier = try_many(transaction, &sql, (person, departing.account, since), |row| {
        Ok::<_, RecordsError>((row.get::<_, Option<Vec<u8>>>("digest")?, entry(row)?))
    })?;
    let same = earlier.into_iter().find(|(other, entry)| departing.repeats((entry, other.as_deref()), digest, now));
    let is_excused = |entry: &Entry| match departing.again {
        Again::No | Again::Forgotten => false,
        Again::After(id) => entry.intent.id == id,
        Again::Before(confirmed) => entry.began < confirmed,
    };
    Ok(same.map(|(_, entry)| entry).filter(|entry| !is_excused(entry)))
}

/// When it was noticed that the outbox may lack an earlier send that this one would repeat; `None` where it is whole, or a
/// person has confirmed it all the same. A batch with entries from before that time stays incomplete.
pub(super) fn forgotten(
    connection: &Connection,
    (row, again): (Option<&RowOf>, Again),
    since: Timestamp,
) -> Result<Option<Timestamp>, RecordsError> {
    let Some(Restored { at, after }) = identity::restored(connection)? else { return Ok(None) };
    let first = "SELECT MIN(number) FROM outbox WHERE batch = $1";
    let first = match row {
        Some(row) => one(connection, first, [row.batch.to_string()], |row| row.get::<_, Option<i64>>(0))?,
        None => None,
    };
    let asks = first.map_or(at > since && again == Again::No, |first| first <= after);
    Ok(asks.then_some(at))
}

impl Records {
    /// When it was noticed that the outbox may have forgotten what a batch recently sent; `None` where it has not.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn forgets(&self, batch: Uuid, since: Timestamp) -> Result<Option<Timestamp>, RecordsError> {
        let row = RowOf { batch, line: 0 };
        self.with(|connection, _| forgotten(connection, (Some(&row), Again::No), since))
    }

    /// The account of a token, by the `name` that the server tells now, or else by the one that it told last; the token's
    /// own name where it never did.
    ///
    /// # Errors
    /// Where it cannot be read or written.
    pub fn account_of(&self, token: &str, name: Option<&str>) -> Result<String, RecordsError> {
        let key = format!("account of {token}");
        self.write(|transaction| {
            if let Some(name) = name {
                about::set(transaction, &key, name)?;
                return Ok(name.to_owned());
            }
            Ok(about::get(transaction, &key)?.unwrap_or_else(|| token.to_owned()))
        })
    }

    /// The digest of something secret under the key of this database, in hexadecimal.
    ///
    /// # Errors
    /// Where the key cannot be read.
    pub fn digest(&self, secret: &[u8]) -> Result<String, RecordsError> {
        let key = self.with(|connection, _| key(connection))?;
        let digest = hmac::sign(&key, secret);
        Ok(digest.as_ref().iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}")))
    }
}

/// The digest of a text under the key of this database.
pub(super) fn keyed_digest(connection: &Connection, text: &str) -> Result<Vec<u8>, RecordsError> {
    Ok(hmac::sign(&key(connection)?, text.as_bytes()).as_ref().to_vec())
}

/// The key of digests. It never leaves the database.
fn key(connection: &Connection) -> Result<hmac::Key, RecordsError> {
    let key: Option<Vec<u8>> = about::get(connection, "key")?;
    let key = key.ok_or(RecordsError::Unreadable("key of digests"))?;
    Ok(hmac::Key::new(hmac::HMAC_SHA256, &key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messaging::Refusal;
    use crate::records::tests::intent;
    use crate::records::{Before, Begun, Mark, RowOf, TemplateName};

    const ADA: &str = "http://localhost:8787 ada@example.com";
    const BOB: &str = "http://localhost:8787 bob@example.com";
    const DAY: SignedDuration = SignedDuration::from_hours(24);

    /// Puts an entry into a state.
    type State<'a> = &'a dyn Fn(&Records, Uuid);

    /// The time, in seconds from the first send.
    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_700_000_000 + seconds).unwrap()
    }

    fn template(id: u128) -> Intent {
        Intent { content: Content::Template(TemplateName { id: 5, name: "reminder".to_owned() }), ..intent(id) }
    }

    fn row(id: u128, batch: u128) -> Intent {
        Intent { row: Some(RowOf { batch: Uuid::from_u128(batch), line: 2 }), ..template(id) }
    }

    fn departing<'a>(intent: &'a Intent, content: Option<&'a str>) -> Departing<'a> {
        Departing { intent, account: ADA, content, again: Again::No, repeat: DAY }
    }

    /// Whether the second one leaves after the first, in the state that `between` puts it into.
    fn leaves(first: &Departing<'_>, between: impl Fn(&Records, Uuid), second: &Departing<'_>, seconds: i64) -> bool {
        let records = Records::in_memory().unwrap();
        let begun = records.begin(first, at(0)).unwrap();
        assert_eq!(begun, Begun::Recorded(first.intent.id));
        between(&records, first.intent.id);
        match records.begin(second, at(seconds)).unwrap() {
            Begun::Recorded(_) => true,
            Begun::Recent(earlier) => {
                assert_eq!(earlier.intent.id, first.intent.id);
                false
            }
            begun => panic!("{begun:?}"),
        }
    }

    fn accepted(records: &Records, id: Uuid) {
        records.settle(id, &Outcome::Accepted(crate::messaging::Accepted::default()), at(1)).unwrap();
    }

    fn unknown(records: &Records, id: Uuid) {
        records.settle(id, &Outcome::Unknown { why: "no answer".to_owned() }, at(1)).unwrap();
    }

    fn in_flight(_: &Records, _: Uuid) {}

    #[test]
    fn a_row_stops_where_the_template_was_sent_by_whatever_way() {
        let (single, of_file, other_file) = (template(1), row(2, 7), row(3, 8));
        let values = |content| [departing(&single, Some(content)), departing(&of_file, Some(content))];
        for first in &values("a") {
            for state in [accepted, unknown, in_flight] {
                let second = departing(&other_file, Some("b"));
                assert!(!leaves(first, state, &second, 3_600));
                assert!(!leaves(first, state, &second, -3_600), "the clock was set back");
                assert!(leaves(first, state, &second, 24 * 3_600), "a day later");
                assert!(leaves(first, state, &Departing { again: Again::Before(at(1)), ..second.clone() }, 1));
                assert!(leaves(first, state, &Departing { account: BOB, ..second }, 1));
            }
        }
    }

    #[test]
    fn a_single_send_stops_where_its_values_are_the_same_or_the_earlier_one_is_unclear() {
        let (first, second) = (template(1), template(2));
        let (same, other) = (departing(&second, Some("a")), departing(&second, Some("b")));
        let first = departing(&first, Some("a"));
        for state in [accepted, unknown, in_flight] {
            assert!(!leaves(&first, state, &same, 60));
        }
        assert!(leaves(&first, accepted, &other, 60), "an order's second update");
        assert!(!leaves(&first, unknown, &other, 60));
        let of_file = row(1, 7);
        assert!(!leaves(&departing(&of_file, Some("a")), accepted, &other, 60), "whatever the file said");
    }

    #[test]
    fn a_confirmed_repeat_excuses_the_send_that_was_named_and_none_since() {
        let records = Records::in_memory().unwrap();
        let intents = [template(1), template(2), template(3)];
        let send = |at_intent: usize, again, seconds| {
            let departing = Departing { again, ..departing(&intents[at_intent], Some("a")) };
            matches!(records.begin(&departing, at(seconds)).unwrap(), Begun::Recorded(_))
        };
        assert!(send(0, Again::No, 0));
        assert!(!send(1, Again::No, 1));
        assert!(send(1, Again::After(intents[0].id), 2));
        assert!(!send(2, Again::After(intents[0].id), 3), "the second was not named");
        assert!(send(2, Again::After(intents[1].id), 4));
    }

    #[test]
    fn a_number_with_its_trunk_prefix_is_the_same_person() {
        let first = Intent { phone: "+49030901820".to_owned(), ..template(1) };
        let second = Intent { phone: "+4930901820".to_owned(), ..template(2) };
        assert!(!leaves(&departing(&first, Some("a")), accepted, &departing(&second, Some("a")), 60));
    }

    #[test]
    fn what_reached_nobody_stops_nothing() {
        let refusal = || Refusal { status: None, code: None, words: "No.".to_owned() };
        let states: [State<'_>; 3] = [
            &|records, id| drop(records.settle(id, &Outcome::Refused(refusal()), at(1)).unwrap()),
            &|records, id| drop(records.settle(id, &Outcome::NotSent(refusal()), at(1)).unwrap()),
            &|records, id| {
                unknown(records, id);
                records.mark(id, Mark::NotSent, at(2)).unwrap();
            },
        ];
        let (first, second, third) = (template(1), template(2), row(3, 7));
        for state in states {
            for second in [&second, &third] {
                assert!(leaves(&departing(&first, Some("a")), state, &departing(second, Some("a")), 60));
            }
        }
        let marked = |records: &Records, id| {
            unknown(records, id);
            records.mark(id, Mark::Sent, at(2)).unwrap();
        };
        assert!(!leaves(&departing(&first, Some("a")), marked, &departing(&second, Some("a")), 60));
    }

    #[test]
    fn a_code_asks_for_a_minute_and_leaves_no_digest() {
        let (first, second) = (template(1), template(2));
        let (code, other) = (departing(&first, None), departing(&second, None));
        assert!(!leaves(&code, accepted, &other, 59));
        assert!(leaves(&code, accepted, &other, 60));
        let records = Records::in_memory().unwrap();
        let _begun = records.begin(&code, at(0)).unwrap();
        let digests = records.with(|connection, _| {
            Ok(crate::sqlite::many(connection, "SELECT digest FROM outbox", [], |row| {
                row.get::<_, Option<Vec<u8>>>(0)
            })?)
        });
        assert_eq!(digests.unwrap(), [None]);
    }

    #[test]
    fn the_same_text_asks_for_ten_minutes_or_until_the_customer_has_written() {
        let told = |id, expiry, last_message| Intent {
            before: Some(Before { open: true, expiry: Some(at(expiry)), last_message }),
            ..intent(id)
        };
        let open = |id, expiry| told(id, expiry, LastMessage::Expiry);
        let (first, second, after_an_answer) = (open(1, 5_000), open(2, 5_000), open(3, 6_000));
        let first = departing(&first, Some("Thank you"));
        assert!(!leaves(&first, accepted, &departing(&second, Some("Thank you")), 599));
        assert!(leaves(&first, accepted, &departing(&second, Some("Thank you")), 600));
        assert!(leaves(&first, accepted, &departing(&second, Some("Thanks")), 60));
        let after_an_answer = departing(&after_an_answer, Some("Thank you"));
        assert!(leaves(&first, accepted, &after_an_answer, 60));
        assert!(!leaves(&first, unknown, &after_an_answer, 60), "nobody knows whether they have got it");
        for (seconds, expiry) in [(60, 5_000), (60, 5_001), (60, 5_119), (300, 5_300), (590, 5_560), (300, 4_000)] {
            let creeping = open(5, expiry);
            assert!(!leaves(&first, accepted, &departing(&creeping, Some("Thank you")), seconds), "{seconds} {expiry}");
        }
        let wrote = |seconds| LastMessage::At(Some(at(seconds)));
        for (expiry, last_message, goes) in [
            (5_001, wrote(30), true),
            (5_001, wrote(-1), false),
            (5_000, wrote(30), false),
            (9_000, LastMessage::At(None), false),
            (9_000, LastMessage::Untold, false),
        ] {
            let second = told(6, expiry, last_message);
            let second = departing(&second, Some("Thank you"));
            assert_eq!(leaves(&first, accepted, &second, 60), goes, "{expiry} {last_message:?}");
            assert!(!leaves(&first, unknown, &second, 60), "nobody knows whether they have got it");
        }
        assert!(leaves(&first, accepted, &departing(&template(4), Some("Thank you")), 60), "a template is no text");
    }

    #[test]
    fn an_account_has_the_name_that_the_server_told_last() {
        let records = Records::in_memory().unwrap();
        assert_eq!(records.account_of("h token 1", None).unwrap(), "h token 1");
        assert_eq!(records.account_of("h token 1", Some("h ada")).unwrap(), "h ada");
        assert_eq!(records.account_of("h token 1", None).unwrap(), "h ada");
        assert_eq!(records.account_of("h token 2", None).unwrap(), "h token 2");
        // What was sent while the e-mail was not told counts once it is.
        let (first, second) = (template(1), template(2));
        let first = Departing { account: "h token 1", ..departing(&first, Some("a")) };
        let second = |account| Departing { account, ..departing(&second, Some("a")) };
        let told = |records: &Records, id| {
            accepted(records, id);
            records.account_of("h token 1", Some("h ada")).unwrap();
            let seen = |account| records.sent_since(account, 5, at(-1)).unwrap().len();
            assert_eq!(["h ada", "h token 1", "h bob"].map(seen), [1, 1, 0], "the preview sees the same");
        };
        assert!(!leaves(&first, told, &second("h ada"), 60));
        assert!(leaves(&first, told, &second("h bob"), 60));
    }

    #[test]
    fn entries_of_older_versions_count_for_every_account() {
        let (first, second) = (template(1), template(2));
        let older = |records: &Records, id: Uuid| {
            accepted(records, id);
            records
                .with(|connection, _| Ok(connection.execute("UPDATE outbox SET account = NULL, digest = NULL", [])?))
                .unwrap();
        };
        let other = Departing { account: BOB, ..departing(&second, Some("b")) };
        assert!(!leaves(&departing(&first, Some("a")), older, &other, 60));
    }
}
