ALTER TABLE users ADD COLUMN name TEXT;
-- A salted, slow hash with its own parameters; without one nobody logs in as this user.
ALTER TABLE users ADD COLUMN password_hash TEXT;
UPDATE users SET name = email;
CREATE INDEX users_by_email ON users (LOWER(email));

ALTER TABLE senders ADD COLUMN quality_rating TEXT NOT NULL DEFAULT 'GREEN';
-- Recipients in 24 hours; NULL without a limit.
ALTER TABLE senders ADD COLUMN messaging_limit INTEGER;

CREATE TABLE templates (
    id INTEGER PRIMARY KEY,
    sender_id INTEGER NOT NULL REFERENCES senders (id),
    name TEXT NOT NULL,
    language TEXT NOT NULL,
    category TEXT NOT NULL,
    status TEXT NOT NULL,
    body_text TEXT NOT NULL,
    -- A JSON array of names.
    variables TEXT NOT NULL,
    -- When the platform is asked for the status again; NULL once it has decided.
    refresh_at BIGINT
);
CREATE INDEX templates_by_sender ON templates (sender_id, id);
CREATE INDEX templates_by_status ON templates (sender_id, status, id);
CREATE INDEX templates_to_refresh ON templates (refresh_at) WHERE refresh_at IS NOT NULL;

ALTER TABLE conversations ADD COLUMN last_customer_message_at BIGINT;
-- What the 24 hours of the messaging window count from: the customer's last message, or the send that opened it.
ALTER TABLE conversations ADD COLUMN window_from BIGINT;
-- Who wrote last was not recorded; a conversation moves by its customer.
UPDATE conversations SET last_customer_message_at = updated_at, window_from = updated_at WHERE sender_id IS NOT NULL;

-- The messages that went to the provider.
CREATE TABLE outgoing_messages (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (id),
    sender_id INTEGER NOT NULL REFERENCES senders (id),
    message_id INTEGER NOT NULL REFERENCES messages (id),
    sid TEXT NOT NULL UNIQUE,
    -- What it cost, in the unit of the user's balance.
    charge_micros BIGINT NOT NULL,
    status TEXT NOT NULL,
    -- The status it ends in, as the simulated provider knows from the start.
    fate TEXT NOT NULL,
    -- When it takes its next step; NULL once it has ended.
    step_at BIGINT,
    updated_at BIGINT NOT NULL
);
CREATE INDEX outgoing_messages_by_message ON outgoing_messages (message_id);
CREATE INDEX outgoing_messages_to_step ON outgoing_messages (step_at) WHERE step_at IS NOT NULL;
