"""What the documentation shows is run as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import Room


def test_the_page_runs_as_it_stands(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.ok("examples", "walk", "walk.bvh", "--secs", 30, "--rate", 30)
    monkeypatch.chdir(room.folder)
    page = (Path(__file__).parents[2] / "docs/python.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", page, flags=re.M | re.S)
    assert len(blocks) >= 3
    exec("\n".join(blocks), {})
    assert (room / "walk.html").exists() and (room / "along.bvh").exists()
