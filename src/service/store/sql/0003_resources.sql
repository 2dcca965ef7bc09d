-- Assistants in full, the catalogue they are made from, tools, knowledgebases and calls.

CREATE TABLE languages (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    iso_2 TEXT NOT NULL UNIQUE
);

CREATE TABLE synthesizer_providers (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    code TEXT NOT NULL UNIQUE
);
CREATE TABLE synthesizer_languages (
    provider_id INTEGER NOT NULL REFERENCES synthesizer_providers (id),
    language_id INTEGER NOT NULL REFERENCES languages (id),
    PRIMARY KEY (language_id, provider_id)
) WITHOUT ROWID;

CREATE TABLE transcriber_providers (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    code TEXT NOT NULL UNIQUE
);
CREATE TABLE transcriber_languages (
    provider_id INTEGER NOT NULL REFERENCES transcriber_providers (id),
    language_id INTEGER NOT NULL REFERENCES languages (id),
    PRIMARY KEY (language_id, provider_id)
) WITHOUT ROWID;

CREATE TABLE llm_models (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL
);
CREATE TABLE multimodal_models (
    id INTEGER PRIMARY KEY,
    -- multimodal or dualplex: the mode of an assistant that it is for.
    mode TEXT NOT NULL,
    name TEXT NOT NULL,
    code TEXT NOT NULL UNIQUE
);

-- A voice without a synthesizer is that of a multimodal model.
CREATE TABLE voices (
    id INTEGER PRIMARY KEY,
    -- Whose it is; public where it is nobody's.
    user_id INTEGER REFERENCES users (id),
    name TEXT NOT NULL,
    language_id INTEGER NOT NULL REFERENCES languages (id),
    gender TEXT NOT NULL,
    preview_url TEXT NOT NULL,
    accent TEXT,
    age TEXT,
    synthesizer_provider_id INTEGER REFERENCES synthesizer_providers (id)
);

CREATE TABLE knowledgebases (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id),
    name TEXT NOT NULL,
    description TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX knowledgebases_by_user ON knowledgebases (user_id, id);

-- A document is processing until ready_at and then what outcome says, so nothing needs to move it.
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    knowledgebase_id INTEGER NOT NULL REFERENCES knowledgebases (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    description TEXT,
    type TEXT NOT NULL,
    outcome TEXT NOT NULL,
    ready_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX documents_by_knowledgebase ON documents (knowledgebase_id, id);

CREATE TABLE tools (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id),
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    method TEXT NOT NULL,
    timeout INTEGER NOT NULL,
    headers TEXT NOT NULL,
    schema TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX tools_by_user ON tools (user_id, id);

-- A webhook is on where it has a URL; the one after a call has a switch of its own besides (is_webhook_active).
ALTER TABLE assistants ADD COLUMN inbound_webhook_url TEXT;
ALTER TABLE assistants ADD COLUMN conversation_ended_webhook_url TEXT;
ALTER TABLE assistants ADD COLUMN knowledgebase_id INTEGER REFERENCES knowledgebases (id);
-- What is only handed back and looked at one assistant at a time.
ALTER TABLE assistants ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
-- Conversations and calls keep the name of an assistant that is gone.
ALTER TABLE assistants ADD COLUMN deleted_at BIGINT;
CREATE INDEX assistants_by_knowledgebase ON assistants (knowledgebase_id) WHERE knowledgebase_id IS NOT NULL;

CREATE TABLE assistant_tools (
    assistant_id INTEGER NOT NULL REFERENCES assistants (id),
    tool_id INTEGER NOT NULL REFERENCES tools (id) ON DELETE CASCADE,
    PRIMARY KEY (assistant_id, tool_id)
) WITHOUT ROWID;
CREATE INDEX assistant_tools_by_tool ON assistant_tools (tool_id);

CREATE TABLE calls (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id),
    assistant_id INTEGER NOT NULL REFERENCES assistants (id),
    type TEXT NOT NULL,
    status TEXT NOT NULL,
    assistant_phone_number TEXT,
    client_phone_number TEXT NOT NULL,
    variables TEXT NOT NULL,
    -- What is to come of it, and for how long they will talk.
    outcome TEXT NOT NULL,
    talk_seconds INTEGER NOT NULL,
    -- When it moves on; none when it is over.
    next_at BIGINT,
    duration INTEGER NOT NULL,
    transcript TEXT NOT NULL,
    evaluation TEXT NOT NULL,
    carrier_cost_micros BIGINT NOT NULL,
    total_cost_micros BIGINT NOT NULL,
    -- Who will answer, or has.
    answered_by TEXT,
    created_at BIGINT NOT NULL,
    answered_at BIGINT,
    finished_at BIGINT,
    updated_at BIGINT NOT NULL
);
CREATE INDEX calls_by_user ON calls (user_id, id);
CREATE INDEX calls_by_assistant ON calls (assistant_id, id);
CREATE INDEX calls_due ON calls (next_at) WHERE next_at IS NOT NULL;
