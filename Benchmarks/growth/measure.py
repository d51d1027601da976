"""Runs commands and keeps what they cost: points of curves."""

import dataclasses
import math
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time


@dataclasses.dataclass
class Point:
    """What a job costs at one amount of work."""

    amount: float
    seconds: float  # the median
    memory: float = None  # MiB, the peak of the process
    note: str = ""


@dataclasses.dataclass
class Curve:
    """One job at growing amounts of work."""

    group: str
    name: str
    unit: str  # of the amount
    goal: str = ""
    points: list = dataclasses.field(default_factory=list)

    @property
    def slope(self):
        """How many times longer the job takes for ten times the work, from the first point to the last."""
        first, last = self.points[0], self.points[-1]
        decades = math.log10(last.amount / first.amount) if first.amount else 0
        return (last.seconds / first.seconds) ** (1 / decades) if decades and first.seconds else None


class Failure(Exception):
    """A command did not end well."""


def run(command, expected=(0,), weighs=True):
    """Runs a command once; returns seconds and MiB, or None for these if it is not weighed.

    The peak is that of /usr/bin/time, a small process: what Python starts has at least the peak of Python.
    """
    words = shlex.split(command) if isinstance(command, str) else command
    with open(os.devnull) as nothing, open(os.devnull, "w") as sink, tempfile.NamedTemporaryFile("r") as weight:
        scale = ["/usr/bin/time", "-q", "-f", "%M", "-o", weight.name] if weighs else []
        start = time.monotonic()
        child = subprocess.run([*scale, *words], stdin=nothing, stdout=sink, stderr=subprocess.PIPE)
        wall = time.monotonic() - start
        if child.returncode not in expected:
            complaint = child.stderr.decode(errors="replace")[-300:]
            raise Failure(f"{shlex.join(words)} ended with {child.returncode}: {complaint}")
        return wall, int(weight.read()) / 1024 if weighs else None


def point(amount, command, rounds=3, before=None, note=""):
    """The median of some runs, after one that is not counted where a run is short."""
    samples = []
    for number in range(rounds + 1):
        if before:
            before()
        samples.append(run(command, weighs=number == 0))
        if number == 0 and samples[0][0] > 5:
            break
        if sum(wall for wall, _ in samples) > 30:
            break
    counted = samples[1:] or samples
    return Point(amount, statistics.median(wall for wall, _ in counted), samples[0][1], note)


def fresh(folder):
    """An empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def say(text):
    print(text, file=sys.stderr, flush=True)
