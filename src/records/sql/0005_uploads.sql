-- Files that are, or were, uploaded to knowledgebases. Rows are hidden, never deleted: a content that was uploaded before
-- is told by its digest.
CREATE TABLE uploads (
    number INTEGER PRIMARY KEY,
    -- The running program that uploads it, or did.
    run TEXT,
    profile TEXT NOT NULL,
    -- The base URL.
    server TEXT NOT NULL,
    knowledgebase_id BIGINT NOT NULL,
    knowledgebase TEXT NOT NULL,
    path TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    kind TEXT NOT NULL,
    size BIGINT NOT NULL,
    -- SHA-256, in hexadecimal digits.
    digest TEXT NOT NULL,
    status TEXT NOT NULL
        CHECK (status IN ('queued', 'uploading', 'created', 'refused', 'unknown', 'cancelled', 'failed')),
    -- Why it was refused, is unknown or failed.
    why TEXT,
    document_id BIGINT,
    hidden BOOLEAN NOT NULL DEFAULT FALSE,
    changed BIGINT NOT NULL
);
CREATE INDEX uploads_by_digest ON uploads (server, digest);
CREATE INDEX uploads_in_flight ON uploads (run) WHERE status = 'uploading';
