-- What a chat was started with, as JSON; null where it was started without.
ALTER TABLE conversations ADD COLUMN variables TEXT;

-- What the deliveries of a user are signed with. It is made when it is first needed.
CREATE TABLE webhook_secrets (
    user_id INTEGER PRIMARY KEY REFERENCES users (id),
    secret TEXT NOT NULL
);

-- A row is written in the transaction of what caused it. It waits while due_at is set; then it was delivered where
-- delivered_at is set, and has failed for good where it is not.
CREATE TABLE webhook_deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id),
    event TEXT NOT NULL,
    -- What the event is about, such as `conversation:12`. Deliveries of one subject keep their order.
    subject TEXT NOT NULL,
    -- By this a receiver knows a delivery that it already has.
    webhook_id TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    body TEXT NOT NULL,
    -- Attempts since it was queued, and those since it was last asked for: the latter decide on the next one.
    attempts INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    due_at BIGINT,
    delivered_at BIGINT,
    last_attempt_at BIGINT,
    last_error TEXT,
    created_at BIGINT NOT NULL
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_by_subject ON webhook_deliveries (subject, event, id);
CREATE INDEX webhook_deliveries_by_user ON webhook_deliveries (user_id, id);
