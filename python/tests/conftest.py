"""Fixtures of all tests: the command, and motion that it makes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

BINARY = os.environ.get("MAREY_BINARY", "marey")


class Workspace:
    """A temporary folder in which the command runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        """Runs the command."""
        line = [BINARY, *(str(argument) for argument in arguments)]
        return subprocess.run(line, cwd=self.folder, capture_output=True, text=True, check=False)

    def ok(self, *arguments: object) -> str:
        """Runs the command, which must succeed. Returns its output."""
        completed = self.run(*arguments)
        assert completed.returncode == 0, f"{arguments}: {completed.stderr}"
        return completed.stdout

    def __truediv__(self, name: str) -> Path:
        return self.folder / name

    def read(self, name: str) -> bytes:
        """The bytes of a file."""
        return (self.folder / name).read_bytes()


@pytest.fixture(scope="session")
def walks(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A walk of 40 s, in a corpus that is segmented at steps. No test changes it."""
    workspace = Workspace(tmp_path_factory.mktemp("walks"))
    workspace.ok("examples", "walk", "a.bvh", "--secs", 40, "--rate", 30)
    workspace.ok("corpus", "new", "walks.marey")
    workspace.ok("corpus", "add", "walks.marey", "a.bvh")
    workspace.ok("corpus", "segment", "walks.marey", "--by", "steps")
    t = np.arange(61) / 10.0
    rows = zip(t, 4.0 * (1.0 - np.cos(0.25 * t)), 4.0 * np.sin(0.25 * t))
    (workspace / "path.csv").write_text("t,x,z\n" + "".join(f"{secs},{x},{z}\n" for secs, x, z in rows))
    return workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """An empty folder."""
    return Workspace(tmp_path)
