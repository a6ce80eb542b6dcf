"""Everything that is public has a docstring and type hints that are true."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import marey
import marey.cluster

MODULES = [marey, marey.cluster, marey.duet, marey.perform]


def public() -> list[tuple[str, object]]:
    """Every name that is public, and the public members of classes among them."""
    found: list[tuple[str, object]] = []
    for module in MODULES:
        for name in module.__all__:
            thing = getattr(module, name)
            found.append((f"{module.__name__}.{name}", thing))
            if inspect.isclass(thing):
                members = [(key, value) for key, value in vars(thing).items() if not key.startswith("_")]
                found += [(f"{module.__name__}.{name}.{key}", value) for key, value in members]
    return found


@pytest.mark.parametrize(("name", "thing"), public(), ids=lambda value: value if isinstance(value, str) else "")
def test_everything_has_a_docstring(name: str, thing: object) -> None:
    if isinstance(thing, str) or name.endswith("__version__"):
        return
    inner = thing.__func__ if isinstance(thing, (staticmethod, classmethod)) else thing
    if name.startswith("marey.Error.") or type(inner).__name__ == "member_descriptor":
        return
    if name.startswith(("marey.Place.", "marey.Outcome.")):
        return
    assert (inspect.getdoc(inner) or "").strip(), name


def test_type_hints_are_true() -> None:
    """mypy reads the package strictly, and its stub checker compares the hints with what is there."""
    settings = Path(__file__).parents[1] / "pyproject.toml"
    for line in (
        ["-m", "mypy", "--config-file", str(settings), "-p", "marey"],
        ["-m", "mypy.stubtest", "marey", "--mypy-config-file", str(settings), "--ignore-missing-stub", "--ignore-disjoint-bases"],
    ):
        ran = subprocess.run([sys.executable, *line], capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr
