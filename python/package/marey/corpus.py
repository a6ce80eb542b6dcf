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
from ._values import told, to_json

Path = str | os.PathLike[str]
Progress = Callable[[str, int, int], object]
"""Called as ``progress(what, done, total)`` now and then; what it raises ends the work."""


class Corpus:
    """One file that holds takes, what was said about them, and how they are cut.

    It is safe against crashes, and can be read while it is written. Use it in a ``with`` block, or close it.
    """

    def __init__(self, native: _native.Corpus) -> None:
        self._native = native

    @staticmethod
    def create(path: Path) -> Corpus:
        """Makes an empty corpus and opens it. A file that exists is refused and left as it is."""
        return Corpus(_native.Corpus.create(os.fspath(path)))

    @staticmethod
    def open(path: Path, read_only: bool = False) -> Corpus:
        """Opens a corpus to read and write it, or to read it only."""
        return Corpus(_native.Corpus.open(os.fspath(path), read_only))

    def close(self) -> None:
        """Closes it; what is asked of it afterwards is refused."""
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
        """Where the file is."""
        return os.fspath(self._native.path)

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._native.closed

    def takes(self) -> list[dict[str, Any]]:
        """What is known of every take without reading its frames, in the order they were put in."""
        found: list[dict[str, Any]] = json.loads(self._native.takes())
        return found

    def take(self, name: str) -> Take:
        """A take, by its name or # and its number."""
        return self._native.take(name)

    def put(self, take: Take, *, source: str = "", licence: str = "", credit: str = "") -> int:
        """Puts a take in, and gives its number. The same content is not put in twice."""
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
        **meaning: Any,
    ) -> list[dict[str, Any]]:
        """Puts motion files in: files, folders with all folders in them, and patterns.

        Files that differ as ``pairs`` say, as in ``"60_{i}.bvh=61_{i}.bvh"``, or that a ``table`` names, become takes of several actors.
        Keywords beyond these say what the files mean, as :func:`marey.load` takes them. Gives a row for each file: what it became, or
        the code and message of why it could not be read; bad files do not stop the others.
        """
        if isinstance(paths, (str, os.PathLike)):
            paths = [paths]
        named = [os.fspath(path) for path in paths]
        beside = None if table is None else os.fspath(table)
        rows = self._native.add(named, list(pairs), beside, licence, credit, told(**meaning), progress)
        found: list[dict[str, Any]] = json.loads(rows)
        return found

    def tag(self, take: str, name: str, start: int | None = None, end: int | None = None) -> None:
        """Says what happens in a range of frames of a take; in all of them where nothing is told."""
        self._native.annotate(take, to_json({"kind": "tag", "name": name, "start": start, "end": end}))

    def mark(self, take: str, name: str, frame: int) -> None:
        """Says what happens in one frame of a take."""
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
        """Says when a part of an actor's body touches the floor, a thing by name, or another's part as in ``"1 LeftHand"``."""
        said = {"kind": "contact", "role": role, "start": start, "end": end, "actor": actor, "on": on}
        self._native.annotate(take, to_json(said))

    def label(self, take: str, key: str, value: str, segment: int | None = None) -> None:
        """Gives a take, or one of its segments, a value under a key of your own."""
        said = {"kind": "label", "key": key, "value": value, "segment": segment}
        self._native.annotate(take, to_json(said))

    def untag(self, take: str, name: str, start: int | None = None, end: int | None = None) -> bool:
        """Takes a tag back; whether there was one."""
        said = {"kind": "tag", "name": name, "start": start, "end": end}
        return self._native.retract(take, to_json(said)) > 0

    def annotations(self, take: str) -> list[dict[str, Any]]:
        """What was said about a take: tags, markers, contacts and labels, each with who said it."""
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
        """Cuts takes into segments, all of them where none is named, and gives a row for each.

        ``every`` is how many beats a segment has; ``tag`` the only tag that is cut by; ``csv`` a table with columns take, start, end and
        perhaps actor and name; ``control`` and ``within_m`` say what is compared, and how near, where takes are cut by the example of
        those that are cut. Segments within ``drop_redundant_m`` of one that is there are left out.
        """
        how = told(
            by=by,
            takes=list(takes),
            every=every,
            tag=tag,
            csv=csv,
            control=control,
            within_m=within_m,
            drop_redundant_m=drop_redundant_m,
        )
        found: list[dict[str, Any]] = json.loads(self._native.segment(how, progress))
        return found

    def segments(self, take: str | None = None) -> list[dict[str, Any]]:
        """The segments of a take, or of all."""
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
        """Finds which segments are alike, writes that down, and gives the cluster of each and whether it stands for it.

        By ``linkage``, no two of a cluster are more than ``threshold_m`` apart; by ``kmeans``, none is more than ``radius_m`` from its
        centre, and centres are ``spacing_m`` apart. ``random`` is a seed to choose who stands for a cluster by chance.
        """
        how = told(
            method=method,
            threshold_m=threshold_m,
            radius_m=radius_m,
            spacing_m=spacing_m,
            warp=warp,
            made_by=made_by,
            random=random,
        )
        found: list[dict[str, Any]] = json.loads(self._native.cluster(how))
        return found

    def distances(self, made_by: str | None = None) -> NDArray[np.float32]:
        """How far every two segments are apart, in metres: by hands and feet, stretched to one length, after the best turn and shift on the
        floor. The upper half of the matrix row by row, as scipy's ``pdist`` gives it, in the order of :meth:`segments`; only those that a
        maker cut, where one is named, as in ``"method steps"``. :func:`marey.cluster.distances` makes the same on many machines.
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
        """The moments of the whole corpus that are nearest to a moment, nearest first; exact.

        With ``segments``, segments are found by how they begin. Keywords beyond these limit what may be found: ``tag``,
        ``min_speed_mps``, ``max_speed_mps``, ``min_turn_deg``, ``max_turn_deg``, ``min_secs``, ``max_secs``.
        """
        asked = {
            "take": take,
            "frame": frame,
            "actor": actor,
            "count": count,
            "apart_secs": apart_secs,
            "segments": segments,
            "filter": limits,
        }
        found: list[dict[str, Any]] = json.loads(self._native.query(to_json(asked)))
        return found

    def check(self) -> list[str]:
        """Reads everything; what is not as it was written, which is nothing in a sound corpus."""
        return self._native.check()

    def __repr__(self) -> str:
        state = "closed" if self.closed else f"{len(self.takes())} takes"
        return f"<marey.Corpus {self.path!r}, {state}>"


def native(corpus: Corpus | Path) -> _native.Corpus:
    """The corpus that is meant: one that is open, or a file, opened to be read."""
    if isinstance(corpus, Corpus):
        return corpus._native
    return _native.Corpus.open(os.fspath(corpus), True)
