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


def test_a_search_tells_how_far_it_is(walks: Room) -> None:
    told: list[tuple[str, int, int]] = []

    def note(what: str, done: int, total: int) -> None:
        told.append((what, done, total))

    marey.follow(walks / "walks.marey", walks / "path.csv", progress=note)
    marey.transcribe(walks / "walks.marey", walks / "a.bvh", progress=note)
    assert len(told) >= 2 and all(what and 0 <= done <= total for what, done, total in told)


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


SHORT = """
import resource, sys, marey
import numpy as np
body = marey.Skeleton(["hip", "foot"], [-1, 0], [[0, 0, 0], [0, -1, 0]])
take = marey.Clip(body, 30.0, np.tile([0, 0, 0, 1], (300, 2, 1)), np.zeros((300, 3))).take("still")
corpus = marey.Corpus.create(sys.argv[1])
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    corpus.put(take)
except marey.Error as error:
    print(error.code, bool(error.hint))
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(corpus.takes(), corpus.check())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits on memory are set as Linux does")
@pytest.mark.parametrize(("spare_mb", "code"), [(4, "python/thread"), (200, "python/bug")])
def test_want_of_memory_for_threads_is_an_error_and_no_abort(room: Room, spare_mb: int, code: str) -> None:
    """With a few megabytes to spare no thread can be begun; with some more one can, and the many that it wants to share its work with
    cannot, which is taken for a fault of Marey's own."""
    line = [sys.executable, "-c", SHORT, str(room / "own.marey"), str(spare_mb << 20)]
    threads = {**os.environ, "RAYON_NUM_THREADS": "2000"}
    ran = subprocess.run(line, capture_output=True, text=True, env=threads, check=False)
    assert ran.stdout.splitlines() == [f"{code} True", "[] []"], ran.stderr
