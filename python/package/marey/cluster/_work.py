"""Work in shares: handed out to Ray, done again where a node dies, kept in files that are there whole or not at all."""

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

_AHEAD = 4
"""How many shares wait for each worker, so that none is idle and few results are held."""


def ray_here() -> Any:
    """Ray, started where nobody has started it."""
    try:
        import ray
    except ImportError:
        hint = "Install it into the environment of marey: pip install 'marey[cluster]', or pip install ray fsspec."
        raise Error("cluster/no-ray", "the Python package ray is not installed", hint=hint) from None
    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False)
    return ray


def shared(work: Callable[..., Any], shares: Sequence[tuple[Any, ...]], *common: Any) -> Iterator[tuple[int, Any]]:
    """Does a share of work for each, on all workers, and gives number and result as they come."""
    ray = ray_here()
    # One processor for each share, which has as many threads; tried again wherever a node dies.
    task = ray.remote(num_cpus=1, max_retries=-1, retry_exceptions=False)(_alone)
    held = [ray.put(value) for value in common]
    most = max(1, int(ray.cluster_resources().get("CPU", 1))) * _AHEAD
    numbers = iter(range(len(shares)))
    running: dict[Any, int] = {}
    while True:
        while len(running) < most and (number := next(numbers, None)) is not None:
            running[task.remote(work, shares[number], *held)] = number
        if not running:
            return
        done, _ = ray.wait(list(running), num_returns=1)
        for one in done:
            number = running.pop(one)
            yield number, ray.get(one)


def _alone(work: Callable[..., Any], share: tuple[Any, ...], *common: Any) -> Any:
    """A share, on one thread: others have the other processors."""
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    return work(*share, *common)


def key(*made_of: Any) -> str:
    """What a share is made of, as a short text."""
    text = json.dumps([made_of, marey.__version__])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def keep(path: File, result: bytes) -> None:
    """Writes a result so that it is there whole or not at all."""
    beside = path.with_suffix(".part")
    with open(beside, "wb") as file:
        file.write(result)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)


def failed(kind: str, name: str, error: Error) -> dict[str, Any]:
    """A row about something that was refused."""
    place = str(error.place)
    return {kind: name, "ok": False, "code": error.code, "message": error.message, "place": place, "hint": error.hint}


def sent(corpus: Corpus | Path) -> bytes:
    """A corpus as bytes, with everything that was written to it."""
    path = corpus.path if isinstance(corpus, Corpus) else os.fspath(corpus)
    # Refuses what is closed, or no corpus.
    native(corpus).takes()
    with tempfile.TemporaryDirectory(prefix="marey-") as home:
        copy = os.path.join(home, "copy.marey")
        with contextlib.closing(sqlite3.connect(f"{File(path).absolute().as_uri()}?mode=ro", uri=True)) as source:
            with contextlib.closing(sqlite3.connect(copy)) as target:
                source.backup(target)
        return File(copy).read_bytes()


def here(corpus: bytes) -> str:
    """A corpus that was sent, as a file of this machine; written once for all who ask."""
    name = hashlib.sha256(corpus).hexdigest()[:24]
    path = File(tempfile.gettempdir()) / f"marey-{name}.marey"
    if not path.exists():
        beside = path.with_suffix(f".{os.getpid()}")
        beside.write_bytes(corpus)
        os.replace(beside, path)
    return str(path)
