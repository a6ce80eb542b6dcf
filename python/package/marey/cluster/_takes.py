"""Features of the takes of a corpus, and labelling of two people by islands."""

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
from ._tasks import corpus_bytes, local_corpus, run_tasks


def _take_features(take: str, corpus: bytes) -> list[NDArray[np.float32] | None]:
    found: list[NDArray[np.float32] | None] = []
    for clip in native(local_corpus(corpus)).take(take).clips:
        try:
            found.append(_native.moments(clip))
        except Error:
            found.append(None)
    return found


def features(corpus: Corpus | Path) -> dict[str, list[NDArray[np.float32] | None]]:
    """Computes the features by which frames are compared, for every take and actor: frames × 27. ``None`` for a figure without feet."""
    names = [take["name"] for take in json.loads(native(corpus).takes())]
    found = dict(run_tasks(_take_features, [(name,) for name in names], corpus_bytes(corpus)))
    return {name: found[index] for index, name in enumerate(names)}


def _label_island(index: int, request: str, corpus: bytes) -> str:
    return _native.duet_island(native(local_corpus(corpus)), request, index)


def label(
    corpus: Corpus, takes: Sequence[str] = (), *, seed: int = 1, islands: int = 8, **settings: Any
) -> dict[str, Any]:
    """Does the same as :func:`marey.duet.label`, with the islands searched by the workers of a cluster. The labels are the same."""
    request = to_json({"takes": list(takes), "seed": seed, "islands": islands, "settings": settings})
    searched = dict(run_tasks(_label_island, [(index, request) for index in range(islands)], corpus_bytes(corpus)))
    texts = [searched[index] for index in range(islands)]
    found: dict[str, Any] = json.loads(_native.duet_settle(corpus._native, request, texts))
    return found
