"""The native part of the package. Use ``marey`` instead."""

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
_Outcome = tuple[Take, str | None, str | None, str, str]

@final
class Skeleton:
    """A skeleton: a tree of joints with names, rest pose and roles.

    Parents come before children. The first joint is the root; its parent is -1. Lengths are in metres, Y is up, and the rest pose
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
        """The names of the joints."""
    @property
    def parents(self) -> list[int]:
        """The index of each joint's parent; -1 for the root."""
    @property
    def offsets(self) -> _Floats:
        """The offset of each joint from its parent in the rest pose, in metres: joints × 3."""
    @property
    def rest(self) -> _Floats:
        """The rotation of each joint in the rest pose, as x, y, z, w: joints × 4."""
    @property
    def roles(self) -> dict[str, int]:
        """The index of the joint with each role, for example ``skeleton.roles["LeftFoot"]``."""
    @property
    def movers(self) -> list[int]:
        """The joints with an animated translation; the root is the first."""
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Clip:
    """The motion of one figure at a constant frame rate.

    A clip has two arrays: ``rotations`` (frames × joints × 4, as x, y, z, w, relative to the parent joint) and ``positions``
    (frames × movers × 3, in metres). Both are read-only views of Marey's own memory, without a copy. A clip is immutable; slices
    share its memory.
    """

    def __new__(
        cls, skeleton: Skeleton, rate_hz: float, rotations: ArrayLike, positions: ArrayLike
    ) -> Clip: ...
    @staticmethod
    def load(path: _Path, **options: Any) -> Clip:
        """Reads a motion file with one take of one actor. The keywords are those of ``marey.load``, which also reads other files."""
    @property
    def skeleton(self) -> Skeleton:
        """The skeleton."""
    @property
    def rate_hz(self) -> float:
        """The frame rate, in frames per second."""
    @property
    def frames(self) -> int:
        """The number of frames."""
    @property
    def duration_secs(self) -> float:
        """The duration in seconds."""
    @property
    def rotations(self) -> _Floats:
        """The local rotations as x, y, z, w: frames × joints × 4, a read-only view."""
    @property
    def positions(self) -> _Floats:
        """The local translations of the movers in metres: frames × movers × 3, a read-only view. The root is the first mover."""
    def world_positions(self) -> _Floats:
        """Computes the world positions of all joints, in metres: frames × joints × 3, a new array."""
    def world_rotations(self) -> _Floats:
        """Computes the world rotations of all joints, as x, y, z, w: frames × joints × 4, a new array."""
    def pose(self, frame: int) -> tuple[_Floats, _Floats]:
        """Returns the rotations (joints × 4) and positions (movers × 3) of one frame. Negative frames count from the end."""
    def points(self, roles: Sequence[str]) -> Points:
        """Returns the world positions of joints as points, by role: ``clip.points(["LeftFoot", "RightFoot"])``."""
    def contacts(self) -> list[tuple[str, int, int]]:
        """Detects foot contacts in the motion. Each is a role, the first frame and the frame after the last."""
    def resampled(self, rate_hz: float) -> Clip:
        """Returns the same motion at another frame rate. Its speed does not change."""
    def mirrored(self) -> Clip:
        """Returns the motion with left and right exchanged."""
    def retargeted(self, skeleton: Skeleton, keep_travel: bool = False) -> Clip:
        """Retargets the motion to another skeleton. Joints are paired by role, and feet stay on the floor. The distance travelled
        scales with the length of the legs, or stays as it is if ``keep_travel`` is true."""
    @staticmethod
    def concat(clips: Sequence[Clip]) -> Clip:
        """Concatenates clips of one skeleton and frame rate."""
    def take(self, name: str = "clip") -> Take:
        """Returns a take with this clip as its only actor."""
    def save(self, path: _Path, overwrite: bool = False) -> None:
        """Writes a motion file. The format is given by the file extension: .bvh, .glb, .gltf, .fbx, .vrma,
        .usda or .npz. An existing file is an error unless ``overwrite`` is true."""
    def to_bytes(self, format: str, name: str = "clip") -> bytes:
        """Returns the bytes of a motion file in a format: "bvh", "glb", "gltf", "fbx", "vrma", "usda"
        or "npz"."""
    def strip(
        self,
        poses: int | None = None,
        view: str | None = None,
        width_px: int | None = None,
        height_px: int | None = None,
    ) -> Picture:
        """Draws a contact sheet: poses side by side, as a picture for notebooks. ``view`` takes the values of ``marey render --view``."""
    def show(self) -> Player:
        """Returns a player for notebooks and browsers: a self-contained HTML page."""
    def _repr_html_(self) -> str: ...
    def __len__(self) -> int: ...
    def __getitem__(self, frames: slice, /) -> Clip: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Take:
    """One or more figures that moved together, in one world and at one frame rate."""

    def __new__(cls, name: str, actors: Sequence[tuple[str, Clip]]) -> Take: ...
    @property
    def name(self) -> str:
        """The name of the take."""
    @property
    def actors(self) -> list[str]:
        """The names of the actors."""
    @property
    def clips(self) -> list[Clip]:
        """The clip of each actor."""
    @property
    def rate_hz(self) -> float:
        """The frame rate, in frames per second."""
    @property
    def frames(self) -> int:
        """The number of frames."""
    def __getitem__(self, actor: int | str, /) -> Clip: ...
    def __len__(self) -> int: ...
    def save(self, path: _Path, overwrite: bool = False) -> None:
        """Writes a motion file with all actors. The format is given by the file extension: .bvh, .glb, .gltf, .fbx, .vrma,
        .usda or .npz. An existing file is an error unless ``overwrite`` is true."""
    def to_bytes(self, format: str) -> bytes:
        """Returns the bytes of a motion file in a format: "bvh", "glb", "gltf", "fbx", "vrma", "usda"
        or "npz"."""
    def strip(
        self,
        poses: int | None = None,
        view: str | None = None,
        width_px: int | None = None,
        height_px: int | None = None,
    ) -> Picture:
        """Draws a contact sheet: poses side by side, as a picture for notebooks. ``view`` takes the values of ``marey render --view``."""
    def show(self) -> Player:
        """Returns a player for notebooks and browsers: a self-contained HTML page."""
    def _repr_html_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Points:
    """Labelled points over time: markers, a drawn path, or the paths of joints.

    ``positions`` is frames × labels × 3 in metres. Missing points are NaN.
    """

    def __new__(cls, labels: Sequence[str], rate_hz: float, positions: ArrayLike) -> Points: ...
    @staticmethod
    def path(places: ArrayLike, rate_hz: float) -> Points:
        """Creates a path over the floor from an array, frames × 2: x and z in metres."""
    @property
    def labels(self) -> list[str]:
        """The names of the points."""
    @property
    def rate_hz(self) -> float:
        """The frame rate, in frames per second."""
    @property
    def frames(self) -> int:
        """The number of frames."""
    @property
    def positions(self) -> _Floats:
        """The positions in metres: frames × labels × 3. A read-only view if no point is missing, else a new array with NaN for
        missing points."""
    def __len__(self) -> int: ...

@final
class Recording:
    """A recorded performance: the frames for a session, and the calibration of the performer."""

    def __new__(cls, source: _Source) -> Recording: ...
    @property
    def rate_hz(self) -> float:
        """The frame rate, in frames per second."""
    @property
    def rotations(self) -> _Floats:
        """The performer's rotations: frames × joints × 4."""
    @property
    def positions(self) -> _Floats:
        """The performer's positions: frames × movers × 3."""
    @property
    def closed(self) -> list[tuple[bool, bool]]:
        """Whether the left and the right hand are closed, for each frame."""
    def __len__(self) -> int: ...

@final
class Session:
    """A performer drives a character in a physical world: ``step`` takes the performer's pose and returns the character's.

    The world is a TOML file (see docs/engines/perform.md), or "adventure", the built-in world. The first frames of a recording calibrate the
    performer.
    """

    def __new__(cls, world: _Path, recording: Recording) -> Session: ...
    def step(
        self,
        rotations: ArrayLike,
        positions: ArrayLike,
        closed: tuple[bool, bool] = ...,
        secs: float = ...,
    ) -> tuple[_Floats, _Floats]:
        """Simulates one frame. Takes the performer's pose ``secs`` after the previous one: rotations (joints × 4), positions
        (movers × 3), and whether the left and the right hand are closed. Returns the character's rotations and positions."""
    def wait(self, secs: float) -> tuple[_Floats, _Floats]:
        """Simulates ``secs`` without a frame from the performer, who is assumed not to move."""
    @property
    def skeleton(self) -> Skeleton:
        """The character's skeleton."""
    @property
    def now(self) -> dict[str, Any]:
        """The state of the simulation: position and velocity of the centre of mass, the name of what each hand and foot holds, the
        feature that is imitated, the water that the character is in, whether it flies, and whether it reached the end of the course."""
    @property
    def warnings(self) -> list[dict[str, Any]]:
        """The warnings about the input so far."""

@final
class Corpus:
    """An open motion database; use :class:`marey.Corpus`."""

    @staticmethod
    def create(path: _Path) -> Corpus: ...
    @staticmethod
    def open(path: _Path, read_only: bool) -> Corpus: ...
    @staticmethod
    def of_inputs(request: str, progress: _Progress | None) -> Corpus: ...
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
class Cast:
    """The characters of a result; use the keyword ``character`` of a verb."""

    def __new__(cls, characters: Sequence[str]) -> Cast: ...
    def save(self, take: Take, path: _Path, overwrite: bool) -> None: ...
    def to_bytes(self, take: Take, format: str) -> bytes: ...

@final
class Style:
    """The style of a corpus; use :class:`marey.Style`."""

    def __new__(cls, corpus: Corpus, only: Sequence[str], style: str, cast: Cast) -> Style: ...
    def tween(self, poses: Sequence[_Pose], request: str) -> _Outcome: ...
    def wander(self, start: _Pose | None, request: str) -> _Outcome: ...

def load(path: _Path, options: str) -> tuple[list[Take], Points | None, str]: ...
def follow(
    corpus: Corpus, control: _Source, request: str, cast: Cast, progress: _Progress | None
) -> _Outcome: ...
def transcribe(corpus: Corpus, control: _Source, request: str, progress: _Progress | None) -> str: ...
def traverse(
    corpus: Corpus,
    terrain: _Path | list[list[tuple[float, float]]],
    path: _Source | None,
    request: str,
    scale_m: float | None,
    relief_m: float | None,
    cast: Cast,
    progress: _Progress | None,
) -> _Outcome: ...
def duet_label(corpus: Corpus, request: str, progress: _Progress | None) -> str: ...
def duet_train(corpus: Corpus, request: str) -> str: ...
def duet_run(
    corpus: Corpus,
    path: _Source | None,
    commands: Sequence[str],
    request: str,
    cast: Cast,
    progress: _Progress | None,
) -> _Outcome: ...
def perform(world_file: _Path, input: _Source, cast: Cast) -> _Outcome: ...
def vary(
    corpus: Corpus | None,
    takes: Sequence[_Source],
    request: str,
    count: int,
    cast: Cast,
    progress: _Progress | None,
) -> list[_Outcome]: ...
def realise(
    corpus: Corpus,
    plan: str,
    passes: str,
    keep_holds: bool,
    against: _Source | None,
    name: str | None,
    cast: Cast,
) -> _Outcome: ...
def check(motion: _Source, request: str) -> str: ...
def file_groups(files: Sequence[str], pairs: Sequence[str], table: _Path | None) -> str: ...
def read_shard(groups: str, request: str, by: str | None, every: int) -> bytes: ...
def is_whole(shard: bytes) -> bool: ...
def moments(clip: Clip) -> _Floats: ...
def clouds(corpus: Corpus, made_by: str | None, start: int, end: int) -> _Floats: ...
def level(clouds: ArrayLike) -> list[float]: ...
def distance_block(rows: ArrayLike, columns: ArrayLike, level: Sequence[float]) -> _Floats: ...
def duet_island(corpus: Corpus, request: str, island: int) -> str: ...
def duet_settle(corpus: Corpus, request: str, islands: Sequence[str]) -> str: ...
