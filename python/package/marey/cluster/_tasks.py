"""Tasks on Ray: distributed to workers, retried if a node dies, with results in files that are written atomically."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path as File
from typing import Any

import marey

from ..corpus import Corpus, Path, native
from ..errors import Error

_QUEUED_PER_WORKER = 4
"""Tasks in flight for each worker: enough that none is idle, and few enough that results do not pile up."""


def init_ray() -> Any:
    """Returns the module ``ray``. Starts Ray on this machine if it is not initialised."""
    try:
        import ray
    except ImportError:
        hint = "Install it into the environment of marey: pip install 'marey[cluster]', or pip install ray fsspec."
        raise Error("cluster/no-ray", "the Python package ray is not installed", hint=hint) from None
    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False)
    return ray


def run_tasks(work: Callable[..., Any], tasks: Sequence[tuple[Any, ...]], *common: Any) -> Iterator[tuple[int, Any]]:
    """Calls ``work(*task, *common)`` for each task on all workers. Yields index and result in the order of completion."""
    ray = init_ray()
    # One processor for each task, which runs on one thread. Ray retries a task if its node dies.
    remote = ray.remote(num_cpus=1, max_retries=-1, retry_exceptions=False)(_run_single_threaded)
    shared = [ray.put(value) for value in common]
    max_running = max(1, int(ray.cluster_resources().get("CPU", 1))) * _QUEUED_PER_WORKER
    indices = iter(range(len(tasks)))
    running: dict[Any, int] = {}
    while True:
        while len(running) < max_running and (index := next(indices, None)) is not None:
            running[remote.remote(work, tasks[index], *shared)] = index
        if not running:
            return
        done, _ = ray.wait(list(running), num_returns=1)
        for reference in done:
            index = running.pop(reference)
            yield index, ray.get(reference)


def _run_single_threaded(work: Callable[..., Any], task: tuple[Any, ...], *common: Any) -> Any:
    """Runs a task on one thread, because other tasks use the other processors."""
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    return work(*task, *common)


def cache_key(*inputs: Any) -> str:
    """Returns a short hash of the inputs of a task and the version of Marey."""
    text = json.dumps([inputs, marey.__version__])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write_atomically(path: File, content: bytes) -> None:
    """Writes a file so that it is either complete or absent."""
    part = path.with_suffix(".part")
    with open(part, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def error_row(kind: str, name: str, error: Error) -> dict[str, Any]:
    """Returns the row of a result table for something that failed."""
    place = str(error.place)
    return {kind: name, "ok": False, "code": error.code, "message": error.message, "place": place, "hint": error.hint}


def corpus_bytes(corpus: Corpus | Path) -> bytes:
    """Returns the content of a corpus file, including changes that SQLite has not yet merged into the file."""
    path = corpus.path if isinstance(corpus, Corpus) else os.fspath(corpus)
    # Raises an error if the corpus is closed, or the file is not a corpus.
    native(corpus).takes()
    with tempfile.TemporaryDirectory(prefix="marey-") as folder:
        copy = os.path.join(folder, "copy.marey")
        with contextlib.closing(sqlite3.connect(f"{File(path).absolute().as_uri()}?mode=ro", uri=True)) as source:
            with contextlib.closing(sqlite3.connect(copy)) as target:
                source.backup(target)
        return File(copy).read_bytes()


def local_corpus(content: bytes) -> str:
    """Writes the bytes of a corpus to a file of this machine, once for all tasks. Returns its path."""
    name = hashlib.sha256(content).hexdigest()[:24]
    path = File(tempfile.gettempdir()) / f"marey-{name}.marey"
    if not path.exists():
        part = path.with_suffix(f".{os.getpid()}")
        part.write_bytes(content)
        os.replace(part, path)
    return str(path)
