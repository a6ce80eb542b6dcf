-- A corpus as version 1 wrote it: one take of one joint and two frames, with a tag and a label.
PRAGMA application_id = 1298231929;
PRAGMA user_version = 1;
CREATE TABLE skeletons (id INTEGER PRIMARY KEY, joints INTEGER NOT NULL, body TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE takes (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, content TEXT NOT NULL UNIQUE,
    frames INTEGER NOT NULL CHECK (frames > 0), rate_hz REAL NOT NULL CHECK (rate_hz > 0), source TEXT NOT NULL,
    licence TEXT NOT NULL, credit TEXT NOT NULL, history TEXT NOT NULL
) STRICT;
CREATE TABLE actors (
    take INTEGER NOT NULL REFERENCES takes ON DELETE CASCADE, actor INTEGER NOT NULL, name TEXT NOT NULL,
    skeleton INTEGER NOT NULL REFERENCES skeletons, PRIMARY KEY (take, actor)
) STRICT, WITHOUT ROWID;
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY, take INTEGER NOT NULL, actor INTEGER NOT NULL, start INTEGER NOT NULL,
    frames INTEGER NOT NULL CHECK (frames > 0), crc INTEGER NOT NULL, bytes BLOB NOT NULL,
    UNIQUE (take, actor, start), FOREIGN KEY (take, actor) REFERENCES actors ON DELETE CASCADE
) STRICT;
CREATE TABLE tags (
    id INTEGER PRIMARY KEY AUTOINCREMENT, take INTEGER NOT NULL REFERENCES takes ON DELETE CASCADE, name TEXT NOT NULL,
    start INTEGER NOT NULL CHECK (start >= 0), "end" INTEGER NOT NULL CHECK ("end" > start), made_by TEXT NOT NULL,
    UNIQUE (take, start, "end", name)
) STRICT;
CREATE INDEX tags_by_name ON tags (name);
CREATE TABLE markers (
    id INTEGER PRIMARY KEY AUTOINCREMENT, take INTEGER NOT NULL REFERENCES takes ON DELETE CASCADE, name TEXT NOT NULL,
    frame INTEGER NOT NULL CHECK (frame >= 0), made_by TEXT NOT NULL, UNIQUE (take, frame, name)
) STRICT;
CREATE TABLE contacts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, take INTEGER NOT NULL, actor INTEGER NOT NULL, role TEXT NOT NULL,
    what TEXT NOT NULL, start INTEGER NOT NULL CHECK (start >= 0), "end" INTEGER NOT NULL CHECK ("end" > start),
    made_by TEXT NOT NULL, UNIQUE (take, actor, role, what, start),
    FOREIGN KEY (take, actor) REFERENCES actors ON DELETE CASCADE
) STRICT;
CREATE TABLE labels (
    take INTEGER NOT NULL REFERENCES takes ON DELETE CASCADE, key TEXT NOT NULL, value TEXT NOT NULL,
    made_by TEXT NOT NULL, PRIMARY KEY (take, key)
) STRICT, WITHOUT ROWID;
INSERT INTO skeletons VALUES (1, 1, '{"joints":[{"name":"ball","parent":null,"offset":[0.0,0.0,0.0],"moves":true}]}');
INSERT INTO takes VALUES (7, 'old', 'c0ffee', 2, 10.0, 'old.bvh', 'CC0-1.0', '', '');
INSERT INTO actors VALUES (7, 0, 'old', 1);
INSERT INTO chunks VALUES (1, 7, 0, 0, 2, 838554409, x'0100000002000000010000000100000001000000080080000038000000000000803f000000000000803f0000803f00000000');
INSERT INTO tags VALUES (1, 7, 'rolls', 0, 2, 'person');
INSERT INTO labels VALUES (7, 'colour', 'red', 'method eye');
