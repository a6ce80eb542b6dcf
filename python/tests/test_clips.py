"""Clips, takes and points: files, arrays, and errors."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from conftest import Workspace

import marey


def leg() -> marey.Skeleton:
    """Three joints in a line, downwards."""
    return marey.Skeleton(["hip", "knee", "foot"], [-1, 0, 1], [[0, 0, 0], [0, -0.4, 0], [0, -0.4, 0]])


def still(frames: int = 4) -> marey.Clip:
    """A leg that stands still, at 10 Hz."""
    rotations = np.tile(np.array([0, 0, 0, 1], np.float32), (frames, 3, 1))
    positions = np.tile(np.array([0, 0.8, 0], np.float32), (frames, 1))
    return marey.Clip(leg(), 10.0, rotations, positions)


def test_arrays_are_read_only_views(walks: Workspace) -> None:
    clip = marey.Clip.load(walks / "a.bvh")
    assert clip.rotations.shape == (1200, len(clip.skeleton), 4)
    assert clip.positions.shape == (1200, len(clip.skeleton.movers), 3)
    assert clip.rotations.dtype == np.float32 and len(clip) == clip.frames == 1200
    first, second = clip.rotations, clip.rotations
    assert np.shares_memory(first, second) and not first.flags.writeable
    with pytest.raises(ValueError):
        first[0, 0, 0] = 1.0
    with pytest.raises(ValueError):
        first.setflags(write=True)
    part = clip[100:200]
    assert np.shares_memory(part.rotations, clip.rotations)
    assert np.array_equal(part.rotations, first[100:200])
    # A view outlives its clip.
    del clip, part
    assert np.allclose(np.linalg.norm(first, axis=2), 1.0, atol=1e-5)


def test_a_clip_is_created_from_its_arrays() -> None:
    clip = still()
    again = marey.Clip(clip.skeleton, clip.rate_hz, clip.rotations, clip.positions)
    assert again == clip and again != still(5)
    world = clip.world_positions()
    assert world.shape == (4, 3, 3) and np.allclose(world[0, 2], [0, 0, 0], atol=1e-6)
    rotations, positions = clip.pose(-1)
    assert rotations.shape == (3, 4) and positions.shape == (1, 3)
    assert marey.Clip.concat([clip, clip]).frames == 8
    assert clip.resampled(20.0).rate_hz == 20.0
    assert clip.take("leg").actors == ["leg"] and clip.take("leg")["leg"] == clip


@pytest.mark.parametrize("extension", ["bvh", "glb", "gltf"])
def test_saved_files_equal_those_of_the_command(walks: Workspace, workspace: Workspace, extension: str) -> None:
    take = marey.load(walks / "a.bvh")
    assert isinstance(take, marey.Take)
    take.save(workspace / f"python.{extension}")
    workspace.ok("convert", walks / "a.bvh", f"command.{extension}")
    assert workspace.read(f"python.{extension}") == workspace.read(f"command.{extension}")
    assert take.to_bytes(extension) == workspace.read(f"python.{extension}")
    again = marey.load(workspace / f"python.{extension}")
    assert isinstance(again, marey.Take) and again.frames == take.frames
    with pytest.raises(marey.Error) as refused:
        take.save(workspace / f"python.{extension}")
    assert refused.value.code == "file/exists" and refused.value.place.file
    take.save(workspace / f"python.{extension}", overwrite=True)


def test_every_format_is_read() -> None:
    fixtures = Path(__file__).parents[2] / "fixtures"
    motion = {".bvh", ".glb", ".gltf", ".fbx", ".c3d", ".npz", ".trc", ".amc", ".asf", ".csv", ".json", ".vrm"}
    read = set()
    for path in sorted(fixtures.glob("*/good/*")):
        if path.suffix in motion and path.parents[1].name != "terrain":
            assert marey.load_takes(path) or isinstance(marey.load(path), marey.Points), path
            read.add(path.suffix)
    assert read == motion
    refused = set()
    for path in sorted(fixtures.glob("*/bad/*")):
        try:
            marey.load_takes(path)
        except marey.Error as error:
            assert "/" in error.code and error.hint and error.place.file == str(path)
            refused.add(error.code)
    # Some are bad only under the limits that a file beside them sets.
    assert len(refused) > 50


def test_points_are_arrays(walks: Workspace) -> None:
    path = marey.load(walks / "path.csv")
    assert isinstance(path, marey.Points) and path.positions.shape[1:] == (1, 3)
    feet = marey.Clip.load(walks / "a.bvh").points(["LeftFoot", "RightFoot"])
    assert feet.positions.shape == (1200, 2, 3) and not feet.positions.flags.writeable
    positions = np.zeros((5, 1, 3), np.float32)
    positions[2] = np.nan
    points = marey.Points(["a"], 10.0, positions)
    assert np.isnan(points.positions[2]).all() and not np.isnan(points.positions[1]).any()
    assert marey.Points.path([[0, 0], [1, 1]], 1.0).positions[1].tolist() == [[1, 0, 1]]


def test_motion_is_displayed_in_notebooks(walks: Workspace, workspace: Workspace) -> None:
    clip = marey.Clip.load(walks / "a.bvh")[:90]
    strip = clip.strip(poses=4, view="side")
    assert strip.startswith(b"\x89PNG") and strip._repr_png_() == strip
    strip.save(workspace / "strip.png")
    page = clip.show()
    page.save(workspace / "clip.html")
    text = (workspace / "clip.html").read_text()
    assert "<canvas" in text and "http" not in text and "/*MOTION*/" not in text
    assert "<iframe" in clip._repr_html_()
    # A name cannot close the script element that holds the motion.
    assert "</script><b>" not in clip.take("</script><b>").show().html()


def test_contacts_are_detected_and_mirroring_twice_changes_nothing(walks: Workspace) -> None:
    clip = marey.Clip.load(walks / "a.bvh")
    roles = {role for role, _, _ in clip.contacts()}
    assert {"LeftFoot", "RightFoot"} <= roles
    assert np.allclose(clip.mirrored().mirrored().rotations, clip.rotations, atol=1e-5)
    assert clip.retargeted(clip.skeleton).frames == clip.frames


BAD_CLIPS = [
    (np.zeros((4, 2, 4)), np.zeros((4, 3)), "python/array"),
    (np.zeros((4, 3)), np.zeros((4, 3)), "python/array"),
    (np.full((4, 3, 4), np.nan), np.zeros((4, 3)), "motion/not-finite"),
    (np.full((4, 3, 4), 0.5), np.full((4, 3), np.nan), "motion/not-finite"),
    (np.full((4, 3, 4), 0.5), np.full((4, 3), np.inf), "motion/not-finite"),
    (np.full((4, 3, 4), 0.5), np.zeros((5, 3)), "python/array"),
    (np.full((0, 3, 4), 0.5), np.zeros((0, 3)), "motion/mismatch"),
    ("words", np.zeros((4, 3)), "python/array"),
    (None, None, "python/array"),
    (np.full((4, 3, 4), 0.5, complex), np.zeros((4, 3)), None),
]


@pytest.mark.parametrize(("rotations", "positions", "code"), BAD_CLIPS)
def test_invalid_arrays_are_refused(rotations: object, positions: object, code: str | None) -> None:
    if code is None:
        # numpy uses the real part, with a warning.
        with pytest.warns(np.exceptions.ComplexWarning):
            marey.Clip(leg(), 10.0, rotations, positions)  # type: ignore[arg-type]
        return
    with pytest.raises(marey.Error) as refused:
        marey.Clip(leg(), 10.0, rotations, positions)  # type: ignore[arg-type]
    assert refused.value.code == code
    assert refused.value.hint and refused.value.message


def test_other_invalid_input_is_refused(walks: Workspace, workspace: Workspace) -> None:
    def code(call: object, *args: object, **keywords: object) -> str:
        with pytest.raises(marey.Error) as refused:
            call(*args, **keywords)  # type: ignore[operator]
        return refused.value.code

    clip = still()
    assert code(marey.Clip, leg(), float("nan"), clip.rotations, clip.positions) == "motion/rate"
    assert code(marey.Clip, leg(), -1.0, clip.rotations, clip.positions) == "motion/rate"
    assert code(clip.resampled, float("inf")) == "motion/rate"
    assert code(clip.points, ["LeftFoot"]) == "motion/missing-role"
    assert code(clip.points, ["Tail"]) == "motion/not-a-role"
    assert clip.contacts() == []
    assert clip.retargeted(leg()) == clip
    longer = marey.Skeleton(["hip", "knee", "foot"], [-1, 0, 1], [[0, 0, 0], [0, -0.5, 0], [0, -0.5, 0]])
    assert code(clip.retargeted, longer) == "motion/missing-role"
    assert code(clip.pose, 4) == "python/value" and code(clip.pose, -5) == "python/value"
    assert code(clip.__getitem__, slice(0, 4, 2)) == "python/value"
    assert code(clip.__getitem__, slice(3, 3)) == "motion/range"
    assert code(clip.save, workspace / "leg.c3d") == "command/output-ending"
    assert code(clip.to_bytes, "mp3") == "command/output-ending"
    assert code(clip.strip, view="nowhere") == "command/settings"
    assert code(clip.strip, poses=0).startswith("render/")
    assert code(marey.Clip.concat, []) == "motion/mismatch"
    assert code(marey.Take, "pair", [("a", clip), ("b", still(5))]) == "motion/mismatch"
    assert code(marey.Skeleton, ["a", "b"], [-1, 5], np.zeros((2, 3))).startswith("motion/")
    assert code(marey.Skeleton, ["a", "b"], [-1], np.zeros((2, 3))) == "python/array"
    assert code(marey.Skeleton, ["a"], [-1], [[0, 0, np.nan]]).startswith("motion/")
    assert code(marey.Skeleton, ["a"], [-1], [[0, 0, 0]], {"a": "Tail"}) == "motion/not-a-role"
    assert code(marey.Skeleton, ["a"], [-1], [[0, 0, 0]], {"b": "Hips"}) == "motion/not-a-role"
    assert code(marey.Points, ["a"], 10.0, np.zeros((4, 2, 3))) == "python/array"
    assert code(marey.Points.path, [[0, np.nan]], 10.0) == "python/array"
    assert code(marey.load, workspace / "none.bvh").startswith("file/")
    assert code(marey.load, walks / "a.bvh", unit="league") == "command/settings"
    assert code(marey.load, walks / "a.bvh", colour="red") == "command/settings"
    assert code(marey.load, walks / "a.bvh", rate_hz=float("nan")) == "python/value"
    assert code(marey.load, walks / "a.bvh", take=object()) == "python/value"


def test_an_error_has_a_code_a_place_and_a_hint(workspace: Workspace) -> None:
    text = "HIERARCHY\nROOT hip\n{\n  OFFSET 0 0 zero\n}\n"
    (workspace / "bad.bvh").write_text(text)
    with pytest.raises(marey.Error) as refused:
        marey.load(workspace / "bad.bvh")
    error = refused.value
    assert error.code.startswith("bvh/") and error.place.line == 4 and error.hint
    assert error.place.file == str(workspace / "bad.bvh")
    assert error.code in str(error) and error.hint in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, again.place, again.hint) == (error.code, error.place, error.hint)
