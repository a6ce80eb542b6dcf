"""How far every two segments of a corpus are apart, in blocks."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
from pathlib import Path as File

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..corpus import Corpus, Path, Progress, native
from ..errors import Error, Place
from ._work import here, keep, key, sent, shared

_CLOUDS = 512
"""How many segments are read at once."""

Floats = NDArray[np.float32]


def _clouds(start: int, end: int, made_by: str | None, corpus: bytes) -> Floats:
    """What some segments are compared by."""
    return _native.clouds(native(here(corpus)), made_by, start, end)


def _block(rows: tuple[int, int], columns: tuple[int, int], clouds: Floats, level: list[float]) -> bytes:
    """A block of the matrix, as the bytes of an .npy file."""
    metres = _native.distance_block(clouds[slice(*rows)], clouds[slice(*columns)], level)
    file = io.BytesIO()
    np.save(file, metres)
    return file.getvalue()


def distances(
    corpus: Corpus | Path,
    file: Path,
    *,
    made_by: str | None = None,
    block: int = 1024,
    work_dir: Path | None = None,
    progress: Progress | None = None,
) -> Floats:
    """How far every two segments are apart: :meth:`marey.Corpus.distances`, to the bit, in blocks of so many segments a side.

    It is written to an .npy file, and given as that file, mapped into memory and not read: the upper half of the matrix row by row, as
    ``scipy.spatial.distance.squareform`` and ``scipy.cluster.hierarchy.linkage`` take it. Finished blocks are kept in ``work_dir`` (beside
    the file where none is told) until all are there, so that work that was ended goes on where it was.
    """
    target = File(file)
    if target.exists():
        raise Error("file/exists", "there is such a file already", Place(file=str(target)), "Choose another name.")
    if block < 1:
        raise Error("python/value", "a block must have at least one row", hint="Leave it out.")
    segments = json.loads(native(corpus).segments(None))
    count = sum(made_by is None or one["made_by"] == made_by for one in segments)
    if count == 0:
        hint = "Cut takes first, with Corpus.segment or marey.cluster.build."
        raise Error("corpus/no-segment", "there is nothing to compare", hint=hint)
    clouds = _all_clouds(corpus, made_by, count)
    level = _native.level(clouds)
    home = File(work_dir) if work_dir is not None else target.with_name(target.name + ".blocks")
    home.mkdir(parents=True, exist_ok=True)
    sides = [(start, min(start + block, count)) for start in range(0, count, block)]
    # The other half is the same; of the blocks on the diagonal, what is above it counts.
    places = [(rows, columns) for number, rows in enumerate(sides) for columns in sides[number:]]
    name = key(hashlib.sha256(clouds.tobytes()).hexdigest(), block)
    paths = [home / f"{rows[0]:09}-{columns[0]:09}-{name}.npy" for rows, columns in places]
    missing = [number for number, path in enumerate(paths) if not path.exists()]
    done = len(paths) - len(missing)
    for share, bytes_ in shared(_block, [places[number] for number in missing], clouds, level):
        keep(paths[missing[share]], bytes_)
        done += 1
        if progress is not None:
            progress("blocks", done, len(paths))
    _joined(target, count, places, paths)
    shutil.rmtree(home)
    # An empty array cannot be mapped.
    metres: Floats = np.load(target, mmap_mode="r" if count > 1 else None)
    return metres


def _all_clouds(corpus: Corpus | Path, made_by: str | None, count: int) -> Floats:
    """What all segments are compared by, read by all workers."""
    shares = [(start, min(start + _CLOUDS, count), made_by) for start in range(0, count, _CLOUDS)]
    parts = dict(shared(_clouds, shares, sent(corpus)))
    return np.concatenate([parts[number] for number in range(len(shares))])


def _joined(
    target: File, count: int, places: list[tuple[tuple[int, int], tuple[int, int]]], paths: list[File]
) -> None:
    """Puts blocks together in a file that is there whole or not at all."""
    beside = target.with_name(target.name + ".part")
    with open(beside, "wb+") as file:
        shape = (count * (count - 1) // 2,)
        np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": shape})
        begin = file.tell()
        for (rows, columns), path in zip(places, paths):
            metres = np.load(path, mmap_mode="r")
            for row in range(*rows):
                first = max(row + 1, columns[0])
                if first < columns[1]:
                    start = row * (2 * count - row - 1) // 2 + first - row - 1
                    file.seek(begin + 4 * start)
                    file.write(metres[row - rows[0], first - columns[0] :].astype("<f4").tobytes())
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, target)
