"""Conversion of keyword arguments to JSON, in which form they reach the native module."""

from __future__ import annotations

import json
import os
from typing import Any

from .errors import Error

_HINT = "See the type hints and the docstring of the function."


def _to_plain(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"cannot convert a value of type {type(value).__name__} to JSON")


def to_json(value: Any) -> str:
    """Serialises a value to JSON. Raises :class:`Error` for NaN, infinity and types that JSON does not have."""
    try:
        return json.dumps(value, allow_nan=False, default=_to_plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise Error("python/value", str(error), hint=_HINT) from None


def keywords_to_json(**keywords: Any) -> str:
    """Serialises keyword arguments to JSON, without those that are ``None``."""
    return to_json({name: value for name, value in keywords.items() if value is not None})


def plan_to_json(plan: Any) -> str:
    """Returns the JSON of a plan, which is a dict or already JSON."""
    return plan if isinstance(plan, str) else to_json(plan)
