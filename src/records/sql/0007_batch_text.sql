-- A keyed digest of the template's text that a batch was last sent with; NULL in batches of older versions.
ALTER TABLE batches ADD COLUMN text_digest BLOB;
