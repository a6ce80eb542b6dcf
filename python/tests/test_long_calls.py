"""Long calls leave the interpreter free, tell how far they are, and end on Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from conftest import Room

import marey

LABEL = """
import sys, marey
with marey.Corpus.open(sys.argv[1]) as corpus:
    def told(what, done, total):
        print(what, done, total, flush=True)
    marey.duet.label(corpus, iterations=1_000_000, progress=told)
"""


@pytest.fixture
def bout(room: Room) -> Room:
    """A corpus with a bout of two."""
    room.ok("examples", "taekwondo", "bout.glb", "--secs", 40, "--rate", 30)
    room.ok("corpus", "new", "bout.marey")
    room.ok("corpus", "add", "bout.marey", "bout.glb")
    return room


def test_ctrl_c_ends_a_long_call(bout: Room) -> None:
    before = bout.read("bout.marey")
    line = [sys.executable, "-c", LABEL, str(bout / "bout.marey")]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline().startswith("generations")
        os.kill(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=120)
        # Python's own way to end by Ctrl-C.
        assert process.returncode in (-signal.SIGINT, 130), said
    assert "KeyboardInterrupt" in said and "Panic" not in said
    # Nothing was changed, and the corpus is whole.
    assert bout.read("bout.marey") == before
    with marey.Corpus.open(bout / "bout.marey") as corpus:
        assert corpus.check() == [] and corpus.segments() == []


def test_what_a_callback_raises_ends_the_call(bout: Room) -> None:
    class Enough(Exception):
        pass

    def told(what: str, done: int, total: int) -> None:
        raise Enough(f"{done} of {total} {what}")

    with marey.Corpus.open(bout / "bout.marey") as corpus:
        with pytest.raises(Enough, match="1000000 generations"):
            marey.duet.label(corpus, iterations=1_000_000, progress=told)
        assert corpus.segments() == []


def test_other_threads_go_on_meanwhile(bout: Room) -> None:
    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    with marey.Corpus.open(bout / "bout.marey") as corpus:
        marey.duet.label(corpus, iterations=60)
    during = counted
    done.set()
    thread.join()
    # Had the interpreter not been free, the thread would not have come by.
    assert during > 3
