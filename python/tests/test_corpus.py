"""The corpus: takes are added, annotated, segmented, clustered and found again."""

from __future__ import annotations

import contextlib
import json
import sqlite3

import pytest
from conftest import Workspace

import marey


def dump(workspace: Workspace, name: str) -> list[str]:
    """Returns the content of a corpus as SQL."""
    with contextlib.closing(sqlite3.connect(workspace / name)) as connection:
        return list(connection.iterdump())


def test_a_corpus_equals_that_of_the_command(walks: Workspace, workspace: Workspace) -> None:
    workspace.ok("corpus", "new", "command.marey")
    workspace.ok("corpus", "add", "command.marey", walks / "a.bvh", "--licence", "CC0-1.0", "--trim-rest")
    workspace.ok("corpus", "segment", "command.marey", "--by", "steps")
    workspace.ok("corpus", "tag", "command.marey", "a", "turn", "--frames", "10..90")
    workspace.ok("corpus", "label", "command.marey", "a", "mood=tired")
    workspace.ok("corpus", "cluster", "command.marey", "--threshold", "0.2")
    workspace.ok("corpus", "query", "command.marey", "--like", "a:100", "-k", 3)
    progress_calls: list[tuple[str, int, int]] = []
    with marey.Corpus.create(workspace / "python.marey") as corpus:
        rows = corpus.add(
            walks / "a.bvh",
            licence="CC0-1.0",
            trim_rest=True,
            progress=lambda stage, done, total: progress_calls.append((stage, done, total)),
        )
        assert rows[0]["ok"] and rows[0]["takes"][0]["name"] == "a"
        assert progress_calls[-1] == ("files", 1, 1)
        segmented = corpus.segment("steps")
        assert segmented[0]["segments"] == len(corpus.segments("a")) > 40
        corpus.tag("a", "turn", 10, 90)
        corpus.label("a", "mood", "tired")
        clustered = corpus.cluster(threshold_m=0.2)
        assert sum(row["representative"] for row in clustered) == len({row["cluster"] for row in clustered})
        found = corpus.query("a", 100, count=3)
        assert corpus.check() == []
    assert dump(workspace, "python.marey") == dump(workspace, "command.marey")
    from_command = json.loads(workspace.ok("corpus", "query", "command.marey", "--like", "a:100", "-k", 3, "--json"))
    assert found == from_command


def test_takes_and_annotations_are_read_back(walks: Workspace, workspace: Workspace) -> None:
    with marey.Corpus.create(workspace / "python.marey") as corpus:
        take = marey.load(walks / "a.bvh")
        assert isinstance(take, marey.Take)
        number = corpus.put(take, source="made", credit="us")
        assert corpus.put(take) == number and corpus.take(f"#{number}").frames == 1200
        assert corpus.takes()[0]["credit"] == "us"
        corpus.tag("a", "all")
        corpus.mark("a", "start", 3)
        corpus.touch("a", "LeftHand", 5, 9, on="wall")
        annotations = corpus.annotations("a")
        assert {row["kind"] for row in annotations} == {"tag", "marker", "contact"}
        assert all(row["made_by"] == "person" for row in annotations)
        assert corpus.untag("a", "all") and not corpus.untag("a", "all")
        corpus.segment("tags")
        assert corpus.segments() == []


def test_files_that_cannot_be_read_are_listed_with_their_error(walks: Workspace, workspace: Workspace) -> None:
    (workspace / "bad.bvh").write_text("HIERARCHY\n")
    (workspace / "good.bvh").write_bytes(walks.read("a.bvh"))
    with marey.Corpus.create(workspace / "python.marey") as corpus:
        rows = corpus.add(workspace.folder)
        assert [row["ok"] for row in rows] == [False, True]
        assert rows[0]["code"].startswith("bvh/") and rows[0]["hint"]
        assert len(corpus.takes()) == 1


def test_invalid_calls_are_refused(walks: Workspace, workspace: Workspace) -> None:
    def code(call: object, *args: object, **keywords: object) -> str:
        with pytest.raises(marey.Error) as refused:
            call(*args, **keywords)  # type: ignore[operator]
        return refused.value.code

    corpus = marey.Corpus.create(workspace / "python.marey")
    assert code(marey.Corpus.create, workspace / "python.marey") == "file/exists"
    assert code(marey.Corpus.open, workspace / "none.marey").startswith("file/")
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
    read = marey.Corpus.open(workspace / "python.marey", read_only=True)
    assert code(read.tag, "a", "x").startswith(("corpus/", "file/"))
    corpus.close()
    assert corpus.closed
    for call in (corpus.takes, corpus.segment, corpus.check):
        assert code(call) == "python/closed"
    assert code(marey.follow, corpus, walks / "path.csv") == "python/closed"
    assert code(marey.duet.label, corpus) == "python/closed"


def test_motion_files_are_a_corpus_wherever_one_is_taken(
    walks: Workspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAREY_CACHE", str(workspace / "cache"))
    folder = workspace / "walks"
    folder.mkdir()
    (folder / "a.bvh").write_bytes((walks / "a.bvh").read_bytes())
    (folder / "bad.bvh").write_text("HIERARCHY\n")
    path = marey.Points.path([[0.0, 0.3 * step] for step in range(20)], 4.0)
    with pytest.warns(UserWarning, match="bad.bvh"):
        of_folder = marey.follow(folder, path)
    with pytest.warns(UserWarning, match="bad.bvh"), marey.Corpus.of_files(str(folder / "*.bvh")) as corpus:
        assert [take["name"] for take in corpus.takes()] == ["a"] and corpus.segments()
        assert (marey.follow(corpus, path).take[0].rotations == of_folder.take[0].rotations).all()
    of_file = marey.follow([folder / "a.bvh"], path)
    assert (of_file.take[0].rotations == of_folder.take[0].rotations).all()
    with pytest.raises(marey.Error) as error:
        marey.follow(workspace / "nothing", path)
    assert error.value.code == "file/not-found"
