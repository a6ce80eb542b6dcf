"""Motion files on this machine or at an fsspec path."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path as File
from typing import Any

from ..corpus import Path
from ..errors import Error

ENDINGS = (".bvh", ".amc", ".fbx", ".glb", ".gltf", ".vrm", ".c3d", ".npz", ".trc")
"""The extensions of motion files."""
_COMPANIONS = (".asf", ".bin")
"""The extensions of files that a motion file may need."""


def find_files(inputs: Path | Iterable[Path]) -> dict[str, str]:
    """Finds the motion files of files, folders and fsspec paths, sorted within each folder. Each has a stamp of size and time."""
    if isinstance(inputs, (str, os.PathLike)):
        inputs = [inputs]
    files: dict[str, str] = {}
    for given in inputs:
        name = os.fspath(given)
        if "://" in name:
            stamps = _find_remote(name)
        elif File(name).is_dir():
            stamps = {str(path): stamp(str(path)) for path in sorted(File(name).rglob("*")) if path.is_file()}
        else:
            files[name] = stamp(name)
            continue
        motion = sorted((path for path in stamps if path.lower().endswith(ENDINGS)), key=lambda path: File(path).parts)
        files.update({path: stamps[path] for path in motion})
    if not files:
        hint = "In folders and fsspec paths, files with these extensions are found: " + " ".join(ENDINGS) + "."
        raise Error("file/no-input", "no motion file was found", hint=hint)
    return files


def _find_remote(name: str) -> dict[str, str]:
    """Finds the files below an fsspec path. Each has a stamp of its metadata."""
    import fsspec

    files, root = fsspec.core.url_to_fs(name)

    def metadata_stamp(metadata: dict[str, Any]) -> str:
        return str(sorted((str(key), str(value)) for key, value in metadata.items()))

    below = files.find(root, detail=True)
    # `find` has no metadata for a path that is itself a file.
    return {
        files.unstrip_protocol(path): metadata_stamp(metadata or files.info(path))
        for path, metadata in below.items()
    }


def stamp(path: str) -> str:
    """Returns the size and modification time of a file of this machine."""
    try:
        metadata = File(path).stat()
    except OSError:
        return "missing"
    return f"{metadata.st_size} {metadata.st_mtime_ns}"


def fetch(source: str, folder: str) -> str:
    """Returns a local path: ``source`` itself, or that of a copy of an fsspec path with its companions.

    If the copy fails, the path does not exist, and reading it reports the error.
    """
    if "://" not in source:
        return source
    import fsspec

    copy = os.path.join(folder, source.rsplit("/", 1)[1])
    try:
        files, path = fsspec.core.url_to_fs(source)
        if path.lower().endswith((".amc", ".gltf")):
            for companion in files.ls(path.rsplit("/", 1)[0], detail=False):
                if companion.lower().endswith(_COMPANIONS):
                    files.get(companion, os.path.join(folder, companion.rsplit("/", 1)[1]))
        files.get(path, copy)
    except Exception:  # File systems raise exceptions of any class.
        pass
    return copy
