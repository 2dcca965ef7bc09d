-- The assistants of a user by number, without those that are gone.
CREATE INDEX assistants_by_number ON assistants (user_id, id) WHERE deleted_at IS NULL;
-- The numbers that an assistant writes and calls from.
CREATE INDEX senders_by_assistant ON senders (assistant_id, phone_number) WHERE assistant_id IS NOT NULL;

-- A knowledgebase knows how many documents it has, and finds one that is in work or has failed.
ALTER TABLE knowledgebases ADD COLUMN documents_count BIGINT NOT NULL DEFAULT 0;
UPDATE knowledgebases
    SET documents_count = (SELECT COUNT(*) FROM documents AS d WHERE d.knowledgebase_id = knowledgebases.id);
CREATE INDEX documents_by_readiness ON documents (knowledgebase_id, ready_at);
CREATE INDEX documents_failed ON documents (knowledgebase_id) WHERE outcome = 'failed';
