"""The exception class of the package."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Place:
    """The place of an error. Unknown parts are ``None``."""

    file: str | None = None
    line: int | None = None
    column: int | None = None
    frame: int | None = None
    joint: str | None = None

    def __str__(self) -> str:
        parts = [] if self.line is None else [f"{self.line}:{self.column}"]
        parts += [] if self.frame is None else [f"frame {self.frame}"]
        parts += [] if self.joint is None else [f"joint {self.joint}"]
        return ": ".join(part for part in (self.file, ", ".join(parts)) if part)


class Error(Exception):
    """An error of Marey, with a stable code (docs/codes.md), a place and a hint."""

    code: str
    """The stable code, for example ``"bvh/frame-count"``."""
    place: Place
    """The file, line, frame or joint that is wrong."""
    hint: str
    """What to do about the error."""
    message: str
    """What is wrong."""

    def __init__(self, code: str, message: str, place: Place | None = None, hint: str = "") -> None:
        self.code = code
        self.message = message
        self.place = place or Place()
        self.hint = hint
        location = f" ({self.place})" if str(self.place) else ""
        super().__init__(f"[{code}] {message}{location}" + (f"\nhint: {hint}" if hint else ""))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.message, self.place, self.hint)


def from_native(code: str, message: str, place: dict[str, Any], hint: str) -> Error:
    """Creates the exception for an error of the native module."""
    return Error(code, message, Place(**place), hint)
