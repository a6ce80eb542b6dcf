"""What an engine makes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from ._native import Take


@dataclass(frozen=True)
class Made:
    """Motion that an engine made, with its plan and what is known of it."""

    take: Take
    """The motion."""
    plan: dict[str, Any] | None = None
    """Which example is used when, where and how stretched, as a plain dict; ``None`` where an engine makes no plan."""
    trace: Any = None
    """Why: for each choice the candidates and what each costs; ``None`` where that was not asked for."""
    warnings: list[dict[str, Any]] = field(default_factory=list)
    """What was met on the way: codes, messages, counts, places and hints."""
    about: dict[str, Any] = field(default_factory=dict)
    """What else the engine tells of it."""

    def _repr_html_(self) -> str:
        return self.take._repr_html_()


def made(parts: tuple[Take, str | None, str | None, str, str]) -> Made:
    """The same of what the part that is written in Rust gives."""
    take, plan, trace, warnings, about = parts
    return Made(
        take,
        None if plan is None else json.loads(plan),
        None if trace is None else json.loads(trace),
        json.loads(warnings),
        json.loads(about),
    )
