"""Builds a corpus from an archive with threads, on Ray, and on Ray with a killed node; prints the cost of each stage as JSON."""

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

import ray
from ray.cluster_utils import Cluster

import marey
from marey import _native, cluster
from marey.cluster._archive import _Merge
from marey.cluster._tasks import run_tasks

LABEL = {"seed": 1, "islands": 2, "iterations": 20}
"""The settings of `marey.duet.label`."""


def shard(files, by):
    """The shard that a worker makes of files: its bytes, the seconds it took, and the peak memory of the worker, in MB."""
    start = time.perf_counter()
    made = _native.shard(json.dumps([{"sources": [file]} for file in files]), "{}", "", "", by, 1)
    return made, time.perf_counter() - start, peak_megabytes()


def peak_megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def stages(files, room):
    """Measures reading, and reading and cutting, on workers, and merging in this process."""
    groups = [[str(file) for file in files[at : at + 16]] for at in range(0, len(files), 16)]
    read = sum(secs for _, (_, secs, _) in run_tasks(shard, [(group, None) for group in groups]))
    made = dict(run_tasks(shard, [(group, "steps") for group in groups]))
    paths = [room / f"{number:06}.shard" for number in range(len(groups))]
    for path, number in zip(paths, range(len(groups))):
        path.write_bytes(made[number][0])
    start = time.perf_counter()
    with _Merge(room / "merged.marey", paths) as merge:
        merge.add_shards(set(range(len(paths))))
        rows = merge.finish(None)
    merged = time.perf_counter() - start
    return {
        "read_secs": read,
        "read_and_cut_secs": sum(secs for _, secs, _ in made.values()),
        "merge_secs": merged,
        "worker_megabytes": max(most for _, _, most in made.values()),
        "shard_megabytes": sum(path.stat().st_size for path in paths) / 1e6,
        "row_bytes": len(json.dumps(rows)) / len(files),
    }


def timed(work, *args, **named):
    start = time.perf_counter()
    result = work(*args, **named)
    return result, time.perf_counter() - start


def main() -> None:
    archive = Path(sys.argv[1])
    files = sorted(archive.glob("*.bvh"))
    bouts = [file.stem for file in files if file.stem.startswith("bout")]
    found = {"clips": len(files), "megabytes": sum(file.stat().st_size for file in files) / 1e6, "bouts": len(bouts)}
    with tempfile.TemporaryDirectory(prefix="marey-") as home:
        room = Path(home)
        with marey.Corpus.create(room / "one.marey") as corpus:
            _, found["add_secs"] = timed(corpus.add, archive)
            _, found["segment_secs"] = timed(corpus.segment, "steps")
            found["segments"] = len(corpus.segments())
        one = (room / "one.marey").read_bytes()
        found["corpus_megabytes"] = len(one) / 1e6
        nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        nodes.add_node(num_cpus=1)
        ray.init(address=nodes.address, log_to_driver=False)
        found["cpus"], found["nodes"] = int(ray.cluster_resources()["CPU"]), 2
        # Starts the workers, so that the time to start them is not measured.
        cluster.inspect(files[:2], shard_files=1)
        found.update(stages(files, room))
        _, found["ray_secs"] = timed(cluster.build, archive, room / "many.marey")
        found["equal"] = (room / "many.marey").read_bytes() == one
        found["coordinator_megabytes"] = peak_megabytes()
        with marey.Corpus.open(room / "one.marey") as corpus:
            own, found["distance_secs"] = timed(corpus.distances)
            theirs, found["ray_distance_secs"] = timed(cluster.distances, corpus, room / "apart.npy")
            found["equal_distances"] = bool((own == theirs).all())
            labels, found["label_secs"] = timed(marey.duet.label, corpus, bouts, **LABEL)
        with marey.Corpus.open(room / "many.marey") as corpus:
            theirs, found["ray_label_secs"] = timed(cluster.label, corpus, bouts, **LABEL)
        found["equal_labels"] = theirs == labels and (room / "many.marey").read_bytes() == (room / "one.marey").read_bytes()
        lost = nodes.add_node(num_cpus=1)
        cluster.inspect(files[:3], shard_files=1)
        killed = [False]

        def kill(what: str, done: int, total: int) -> None:
            if what == "shards" and not killed[0] and done >= total // 2:
                killed[0] = True
                nodes.remove_node(lost, allow_graceful=False)

        _, found["killed_secs"] = timed(cluster.build, archive, room / "lost.marey", progress=kill)
        found["equal_killed"] = killed[0] and (room / "lost.marey").read_bytes() == one
        ray.shutdown()
        nodes.shutdown()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
