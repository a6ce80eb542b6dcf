"""Ray, on one machine as several nodes: the same corpus, whatever happens to the workers."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Room
from test_corpus import dump

import marey

ray = pytest.importorskip("ray", reason="Ray is not installed, so marey.cluster is not tested")
from ray.cluster_utils import Cluster  # noqa: E402

from marey import cluster  # noqa: E402


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """Three nodes of one processor each; the first is the head."""
    many = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    for _ in range(2):
        many.add_node(num_cpus=1)
    ray.init(address=many.address, log_to_driver=False)
    yield many
    ray.shutdown()
    many.shutdown()


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """Walks, one of them twice, and a bad file; and the corpus of one machine."""
    room = Room(tmp_path_factory.mktemp("archive"))
    (room / "walks").mkdir()
    for seed in range(12):
        room.ok("examples", "walk", f"walks/{seed:02}.bvh", "--secs", 10, "--rate", 30, "--seed", seed)
        for beside in ("truth.json", "path.csv"):
            (room / f"walks/{seed:02}.{beside}").unlink()
    (room / "walks/again.bvh").write_bytes(room.read("walks/03.bvh"))
    (room / "walks/bad.bvh").write_text("HIERARCHY\n")
    with marey.Corpus.create(room / "one.marey") as corpus:
        corpus.add(room / "walks", licence="CC0-1.0")
        corpus.segment("steps")
    return room


def test_many_workers_make_the_corpus_of_one(nodes: Any, archive: Room, room: Room) -> None:
    for shard_files in (1, 5):
        name = f"many-{shard_files}.marey"
        rows = cluster.build(archive / "walks", room / name, licence="CC0-1.0", shard_files=shard_files)
        assert room.read(name) == archive.read("one.marey")
        assert [row["file"] for row in rows if not row["ok"]] == [str(archive / "walks/bad.bvh")]
        assert not (room / f"{name}.shards").exists()
    with pytest.raises(marey.Error) as refused:
        cluster.build(archive / "walks", room / "many-1.marey")
    assert refused.value.code == "file/exists"


def test_a_node_that_dies_changes_nothing_but_the_time(nodes: Any, archive: Room, room: Room) -> None:
    lost = nodes.add_node(num_cpus=1)
    killed = threading.Event()

    def told(what: str, done: int, total: int) -> None:
        # In the middle, with work under way everywhere.
        if what == "shards" and done == 3 and not killed.is_set():
            killed.set()
            nodes.remove_node(lost, allow_graceful=False)

    cluster.build(archive / "walks", room / "lost.marey", licence="CC0-1.0", shard_files=1, progress=told)
    assert killed.is_set()
    assert room.read("lost.marey") == archive.read("one.marey")


def test_pairs_of_files_are_takes_of_two(nodes: Any, archive: Room, room: Room) -> None:
    for folder in ("left", "right"):
        (room / folder).mkdir()
    for number, (left, right) in enumerate([(0, 1), (2, 4)]):
        (room / f"left/{number}.bvh").write_bytes(archive.read(f"walks/{left:02}.bvh"))
        (room / f"right/{number}.bvh").write_bytes(archive.read(f"walks/{right:02}.bvh"))
    (room / "left/alone.bvh").write_bytes(archive.read("walks/05.bvh"))
    inputs, pairs = [room / "left", room / "right"], ["left/{i}.bvh=right/{i}.bvh"]
    with marey.Corpus.create(room / "one.marey") as corpus:
        theirs = corpus.add(inputs, pairs=pairs)
        corpus.segment("steps")
        assert [len(take["actors"]) for take in corpus.takes()] == [2, 2]
    rows = cluster.build(inputs, room / "many.marey", pairs=pairs, shard_files=1)
    assert room.read("many.marey") == room.read("one.marey")
    assert [row.get("code") for row in rows] == [row.get("code") for row in theirs] == [None, None, "corpus/no-partner"]
    # The same from a bucket, where both of a pair have the same name; and by a table.
    rows = cluster.build([f"file://{folder}" for folder in inputs], room / "bucket.marey", pairs=pairs)
    with marey.Corpus.open(room / "bucket.marey") as corpus:
        assert [take["name"] for take in corpus.takes()] == ["0+0", "1+1"]
        assert " + file://" in corpus.takes()[0]["source"]
    (room / "pairs.csv").write_text("left/0.bvh,right/0.bvh\n")
    rows = cluster.build(room / "left/0.bvh", room / "table.marey", table=room / "pairs.csv")
    assert [row["takes"][0]["name"] for row in rows] == ["0+0"]
    with pytest.raises(marey.Error) as refused:
        cluster.build(inputs, room / "none.marey", pairs=["left"])
    assert refused.value.code == "command/settings"


def test_blocks_of_distances_are_those_of_one_machine(nodes: Any, archive: Room, room: Room) -> None:
    with marey.Corpus.open(archive / "one.marey", read_only=True) as corpus:
        own = corpus.distances()
        count = len(corpus.segments())
        assert own.shape == (count * (count - 1) // 2,) and (own >= 0).all() and own.max() > 0.05
        assert np.array_equal(corpus.distances("method steps"), own) and corpus.distances("person").size == 0
        for block in (1024, 61, 97):
            found = cluster.distances(corpus, room / f"{block}.npy", block=block)
            assert found.dtype == np.float32 and np.array_equal(found, own)
            assert not (room / f"{block}.npy.blocks").exists()
    # Ended, and gone on with.
    class Enough(Exception):
        pass

    def told(what: str, done: int, total: int) -> None:
        if done == 3:
            raise Enough

    named = {"block": 40, "work_dir": room / "work"}
    with pytest.raises(Enough):
        cluster.distances(archive / "one.marey", room / "later.npy", progress=told, **named)  # type: ignore[arg-type]
    kept = {path: path.stat().st_mtime_ns for path in (room / "work").glob("*.npy")}
    assert len(kept) >= 3 and not (room / "later.npy").exists()
    seen: list[int] = []

    def again(what: str, done: int, total: int) -> None:
        seen.append(done)
        assert all(path.stat().st_mtime_ns == time for path, time in kept.items())

    found = cluster.distances(archive / "one.marey", room / "later.npy", progress=again, **named)  # type: ignore[arg-type]
    assert np.array_equal(found, own) and seen[0] == len(kept) + 1


def test_what_cannot_be_compared_is_refused(nodes: Any, archive: Room, room: Room) -> None:
    def code(*args: Any, **named: Any) -> str:
        with pytest.raises(marey.Error) as refused:
            cluster.distances(*args, **named)
        return refused.value.code

    one = archive / "one.marey"
    assert code(one, one) == "file/exists"
    assert code(one, room / "a.npy", block=0) == "python/value"
    assert code(one, room / "a.npy", made_by="person") == "corpus/no-segment"
    corpus = marey.Corpus.create(room / "own.marey")
    assert code(corpus, room / "a.npy") == "corpus/no-segment"
    corpus.close()
    assert code(corpus, room / "a.npy") == "python/closed"
    native = marey._native
    for bad in (np.zeros((2, 7, 3)), np.zeros((2, 80)), "clouds", np.full((2, 80, 3), np.nan)):
        with pytest.raises(marey.Error) as refused:
            native.level(bad)
        assert refused.value.code in {"python/array", "motion/not-finite"}
    with pytest.raises(marey.Error) as refused:
        native.distance_block(np.zeros((2, 80, 3)), np.zeros((2, 80, 3)), [0.0] * 7)
    assert refused.value.code == "motion/length"
    with pytest.raises(marey.Error) as refused:
        marey.Corpus.open(one, read_only=True).distances("nobody")
    assert refused.value.code == "command/settings"


def test_finished_shards_are_not_done_again(nodes: Any, archive: Room, room: Room) -> None:
    class Enough(Exception):
        pass

    def told(what: str, done: int, total: int) -> None:
        if done == 5:
            raise Enough

    work = room / "work"
    build = {"licence": "CC0-1.0", "shard_files": 1, "work_dir": work}
    with pytest.raises(Enough):
        cluster.build(archive / "walks", room / "later.marey", progress=told, **build)  # type: ignore[arg-type]
    assert not list(room.folder.glob("later.marey*"))
    # One that was damaged since is done again.
    damaged = min(path for path in work.iterdir() if path.suffix == ".shard")
    damaged.write_bytes(damaged.read_bytes()[:-1])
    kept = {path.name: path.stat().st_mtime_ns for path in work.iterdir() if path.suffix == ".shard"}
    assert len(kept) >= 5
    del kept[damaged.name]
    seen: dict[str, int] = {}

    def again(what: str, done: int, total: int) -> None:
        seen.update({path.name: path.stat().st_mtime_ns for path in work.iterdir() if path.suffix == ".shard"})

    cluster.build(archive / "walks", room / "later.marey", progress=again, **build)  # type: ignore[arg-type]
    assert all(seen[name] == time for name, time in kept.items())
    assert room.read("later.marey") == archive.read("one.marey")


def test_files_come_from_buckets_too(nodes: Any, archive: Room, room: Room) -> None:
    rows = cluster.build(f"file://{archive / 'walks'}", room / "bucket.marey", shard_files=4)
    assert sum(row["ok"] for row in rows) == 13
    with marey.Corpus.open(room / "bucket.marey") as corpus:
        takes = corpus.takes()
        assert len(takes) == 12 and takes[0]["source"].startswith("file://")
    rows = cluster.build([f"file://{archive / 'walks/00.bvh'}", f"file://{archive / 'walks/none.bvh'}"], room / "two.marey")
    assert [row["ok"] for row in rows] == [True]
    shard = cluster._archive._read([{"sources": ["file:///none/gone.bvh"]}], "{}", "", "", None, 1)
    (room / "gone.shard").write_bytes(shard)
    with marey.Corpus.create(room / "gone.marey") as corpus:
        gone = json.loads(corpus._native.store_takes(room / "gone.shard")[0])
        assert gone[0]["file"] == "file:///none/gone.bvh" and gone[0]["code"].startswith("file/")
    fixtures = Path(__file__).parents[2] / "fixtures/acclaim/good"
    rows = cluster.build(f"file://{fixtures}", room / "acclaim.marey", by=None)
    assert any(row["ok"] and row["file"].endswith(".amc") for row in rows)
    with pytest.raises(marey.Error) as refused:
        cluster.build(f"file://{room.folder}/empty", room / "empty.marey")
    assert refused.value.code == "file/no-input"
    looked = cluster.inspect(archive / "walks", shard_files=3)
    assert [row["ok"] for row in looked].count(False) == 1 and looked[0]["takes"][0]["frames"] == 300


def test_features_are_those_of_one_machine(nodes: Any, archive: Room) -> None:
    found = cluster.features(archive / "one.marey")
    assert len(found) == 12 and all(part[0] is not None and part[0].shape == (300, 27) for part in found.values())
    with marey.Corpus.open(archive / "one.marey", read_only=True) as corpus:
        for name, parts in found.items():
            assert np.array_equal(parts[0], marey._native.moments(corpus.take(name)[0]))


def test_islands_find_what_one_machine_finds(nodes: Any, room: Room) -> None:
    room.ok("examples", "taekwondo", "bout.glb", "--secs", 40, "--rate", 30)
    for name in ("one.marey", "many.marey"):
        room.ok("corpus", "new", name)
        room.ok("corpus", "add", name, "bout.glb")
    theirs = json.loads(room.ok("duet", "label", "one.marey", "--iterations", 10, "--islands", 3, "--json"))
    with marey.Corpus.open(room / "many.marey") as corpus:
        assert cluster.label(corpus, islands=3, iterations=10) == theirs
    assert dump(room, "many.marey") == dump(room, "one.marey")


def test_takes_are_left_out_and_briefs_are_made(nodes: Any, archive: Room, room: Room) -> None:
    with marey.Corpus.open(archive / "one.marey", read_only=True) as corpus:
        names = [take["name"] for take in corpus.takes()][:3]
        rows = cluster.leave_one_out(corpus, names)
        take = corpus.take(names[0])
        own = marey.follow(corpus, take, without=[names[0]])
    assert rows[0]["score"] == own.details["score"] and [row["take"] for row in rows] == names
    briefs: list[dict[str, Any]] = [
        {"name": f"free-{seed}", "engine": "wander", "secs": 2.0, "seed": seed} for seed in range(3)
    ]
    briefs.append({"name": "none", "engine": "levitate"})
    made = cluster.synthesise(archive / "one.marey", briefs, room / "made", format="bvh")
    assert [row["ok"] for row in made] == [True, True, True, False]
    alone = marey.wander(archive / "one.marey", 2.0, seed=1)
    assert room.read("made/free-1.bvh") == alone.take.to_bytes("bvh")
    again = cluster.synthesise(archive / "one.marey", briefs[:3], room / "made", format="bvh")
    assert all(row["already"] for row in again)


def test_the_command_is_a_door_to_it(archive: Room, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAREY_PYTHON", sys.executable)
    ran = room.run("cluster", "build", "door.marey", archive / "walks", "--licence", "CC0-1.0")
    assert ran.returncode == 1 and json.loads(ran.stdout)[0]["ok"], ran.stderr
    assert room.read("door.marey") == archive.read("one.marey")
    row = json.loads(room.ok("cluster", "distances", "door.marey", "apart.npy", "--block", "200"))[0]
    assert row["ok"] and np.load(room / "apart.npy").shape == (row["pairs"],)
    (room / "briefs.json").write_text("[")
    ran = room.run("cluster", "synthesise", "door.marey", "briefs.json", "out")
    assert ran.returncode == 1 and "error[python/value]" in ran.stderr
    (room / "ray.py").write_text("raise ImportError('no Ray here')\n")
    monkeypatch.setenv("PYTHONPATH", str(room.folder))
    ran = room.run("cluster", "inspect", archive / "walks")
    assert ran.returncode == 1 and "error[cluster/no-ray]" in ran.stderr and "pip install" in ran.stderr
    monkeypatch.setenv("MAREY_PYTHON", str(room / "no-python"))
    ran = room.run("cluster", "inspect", archive / "walks")
    assert ran.returncode == 1 and "error[cluster/no-python]" in ran.stderr, ran.stderr
