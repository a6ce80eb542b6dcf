"""The corpus: put in, said, cut, put together, found again."""

from __future__ import annotations

import contextlib
import json
import sqlite3

import pytest
from conftest import Room

import marey


def dump(room: Room, name: str) -> list[str]:
    """Everything in a corpus, as SQL."""
    with contextlib.closing(sqlite3.connect(room / name)) as connection:
        return list(connection.iterdump())


def test_a_corpus_is_the_commands_own(walks: Room, room: Room) -> None:
    room.ok("corpus", "new", "theirs.marey")
    room.ok("corpus", "add", "theirs.marey", walks / "a.bvh", "--licence", "CC0-1.0", "--trim-rest")
    room.ok("corpus", "segment", "theirs.marey", "--by", "steps")
    room.ok("corpus", "tag", "theirs.marey", "a", "turn", "--frames", "10..90")
    room.ok("corpus", "label", "theirs.marey", "a", "mood=tired")
    room.ok("corpus", "cluster", "theirs.marey", "--threshold", "0.2")
    room.ok("corpus", "query", "theirs.marey", "--like", "a:100", "-k", 3)
    told: list[tuple[str, int, int]] = []
    with marey.Corpus.create(room / "own.marey") as corpus:
        rows = corpus.add(
            walks / "a.bvh",
            licence="CC0-1.0",
            trim_rest=True,
            progress=lambda what, done, total: told.append((what, done, total)),
        )
        assert rows[0]["ok"] and rows[0]["takes"][0]["name"] == "a"
        assert told[-1] == ("files", 1, 1)
        cut = corpus.segment("steps")
        assert cut[0]["segments"] == len(corpus.segments("a")) > 40
        corpus.tag("a", "turn", 10, 90)
        corpus.label("a", "mood", "tired")
        placed = corpus.cluster(threshold_m=0.2)
        assert sum(one["representative"] for one in placed) == len({one["cluster"] for one in placed})
        found = corpus.query("a", 100, count=3)
        assert corpus.check() == []
    assert dump(room, "own.marey") == dump(room, "theirs.marey")
    theirs = json.loads(room.ok("corpus", "query", "theirs.marey", "--like", "a:100", "-k", 3, "--json"))
    assert found == theirs


def test_what_was_said_is_known(walks: Room, room: Room) -> None:
    with marey.Corpus.create(room / "own.marey") as corpus:
        take = marey.load(walks / "a.bvh")
        assert isinstance(take, marey.Take)
        number = corpus.put(take, source="made", credit="us")
        assert corpus.put(take) == number and corpus.take(f"#{number}").frames == 1200
        assert corpus.takes()[0]["credit"] == "us"
        corpus.tag("a", "all")
        corpus.mark("a", "start", 3)
        corpus.touch("a", "LeftHand", 5, 9, on="wall")
        said = corpus.annotations("a")
        assert {one["kind"] for one in said} == {"tag", "marker", "contact"}
        assert all(one["made_by"] == "person" for one in said)
        assert corpus.untag("a", "all") and not corpus.untag("a", "all")
        corpus.segment("tags")
        assert corpus.segments() == []


def test_bad_files_end_in_a_table(walks: Room, room: Room) -> None:
    (room / "bad.bvh").write_text("HIERARCHY\n")
    (room / "good.bvh").write_bytes(walks.read("a.bvh"))
    with marey.Corpus.create(room / "own.marey") as corpus:
        rows = corpus.add(room.folder)
        assert [row["ok"] for row in rows] == [False, True]
        assert rows[0]["code"].startswith("bvh/") and rows[0]["hint"]
        assert len(corpus.takes()) == 1


def test_what_cannot_be_asked_is_refused(walks: Room, room: Room) -> None:
    def code(call: object, *args: object, **named: object) -> str:
        with pytest.raises(marey.Error) as refused:
            call(*args, **named)  # type: ignore[operator]
        return refused.value.code

    corpus = marey.Corpus.create(room / "own.marey")
    assert code(marey.Corpus.create, room / "own.marey") == "file/exists"
    assert code(marey.Corpus.open, room / "none.marey").startswith("file/")
    assert code(marey.Corpus.open, walks / "a.bvh").startswith("corpus/")
    corpus.add(walks / "a.bvh")
    assert code(corpus.take, "b") == "corpus/no-take"
    assert code(corpus.segment, "feeling") == "command/settings"
    assert code(corpus.segment, "csv") == "command/settings"
    assert code(corpus.cluster) == "corpus/no-segment"
    assert code(corpus.cluster, "hope") == "command/settings"
    assert code(corpus.tag, "a", "late", 5000, 6000) == "motion/range"
    assert code(corpus.touch, "a", "Tail") == "motion/not-a-role"
    assert code(corpus.query, "a", 99999) == "corpus/no-moments"
    assert code(corpus.query, "a", 1, apart_secs=float("nan")) == "python/value"
    assert code(corpus.query, "a", 1, max_sped=3) == "command/settings"
    read = marey.Corpus.open(room / "own.marey", read_only=True)
    assert code(read.tag, "a", "x").startswith(("corpus/", "file/"))
    corpus.close()
    assert corpus.closed
    for call in (corpus.takes, corpus.segment, corpus.check):
        assert code(call) == "python/closed"
    assert code(marey.follow, corpus, walks / "path.csv") == "python/closed"
    assert code(marey.duet.label, corpus) == "python/closed"
