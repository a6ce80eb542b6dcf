"""A corpus that outgrows one machine: the heavy, clip-parallel work on Ray, with the same Rust code.

Every function gives what one machine gives, to the byte, whatever the number of workers: shares are made in any order and put together
in theirs. Work that is lost with a worker or a node is done again. Start Ray as usual (``ray.init(address=...)``); where nobody did, it is
started on this machine.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path as File
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

import marey

from . import _native
from ._values import to_json, told
from .corpus import Corpus, Path, Progress, native
from .errors import Error, Place

__all__ = ["build", "features", "inspect", "label", "leave_one_out", "synthesise"]

ENDINGS = (".bvh", ".amc", ".fbx", ".glb", ".gltf", ".vrm", ".c3d", ".npz", ".trc")
"""What motion files end in."""
_BESIDE = (".asf", ".bin")
"""What some of them need beside them."""
_AHEAD = 4
"""How many shares wait for each worker, so that none is idle and few results are held."""


def _ray() -> Any:
    """Ray, started where nobody has started it."""
    try:
        import ray
    except ImportError:
        hint = "Install it into the environment of marey: pip install 'marey[cluster]', or pip install ray fsspec."
        raise Error("cluster/no-ray", "the Python package ray is not installed", hint=hint) from None
    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False)
    return ray


def _shared(work: Callable[..., Any], shares: Sequence[tuple[Any, ...]], *common: Any) -> Iterator[tuple[int, Any]]:
    """Does a share of work for each, on all workers, and gives number and result as they come."""
    ray = _ray()
    # One processor for each share, which has as many threads; tried again wherever a node dies.
    task = ray.remote(num_cpus=1, max_retries=-1, retry_exceptions=False)(_alone)
    held = [ray.put(value) for value in common]
    most = max(1, int(ray.cluster_resources().get("CPU", 1))) * _AHEAD
    numbers = iter(range(len(shares)))
    running: dict[Any, int] = {}
    while True:
        while len(running) < most and (number := next(numbers, None)) is not None:
            running[task.remote(work, shares[number], *held)] = number
        if not running:
            return
        done, _ = ray.wait(list(running), num_returns=1)
        for one in done:
            number = running.pop(one)
            yield number, ray.get(one)


def _alone(work: Callable[..., Any], share: tuple[Any, ...], *common: Any) -> Any:
    """A share, on one thread: others have the other processors."""
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    return work(*share, *common)


def _found(inputs: Path | Iterable[Path]) -> list[list[str]]:
    """Motion files of files, folders and fsspec paths, sorted within each folder; each with its size and time."""
    if isinstance(inputs, (str, os.PathLike)):
        inputs = [inputs]
    found: dict[str, list[str]] = {}
    for given in inputs:
        name = os.fspath(given)
        if "://" in name:
            import fsspec

            files, root = fsspec.core.url_to_fs(name)
            below = files.find(root, detail=True)
            about = {files.unstrip_protocol(path): str(files.ukey(path)) for path in below}
        elif File(name).is_dir():
            below = sorted(path for path in File(name).rglob("*") if path.is_file())
            about = {str(path): _stamp(path) for path in below}
        else:
            found[name] = [name, _stamp(File(name))]
            continue
        motion = sorted((path for path in about if path.lower().endswith(ENDINGS)), key=lambda path: File(path).parts)
        found.update({path: [path, about[path]] for path in motion})
    if not found:
        hint = "Folders and fsspec paths give files ending in " + " ".join(ENDINGS) + "."
        raise Error("command/no-input", "no motion file here", hint=hint)
    return list(found.values())


def _stamp(path: File) -> str:
    try:
        about = path.stat()
    except OSError:
        return "missing"
    return f"{about.st_size} {about.st_mtime_ns}"


def _fetched(source: str, folder: str) -> str:
    """A file here: itself, or a copy of what an fsspec path names, with what it may need beside it."""
    if "://" not in source:
        return source
    import fsspec

    files, path = fsspec.core.url_to_fs(source)
    if path.lower().endswith((".amc", ".gltf")):
        parent = path.rsplit("/", 1)[0]
        for beside in files.ls(parent, detail=False):
            if beside.lower().endswith(_BESIDE):
                files.get(beside, os.path.join(folder, beside.rsplit("/", 1)[1]))
    here = os.path.join(folder, path.rsplit("/", 1)[1])
    files.get(path, here)
    return here


def _read(sources: list[str], meaning: str, licence: str, credit: str, by: str | None, every: int) -> bytes:
    """A shard of files."""
    with tempfile.TemporaryDirectory(prefix="marey-") as home:
        errands = []
        for number, source in enumerate(sources):
            folder = os.path.join(home, str(number))
            os.mkdir(folder)
            try:
                here = _fetched(source, folder)
            except Exception:  # What cannot be fetched is not there, and ends in the table.
                here = os.path.join(folder, source.rsplit("/", 1)[1])
            errands.append(([here], [source]))
        return _native.shard(errands, meaning, licence, credit, by, every)


def build(
    inputs: Path | Iterable[Path],
    corpus: Path,
    *,
    by: Literal["steps", "instants", "beats"] | None = "steps",
    every: int = 1,
    licence: str = "",
    credit: str = "",
    shard_files: int = 16,
    work_dir: Path | None = None,
    progress: Progress | None = None,
    **meaning: Any,
) -> list[dict[str, Any]]:
    """Reads many files, finds their contacts, cuts them, and makes one corpus of them: that of ``Corpus.add`` and ``Corpus.segment``.

    Inputs are files, folders and fsspec paths ("s3://…"). Finished shards are kept in ``work_dir`` (beside the corpus where none is
    told) until the corpus is whole, so that work that was ended goes on where it was. Gives a row for each file; those that could not be
    read have a code and a message, and stop nothing.
    """
    target = File(corpus)
    if target.exists():
        raise Error("file/exists", "there is such a file already", Place(file=str(target)), "Choose another name.")
    home = File(work_dir) if work_dir is not None else target.with_name(target.name + ".shards")
    home.mkdir(parents=True, exist_ok=True)
    settings = (told(**meaning), licence, credit, by, every)
    files = _found(inputs)
    groups = [files[start : start + shard_files] for start in range(0, len(files), shard_files)]
    paths = [home / f"{number:06}-{_key(group, settings)}.shard" for number, group in enumerate(groups)]
    missing = [number for number, path in enumerate(paths) if not path.exists()]
    finished = len(paths) - len(missing)
    shares = [([file for file, _ in groups[number]], *settings) for number in missing]
    for share, shard in _shared(_read, shares):
        _keep(paths[missing[share]], shard)
        finished += 1
        if progress is not None:
            progress("shards", finished, len(paths))
    rows = _merged(target, paths, progress)
    shutil.rmtree(home)
    return rows


def _key(group: list[list[str]], settings: tuple[Any, ...]) -> str:
    """What a shard is made of, as a short text: files, their sizes and times, and settings."""
    text = json.dumps([group, settings, marey.__version__])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _keep(path: File, shard: bytes) -> None:
    """Writes a shard so that it is there whole or not at all."""
    beside = path.with_suffix(".part")
    with open(beside, "wb") as file:
        file.write(shard)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)


def _merged(target: File, shards: list[File], progress: Progress | None) -> list[dict[str, Any]]:
    """One corpus of shards, which is there whole or not at all."""
    beside = target.with_name(target.name + ".part")
    beside.unlink(missing_ok=True)
    with Corpus.create(beside) as corpus:
        rows: list[dict[str, Any]] = json.loads(corpus._native.merge([str(path) for path in shards], progress))
    os.replace(beside, target)
    return rows


def _looked(sources: list[str], meaning: str) -> list[dict[str, Any]]:
    """What is in files."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="marey-") as home:
        for source in sources:
            try:
                takes, points, warnings = _native.load(_fetched(source, home), meaning)
            except Error as error:
                rows.append(_failed("file", source, error))
                continue
            about = [
                {
                    "name": take.name,
                    "actors": take.actors,
                    "frames": take.frames,
                    "rate_hz": take.rate_hz,
                    "joints": [len(clip.skeleton) for clip in take.clips],
                }
                for take in takes
            ]
            codes = [one["code"] for one in json.loads(warnings)]
            labels = None if points is None else points.labels
            rows.append({"file": source, "ok": True, "takes": about, "points": labels, "warnings": codes})
    return rows


def _failed(kind: str, name: str, error: Error) -> dict[str, Any]:
    place = str(error.place)
    return {kind: name, "ok": False, "code": error.code, "message": error.message, "place": place, "hint": error.hint}


def inspect(inputs: Path | Iterable[Path], *, shard_files: int = 16, **meaning: Any) -> list[dict[str, Any]]:
    """What is in many files, in their order: takes, actors, frames, rates; or why one could not be read."""
    files = [file for file, _ in _found(inputs)]
    groups = [files[start : start + shard_files] for start in range(0, len(files), shard_files)]
    found: list[list[dict[str, Any]]] = [[] for _ in groups]
    for number, rows in _shared(_looked, [(group, told(**meaning)) for group in groups]):
        found[number] = rows
    return [row for rows in found for row in rows]


def _here(corpus: bytes) -> str:
    """A corpus that was sent, as a file of this machine; written once for all who ask."""
    name = hashlib.sha256(corpus).hexdigest()[:24]
    path = File(tempfile.gettempdir()) / f"marey-{name}.marey"
    if not path.exists():
        beside = path.with_suffix(f".{os.getpid()}")
        beside.write_bytes(corpus)
        os.replace(beside, path)
    return str(path)


def _sent(corpus: Corpus | Path) -> bytes:
    """A corpus as bytes, with everything that was written to it."""
    path = corpus.path if isinstance(corpus, Corpus) else os.fspath(corpus)
    with tempfile.TemporaryDirectory(prefix="marey-") as home:
        copy = os.path.join(home, "copy.marey")
        import contextlib
        import sqlite3

        native(corpus).takes()
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as source:
            with contextlib.closing(sqlite3.connect(copy)) as target:
                source.backup(target)
        return File(copy).read_bytes()


def _features(take: str, corpus: bytes) -> list[NDArray[np.float32] | None]:
    found: list[NDArray[np.float32] | None] = []
    for clip in native(_here(corpus)).take(take).clips:
        try:
            found.append(_native.moments(clip))
        except Error:
            found.append(None)
    return found


def features(corpus: Corpus | Path) -> dict[str, list[NDArray[np.float32] | None]]:
    """What moments are compared by, for every take and actor: frames × 27; ``None`` of a figure without feet."""
    names = [take["name"] for take in json.loads(native(corpus).takes())]
    found = dict(_shared(_features, [(name,) for name in names], _sent(corpus)))
    return {name: found[number] for number, name in enumerate(names)}


def _island(number: int, takes: list[str], settings: str, seed: int, corpus: bytes) -> str:
    return _native.duet_island(native(_here(corpus)), takes, settings, seed, number)


def label(
    corpus: Corpus, takes: Sequence[str] = (), *, seed: int = 1, islands: int = 8, **settings: Any
) -> list[dict[str, Any]]:
    """:func:`marey.duet.label` with an island for each worker to search on; the labels are those of one machine with as many islands."""
    wish = to_json(settings)
    shares = [(number, list(takes), wish, seed) for number in range(islands)]
    found = dict(_shared(_island, shares, _sent(corpus)))
    texts = [found[number] for number in range(islands)]
    rows: list[dict[str, Any]] = json.loads(_native.duet_settle(corpus._native, list(takes), texts))
    return rows


def _left_out(take: str, asked: dict[str, Any], corpus: bytes) -> dict[str, Any]:
    path = _here(corpus)
    try:
        made = marey.follow(path, native(path).take(take), without=[take], **asked)
    except Error as error:
        return _failed("take", take, error)
    return {"take": take, "ok": True, **made.about, "frames": made.take.frames}


def leave_one_out(corpus: Corpus | Path, takes: Sequence[str] = (), **asked: Any) -> list[dict[str, Any]]:
    """How well each take is answered by the others (:func:`marey.follow` with the same keywords): its score and the parts of it."""
    names = list(takes) or [take["name"] for take in json.loads(native(corpus).takes())]
    found = dict(_shared(_left_out, [(name, asked) for name in names], _sent(corpus)))
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
        made = engine(_here(corpus), **asked)
        return {"brief": name, "ok": True, "frames": made.take.frames, **made.about}, made.take.to_bytes(format)
    except Error as error:
        return _failed("brief", name, error), b""
    except TypeError as error:
        return _failed("brief", name, Error("python/value", str(error))), b""


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
        raise Error("command/same-output", "briefs must have names of their own, without slashes")
    rows: list[dict[str, Any]] = []
    for path in paths:
        rows.append({"brief": path.stem, "ok": True, "already": True})
    missing = [number for number, path in enumerate(paths) if not path.exists()]
    shares = [({"name": paths[number].stem, **wanted[number]}, format) for number in missing]
    for done, (share, (row, motion)) in enumerate(_shared(_made, shares, _sent(corpus)), 1):
        rows[missing[share]] = row
        if row["ok"]:
            _keep(paths[missing[share]], motion)
        if progress is not None:
            progress("briefs", done, len(shares))
    return rows


def main(words: Sequence[str] | None = None) -> int:
    """What `marey cluster` runs."""
    parser = argparse.ArgumentParser(prog="marey cluster", description=(__doc__ or "").splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    adding = verbs.add_parser("build", help="read and cut many files on Ray, into one corpus")
    adding.add_argument("corpus")
    adding.add_argument("inputs", nargs="+", help="files, folders and fsspec paths")
    adding.add_argument("--by", default="steps", choices=["steps", "instants", "beats", "none"])
    adding.add_argument("--licence", default="")
    adding.add_argument("--credit", default="")
    adding.add_argument("--trim-rest", action="store_true")
    looking = verbs.add_parser("inspect", help="what is in many files")
    looking.add_argument("inputs", nargs="+")
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
    _ray()
    if asked.verb == "build":
        by = None if asked.by == "none" else asked.by
        named = {"licence": asked.licence, "credit": asked.credit, "trim_rest": asked.trim_rest}
        return build(asked.inputs, asked.corpus, by=by, **named)
    if asked.verb == "inspect":
        return inspect(asked.inputs)
    if asked.verb == "label":
        settings = {} if asked.iterations is None else {"iterations": asked.iterations}
        with Corpus.open(asked.corpus) as corpus:
            return label(corpus, seed=asked.seed, islands=asked.islands, **settings)
    if asked.verb == "leave-one-out":
        return leave_one_out(asked.corpus, lead=asked.control)
    briefs = json.loads(File(asked.briefs).read_text("utf-8"))
    return synthesise(asked.corpus, briefs, asked.folder, format=asked.format)


if __name__ == "__main__":
    sys.exit(main())
