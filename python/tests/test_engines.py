"""Arguments that only Python takes: arrays, options, plans as dicts, sessions; and errors.

``test_front_ends.py`` tests that every engine gives the same bytes as the command and the studio.
"""

from __future__ import annotations

import json

import numpy as np
import pytest
from conftest import Workspace
from test_corpus import dump

import marey

WORLD = """[[feature]]
name = "ground"
like = "floor"
geometry = { plane = { at = [0, 0, 0] } }
motion = "walk"
"""
STEPS = [[(-0.5, 0), (1, 0), (1, 0.05), (2, 0.05)], [(2.08, 0.05), (3.5, 0)]]


def assert_same(outcome: marey.Outcome, from_command: bytes) -> None:
    """Checks that the motion equals the file that the command wrote."""
    assert outcome.take.to_bytes("glb") == from_command


def test_follow_takes_files_points_and_arrays(walks: Workspace, workspace: Workspace) -> None:
    line = ["follow", walks / "walks.marey", walks / "path.csv", "-o", "out.glb"]
    workspace.ok(*line, "--explain", "trace.json")
    outcome = marey.follow(walks / "walks.marey", walks / "path.csv", explain=True)
    assert outcome.trace == json.loads(workspace.read("trace.json"))
    assert outcome.plan is not None and outcome.details["pieces"] == len(outcome.plan["actors"][0]["placements"])
    # Points and arrays give the same as a file.
    path = marey.load(walks / "path.csv")
    assert isinstance(path, marey.Points)
    with marey.Corpus.open(walks / "walks.marey", read_only=True) as corpus:
        assert marey.follow(corpus, path).take == outcome.take
        drawn = marey.Points.path(path.positions[:, 0, [0, 2]], path.rate_hz)
        assert marey.follow(corpus, drawn).take == outcome.take
    workspace.ok("follow", walks / "walks.marey", walks / "path.csv", "-o", "live.glb", "--live", "--k", 0.5)
    assert_same(marey.follow(walks / "walks.marey", path, live=True, k=0.5), workspace.read("live.glb"))


def test_every_verb_takes_a_character(walks: Workspace, workspace: Workspace) -> None:
    workspace.ok("examples", "walk", "child.bvh", "--secs", 6, "--rate", 30, "--height", 1.4)
    workspace.ok("convert", "child.bvh", "child.glb")
    (workspace / "floor.json").write_text('{"pieces": [[[0, 0], [6, 0]]]}')
    corpus, path, hero = walks / "walks.marey", walks / "path.csv", workspace / "child.glb"
    own = marey.follow(corpus, path)
    made = {
        "follow": marey.follow(corpus, path, character=hero),
        "vary": marey.vary(walks / "a.bvh", character=hero),
        "tween": marey.tween(corpus, "a@100", "a@600", character=hero),
        "wander": marey.wander(corpus, 3.0, character=hero),
        "traverse": marey.traverse(corpus, workspace / "floor.json", character=hero),
        "realise": marey.realise(corpus, own.plan or {}, character=hero),
    }
    (workspace / "plan.json").write_text(json.dumps(own.plan))
    lines = {
        "follow": ["follow", corpus, path],
        "vary": ["vary", walks / "a.bvh"],
        "tween": ["tween", corpus, "a@100", "a@600"],
        "wander": ["wander", corpus, "--secs", 3],
        "traverse": ["traverse", corpus, "floor.json"],
        "realise": ["realise", corpus, "plan.json"],
    }
    for verb, outcome in made.items():
        workspace.ok(*lines[verb], "-o", f"{verb}.bvh", "--character", "child.glb")
        assert outcome.to_bytes("bvh") == workspace.read(f"{verb}.bvh"), verb
    assert own.take.clips[0].skeleton != made["follow"].take.clips[0].skeleton
    # A GLB is the file of the character, with the motion added; other actors keep their bodies.
    made["follow"].save(workspace / "hero-walks.glb")
    assert len(workspace.read("hero-walks.glb")) > len(workspace.read("child.glb"))
    by_name = marey.follow(corpus, path, character={"follower": hero})
    assert by_name.take == made["follow"].take
    with pytest.raises(marey.Error) as refused:
        marey.follow(corpus, path, character={"nobody": hero})
    assert refused.value.code == "character/no-actor"


def test_transcribe_takes_files_and_clips(walks: Workspace) -> None:
    from_file = marey.transcribe(walks / "walks.marey", walks / "a.bvh")
    assert from_file and marey.transcribe(walks / "walks.marey", marey.Clip.load(walks / "a.bvh")) == from_file


def test_a_plan_is_a_dict_that_can_be_changed_and_realised(walks: Workspace, workspace: Workspace) -> None:
    plan = marey.follow(walks / "walks.marey", walks / "path.csv").plan
    assert plan is not None
    plan["actors"][0]["name"] = "walker"
    (workspace / "plan.json").write_text(json.dumps(plan))
    rows = json.loads(workspace.ok("realise", walks / "walks.marey", "plan.json", "-o", "out.glb", "--json"))
    outcome = marey.realise(walks / "walks.marey", plan, name="out")
    assert_same(outcome, workspace.read("out.glb"))
    assert outcome.details["cards"] == rows[0]["cards"]
    raw = marey.realise(walks / "walks.marey", plan, join={"method": "none"}, plant=None, name="raw")
    workspace.ok("realise", walks / "walks.marey", "plan.json", "-o", "raw.glb", "--join", "none", "--no-plant")
    assert_same(raw, workspace.read("raw.glb"))


def test_check_takes_a_corpus_or_thresholds(walks: Workspace) -> None:
    from_command = json.loads(walks.run("check", "a.bvh", "--against", "walks.marey", "--json").stdout)
    cards = marey.check(walks / "a.bvh", against=walks / "walks.marey")
    assert cards == from_command[0]["cards"]
    lenient = marey.check(marey.Clip.load(walks / "a.bvh"), thresholds={"skate_cm_per_sec": 100.0})[0]
    assert lenient["passed"] and lenient["lines"][0]["at_most"] == 100.0


def test_traverse_takes_files_and_polylines(workspace: Workspace) -> None:
    workspace.ok("examples", "luxo", "lamp")
    workspace.ok("corpus", "new", "lamp.marey")
    workspace.ok("corpus", "add", "lamp.marey", "lamp")
    (workspace / "steps.json").write_text(json.dumps({"pieces": STEPS}))
    from_file = marey.traverse(workspace / "lamp.marey", workspace / "steps.json")
    from_points = marey.traverse(workspace / "lamp.marey", STEPS)
    assert from_points.take == from_file.take and from_points.plan == from_file.plan and from_file.trace
    with pytest.raises(marey.Error) as refused:
        marey.traverse(workspace / "lamp.marey", [[(0, 0), (1.5, 0)], [(3, 0), (5, 0)]])
    assert refused.value.code == "traverse/unreachable"
    with pytest.raises(marey.Error) as refused:
        marey.traverse(workspace / "lamp.marey", [[(0, float("nan")), (1.5, 0)]])
    assert refused.value.code == "motion/terrain"


def test_duet_labels_trains_and_runs_as_the_command_does(workspace: Workspace) -> None:
    workspace.ok("examples", "taekwondo", "bout.glb", "--secs", 40, "--rate", 30, "--seed", 4)
    for name in ("command.marey", "python.marey"):
        workspace.ok("corpus", "new", name)
        workspace.ok("corpus", "add", name, "bout.glb")
    line = ["duet", "label", "command.marey", "--iterations", 20, "--islands", 2, "--json"]
    from_command = json.loads(workspace.ok(*line))
    groups = json.loads(workspace.ok("duet", "train", "command.marey", "--json"))
    workspace.ok("duet", "run", "command.marey", "-o", "new.glb", "--secs", 6, "--plan", "plan.json")
    progress_calls: list[tuple[str, int, int]] = []
    with marey.Corpus.open(workspace / "python.marey") as corpus:
        found = marey.duet.label(corpus, iterations=20, islands=2, progress=lambda *at: progress_calls.append(at))
        assert found == from_command and progress_calls[-1] == ("generations", 40, 40)
        assert marey.duet.train(corpus) == groups
    assert dump(workspace, "python.marey") == dump(workspace, "command.marey")
    outcome = marey.duet.run(workspace / "python.marey", 6.0, name="new")
    assert_same(outcome, workspace.read("new.glb"))
    assert outcome.plan == json.loads(workspace.read("plan.json")) and outcome.take.actors == ["red", "blue"]
    (workspace / "list.txt").write_text("normal\noffensive 0 0.5\n")
    workspace.ok("duet", "run", "python.marey", "-o", "list.glb", "--secs", 6, "--mode", "commands", "--commands", "list.txt")
    outcome = marey.duet.run(workspace / "python.marey", 6.0, commands=["normal", "offensive 0 0.5"], name="list")
    assert_same(outcome, workspace.read("list.glb"))

    def code(**keywords: object) -> str:
        with pytest.raises(marey.Error) as refused:
            marey.duet.run(workspace / "python.marey", **keywords)  # type: ignore[arg-type]
        return refused.value.code

    assert code(commands=["jump"]) == "command/commands"
    assert code(who="green") == "command/no-person"
    assert code(model="none") == "command/no-model"
    assert code(secs=float("nan")) == "python/value"
    assert code(secs=-1.0) == "duet/setting"


def test_vary_makes_several_variations(walks: Workspace, workspace: Workspace) -> None:
    workspace.ok("vary", walks / "a.bvh", "-o", "new.glb", "--count", 2, "--plan", "new.json")
    both = marey.vary(walks / "a.bvh", count=2)
    for index, outcome in enumerate(both, 1):
        renamed = marey.Take(f"new-0{index}", list(zip(outcome.take.actors, outcome.take.clips)))
        assert renamed.to_bytes("glb") == workspace.read(f"new-0{index}.glb")
        assert outcome.plan == json.loads(workspace.read(f"new-0{index}.json"))
    with pytest.raises(marey.Error) as refused:
        marey.vary(walks / "a.bvh", system="y; x")
    assert refused.value.code == "command/settings"
    with pytest.raises(marey.Error) as refused:
        marey.vary([])
    assert refused.value.code == "command/no-corpus"


def test_tween_and_wander_take_poses_of_files_and_the_corpus(walks: Workspace, workspace: Workspace) -> None:
    corpus = walks / "walks.marey"
    workspace.ok("tween", corpus, "a@100", "a@600", "-o", "tween.glb", "--frames", 75)
    style = marey.Style(corpus)
    outcome = style.tween("a@100", "a@600", frames=75, name="tween")
    assert_same(outcome, workspace.read("tween.glb"))
    take = marey.load(walks / "a.bvh")
    assert isinstance(take, marey.Take)
    workspace.ok("tween", corpus, walks / "a.bvh", walks / "a.bvh", "-o", "loop.glb")
    assert_same(marey.tween(corpus, (take, None), (take, None), name="loop"), workspace.read("loop.glb"))
    workspace.ok("tween", corpus, "a@100", "a@300", "a@600", "-o", "way.glb", "--at", "0,1,2.5", "--place", "free", "--place", "1,2")
    way = style.tween("a@100", "a@300", "a@600", at=[0, 1, 2.5], places=[None, (1, 2, 0)], name="way")
    assert_same(way, workspace.read("way.glb"))
    workspace.ok("tween", corpus, walks / "a.bvh", "-o", "filled.glb", "--gap", "100..130")
    assert_same(style.tween((take, None), gaps=[(100, 130)], name="filled"), workspace.read("filled.glb"))
    assert style.wander(4.0, seed=7).take == marey.wander(corpus, 4.0, seed=7).take
    with pytest.raises(marey.Error) as refused:
        style.tween("a@100", "a@115", frames=2, mode="style")
    assert refused.value.code == "tween/not-connected"
    with pytest.raises(marey.Error) as refused:
        style.tween("a@100", "a@99999")
    assert refused.value.code.startswith("motion/")


def test_a_session_equals_a_whole_performance(workspace: Workspace) -> None:
    workspace.ok("examples", "playground", "play")
    (workspace / "world.toml").write_text(WORLD)
    line = ["perform", "world.toml", "--input", "play/performer-3.bvh", "-o", "out.glb"]
    workspace.ok(*line, "--explain", "trace.json")
    outcome = marey.perform.play(workspace / "world.toml", workspace / "play/performer-3.bvh")
    assert_same(outcome, workspace.read("out.glb"))
    assert outcome.details["moments"] == json.loads(workspace.read("trace.json"))
    # The same, frame by frame.
    take = marey.load(workspace / "play/performer-3.bvh")
    recording = marey.perform.Recording(take)
    session = marey.perform.Session(workspace / "world.toml", recording)
    performer_rotations, performer_positions = recording.rotations, recording.positions
    poses = [
        session.step(performer_rotations[i], performer_positions[i], recording.closed[i], 1.0 / recording.rate_hz)
        for i in range(len(recording))
    ]
    rotations, positions = (np.stack(part) for part in zip(*poses))
    clip = marey.Clip(session.skeleton, recording.rate_hz, rotations, positions)
    assert marey.Take("perform", [("perform", clip)]).to_bytes("glb") == workspace.read("out.glb")
    assert session.now["centre"][1] > 0.5
    # A hold comes a few frames late rather than that a hand jumps to it.
    assert [warning["code"] for warning in session.warnings] == ["perform/unsolved"]
    assert session.warnings[0]["count"] < 10
    assert session.wait(0.1)[0].shape == rotations.shape[1:]
    for bad in (performer_rotations[0][:3], np.full_like(performer_rotations[0], np.nan), "pose"):
        with pytest.raises(marey.Error) as refused:
            session.step(bad, performer_positions[0])
        assert refused.value.code == "python/array"
    with pytest.raises(marey.Error) as refused:
        marey.perform.Session(workspace / "none.toml", recording)
    assert refused.value.code.startswith("file/")
    with pytest.raises(marey.Error) as refused:
        marey.perform.Recording(workspace / "world.toml")
    assert refused.value.code


def test_missing_roles_are_refused(walks: Workspace) -> None:
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
