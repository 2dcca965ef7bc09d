-- Goes up whenever the number or the order of the user's conversations changes, so that what was worked out about their
-- list can be kept.
ALTER TABLE users ADD COLUMN list_version BIGINT NOT NULL DEFAULT 0;
