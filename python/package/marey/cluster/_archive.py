"""Inspection of an archive of motion files, and import into one corpus."""

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


def _read(errands: list[dict[str, Any]], meaning: str, licence: str, credit: str, by: str | None, every: int) -> bytes:
    """Reads a shard of files. Files of an fsspec path are copied to this machine first."""
    with tempfile.TemporaryDirectory(prefix="marey-") as home:
        for number, errand in enumerate(errands):
            files = []
            for which, source in enumerate(errand["sources"]):
                # Each file has its own folder, because the files of a pair may have the same name.
                folder = os.path.join(home, f"{number}-{which}")
                os.mkdir(folder)
                files.append(fetch(source, folder))
            errand["files"] = files
        return _native.shard(to_json(errands), meaning, licence, credit, by, every)


def build(
    inputs: Path | Iterable[Path],
    corpus: Path,
    *,
    by: Literal["steps", "instants", "beats"] | None = "steps",
    every: int = 1,
    pairs: Sequence[str] = (),
    table: Path | None = None,
    licence: str = "",
    credit: str = "",
    shard_files: int = 16,
    work_dir: Path | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> list[dict[str, Any]]:
    """Imports and segments many files into a new corpus, which equals that of ``Corpus.add`` and ``Corpus.segment``.

    Inputs are files, folders and fsspec paths ("s3://…"). ``pairs``, ``table`` and other keywords are those of ``Corpus.add``.
    ``work_dir`` (default: a folder beside the corpus) keeps finished shards until the corpus is complete, so that an interrupted call
    can be resumed. Returns a row for each file. An unreadable file has a row with code and message, and does not stop the import.
    """
    target = File(corpus)
    if target.exists():
        raise Error("file/exists", "the file exists already", Place(file=str(target)), "Choose another name.")
    if shard_files < 1:
        raise Error("python/value", f"shard_files must be at least 1, not {shard_files}", hint="Omit it for the default.")
    files = find_files(inputs)
    pair_table = None if table is None else os.fspath(table)
    errands = json.loads(_native.errands(list(files), list(pairs), pair_table))
    settings = (keywords_to_json(**options), licence, credit, by, every)
    groups = [errands[start : start + shard_files] for start in range(0, len(errands), shard_files)]
    stamps = [[files.get(source) or stamp(source) for errand in group for source in errand["sources"]] for group in groups]
    home = File(work_dir) if work_dir is not None else target.with_name(target.name + ".shards")
    home.mkdir(parents=True, exist_ok=True)
    names = [cache_key(group, group_stamps, settings) for group, group_stamps in zip(groups, stamps)]
    paths = [home / f"{number:06}-{name}.shard" for number, name in enumerate(names)]
    missing = [number for number, path in enumerate(paths) if not _is_whole(path)]
    with _Merge(target, paths) as merge:
        done = len(paths) - len(missing)
        merge.add_shards(set(range(len(paths))) - set(missing))
        for task, shard in run_tasks(_read, [(groups[number], *settings) for number in missing]):
            write_atomically(paths[missing[task]], shard)
            done += 1
            if progress is not None:
                progress("shards", done, len(paths))
            merge.add_shards({missing[task]})
        rows = merge.finish(progress)
    shutil.rmtree(home)
    return rows


def _is_whole(shard: File) -> bool:
    """Returns whether a shard exists and is complete."""
    return shard.exists() and _native.is_whole(shard.read_bytes())


class _Merge:
    """Merges shards into a new corpus, in their order, while workers make the others. The corpus gets its name when it is complete."""

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
        """Marks shards as available, and adds the takes of all shards whose predecessors are available too."""
        self._waiting |= shards
        while (index := len(self._new)) in self._waiting:
            self._waiting.remove(index)
            rows, new = self._corpus.put_takes(self._shards[index])
            self._rows += json.loads(rows)
            self._new.append(new)

    def finish(self, progress: Progress | None) -> list[dict[str, Any]]:
        """Adds the segments and renames the draft to its final name. Returns all rows."""
        for number, (shard, new) in enumerate(zip(self._shards, self._new), 1):
            self._rows += json.loads(self._corpus.put_cuts(shard, new))
            if progress is not None:
                progress("cuts", number, len(self._shards))
        self._corpus.settle()
        self._corpus.close()
        os.replace(self._draft, self._target)
        return self._rows


def _inspect_files(sources: list[str], options: str) -> list[dict[str, Any]]:
    """Reads files and describes their content."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="marey-") as home:
        for source in sources:
            try:
                takes, points, warnings = _native.load(fetch(source, home), options)
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


def inspect(inputs: Path | Iterable[Path], *, shard_files: int = 16, **options: Any) -> list[dict[str, Any]]:
    """Describes the content of many files, in their order: takes, actors, frames and rates, or the error in reading them."""
    files = list(find_files(inputs))
    groups = [files[start : start + shard_files] for start in range(0, len(files), shard_files)]
    results: list[list[dict[str, Any]]] = [[] for _ in groups]
    for number, rows in run_tasks(_inspect_files, [(group, keywords_to_json(**options)) for group in groups]):
        results[number] = rows
    return [row for rows in results for row in rows]
