"""Motion files, here or in a bucket."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path as File
from typing import Any

from ..corpus import Path
from ..errors import Error

ENDINGS = (".bvh", ".amc", ".fbx", ".glb", ".gltf", ".vrm", ".c3d", ".npz", ".trc")
"""What motion files end in."""
_BESIDE = (".asf", ".bin")
"""What some of them need beside them."""


def found(inputs: Path | Iterable[Path]) -> dict[str, str]:
    """Motion files of files, folders and fsspec paths, sorted within each folder; each with its size and time."""
    if isinstance(inputs, (str, os.PathLike)):
        inputs = [inputs]
    files: dict[str, str] = {}
    for given in inputs:
        name = os.fspath(given)
        if "://" in name:
            about = _in_bucket(name)
        elif File(name).is_dir():
            about = {str(path): stamp(str(path)) for path in sorted(File(name).rglob("*")) if path.is_file()}
        else:
            files[name] = stamp(name)
            continue
        motion = sorted((path for path in about if path.lower().endswith(ENDINGS)), key=lambda path: File(path).parts)
        files.update({path: about[path] for path in motion})
    if not files:
        hint = "Folders and fsspec paths give files ending in " + " ".join(ENDINGS) + "."
        raise Error("file/no-input", "no motion file here", hint=hint)
    return files


def _in_bucket(name: str) -> dict[str, str]:
    """The files below an fsspec path, each with what is known of it."""
    import fsspec

    files, root = fsspec.core.url_to_fs(name)

    def told(about: dict[str, Any]) -> str:
        return str(sorted((str(what), str(value)) for what, value in about.items()))

    below = files.find(root, detail=True)
    # Of a path that is a file itself, nothing is told.
    return {files.unstrip_protocol(path): told(about or files.info(path)) for path, about in below.items()}


def stamp(path: str) -> str:
    """The size and time of a file of this machine."""
    try:
        about = File(path).stat()
    except OSError:
        return "missing"
    return f"{about.st_size} {about.st_mtime_ns}"


def fetched(source: str, folder: str) -> str:
    """A file here: itself, or a copy of what an fsspec path names, with what it may need beside it. What cannot be fetched is not there."""
    if "://" not in source:
        return source
    import fsspec

    copy = os.path.join(folder, source.rsplit("/", 1)[1])
    try:
        files, path = fsspec.core.url_to_fs(source)
        if path.lower().endswith((".amc", ".gltf")):
            for beside in files.ls(path.rsplit("/", 1)[0], detail=False):
                if beside.lower().endswith(_BESIDE):
                    files.get(beside, os.path.join(folder, beside.rsplit("/", 1)[1]))
        files.get(path, copy)
    except Exception:  # Whatever a bucket raises: the file ends in the table.
        pass
    return copy
