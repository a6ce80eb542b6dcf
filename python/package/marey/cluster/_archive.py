"""An archive of files: looked at, or read and cut into one corpus."""

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
from .._values import to_json, told
from ..corpus import Path, Progress
from ..errors import Error, Place
from ._files import fetched, found, stamp
from ._work import failed, keep, key, shared


def _read(errands: list[dict[str, Any]], meaning: str, licence: str, credit: str, by: str | None, every: int) -> bytes:
    """A shard of files, fetched where they are not here."""
    with tempfile.TemporaryDirectory(prefix="marey-") as home:
        for number, errand in enumerate(errands):
            files = []
            for which, source in enumerate(errand["sources"]):
                # A folder for each: partners may have the same name.
                folder = os.path.join(home, f"{number}-{which}")
                os.mkdir(folder)
                files.append(fetched(source, folder))
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
    **meaning: Any,
) -> list[dict[str, Any]]:
    """Reads many files, finds their contacts, cuts them, and makes one corpus of them: that of ``Corpus.add`` and ``Corpus.segment``.

    Inputs are files, folders and fsspec paths ("s3://…"); ``pairs`` and ``table`` put files of one take together, as ``Corpus.add`` does.
    Finished shards are kept in ``work_dir`` (beside the corpus where none is told) until the corpus is whole, so that work that was ended
    goes on where it was. Gives a row for each file; those that could not be read have a code and a message, and stop nothing.
    """
    target = File(corpus)
    if target.exists():
        raise Error("file/exists", "there is such a file already", Place(file=str(target)), "Choose another name.")
    if shard_files < 1:
        raise Error("python/value", "shard_files must be at least 1", hint="Leave it out.")
    files = found(inputs)
    beside = None if table is None else os.fspath(table)
    errands = json.loads(_native.errands(list(files), list(pairs), beside))
    settings = (told(**meaning), licence, credit, by, every)
    groups = [errands[start : start + shard_files] for start in range(0, len(errands), shard_files)]
    stamps = [[files.get(one) or stamp(one) for errand in group for one in errand["sources"]] for group in groups]
    home = File(work_dir) if work_dir is not None else target.with_name(target.name + ".shards")
    home.mkdir(parents=True, exist_ok=True)
    names = [key(group, about, settings) for group, about in zip(groups, stamps)]
    paths = [home / f"{number:06}-{name}.shard" for number, name in enumerate(names)]
    missing = [number for number, path in enumerate(paths) if not _is_whole(path)]
    with _Merge(target, paths) as merge:
        done = len(paths) - len(missing)
        merge.there(set(range(len(paths))) - set(missing))
        for share, shard in shared(_read, [(groups[number], *settings) for number in missing]):
            keep(paths[missing[share]], shard)
            done += 1
            if progress is not None:
                progress("shards", done, len(paths))
            merge.there({missing[share]})
        rows = merge.finished(progress)
    shutil.rmtree(home)
    return rows


def _is_whole(shard: File) -> bool:
    """Whether a shard was finished before, and nothing has happened to it since."""
    return shard.exists() and _native.is_whole(shard.read_bytes())


class _Merge:
    """A corpus that shards are put into in their order, while others are made; it is there whole in the end, or not at all."""

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

    def there(self, shards: set[int]) -> None:
        """Says which shards are there now; the takes of all that follow those before are put in."""
        self._waiting |= shards
        while (next_one := len(self._new)) in self._waiting:
            self._waiting.remove(next_one)
            rows, new = self._corpus.put_takes(self._shards[next_one])
            self._rows += json.loads(rows)
            self._new.append(new)

    def finished(self, progress: Progress | None) -> list[dict[str, Any]]:
        """Puts the cuts in, and gives the corpus its name."""
        for number, (shard, new) in enumerate(zip(self._shards, self._new), 1):
            self._rows += json.loads(self._corpus.put_cuts(shard, new))
            if progress is not None:
                progress("cuts", number, len(self._shards))
        self._corpus.settle()
        self._corpus.close()
        os.replace(self._draft, self._target)
        return self._rows


def _looked(sources: list[str], meaning: str) -> list[dict[str, Any]]:
    """What is in files."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="marey-") as home:
        for source in sources:
            try:
                takes, points, warnings = _native.load(fetched(source, home), meaning)
            except Error as error:
                rows.append(failed("file", source, error))
                continue
            about = [
                {
                    "name": take.name,
                    "actors": take.actors,
                    "frames": take.frames,
                    "rate_hz": take.rate_hz,
                    "joints": [len(clip.skeleton) for clip in take.clips],
                }
                for take in takes
            ]
            codes = [one["code"] for one in json.loads(warnings)]
            labels = None if points is None else points.labels
            rows.append({"file": source, "ok": True, "takes": about, "points": labels, "warnings": codes})
    return rows


def inspect(inputs: Path | Iterable[Path], *, shard_files: int = 16, **meaning: Any) -> list[dict[str, Any]]:
    """What is in many files, in their order: takes, actors, frames, rates; or why one could not be read."""
    files = list(found(inputs))
    groups = [files[start : start + shard_files] for start in range(0, len(files), shard_files)]
    looked: list[list[dict[str, Any]]] = [[] for _ in groups]
    for number, rows in shared(_looked, [(group, told(**meaning)) for group in groups]):
        looked[number] = rows
    return [row for rows in looked for row in rows]
