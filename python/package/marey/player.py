"""Motion to look at: a page that plays it, and pictures."""

from __future__ import annotations

import base64
import html
import json
import math
import os
from importlib import resources

import numpy as np

from ._native import Take

_MOST_HZ = 60.0
"""Frames beyond so many a second are left out of a page."""


class Picture(bytes):
    """A picture as PNG: bytes that notebooks show."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a file."""
        with open(path, "wb") as file:
            file.write(self)

    def _repr_png_(self) -> bytes:
        return bytes(self)

    def __repr__(self) -> str:
        return f"<marey.Picture, {len(self)} bytes of PNG>"


class Player:
    """A page that plays a take: notebooks show it, and ``save`` writes it for a browser.

    It holds the motion itself and needs no network: drag to look around, scroll to come nearer, and space plays and pauses.
    """

    def __init__(self, take: Take, floor_m: float = 0.0) -> None:
        step = max(1, math.ceil(take.rate_hz / _MOST_HZ - 1e-9))
        actors = []
        for name, clip in zip(take.actors, take.clips):
            places = np.asarray(clip.world_positions())[::step]
            low = places.min(axis=(0, 1))
            size = float(max(float((places.max(axis=(0, 1)) - low).max()), 1e-6))
            # A sixty-thousandth of the room that is moved in: a tenth of a millimetre in six metres.
            counts = np.round((places - low) * (65535.0 / size)).astype("<u2")
            actors.append(
                {
                    "name": name,
                    "parents": clip.skeleton.parents,
                    "low": [float(x) for x in low],
                    "size": size,
                    "places": base64.b64encode(counts.tobytes()).decode("ascii"),
                }
            )
        self._data = json.dumps(
            {
                "name": take.name,
                "rate_hz": take.rate_hz / step,
                "frames": math.ceil(take.frames / step),
                "floor_m": float(floor_m),
                "actors": actors,
            }
        )

    def html(self) -> str:
        """The whole page."""
        page = resources.files("marey").joinpath("player.html").read_text("utf-8")
        return page.replace("/*MOTION*/", self._data.replace("</", "<\\/"))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html())

    def _repr_html_(self) -> str:
        page = html.escape(self.html(), quote=True)
        return (
            f'<iframe srcdoc="{page}" style="width:100%;height:420px;border:0" '
            'sandbox="allow-scripts" title="Motion"></iframe>'
        )
