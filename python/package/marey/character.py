"""Characters: motion on the user's own bodies."""

from __future__ import annotations

import os
from collections.abc import Mapping

from . import _native
from .corpus import Path

Character = Path | Mapping[str, Path]
"""A character for every actor, as in ``"hero.glb"``, or one for each of several, as in ``{"leader": "ann.vrm"}``.

A file is a .glb, .gltf, .vrm or .fbx file, any motion file (``"walk.bvh"``), or the body of a take (``"walks.marey@walk"``). ``#`` and a
name or number choose one of several figures.
"""


def cast_of(character: Character | None) -> _native.Cast:
    """Reads the characters of a call."""
    if character is None:
        return _native.Cast([])
    if isinstance(character, (str, os.PathLike)):
        return _native.Cast([os.fspath(character)])
    return _native.Cast([f"{actor}={os.fspath(file)}" for actor, file in character.items()])
