"""The motion database."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._native import Take
from ._values import keywords_to_json, to_json

Path = str | os.PathLike[str]
Progress = Callable[[str, int, int], object]
"""A callback ``progress(stage, done, total)``. An exception that it raises cancels the work."""


class Corpus:
    """A motion database: one file of takes, annotations and segments.

    A crash does not damage it, and other processes can read it while one writes. Use it in a ``with`` block, or close it.
    """

    def __init__(self, native: _native.Corpus) -> None:
        self._native = native

    @staticmethod
    def create(path: Path) -> Corpus:
        """Creates an empty corpus and opens it. An existing file is an error."""
        return Corpus(_native.Corpus.create(os.fspath(path)))

    @staticmethod
    def open(path: Path, read_only: bool = False) -> Corpus:
        """Opens a corpus for reading and writing, or for reading only."""
        return Corpus(_native.Corpus.open(os.fspath(path), read_only))

    def close(self) -> None:
        """Closes the corpus. Later calls raise :class:`Error`."""
        self._native.close()

    def __enter__(self) -> Corpus:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def path(self) -> str:
        """The path of the file."""
        return os.fspath(self._native.path)

    @property
    def closed(self) -> bool:
        """Whether the corpus is closed."""
        return self._native.closed

    def takes(self) -> list[dict[str, Any]]:
        """Lists the takes with their metadata, in the order in which they were added."""
        found: list[dict[str, Any]] = json.loads(self._native.takes())
        return found

    def take(self, name: str) -> Take:
        """Returns a take, by name or by "#" and its number."""
        return self._native.take(name)

    def put(self, take: Take, *, source: str = "", licence: str = "", credit: str = "") -> int:
        """Adds a take and returns its number. A take with the same content is not added twice."""
        return self._native.put(take, source, licence, credit)

    def add(
        self,
        paths: Path | Iterable[Path],
        *,
        pairs: Sequence[str] = (),
        table: Path | None = None,
        licence: str = "",
        credit: str = "",
        progress: Progress | None = None,
        **options: Any,
    ) -> list[dict[str, Any]]:
        """Imports motion files: files, folders with their subfolders, and patterns.

        ``pairs`` are patterns of file names, for example ``"60_{i}.bvh=61_{i}.bvh"``, and ``table`` a CSV file; files that they combine
        become takes of several actors. Other keywords are those of :func:`marey.load`. Returns a row for each file, with its takes or
        with the code and message of an error. An unreadable file does not stop the import.
        """
        if isinstance(paths, (str, os.PathLike)):
            paths = [paths]
        files = [os.fspath(path) for path in paths]
        pair_table = None if table is None else os.fspath(table)
        rows = self._native.add(files, list(pairs), pair_table, licence, credit, keywords_to_json(**options), progress)
        found: list[dict[str, Any]] = json.loads(rows)
        return found

    def tag(self, take: str, name: str, start: int | None = None, end: int | None = None) -> None:
        """Tags a range of frames of a take; without ``start`` and ``end``, the whole take."""
        self._native.annotate(take, to_json({"kind": "tag", "name": name, "start": start, "end": end}))

    def mark(self, take: str, name: str, frame: int) -> None:
        """Sets a marker at one frame of a take."""
        self._native.annotate(take, to_json({"kind": "marker", "name": name, "frame": frame}))

    def touch(
        self,
        take: str,
        role: str,
        start: int | None = None,
        end: int | None = None,
        *,
        actor: int = 0,
        on: str = "",
    ) -> None:
        """Annotates a contact of a body part: with the floor, an object by name, or another actor, for example ``"1 LeftHand"``."""
        annotation = {"kind": "contact", "role": role, "start": start, "end": end, "actor": actor, "on": on}
        self._native.annotate(take, to_json(annotation))

    def label(self, take: str, key: str, value: str, segment: int | None = None) -> None:
        """Labels a take, or one of its segments, with a key and a value."""
        annotation = {"kind": "label", "key": key, "value": value, "segment": segment}
        self._native.annotate(take, to_json(annotation))

    def untag(self, take: str, name: str, start: int | None = None, end: int | None = None) -> bool:
        """Removes a tag. Returns whether it existed."""
        annotation = {"kind": "tag", "name": name, "start": start, "end": end}
        return self._native.retract(take, to_json(annotation)) > 0

    def annotations(self, take: str) -> list[dict[str, Any]]:
        """Lists the annotations of a take: tags, markers, contacts and labels, each with its origin."""
        found: list[dict[str, Any]] = json.loads(self._native.annotations(take))
        return found

    def segment(
        self,
        by: Literal["steps", "instants", "beats", "tags", "csv", "examples"] = "steps",
        takes: Sequence[str] = (),
        *,
        every: int = 1,
        tag: str | None = None,
        csv: Path | None = None,
        control: str | None = None,
        within_m: float | None = None,
        drop_redundant_m: float | None = None,
        progress: Progress | None = None,
    ) -> list[dict[str, Any]]:
        """Segments takes, or all takes if none is named. Returns a row for each take.

        ``every`` is the number of beats in a segment. ``tag`` is the tag to cut at. ``csv`` is a table with the columns take, start and
        end, and optionally actor and name. For ``"examples"``, which cuts takes like those that have segments, ``control`` selects
        what is compared and ``within_m`` is the largest distance. Segments within ``drop_redundant_m`` of an existing one are dropped.
        """
        request = keywords_to_json(
            by=by,
            takes=list(takes),
            every=every,
            tag=tag,
            csv=csv,
            control=control,
            within_m=within_m,
            drop_redundant_m=drop_redundant_m,
        )
        found: list[dict[str, Any]] = json.loads(self._native.segment(request, progress))
        return found

    def segments(self, take: str | None = None) -> list[dict[str, Any]]:
        """Lists the segments of a take, or of all takes."""
        found: list[dict[str, Any]] = json.loads(self._native.segments(take))
        return found

    def cluster(
        self,
        method: Literal["linkage", "kmeans"] = "linkage",
        *,
        threshold_m: float | None = None,
        radius_m: float | None = None,
        spacing_m: float | None = None,
        warp: float | None = None,
        made_by: str | None = None,
        random: int | None = None,
    ) -> list[dict[str, Any]]:
        """Clusters similar segments and stores the clusters. Returns the cluster of each segment, and whether it represents its cluster.

        With ``linkage``, segments of a cluster are at most ``threshold_m`` apart. With ``kmeans``, they are at most ``radius_m`` from
        the centre, and centres are at least ``spacing_m`` apart. ``random`` is a seed for choosing random representatives.
        """
        request = keywords_to_json(
            method=method,
            threshold_m=threshold_m,
            radius_m=radius_m,
            spacing_m=spacing_m,
            warp=warp,
            made_by=made_by,
            random=random,
        )
        found: list[dict[str, Any]] = json.loads(self._native.cluster(request))
        return found

    def distances(self, made_by: str | None = None) -> NDArray[np.float32]:
        """Computes the distance between every two segments, in metres.

        The distance compares hands and feet, after time normalisation and the best rotation and shift on the floor. The result is the
        condensed upper triangle, as from scipy's ``pdist``, in the order of :meth:`segments`. ``made_by`` selects segments by their
        origin, for example ``"method steps"``. :func:`marey.cluster.distances` computes the same on several machines.
        """
        return self._native.distances(made_by)

    def query(
        self,
        take: str,
        frame: int,
        *,
        actor: int = 0,
        count: int = 10,
        apart_secs: float = 0.5,
        segments: bool = False,
        **limits: Any,
    ) -> list[dict[str, Any]]:
        """Finds the frames of the corpus that are most similar to a frame, nearest first. The search is exact.

        With ``segments``, it finds segments by their first frames. Other keywords filter the results: ``tag``, ``min_speed_mps``,
        ``max_speed_mps``, ``min_turn_deg``, ``max_turn_deg``, ``min_secs``, ``max_secs``.
        """
        request = {
            "take": take,
            "frame": frame,
            "actor": actor,
            "count": count,
            "apart_secs": apart_secs,
            "segments": segments,
            "filter": limits,
        }
        found: list[dict[str, Any]] = json.loads(self._native.query(to_json(request)))
        return found

    def check(self) -> list[str]:
        """Checks the integrity of the whole corpus. Returns a list of faults, empty if there are none."""
        return self._native.check()

    def __repr__(self) -> str:
        state = "closed" if self.closed else f"{len(self.takes())} takes"
        return f"<marey.Corpus {self.path!r}, {state}>"


def native(corpus: Corpus | Path) -> _native.Corpus:
    """Returns the native corpus; opens a file for reading."""
    if isinstance(corpus, Corpus):
        return corpus._native
    return _native.Corpus.open(os.fspath(corpus), True)
