"""Display of motion: an HTML page that plays it, and pictures."""

from __future__ import annotations

import base64
import html
import json
import math
import os
from importlib import resources

import numpy as np

from ._native import Take

_MAX_RATE_HZ = 60.0
"""The highest frame rate of a page. Motion with a higher rate is decimated."""


class Picture(bytes):
    """A PNG picture, as bytes that notebooks display."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a file."""
        with open(path, "wb") as file:
            file.write(self)

    def _repr_png_(self) -> bytes:
        return bytes(self)

    def __repr__(self) -> str:
        return f"<marey.Picture, {len(self)} bytes of PNG>"


class Player:
    """An HTML page that plays a take. Notebooks display it, and ``save`` writes it for a browser.

    The page contains the motion and needs no network. Drag to orbit, scroll to zoom, press space to play or pause.
    """

    def __init__(self, take: Take, floor_m: float = 0.0) -> None:
        step = max(1, math.ceil(take.rate_hz / _MAX_RATE_HZ - 1e-9))
        actors = []
        for name, clip in zip(take.actors, take.clips):
            positions = np.asarray(clip.world_positions())[::step]
            low = positions.min(axis=(0, 1))
            size = float(max(float((positions.max(axis=(0, 1)) - low).max()), 1e-6))
            # 16 bits over the extent of the motion: a resolution of 0.1 mm over 6 m.
            counts = np.round((positions - low) * (65535.0 / size)).astype("<u2")
            actors.append(
                {
                    "name": name,
                    "parents": clip.skeleton.parents,
                    "low": [float(x) for x in low],
                    "size": size,
                    "positions": base64.b64encode(counts.tobytes()).decode("ascii"),
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
        """Returns the HTML of the page."""
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
