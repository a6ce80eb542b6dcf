"""The takes of a corpus: what their moments are like, and the movements of two, found on islands."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _native
from .._values import to_json
from ..corpus import Corpus, Path, native
from ..errors import Error
from ._work import here, sent, shared


def _features(take: str, corpus: bytes) -> list[NDArray[np.float32] | None]:
    found: list[NDArray[np.float32] | None] = []
    for clip in native(here(corpus)).take(take).clips:
        try:
            found.append(_native.moments(clip))
        except Error:
            found.append(None)
    return found


def features(corpus: Corpus | Path) -> dict[str, list[NDArray[np.float32] | None]]:
    """What moments are compared by, for every take and actor: frames × 27; ``None`` of a figure without feet."""
    names = [take["name"] for take in json.loads(native(corpus).takes())]
    found = dict(shared(_features, [(name,) for name in names], sent(corpus)))
    return {name: found[number] for number, name in enumerate(names)}


def _island(number: int, takes: list[str], settings: str, seed: int, corpus: bytes) -> str:
    return _native.duet_island(native(here(corpus)), takes, settings, seed, number)


def label(
    corpus: Corpus, takes: Sequence[str] = (), *, seed: int = 1, islands: int = 8, **settings: Any
) -> list[dict[str, Any]]:
    """:func:`marey.duet.label` with an island for each worker to search on; the labels are those of one machine with as many islands."""
    wish = to_json(settings)
    shares = [(number, list(takes), wish, seed) for number in range(islands)]
    found = dict(shared(_island, shares, sent(corpus)))
    texts = [found[number] for number in range(islands)]
    rows: list[dict[str, Any]] = json.loads(_native.duet_settle(corpus._native, list(takes), texts))
    return rows
