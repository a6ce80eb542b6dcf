"""A live performance drives a character in a physical world: swing, climb, walk, bounce, swim."""

from __future__ import annotations

import os

from . import _native
from ._native import Points, Recording, Session, Take
from .corpus import Path
from .made import Made, made

__all__ = ["Recording", "Session", "play"]


def play(world: Path, performance: Take | Points | Path) -> Made:
    """Performs a recording in a world, as fast as it goes.

    The world is a TOML file as docs/perform.md describes it, or ``"adventure"``, which comes along; the performance a motion file, a take,
    or points with the reduced set of markers. ``about["moments"]`` tells who held what from which frame on.
    """
    source = os.fspath(performance) if isinstance(performance, os.PathLike) else performance
    return made(_native.perform(os.fspath(world), source))
