//! The queue of webhook deliveries, and the list of what became of them.

use super::filter::Where;
use super::{Store, StoreError, execute, many, moment, one};
use crate::api::{IsoTimestamp, SigningSecret, WebhookDelivery, WebhookDeliveryStatus, WebhookEvent};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, Transaction};

/// An event for the receiver of a webhook.
#[derive(Debug)]
pub(super) struct QueuedEvent<'a> {
    pub(super) user_id: i64,
    pub(super) assistant_id: i64,
    pub(super) kind: WebhookEvent,
    /// `conversation:<id>` or `call:<id>`; events of one subject are delivered in order.
    pub(super) subject: String,
    pub(super) url: &'a str,
    pub(super) body: String,
}

/// Puts an event at the end of the queue.
pub(super) fn queue(tx: &Transaction<'_>, event: &QueuedEvent<'_>, now: Timestamp) -> Result<(), StoreError> {
    let now = now.as_microsecond();
    execute(
        tx,
        "INSERT INTO webhook_deliveries (user_id, assistant_id, event, subject, webhook_id, url, body, attempts, tries, \
         due_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0, $8, $9)",
        (
            event.user_id,
            event.assistant_id,
            event.kind.as_str(),
            &event.subject,
            // It names, it does not protect: a plain generator will do.
            format!("msg_{:032x}", fastrand::u128(..)),
            event.url,
            &event.body,
            now,
            now,
        ),
    )?;
    Ok(())
}

/// Ends what waits for a URL that a webhook of the assistant no longer has: it was switched off, or points elsewhere.
pub(super) fn end_outdated(tx: &Transaction<'_>, assistant_id: i64) -> Result<(), StoreError> {
    execute(tx, END_OUTDATED, ("the webhook was switched off or given another URL", assistant_id))?;
    Ok(())
}

/// Whether an event of this subject has been queued before, whatever became of it.
pub(super) fn exists(tx: &Transaction<'_>, subject: &str, event: &WebhookEvent) -> rusqlite::Result<bool> {
    Ok(one(tx, EXISTS, (subject, event.as_str()), |_| Ok(())).optional()?.is_some())
}

/// A delivery that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueDelivery {
    /// Unique in the database; grows with time.
    pub id: i64,
    /// The user whose event it is.
    pub user_id: i64,
    /// The `webhook-id` header: the same on every attempt.
    pub webhook_id: String,
    /// The receiver's URL.
    pub url: String,
    /// The JSON body.
    pub body: String,
    /// Attempts since it was queued or last resent.
    pub tries: u32,
}

/// The result of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttemptResult {
    /// The receiver answered 2xx.
    Delivered,
    /// Any other answer, or none.
    Failed {
        /// Why, for people.
        error: String,
        /// Time of the next attempt; `None`: no more attempts.
        again: Option<Timestamp>,
    },
}

/// A delivery waits for those of its subject that were queued before it.
const FIRST_OF_SUBJECT: &str = "NOT EXISTS (SELECT 1 FROM webhook_deliveries AS e WHERE e.subject = d.subject \
    AND e.id < d.id AND e.due_at IS NOT NULL)";

fn due_sql() -> String {
    format!(
        "SELECT id, user_id, webhook_id, url, body, tries FROM (SELECT d.*, ROW_NUMBER() OVER \
         (PARTITION BY d.user_id ORDER BY d.due_at, d.id) AS place FROM webhook_deliveries AS d \
         WHERE d.due_at <= $1 AND {FIRST_OF_SUBJECT}) AS q WHERE place <= $2 ORDER BY due_at, id"
    )
}

const NEXT: &str = "SELECT MIN(due_at) FROM webhook_deliveries WHERE due_at > $1";

const END_OUTDATED: &str = "UPDATE webhook_deliveries SET due_at = NULL, last_error = $1 \
    WHERE assistant_id = $2 AND due_at IS NOT NULL AND url IS DISTINCT FROM (SELECT CASE event \
    WHEN 'conversation_ended' THEN a.conversation_ended_webhook_url \
    WHEN 'inbound_call_completed' THEN a.inbound_webhook_url \
    WHEN 'call_completed' THEN CASE WHEN a.is_webhook_active THEN a.webhook_url END END \
    FROM assistants AS a WHERE a.id = $2)";

const EXISTS: &str = "SELECT 1 FROM webhook_deliveries WHERE subject = $1 AND event = $2 LIMIT 1";

const COLUMNS: &str = "id, event, subject, webhook_id, url, attempts, last_error, last_attempt_at, due_at, \
    delivered_at, created_at";

const SECRET: &str = "SELECT secret FROM webhook_secrets WHERE user_id = $1";

impl Store {
    /// The deliveries whose time has come, for each user the first `of_each`; the oldest of all first.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn due_deliveries(&self, now: Timestamp, of_each: usize) -> Result<Vec<DueDelivery>, StoreError> {
        self.read(|reader| {
            let of_each = i64::try_from(of_each).unwrap_or(i64::MAX);
            Ok(many(reader, &due_sql(), (now.as_microsecond(), of_each), |row| {
                Ok(DueDelivery {
                    id: row.get(0)?,
                    user_id: row.get(1)?,
                    webhook_id: row.get(2)?,
                    url: row.get(3)?,
                    body: row.get(4)?,
                    tries: row.get(5)?,
                })
            })?)
        })
    }

    /// When the next delivery is due that is not due yet.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn next_delivery(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        let micros: Option<i64> =
            self.read(|reader| Ok(one(reader, NEXT, [now.as_microsecond()], |row| row.get(0))?))?;
        Ok(micros.map(moment).transpose()?)
    }

    /// Writes down what came of an attempt. A delivery that was ended meanwhile is not tried again.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn record_attempt(&self, id: i64, attempted: &AttemptResult, now: Timestamp) -> Result<(), StoreError> {
        let now = now.as_microsecond();
        let (delivered_at, error, again) = match attempted {
            AttemptResult::Delivered => (Some(now), None, None),
            AttemptResult::Failed { error, again } => (None, Some(error), again.map(Timestamp::as_microsecond)),
        };
        self.write(|tx| {
            execute(
                tx,
                "UPDATE webhook_deliveries SET attempts = attempts + 1, tries = tries + 1, last_attempt_at = $1, \
                 delivered_at = $2, last_error = $3, due_at = CASE WHEN due_at IS NOT NULL THEN $4 END WHERE id = $5",
                (now, delivered_at, error, again, id),
            )?;
            Ok(())
        })
    }

    /// The newest deliveries, newest first: of a user, or of all.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn deliveries(&self, user_id: Option<i64>, limit: u32) -> Result<Vec<WebhookDelivery>, StoreError> {
        let clause =
            Where::default().and_if("user_id =", user_id).text(" ORDER BY id DESC").then(" LIMIT", i64::from(limit));
        let sql = format!("SELECT {COLUMNS} FROM webhook_deliveries{}", clause.sql());
        let rows = self.read(|reader| Ok(many(reader, &sql, clause.params(), DeliveryRecord::read)?))?;
        rows.into_iter().map(WebhookDelivery::try_from).collect()
    }

    /// Sends a delivery again, at once and with all its retries, whatever became of it; the receiver knows it by its
    /// webhook id. False where there is none, or it is another user's.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn resend(&self, user_id: Option<i64>, id: i64) -> Result<bool, StoreError> {
        self.write(|tx| {
            // Due since it was queued: by the clock of the service too, which another process cannot know.
            let change =
                "UPDATE webhook_deliveries SET due_at = created_at, tries = 0, delivered_at = NULL WHERE id = $1";
            let find = "SELECT user_id FROM webhook_deliveries WHERE id = $1";
            let owner: Option<i64> = one(tx, find, [id], |row| row.get(0)).optional()?;
            let found = owner.is_some_and(|owner| user_id.is_none_or(|user_id| user_id == owner));
            Ok(found && execute(tx, change, [id])? > 0)
        })
    }

    /// What the deliveries of a user are signed with, once that has been settled.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn webhook_secret(&self, user_id: i64) -> Result<Option<SigningSecret>, StoreError> {
        self.read(|reader| {
            Ok(one(reader, SECRET, [user_id], |row| Ok(SigningSecret::new(row.get_ref(0)?.as_str()?))).optional()?)
        })
    }

    /// Settles what the deliveries of a user are signed with; where that has happened already, it stays.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn settle_webhook_secret(&self, user_id: i64, fresh: &SigningSecret) -> Result<SigningSecret, StoreError> {
        self.write(|tx| {
            let keep = "INSERT INTO webhook_secrets (user_id, secret) VALUES ($1, $2) ON CONFLICT (user_id) DO NOTHING";
            execute(tx, keep, (user_id, fresh.expose()))?;
            Ok(one(tx, SECRET, [user_id], |row| Ok(SigningSecret::new(row.get_ref(0)?.as_str()?)))?)
        })
    }

    /// Every user's number and email, for whoever looks at the database from outside the service.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn user_emails(&self) -> Result<Vec<(i64, String)>, StoreError> {
        let find = "SELECT id, email FROM users ORDER BY id";
        self.read(|reader| Ok(many(reader, find, [], |row| Ok((row.get(0)?, row.get(1)?)))?))
    }
}

/// A row as the database gives it.
#[derive(Debug)]
struct DeliveryRecord {
    id: i64,
    event: WebhookEvent,
    subject: String,
    webhook_id: String,
    url: String,
    attempts: u32,
    last_error: Option<String>,
    last_attempt_at: Option<i64>,
    due_at: Option<i64>,
    delivered_at: Option<i64>,
    created_at: i64,
}

impl DeliveryRecord {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            event: row.get_ref(1)?.as_str()?.into(),
            subject: row.get(2)?,
            webhook_id: row.get(3)?,
            url: row.get(4)?,
            attempts: row.get(5)?,
            last_error: row.get(6)?,
            last_attempt_at: row.get(7)?,
            due_at: row.get(8)?,
            delivered_at: row.get(9)?,
            created_at: row.get(10)?,
        })
    }
}

impl TryFrom<DeliveryRecord> for WebhookDelivery {
    type Error = StoreError;

    fn try_from(row: DeliveryRecord) -> Result<Self, StoreError> {
        let time = |micros: Option<i64>| micros.map(moment).transpose().map(|time| time.map(IsoTimestamp));
        let status = match (row.due_at, row.delivered_at) {
            (Some(_), _) => WebhookDeliveryStatus::Pending,
            (None, Some(_)) => WebhookDeliveryStatus::Delivered,
            (None, None) => WebhookDeliveryStatus::Failed,
        };
        Ok(Self {
            id: row.id,
            event: row.event,
            subject: row.subject,
            webhook_id: row.webhook_id,
            url: row.url,
            status,
            attempts: row.attempts,
            last_error: row.last_error,
            last_attempt_at: time(row.last_attempt_at)?,
            next_attempt_at: time(row.due_at)?,
            delivered_at: time(row.delivered_at)?,
            created_at: IsoTimestamp(moment(row.created_at)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{AssistantConfig, AssistantStatus};
    use crate::service::store::Data;
    use crate::service::store::assistant_changes::insert_assistant;
    use uuid::Uuid;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn store(deliveries: &[(i64, &str)]) -> Store {
        let store = Store::open(&Data::Memory).unwrap();
        store
            .write(|tx| {
                for user_id in [1, 2] {
                    let user = "INSERT INTO users (id, email, kind, balance_micros, tool_limit, is_simulated, created_at) \
                                VALUES ($1, $2, 'tenant', 0, 5, FALSE, 0)";
                    execute(tx, user, (user_id, format!("{user_id}@b.c")))?;
                }
                let (status, config) = (AssistantStatus::Active, AssistantConfig::default());
                let assistant_id = insert_assistant(tx, 1, |_| Uuid::nil(), &status, &config, NOW)?;
                for &(user_id, subject) in deliveries {
                    let (kind, subject, body) = (WebhookEvent::CallCompleted, subject.to_owned(), "{}".to_owned());
                    queue(tx, &QueuedEvent { user_id, assistant_id, kind, subject, url: "http://h/", body }, NOW)?;
                }
                Ok(())
            })
            .unwrap();
        store
    }

    fn due(store: &Store, now: Timestamp, of_each: usize) -> Vec<i64> {
        store.due_deliveries(now, of_each).unwrap().into_iter().map(|due| due.id).collect()
    }

    #[test]
    fn deliveries_of_one_subject_wait_for_each_other_and_for_no_others() {
        let store = store(&[(1, "call:1"), (1, "call:1"), (1, "call:2")]);
        assert_eq!(due(&store, NOW, 9), [1, 3]);
        let later = Timestamp::from_second(30).unwrap();
        let failed = |again| AttemptResult::Failed { error: "no".to_owned(), again };
        store.record_attempt(1, &failed(Some(later)), NOW).unwrap();
        assert_eq!(due(&store, NOW, 9), [3]);
        assert_eq!(store.next_delivery(NOW).unwrap(), Some(later));
        assert_eq!(due(&store, later, 9), [3, 1]);
        store.record_attempt(1, &failed(None), later).unwrap();
        assert_eq!(due(&store, later, 9), [2, 3]);
        store.record_attempt(2, &AttemptResult::Delivered, later).unwrap();
        assert_eq!(due(&store, later, 9), [3]);
    }

    #[test]
    fn each_user_has_a_share() {
        let store = store(&[(1, "call:1"), (1, "call:2"), (1, "call:3"), (2, "call:4")]);
        assert_eq!(due(&store, NOW, 2), [1, 2, 4]);
    }

    #[test]
    fn a_delivery_that_is_asked_for_again_has_all_its_tries_again() {
        let store = store(&[(1, "call:1")]);
        store.record_attempt(1, &AttemptResult::Failed { error: "no".to_owned(), again: None }, NOW).unwrap();
        assert_eq!(store.deliveries(None, 9).unwrap()[0].status, WebhookDeliveryStatus::Failed);
        assert!(!store.resend(Some(2), 1).unwrap());
        assert!(store.resend(Some(1), 1).unwrap());
        assert_eq!(store.due_deliveries(NOW, 9).unwrap()[0].tries, 0);
        assert_eq!(store.deliveries(Some(1), 9).unwrap()[0].attempts, 1);
    }

    #[test]
    fn attempt_of_an_ended_delivery_is_its_last() {
        let store = store(&[(1, "call:1"), (1, "call:2")]);
        // The assistant has no webhook: whatever waits is outdated.
        store.write(|tx| end_outdated(tx, 1)).unwrap();
        assert_eq!(due(&store, NOW, 9), [0; 0]);
        let again = Some(Timestamp::from_second(30).unwrap());
        store.record_attempt(1, &AttemptResult::Failed { error: "no".to_owned(), again }, NOW).unwrap();
        assert_eq!(store.next_delivery(NOW).unwrap(), None);
        let listed = store.deliveries(None, 9).unwrap();
        assert!(listed.iter().all(|delivery| delivery.status == WebhookDeliveryStatus::Failed));
        assert_eq!(listed[0].last_error.as_deref(), Some("the webhook was switched off or given another URL"));
    }

    #[test]
    fn a_secret_stays_once_it_has_been_settled() {
        let store = store(&[]);
        let settle = |secret: &str| store.settle_webhook_secret(1, &SigningSecret::new(secret)).unwrap();
        assert!(store.webhook_secret(1).unwrap().is_none());
        assert_eq!(settle("whsec_YQ==").expose(), "whsec_YQ==");
        assert_eq!(settle("whsec_Yg==").expose(), "whsec_YQ==");
        assert_eq!(store.webhook_secret(1).unwrap().unwrap().expose(), "whsec_YQ==");
    }

    #[test]
    fn the_queue_is_read_from_its_indexes_however_long_the_list_is() {
        let store = store(&[]);
        for (sql, index) in [
            (due_sql(), "webhook_deliveries_due"),
            (NEXT.to_owned(), "webhook_deliveries_due"),
            (EXISTS.to_owned(), "webhook_deliveries_by_subject"),
            (END_OUTDATED.to_owned(), "webhook_deliveries_due"),
        ] {
            let plan = store
                .read(|reader| {
                    let mut statement = reader.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
                    let nothing = vec![rusqlite::types::Null; statement.parameter_count()];
                    let steps = statement.query_map(rusqlite::params_from_iter(nothing), |row| row.get::<_, String>(3));
                    Ok(steps?.collect::<rusqlite::Result<Vec<_>>>()?)
                })
                .unwrap();
            assert!(plan.iter().any(|step| step.contains(index)), "{plan:#?}");
            let scans = |step: &String| step.starts_with("SCAN d") || step.starts_with("SCAN webhook_deliveries");
            assert!(!plan.iter().any(scans), "{plan:#?}");
        }
    }
}
