"""Runs commands and keeps what they cost: points of curves."""

import dataclasses
import math
import os
import shlex
import shutil
import statistics
import subprocess
import sys
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


def run(command, expected=(0,)):
    """Runs a command once; returns seconds and MiB."""
    words = shlex.split(command) if isinstance(command, str) else command
    with open(os.devnull) as nothing, open(os.devnull, "w") as sink:
        start = time.monotonic()
        child = subprocess.Popen(words, stdin=nothing, stdout=sink, stderr=subprocess.PIPE)
        complaint = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in expected:
        raise Failure(f"{shlex.join(words)} ended with {child.returncode}: {complaint.decode(errors='replace')[-300:]}")
    return wall, usage.ru_maxrss / 1024


def point(amount, command, rounds=3, before=None, note=""):
    """The median of some runs, after one that is not counted where a run is short."""
    samples = []
    for number in range(rounds + 1):
        if before:
            before()
        samples.append(run(command))
        if number == 0 and samples[0][0] > 5:
            break
        if sum(wall for wall, _ in samples) > 30:
            break
    counted = samples[1:] or samples
    return Point(amount, statistics.median(wall for wall, _ in counted), max(memory for _, memory in samples), note)


def fresh(folder):
    """An empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def say(text):
    print(text, file=sys.stderr, flush=True)
