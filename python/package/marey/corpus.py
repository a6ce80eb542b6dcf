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
Files = Path | Sequence[Path]
"""A corpus; or motion files: a file, a folder or a pattern, or several of them."""
Progress = Callable[[str, int, int], object]
"""Called as ``progress(stage, done, total)`` from time to time. An exception that it raises cancels the work."""


class Corpus:
    """One file of takes, their annotations and their segments.

    It survives crashes, and can be read while it is written. Use it in a ``with`` block, or close it.
    """

    def __init__(self, native: _native.Corpus) -> None:
        self._native = native

    @staticmethod
    def create(path: Path) -> Corpus:
        """Creates an empty corpus and opens it. Fails if the file exists."""
        return Corpus(_native.Corpus.create(os.fspath(path)))

    @staticmethod
    def open(path: Path, read_only: bool = False) -> Corpus:
        """Opens a corpus for reading and writing, or for reading only."""
        return Corpus(_native.Corpus.open(os.fspath(path), read_only))

    @staticmethod
    def of_files(
        paths: Files,
        *,
        pairs: Sequence[str] = (),
        by: Literal["steps", "instants", "beats"] = "steps",
        prepare: dict[str, bool] | None = None,
        cache: Path | None = None,
        progress: Progress | None = None,
        **options: Any,
    ) -> Corpus:
        """Opens motion files as a corpus, for reading: files, folders and patterns such as ``"walks/*.bvh"``.

        The corpus is made in the cache folder: imported, prepared, and divided into segments at steps, planted feet or beats (``by``).
        It is kept by content: later calls open it at once, and read only files that are new or changed. Files that cannot be read are
        left out; each problem is a Python warning. ``pairs`` combines files, as in ``["leader=60_{i}.bvh", "follower=61_{i}.bvh"]``.
        ``options`` are those of :func:`marey.load`. A path to a corpus opens that corpus.
        """
        inputs = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
        given = {"prepare": prepare} if prepare is not None else {}
        importing = {"inputs": [os.fspath(path) for path in inputs], "pairs": list(pairs), "read": options, **given}
        fields = {"import": importing, "segment": {"by": by}}
        if cache is not None:
            fields["cache"] = os.fspath(cache)
        return Corpus(_native.Corpus.of_inputs(to_json(fields), progress))

    def close(self) -> None:
        """Closes the corpus. Later calls fail."""
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
        """Returns information about every take, in the order in which they were added."""
        found: list[dict[str, Any]] = json.loads(self._native.takes())
        return found

    def take(self, name: str) -> Take:
        """Returns a take, by name or by "#" and its number."""
        return self._native.take(name)

    def put(self, take: Take, *, source: str = "", licence: str = "", credit: str = "") -> int:
        """Adds a take and returns its number. The same content is not added twice."""
        return self._native.put(take, source, licence, credit)

    def add(
        self,
        paths: Path | Iterable[Path],
        *,
        pairs: Sequence[str] = (),
        table: Path | None = None,
        actors: Sequence[str] = (),
        prepare: dict[str, bool] | None = None,
        licence: str = "",
        credit: str = "",
        progress: Progress | None = None,
        **read: Any,
    ) -> list[dict[str, Any]]:
        """Adds motion files: files, folders with their subfolders, and patterns.

        Files whose names match ``pairs``, such as ``["leader=60_{i}.bvh", "follower=61_{i}.bvh"]``, or that a line of ``table`` names,
        become one take of several actors; ``actors`` names the actors of takes with as many. Each take is prepared: ``prepare`` leaves
        out steps, as in ``{"floor": False}`` (``rest``, ``floor``, ``repair``, ``duplicates``). Further keywords override the conventions of the files, as in :func:`marey.load`. Returns a row
        for each file: its takes, or the code and message of the error. A file that cannot be read does not stop the others.
        """
        if isinstance(paths, (str, os.PathLike)):
            paths = [paths]
        request = {
            "inputs": [os.fspath(path) for path in paths],
            "pairs": list(pairs),
            "table": table,
            "actors": list(actors),
            "prepare": prepare or {},
            "licence": licence,
            "credit": credit,
            "read": {name: value for name, value in read.items() if value is not None},
        }
        found: list[dict[str, Any]] = json.loads(self._native.add(to_json(request), progress))
        return found

    def _annotate(self, take: str, annotation: dict[str, Any], remove: bool = False) -> int:
        request = {"take": take, "annotations": [annotation], "remove": remove}
        return self._native.annotate(to_json(request))

    def tag(self, take: str, name: str, start: int | None = None, end: int | None = None) -> None:
        """Tags a range of frames of a take; by default all of them."""
        self._annotate(take, {"kind": "tag", "name": name, "start": start, "end": end})

    def mark(self, take: str, name: str, frame: int) -> None:
        """Marks one frame of a take."""
        self._annotate(take, {"kind": "marker", "name": name, "frame": frame})

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
        """Adds a contact of a part of an actor's body with the floor, an object by name, or a part of another actor as in ``"1 LeftHand"``."""
        contact = {"kind": "contact", "role": role, "start": start, "end": end, "actor": actor, "on": on}
        self._annotate(take, contact)

    def label(self, take: str, key: str, value: str, segment: int | None = None) -> None:
        """Labels a take, or one of its segments, with a value under a key."""
        self._annotate(take, {"kind": "label", "key": key, "value": value, "segment": segment})

    def untag(self, take: str, name: str, start: int | None = None, end: int | None = None) -> bool:
        """Removes a tag. Returns whether there was one."""
        return self._annotate(take, {"kind": "tag", "name": name, "start": start, "end": end}, remove=True) > 0

    def annotations(self, take: str) -> list[dict[str, Any]]:
        """Returns the annotations of a take: tags, markers, contacts and labels, each with its maker."""
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
        """Divides takes into segments, all takes if none is named, and returns a row for each.

        ``every`` is the number of beats per segment, ``tag`` the name of the tags to use, ``csv`` a table with the columns take, start,
        end and optionally actor and name. ``control`` and ``within_m`` set what is compared with the examples, and the maximum
        distance. Segments within ``drop_redundant_m`` of one that the same method made before are left out.
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
        """Returns the segments of a take, or of all takes."""
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
        """Groups similar segments and stores the clusters. Returns the cluster of each segment, and whether the segment represents it.

        With ``linkage``, two segments of a cluster are at most ``threshold_m`` apart; with ``kmeans``, each is within ``radius_m`` of its
        centre, and centres are ``spacing_m`` apart. ``random`` is a seed to choose representatives at random.
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

        Distances are those of hands and feet, with both segments stretched to one length, after the best turn and shift on the floor.
        Returns the upper half of the matrix row by row, as scipy's ``pdist`` does, in the order of :meth:`segments`. ``made_by`` selects
        the segments of one maker, as in ``"method steps"``. :func:`marey.cluster.distances` computes the same on many machines.
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
        """Returns the moments of the whole corpus that are most similar to a moment, nearest first. The search is exact.

        With ``segments``, segments are found by their first frame. Further keywords filter the matches: ``tag``,
        ``min_speed_mps``, ``max_speed_mps``, ``min_turn_deg``, ``max_turn_deg``, ``min_secs``, ``max_secs``.
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
        """Reads everything and returns the problems found; none if the corpus is intact."""
        return self._native.check()

    def __repr__(self) -> str:
        state = "closed" if self.closed else f"{len(self.takes())} takes"
        return f"<marey.Corpus {self.path!r}, {state}>"


def native(corpus: Corpus | Files) -> _native.Corpus:
    """Returns the native object of an open corpus, or of a corpus or motion files that are opened for reading."""
    return corpus._native if isinstance(corpus, Corpus) else Corpus.of_files(corpus)._native
