-- What the settings of an assistant say of the end of its chats, readable by statements.
ALTER TABLE assistants ADD COLUMN inactivity_minutes INTEGER NOT NULL
    GENERATED ALWAYS AS (COALESCE(json_extract(settings, '$.conversation_inactivity_timeout'), 30)) VIRTUAL;
ALTER TABLE assistants ADD COLUMN retriggers BOOLEAN NOT NULL
    GENERATED ALWAYS AS (COALESCE(json_extract(settings, '$.conversation_ended_retrigger'), FALSE)) VIRTUAL;
CREATE INDEX conversations_silent ON conversations (assistant_id, updated_at) WHERE ended_at IS NULL;

-- When a send last opened the window of a conversation: a sender may do so for a limited number of customers in a day.
ALTER TABLE conversations ADD COLUMN window_opened_at BIGINT;
CREATE INDEX conversations_opened ON conversations (sender_id, window_opened_at) WHERE window_opened_at IS NOT NULL;
