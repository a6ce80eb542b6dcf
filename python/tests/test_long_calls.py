"""Long calls release the interpreter, report their progress, and stop on Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from conftest import Workspace

import marey

LABEL = """
import sys, marey
with marey.Corpus.open(sys.argv[1]) as corpus:
    def on_progress(stage, done, total):
        print(stage, done, total, flush=True)
    marey.duet.label(corpus, iterations=1_000_000, progress=on_progress)
"""


@pytest.fixture
def bout(workspace: Workspace) -> Workspace:
    """A corpus with a bout of two fighters."""
    workspace.ok("examples", "taekwondo", "bout.glb", "--secs", 40, "--rate", 30)
    workspace.ok("corpus", "new", "bout.marey")
    workspace.ok("corpus", "add", "bout.marey", "bout.glb")
    return workspace


def test_ctrl_c_stops_a_long_call(bout: Workspace) -> None:
    with marey.Corpus.open(bout / "bout.marey") as corpus:
        before = corpus.takes(), corpus.take("bout"), corpus.annotations("bout")
    line = [sys.executable, "-c", LABEL, str(bout / "bout.marey")]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        assert any(line.startswith("generations") for line in process.stdout)
        os.kill(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=120)
        # The exit codes of Python after Ctrl-C.
        assert process.returncode in (-signal.SIGINT, 130), errors
    assert "KeyboardInterrupt" in errors and "Panic" not in errors
    # Nothing was changed, and the corpus is intact. What was detected in the takes may be kept.
    with marey.Corpus.open(bout / "bout.marey") as corpus:
        assert (corpus.takes(), corpus.take("bout"), corpus.annotations("bout")) == before
        assert corpus.check() == [] and corpus.segments() == []


def test_an_exception_of_the_callback_stops_the_call(bout: Workspace) -> None:
    class Stop(Exception):
        pass

    def on_progress(stage: str, done: int, total: int) -> None:
        if stage == "generations":
            raise Stop(f"{done} of {total} {stage}")

    with marey.Corpus.open(bout / "bout.marey") as corpus:
        with pytest.raises(Stop, match="1000000 generations"):
            marey.duet.label(corpus, iterations=1_000_000, progress=on_progress)
        assert corpus.segments() == []


def test_a_search_reports_its_progress(walks: Workspace) -> None:
    progress_calls: list[tuple[str, int, int]] = []

    def on_progress(stage: str, done: int, total: int) -> None:
        progress_calls.append((stage, done, total))

    marey.follow(walks / "walks.marey", walks / "path.csv", progress=on_progress)
    marey.transcribe(walks / "walks.marey", walks / "a.bvh", progress=on_progress)
    assert len(progress_calls) >= 2 and all(stage and 0 <= done <= total for stage, done, total in progress_calls)


def test_other_threads_run_during_a_long_call(bout: Workspace) -> None:
    ticks = 0
    done = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    with marey.Corpus.open(bout / "bout.marey") as corpus:
        marey.duet.label(corpus, iterations=60)
    ticks_during_call = ticks
    done.set()
    thread.join()
    # The thread could not run if the call held the interpreter.
    assert ticks_during_call > 3


LOW_MEMORY = """
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


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the test sets memory limits as on Linux")
@pytest.mark.parametrize(("spare_mb", "code"), [(4, "python/thread"), (200, "python/bug")])
def test_too_little_memory_for_threads_is_an_error(workspace: Workspace, spare_mb: int, code: str) -> None:
    """With a few megabytes to spare, the thread of the call cannot start. With some more it starts, but its worker threads cannot,
    which is reported as a bug."""
    line = [sys.executable, "-c", LOW_MEMORY, str(workspace / "python.marey"), str(spare_mb << 20)]
    environment = {**os.environ, "RAYON_NUM_THREADS": "2000"}
    completed = subprocess.run(line, capture_output=True, text=True, env=environment, check=False)
    assert completed.stdout.splitlines() == [f"{code} True", "[] []"], completed.stderr
