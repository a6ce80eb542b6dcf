"""``python -m marey.cluster``: what `marey cluster` runs."""

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
from ._work import ray_here


def main(words: Sequence[str] | None = None) -> int:
    """What `marey cluster` runs."""
    parser = argparse.ArgumentParser(prog="marey cluster", description="Heavy work on Ray, on as many machines as there are.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    adding = verbs.add_parser("build", help="read and cut many files on Ray, into one corpus")
    adding.add_argument("corpus")
    adding.add_argument("inputs", nargs="+", help="files, folders and fsspec paths")
    adding.add_argument("--by", default="steps", choices=["steps", "instants", "beats", "none"])
    adding.add_argument("--licence", default="")
    adding.add_argument("--credit", default="")
    adding.add_argument("--trim-rest", action="store_true")
    adding.add_argument("--pair", action="append", default=[], metavar="A=B", help="as in '60_{i}.bvh=61_{i}.bvh'")
    adding.add_argument("--pairs", metavar="FILE.csv", help="files of one take, a line each")
    looking = verbs.add_parser("inspect", help="what is in many files")
    looking.add_argument("inputs", nargs="+")
    comparing = verbs.add_parser("distances", help="how far every two segments are apart, as an .npy file")
    comparing.add_argument("corpus")
    comparing.add_argument("file")
    comparing.add_argument("--made-by", help="only segments of this maker, as in 'method steps'")
    comparing.add_argument("--block", type=int, default=1024, help="segments a side of a block")
    labelling = verbs.add_parser("label", help="movements of two, on islands")
    labelling.add_argument("corpus")
    labelling.add_argument("--islands", type=int, default=8)
    labelling.add_argument("--iterations", type=int)
    labelling.add_argument("--seed", type=int, default=1)
    leaving = verbs.add_parser("leave-one-out", help="how well each take is answered by the others")
    leaving.add_argument("corpus")
    leaving.add_argument("--control", default="path")
    making = verbs.add_parser("synthesise", help="motion for many briefs")
    making.add_argument("corpus")
    making.add_argument("briefs", help="a JSON file with a list of briefs")
    making.add_argument("folder")
    making.add_argument("--format", default="glb", choices=["bvh", "glb", "gltf"])
    asked = parser.parse_args(words)
    try:
        rows = _run(asked)
    except Error as error:
        print(f"error[{error.code}]: {error.message}", file=sys.stderr)
        where = str(error.place)
        print((f" --> {where}\n" if where else "") + f" = hint: {error.hint}", file=sys.stderr)
        return 1
    print("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]")
    return 0 if all(row.get("ok", True) for row in rows) else 1


def _run(asked: argparse.Namespace) -> list[dict[str, Any]]:
    ray_here()
    if asked.verb == "build":
        by = None if asked.by == "none" else asked.by
        named = {"licence": asked.licence, "credit": asked.credit, "trim_rest": asked.trim_rest}
        return build(asked.inputs, asked.corpus, by=by, pairs=asked.pair, table=asked.pairs, **named)
    if asked.verb == "inspect":
        return inspect(asked.inputs)
    if asked.verb == "distances":
        metres = distances(asked.corpus, asked.file, made_by=asked.made_by, block=asked.block)
        return [{"file": asked.file, "ok": True, "pairs": len(metres)}]
    if asked.verb == "label":
        settings = {} if asked.iterations is None else {"iterations": asked.iterations}
        with Corpus.open(asked.corpus) as corpus:
            return label(corpus, seed=asked.seed, islands=asked.islands, **settings)
    if asked.verb == "leave-one-out":
        return leave_one_out(asked.corpus, kind=asked.control)
    try:
        briefs = json.loads(File(asked.briefs).read_text("utf-8"))
    except (OSError, ValueError) as error:
        hint = "A list of briefs is JSON: [{\"name\": …, \"engine\": \"follow\", …}, …]."
        raise Error("python/value", str(error), Place(file=asked.briefs), hint) from None
    return synthesise(asked.corpus, briefs, asked.folder, format=asked.format)


if __name__ == "__main__":
    sys.exit(main())
