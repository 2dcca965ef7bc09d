-- A login code is not stored. Entries without a digest, of a version that knows accounts, are of authentication templates:
-- their texts go, and what forms have stored for these templates.
UPDATE outbox SET text = NULL
WHERE text IS NOT NULL AND digest IS NULL AND account IS NOT NULL AND template_id IS NOT NULL;
DELETE FROM drafts WHERE "values" <> '{}' AND template_id IN
    (SELECT template_id FROM outbox WHERE digest IS NULL AND account IS NOT NULL AND kind = 'message');
DELETE FROM used WHERE template_id IN
    (SELECT template_id FROM outbox WHERE digest IS NULL AND account IS NOT NULL AND kind = 'message');
