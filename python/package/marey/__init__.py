"""Makes new human motion from examples: reads motion capture, shows it, and generates motion from it.

Units are metres, seconds and radians. Coordinates are right-handed with Y up; quaternions are x, y, z, w. Invalid input raises
:class:`Error`, which has a code, a place and a hint.

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
from ._values import keywords_to_json
from .corpus import Corpus
from .engines import Style, check, follow, realise, transcribe, traverse, tween, vary, wander
from .errors import Error, Place
from .outcome import Outcome
from .player import Picture, Player

__all__ = [
    "Clip",
    "Corpus",
    "Error",
    "Outcome",
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


def load(path: str | os.PathLike[str], **options: Any) -> Take | Points:
    """Reads a motion file: BVH, glTF, FBX, Acclaim, C3D, TRC, NPZ, or a drawn path. Returns its take, or its points.

    Keywords override the conventions that Marey detects in the file: ``unit`` ("cm", "m", …), ``up`` ("y", "z", …), ``facing_deg``,
    ``rate_hz``, ``positions`` ("replace" or "add"), ``roles`` (a TOML file), ``asf`` (the skeleton of an AMC file), ``rest`` ("file"
    or a frame) and ``floor`` ("found" or a height in metres). ``take`` names one of several takes. ``trim_rest`` leaves out a
    calibration pose.
    """
    takes, points, _ = _native.load(os.fspath(path), keywords_to_json(**options))
    if points is not None:
        return points
    if len(takes) > 1:
        names = ", ".join(repr(take.name) for take in takes)
        hint = "Choose one with take=NAME, or read all with marey.load_takes."
        raise Error("command/several-takes", f"the file has the takes {names}", Place(file=os.fspath(path)), hint)
    return takes[0]


def load_takes(path: str | os.PathLike[str], **options: Any) -> list[Take]:
    """Reads all takes of a motion file. The list is empty if the file holds points. Keywords are those of :func:`load`."""
    takes, _, _ = _native.load(os.fspath(path), keywords_to_json(**options))
    return takes
