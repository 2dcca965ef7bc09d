//! The list of webhook deliveries, and what they are signed with. The queue is in [`super::delivery_queue`].

use super::filter::Where;
use super::{Store, StoreError, execute, many, moment, one};
use crate::api::{IsoTimestamp, SigningSecret, WebhookDelivery, WebhookDeliveryStatus, WebhookEvent};
use rusqlite::{OptionalExtension, Row};

const COLUMNS: &str = "id, event, subject, webhook_id, url, attempts, last_error, last_attempt_at, due_at, \
    delivered_at, created_at";

const SECRET: &str = "SELECT secret FROM webhook_secrets WHERE user_id = $1";

impl Store {
    /// The newest deliveries, newest first: of a user, or of all.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn deliveries(&self, user_id: Option<i64>, limit: u32) -> Result<Vec<WebhookDelivery>, StoreError> {
        let clause =
            Where::default().and_if("user_id =", user_id).text(" ORDER BY id DESC").then(" LIMIT", i64::from(limit));
        let reason = if user_id.is_none() { " /* scans: the newest, up to the limit */" } else { "" };
        let sql = format!("SELECT {COLUMNS} FROM webhook_deliveries{}{reason}", clause.sql());
        let rows = self.read(|reader| Ok(many(reader, &sql, clause.params(), DeliveryRecord::read)?))?;
        rows.into_iter().map(WebhookDelivery::try_from).collect()
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
        let find = "SELECT id, email FROM users ORDER BY id /* scans: for a command that lists them */";
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
    use crate::service::store::Data;

    #[test]
    fn a_secret_stays_once_it_has_been_settled() {
        let store = Store::open(&Data::Memory).unwrap();
        let user = "INSERT INTO users (id, email, kind, balance_micros, tool_limit, is_simulated, created_at) \
                    VALUES (1, 'a@b.c', 'tenant', 0, 5, FALSE, 0)";
        store.write(|tx| Ok(execute(tx, user, [])?)).unwrap();
        let settle = |secret: &str| store.settle_webhook_secret(1, &SigningSecret::new(secret)).unwrap();
        assert!(store.webhook_secret(1).unwrap().is_none());
        assert_eq!(settle("whsec_YQ==").expose(), "whsec_YQ==");
        assert_eq!(settle("whsec_Yg==").expose(), "whsec_YQ==");
        assert_eq!(store.webhook_secret(1).unwrap().unwrap().expose(), "whsec_YQ==");
    }
}
