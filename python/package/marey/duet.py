"""Motion of two interacting people, generated from recordings of a pair."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from . import _native
from ._native import Points
from ._values import keywords_to_json
from .character import Character, cast_of
from .corpus import Corpus, Files, Path, Progress, native
from .outcome import Outcome, outcome_from

__all__ = ["label", "run", "train"]


def label(
    corpus: Corpus,
    takes: Sequence[str] = (),
    *,
    seed: int | None = None,
    islands: int | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """Finds the movements of both people, groups similar ones, and stores them in the corpus as segments.

    ``islands`` is the number of independent searches; the best result is kept. docs/engines/duet.md lists the ``settings``, for example
    ``iterations=200, population=50``. Returns a summary of the movements of both ``people``, and of how much of each of the
    ``takes`` is in movements.
    """
    request = keywords_to_json(takes=list(takes), seed=seed, islands=islands, settings=settings)
    found: dict[str, Any] = json.loads(_native.duet_label(corpus._native, request, progress))
    return found


def train(
    corpus: Corpus, takes: Sequence[str] = (), *, model: str | None = None, **settings: Any
) -> list[dict[str, Any]]:
    """Trains a model of how the two people act and react, and stores it in the corpus. Returns its groups."""
    request = keywords_to_json(takes=list(takes), model=model, settings=settings)
    rows: list[dict[str, Any]] = json.loads(_native.duet_train(corpus._native, request))
    return rows


def run(
    corpus: Corpus | Files,
    secs: float | None = None,
    *,
    seed: int | None = None,
    model: str | None = None,
    train_on: Sequence[str] = (),
    path: Points | Path | None = None,
    commands: Sequence[str] = (),
    who: str | None = None,
    name: str | None = None,
    character: Character | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Outcome:
    """Generates motion of a trained pair: freely, with one person on a ``path``, or by ``commands``.

    ``train_on`` names takes to train on instead of a stored model. A command is the number of a group, or normal, offensive or
    defensive, optionally followed by a position, for example ``"offensive 1.0 -0.5"``. ``who`` is the person that follows the path
    or the commands; the default is the first. docs/engines/duet.md lists the ``settings``, for example ``temperature=0.5``.
    """
    request = keywords_to_json(
        model=model,
        train_on=list(train_on),
        secs=secs,
        seed=seed,
        person=who,
        settings=settings,
        name=name,
    )
    points = os.fspath(path) if isinstance(path, os.PathLike) else path
    cast = cast_of(character)
    return outcome_from(_native.duet_run(native(corpus), points, list(commands), request, cast, progress), cast)
