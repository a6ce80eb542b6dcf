"""New human motion from examples: read motion capture, look at it, make more of it.

Everything is in metres, seconds and radians, right-handed with Y up; quaternions are x, y, z, w. What is refused raises :class:`Error`,
with a code, a place and a hint.

>>> import marey
>>> walk = marey.load("walk.bvh")            # doctest: +SKIP
>>> walk[0].rotations.shape                  # doctest: +SKIP
(600, 31, 4)
"""

from __future__ import annotations

import os
from typing import Any

from . import _native, duet, perform
from ._native import Clip, Points, Skeleton, Take, __version__
from ._values import told
from .corpus import Corpus
from .engines import Style, check, follow, realise, transcribe, traverse, tween, vary, wander
from .errors import Error, Place
from .made import Made
from .player import Picture, Player

__all__ = [
    "Clip",
    "Corpus",
    "Error",
    "Made",
    "Picture",
    "Place",
    "Player",
    "Points",
    "Skeleton",
    "Style",
    "Take",
    "__version__",
    "check",
    "duet",
    "follow",
    "load",
    "load_takes",
    "perform",
    "realise",
    "transcribe",
    "traverse",
    "tween",
    "vary",
    "wander",
]


def load(path: str | os.PathLike[str], **meaning: Any) -> Take | Points:
    """Reads a motion file: BVH, glTF, FBX, Acclaim, C3D, TRC, NPZ, or a drawn path. Gives its take, or its points where it has no figures.

    Keywords say what the file means, instead of what is found in it: ``unit`` ("cm", "m", …), ``up`` ("y", "z", …), ``facing_deg``,
    ``rate_hz``, ``positions`` ("replace" or "add"), ``roles`` (a TOML file), ``asf`` (the skeleton of an AMC), ``take`` (which, of
    several), ``rest`` ("file" or a frame), ``floor`` ("found" or metres), and ``trim_rest`` (leave out a calibration pose).
    """
    takes, points, _ = _native.load(os.fspath(path), told(**meaning))
    if points is not None:
        return points
    if len(takes) > 1:
        names = ", ".join(repr(take.name) for take in takes)
        hint = "Choose one with take=NAME, or read all with marey.load_takes."
        raise Error("command/several-takes", f"takes {names}", Place(file=os.fspath(path)), hint)
    return takes[0]


def load_takes(path: str | os.PathLike[str], **meaning: Any) -> list[Take]:
    """Reads all takes of a motion file; none where it holds points. Keywords are those of :func:`load`."""
    takes, _, _ = _native.load(os.fspath(path), told(**meaning))
    return takes
