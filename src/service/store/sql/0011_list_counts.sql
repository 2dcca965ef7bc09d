-- How many rows each list in pages has: by the words that it is narrowed by ('' for any), by stretch of the key that it is
-- sorted by, once coarse (level 0) and once fine (level 1), and by day of beginning. List 1: conversations, by days and
-- quarters of an hour. List 2: calls, by 65536 and 1024 numbers.
CREATE TABLE list_counts (
    list INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    narrowing TEXT NOT NULL,
    level INTEGER NOT NULL,
    stretch BIGINT NOT NULL,
    created_day INTEGER NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (list, user_id, narrowing, level, stretch, created_day)
) WITHOUT ROWID;

-- Goes up with every change of the counts, so that what was worked out from them can be kept.
CREATE TABLE list_versions (
    list INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (list, user_id)
) WITHOUT ROWID;

-- Whole stretches and days, rounded down before 1970 as well.
INSERT INTO list_counts (list, user_id, narrowing, level, stretch, created_day, count)
    WITH counted AS (
        SELECT user_id, assistant_id, type, updated_at / 900000000 - (updated_at % 900000000 < 0) AS stretch,
            created_at / 86400000000 - (created_at % 86400000000 < 0) AS day, COUNT(*) AS count
        FROM conversations GROUP BY 1, 2, 3, 4, 5),
    assistants AS (SELECT 0 AS narrow UNION ALL SELECT 1),
    types AS (SELECT 0 AS narrow UNION ALL SELECT 1)
    SELECT 1, user_id,
        CASE assistants.narrow WHEN 0 THEN '' ELSE assistant_id END || '/' || CASE types.narrow WHEN 0 THEN '' ELSE type END
            AS words, 1, stretch, day, SUM(count)
    FROM counted CROSS JOIN assistants CROSS JOIN types GROUP BY user_id, words, stretch, day;
INSERT INTO list_counts (list, user_id, narrowing, level, stretch, created_day, count)
    WITH counted AS (
        SELECT user_id, assistant_id, type, status, id / 1024 AS stretch,
            created_at / 86400000000 - (created_at % 86400000000 < 0) AS day, COUNT(*) AS count
        FROM calls GROUP BY 1, 2, 3, 4, 5, 6),
    assistants AS (SELECT 0 AS narrow UNION ALL SELECT 1),
    types AS (SELECT 0 AS narrow UNION ALL SELECT 1),
    statuses AS (SELECT 0 AS narrow UNION ALL SELECT 1)
    SELECT 2, user_id,
        CASE assistants.narrow WHEN 0 THEN '' ELSE assistant_id END || '/' || CASE types.narrow WHEN 0 THEN '' ELSE type END
            || '/' || CASE statuses.narrow WHEN 0 THEN '' ELSE status END AS words, 1, stretch, day, SUM(count)
    FROM counted CROSS JOIN assistants CROSS JOIN types CROSS JOIN statuses GROUP BY user_id, words, stretch, day;
INSERT INTO list_counts (list, user_id, narrowing, level, stretch, created_day, count)
    SELECT list, user_id, narrowing, 0,
        CASE list WHEN 1 THEN stretch / 96 - (stretch % 96 < 0) ELSE stretch / 64 END AS wide, created_day, SUM(count)
    FROM list_counts GROUP BY list, user_id, narrowing, wide, created_day;

DROP TABLE conversation_counts;
DROP TABLE conversation_slots;
ALTER TABLE users DROP COLUMN counts_version;

-- Every row of the call list in its order, with what it is narrowed by.
DROP INDEX calls_by_user;
CREATE INDEX calls_by_user ON calls (user_id, id, assistant_id, type, status, created_at);
CREATE INDEX calls_by_phone ON calls (user_id, client_phone_number, id, assistant_id, type, status, created_at);
-- What ends with its assistant.
DROP INDEX calls_by_assistant;
CREATE INDEX calls_running ON calls (assistant_id) WHERE next_at IS NOT NULL;
