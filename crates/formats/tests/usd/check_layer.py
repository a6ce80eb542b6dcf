"""Checks a layer with USD's validators, and compares its joints with known positions.

Usage: check_layer.py LAYER.usda TRUTH.json

TRUTH.json is {"frames": […], "actors": [[[[x, y, z], … joints], … frames], …]}. Prints the largest distance in metres.
"""

import json
import sys

from pxr import Usd, UsdGeom, UsdSkel


def problems(path, stage):
    """What the validators find."""
    try:
        from pxr import UsdValidation
    except ImportError:
        from pxr import UsdUtils

        checker = UsdUtils.ComplianceChecker()
        checker.CheckCompliance(path)
        return checker.GetErrors() + checker.GetFailedChecks() + checker.GetWarnings()
    registry = UsdValidation.ValidationRegistry()
    context = UsdValidation.ValidationContext(registry.GetOrLoadAllValidators())
    return [error.GetErrorAsString() for error in context.Validate(stage)]


def main():
    path = sys.argv[1]
    with open(sys.argv[2], encoding="utf-8") as file:
        truth = json.load(file)
    stage = Usd.Stage.Open(path)
    found = problems(path, stage)
    if found:
        raise SystemExit("\n".join(str(problem) for problem in found))
    if UsdGeom.GetStageUpAxis(stage) != "Y" or UsdGeom.GetStageMetersPerUnit(stage) != 1:
        raise SystemExit("not in metres with Y up")
    roots = [UsdSkel.Root(prim) for prim in stage.Traverse() if prim.IsA(UsdSkel.Root)]
    if len(roots) != len(truth["actors"]):
        raise SystemExit(f"{len(roots)} figures")
    worst = 0.0
    cache = UsdSkel.Cache()
    for root, frames in zip(roots, truth["actors"]):
        cache.Populate(root, Usd.PrimDefaultPredicate)
        bindings = cache.ComputeSkelBindings(root, Usd.PrimDefaultPredicate)
        if len(bindings) != 1 or len(bindings[0].GetSkinningTargets()) != 2:
            raise SystemExit("the meshes are not bound to the skeleton")
        query = cache.GetSkelQuery(bindings[0].GetSkeleton())
        places = UsdGeom.XformCache()
        for frame, joints in zip(truth["frames"], frames):
            places.SetTime(frame)
            for matrix, place in zip(query.ComputeJointWorldTransforms(places), joints, strict=True):
                off = sum((a - b) ** 2 for a, b in zip(matrix.ExtractTranslation(), place)) ** 0.5
                worst = max(worst, off)
    print(f"WORST {worst:.9f}")


main()
