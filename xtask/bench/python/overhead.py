"""Measure reading a BVH into numpy and a step of a live session; print the best of several rounds as JSON."""

import json
import sys
import time

import marey


def main() -> None:
    file, performed, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    load_secs = float("inf")
    for number in range(rounds + 1):
        start = time.perf_counter()
        clip = marey.load(file)[0]
        rotations, positions = clip.rotations, clip.positions
        secs = time.perf_counter() - start
        assert rotations.size and positions.size
        load_secs = min(load_secs, secs if number else load_secs)
    recording = marey.perform.Recording(performed)
    rotations, positions, closed = list(recording.rotations), list(recording.positions), recording.closed
    period = 1.0 / recording.rate_hz
    step_micros = float("inf")
    for _ in range(rounds):
        session = marey.perform.Session("adventure", recording)
        step, clock = session.step, time.perf_counter_ns
        micros = []
        for rotation, position, is_closed in zip(rotations, positions, closed):
            start = clock()
            step(rotation, position, is_closed, period)
            micros.append((clock() - start) / 1e3)
        micros.sort()
        step_micros = min(step_micros, micros[len(micros) // 2])
    print(json.dumps({"load_secs": load_secs, "step_micros": step_micros}))


if __name__ == "__main__":
    main()
