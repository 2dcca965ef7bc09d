-- Whose webhook a delivery is for: what waits ends where that is switched off or gets another URL. Null where the call
-- was deleted before this column was added.
ALTER TABLE webhook_deliveries ADD COLUMN assistant_id INTEGER REFERENCES assistants (id);

UPDATE webhook_deliveries SET assistant_id = CASE
    WHEN subject LIKE 'call:%'
        THEN (SELECT assistant_id FROM calls WHERE id = CAST(SUBSTR(subject, 6) AS INTEGER))
    ELSE (SELECT assistant_id FROM conversations WHERE id = CAST(SUBSTR(subject, 14) AS INTEGER))
END;
