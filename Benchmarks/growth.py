#!/usr/bin/env python3
"""Measures how time and memory grow with the work, and draws the curves.

usage: growth.py [GROUP…] [--small] [--lazyimg BINARY] [--folder DIR] [--picture FILE] [--draw] [--report]

Groups are films (their length), frames (their number), files (their number), entries (of the disk store), rounds (of
filling an image cache), callers (of a pipeline), stills (their size) and cores. Each group replaces its curves in
DIR/curves.json; then the tables of all groups are printed as Markdown and their picture is drawn. --draw only does the
latter; --report also keeps the first and the last points of the measured groups in data/growth.tsv. --small leaves out
the largest amount of each curve, to see in minutes that everything works. Inputs are made with ffmpeg and lazyimg in
DIR (.build/growth), once. Uses only the standard library.
"""

import argparse
import dataclasses
import json
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "growth"))

import report

import chart
import cores
import files
import films
import frames
import stills
import stores
import tables
from inputs import Inputs
from measure import Curve, Point

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GROUPS = {
    "films": ("Length of a film", films.curves),
    "frames": ("Number of frames", frames.curves),
    "files": ("Number of files", files.curves),
    "entries": ("Entries of a disk store", stores.entries),
    "rounds": ("An image cache that is filled and emptied", stores.rounds),
    "callers": ("Callers and views", stores.callers),
    "stills": ("Picture size", stills.curves),
    "cores": ("Cores", cores.curves),
}


class Bench:
    """What the groups share."""

    def __init__(self, arguments, scratch):
        self.lazyimg = os.path.abspath(arguments.lazyimg)
        self.program = os.path.abspath(arguments.program)
        self.inputs = Inputs(os.path.abspath(arguments.folder), self.lazyimg)
        self.scratch = scratch
        self.out = os.path.join(scratch, "out")


def load(path):
    if not os.path.exists(path):
        return {}
    with open(path) as file:
        return {group: [Curve(**(curve | {"points": [Point(**point) for point in curve["points"]]}))
                        for curve in curves] for group, curves in json.load(file).items()}


def save(path, results):
    with open(path, "w") as file:
        json.dump({group: [dataclasses.asdict(curve) for curve in curves] for group, curves in results.items()}, file,
                  indent=1)


def measure(arguments, path):
    results = load(path)
    scratch = tempfile.mkdtemp(prefix="lazyimg-growth-")
    try:
        for group in arguments.groups or GROUPS:
            title, make = GROUPS[group]
            print(title, file=sys.stderr)
            results[group] = []
            for curve in make(Bench(arguments, scratch)):
                results[group].append(curve)
                save(path, results)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def leave_out_the_largest():
    films.MINUTES, files.COUNTS, stores.ENTRIES = films.MINUTES[:-1], files.COUNTS[:-1], stores.ENTRIES[:-1]
    stores.CALLERS, stores.VIEWS = stores.CALLERS[:-1], stores.VIEWS[:-1]
    stills.MEGAPIXELS, stills.FILMS = stills.MEGAPIXELS[:-1], stills.FILMS[:-1]
    frames.COUNTS = {extension: counts[:-1] for extension, counts in frames.COUNTS.items()}


def panels(group, title, curves):
    """The panels of a group: films and frames have one for each job, others one for each unit."""
    found = {}
    for curve in curves:
        variant, _, job = curve.name.partition(": ")
        if group in ("films", "frames"):
            remote = ", HTTP" if variant.startswith("HTTP, ") else ""
            panel, label = f"{title}: {job}{remote}", variant.removeprefix("HTTP, ")
        else:
            panel, label = title if curve.unit == curves[0].unit else f"{title} ({curve.unit})", curve.name
        found.setdefault(panel, []).append(dataclasses.replace(curve, name=label))
    return found.items()


def write_report(found):
    """Keeps the curves of groups, from their first points to their last."""
    report.update("growth", [tables.row(title if len({each.unit for each in curves}) == 1 else curve.unit.capitalize(), curve)
                             for _, title, curves in found for curve in curves])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="*", metavar="GROUP", choices=[[], *GROUPS])
    parser.add_argument("--lazyimg", default=os.path.join(ROOT, ".build/release/lazyimg"))
    parser.add_argument("--program", default=os.path.join(ROOT, "Benchmarks/Micro/.build/release/micro"),
                        help="what measures stores and pipelines")
    parser.add_argument("--folder", default=os.path.join(ROOT, ".build/growth"), help="for inputs and curves.json")
    parser.add_argument("--picture", default=os.path.join(ROOT, "docs/images/growth.svg"))
    parser.add_argument("--draw", action="store_true", help="measure nothing")
    parser.add_argument("--report", action="store_true", help="keep the results in data/growth.tsv")
    parser.add_argument("--small", action="store_true", help="leave out the largest amount of each curve")
    arguments = parser.parse_args()
    if arguments.small:
        leave_out_the_largest()
    os.makedirs(arguments.folder, exist_ok=True)
    path = os.path.join(arguments.folder, "curves.json")
    if not arguments.draw:
        measure(arguments, path)
    results = load(path)
    found = [(group, title, [curve for curve in results.get(group, []) if curve.points])
             for group, (title, _) in GROUPS.items()]
    found = [(group, title, curves) for group, title, curves in found if curves]
    for _, title, curves in found:
        print(f"\n### {title}\n")
        for unit in dict.fromkeys(curve.unit for curve in curves):
            print("\n".join(tables.table([curve for curve in curves if curve.unit == unit])) + "\n")
    if arguments.report:
        write_report([each for each in found if each[0] in (arguments.groups or GROUPS)])
    if found:
        with open(arguments.picture, "w") as file:
            file.write("\n".join(chart.draw([panel for each in found for panel in panels(*each)])) + "\n")


if __name__ == "__main__":
    main()
