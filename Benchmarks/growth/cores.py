"""Cores: what `--jobs` gains, and what more cores would, simulated from the times of the jobs."""

import heapq
import json
import os
import subprocess
import time

from measure import Curve, Point, fresh, run, say

COUNT = 96
SIMULATED = [1, 2, 8, 32, 64]


def curves(bench):
    clips = [bench.inputs.film("MP4, moov first", 1), bench.inputs.animation("gif", 10_000),
             bench.inputs.still("jpg", 12), bench.inputs.still("png", 1)]
    folder = fresh(os.path.join(bench.scratch, "mixed"))
    for number in range(COUNT):
        source = clips[number % len(clips)]
        os.symlink(source, os.path.join(folder, f"{number:03d}{os.path.splitext(source)[1]}"))
    command = [bench.lazyimg, "batch", "poster", "-r", folder, "--width", "320", "--no-journal", "--quiet", "-o"]
    measured = Curve("cores", "measured", "cores", "2 cores: 1.8 ×")
    for jobs in (1, 2):
        samples = sorted(run(command + [fresh(bench.out), "--jobs", str(jobs)]) for _ in range(3))
        measured.points.append(Point(jobs, *samples[1]))
    gain = measured.points[0].seconds / measured.points[1].seconds
    measured.points[-1].note = f"{gain:.2f} × of one"
    say(f"  --jobs 2: {gain:.2f} × of --jobs 1")
    durations, overhead = recorded(command[:-2] + ["--jsonl", "--jobs", "1", "-o", fresh(bench.out)])
    simulated = Curve("cores", "simulated", "cores", "")
    for cores in SIMULATED:
        simulated.points.append(Point(cores, overhead + makespan(durations, cores)))
        say(f"  {cores} cores: {simulated.points[-1].seconds:.3f} s")
    best = simulated.points[0].seconds / simulated.points[-1].seconds
    simulated.points[-1].note = (f"{best:.1f} × of one; {overhead * 1e3:.0f} ms are not divided, and the longest job"
                                 f" takes {max(durations) * 1e3:.0f} ms")
    return [measured, simulated]


def recorded(command):
    """The seconds of each job, by the events of a run one after the other, and the seconds of the rest."""
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    begun, durations = {}, []
    for line in child.stdout:
        now, event = time.monotonic(), json.loads(line)
        if event.get("event") == "start":
            begun[event.get("input")] = now
        elif event.get("event") == "done":
            durations.append(now - begun[event.get("input")])
    child.wait()
    return durations, time.monotonic() - start - sum(durations)


def makespan(durations, cores):
    """When the last job ends if each free core takes the next one."""
    free = [0.0] * cores
    for duration in durations:
        heapq.heappush(free, heapq.heappop(free) + duration)
    return max(free)
