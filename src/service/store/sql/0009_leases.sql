-- Who sends a delivery leases it, so that nobody else does. Times of leases are those of the system, not of the service.
ALTER TABLE webhook_deliveries ADD COLUMN leased_until BIGINT;
-- Whether a delivery of the same subject that was queued before still waits: then this one is not looked at.
ALTER TABLE webhook_deliveries ADD COLUMN blocked BOOLEAN NOT NULL DEFAULT FALSE;
-- How often it was asked for again: an attempt that began before says nothing of what is due since.
ALTER TABLE webhook_deliveries ADD COLUMN resends INTEGER NOT NULL DEFAULT 0;

CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (subject, id) WHERE due_at IS NOT NULL;
UPDATE webhook_deliveries SET blocked = TRUE WHERE due_at IS NOT NULL AND EXISTS (
    SELECT 1 FROM webhook_deliveries AS e
    WHERE e.subject = webhook_deliveries.subject AND e.id < webhook_deliveries.id AND e.due_at IS NOT NULL);

DROP INDEX webhook_deliveries_due;
-- What could leave: by user, so that each gets a share, and by time, to know when the next is due.
CREATE INDEX webhook_deliveries_ready ON webhook_deliveries (user_id, due_at, id)
    WHERE due_at IS NOT NULL AND NOT blocked AND leased_until IS NULL;
CREATE INDEX webhook_deliveries_next ON webhook_deliveries (due_at)
    WHERE due_at IS NOT NULL AND NOT blocked AND leased_until IS NULL;
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX webhook_deliveries_by_assistant ON webhook_deliveries (assistant_id) WHERE due_at IS NOT NULL;
