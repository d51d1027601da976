#!/usr/bin/env python3
"""Measures batch --follow: a folder of many files with posters, into which more are written.

usage: report.py operations "batch --follow" -- Benchmarks/follow.py BINARY [FILES] [NEW]

FILES (100000) small GIFs in folders of 100 get their posters first. Then NEW (200) are written, ten a second; the time
from the close of a file to its poster is measured by looking every 5 ms. Prints that time and the peak of memory.
Uses only the standard library.
"""

import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def fill(folder, count, clip):
    """Writes copies that differ in their last byte, so that each has an identity of its own."""
    for number in range(count):
        if number % 100 == 0:
            os.makedirs(f"{folder}/{number // 100}")
        with open(f"{folder}/{number // 100}/{number}.gif", "wb") as file:
            file.write(clip)


def peak(process):
    with open(f"/proc/{process.pid}/status") as file:
        return int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) / 1024


def wait_for(path, seconds=60):
    end = time.monotonic() + seconds
    while not os.path.exists(path):
        if time.monotonic() > end:
            raise SystemExit(f"{path} was not made in {seconds} s")
        time.sleep(0.005)
    return time.monotonic()


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    binary = os.path.realpath(sys.argv[1])
    files, new = (int(word) for word in (sys.argv[2:] + ["100000", "200"][len(sys.argv) - 2:])[:2])
    with open(f"{ROOT}/media/counter.gif", "rb") as file:
        clip = file.read()
    place = tempfile.mkdtemp(prefix="follow-", dir=os.environ.get("TMPDIR", "/var/tmp"))
    job = ["poster", "-r", "films", "-W", "64", "-f", "jpg"]
    environment = {**os.environ, "XDG_STATE_HOME": f"{place}/state"}
    try:
        fill(f"{place}/films", files, clip)
        subprocess.run([binary, "batch", *job, "--quiet"], cwd=place, env=environment, check=True)
        begin = time.monotonic()
        process = subprocess.Popen([binary, "batch", "--follow", *job, "--quiet"], cwd=place, env=environment)
        # The search at the start finds what came before it.
        first = f"{place}/films/{(files - 1) // 100}/first"
        shutil.copy(f"{ROOT}/media/counter.gif", first + ".gif")
        ready = wait_for(first + ".jpg", 600) - begin
        times = []
        for number in range(new):
            path = f"{place}/films/{number % (files // 100)}/new-{number}"
            with open(path + ".gif", "wb") as file:
                file.write(clip)
            closed = time.monotonic()
            times.append(wait_for(path + ".jpg") - closed)
            time.sleep(max(0, closed + 0.1 - time.monotonic()))
        memory = peak(process)
        process.send_signal(signal.SIGTERM)
        process.wait()
    finally:
        shutil.rmtree(place)
    times.sort()
    print(f"{files} files: from close to poster {statistics.median(times) * 1000:.0f} ms median, "
          f"{times[int(len(times) * 0.95)] * 1000:.0f} ms 95th percentile, {times[-1] * 1000:.0f} ms most; "
          f"{memory:.0f} MiB; {ready:.1f} s until the first file")


if __name__ == "__main__":
    main()
