"""The one exception class of the package."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Place:
    """Where something is wrong: what is not known is ``None``."""

    file: str | None = None
    line: int | None = None
    column: int | None = None
    frame: int | None = None
    joint: str | None = None

    def __str__(self) -> str:
        at = [] if self.line is None else [f"{self.line}:{self.column}"]
        at += [] if self.frame is None else [f"frame {self.frame}"]
        at += [] if self.joint is None else [f"joint {self.joint}"]
        where = ", ".join(at)
        return ": ".join(part for part in (self.file, where) if part)


class Error(Exception):
    """What Marey refuses, with a stable code (docs/codes.md), the place, and what to do about it."""

    code: str
    """What kind of thing is wrong, as in ``"bvh/frame-count"``."""
    place: Place
    """Where."""
    hint: str
    """What to do about it."""
    message: str
    """What exactly is wrong."""

    def __init__(self, code: str, message: str, place: Place | None = None, hint: str = "") -> None:
        self.code = code
        self.message = message
        self.place = place or Place()
        self.hint = hint
        where = str(self.place)
        at = f" ({where})" if where else ""
        super().__init__(f"[{code}] {message}{at}" + (f"\nhint: {hint}" if hint else ""))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.message, self.place, self.hint)


def raised(code: str, message: str, place: dict[str, Any], hint: str) -> Error:
    """The exception for a failure of the part that is written in Rust."""
    return Error(code, message, Place(**place), hint)
