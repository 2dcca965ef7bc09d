-- Senders, knowledgebases and tools that were added by number, where the server does not list them.
CREATE TABLE ids (
    number INTEGER PRIMARY KEY,
    profile TEXT NOT NULL,
    resource TEXT NOT NULL,
    id BIGINT NOT NULL,
    UNIQUE (profile, resource, id)
);

INSERT INTO ids (profile, resource, id) SELECT profile, 'sender', sender_id FROM senders ORDER BY number;
DROP TABLE senders;
