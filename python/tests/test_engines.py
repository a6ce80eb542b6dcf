"""What Python takes beyond a plain request: arrays, options, plans as dicts, sessions; and how it refuses.

That every engine gives the bytes of the command and the studio is tested in ``test_front_ends.py``.
"""

from __future__ import annotations

import json

import numpy as np
import pytest
from conftest import Room
from test_corpus import dump

import marey

WORLD = """[[feature]]
name = "ground"
like = "floor"
geometry = { plane = { at = [0, 0, 0] } }
motion = "walk"
"""
STEPS = [[(-0.5, 0), (1, 0), (1, 0.05), (2, 0.05)], [(2.08, 0.05), (3.5, 0)]]


def same(made: marey.Outcome, theirs: bytes) -> None:
    """Checks that the motion is what the command wrote."""
    assert made.take.to_bytes("glb") == theirs


def test_follow(walks: Room, room: Room) -> None:
    line = ["follow", walks / "walks.marey", walks / "path.csv", "-o", "out.glb"]
    room.ok(*line, "--explain", "why.json")
    made = marey.follow(walks / "walks.marey", walks / "path.csv", explain=True)
    assert made.trace == json.loads(room.read("why.json"))
    assert made.plan is not None and made.details["pieces"] == len(made.plan["actors"][0]["placements"])
    # Points and arrays give the same as a file.
    path = marey.load(walks / "path.csv")
    assert isinstance(path, marey.Points)
    with marey.Corpus.open(walks / "walks.marey", read_only=True) as corpus:
        assert marey.follow(corpus, path).take == made.take
        drawn = marey.Points.path(path.positions[:, 0, [0, 2]], path.rate_hz)
        assert marey.follow(corpus, drawn).take == made.take
    room.ok("follow", walks / "walks.marey", walks / "path.csv", "-o", "live.glb", "--live", "--k", 0.5)
    same(marey.follow(walks / "walks.marey", path, live=True, k=0.5), room.read("live.glb"))


def test_transcribe(walks: Room) -> None:
    of_file = marey.transcribe(walks / "walks.marey", walks / "a.bvh")
    assert of_file and marey.transcribe(walks / "walks.marey", marey.Clip.load(walks / "a.bvh")) == of_file


def test_a_plan_is_a_dict_that_can_be_changed_and_realised(walks: Room, room: Room) -> None:
    plan = marey.follow(walks / "walks.marey", walks / "path.csv").plan
    assert plan is not None
    plan["actors"][0]["name"] = "walker"
    (room / "plan.json").write_text(json.dumps(plan))
    rows = json.loads(room.ok("realise", walks / "walks.marey", "plan.json", "-o", "out.glb", "--json"))
    made = marey.realise(walks / "walks.marey", plan, name="out")
    same(made, room.read("out.glb"))
    assert made.details["cards"] == rows[0]["cards"]
    raw = marey.realise(walks / "walks.marey", plan, join={"method": "none"}, plant=None, name="raw")
    room.ok("realise", walks / "walks.marey", "plan.json", "-o", "raw.glb", "--join", "none", "--no-plant")
    same(raw, room.read("raw.glb"))


def test_check(walks: Room) -> None:
    theirs = json.loads(walks.run("check", "a.bvh", "--against", "walks.marey", "--json").stdout)
    cards = marey.check(walks / "a.bvh", against=walks / "walks.marey")
    assert cards == theirs[0]["cards"]
    loose = marey.check(marey.Clip.load(walks / "a.bvh"), thresholds={"skate_cm_per_sec": 100.0})[0]
    assert loose["passed"] and loose["lines"][0]["at_most"] == 100.0


def test_traverse(room: Room) -> None:
    room.ok("examples", "luxo", "lamp")
    room.ok("corpus", "new", "lamp.marey")
    room.ok("corpus", "add", "lamp.marey", "lamp")
    (room / "steps.json").write_text(json.dumps({"pieces": STEPS}))
    of_file = marey.traverse(room / "lamp.marey", room / "steps.json")
    of_points = marey.traverse(room / "lamp.marey", STEPS)
    assert of_points.take == of_file.take and of_points.plan == of_file.plan and of_file.trace
    with pytest.raises(marey.Error) as refused:
        marey.traverse(room / "lamp.marey", [[(0, 0), (1.5, 0)], [(3, 0), (5, 0)]])
    assert refused.value.code == "traverse/unreachable"
    with pytest.raises(marey.Error) as refused:
        marey.traverse(room / "lamp.marey", [[(0, float("nan")), (1.5, 0)]])
    assert refused.value.code == "motion/terrain"


def test_duet(room: Room) -> None:
    room.ok("examples", "taekwondo", "bout.glb", "--secs", 40, "--rate", 30, "--seed", 4)
    for name in ("theirs.marey", "own.marey"):
        room.ok("corpus", "new", name)
        room.ok("corpus", "add", name, "bout.glb")
    line = ["duet", "label", "theirs.marey", "--iterations", 20, "--islands", 2, "--json"]
    theirs = json.loads(room.ok(*line))
    groups = json.loads(room.ok("duet", "train", "theirs.marey", "--json"))
    room.ok("duet", "run", "theirs.marey", "-o", "new.glb", "--secs", 6, "--plan", "plan.json")
    told: list[tuple[str, int, int]] = []
    with marey.Corpus.open(room / "own.marey") as corpus:
        found = marey.duet.label(corpus, iterations=20, islands=2, progress=lambda *at: told.append(at))
        assert found == theirs and told[-1] == ("generations", 40, 40)
        assert marey.duet.train(corpus) == groups
    assert dump(room, "own.marey") == dump(room, "theirs.marey")
    made = marey.duet.run(room / "own.marey", 6.0, name="new")
    same(made, room.read("new.glb"))
    assert made.plan == json.loads(room.read("plan.json")) and made.take.actors == ["red", "blue"]
    (room / "list.txt").write_text("normal\noffensive 0 0.5\n")
    room.ok("duet", "run", "own.marey", "-o", "list.glb", "--secs", 6, "--mode", "commands", "--commands", "list.txt")
    made = marey.duet.run(room / "own.marey", 6.0, commands=["normal", "offensive 0 0.5"], name="list")
    same(made, room.read("list.glb"))

    def code(**named: object) -> str:
        with pytest.raises(marey.Error) as refused:
            marey.duet.run(room / "own.marey", **named)  # type: ignore[arg-type]
        return refused.value.code

    assert code(commands=["jump"]) == "command/commands"
    assert code(who="green") == "command/no-person"
    assert code(model="none") == "command/no-model"
    assert code(secs=float("nan")) == "python/value"
    assert code(secs=-1.0) == "duet/setting"


def test_vary(walks: Room, room: Room) -> None:
    room.ok("vary", walks / "a.bvh", "-o", "new.glb", "--count", 2, "--plan", "new.json")
    both = marey.vary(walks / "a.bvh", count=2)
    for number, made in enumerate(both, 1):
        named = marey.Take(f"new-0{number}", list(zip(made.take.actors, made.take.clips)))
        assert named.to_bytes("glb") == room.read(f"new-0{number}.glb")
        assert made.plan == json.loads(room.read(f"new-0{number}.json"))
    with pytest.raises(marey.Error) as refused:
        marey.vary(walks / "a.bvh", system="y; x")
    assert refused.value.code == "command/settings"
    with pytest.raises(marey.Error) as refused:
        marey.vary([])
    assert refused.value.code == "command/no-corpus"


def test_tween_and_wander(walks: Room, room: Room) -> None:
    corpus = walks / "walks.marey"
    room.ok("tween", corpus, "a@100", "a@600", "-o", "way.glb", "--frames", 75)
    style = marey.Style(corpus)
    made = style.tween("a@100", "a@600", frames=75, name="way")
    same(made, room.read("way.glb"))
    take = marey.load(walks / "a.bvh")
    assert isinstance(take, marey.Take)
    room.ok("tween", corpus, walks / "a.bvh", walks / "a.bvh", "-o", "loop.glb")
    same(marey.tween(corpus, (take, None), (take, None), name="loop"), room.read("loop.glb"))
    assert style.wander(4.0, seed=7).take == marey.wander(corpus, 4.0, seed=7).take
    with pytest.raises(marey.Error) as refused:
        style.tween("a@100", "a@115", frames=2)
    assert refused.value.code == "tween/not-connected"
    with pytest.raises(marey.Error) as refused:
        style.tween("a@100", "a@99999")
    assert refused.value.code.startswith("motion/")


def test_perform(room: Room) -> None:
    room.ok("examples", "playground", "play")
    (room / "world.toml").write_text(WORLD)
    line = ["perform", "world.toml", "--input", "play/performer-3.bvh", "-o", "out.glb"]
    room.ok(*line, "--explain", "why.json")
    made = marey.perform.play(room / "world.toml", room / "play/performer-3.bvh")
    same(made, room.read("out.glb"))
    assert made.details["moments"] == json.loads(room.read("why.json"))
    # The same, frame by frame.
    take = marey.load(room / "play/performer-3.bvh")
    recording = marey.perform.Recording(take)
    session = marey.perform.Session(room / "world.toml", recording)
    turns, places = recording.rotations, recording.positions
    poses = [
        session.step(turns[i], places[i], recording.closed[i], 1.0 / recording.rate_hz)
        for i in range(len(recording))
    ]
    rotations, positions = (np.stack(part) for part in zip(*poses))
    clip = marey.Clip(session.skeleton, recording.rate_hz, rotations, positions)
    assert marey.Take("perform", [("perform", clip)]).to_bytes("glb") == room.read("out.glb")
    assert session.now["centre"][1] > 0.5 and session.warnings == []
    assert session.wait(0.1)[0].shape == rotations.shape[1:]
    for bad in (turns[0][:3], np.full_like(turns[0], np.nan), "pose"):
        with pytest.raises(marey.Error) as refused:
            session.step(bad, places[0])
        assert refused.value.code == "python/array"
    with pytest.raises(marey.Error) as refused:
        marey.perform.Session(room / "none.toml", recording)
    assert refused.value.code.startswith("file/")
    with pytest.raises(marey.Error) as refused:
        marey.perform.Recording(room / "world.toml")
    assert refused.value.code


def test_missing_roles_are_refused(walks: Room) -> None:
    names = ["a", "b"]
    body = marey.Skeleton(names, [-1, 0], [[0, 0, 0], [0, 1, 0]])
    clip = marey.Clip(body, 30.0, np.tile([0, 0, 0, 1], (60, 2, 1)), np.zeros((60, 1, 3)))
    for kind in ("path", "points", "actor:a"):
        with pytest.raises(marey.Error) as refused:
            marey.follow(walks / "walks.marey", clip, kind=kind)
        assert refused.value.code in {"motion/missing-role", "command/no-leader"}
    with pytest.raises(marey.Error) as refused:
        marey.perform.Recording(clip.take())
    assert refused.value.code
