"""The command, Python and the studio give the same bytes for the same request, for every engine.

The studio offers a command with each result. That command is run here, so that the test also shows that it does what the studio did.
``wander`` and ``transcribe`` have no panel, so the command and Python are compared. A panel that is added and not compared fails the
test.
"""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from conftest import Room
from studio import Studio

import marey

# Multiples of 1/16, which text, JSON and 32-bit numbers all hold exactly.
PATH = [[round(64 * f(0.0375 * i)) / 16 for f in (lambda a: 1 - math.cos(a), math.sin)] for i in range(41)]
TERRAIN = [[(-0.5, 0.0), (1.0, 0.0), (1.0, 0.0625), (2.0, 0.0625)], [(2.125, 0.0625), (3.5, 0.0)]]


@dataclass(frozen=True)
class Request:
    """One request, as the studio and Python take it."""

    corpus: str
    panel: str
    message: dict[str, Any]
    call: Callable[[Room], marey.Outcome]


def _follow_leader(room: Room) -> marey.Outcome:
    with marey.Corpus.open(room / "dances.marey", read_only=True) as corpus:
        leader = corpus.take("lindy-01")
    return marey.follow(
        room / "dances.marey", leader, kind="actor:leader", without=["lindy-01"], explain=True
    )


def _realise(room: Room) -> marey.Outcome:
    return marey.realise(room / "walks.marey", room.read("path.json").decode())


def _perform(room: Room) -> marey.Outcome:
    with marey.Corpus.open(room / "performer.marey", read_only=True) as corpus:
        performer = corpus.take("performer")
    return marey.perform.play("adventure", performer)


REQUESTS = {
    "follow a path": Request(
        "walks.marey",
        "follow",
        {"control": {"path": {"points": PATH, "rate_hz": 10, "smooth_m": 0.125}}, "k": 3},
        lambda room: marey.follow(
            room / "walks.marey", marey.Points.path(PATH, 10.0), k=3, smooth_m=0.125, explain=True
        ),
    ),
    "follow a leader": Request(
        "dances.marey",
        "follow",
        {"control": {"actor": {"take": "t1", "actor": "leader"}}},
        _follow_leader,
    ),
    "duet": Request(
        "bout.marey",
        "duet",
        {"take": "t1", "seed": 3, "temperature": 2, "secs": 4},
        lambda room: marey.duet.run(room / "bout.marey", 4.0, seed=3, train_on=["bout"], temperature=2.0),
    ),
    "duet along a path": Request(
        "bout.marey",
        "duet",
        {"take": "t1", "seed": 3, "temperature": 1, "secs": 4, "person": 1, "path": {"points": PATH, "rate_hz": 10}},
        lambda room: marey.duet.run(
            room / "bout.marey",
            4.0,
            seed=3,
            train_on=["bout"],
            temperature=1.0,
            who="blue",
            path=marey.Points.path(PATH, 10.0),
        ),
    ),
    "traverse": Request(
        "lamp.marey",
        "traverse",
        {"pieces": TERRAIN, "take": "t1", "length": "low", "lookahead": 2, "seed": 5},
        lambda room: marey.traverse(
            room / "lamp.marey",
            TERRAIN,
            takes=["luxo-1"],
            preferences={"length": "low"},
            lookahead=2,
            seed=5,
        ),
    ),
    "perform": Request(
        "performer.marey",
        "perform",
        {"take": "t1"},
        _perform,
    ),
    "vary": Request(
        "walks.marey",
        "vary",
        {
            "take": "t1",
            "count": 1,
            "seed": 5,
            "system": "lorenz",
            "shift": 0.01,
            "turn": 45,
            "min_chunk": 30,
            "keep_first": False,
            "keep_last": True,
        },
        lambda room: marey.vary(
            room / "walks.marey",
            only=["a"],
            seed=5,
            system="lorenz",
            shift=0.01,
            turn=45,
            min_chunk=30,
            keep_first=False,
            keep_last=True,
        ),
    ),
    "tween": Request(
        "walks.marey",
        "tween",
        {"from": {"take": "t1", "frame": 100}, "to": {"take": "t1", "frame": 600}, "max_expansions": 2000},
        lambda room: marey.tween(
            room / "walks.marey", "a@100", "a@600", name="a to a", max_expansions=2000
        ),
    ),
    "realise": Request("walks.marey", "realise", {"plan": "path.json"}, _realise),
}


def single(value: Any) -> Any:
    """The same JSON with numbers in single precision, as plans hold them: some front ends write more digits."""
    if isinstance(value, float):
        return float(np.float32(value))
    if isinstance(value, dict):
        return {name: single(inner) for name, inner in value.items()}
    return [single(inner) for inner in value] if isinstance(value, list) else value


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """A folder with a small corpus for each engine. Nothing in it is changed."""
    room = Room(tmp_path_factory.mktemp("corpora"))
    room.ok("examples", "walk", "a.bvh", "--secs", 40, "--rate", 30)
    room.ok("examples", "lindy", "dances", "--rate", 30)
    room.ok("examples", "taekwondo", "bout.glb", "--secs", 20, "--rate", 30, "--seed", 4)
    room.ok("examples", "luxo", "lamp")
    room.ok("examples", "playground", "play")
    take = marey.load(room / "play/performer-3.bvh")
    assert isinstance(take, marey.Take)
    take[0][:150].save(room / "performer.bvh")
    files = {
        "walks": ["a.bvh"],
        "dances": [f"dances/lindy-0{number}.bvh" for number in (1, 2, 3)],
        "bout": ["bout.glb"],
        "lamp": ["lamp"],
        "performer": ["performer.bvh"],
    }
    for name, sources in files.items():
        room.ok("corpus", "new", f"{name}.marey")
        room.ok("corpus", "add", f"{name}.marey", *sources)
    room.ok("corpus", "segment", "walks.marey", "--by", "steps")
    room.ok("corpus", "segment", "dances.marey", "--by", "beats")
    plan = marey.follow(room / "walks.marey", marey.Points.path(PATH, 10.0)).plan
    assert plan is not None
    plan["actors"][0]["placements"][1]["world_from_source"]["x"] += 0.125
    (room / "path.json").write_text(json.dumps(plan))
    return room


@pytest.fixture(scope="module")
def studios(corpora: Room) -> Iterator[dict[str, Studio]]:
    """A studio for each corpus."""
    names = sorted({request.corpus for request in REQUESTS.values()})
    running: dict[str, Studio] = {}
    try:
        for name in names:
            running[name] = Studio(corpora, name)
        yield running
    finally:
        for studio in running.values():
            studio.__exit__(None, None, None)


@pytest.mark.parametrize("name", REQUESTS)
def test_the_same_request_gives_the_same_bytes(
    name: str, corpora: Room, studios: dict[str, Studio], room: Room
) -> None:
    request = REQUESTS[name]
    studio = studios[request.corpus]
    message = dict(request.message)
    if request.panel == "realise":
        message["plan"] = corpora.read(message["plan"]).decode()
    shown = studio.play("perform", message) if name == "perform" else studio.run(request.panel, message)
    exported = studio.export(shown)

    made = request.call(corpora)
    assert made.take.to_bytes("bvh") == exported, "Python and the studio differ"

    for file in shown["files"]:
        (room / file).write_bytes(studio.export(shown, file))
    words = shlex.split(shown["command"])
    assert words[0] == "marey"
    # The command names a take after its file.
    output = words[words.index("-o") + 1] = f"{made.take.name}.bvh"
    plans = [] if request.panel in ("perform", "realise") else ["--plan", "out.json"]
    room.ok(*(str(corpora / word) if word.endswith(".marey") else word for word in words[1:]), *plans)
    assert room.read(output) == exported, "the command and the studio differ"
    if plans:
        written = single(json.loads(room.read("out.json")))
        assert written == single(made.plan), "the plans of the command and Python differ"
        assert written == single(shown["plan"]), "the plans of the command and the studio differ"
        room.ok("realise", corpora / request.corpus, "out.json", "-o", "again.bvh")
        assert room.read("again.bvh") == exported, "the plan realises to other motion"


def test_wander(corpora: Room, room: Room) -> None:
    room.ok("wander", corpora / "walks.marey", "-o", "out.bvh", "--secs", 4, "--seed", 7)
    made = marey.wander(corpora / "walks.marey", 4.0, seed=7)
    assert made.take.to_bytes("bvh") == room.read("out.bvh")


def test_transcribe(corpora: Room) -> None:
    line = ("transcribe", corpora / "walks.marey", corpora / "a.bvh", "--json")
    entries = marey.transcribe(corpora / "walks.marey", corpora / "a.bvh")
    assert entries == json.loads(corpora.ok(*line)) and len(entries) > 20


def test_every_panel_is_compared(studios: dict[str, Studio]) -> None:
    assert studios["walks.marey"].panels() == {request.panel for request in REQUESTS.values()}
