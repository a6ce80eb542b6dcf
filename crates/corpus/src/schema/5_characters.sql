-- Version 5: characters, which motion of the corpus is shown on.

CREATE TABLE characters (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    name    TEXT NOT NULL UNIQUE,           -- the name of the file
    content TEXT NOT NULL UNIQUE,           -- SHA-256 of bytes, in hexadecimal
    crc     INTEGER NOT NULL,               -- CRC-32 of bytes
    bytes   BLOB NOT NULL                   -- the file
) STRICT;
