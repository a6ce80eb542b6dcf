"""Runs the code of the documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import Workspace


def test_the_code_of_the_python_page_runs(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.ok("examples", "walk", "walk.bvh", "--secs", 30, "--rate", 30)
    monkeypatch.chdir(workspace.folder)
    page = (Path(__file__).parents[2] / "docs/python.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", page, flags=re.M | re.S)
    assert len(blocks) >= 3
    exec("\n".join(blocks), {})
    assert (workspace / "walk.html").exists() and (workspace / "along.bvh").exists()
