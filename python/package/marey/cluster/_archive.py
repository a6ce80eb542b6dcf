"""Inspects an archive of files, or reads and segments it into one corpus."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path as File
from types import TracebackType
from typing import Any, Literal

from .. import _native
from .._values import keywords_to_json, to_json
from ..corpus import Path, Progress
from ..errors import Error, Place
from ._files import fetch, find_files, stamp
from ._tasks import cache_key, error_row, run_tasks, write_atomically


def _read(groups: list[dict[str, Any]], request: str, by: str | None, every: int) -> bytes:
    """Reads groups of files into a shard. Files at fsspec paths are copied to this machine first."""
    with tempfile.TemporaryDirectory(prefix="marey-") as temporary:
        for index, group in enumerate(groups):
            files = []
            for part, source in enumerate(group["sources"]):
                # One folder for each file, because partners can have the same name.
                folder = os.path.join(temporary, f"{index}-{part}")
                os.mkdir(folder)
                files.append(fetch(source, folder))
            group["files"] = files
        return _native.read_shard(to_json(groups), request, by, every)


def build(
    inputs: Path | Iterable[Path],
    corpus: Path,
    *,
    by: Literal["steps", "instants", "beats"] | None = "steps",
    every: int = 1,
    pairs: Sequence[str] = (),
    table: Path | None = None,
    actors: Sequence[str] = (),
    prepare: dict[str, bool] | None = None,
    licence: str = "",
    credit: str = "",
    shard_files: int = 16,
    work_dir: Path | None = None,
    progress: Progress | None = None,
    **read: Any,
) -> list[dict[str, Any]]:
    """Reads and segments many files into one corpus. It equals the corpus that ``Corpus.add`` and ``Corpus.segment`` make.

    Inputs are files, folders and fsspec paths ("s3://…"); ``pairs`` and ``table`` group the files of one take, as in ``Corpus.add``.
    Finished shards are kept in ``work_dir`` (by default beside the corpus) until the corpus is complete, so that interrupted work
    continues where it stopped. Returns a row for each file; a file that could not be read has a code and a message.
    """
    target = File(corpus)
    if target.exists():
        raise Error("file/exists", "the file exists", Place(file=str(target)), "Choose another name.")
    if shard_files < 1:
        raise Error("python/value", "shard_files must be at least 1", hint="Leave it out.")
    files = find_files(inputs)
    table_path = None if table is None else os.fspath(table)
    groups = json.loads(_native.file_groups(list(files), list(pairs), table_path))
    request = {
        "actors": list(actors),
        "prepare": prepare or {},
        "licence": licence,
        "credit": credit,
        "read": {name: value for name, value in read.items() if value is not None},
    }
    settings = (to_json(request), by, every)
    shards = [groups[start : start + shard_files] for start in range(0, len(groups), shard_files)]
    stamps = [[files.get(path) or stamp(path) for group in shard for path in group["sources"]] for shard in shards]
    shard_folder = File(work_dir) if work_dir is not None else target.with_name(target.name + ".shards")
    shard_folder.mkdir(parents=True, exist_ok=True)
    names = [cache_key(shard, shard_stamps, settings) for shard, shard_stamps in zip(shards, stamps)]
    paths = [shard_folder / f"{index:06}-{name}.shard" for index, name in enumerate(names)]
    missing = [index for index, path in enumerate(paths) if not _is_whole(path)]
    with _Merge(target, paths) as merge:
        done = len(paths) - len(missing)
        merge.add_shards(set(range(len(paths))) - set(missing))
        for task, shard in run_tasks(_read, [(shards[index], *settings) for index in missing]):
            write_atomically(paths[missing[task]], shard)
            done += 1
            if progress is not None:
                progress("shards", done, len(paths))
            merge.add_shards({missing[task]})
        rows = merge.finish(progress)
    shutil.rmtree(shard_folder)
    return rows


def _is_whole(shard: File) -> bool:
    """Whether a shard is complete and intact."""
    return shard.exists() and _native.is_whole(shard.read_bytes())


class _Merge:
    """Stores shards in a corpus in their order, while others are read. The corpus appears complete, or not at all."""

    def __init__(self, target: File, shards: list[File]) -> None:
        self._target = target
        self._shards = shards
        self._waiting: set[int] = set()
        self._new: list[list[int | None]] = []
        self._rows: list[dict[str, Any]] = []
        self._draft = target.with_name(target.name + ".part")

    def __enter__(self) -> _Merge:
        self._clear()
        self._corpus = _native.Corpus.draft(self._draft)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._corpus.close()
        self._clear()

    def _clear(self) -> None:
        for ending in ("", "-wal", "-shm"):
            self._draft.with_name(self._draft.name + ending).unlink(missing_ok=True)

    def add_shards(self, shards: set[int]) -> None:
        """Adds finished shards to the queue. Stores the takes of a shard when those of all earlier shards are stored."""
        self._waiting |= shards
        while (next_shard := len(self._new)) in self._waiting:
            self._waiting.remove(next_shard)
            rows, new = self._corpus.store_takes(self._shards[next_shard])
            self._rows += json.loads(rows)
            self._new.append(new)

    def finish(self, progress: Progress | None) -> list[dict[str, Any]]:
        """Stores the cuts, and moves the corpus to its final path."""
        for done, (shard, new) in enumerate(zip(self._shards, self._new), 1):
            self._rows += json.loads(self._corpus.store_cuts(shard, new))
            if progress is not None:
                progress("cuts", done, len(self._shards))
        self._corpus.settle()
        self._corpus.close()
        os.replace(self._draft, self._target)
        return self._rows


def _inspect_files(sources: list[str], read: str) -> list[dict[str, Any]]:
    """Returns a row with the content of each file."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="marey-") as temporary:
        for source in sources:
            try:
                takes, points, warnings = _native.load(fetch(source, temporary), read)
            except Error as error:
                rows.append(error_row("file", source, error))
                continue
            described = [
                {
                    "name": take.name,
                    "actors": take.actors,
                    "frames": take.frames,
                    "rate_hz": take.rate_hz,
                    "joints": [len(clip.skeleton) for clip in take.clips],
                }
                for take in takes
            ]
            codes = [warning["code"] for warning in json.loads(warnings)]
            labels = None if points is None else points.labels
            rows.append({"file": source, "ok": True, "takes": described, "points": labels, "warnings": codes})
    return rows


def inspect(inputs: Path | Iterable[Path], *, shard_files: int = 16, **read: Any) -> list[dict[str, Any]]:
    """Describes many files, in their order: takes, actors, frames and rates, or the error of a file that could not be read."""
    files = list(find_files(inputs))
    groups = [files[start : start + shard_files] for start in range(0, len(files), shard_files)]
    inspected: list[list[dict[str, Any]]] = [[] for _ in groups]
    for index, rows in run_tasks(_inspect_files, [(group, keywords_to_json(**read)) for group in groups]):
        inspected[index] = rows
    return [row for rows in inspected for row in rows]
