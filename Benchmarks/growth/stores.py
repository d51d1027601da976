"""What is inside of a process: entries of a disk store, callers of a pipeline, views of a frame pool."""

import json
import os
import subprocess

from measure import Curve, Failure, Point, say

ENTRIES = [1_000, 100_000, 1_000_000]
CALLERS = [1, 64, 4_096]
VIEWS = [10, 100, 1_000]
GOALS = {"sweep of everything": "linear in all: flat an entry", "the slowest of those writes": "5 ms"}


def measured(bench, found, topic, unit, counts, folder=None):
    """Runs the program for each count, and adds its points to the curves."""
    for count in counts:
        words = [bench.program, "growth", topic, str(count)] + ([f"{folder}{count}"] if folder else [])
        reply = subprocess.run(words, capture_output=True, text=True)
        if reply.returncode:
            raise Failure(f"{' '.join(words)}: {reply.stderr[-300:]}")
        for line in reply.stdout.splitlines():
            result = json.loads(line)
            curve = found.setdefault((topic, result["name"]), Curve(
                "entries" if topic == "entries" else "callers", result["name"], unit,
                GOALS.get(result["name"], "flat")))
            curve.points.append(Point(result["amount"], result["seconds"], result["memory"]))
            say(f"  {curve.name}, {count}: {result['seconds'] * 1e6:.2f} µs, {result['memory']:.0f} MiB")
    return found


def entries(bench):
    # Kept between runs: writing a million files takes minutes.
    folder = os.path.join(bench.inputs.folder, "store")
    return list(measured(bench, {}, "entries", "entries", ENTRIES, folder).values())


def callers(bench):
    found = measured(bench, {}, "callers", "callers", CALLERS)
    return list(measured(bench, found, "views", "views", VIEWS).values())
