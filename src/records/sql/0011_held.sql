-- Messages and calls that were confirmed and wait for the end of their hold, without their text. Those of a program that
-- has died were not sent.
CREATE TABLE held (
    id TEXT PRIMARY KEY,
    -- The running program that holds it.
    run TEXT NOT NULL,
    profile TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('message', 'call')),
    sender_id BIGINT NOT NULL,
    sender TEXT NOT NULL,
    phone TEXT NOT NULL,
    person TEXT NOT NULL,
    name TEXT,
    template_id BIGINT,
    template_name TEXT,
    began BIGINT NOT NULL
);
