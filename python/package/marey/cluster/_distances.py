"""The distance matrix of the segments of a corpus, computed in blocks."""

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
from ._tasks import cache_key, corpus_bytes, local_corpus, run_tasks, write_atomically

_CLOUDS_PER_TASK = 512
"""The number of segments that one task reads."""

Floats = NDArray[np.float32]


def _clouds(start: int, end: int, made_by: str | None, corpus: bytes) -> Floats:
    """Computes the point clouds of a range of segments."""
    return _native.clouds(native(local_corpus(corpus)), made_by, start, end)


def _block(rows: tuple[int, int], columns: tuple[int, int], clouds: Floats, level: list[float]) -> bytes:
    """Computes a block of the matrix, as the bytes of an .npy file."""
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
    """Computes the distance between every two segments, bit-identical to :meth:`marey.Corpus.distances`.

    The distances are written to an .npy file, which is returned as a memory map: the condensed upper triangle, as
    ``scipy.spatial.distance.squareform`` and ``scipy.cluster.hierarchy.linkage`` take it. A task computes a block of ``block`` ×
    ``block`` segments. ``work_dir`` (default: a folder beside the file) keeps finished blocks until all are complete, so that an
    interrupted call can be resumed.
    """
    target = File(file)
    if target.exists():
        raise Error("file/exists", "the file exists already", Place(file=str(target)), "Choose another name.")
    if block < 1:
        raise Error("python/value", f"block must be at least 1, not {block}", hint="Omit it for the default.")
    segments = json.loads(native(corpus).segments(None))
    count = sum(made_by is None or segment["made_by"] == made_by for segment in segments)
    if count == 0:
        hint = "Segment takes first, with Corpus.segment or marey.cluster.build."
        raise Error("corpus/no-segment", "there are no segments to compare", hint=hint)
    clouds = _all_clouds(corpus, made_by, count)
    level = _native.level(clouds)
    block_folder = File(work_dir) if work_dir is not None else target.with_name(target.name + ".blocks")
    block_folder.mkdir(parents=True, exist_ok=True)
    sides = [(start, min(start + block, count)) for start in range(0, count, block)]
    # The matrix is symmetric: only blocks on and above the diagonal are computed.
    blocks = [(rows, columns) for index, rows in enumerate(sides) for columns in sides[index:]]
    name = cache_key(hashlib.sha256(clouds.tobytes()).hexdigest(), block)
    paths = [block_folder / f"{rows[0]:09}-{columns[0]:09}-{name}.npy" for rows, columns in blocks]
    missing = [index for index, path in enumerate(paths) if not path.exists()]
    done = len(paths) - len(missing)
    for task, content in run_tasks(_block, [blocks[index] for index in missing], clouds, level):
        write_atomically(paths[missing[task]], content)
        done += 1
        if progress is not None:
            progress("blocks", done, len(paths))
    _join_blocks(target, count, blocks, paths)
    shutil.rmtree(block_folder)
    # An empty array cannot be mapped.
    metres: Floats = np.load(target, mmap_mode="r" if count > 1 else None)
    return metres


def _all_clouds(corpus: Corpus | Path, made_by: str | None, count: int) -> Floats:
    """Computes the point clouds of all segments on all workers."""
    tasks = [(start, min(start + _CLOUDS_PER_TASK, count), made_by) for start in range(0, count, _CLOUDS_PER_TASK)]
    parts = dict(run_tasks(_clouds, tasks, corpus_bytes(corpus)))
    return np.concatenate([parts[index] for index in range(len(tasks))])


def _join_blocks(
    target: File, count: int, blocks: list[tuple[tuple[int, int], tuple[int, int]]], paths: list[File]
) -> None:
    """Joins blocks into a file, which is either complete or absent."""
    part = target.with_name(target.name + ".part")
    with open(part, "wb+") as file:
        shape = (count * (count - 1) // 2,)
        np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": shape})
        data_start = file.tell()
        for (rows, columns), path in zip(blocks, paths):
            metres = np.load(path, mmap_mode="r")
            for row in range(*rows):
                first = max(row + 1, columns[0])
                if first < columns[1]:
                    start = row * (2 * count - row - 1) // 2 + first - row - 1
                    file.seek(data_start + 4 * start)
                    file.write(metres[row - rows[0], first - columns[0] :].astype("<f4").tobytes())
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, target)
