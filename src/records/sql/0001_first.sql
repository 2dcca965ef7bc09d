-- Times are whole microseconds since 1970. Nothing is ever taken out of the outbox.

CREATE TABLE outbox (
    -- In the order in which they were recorded.
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    -- The running program that waits for the answer.
    run TEXT NOT NULL,
    profile TEXT NOT NULL,
    sender_id BIGINT NOT NULL,
    sender TEXT NOT NULL,
    phone TEXT NOT NULL,
    name TEXT,
    template_id BIGINT,
    template_name TEXT,
    batch TEXT,
    line BIGINT,
    window_open BOOLEAN,
    window_expiry BIGINT,
    text TEXT,
    began BIGINT NOT NULL,
    ended BIGINT,
    -- NULL while there is no outcome.
    state TEXT CHECK (state IN ('accepted', 'refused', 'unknown')),
    -- All of it, as JSON.
    outcome TEXT,
    mark TEXT CHECK (mark IN ('sent', 'not-sent')),
    marked BIGINT,
    UNIQUE (batch, line)
);
CREATE INDEX outbox_without_outcome ON outbox (run) WHERE state IS NULL;
CREATE INDEX outbox_unknown ON outbox (number) WHERE state = 'unknown';

-- A profile with which something was watched once, even where nothing is any more.
CREATE TABLE watchers (
    profile TEXT PRIMARY KEY
);

CREATE TABLE watched (
    number INTEGER PRIMARY KEY,
    profile TEXT NOT NULL,
    sender_id BIGINT NOT NULL,
    phone TEXT NOT NULL,
    name TEXT,
    UNIQUE (profile, sender_id, phone)
);

CREATE TABLE senders (
    number INTEGER PRIMARY KEY,
    profile TEXT NOT NULL,
    sender_id BIGINT NOT NULL,
    UNIQUE (profile, sender_id)
);

CREATE TABLE drafts (
    number INTEGER PRIMARY KEY,
    profile TEXT NOT NULL,
    phone TEXT NOT NULL,
    template_id BIGINT,
    sender_id BIGINT,
    name TEXT NOT NULL,
    -- A JSON object.
    "values" TEXT NOT NULL,
    message TEXT,
    saved BIGINT NOT NULL
);
CREATE INDEX drafts_by_recipient ON drafts (profile, phone);

CREATE TABLE used (
    number INTEGER PRIMARY KEY,
    profile TEXT NOT NULL,
    template_id BIGINT NOT NULL,
    variable TEXT NOT NULL,
    value TEXT NOT NULL,
    UNIQUE (profile, template_id, variable, value)
);
