-- Version 2: how takes are cut, labels of the pieces, and what is derived.

CREATE TABLE segments (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    take    INTEGER NOT NULL REFERENCES takes ON DELETE CASCADE,
    actor   INTEGER,                        -- whose motion it is; NULL for all together
    name    TEXT NOT NULL,
    start   INTEGER NOT NULL CHECK (start >= 0),
    "end"   INTEGER NOT NULL CHECK ("end" > start),
    made_by TEXT NOT NULL,
    FOREIGN KEY (take, actor) REFERENCES actors (take, actor) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX segments_in_order ON segments (take, coalesce(actor, -1), start, "end", name, made_by);

CREATE TABLE segment_labels (
    segment INTEGER NOT NULL REFERENCES segments ON DELETE CASCADE,
    key     TEXT NOT NULL,
    value   TEXT NOT NULL,
    made_by TEXT NOT NULL,
    PRIMARY KEY (segment, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE summaries (
    segment        INTEGER PRIMARY KEY REFERENCES segments ON DELETE CASCADE,
    duration_secs  REAL NOT NULL,
    displacement_m REAL NOT NULL,
    turn_rad       REAL NOT NULL,           -- to the left is above 0
    speed_mps      REAL NOT NULL,
    start_feet     TEXT NOT NULL,           -- which feet are down: '', 'L', 'R', 'LR'
    end_feet       TEXT NOT NULL,
    steps          INTEGER NOT NULL,
    jump_length_m  REAL NOT NULL,           -- 0 where there is no jump
    jump_height_m  REAL NOT NULL
) STRICT;

CREATE TABLE clusters (
    segment        INTEGER PRIMARY KEY REFERENCES segments ON DELETE CASCADE,
    cluster        INTEGER NOT NULL,        -- from 0, in the order of their first segments
    representative INTEGER NOT NULL CHECK (representative IN (0, 1)),
    made_by        TEXT NOT NULL
) STRICT;

-- What can be worked out again from the rest; it goes when what it was made from goes or changes.
CREATE TABLE derived (
    kind  TEXT NOT NULL,
    take  INTEGER REFERENCES takes ON DELETE CASCADE,  -- what it was made from; NULL for all takes together
    part  INTEGER NOT NULL,                            -- from 0
    crc   INTEGER NOT NULL,                            -- CRC-32 of bytes
    bytes BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX derived_parts ON derived (kind, coalesce(take, -1), part);

CREATE TRIGGER takes_added   AFTER INSERT ON takes BEGIN DELETE FROM derived WHERE take IS NULL; END;
CREATE TRIGGER takes_removed AFTER DELETE ON takes BEGIN DELETE FROM derived WHERE take IS NULL; END;
CREATE TRIGGER segments_added   AFTER INSERT ON segments BEGIN DELETE FROM clusters; END;
CREATE TRIGGER segments_changed AFTER UPDATE ON segments BEGIN DELETE FROM clusters; END;
CREATE TRIGGER segments_removed AFTER DELETE ON segments BEGIN DELETE FROM clusters; END;
