-- Version 1: takes, what they are made of, and what was said about them.

CREATE TABLE skeletons (
    id     INTEGER PRIMARY KEY,
    joints INTEGER NOT NULL,
    body   TEXT NOT NULL UNIQUE             -- JSON: joints and tips
) STRICT;

CREATE TABLE takes (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    name    TEXT NOT NULL UNIQUE,
    content TEXT NOT NULL UNIQUE,           -- SHA-256 of what is stored, in hexadecimal
    frames  INTEGER NOT NULL CHECK (frames > 0),
    rate_hz REAL NOT NULL CHECK (rate_hz > 0),
    source  TEXT NOT NULL,
    licence TEXT NOT NULL,
    credit  TEXT NOT NULL,
    history TEXT NOT NULL
) STRICT;

CREATE TABLE actors (
    take     INTEGER NOT NULL REFERENCES takes ON DELETE CASCADE,
    actor    INTEGER NOT NULL,              -- from 0
    name     TEXT NOT NULL,
    skeleton INTEGER NOT NULL REFERENCES skeletons,
    PRIMARY KEY (take, actor)
) STRICT, WITHOUT ROWID;

CREATE TABLE chunks (
    id     INTEGER PRIMARY KEY,
    take   INTEGER NOT NULL,
    actor  INTEGER NOT NULL,
    start  INTEGER NOT NULL,                -- first frame
    frames INTEGER NOT NULL CHECK (frames > 0),
    crc    INTEGER NOT NULL,                -- CRC-32 of bytes
    bytes  BLOB NOT NULL,
    UNIQUE (take, actor, start),
    FOREIGN KEY (take, actor) REFERENCES actors ON DELETE CASCADE
) STRICT;

CREATE TABLE tags (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    take    INTEGER NOT NULL REFERENCES takes ON DELETE CASCADE,
    name    TEXT NOT NULL,
    start   INTEGER NOT NULL CHECK (start >= 0),
    "end"   INTEGER NOT NULL CHECK ("end" > start),
    made_by TEXT NOT NULL,                  -- 'person' or 'method NAME', here and below
    UNIQUE (take, start, "end", name)
) STRICT;
CREATE INDEX tags_by_name ON tags (name);

CREATE TABLE markers (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    take    INTEGER NOT NULL REFERENCES takes ON DELETE CASCADE,
    name    TEXT NOT NULL,
    frame   INTEGER NOT NULL CHECK (frame >= 0),
    made_by TEXT NOT NULL,
    UNIQUE (take, frame, name)
) STRICT;

CREATE TABLE contacts (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    take    INTEGER NOT NULL,
    actor   INTEGER NOT NULL,
    role    TEXT NOT NULL,                  -- what touches: LeftFoot, RightHand, …
    what    TEXT NOT NULL,                  -- what is touched: '' for the floor, '1 LeftHand' for an actor's, else an object
    start   INTEGER NOT NULL CHECK (start >= 0),
    "end"   INTEGER NOT NULL CHECK ("end" > start),
    made_by TEXT NOT NULL,
    UNIQUE (take, actor, role, what, start),
    FOREIGN KEY (take, actor) REFERENCES actors ON DELETE CASCADE
) STRICT;

CREATE TABLE labels (
    take    INTEGER NOT NULL REFERENCES takes ON DELETE CASCADE,
    key     TEXT NOT NULL,
    value   TEXT NOT NULL,
    made_by TEXT NOT NULL,
    PRIMARY KEY (take, key)
) STRICT, WITHOUT ROWID;
