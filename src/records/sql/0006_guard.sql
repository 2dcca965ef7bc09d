-- What the outbox compares before a send leaves, and an outcome of its own for what never left. A row of a batch that was
-- not sent is sent again under another id, so that a row may have several entries.
CREATE TABLE outbox_of_now (
    -- In the order in which they were recorded.
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    -- The running program that waits for the answer.
    run TEXT NOT NULL,
    profile TEXT NOT NULL,
    -- Who is charged; NULL in entries of older versions, which count for every account.
    account TEXT,
    kind TEXT NOT NULL DEFAULT 'message' CHECK (kind IN ('message', 'call')),
    sender_id BIGINT NOT NULL,
    sender TEXT NOT NULL,
    phone TEXT NOT NULL,
    -- The number in its plain form, however it was written.
    person TEXT NOT NULL,
    name TEXT,
    template_id BIGINT,
    template_name TEXT,
    -- A keyed digest of a template's values or of a text; NULL where it would give a code away, and in older entries.
    digest BLOB,
    batch TEXT,
    line BIGINT,
    window_open BOOLEAN,
    window_expiry BIGINT,
    text TEXT,
    began BIGINT NOT NULL,
    ended BIGINT,
    -- True while the server has asked to wait: nothing of it has left.
    waiting BOOLEAN NOT NULL DEFAULT FALSE,
    -- NULL while there is no outcome.
    state TEXT CHECK (state IN ('accepted', 'refused', 'not-sent', 'unknown')),
    -- All of it, as JSON.
    outcome TEXT,
    mark TEXT CHECK (mark IN ('sent', 'not-sent')),
    marked BIGINT
);
INSERT INTO outbox_of_now
    (number, id, run, profile, kind, sender_id, sender, phone, person, name, template_id, template_name, batch, line,
     window_open, window_expiry, text, began, ended, state, outcome, mark, marked)
SELECT
    number, id, run, profile, kind, sender_id, sender, phone, phone, name, template_id, template_name, batch, line,
    window_open, window_expiry, text, began, ended,
    CASE WHEN state = 'refused' AND json_extract(outcome, '$.refused.status') IS NULL THEN 'not-sent' ELSE state END,
    CASE WHEN state = 'refused' AND json_extract(outcome, '$.refused.status') IS NULL
        THEN json_object('not_sent', json_extract(outcome, '$.refused')) ELSE outcome END,
    mark, marked
FROM outbox;
DROP TABLE outbox;
ALTER TABLE outbox_of_now RENAME TO outbox;
CREATE INDEX outbox_without_outcome ON outbox (run) WHERE state IS NULL;
CREATE INDEX outbox_unknown ON outbox (number) WHERE state = 'unknown';
CREATE INDEX outbox_by_row ON outbox (batch, line) WHERE batch IS NOT NULL;
CREATE INDEX outbox_by_recipient ON outbox (person, began);

-- What the database knows about itself: the key of its digests.
CREATE TABLE about (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
);
