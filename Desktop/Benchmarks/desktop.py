#!/usr/bin/env python3
"""Measures the window: main-actor hops, wakeups, frames of a grid and of 100 animations, memory, start.

usage: desktop.py [--build PATH] [--renderer cairo|gl]   (after `swift build -c release --package-path Desktop`)
"""
import argparse
import os
import statistics
import subprocess
import tempfile
import time

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--build", default=root + "/Desktop/.build/release")
parser.add_argument("--renderer", default="cairo")
options = parser.parse_args()

screen = subprocess.Popen(
    ["Xvfb", "-displayfd", "1", "-screen", "0", "2100x1300x24", "+extension", "GLX", "-nolisten", "tcp"],
    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
environment = dict(
    os.environ, DISPLAY=":" + screen.stdout.readline().strip(), GDK_BACKEND="x11", GSK_RENDERER=options.renderer,
    LIBGL_ALWAYS_SOFTWARE="1", GTK_A11Y="none", GSETTINGS_BACKEND="memory", GIO_USE_VFS="local")


def media(name):
    return f"{root}/media/{name}"


def run(*words):
    program = subprocess.run(
        [options.build + "/GTKBenchmark", *words], env=environment, stdout=subprocess.PIPE, text=True)
    return program.stdout.strip()


def start(*words):
    """The milliseconds from the start of a process to its first complete picture; median of 5."""
    times = []
    for _ in range(5):
        begin = time.monotonic()
        program = subprocess.Popen(
            [options.build + "/GTKBenchmark", *words], env=environment, stdout=subprocess.PIPE, text=True)
        program.stdout.readline()
        times.append((time.monotonic() - begin) * 1000)
        program.kill()
        program.wait()
    return f"{statistics.median(times):.0f} ms"


try:
    print("hop to the main actor:", run("hop", media("clip.mp4")))
    print("wakeups with a still image:", run("idle", media("still.jpg")))
    print("a film's poster:", start("poster", media("clip.mp4")), "from the start, a bare window", start("bare"))
    print("100 animations:", run("wall", "20", media("counter.gif"), media("animation.webp"), media("animation.png")))
    with tempfile.TemporaryDirectory() as folder:
        names = ["still.jpg", "counter.gif", "animation.webp", "still.webp", "animation.png", "still-rgb8.png"]
        for number in range(1000):
            os.symlink(media(names[number % len(names)]), f"{folder}/{number}-{names[number % len(names)]}")
        print("list flung:", run("grid", folder, "5"))
finally:
    screen.terminate()
