-- Which file a batch is sent from and how, so that one that was interrupted can be taken up again.
CREATE TABLE batches (
    batch TEXT PRIMARY KEY,
    profile TEXT NOT NULL,
    sender_id BIGINT NOT NULL,
    template_id BIGINT NOT NULL,
    template_name TEXT NOT NULL,
    path TEXT NOT NULL,
    -- As JSON.
    mapping TEXT NOT NULL,
    rows BIGINT NOT NULL,
    began BIGINT NOT NULL
);
