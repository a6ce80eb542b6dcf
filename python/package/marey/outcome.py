"""The result of a verb."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any

from ._native import Cast, Take
from .corpus import Path


@dataclass(frozen=True)
class Outcome:
    """The result of a verb: motion, plan, warnings and details."""

    take: Take
    """The motion."""
    plan: dict[str, Any] | None = None
    """The plan as a plain dict: the source, time, place and stretch of each piece. ``None`` if the engine makes no plan."""
    trace: Any = None
    """The candidates of each choice and their costs. ``None`` if the engine records none, or was not asked to."""
    warnings: list[dict[str, Any]] = field(default_factory=list)
    """The warnings, each with code, message, count, place and hint."""
    details: dict[str, Any] = field(default_factory=dict)
    """Figures of this engine, such as the score of :func:`marey.follow`."""
    _cast: Cast = field(default_factory=lambda: Cast([]), repr=False, compare=False)

    def save(self, path: Path, overwrite: bool = False) -> None:
        """Writes the motion on its character, in the format of the file's ending, as the command does.

        A .glb or .gltf file is that of the character with the motion added; without a character, a mannequin.
        """
        self._cast.save(self.take, os.fspath(path), overwrite)

    def to_bytes(self, format: str) -> bytes:
        """Returns the bytes that :meth:`save` would write in a format such as "glb"."""
        return self._cast.to_bytes(self.take, format)

    def _repr_html_(self) -> str:
        return self.take._repr_html_()


def outcome_from(parts: tuple[Take, str | None, str | None, str, str], cast: Cast) -> Outcome:
    """Creates an outcome from the parts that the native module returns for some characters."""
    take, plan, trace, warnings, details = parts
    return Outcome(
        take,
        None if plan is None else json.loads(plan),
        None if trace is None else json.loads(trace),
        json.loads(warnings),
        json.loads(details),
        cast,
    )
