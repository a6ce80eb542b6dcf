"""The engines that are one call each."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any, Literal

from . import _native
from ._native import Clip, Points, Take
from ._values import plan_text, to_json, told
from .corpus import Corpus, Path, Progress, native
from .made import Made, made

Motion = Take | Clip | Path
"""Figures: a take, a clip, or a motion file."""
Pose = str | tuple[Take, int | None]
"""A pose: ``"TAKE@FRAME"`` of the corpus, ``"FILE@FRAME"``, or a take and a frame."""


def _source(given: Take | Clip | Points | Path) -> Take | Points | str:
    if isinstance(given, Clip):
        return given.take()
    return os.fspath(given) if isinstance(given, os.PathLike) else given


def _request(named: dict[str, Any], settings: dict[str, Any]) -> str:
    chosen = {name: value for name, value in named.items() if value is not None}
    return to_json({**chosen, **settings})


def follow(
    corpus: Corpus | Path,
    control: Motion | Points,
    *,
    kind: str = "path",
    target: str | None = None,
    examples: Sequence[str] = (),
    without: Sequence[str] = (),
    made_by: str | None = None,
    cluster_m: float | None = None,
    constraints: Sequence[dict[str, Any]] = (),
    whole: bool = False,
    live: bool = False,
    explain: bool = False,
    progress: Progress | None = None,
    **settings: Any,
) -> Made:
    """Follows a control by example: walks along a path, dances with a leader.

    ``kind`` says what of the control is compared: ``"path"``, the path of the hips on the floor; ``"actor:NAME"``, an actor that
    leads; ``"points"``, joints by the names of their roles. ``target`` is the name of the actor that follows. Settings are those of
    docs/follow.md, as in ``k=0.5, stretch_secs=0.1, smooth_m=0.2``. With ``explain``, ``trace`` lists the alternatives to each
    choice. With ``live``, the follower decides while the control goes on.
    """
    named = {
        "control": kind,
        "target": target,
        "examples": list(examples),
        "without": list(without),
        "made_by": made_by,
        "cluster_m": cluster_m,
        "constraints": list(constraints),
        "whole": whole,
        "mode": "live" if live else "explained" if explain else "optimal",
    }
    return made(_native.follow(native(corpus), _source(control), _request(named, settings), progress))


def transcribe(
    corpus: Corpus | Path,
    control: Motion | Points,
    *,
    kind: str = "path",
    target: str | None = None,
    examples: Sequence[str] = (),
    without: Sequence[str] = (),
    made_by: str | None = None,
    cluster_m: float | None = None,
    whole: bool = False,
    progress: Progress | None = None,
    **settings: Any,
) -> list[dict[str, Any]]:
    """Writes down what a motion does when, in the labels of a corpus's segments, and how far each is from the motion."""
    named = {
        "control": kind,
        "target": target,
        "examples": list(examples),
        "without": list(without),
        "made_by": made_by,
        "cluster_m": cluster_m,
        "whole": whole,
    }
    text = _native.transcribe(native(corpus), _source(control), _request(named, settings), progress)
    entries: list[dict[str, Any]] = json.loads(text)
    return entries


def traverse(
    corpus: Corpus | Path,
    terrain: Path | Sequence[Sequence[tuple[float, float]]],
    *,
    path: Points | Path | None = None,
    takes: Sequence[str] = (),
    preferences: dict[str, Any] | None = None,
    lookahead: int | None = None,
    start_m: float | None = None,
    goal_m: float | None = None,
    seed: int = 0,
    scale_m: float = 0.01,
    relief_m: float = 0.5,
    progress: Progress | None = None,
    settings: dict[str, Any] | None = None,
) -> Made:
    """Crosses uneven terrain by example: a lamp hops over gaps, a person walks over stairs.

    ``terrain`` is a file (.terrain.json, .svg, .png) or a list of polylines in profile, such as
    ``[[(0, 0), (2, 0)], [(3, 0.2), (5, 0.2)]]`` with a gap between them. ``path`` is the path over the floor of which the terrain
    is the profile. ``preferences`` selects hops or strides, as in ``{"length": "low"}``. docs/traverse.md lists the settings.
    """
    request = told(
        takes=list(takes),
        preferences=preferences,
        lookahead=lookahead,
        start_m=start_m,
        goal_m=goal_m,
        seed=seed,
        settings=settings,
    )
    floor_path = None if path is None else _source(path)
    if isinstance(terrain, (str, os.PathLike)):
        ground: str | list[list[tuple[float, float]]] = os.fspath(terrain)
    else:
        ground = [[(float(along), float(height)) for along, height in line] for line in terrain]
    return made(_native.traverse(native(corpus), ground, floor_path, request, scale_m, relief_m, progress))


def vary(
    motion: Corpus | Motion | Sequence[Motion],
    *,
    seed: int = 1,
    count: int | None = None,
    only: Sequence[str] = (),
    tags: Sequence[str] = (),
    name: str = "variation",
    progress: Progress | None = None,
    **settings: Any,
) -> Any:
    """Varies a dance: plays its chunks in another order, along another trajectory on a strange attractor.

    ``motion`` is a corpus (a :class:`Corpus`, or a file ending in .marey; ``only`` and ``tags`` choose takes and frames), or one or more
    takes. Returns one :class:`Made`; with ``count``, a list of variations with consecutive seeds. Settings are keywords, as in
    docs/vary.md: ``system``, ``shift``, ``per_cell``, ``turn``, ``drift``, ``min_chunk``, ``keep_first``, ``keep_last``, ``secs``,
    ``travel`` ("onward" or "absolute") and ``bridge`` ("join", "tween" or "none").
    """
    corpus = None
    given: list[Any] = []
    if isinstance(motion, Corpus):
        corpus = motion._native
    elif isinstance(motion, (str, os.PathLike)) and os.fspath(motion).lower().endswith(".marey"):
        corpus = native(motion)
    elif isinstance(motion, (Take, Clip, str, os.PathLike)):
        given = [_source(motion)]
    else:
        given = [_source(one) for one in motion]
    seeds = [(seed + number) % 2**64 for number in range(1 if count is None else count)]
    request = told(only=list(only), tags=list(tags), name=name, **settings)
    results = [made(part) for part in _native.vary(corpus, given, request, seeds, progress)]
    return results[0] if count is None else results


class Style:
    """The motion style of a corpus, learned at the first use and kept for later calls."""

    def __init__(
        self,
        corpus: Corpus | Path,
        takes: Sequence[str] = (),
        *,
        network: Literal["learned", "body", "none"] = "learned",
        **settings: Any,
    ) -> None:
        """Learns from takes of a corpus, from all if none is named. Settings are keywords, as in ``rate_hz=15``."""
        style = to_json({"dependence": network, **settings})
        self._native = _native.Style(native(corpus), list(takes), style)

    def tween(
        self, start: Pose, end: Pose, *, frames: int | None = None, name: str = "tween", **search: Any
    ) -> Made:
        """Makes the likeliest motion from one pose to another, with this number of ``frames`` if given.

        Without a frame, ``start`` is the last frame of its take and ``end`` the first. Settings of the search are keywords:
        ``max_length_ratio``, ``heuristic_weight``, ``max_expansions``.
        """
        return made(self._native.tween(start, end, told(frames=frames, search=search, name=name)))

    def wander(
        self,
        secs: float = 10.0,
        *,
        start: Pose | None = None,
        seed: int = 1,
        name: str = "wander",
        **settings: Any,
    ) -> Made:
        """Moves freely in the style: a random walk. Settings are keywords: ``temperature`` and ``stay_weight``."""
        return made(self._native.wander(start, told(secs=secs, seed=seed, settings=settings, name=name)))


def tween(
    corpus: Corpus | Path,
    start: Pose,
    end: Pose,
    *,
    takes: Sequence[str] = (),
    network: Literal["learned", "body", "none"] = "learned",
    frames: int | None = None,
    name: str = "tween",
    **search: Any,
) -> Made:
    """Makes motion from one pose to another in the style of a corpus; :class:`Style` learns once for several calls."""
    return Style(corpus, takes, network=network).tween(start, end, frames=frames, name=name, **search)


def wander(
    corpus: Corpus | Path,
    secs: float = 10.0,
    *,
    takes: Sequence[str] = (),
    network: Literal["learned", "body", "none"] = "learned",
    start: Pose | None = None,
    seed: int = 1,
    name: str = "wander",
    **settings: Any,
) -> Made:
    """Moves freely in the style of a corpus; :class:`Style` learns once for several calls."""
    return Style(corpus, takes, network=network).wander(secs, start=start, seed=seed, name=name, **settings)


def realise(
    corpus: Corpus | Path,
    plan: dict[str, Any] | str,
    *,
    holds: bool = False,
    against: Motion | None = None,
    name: str = "plan",
    **passes: Any,
) -> Made:
    """Makes motion from a plan: pieces of examples placed, stretched and joined, feet that stand, hands that hold.

    The plan is a dict, as engines give it, or JSON; docs/plan.md describes it. Passes are keywords as docs/realise.md has them, as in
    ``join={"method": "none"}, plant=None``. With ``holds``, hands hold as in the examples. ``about["cards"]`` judges the result.
    """
    text = plan_text(plan)
    like = None if against is None else _source(against)
    return made(_native.realised(native(corpus), text, to_json(passes), holds, like, name))


def check(
    motion: Motion,
    *,
    against: Path | None = None,
    path: Path | None = None,
    examples: Sequence[Path] = (),
    plan: dict[str, Any] | None = None,
    truth: Path | None = None,
    terrain: Path | None = None,
    thresholds: dict[str, float] | None = None,
) -> list[dict[str, Any]]:
    """Judges motion: foot skate, sinking, jolts, bone stretch, holds, likeness, each number beside its threshold; a card for each actor.

    ``against`` is a motion that it should be like, or a corpus that shows what is usual, as ``examples`` do.
    """
    judging = told(
        against=against,
        path=path,
        examples=[os.fspath(example) for example in examples],
        plan=plan,
        truth=truth,
        terrain=terrain,
        thresholds=thresholds,
    )
    cards: list[dict[str, Any]] = json.loads(_native.check(_source(motion), judging))
    return cards
