-- What running calls have reserved, in the unit of the user's balance: nothing else may spend it.
ALTER TABLE users ADD COLUMN reserved_micros BIGINT NOT NULL DEFAULT 0;
ALTER TABLE calls ADD COLUMN reserved_micros BIGINT NOT NULL DEFAULT 0;

-- How far a sandbox's clock was moved on, in one row: the data is as old as that clock says.
CREATE TABLE sandbox_clock (
    id INTEGER PRIMARY KEY,
    offset_micros BIGINT NOT NULL
);
