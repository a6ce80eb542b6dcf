-- Version 9: a rating study, with its raters and their answers.

CREATE TABLE study (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    definition TEXT NOT NULL                -- TOML
) STRICT;

CREATE TABLE study_clips (
    number    INTEGER PRIMARY KEY,          -- from 0, in the order of conditions
    take      INTEGER NOT NULL REFERENCES takes (id),
    condition INTEGER NOT NULL,             -- from 0, in the order of the definition
    sequence  INTEGER NOT NULL,             -- from 0, in its condition
    name      TEXT NOT NULL
) STRICT;

CREATE TABLE study_links (
    class INTEGER PRIMARY KEY,              -- from 0, in the order of the definition
    token TEXT NOT NULL UNIQUE              -- with which raters of the class join
) STRICT;

CREATE TABLE study_raters (
    number INTEGER PRIMARY KEY,             -- from 0, in the order in which they joined
    class  INTEGER NOT NULL,
    token  TEXT NOT NULL UNIQUE             -- with which the rater answers
) STRICT;

CREATE TABLE study_answers (
    rater INTEGER NOT NULL REFERENCES study_raters (number),
    trial INTEGER NOT NULL,                 -- from 0, in the order of the definition
    scale INTEGER NOT NULL,                 -- from 0, in the order of the definition
    value INTEGER NOT NULL,                 -- a rating from 1; of a pair 0 for the first clip, 1 for the second
    secs  REAL NOT NULL,                    -- how long the rater took for the trial
    PRIMARY KEY (rater, trial, scale)
) STRICT, WITHOUT ROWID;
