"""The verbs that are one function each."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any, Literal

from . import _native
from ._native import Clip, Points, Take
from ._values import keywords_to_json, plan_to_json, to_json
from .character import Character, cast_of
from .corpus import Corpus, Files, Path, Progress, native
from .outcome import Outcome, outcome_from

Motion = Take | Clip | Path
"""Motion of figures: a take, a clip, or a motion file."""
Pose = str | tuple[Take, int | None]
"""A pose: ``"TAKE@FRAME"`` of the corpus, ``"FILE@FRAME"``, or a take and a frame."""


def _source(value: Take | Clip | Points | Path) -> Take | Points | str:
    if isinstance(value, Clip):
        return value.take()
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def _request(fields: dict[str, Any], settings: dict[str, Any]) -> str:
    given = {name: value for name, value in fields.items() if value is not None}
    return to_json({**given, **settings})


def follow(
    corpus: Corpus | Files,
    control: Motion | Points,
    *,
    kind: str | None = None,
    target: str | None = None,
    examples: Sequence[str] = (),
    without: Sequence[str] = (),
    made_by: str | None = None,
    cluster_m: float | None = None,
    constraints: Sequence[dict[str, Any]] = (),
    whole: bool | None = None,
    live: bool = False,
    explain: bool = False,
    character: Character | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Outcome:
    """Follows a control signal by example: walks along a path, dances with a leader.

    ``kind`` is the kind of control signal: ``"path"`` (the default), the path of the hips on the floor; ``"actor:NAME"``, a leader; ``"points"``,
    joints by the names of their roles. ``target`` is the name of the actor that follows. docs/engines/follow.md lists the settings, for
    example ``k=0.5, stretch=0.1, smooth_m=0.2``. With ``explain``, ``trace`` lists the alternatives to each choice. With
    ``live``, the follower decides without knowing the rest of the control signal. ``character`` is the body that the motion is made
    for, in this and every other call.
    """
    cast = cast_of(character)
    fields = {
        "control": kind,
        "target": target,
        "examples": list(examples),
        "without": list(without),
        "made_by": made_by,
        "cluster_m": cluster_m,
        "constraints": list(constraints),
        "whole": whole,
        "mode": "live" if live else "explained" if explain else None,
    }
    request = _request(fields, settings)
    return outcome_from(_native.follow(native(corpus), _source(control), request, cast, progress), cast)


def transcribe(
    corpus: Corpus | Files,
    control: Motion | Points,
    *,
    kind: str | None = None,
    target: str | None = None,
    examples: Sequence[str] = (),
    without: Sequence[str] = (),
    made_by: str | None = None,
    cluster_m: float | None = None,
    whole: bool | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> list[dict[str, Any]]:
    """Transcribes a motion in the labels of a corpus's segments. Returns each label with its time and its distance to the motion."""
    fields = {
        "control": kind,
        "target": target,
        "examples": list(examples),
        "without": list(without),
        "made_by": made_by,
        "cluster_m": cluster_m,
        "whole": whole,
    }
    text = _native.transcribe(native(corpus), _source(control), _request(fields, settings), progress)
    entries: list[dict[str, Any]] = json.loads(text)
    return entries


def traverse(
    corpus: Corpus | Files,
    terrain: Path | Sequence[Sequence[tuple[float, float]]],
    *,
    path: Points | Path | None = None,
    takes: Sequence[str] = (),
    preferences: dict[str, Any] | None = None,
    lookahead: int | None = None,
    start_m: float | None = None,
    goal_m: float | None = None,
    seed: int | None = None,
    scale_m: float | None = None,
    relief_m: float | None = None,
    character: Character | None = None,
    progress: Progress | None = None,
    settings: dict[str, Any] | None = None,
) -> Outcome:
    """Crosses uneven terrain by example: a lamp hops over gaps, a person walks over stairs.

    ``terrain`` is a file (.terrain.json, .svg, .png) or a list of polylines in profile, such as
    ``[[(0, 0), (2, 0)], [(3, 0.2), (5, 0.2)]]`` with a gap between them. The terrain is the profile along ``path``, a path over the
    floor. ``scale_m`` is the length of a unit of a drawing or a pixel of a height map, ``relief_m`` the height between its black and
    white. ``preferences`` selects hops or strides, for example ``{"length": "low"}``. docs/engines/traverse.md lists the settings.
    """
    request = keywords_to_json(
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
    cast = cast_of(character)
    made = _native.traverse(native(corpus), ground, floor_path, request, scale_m, relief_m, cast, progress)
    return outcome_from(made, cast)


def vary(
    motion: Corpus | Motion | Sequence[Motion],
    *,
    seed: int | None = None,
    count: int | None = None,
    only: Sequence[str] = (),
    tags: Sequence[str] = (),
    name: str | None = None,
    character: Character | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Any:
    """Varies a dance: plays its chunks in another order, along another trajectory on a strange attractor.

    ``motion`` is a corpus (a :class:`Corpus`, or a file ending in .marey; ``only`` and ``tags`` choose takes and frames), or one or more
    takes. Files are prepared as by :meth:`Corpus.add`: spikes repaired, calibration poses removed. Returns one :class:`Outcome`; with ``count``, a list of variations with consecutive seeds. docs/engines/vary.md describes the
    settings: ``system``, ``shift``, ``per_cell``, ``turn``, ``drift``, ``min_chunk``, ``cut`` ("fit" or "free"), ``beats``,
    ``tempo_bpm``, ``keep_first``, ``keep_last``, ``secs``, ``travel`` ("onward" or "absolute") and ``bridge`` ("join", "tween" or "none").
    """
    corpus = None
    takes: list[Any] = []
    if isinstance(motion, Corpus):
        corpus = motion._native
    elif isinstance(motion, (str, os.PathLike)) and os.fspath(motion).lower().endswith(".marey"):
        corpus = native(motion)
    elif isinstance(motion, (Take, Clip, str, os.PathLike)):
        takes = [_source(motion)]
    else:
        takes = [_source(part) for part in motion]
    request = keywords_to_json(only=list(only), tags=list(tags), seed=seed, name=name, **settings)
    cast = cast_of(character)
    variations = _native.vary(corpus, takes, request, 1 if count is None else count, cast, progress)
    outcomes = [outcome_from(parts, cast) for parts in variations]
    return outcomes[0] if count is None else outcomes


class Style:
    """How the people of a corpus move, learned at the first use and kept for later calls."""

    def __init__(
        self,
        corpus: Corpus | Files,
        takes: Sequence[str] = (),
        *,
        network: Literal["learned", "body", "none"] | None = None,
        character: Character | None = None,
        **settings: Any,
    ) -> None:
        """Chooses the takes to learn from: all of the corpus if none is named.

        ``network`` and ``settings``, for example ``rate_hz=15``, are those of the mode ``style``.
        """
        style = keywords_to_json(dependence=network, **settings)
        self._cast = cast_of(character)
        self._native = _native.Style(native(corpus), list(takes), style, self._cast)

    def tween(
        self,
        *poses: Pose,
        mode: Literal["near", "style"] | None = None,
        frames: int | None = None,
        at: Sequence[float] = (),
        places: Sequence[tuple[float, float, float] | None] = (),
        gaps: Sequence[tuple[int, int]] = (),
        gap_only: bool = False,
        closes: bool = False,
        name: str | None = None,
        **search: Any,
    ) -> Outcome:
        """Makes motion through poses, or fills the ``gaps`` of one clip.

        Without a frame, the first pose is the last frame of its take, the others are the first of theirs. ``frames`` is the number of
        frames from each pose to the next, ``at`` the time of each pose in seconds. ``places`` are those of the second and further poses:
        x and z in metres and the heading in radians, or None. ``gap_only`` leaves out the takes before the first and after the last
        pose; ``closes`` returns to the first. Settings of the search in the mode ``style`` are keywords: ``max_length_ratio``,
        ``heuristic_weight``, ``max_expansions``.
        """
        request = keywords_to_json(
            mode=mode,
            frames=frames,
            at_secs=[float(secs) for secs in at],
            places=[None if place is None else dict(zip(("x", "z", "yaw_rad"), place)) for place in places],
            gaps=[(int(start), int(end)) for start, end in gaps],
            gap_only=gap_only,
            closes=closes,
            search=search,
            name=name,
        )
        return outcome_from(self._native.tween(list(poses), request), self._cast)

    def wander(
        self,
        secs: float | None = None,
        *,
        start: Pose | None = None,
        seed: int | None = None,
        name: str | None = None,
        **settings: Any,
    ) -> Outcome:
        """Moves freely: plays takes and jumps between moments that are alike.

        Settings are keywords: ``min_piece_secs``, ``max_piece_secs`` and ``choices``.
        """
        request = keywords_to_json(secs=secs, seed=seed, settings=settings, name=name)
        return outcome_from(self._native.wander(start, request), self._cast)


def tween(
    corpus: Corpus | Files,
    *poses: Pose,
    takes: Sequence[str] = (),
    network: Literal["learned", "body", "none"] | None = None,
    character: Character | None = None,
    **options: Any,
) -> Outcome:
    """Makes motion through poses as people of a corpus move; :class:`Style` learns once for several calls.

    :meth:`Style.tween` lists the options.
    """
    return Style(corpus, takes, network=network, character=character).tween(*poses, **options)


def wander(
    corpus: Corpus | Files,
    secs: float | None = None,
    *,
    takes: Sequence[str] = (),
    start: Pose | None = None,
    seed: int | None = None,
    name: str | None = None,
    character: Character | None = None,
    **settings: Any,
) -> Outcome:
    """Moves freely through a corpus; :class:`Style` learns once for several calls."""
    return Style(corpus, takes, character=character).wander(secs, start=start, seed=seed, name=name, **settings)


def realise(
    corpus: Corpus | Files,
    plan: dict[str, Any] | str,
    *,
    holds: bool = False,
    against: Motion | None = None,
    name: str | None = None,
    character: Character | None = None,
    **passes: Any,
) -> Outcome:
    """Makes motion from a plan: places, stretches and joins pieces of examples, plants feet and keeps holds.

    The plan is a dict, as in :attr:`Outcome.plan`, or JSON (see docs/plan.md). Passes are keywords (see docs/engines/realise.md), for example
    ``join={"method": "none"}, plant=None``. With ``holds``, hands hold as in the examples. ``details["cards"]`` is the quality card of
    each actor, compared with the motion ``against``. A plan is realised on the body it was made for; the result is then put on the
    body of another ``character``.
    """
    cast = cast_of(character)
    reference = None if against is None else _source(against)
    return outcome_from(
        _native.realise(native(corpus), plan_to_json(plan), to_json(passes), holds, reference, name, cast), cast
    )


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
    """Measures the quality of motion: foot skate, floor penetration, jolts, bone stretch, holds, similarity to a reference.

    ``against`` is a reference motion, or a corpus whose statistics are the baseline; ``examples`` are files for the same purpose.
    Returns a quality card for each actor, in which each measure stands beside its threshold.
    """
    request = keywords_to_json(
        against=against,
        path=path,
        examples=[os.fspath(example) for example in examples],
        plan=plan,
        truth=truth,
        terrain=terrain,
        thresholds=thresholds,
    )
    cards: list[dict[str, Any]] = json.loads(_native.check(_source(motion), request))
    return cards
