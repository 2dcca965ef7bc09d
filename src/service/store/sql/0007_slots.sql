-- How many conversations last changed in each quarter of an hour, once for each index that the list is read from:
-- a page in the middle of a busy day is found without stepping over half the day. 0 stands for all assistants of the
-- user and '' for all types.
CREATE TABLE conversation_slots (
    user_id INTEGER NOT NULL,
    assistant_id INTEGER NOT NULL,
    type TEXT NOT NULL,
    slot INTEGER NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (user_id, assistant_id, type, slot)
) WITHOUT ROWID;

INSERT INTO conversation_slots (user_id, assistant_id, type, slot, count)
    -- Whole quarters, rounded down before 1970 as well.
    SELECT user_id, assistant_id, type, updated_at / 900000000 - (updated_at % 900000000 < 0) AS quarter, COUNT(*)
    FROM conversations GROUP BY user_id, assistant_id, type, quarter;
INSERT INTO conversation_slots (user_id, assistant_id, type, slot, count)
    SELECT user_id, 0, type, slot, SUM(count) FROM conversation_slots GROUP BY user_id, type, slot;
INSERT INTO conversation_slots (user_id, assistant_id, type, slot, count)
    SELECT user_id, assistant_id, '', slot, SUM(count) FROM conversation_slots GROUP BY user_id, assistant_id, slot;
