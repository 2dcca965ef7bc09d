-- How a profile's panes were left, such as what is shown of a conversation.
CREATE TABLE preferences (
    profile TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (profile, name)
);

-- How far conversations have been read.
CREATE TABLE reads (
    profile TEXT NOT NULL,
    -- The UUID.
    conversation TEXT NOT NULL,
    -- Messages from the first one on.
    messages BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (profile, conversation)
);
CREATE INDEX reads_by_time ON reads (profile, at);
