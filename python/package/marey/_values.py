"""Plain values to JSON and back: how keyword arguments reach the part that is written in Rust."""

from __future__ import annotations

import json
import os
from typing import Any

from .errors import Error

_HINT = "See the type hints and the docstring of what was called."


def _plain(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is no plain value")


def to_json(value: Any) -> str:
    """A value as JSON; numbers that are none, and what JSON does not have, are refused."""
    try:
        return json.dumps(value, allow_nan=False, default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise Error("python/value", str(error), hint=_HINT) from None


def told(**named: Any) -> str:
    """Keyword arguments as JSON, without those that are ``None``."""
    return to_json({name: value for name, value in named.items() if value is not None})


def plan_text(plan: Any) -> str:
    """A plan as the text of its file: a dict, or JSON already."""
    return plan if isinstance(plan, str) else to_json(plan)
