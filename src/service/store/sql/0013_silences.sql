-- The assistants whose chats may fall silent, without a look at those that are gone.
CREATE INDEX assistants_by_silence ON assistants (id, inactivity_minutes) WHERE deleted_at IS NULL;
