-- Times are microseconds since 1970 in UTC, days are whole UTC days since 1970, money is millionths.
-- Data definition is the one place where a store speaks its database's own dialect.

CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    balance_micros BIGINT NOT NULL,
    tool_limit INTEGER NOT NULL,
    -- Whether simulated customers write to this user in a sandbox.
    is_simulated BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL
);

-- AUTOINCREMENT: the number of a deleted key never names another one.
CREATE TABLE api_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id),
    name TEXT NOT NULL,
    token_lookup BIGINT NOT NULL,
    token_hash BLOB NOT NULL,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT
);
CREATE INDEX api_keys_by_lookup ON api_keys (token_lookup);
CREATE INDEX api_keys_by_user ON api_keys (user_id, id);

CREATE TABLE assistants (
    id INTEGER PRIMARY KEY,
    uuid BLOB NOT NULL UNIQUE,
    user_id INTEGER NOT NULL REFERENCES users (id),
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    mode TEXT NOT NULL,
    status TEXT NOT NULL,
    voice_id INTEGER NOT NULL,
    language_id INTEGER NOT NULL,
    timezone TEXT NOT NULL,
    initial_message TEXT NOT NULL,
    system_prompt TEXT NOT NULL,
    variables TEXT NOT NULL,
    webhook_url TEXT,
    is_webhook_active BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX assistants_by_user ON assistants (user_id, type, id);

CREATE TABLE senders (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (id),
    assistant_id INTEGER REFERENCES assistants (id),
    phone_number TEXT NOT NULL,
    display_name TEXT NOT NULL,
    status TEXT NOT NULL
);
CREATE INDEX senders_by_user ON senders (user_id, id);

CREATE TABLE conversations (
    id INTEGER PRIMARY KEY,
    uuid BLOB NOT NULL,
    user_id INTEGER NOT NULL REFERENCES users (id),
    assistant_id INTEGER NOT NULL REFERENCES assistants (id),
    sender_id INTEGER REFERENCES senders (id),
    customer_name TEXT,
    customer_phone TEXT,
    type TEXT NOT NULL,
    message_count INTEGER NOT NULL,
    total_cost_micros BIGINT NOT NULL,
    ai_enabled BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    ended_at BIGINT
);
CREATE UNIQUE INDEX conversations_by_uuid ON conversations (uuid);
-- One index for each combination of filters, in the order of the list. created_at comes last so that the filter by
-- date is answered from the index.
CREATE INDEX conversations_by_user ON conversations (user_id, updated_at, id, created_at);
CREATE INDEX conversations_by_user_type ON conversations (user_id, type, updated_at, id, created_at);
CREATE INDEX conversations_by_assistant ON conversations (assistant_id, updated_at, id, created_at);
CREATE INDEX conversations_by_assistant_type ON conversations (assistant_id, type, updated_at, id, created_at);
CREATE INDEX conversations_by_customer ON conversations (sender_id, customer_phone, updated_at)
    WHERE sender_id IS NOT NULL;
CREATE INDEX conversations_open ON conversations (user_id, updated_at, id) WHERE ended_at IS NULL;

-- How many conversations there are by all that can be filtered and by the day they last changed: totals and the day
-- on which a page begins come from here, however many conversations there are.
CREATE TABLE conversation_counts (
    user_id INTEGER NOT NULL,
    updated_day INTEGER NOT NULL,
    assistant_id INTEGER NOT NULL,
    type TEXT NOT NULL,
    created_day INTEGER NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (user_id, updated_day, assistant_id, type, created_day)
) WITHOUT ROWID;

CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    conversation_id INTEGER NOT NULL REFERENCES conversations (id),
    role TEXT NOT NULL,
    content TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX messages_by_conversation ON messages (conversation_id, id);
