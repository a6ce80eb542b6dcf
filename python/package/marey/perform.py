"""A performer drives a character in a physical world: swing, climb, walk, bounce, swim."""

from __future__ import annotations

import os

from . import _native
from ._native import Points, Recording, Session, Take
from .character import Character, cast_of
from .corpus import Path
from .outcome import Outcome, outcome_from

__all__ = ["Recording", "Session", "play"]


def play(world: Path, performance: Take | Points | Path, *, character: Character | None = None) -> Outcome:
    """Performs a recording in a world, faster than real time if possible.

    The world is a TOML file (see docs/engines/perform.md), or ``"adventure"``, the built-in world. The performance is a motion file, a take,
    or points of the reduced marker set. ``details["moments"]`` lists the events, such as the frame at which a hand takes hold.
    The simulated body is the performer's; the result is then put on the body of the ``character``.
    """
    cast = cast_of(character)
    source = os.fspath(performance) if isinstance(performance, os.PathLike) else performance
    return outcome_from(_native.perform(os.fspath(world), source, cast), cast)
