-- Goes up with every change of the user's conversation counts, so that what was worked out from them can be kept.
ALTER TABLE users ADD COLUMN counts_version BIGINT NOT NULL DEFAULT 0;
