"""What is inside of a process: entries of a disk store, an image cache, callers of a pipeline, views of a frame pool."""

import json
import os
import subprocess

from measure import Curve, Failure, Point, say

ENTRIES = [1_000, 100_000, 1_000_000]
CALLERS = [1, 64, 4_096]
VIEWS = [10, 100, 1_000]
PICTURES = {(300, 200): 1_666, (640, 480): 325, (2000, 1500): 33}  # about 400 MB of each
GOALS = {"sweep of everything": "linear in all: flat an entry", "the slowest of those writes": "5 ms"}


def replies(bench, topic, count, *paths):
    """Runs the program for a count; returns what it measured."""
    words = [bench.program, "growth", topic, str(count), *paths]
    reply = subprocess.run(words, capture_output=True, text=True)
    if reply.returncode:
        raise Failure(f"{' '.join(words)}: {reply.stderr[-300:]}")
    return [json.loads(line) for line in reply.stdout.splitlines()]


def measured(bench, found, topic, unit, counts, folder=None):
    """Adds the points of each count to the curves."""
    for count in counts:
        for result in replies(bench, topic, count, *([f"{folder}{count}"] if folder else [])):
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


def rounds(bench):
    """Loads that fill an image cache, which is then emptied; the notes have what is resident after each."""
    for (width, height), count in PICTURES.items():
        results = replies(bench, "rounds", count, bench.inputs.picture(width, height))
        full, empty = (", ".join(f"{result[state]:.0f}" for result in results) for state in ("full", "empty"))
        yield Curve(
            "rounds", f"a load of {width} x {height}, {count} times", "round", "full 1.15 × the cost + 60, emptied 90",
            [Point(result["amount"], result["seconds"], result["full"], f"full {full}; emptied {empty} MiB; "
                   f"cost {result['cost']:.0f} MiB") for result in results])
        say(f"  {width} x {height}: full {full}, emptied {empty} MiB")
