"""Everything that is public has a docstring and correct type hints."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import marey
import marey.cluster

MODULES = [marey, marey.cluster, marey.duet, marey.perform]


def public_names() -> list[tuple[str, object]]:
    """Returns every public name, and the public members of public classes."""
    found: list[tuple[str, object]] = []
    for module in MODULES:
        for name in module.__all__:
            value = getattr(module, name)
            found.append((f"{module.__name__}.{name}", value))
            if inspect.isclass(value):
                members = [(key, member) for key, member in vars(value).items() if not key.startswith("_")]
                found += [(f"{module.__name__}.{name}.{key}", member) for key, member in members]
    return found


@pytest.mark.parametrize(("name", "value"), public_names(), ids=lambda value: value if isinstance(value, str) else "")
def test_everything_has_a_docstring(name: str, value: object) -> None:
    if isinstance(value, str) or name.endswith("__version__"):
        return
    inner = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
    if name.startswith("marey.Error.") or type(inner).__name__ == "member_descriptor":
        return
    if name.startswith(("marey.Place.", "marey.Outcome.")):
        return
    assert (inspect.getdoc(inner) or "").strip(), name


def test_type_hints_are_correct() -> None:
    """mypy checks the package in strict mode, and its stub checker compares the hints with the native module."""
    settings = Path(__file__).parents[1] / "pyproject.toml"
    for line in (
        ["-m", "mypy", "--config-file", str(settings), "-p", "marey"],
        ["-m", "mypy.stubtest", "marey", "--mypy-config-file", str(settings), "--ignore-missing-stub", "--ignore-disjoint-bases"],
    ):
        completed = subprocess.run([sys.executable, *line], capture_output=True, text=True, check=False)
        assert completed.returncode == 0, completed.stdout + completed.stderr
