"""Imports files into Blender, and prints how far its bones are from where they should be.

Usage: check_joints.py TRUTH.json FILE...

TRUTH.json is {"rate_hz": …, "frames": […], "actors": {ACTOR: {JOINT: [[x, y, z], …]}}}, in metres, Y up. For each file and
importer a line is printed: the name, the number of joints, and the largest distance in metres.
"""

import json
import sys

import bpy


def importers(path):
    """The importers of a file, by name."""
    if path.endswith(".fbx"):
        yield "fbx", lambda: bpy.ops.import_scene.fbx(filepath=path)
        yield "fbx-ufbx", lambda: bpy.ops.wm.fbx_import(filepath=path)
    elif path.endswith(".bvh"):
        yield "bvh", lambda: bpy.ops.import_anim.bvh(filepath=path, global_scale=0.01, rotate_mode="QUATERNION")
    else:
        yield "glb", lambda: bpy.ops.import_scene.gltf(filepath=path)


def bones(armature):
    """The world position of each bone, Y up."""
    placed = {}
    for bone in armature.pose.bones:
        x, y, z = armature.matrix_world @ bone.head
        placed[bone.name] = (x, z, -y)
    return placed


def check(truth, path, load):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = round(truth["rate_hz"])
    load()
    armatures = [thing for thing in scene.objects if thing.type == "ARMATURE"]
    if len(armatures) != len(truth["actors"]):
        raise SystemExit(f"{path}: {len(armatures)} armatures, {len(truth['actors'])} actors")
    first = min(armature.animation_data.action.frame_range[0] for armature in armatures)
    worst = {name: [0.0] * len(armatures) for name in truth["actors"]}
    # Names in a BVH have no spaces.
    named = (lambda joint: joint.replace(" ", "_")) if path.endswith(".bvh") else (lambda joint: joint)
    joints = 0
    for index, frame in enumerate(truth["frames"]):
        at = first + frame
        scene.frame_set(int(at // 1), subframe=at % 1)
        places = [bones(armature) for armature in armatures]
        for actor, expected in truth["actors"].items():
            for which, placed in enumerate(places):
                for joint, positions in expected.items():
                    if named(joint) not in placed:
                        raise SystemExit(f"{path}: no bone {joint!r} among {sorted(placed)}")
                    off = sum((a - b) ** 2 for a, b in zip(placed[named(joint)], positions[index])) ** 0.5
                    worst[actor][which] = max(worst[actor][which], off)
            joints += len(expected)
    # Actors may have equal joint names: each is the armature that it is nearest to, and no two are the same.
    nearest = {actor: min(range(len(armatures)), key=distances.__getitem__) for actor, distances in worst.items()}
    if len(set(nearest.values())) != len(armatures):
        raise SystemExit(f"{path}: several actors are at one armature")
    return joints, max(worst[actor][which] for actor, which in nearest.items())


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        truth = json.load(file)
    for path in sys.argv[2:]:
        for name, load in importers(path):
            joints, worst = check(truth, path, load)
            print(f"CHECKED {name} {joints} {worst:.9f}")


main()
