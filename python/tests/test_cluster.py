"""Ray with several nodes on one machine: the results equal those of one machine, even if a node dies."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Workspace
from test_corpus import dump

import marey

ray = pytest.importorskip("ray", reason="Ray is not installed, so marey.cluster is not tested")
from ray.cluster_utils import Cluster  # noqa: E402

from marey import cluster  # noqa: E402


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """Three nodes of one processor each; the first is the head."""
    several_nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    for _ in range(2):
        several_nodes.add_node(num_cpus=1)
    ray.init(address=several_nodes.address, log_to_driver=False)
    yield several_nodes
    ray.shutdown()
    several_nodes.shutdown()


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Walks, one of them twice, and an invalid file; and the corpus that one machine makes of them."""
    workspace = Workspace(tmp_path_factory.mktemp("archive"))
    (workspace / "walks").mkdir()
    for seed in range(12):
        workspace.ok("examples", "walk", f"walks/{seed:02}.bvh", "--secs", 10, "--rate", 30, "--seed", seed)
        for companion in ("truth.json", "path.csv"):
            (workspace / f"walks/{seed:02}.{companion}").unlink()
    (workspace / "walks/again.bvh").write_bytes(workspace.read("walks/03.bvh"))
    (workspace / "walks/bad.bvh").write_text("HIERARCHY\n")
    with marey.Corpus.create(workspace / "one.marey") as corpus:
        corpus.add(workspace / "walks", licence="CC0-1.0")
        corpus.segment("steps")
    # Verbs that read a corpus store in it what they learn.
    (workspace / "untouched.marey").write_bytes(workspace.read("one.marey"))
    return workspace


def test_many_workers_make_the_same_corpus_as_one(nodes: Any, archive: Workspace, workspace: Workspace) -> None:
    for shard_files in (1, 5):
        name = f"many-{shard_files}.marey"
        rows = cluster.build(archive / "walks", workspace / name, licence="CC0-1.0", shard_files=shard_files)
        assert workspace.read(name) == archive.read("untouched.marey")
        assert [row["file"] for row in rows if not row["ok"]] == [str(archive / "walks/bad.bvh")]
        assert not (workspace / f"{name}.shards").exists()
    with pytest.raises(marey.Error) as refused:
        cluster.build(archive / "walks", workspace / "many-1.marey")
    assert refused.value.code == "file/exists"


def test_a_node_that_dies_does_not_change_the_corpus(nodes: Any, archive: Workspace, workspace: Workspace) -> None:
    lost = nodes.add_node(num_cpus=1)
    killed = threading.Event()

    def on_progress(stage: str, done: int, total: int) -> None:
        # In the middle of the work, when every node is busy.
        if stage == "shards" and done == 3 and not killed.is_set():
            killed.set()
            nodes.remove_node(lost, allow_graceful=False)

    cluster.build(archive / "walks", workspace / "lost.marey", licence="CC0-1.0", shard_files=1, progress=on_progress)
    assert killed.is_set()
    assert workspace.read("lost.marey") == archive.read("untouched.marey")


def test_pairs_of_files_become_takes_of_two_actors(nodes: Any, archive: Workspace, workspace: Workspace) -> None:
    for folder in ("left", "right"):
        (workspace / folder).mkdir()
    for number, (left, right) in enumerate([(0, 1), (2, 4)]):
        (workspace / f"left/{number}.bvh").write_bytes(archive.read(f"walks/{left:02}.bvh"))
        (workspace / f"right/{number}.bvh").write_bytes(archive.read(f"walks/{right:02}.bvh"))
    (workspace / "left/alone.bvh").write_bytes(archive.read("walks/05.bvh"))
    inputs, pairs = [workspace / "left", workspace / "right"], ["left/{i}.bvh=right/{i}.bvh"]
    with marey.Corpus.create(workspace / "one.marey") as corpus:
        one_machine = corpus.add(inputs, pairs=pairs)
        corpus.segment("steps")
        assert [len(take["actors"]) for take in corpus.takes()] == [2, 2]
    rows = cluster.build(inputs, workspace / "many.marey", pairs=pairs, shard_files=1)
    assert workspace.read("many.marey") == workspace.read("one.marey")
    assert [row.get("code") for row in rows] == [row.get("code") for row in one_machine] == [None, None, "corpus/no-partner"]
    # The same from fsspec paths, where both files of a pair have the same name; and by a table.
    rows = cluster.build([f"file://{folder}" for folder in inputs], workspace / "bucket.marey", pairs=pairs)
    with marey.Corpus.open(workspace / "bucket.marey") as corpus:
        assert [take["name"] for take in corpus.takes()] == ["0+0", "1+1"]
        assert " + file://" in corpus.takes()[0]["source"]
    (workspace / "pairs.csv").write_text("left/0.bvh,right/0.bvh\n")
    rows = cluster.build(workspace / "left/0.bvh", workspace / "table.marey", table=workspace / "pairs.csv")
    assert [row["takes"][0]["name"] for row in rows] == ["0+0"]
    with pytest.raises(marey.Error) as refused:
        cluster.build(inputs, workspace / "none.marey", pairs=["left"])
    assert refused.value.code == "command/settings"


def test_distances_equal_those_of_one_machine_and_can_be_resumed(nodes: Any, archive: Workspace, workspace: Workspace) -> None:
    with marey.Corpus.open(archive / "one.marey", read_only=True) as corpus:
        one_machine = corpus.distances()
        count = len(corpus.segments())
        assert one_machine.shape == (count * (count - 1) // 2,) and (one_machine >= 0).all() and one_machine.max() > 0.05
        assert np.array_equal(corpus.distances("method steps"), one_machine) and corpus.distances("person").size == 0
        for block in (1024, 61, 97):
            found = cluster.distances(corpus, workspace / f"{block}.npy", block=block)
            assert found.dtype == np.float32 and np.array_equal(found, one_machine)
            assert not (workspace / f"{block}.npy.blocks").exists()
    # An interrupted call is resumed.
    class Stop(Exception):
        pass

    def on_progress(stage: str, done: int, total: int) -> None:
        if done == 3:
            raise Stop

    keywords = {"block": 40, "work_dir": workspace / "work"}
    with pytest.raises(Stop):
        cluster.distances(archive / "one.marey", workspace / "later.npy", progress=on_progress, **keywords)  # type: ignore[arg-type]
    kept = {path: path.stat().st_mtime_ns for path in (workspace / "work").glob("*.npy")}
    assert len(kept) >= 3 and not (workspace / "later.npy").exists()
    seen: list[int] = []

    def again(stage: str, done: int, total: int) -> None:
        seen.append(done)
        assert all(path.stat().st_mtime_ns == time for path, time in kept.items())

    found = cluster.distances(archive / "one.marey", workspace / "later.npy", progress=again, **keywords)  # type: ignore[arg-type]
    assert np.array_equal(found, one_machine) and seen[0] == len(kept) + 1


def test_invalid_calls_of_distances_are_refused(nodes: Any, archive: Workspace, workspace: Workspace) -> None:
    def code(*args: Any, **keywords: Any) -> str:
        with pytest.raises(marey.Error) as refused:
            cluster.distances(*args, **keywords)
        return refused.value.code

    one = archive / "one.marey"
    assert code(one, one) == "file/exists"
    assert code(one, workspace / "a.npy", block=0) == "python/value"
    assert code(one, workspace / "a.npy", made_by="person") == "corpus/no-segment"
    corpus = marey.Corpus.create(workspace / "python.marey")
    assert code(corpus, workspace / "a.npy") == "corpus/no-segment"
    corpus.close()
    assert code(corpus, workspace / "a.npy") == "python/closed"
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


def test_finished_shards_are_not_read_again(nodes: Any, archive: Workspace, workspace: Workspace) -> None:
    class Stop(Exception):
        pass

    def on_progress(stage: str, done: int, total: int) -> None:
        if done == 5:
            raise Stop

    work = workspace / "work"
    build = {"licence": "CC0-1.0", "shard_files": 1, "work_dir": work}
    with pytest.raises(Stop):
        cluster.build(archive / "walks", workspace / "later.marey", progress=on_progress, **build)  # type: ignore[arg-type]
    assert not list(workspace.folder.glob("later.marey*"))
    # A shard that was damaged in the meantime is read again.
    damaged = min(path for path in work.iterdir() if path.suffix == ".shard")
    damaged.write_bytes(damaged.read_bytes()[:-1])
    kept = {path.name: path.stat().st_mtime_ns for path in work.iterdir() if path.suffix == ".shard"}
    assert len(kept) >= 5
    del kept[damaged.name]
    seen: dict[str, int] = {}

    def again(stage: str, done: int, total: int) -> None:
        seen.update({path.name: path.stat().st_mtime_ns for path in work.iterdir() if path.suffix == ".shard"})

    cluster.build(archive / "walks", workspace / "later.marey", progress=again, **build)  # type: ignore[arg-type]
    assert all(seen[name] == time for name, time in kept.items())
    assert workspace.read("later.marey") == archive.read("untouched.marey")


def test_files_are_read_from_fsspec_paths(nodes: Any, archive: Workspace, workspace: Workspace) -> None:
    rows = cluster.build(f"file://{archive / 'walks'}", workspace / "bucket.marey", shard_files=4)
    assert sum(row["ok"] for row in rows) == 13
    with marey.Corpus.open(workspace / "bucket.marey") as corpus:
        takes = corpus.takes()
        assert len(takes) == 12 and takes[0]["source"].startswith("file://")
    rows = cluster.build([f"file://{archive / 'walks/00.bvh'}", f"file://{archive / 'walks/none.bvh'}"], workspace / "two.marey")
    assert [row["ok"] for row in rows] == [True]
    shard = cluster._archive._read([{"sources": ["file:///none/gone.bvh"]}], "{}", None, 1)
    (workspace / "gone.shard").write_bytes(shard)
    with marey.Corpus.create(workspace / "gone.marey") as corpus:
        gone = json.loads(corpus._native.store_takes(workspace / "gone.shard")[0])
        assert gone[0]["file"] == "file:///none/gone.bvh" and gone[0]["code"].startswith("file/")
    fixtures = Path(__file__).parents[2] / "fixtures/acclaim/good"
    rows = cluster.build(f"file://{fixtures}", workspace / "acclaim.marey", by=None)
    assert any(row["ok"] and row["file"].endswith(".amc") for row in rows)
    with pytest.raises(marey.Error) as refused:
        cluster.build(f"file://{workspace.folder}/empty", workspace / "empty.marey")
    assert refused.value.code == "file/no-input"
    inspected = cluster.inspect(archive / "walks", shard_files=3)
    assert [row["ok"] for row in inspected].count(False) == 1 and inspected[0]["takes"][0]["frames"] == 300


def test_features_equal_those_of_one_machine(nodes: Any, archive: Workspace) -> None:
    found = cluster.features(archive / "one.marey")
    assert len(found) == 12 and all(part[0] is not None and part[0].shape == (300, 27) for part in found.values())
    with marey.Corpus.open(archive / "one.marey", read_only=True) as corpus:
        for name, parts in found.items():
            assert np.array_equal(parts[0], marey._native.moments(corpus.take(name)[0]))


def test_islands_find_the_same_labels_as_one_machine(nodes: Any, workspace: Workspace) -> None:
    workspace.ok("examples", "taekwondo", "bout.glb", "--secs", 40, "--rate", 30)
    for name in ("one.marey", "many.marey"):
        workspace.ok("corpus", "new", name)
        workspace.ok("corpus", "add", name, "bout.glb")
    from_command = json.loads(workspace.ok("duet", "label", "one.marey", "--iterations", 10, "--islands", 3, "--json"))
    with marey.Corpus.open(workspace / "many.marey") as corpus:
        assert cluster.label(corpus, islands=3, iterations=10) == from_command
    assert dump(workspace, "many.marey") == dump(workspace, "one.marey")


def test_leave_one_out_and_synthesis_equal_those_of_one_machine(nodes: Any, archive: Workspace, workspace: Workspace) -> None:
    with marey.Corpus.open(archive / "one.marey", read_only=True) as corpus:
        names = [take["name"] for take in corpus.takes()][:3]
        rows = cluster.leave_one_out(corpus, names)
        take = corpus.take(names[0])
        one_machine = marey.follow(corpus, take, without=[names[0]])
    assert rows[0]["score"] == one_machine.details["score"] and [row["take"] for row in rows] == names
    briefs: list[dict[str, Any]] = [
        {"name": f"free-{seed}", "engine": "wander", "secs": 2.0, "seed": seed} for seed in range(3)
    ]
    briefs.append({"name": "none", "engine": "levitate"})
    rows = cluster.synthesise(archive / "one.marey", briefs, workspace / "made", format="bvh")
    assert [row["ok"] for row in rows] == [True, True, True, False]
    one_machine = marey.wander(archive / "one.marey", 2.0, seed=1)
    assert workspace.read("made/free-1.bvh") == one_machine.take.to_bytes("bvh")
    again = cluster.synthesise(archive / "one.marey", briefs[:3], workspace / "made", format="bvh")
    assert all(row["already"] for row in again)


def test_the_command_runs_the_package(archive: Workspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAREY_PYTHON", sys.executable)
    completed = workspace.run("cluster", "build", "cluster.marey", archive / "walks", "--licence", "CC0-1.0")
    assert completed.returncode == 1 and json.loads(completed.stdout)[0]["ok"], completed.stderr
    assert workspace.read("cluster.marey") == archive.read("untouched.marey")
    row = json.loads(workspace.ok("cluster", "distances", "cluster.marey", "distances.npy", "--block", "200"))[0]
    assert row["ok"] and np.load(workspace / "distances.npy").shape == (row["pairs"],)
    (workspace / "briefs.json").write_text("[")
    completed = workspace.run("cluster", "synthesise", "cluster.marey", "briefs.json", "out")
    assert completed.returncode == 1 and "error[python/value]" in completed.stderr
    (workspace / "ray.py").write_text("raise ImportError('no Ray here')\n")
    monkeypatch.setenv("PYTHONPATH", str(workspace.folder))
    completed = workspace.run("cluster", "inspect", archive / "walks")
    assert completed.returncode == 1 and "error[cluster/no-ray]" in completed.stderr and "pip install" in completed.stderr
    monkeypatch.setenv("MAREY_PYTHON", str(workspace / "no-python"))
    completed = workspace.run("cluster", "inspect", archive / "walks")
    assert completed.returncode == 1 and "error[cluster/no-python]" in completed.stderr, completed.stderr
