"""Synthesis on many machines: leave-one-out evaluation, and many briefs from one corpus."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path as File
from typing import Any, Literal

import marey

from ..corpus import Corpus, Path, Progress, native
from ..errors import Error
from ._tasks import corpus_bytes, error_row, local_corpus, run_tasks, write_atomically


def _follow_left_out(take: str, keywords: dict[str, Any], corpus: bytes) -> dict[str, Any]:
    path = local_corpus(corpus)
    try:
        outcome = marey.follow(path, native(path).take(take), without=[take], **keywords)
    except Error as error:
        return error_row("take", take, error)
    return {"take": take, "ok": True, **outcome.details, "frames": outcome.take.frames}


def leave_one_out(corpus: Corpus | Path, takes: Sequence[str] = (), **keywords: Any) -> list[dict[str, Any]]:
    """Follows each take with the others as examples. Returns the score of each and its parts.

    The keywords are those of :func:`marey.follow`.
    """
    names = list(takes) or [take["name"] for take in json.loads(native(corpus).takes())]
    found = dict(run_tasks(_follow_left_out, [(name, keywords) for name in names], corpus_bytes(corpus)))
    return [found[index] for index in range(len(names))]


def _synthesise_brief(brief: dict[str, Any], format: str, corpus: bytes) -> tuple[dict[str, Any], bytes]:
    keywords = {name: value for name, value in brief.items() if name not in ("engine", "name")}
    engines: dict[str, Callable[..., Any]] = {
        "follow": marey.follow,
        "traverse": marey.traverse,
        "duet": marey.duet.run,
        "vary": marey.vary,
        "tween": marey.tween,
        "wander": marey.wander,
        "realise": marey.realise,
    }
    name = str(brief.get("name", "motion"))
    try:
        engine = engines.get(str(brief.get("engine")))
        if engine is None:
            hint = f"Choose one of {', '.join(engines)}."
            raise Error("python/value", f"there is no engine {brief.get('engine')!r}", hint=hint)
        outcome = engine(local_corpus(corpus), **keywords)
        row = {"brief": name, "ok": True, "frames": outcome.take.frames, **outcome.details}
        return row, outcome.take.to_bytes(format)
    except Error as error:
        return error_row("brief", name, error), b""
    except TypeError as error:
        return error_row("brief", name, Error("python/value", str(error))), b""


def synthesise(
    corpus: Corpus | Path,
    briefs: Iterable[dict[str, Any]],
    folder: Path,
    *,
    format: Literal["bvh", "glb", "gltf", "fbx", "vrma", "usda", "npz"] = "glb",
    progress: Progress | None = None,
) -> list[dict[str, Any]]:
    """Makes motion for many briefs from one corpus, and writes each to a file in a folder.

    A brief is ``{"name": …, "engine": "follow", …}`` with the keywords of the engine's function. Its file has its name. Files that exist
    are not made again. Returns a row for each brief.
    """
    all_briefs = list(briefs)
    output_folder = File(folder)
    output_folder.mkdir(parents=True, exist_ok=True)
    paths = [output_folder / f"{brief.get('name', f'motion-{index:06}')}.{format}" for index, brief in enumerate(all_briefs)]
    if len(set(paths)) != len(paths) or any(path.parent != output_folder for path in paths):
        raise Error("file/same-output", "each brief needs a different name, without slashes")
    rows: list[dict[str, Any]] = [{"brief": path.stem, "ok": True, "already": True} for path in paths]
    missing = [index for index, path in enumerate(paths) if not path.exists()]
    tasks = [({"name": paths[index].stem, **all_briefs[index]}, format) for index in missing]
    for done, (task, (row, motion)) in enumerate(run_tasks(_synthesise_brief, tasks, corpus_bytes(corpus)), 1):
        rows[missing[task]] = row
        if row["ok"]:
            write_atomically(paths[missing[task]], motion)
        if progress is not None:
            progress("briefs", done, len(tasks))
    return rows
