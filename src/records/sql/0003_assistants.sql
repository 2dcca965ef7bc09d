-- Calls stand in the outbox too: sender_id is then the assistant's number, and sender its name.
ALTER TABLE outbox ADD COLUMN kind TEXT NOT NULL DEFAULT 'message' CHECK (kind IN ('message', 'call'));
CREATE INDEX outbox_calls ON outbox (phone, sender_id, began) WHERE kind = 'call';

-- What a webhook switch was last set to from here: the documented API does not tell it back.
CREATE TABLE webhooks (
    profile TEXT NOT NULL,
    -- The base URL.
    server TEXT NOT NULL,
    assistant_id BIGINT NOT NULL,
    webhook TEXT NOT NULL CHECK (webhook IN ('conversation-ended', 'inbound-call', 'post-call')),
    -- NULL where it was turned off.
    url TEXT,
    -- Where it last pointed, also once it is off.
    used TEXT,
    changed BIGINT NOT NULL,
    PRIMARY KEY (profile, server, assistant_id, webhook)
);

-- Versions of assistants that were seen or saved from here.
CREATE TABLE assistant_versions (
    number INTEGER PRIMARY KEY,
    profile TEXT NOT NULL,
    assistant_id BIGINT NOT NULL,
    -- Whether it was saved from here, or only seen.
    saved BOOLEAN NOT NULL,
    at BIGINT NOT NULL,
    -- The record as JSON.
    record TEXT NOT NULL
);
CREATE INDEX assistant_versions_by_assistant ON assistant_versions (profile, assistant_id, number);

-- What was typed into a form and not submitted.
CREATE TABLE form_drafts (
    profile TEXT NOT NULL,
    -- Which form, of which record: 'assistant 7', 'new assistant'.
    form TEXT NOT NULL,
    -- A JSON object.
    "values" TEXT NOT NULL,
    saved BIGINT NOT NULL,
    PRIMARY KEY (profile, form)
);
