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


def _question(lead: str, whole: bool, named: dict[str, Any], settings: dict[str, Any]) -> str:
    chosen = {name: value for name, value in named.items() if value is not None}
    ends = {"free_start": not whole, "free_end": not whole}
    return to_json({"lead": lead, "settings": {**ends, **settings}, **chosen})


def follow(
    corpus: Corpus | Path,
    control: Motion | Points,
    *,
    lead: str = "path",
    target: str | None = None,
    made_by: str | None = None,
    without: Sequence[str] = (),
    cluster_m: float | None = None,
    wishes: Sequence[dict[str, Any]] = (),
    smooth_m: float = 0.0,
    smooth_secs: float = 0.0,
    whole: bool = False,
    live: bool = False,
    explain: bool = False,
    progress: Progress | None = None,
    **settings: Any,
) -> Made:
    """Answers a motion by example: walks along a path, follows a leader.

    ``lead`` is what leads: ``"path"``, the way of hips over the floor; ``"actor:NAME"``, another actor of the same take; ``"points"``,
    joints by the names of their roles. ``target`` answers, by the name in the takes. Settings are those of docs/follow.md, as in
    ``k=0.5, stretch_secs=0.1``. With ``explain``, ``trace`` tells why; with ``live``, it is decided while the control goes on.
    """
    named = {
        "target": target,
        "made_by": made_by,
        "without": list(without),
        "cluster_m": cluster_m,
        "wishes": list(wishes),
        "smooth_m": smooth_m,
        "smooth_secs": smooth_secs,
    }
    manner = "live" if live else "explained" if explain else "best"
    question = _question(lead, whole, named, settings)
    return made(_native.follow(native(corpus), _source(control), question, manner, progress))


def transcribe(
    corpus: Corpus | Path,
    control: Motion | Points,
    *,
    lead: str = "path",
    target: str | None = None,
    made_by: str | None = None,
    without: Sequence[str] = (),
    cluster_m: float | None = None,
    whole: bool = False,
    progress: Progress | None = None,
    **settings: Any,
) -> list[dict[str, Any]]:
    """Writes down what a motion does when, in the words of a corpus's segments, and how far each is from the motion."""
    named = {"target": target, "made_by": made_by, "without": list(without), "cluster_m": cluster_m}
    question = _question(lead, whole, named, settings)
    words = _native.transcribe(native(corpus), _source(control), question, progress)
    heard: list[dict[str, Any]] = json.loads(words)
    return heard


def traverse(
    corpus: Corpus | Path,
    terrain: Path | Sequence[Sequence[tuple[float, float]]],
    *,
    path: Points | Path | None = None,
    takes: Sequence[str] = (),
    taste: dict[str, Any] | None = None,
    lookahead: int | None = None,
    from_m: float | None = None,
    to_m: float | None = None,
    seed: int = 0,
    scale_m: float = 0.01,
    relief_m: float = 0.5,
    progress: Progress | None = None,
    settings: dict[str, Any] | None = None,
) -> Made:
    """Crosses uneven ground by example: a lamp hops over gaps, a person walks over steps.

    The ground is a file (.terrain.json, .svg, .png), or polylines in profile, as ``[[(0, 0), (2, 0)], [(3, 0.2), (5, 0.2)]]`` with a gap
    between. ``path`` is the way over the floor that it is the profile of. ``taste`` is what is preferred, as in
    ``{"length": "little"}``. Settings are those of docs/traverse.md.
    """
    wish = told(
        takes=list(takes),
        taste=taste,
        lookahead=lookahead,
        from_m=from_m,
        to_m=to_m,
        seed=seed,
        settings=settings,
    )
    way = None if path is None else _source(path)
    if isinstance(terrain, (str, os.PathLike)):
        ground: str | list[list[tuple[float, float]]] = os.fspath(terrain)
    else:
        ground = [[(float(along), float(height)) for along, height in line] for line in terrain]
    return made(_native.traverse(native(corpus), ground, way, wish, scale_m, relief_m, progress))


def vary(
    motion: Corpus | Motion | Sequence[Motion],
    *,
    seed: int = 1,
    count: int | None = None,
    only: Sequence[str] = (),
    tags: Sequence[str] = (),
    name: str = "variation",
    progress: Progress | None = None,
    **wish: Any,
) -> Any:
    """Varies a dance: chunks of it in another order, along another way around a strange attractor.

    What is varied is a corpus (a :class:`Corpus`, or a file ending in .marey; ``only`` and ``tags`` choose takes and frames), or takes one
    after another. Gives one :class:`Made`; where ``count`` is told, a list of so many, each with the next seed. How it is varied are
    keywords, as docs/vary.md has them: ``system``, ``shift``, ``per_cell``, ``turn``, ``drift``, ``least_chunk``, ``keep_first``,
    ``keep_last``, ``secs``, ``travel`` ("onward" or "absolute") and ``bridge`` ("join", "tween" or "none").
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
    chosen = {key: value for key, value in wish.items() if value is not None}
    parts = _native.vary(corpus, given, list(only), list(tags), to_json(chosen), seeds, name, progress)
    all_made = [made(part) for part in parts]
    return all_made[0] if count is None else all_made


class Style:
    """How the joints of a corpus move and go together, learned once and asked any number of times."""

    def __init__(
        self,
        corpus: Corpus | Path,
        takes: Sequence[str] = (),
        *,
        network: Literal["learned", "body", "none"] = "learned",
        **settings: Any,
    ) -> None:
        """Learns from takes of a corpus, from all where none is named. Settings are those of docs/tween.md, as in ``rate_hz=15``."""
        style = to_json({"dependence": network, **settings})
        self._native = _native.Style.learn(native(corpus), list(takes), style)

    def tween(
        self, start: Pose, end: Pose, *, frames: int | None = None, name: str = "way", **search: Any
    ) -> Made:
        """The likeliest way from one pose to another, on which all joints arrive together, in so many ``frames`` where told.

        Where no frame of a pose is told, it begins at the last of the first and ends at the first of the second. How it is searched are
        keywords: ``discursiveness``, ``greed``, ``most_postures``.
        """
        return made(self._native.tween(start, end, told(frames=frames, search=search), name))

    def wander(
        self,
        secs: float = 10.0,
        *,
        start: Pose | None = None,
        seed: int = 1,
        name: str = "free",
        **settings: Any,
    ) -> Made:
        """Moves freely in the style: a walk by chance. ``temperature`` and ``staying`` say how adventurous it is."""
        wish = told(secs=secs, seed=seed, settings=settings)
        return made(self._native.wander(start, wish, name))


def tween(
    corpus: Corpus | Path,
    start: Pose,
    end: Pose,
    *,
    takes: Sequence[str] = (),
    network: Literal["learned", "body", "none"] = "learned",
    frames: int | None = None,
    name: str = "way",
    **search: Any,
) -> Made:
    """Finds the way from one pose to another that a corpus would take; :class:`Style` learns once for several."""
    return Style(corpus, takes, network=network).tween(start, end, frames=frames, name=name, **search)


def wander(
    corpus: Corpus | Path,
    secs: float = 10.0,
    *,
    takes: Sequence[str] = (),
    network: Literal["learned", "body", "none"] = "learned",
    start: Pose | None = None,
    seed: int = 1,
    name: str = "free",
    **settings: Any,
) -> Made:
    """Moves freely in the style of a corpus; :class:`Style` learns once for several."""
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
