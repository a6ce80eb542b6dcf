"""Two characters that interact: learn from a recorded pair, and let them go on."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from . import _native
from ._native import Points
from ._values import to_json
from .corpus import Corpus, Path, Progress, native
from .made import Made, made

__all__ = ["label", "run", "train"]


def label(
    corpus: Corpus,
    takes: Sequence[str] = (),
    *,
    seed: int = 1,
    islands: int = 1,
    progress: Progress | None = None,
    **settings: Any,
) -> list[dict[str, Any]]:
    """Finds the movements of both, and which are alike, and puts them into the corpus as segments.

    A genetic search; ``islands`` is how many times it starts from different chances, of which the fittest is kept. Settings are those of
    docs/duet.md, as in ``iterations=200, population=50``. Gives what was found of each person.
    """
    wish = to_json(settings)
    found = _native.duet_label(corpus._native, list(takes), wish, seed, islands, progress)
    rows: list[dict[str, Any]] = json.loads(found)
    return rows


def train(
    corpus: Corpus, takes: Sequence[str] = (), *, model: str = "duet", **settings: Any
) -> list[dict[str, Any]]:
    """Learns what both do after each other, and after what the other does, and keeps the model in the corpus. Gives its groups."""
    found = _native.duet_train(corpus._native, list(takes), model, to_json(settings))
    rows: list[dict[str, Any]] = json.loads(found)
    return rows


def run(
    corpus: Corpus | Path,
    secs: float = 30.0,
    *,
    seed: int = 1,
    model: str = "duet",
    path: Points | Path | None = None,
    commands: Sequence[str] = (),
    who: str | None = None,
    name: str = "duet",
    progress: Progress | None = None,
    **settings: Any,
) -> Made:
    """Lets a trained pair go on: by themselves, one of them along a ``path``, or by ``commands``.

    A command is a group's number, or normal, offensive or defensive, and if wanted where to go, as in ``"offensive 1.0 -0.5"``. ``who``
    goes along the path or obeys, the first where nobody is named. Settings are those of docs/duet.md, as in ``temperature=0.5``.
    """
    going = {
        "model": model,
        "secs": secs,
        "seed": seed,
        "who": who,
        "commands": list(commands),
        "settings": settings,
    }
    way = os.fspath(path) if isinstance(path, os.PathLike) else path
    return made(_native.duet_run(native(corpus), name, way, to_json(going), progress))
