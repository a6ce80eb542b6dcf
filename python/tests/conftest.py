"""What the tests share: the command, and motion that it makes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

BINARY = os.environ.get("MAREY_BINARY", "marey")


class Room:
    """A folder of its own, in which the command runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *words: object) -> subprocess.CompletedProcess[str]:
        """Runs the command."""
        line = [BINARY, *(str(word) for word in words)]
        return subprocess.run(line, cwd=self.folder, capture_output=True, text=True, check=False)

    def ok(self, *words: object) -> str:
        """Runs the command, which must succeed; what it printed."""
        ran = self.run(*words)
        assert ran.returncode == 0, f"{words}: {ran.stderr}"
        return ran.stdout

    def __truediv__(self, name: str) -> Path:
        return self.folder / name

    def read(self, name: str) -> bytes:
        """The bytes of a file."""
        return (self.folder / name).read_bytes()


@pytest.fixture(scope="session")
def walks(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """A walk of 40 s, in a corpus that is cut at steps; nobody changes it."""
    room = Room(tmp_path_factory.mktemp("walks"))
    room.ok("examples", "walk", "a.bvh", "--secs", 40, "--rate", 30)
    room.ok("corpus", "new", "walks.marey")
    room.ok("corpus", "add", "walks.marey", "a.bvh")
    room.ok("corpus", "segment", "walks.marey", "--by", "steps")
    t = np.arange(61) / 10.0
    lines = zip(t, 4.0 * (1.0 - np.cos(0.25 * t)), 4.0 * np.sin(0.25 * t))
    (room / "path.csv").write_text("t,x,z\n" + "".join(f"{a},{x},{z}\n" for a, x, z in lines))
    return room


@pytest.fixture
def room(tmp_path: Path) -> Room:
    """An empty folder."""
    return Room(tmp_path)
