#!/usr/bin/env python3
"""Plants the faults of mutants.txt in a copy of the sources and reports those that no test finds.

usage: mutants.py [--tree FOLDER] [--only REGEX] [--plant]

All faults are built at once, each behind `mutant(NUMBER)`, which is true where MUTANT is that number; so one build
serves all runs. --tree: where the copy and its build are (.build/mutants). --plant: only writes the copy.
"""
import argparse
import os
import re
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SWITCH = """import Glibc

private let planted = getenv("MUTANT").flatMap { Int(String(cString: $0)) } ?? -1

func mutant(_ number: Int) -> Bool { planted == number }
"""


def places():
    """(number, file, suites, old, new) of each line."""
    file = suites = None
    for line in open(os.path.join(ROOT, "scripts/mutants.txt")):
        line = line.rstrip("\n")
        if header := re.fullmatch(r"\[(\S+)\] (.+)", line):
            file, suites = header.groups()
        elif line and not line.startswith("#"):
            old, new = re.fullmatch(r"(.+?) =>(?: (.+))?", line).groups()
            yield file, suites, old, new


def planted(number, old, new):
    condition = f"mutant({number})"
    if new is None:
        return f"if !{condition} {{ {old} }}"
    if re.search(r"\bM\b", new):
        return re.sub(r"\bM\b", condition, new)
    return f"({condition} ? ({new}) : ({old}))"


def plant(tree):
    """Copies the sources with all faults; returns what has no single place any more."""
    for name in ("Sources", "Tests", "media", "Package.swift"):
        source, copy = os.path.join(ROOT, name), os.path.join(tree, name)
        if os.path.isdir(source):
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(source, copy)
        else:
            shutil.copy2(source, copy)
    paths = {name: os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(tree, "Sources"))
             for name in names}
    lost, modules = [], set()
    for number, (file, _, old, new) in enumerate(places()):
        text = open(paths[file]).read() if file in paths else ""
        if text.count(old) != 1:
            lost.append(f"{file}: {old}")
            continue
        open(paths[file], "w").write(text.replace(old, planted(number, old, new)))
        modules.add(os.path.relpath(paths[file], os.path.join(tree, "Sources")).split("/")[0])
    for module in modules:
        open(os.path.join(tree, "Sources", module, "Mutants.swift"), "w").write(SWITCH)
    return lost


def passes(tree, suites, number):
    bundle = os.path.join(tree, ".build/debug/lazyimgPackageTests.xctest")
    command = [bundle, "--testing-library", "swift-testing", "--filter", suites]
    try:
        return subprocess.run(command, cwd=tree, env=os.environ | {"MUTANT": str(number)}, timeout=60,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--tree", default=os.path.join(ROOT, ".build/mutants"))
    parser.add_argument("--only", default="")
    parser.add_argument("--plant", action="store_true")
    arguments = parser.parse_args()
    os.makedirs(arguments.tree, exist_ok=True)
    lost = plant(arguments.tree)
    for place in lost:
        print(f"not found once: {place}")
    if arguments.plant:
        return
    subprocess.run(["swift", "build", "--build-tests", "--quiet", "-Xswiftc", "-suppress-warnings"], cwd=arguments.tree,
                   check=True)
    for suites in sorted({suites for _, suites, _, _ in places()}):
        if not passes(arguments.tree, suites, -1):
            raise SystemExit(f"{suites} fails without a fault.")
    found, alive = 0, []
    for number, (file, suites, old, new) in enumerate(places()):
        place = f"{file}: {old} => {new or 'nothing'}"
        if place.split(" => ")[0] in lost or not re.search(arguments.only, place):
            continue
        if passes(arguments.tree, suites, number):
            alive.append(place)
            print(f"alive: {place}", flush=True)
        else:
            found += 1
    print(f"{found} faults found, {len(alive)} not found, {len(lost)} places lost.")
    raise SystemExit(1 if alive or lost else 0)


main()
