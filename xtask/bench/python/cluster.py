"""An archive as a corpus: by the threads of one machine, on Ray, and on Ray with a node killed; what it took, as JSON."""

import json
import sys
import tempfile
import time
from pathlib import Path

import ray
from ray.cluster_utils import Cluster

import marey
from marey import cluster


def main() -> None:
    archive = Path(sys.argv[1])
    files = sorted(archive.glob("*.bvh"))
    found = {"clips": len(files), "megabytes": sum(file.stat().st_size for file in files) / 1e6}
    with tempfile.TemporaryDirectory(prefix="marey-") as home:
        room = Path(home)
        with marey.Corpus.create(room / "one.marey") as corpus:
            start = time.perf_counter()
            corpus.add(archive)
            found["add_secs"] = time.perf_counter() - start
            start = time.perf_counter()
            corpus.segment("steps")
            found["segment_secs"] = time.perf_counter() - start
        one = (room / "one.marey").read_bytes()
        found["corpus_megabytes"] = len(one) / 1e6
        nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        nodes.add_node(num_cpus=1)
        ray.init(address=nodes.address, log_to_driver=False)
        found["cpus"], found["nodes"] = int(ray.cluster_resources()["CPU"]), 2
        # Workers are started once, not for each archive.
        cluster.inspect(files[:2], shard_files=1)
        read = [0.0]

        def told(what: str, done: int, total: int) -> None:
            if what == "shards" and not read[0] and done == total:
                read[0] = time.perf_counter()

        start = time.perf_counter()
        cluster.build(archive, room / "many.marey", progress=told)
        found["ray_secs"] = time.perf_counter() - start
        found["merge_secs"] = time.perf_counter() - read[0]
        found["equal"] = (room / "many.marey").read_bytes() == one
        lost = nodes.add_node(num_cpus=1)
        cluster.inspect(files[:3], shard_files=1)
        killed = [False]

        def kill(what: str, done: int, total: int) -> None:
            if what == "shards" and not killed[0] and done >= total // 2:
                killed[0] = True
                nodes.remove_node(lost, allow_graceful=False)

        start = time.perf_counter()
        cluster.build(archive, room / "lost.marey", progress=kill)
        found["killed_secs"] = time.perf_counter() - start
        found["equal_killed"] = killed[0] and (room / "lost.marey").read_bytes() == one
        ray.shutdown()
        nodes.shutdown()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
