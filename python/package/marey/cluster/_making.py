"""Motion made on many machines: each take answered by the others, and thousands of briefs from one corpus."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path as File
from typing import Any, Literal

import marey

from ..corpus import Corpus, Path, Progress, native
from ..errors import Error
from ._work import failed, here, keep, sent, shared


def _left_out(take: str, asked: dict[str, Any], corpus: bytes) -> dict[str, Any]:
    path = here(corpus)
    try:
        made = marey.follow(path, native(path).take(take), without=[take], **asked)
    except Error as error:
        return failed("take", take, error)
    return {"take": take, "ok": True, **made.about, "frames": made.take.frames}


def leave_one_out(corpus: Corpus | Path, takes: Sequence[str] = (), **asked: Any) -> list[dict[str, Any]]:
    """How well each take is answered by the others (:func:`marey.follow` with the same keywords): its score and the parts of it."""
    names = list(takes) or [take["name"] for take in json.loads(native(corpus).takes())]
    found = dict(shared(_left_out, [(name, asked) for name in names], sent(corpus)))
    return [found[number] for number in range(len(names))]


def _made(brief: dict[str, Any], format: str, corpus: bytes) -> tuple[dict[str, Any], bytes]:
    asked = {name: value for name, value in brief.items() if name not in ("engine", "name")}
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
            raise Error("python/value", f"no engine {brief.get('engine')!r}", hint=f"Engines are {', '.join(engines)}.")
        made = engine(here(corpus), **asked)
        return {"brief": name, "ok": True, "frames": made.take.frames, **made.about}, made.take.to_bytes(format)
    except Error as error:
        return failed("brief", name, error), b""
    except TypeError as error:
        return failed("brief", name, Error("python/value", str(error))), b""


def synthesise(
    corpus: Corpus | Path,
    briefs: Iterable[dict[str, Any]],
    folder: Path,
    *,
    format: Literal["bvh", "glb", "gltf"] = "glb",
    progress: Progress | None = None,
) -> list[dict[str, Any]]:
    """Motion for many briefs from one corpus. A brief is ``{"name": …, "engine": "follow", …}`` with the keywords of the engine's function.

    Files go into a folder, each under the name of its brief. What is there already is not made again. Gives a row for each brief.
    """
    wanted = list(briefs)
    home = File(folder)
    home.mkdir(parents=True, exist_ok=True)
    paths = [home / f"{brief.get('name', f'motion-{number:06}')}.{format}" for number, brief in enumerate(wanted)]
    if len(set(paths)) != len(paths) or any(path.parent != home for path in paths):
        raise Error("file/same-output", "briefs must have names of their own, without slashes")
    rows: list[dict[str, Any]] = []
    for path in paths:
        rows.append({"brief": path.stem, "ok": True, "already": True})
    missing = [number for number, path in enumerate(paths) if not path.exists()]
    shares = [({"name": paths[number].stem, **wanted[number]}, format) for number in missing]
    for done, (share, (row, motion)) in enumerate(shared(_made, shares, sent(corpus)), 1):
        rows[missing[share]] = row
        if row["ok"]:
            keep(paths[missing[share]], motion)
        if progress is not None:
            progress("briefs", done, len(shares))
    return rows
