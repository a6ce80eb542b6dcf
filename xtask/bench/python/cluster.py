"""Build a corpus from an archive with threads, on Ray, and on Ray with a killed node; print the cost of each stage as JSON."""

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
    """Return the shard of some files: its bytes, the seconds it took, and the peak memory of the worker in MB."""
    start = time.perf_counter()
    data = _native.shard(json.dumps([{"sources": [file]} for file in files]), "{}", "", "", by, 1)
    return data, time.perf_counter() - start, peak_megabytes()


def peak_megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def stages(files, folder):
    """Measure reading, and reading and segmenting, on workers, and merging in this process."""
    groups = [[str(file) for file in files[at : at + 16]] for at in range(0, len(files), 16)]
    read = sum(secs for _, (_, secs, _) in run_tasks(shard, [(group, None) for group in groups]))
    shards = dict(run_tasks(shard, [(group, "steps") for group in groups]))
    paths = [folder / f"{number:06}.shard" for number in range(len(groups))]
    for path, number in zip(paths, range(len(groups))):
        path.write_bytes(shards[number][0])
    start = time.perf_counter()
    with _Merge(folder / "merged.marey", paths) as merge:
        merge.add_shards(set(range(len(paths))))
        rows = merge.finish(None)
    merged = time.perf_counter() - start
    return {
        "read_secs": read,
        "read_and_cut_secs": sum(secs for _, secs, _ in shards.values()),
        "merge_secs": merged,
        "worker_megabytes": max(megabytes for _, _, megabytes in shards.values()),
        "shard_megabytes": sum(path.stat().st_size for path in paths) / 1e6,
        "row_bytes": len(json.dumps(rows)) / len(files),
    }


def timed(function, *args, **options):
    start = time.perf_counter()
    result = function(*args, **options)
    return result, time.perf_counter() - start


def main() -> None:
    archive = Path(sys.argv[1])
    files = sorted(archive.glob("*.bvh"))
    bouts = [file.stem for file in files if file.stem.startswith("bout")]
    found = {"clips": len(files), "megabytes": sum(file.stat().st_size for file in files) / 1e6, "bouts": len(bouts)}
    with tempfile.TemporaryDirectory(prefix="marey-") as home:
        folder = Path(home)
        with marey.Corpus.create(folder / "one.marey") as corpus:
            _, found["add_secs"] = timed(corpus.add, archive)
            _, found["segment_secs"] = timed(corpus.segment, "steps")
            found["segments"] = len(corpus.segments())
        one = (folder / "one.marey").read_bytes()
        found["corpus_megabytes"] = len(one) / 1e6
        nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        nodes.add_node(num_cpus=1)
        ray.init(address=nodes.address, log_to_driver=False)
        found["cpus"], found["nodes"] = int(ray.cluster_resources()["CPU"]), 2
        # Starts the workers, so that the time to start them is not measured.
        cluster.inspect(files[:2], shard_files=1)
        found.update(stages(files, folder))
        _, found["ray_secs"] = timed(cluster.build, archive, folder / "many.marey")
        found["equal"] = (folder / "many.marey").read_bytes() == one
        found["coordinator_megabytes"] = peak_megabytes()
        with marey.Corpus.open(folder / "one.marey") as corpus:
            own, found["distance_secs"] = timed(corpus.distances)
            theirs, found["ray_distance_secs"] = timed(cluster.distances, corpus, folder / "apart.npy")
            found["equal_distances"] = bool((own == theirs).all())
            labels, found["label_secs"] = timed(marey.duet.label, corpus, bouts, **LABEL)
        with marey.Corpus.open(folder / "many.marey") as corpus:
            theirs, found["ray_label_secs"] = timed(cluster.label, corpus, bouts, **LABEL)
        found["equal_labels"] = theirs == labels and (folder / "many.marey").read_bytes() == (folder / "one.marey").read_bytes()
        lost = nodes.add_node(num_cpus=1)
        cluster.inspect(files[:3], shard_files=1)
        killed = [False]

        def kill(what: str, done: int, total: int) -> None:
            if what == "shards" and not killed[0] and done >= total // 2:
                killed[0] = True
                nodes.remove_node(lost, allow_graceful=False)

        _, found["killed_secs"] = timed(cluster.build, archive, folder / "lost.marey", progress=kill)
        found["equal_killed"] = killed[0] and (folder / "lost.marey").read_bytes() == one
        ray.shutdown()
        nodes.shutdown()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
