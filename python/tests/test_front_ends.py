"""The command, Python and the studio give the same bytes for the same request, for every engine.

The studio shows a command with each result. The test runs that command, and so checks that it reproduces the result. ``wander`` and
``transcribe`` have no panel; for them, the command and Python are compared. A panel without a request in ``REQUESTS`` fails the last
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
from conftest import Workspace
from studio import Studio

import marey

# Multiples of 1/16, which text, JSON and 32-bit numbers represent exactly.
PATH = [[round(64 * f(0.0375 * i)) / 16 for f in (lambda a: 1 - math.cos(a), math.sin)] for i in range(41)]
TERRAIN = [[(-0.5, 0.0), (1.0, 0.0), (1.0, 0.0625), (2.0, 0.0625)], [(2.125, 0.0625), (3.5, 0.0)]]


@dataclass(frozen=True)
class Request:
    """One request: the message to the studio, and the call in Python."""

    corpus: str
    panel: str
    message: dict[str, Any]
    call: Callable[[Workspace], marey.Outcome]


def _follow_leader(workspace: Workspace) -> marey.Outcome:
    with marey.Corpus.open(workspace / "dances.marey", read_only=True) as corpus:
        leader = corpus.take("lindy-01")
    return marey.follow(
        workspace / "dances.marey", leader, kind="actor:leader", without=["lindy-01"], explain=True
    )


def _realise(workspace: Workspace) -> marey.Outcome:
    return marey.realise(workspace / "walks.marey", workspace.read("path.json").decode())


def _perform(workspace: Workspace) -> marey.Outcome:
    with marey.Corpus.open(workspace / "performer.marey", read_only=True) as corpus:
        performer = corpus.take("performer")
    return marey.perform.play("adventure", performer)


REQUESTS = {
    "follow a path": Request(
        "walks.marey",
        "follow",
        {"control": {"path": {"points": PATH, "rate_hz": 10, "smooth_m": 0.125}}, "k": 3},
        lambda workspace: marey.follow(
            workspace / "walks.marey", marey.Points.path(PATH, 10.0), k=3, smooth_m=0.125, explain=True
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
        lambda workspace: marey.duet.run(workspace / "bout.marey", 4.0, seed=3, train_on=["bout"], temperature=2.0),
    ),
    "duet along a path": Request(
        "bout.marey",
        "duet",
        {"take": "t1", "seed": 3, "temperature": 1, "secs": 4, "person": 1, "path": {"points": PATH, "rate_hz": 10}},
        lambda workspace: marey.duet.run(
            workspace / "bout.marey",
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
        lambda workspace: marey.traverse(
            workspace / "lamp.marey",
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
            "turn": None,
            "min_chunk": 20,
            "cut": "fit",
            "beats": True,
            "keep_first": False,
            "keep_last": True,
        },
        lambda workspace: marey.vary(
            workspace / "walks.marey",
            only=["a"],
            seed=5,
            system="lorenz",
            shift=0.01,
            min_chunk=20,
            beats=True,
            keep_first=False,
            keep_last=True,
        ),
    ),
    "tween": Request(
        "walks.marey",
        "tween",
        {
            "poses": [{"take": "t1", "frame": 100}, {"take": "t1", "frame": 600}],
            "mode": "style",
            "gap_only": True,
            "max_expansions": 2000,
        },
        lambda workspace: marey.tween(
            workspace / "walks.marey", "a@100", "a@600", mode="style", gap_only=True, name="a to a", max_expansions=2000
        ),
    ),
    "realise": Request("walks.marey", "realise", {"plan": "path.json"}, _realise),
}


def to_single_precision(value: Any) -> Any:
    """Returns JSON with numbers rounded to single precision, as in plans: some front ends write more digits."""
    if isinstance(value, float):
        return float(np.float32(value))
    if isinstance(value, dict):
        return {name: to_single_precision(inner) for name, inner in value.items()}
    return [to_single_precision(inner) for inner in value] if isinstance(value, list) else value


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A folder with a small corpus for each engine. No test changes it."""
    workspace = Workspace(tmp_path_factory.mktemp("corpora"))
    workspace.ok("examples", "walk", "a.bvh", "--secs", 40, "--rate", 30)
    workspace.ok("examples", "lindy", "dances", "--rate", 30)
    workspace.ok("examples", "taekwondo", "bout.glb", "--secs", 20, "--rate", 30, "--seed", 4)
    workspace.ok("examples", "luxo", "lamp")
    workspace.ok("examples", "playground", "play")
    take = marey.load(workspace / "play/performer-3.bvh")
    assert isinstance(take, marey.Take)
    take[0][:150].save(workspace / "performer.bvh")
    files = {
        "walks": ["a.bvh"],
        "dances": [f"dances/lindy-0{number}.bvh" for number in (1, 2, 3)],
        "bout": ["bout.glb"],
        "lamp": ["lamp"],
        "performer": ["performer.bvh"],
    }
    for name, sources in files.items():
        workspace.ok("corpus", "new", f"{name}.marey")
        workspace.ok("corpus", "add", f"{name}.marey", *sources)
    workspace.ok("corpus", "segment", "walks.marey", "--by", "steps")
    workspace.ok("corpus", "segment", "dances.marey", "--by", "beats")
    plan = marey.follow(workspace / "walks.marey", marey.Points.path(PATH, 10.0)).plan
    assert plan is not None
    plan["actors"][0]["placements"][1]["world_from_source"]["x"] += 0.125
    (workspace / "path.json").write_text(json.dumps(plan))
    return workspace


@pytest.fixture(scope="module")
def studios(corpora: Workspace) -> Iterator[dict[str, Studio]]:
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
    name: str, corpora: Workspace, studios: dict[str, Studio], workspace: Workspace
) -> None:
    request = REQUESTS[name]
    studio = studios[request.corpus]
    message = dict(request.message)
    if request.panel == "realise":
        message["plan"] = corpora.read(message["plan"]).decode()
    shown = studio.play("perform", message) if name == "perform" else studio.run(request.panel, message)
    exported = studio.export(shown)

    outcome = request.call(corpora)
    assert outcome.take.to_bytes("bvh") == exported, "Python and the studio differ"

    for file in shown["files"]:
        (workspace / file).write_bytes(studio.export(shown, file))
    arguments = shlex.split(shown["command"])
    assert arguments[0] == "marey"
    # The command names a take after its file.
    output = arguments[arguments.index("-o") + 1] = f"{outcome.take.name}.bvh"
    plans = [] if request.panel in ("perform", "realise") else ["--plan", "out.json"]
    workspace.ok(*(str(corpora / argument) if argument.endswith(".marey") else argument for argument in arguments[1:]), *plans)
    assert workspace.read(output) == exported, "the command and the studio differ"
    if plans:
        written = to_single_precision(json.loads(workspace.read("out.json")))
        assert written == to_single_precision(outcome.plan), "the plans of the command and Python differ"
        assert written == to_single_precision(shown["plan"]), "the plans of the command and the studio differ"
        workspace.ok("realise", corpora / request.corpus, "out.json", "-o", "again.bvh")
        assert workspace.read("again.bvh") == exported, "realising the plan gives other motion"


def test_wander_gives_the_same_bytes(corpora: Workspace, workspace: Workspace) -> None:
    workspace.ok("wander", corpora / "walks.marey", "-o", "out.bvh", "--secs", 4, "--seed", 7)
    outcome = marey.wander(corpora / "walks.marey", 4.0, seed=7)
    assert outcome.take.to_bytes("bvh") == workspace.read("out.bvh")


def test_transcribe_gives_the_same_entries(corpora: Workspace) -> None:
    line = ("transcribe", corpora / "walks.marey", corpora / "a.bvh", "--json")
    entries = marey.transcribe(corpora / "walks.marey", corpora / "a.bvh")
    assert entries == json.loads(corpora.ok(*line)) and len(entries) > 20


def test_every_panel_is_compared(studios: dict[str, Studio]) -> None:
    assert studios["walks.marey"].panels() == {request.panel for request in REQUESTS.values()}
