-- Version 4: a program that keeps a file open for long leaves a mark with each change, so that it knows whether the file it finds
-- later continues the one that it changed.

CREATE TABLE marks (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    mark BLOB NOT NULL UNIQUE               -- random
) STRICT;
