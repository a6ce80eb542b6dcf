"""``python -m marey.cluster``, which `marey cluster` runs."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path as File
from typing import Any

from ..corpus import Corpus
from ..errors import Error, Place
from . import build, distances, inspect, label, leave_one_out, synthesise
from ._tasks import init_ray


def main(arguments: Sequence[str] | None = None) -> int:
    """Parses the arguments, runs the subcommand and prints its rows as JSON. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="marey cluster", description="Run large jobs with Ray, on one machine or many.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    build_parser = verbs.add_parser("build", help="import and segment many files into a new corpus")
    build_parser.add_argument("corpus")
    build_parser.add_argument("inputs", nargs="+", help="files, folders and fsspec paths")
    build_parser.add_argument("--by", default="steps", choices=["steps", "instants", "beats", "none"])
    build_parser.add_argument("--licence", default="")
    build_parser.add_argument("--credit", default="")
    build_parser.add_argument("--trim-rest", action="store_true")
    build_parser.add_argument(
        "--pair", action="append", default=[], metavar="A=B", help="files of one take, for example '60_{i}.bvh=61_{i}.bvh'"
    )
    build_parser.add_argument("--pairs", metavar="FILE.csv", help="table with the files of one take in each line")
    inspect_parser = verbs.add_parser("inspect", help="describe the content of many files")
    inspect_parser.add_argument("inputs", nargs="+")
    distances_parser = verbs.add_parser("distances", help="write the distance between every two segments to an .npy file")
    distances_parser.add_argument("corpus")
    distances_parser.add_argument("file")
    distances_parser.add_argument("--made-by", help="only segments of this origin, for example 'method steps'")
    distances_parser.add_argument("--block", type=int, default=1024, help="rows and columns of a block of the matrix")
    label_parser = verbs.add_parser("label", help="label the movements of two people, on several islands")
    label_parser.add_argument("corpus")
    label_parser.add_argument("--islands", type=int, default=8)
    label_parser.add_argument("--iterations", type=int)
    label_parser.add_argument("--seed", type=int, default=1)
    leave_one_out_parser = verbs.add_parser("leave-one-out", help="follow each take with the others as examples")
    leave_one_out_parser.add_argument("corpus")
    leave_one_out_parser.add_argument("--control", default="path")
    synthesise_parser = verbs.add_parser("synthesise", help="make motion for many briefs")
    synthesise_parser.add_argument("corpus")
    synthesise_parser.add_argument("briefs", help="JSON file with a list of briefs")
    synthesise_parser.add_argument("folder")
    synthesise_parser.add_argument("--format", default="glb", choices=["bvh", "glb", "gltf", "fbx", "vrma", "usda", "npz"])
    try:
        rows = _run(parser.parse_args(arguments))
    except Error as error:
        print(f"error[{error.code}]: {error.message}", file=sys.stderr)
        place = str(error.place)
        print((f" --> {place}\n" if place else "") + f" = hint: {error.hint}", file=sys.stderr)
        return 1
    print("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]")
    return 0 if all(row.get("ok", True) for row in rows) else 1


def _run(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    init_ray()
    if arguments.verb == "build":
        by = None if arguments.by == "none" else arguments.by
        options = {"licence": arguments.licence, "credit": arguments.credit, "trim_rest": arguments.trim_rest}
        return build(arguments.inputs, arguments.corpus, by=by, pairs=arguments.pair, table=arguments.pairs, **options)
    if arguments.verb == "inspect":
        return inspect(arguments.inputs)
    if arguments.verb == "distances":
        metres = distances(arguments.corpus, arguments.file, made_by=arguments.made_by, block=arguments.block)
        return [{"file": arguments.file, "ok": True, "pairs": len(metres)}]
    if arguments.verb == "label":
        settings = {} if arguments.iterations is None else {"iterations": arguments.iterations}
        with Corpus.open(arguments.corpus) as corpus:
            return [label(corpus, seed=arguments.seed, islands=arguments.islands, **settings)]
    if arguments.verb == "leave-one-out":
        return leave_one_out(arguments.corpus, kind=arguments.control)
    try:
        briefs = json.loads(File(arguments.briefs).read_text("utf-8"))
    except (OSError, ValueError) as error:
        hint = "Give a JSON list of briefs: [{\"name\": …, \"engine\": \"follow\", …}, …]."
        raise Error("python/value", str(error), Place(file=arguments.briefs), hint) from None
    return synthesise(arguments.corpus, briefs, arguments.folder, format=arguments.format)


if __name__ == "__main__":
    sys.exit(main())
