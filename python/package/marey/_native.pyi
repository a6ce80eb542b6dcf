"""The part of the package that is written in Rust; ``marey`` itself has the names to use."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .player import Picture, Player

__version__: str

_Path = str | os.PathLike[str]
_Floats = NDArray[np.float32]
_Progress = Callable[[str, int, int], object]
_Source = Take | Points | _Path
_Pose = str | tuple[Take, int | None]
_Made = tuple[Take, str | None, str | None, str, str]

@final
class Skeleton:
    """A body: joints, what each hangs from, where it is at rest, and what it is for.

    Parents come before children; the first joint is the root, and its parent is -1. Lengths are metres, Y is up, and a figure at rest
    faces +Z.
    """

    def __new__(
        cls,
        names: Sequence[str],
        parents: Sequence[int],
        offsets: ArrayLike,
        roles: Mapping[str, str] | None = None,
    ) -> Skeleton: ...
    @property
    def names(self) -> list[str]:
        """The joints' names."""
    @property
    def parents(self) -> list[int]:
        """The number of each joint's parent; -1 for the root."""
    @property
    def offsets(self) -> _Floats:
        """Where each joint is from its parent at rest, in metres: joints × 3."""
    @property
    def rest(self) -> _Floats:
        """The rotation of each joint at rest, as x, y, z, w: joints × 4."""
    @property
    def roles(self) -> dict[str, int]:
        """What joints are for: their numbers by role, as in ``skeleton.roles["LeftFoot"]``."""
    @property
    def movers(self) -> list[int]:
        """The joints with a translation of their own in every frame; the root is the first."""
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Clip:
    """One figure's motion at a uniform rate.

    Its numbers are two arrays, ``rotations`` (frames × joints × 4, as x, y, z, w, each relative to the joint's parent) and
    ``positions`` (frames × movers × 3, in metres). Both are read-only views of the memory that Marey works on: nothing is copied. A clip
    never changes; slices share its memory.
    """

    def __new__(
        cls, skeleton: Skeleton, rate_hz: float, rotations: ArrayLike, positions: ArrayLike
    ) -> Clip: ...
    @staticmethod
    def load(path: _Path, **meaning: Any) -> Clip:
        """The one figure of a motion file with one take of one actor; ``marey.load`` takes the same keywords, and gives several."""
    @property
    def skeleton(self) -> Skeleton:
        """The body."""
    @property
    def rate_hz(self) -> float:
        """Frames a second."""
    @property
    def frames(self) -> int:
        """How many frames there are."""
    @property
    def duration_secs(self) -> float:
        """How long it lasts, in seconds."""
    @property
    def rotations(self) -> _Floats:
        """Local rotations as x, y, z, w: frames × joints × 4, a read-only view."""
    @property
    def positions(self) -> _Floats:
        """Local translations of the joints that move, in metres: frames × movers × 3, a read-only view. The root is the first."""
    def world_positions(self) -> _Floats:
        """Where every joint is in the world, in metres: frames × joints × 3, a new array."""
    def world_rotations(self) -> _Floats:
        """How every joint is turned in the world, as x, y, z, w: frames × joints × 4, a new array."""
    def pose(self, frame: int) -> tuple[_Floats, _Floats]:
        """The rotations (joints × 4) and positions (movers × 3) of one frame; negative frames count from the end."""
    def points(self, roles: Sequence[str]) -> Points:
        """The paths of joints, by role, as points: ``clip.points(["LeftFoot", "RightFoot"])``."""
    def contacts(self) -> list[tuple[str, int, int]]:
        """When feet stand, as seen in the motion: the role of each, its first frame and one past the last."""
    def resampled(self, rate_hz: float) -> Clip:
        """The same motion at another rate; it keeps its speed."""
    def mirrored(self) -> Clip:
        """Left and right exchanged."""
    def retargeted(self, skeleton: Skeleton, keep_travel: bool = False) -> Clip:
        """The same motion on another body, joints paired by their roles, feet kept on the floor. It travels in proportion to its legs,
        or as far as before where ``keep_travel`` is true."""
    @staticmethod
    def concat(clips: Sequence[Clip]) -> Clip:
        """One clip after another, all of one body and rate."""
    def take(self, name: str = "clip") -> Take:
        """As a take of one actor."""
    def save(self, path: _Path, overwrite: bool = False) -> None:
        """Writes a file; the ending says the format: .bvh, .glb or .gltf. A file that exists is refused unless ``overwrite`` is true."""
    def to_bytes(self, format: str, name: str = "clip") -> bytes:
        """The bytes of a file in a format: "bvh", "glb" or "gltf"."""
    def strip(
        self,
        poses: int | None = None,
        view: str | None = None,
        width_px: int | None = None,
        height_px: int | None = None,
    ) -> Picture:
        """A contact sheet: poses side by side, as a picture that notebooks show. Views are those of ``marey render --view``."""
    def show(self) -> Player:
        """A player for notebooks and browsers: one page of HTML with everything in it."""
    def _repr_html_(self) -> str: ...
    def __len__(self) -> int: ...
    def __getitem__(self, frames: slice, /) -> Clip: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Take:
    """One or more figures that moved together, in one world, on one clock."""

    def __new__(cls, name: str, actors: Sequence[tuple[str, Clip]]) -> Take: ...
    @property
    def name(self) -> str:
        """What it is called."""
    @property
    def actors(self) -> list[str]:
        """The actors' names."""
    @property
    def clips(self) -> list[Clip]:
        """The motion of each actor, in their order."""
    @property
    def rate_hz(self) -> float:
        """Frames a second."""
    @property
    def frames(self) -> int:
        """How many frames there are."""
    def __getitem__(self, actor: int | str, /) -> Clip: ...
    def __len__(self) -> int: ...
    def save(self, path: _Path, overwrite: bool = False) -> None:
        """Writes a file with everybody in it; the ending says the format: .bvh, .glb or .gltf. A file that exists is refused unless
        ``overwrite`` is true."""
    def to_bytes(self, format: str) -> bytes:
        """The bytes of a file in a format: "bvh", "glb" or "gltf"."""
    def strip(
        self,
        poses: int | None = None,
        view: str | None = None,
        width_px: int | None = None,
        height_px: int | None = None,
    ) -> Picture:
        """A contact sheet: poses side by side, as a picture that notebooks show. Views are those of ``marey render --view``."""
    def show(self) -> Player:
        """A player for notebooks and browsers: one page of HTML with everything in it."""
    def _repr_html_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Points:
    """Labelled points over time: markers, a drawn path, or the paths of joints.

    ``positions`` is frames × labels × 3 in metres; where a point was not seen, its numbers are NaN.
    """

    def __new__(cls, labels: Sequence[str], rate_hz: float, positions: ArrayLike) -> Points: ...
    @staticmethod
    def path(places: ArrayLike, rate_hz: float) -> Points:
        """A way over the floor: places × 2 as x and z in metres, one each frame."""
    @property
    def labels(self) -> list[str]:
        """What the points are called."""
    @property
    def rate_hz(self) -> float:
        """Frames a second."""
    @property
    def frames(self) -> int:
        """How many frames there are."""
    @property
    def positions(self) -> _Floats:
        """Where the points are, in metres: frames × labels × 3. A read-only view where all were seen; else a new array, with NaN for
        those that were not."""
    def __len__(self) -> int: ...

@final
class Recording:
    """A performance that was recorded: what a session is given frame by frame, and whom it is calibrated by."""

    def __new__(cls, source: _Source) -> Recording: ...
    @property
    def rate_hz(self) -> float:
        """Frames a second."""
    @property
    def rotations(self) -> _Floats:
        """The performer's rotations: frames × joints × 4."""
    @property
    def positions(self) -> _Floats:
        """The performer's positions: frames × movers × 3."""
    @property
    def closed(self) -> list[tuple[bool, bool]]:
        """Whether the left and the right hand are closed, frame by frame."""
    def __len__(self) -> int: ...

@final
class Session:
    """A performer drives a character in a physical world: ``step`` takes a pose and gives one.

    The world is a TOML file as docs/perform.md describes it, or "adventure", which comes along. The performer is calibrated by the first
    frames of a recording.
    """

    def __new__(cls, world: _Path, recording: Recording) -> Session: ...
    def step(
        self,
        rotations: ArrayLike,
        positions: ArrayLike,
        closed: tuple[bool, bool] = ...,
        secs: float = ...,
    ) -> tuple[_Floats, _Floats]:
        """Another frame of the performer, ``secs`` after the last: rotations (joints × 4), positions (movers × 3), and whether the left
        and the right hand are closed. Gives the character's rotations and positions."""
    def wait(self, secs: float) -> tuple[_Floats, _Floats]:
        """No frame came for a while: the performer is taken to stay as before."""
    @property
    def skeleton(self) -> Skeleton:
        """The character's body."""
    @property
    def now(self) -> dict[str, Any]:
        """What goes on: where the centre of mass is and how fast it goes, what each end of a limb holds by name, what is imitated, the
        water that the character is in, whether it flies, and whether the end of the course was reached."""
    @property
    def warnings(self) -> list[dict[str, Any]]:
        """What was wrong with the stream so far."""

@final
class Corpus:
    """A motion database that is open, until it is closed; :class:`marey.Corpus` is the class to use."""

    @staticmethod
    def create(path: _Path) -> Corpus: ...
    @staticmethod
    def open(path: _Path, read_only: bool) -> Corpus: ...
    @staticmethod
    def draft(path: _Path) -> Corpus: ...
    def close(self) -> None: ...
    @property
    def path(self) -> os.PathLike[str]: ...
    @property
    def closed(self) -> bool: ...
    def takes(self) -> str: ...
    def take(self, name: str) -> Take: ...
    def put(self, take: Take, source: str, licence: str, credit: str) -> int: ...
    def add(self, request: str, progress: _Progress | None) -> str: ...
    def annotate(self, request: str) -> int: ...
    def annotations(self, take: str) -> str: ...
    def segment(self, request: str, progress: _Progress | None) -> str: ...
    def segments(self, take: str | None) -> str: ...
    def cluster(self, request: str) -> str: ...
    def query(self, request: str) -> str: ...
    def distances(self, made_by: str | None) -> _Floats: ...
    def store_takes(self, path: _Path) -> tuple[str, list[int | None]]: ...
    def store_cuts(self, path: _Path, new: Sequence[int | None]) -> str: ...
    def settle(self) -> None: ...
    def check(self) -> list[str]: ...

@final
class Style:
    """The style of a corpus; use :class:`marey.Style`."""

    def __new__(cls, corpus: Corpus, only: Sequence[str], style: str) -> Style: ...
    def tween(self, start: _Pose, end: _Pose, request: str) -> _Made: ...
    def wander(self, start: _Pose | None, request: str) -> _Made: ...

def load(path: _Path, options: str) -> tuple[list[Take], Points | None, str]: ...
def follow(corpus: Corpus, control: _Source, request: str, progress: _Progress | None) -> _Made: ...
def transcribe(corpus: Corpus, control: _Source, request: str, progress: _Progress | None) -> str: ...
def traverse(
    corpus: Corpus,
    terrain: _Path | list[list[tuple[float, float]]],
    path: _Source | None,
    request: str,
    scale_m: float,
    relief_m: float,
    progress: _Progress | None,
) -> _Made: ...
def duet_label(corpus: Corpus, request: str, progress: _Progress | None) -> str: ...
def duet_train(corpus: Corpus, request: str) -> str: ...
def duet_run(
    corpus: Corpus,
    path: _Source | None,
    commands: Sequence[str],
    request: str,
    progress: _Progress | None,
) -> _Made: ...
def perform(world_file: _Path, input: _Source) -> _Made: ...
def vary(
    corpus: Corpus | None,
    takes: Sequence[_Source],
    request: str,
    seeds: Sequence[int],
    progress: _Progress | None,
) -> list[_Made]: ...
def realised(
    corpus: Corpus,
    plan: str,
    passes: str,
    keep_holds: bool,
    against: _Source | None,
    name: str,
) -> _Made: ...
def check(motion: _Source, judging: str) -> str: ...
def file_groups(files: Sequence[str], pairs: Sequence[str], table: _Path | None) -> str: ...
def read_shard(groups: str, read: str, licence: str, credit: str, by: str | None, every: int) -> bytes: ...
def is_whole(shard: bytes) -> bool: ...
def moments(clip: Clip) -> _Floats: ...
def clouds(corpus: Corpus, made_by: str | None, start: int, end: int) -> _Floats: ...
def level(clouds: ArrayLike) -> list[float]: ...
def distance_block(rows: ArrayLike, columns: ArrayLike, level: Sequence[float]) -> _Floats: ...
def duet_island(corpus: Corpus, request: str, island: int) -> str: ...
def duet_settle(corpus: Corpus, request: str, islands: Sequence[str]) -> str: ...
