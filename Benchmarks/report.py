#!/usr/bin/env python3
"""Keeps measurements: BENCHMARKS.md has one table of `make bench`, data/ a file of each other suite with a picture.

usage: report.py DATA GROUP -- COMMAND…

The table is written as a whole, since it is of one machine and one day. A file of data (operations, screens, growth) has one
measurement a line; a run replaces those that it has measured, by group and name, and the others stay with their day. What
machine and which versions a day was is at the head of the file.

As a command, it runs a program that prints one measurement a line, shows what that prints and keeps it in data/DATA.tsv:
`GROUP: NAME   NUMBER ns …` in that group, `NAME: RESULT` in the group GROUP. Uses only the standard library.
"""

import datetime
import os
import platform
import re
import subprocess
import sys

import bars

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "BENCHMARKS.md")
COLUMNS = ["group", "name", "result", "measured"]


def write_table(header, rows, conditions):
    """Replaces the table of BENCHMARKS.md and the line that says what machine and day it is of."""
    with open(PAGE) as file:
        lines = file.read().splitlines()
    table = [line(header), re.sub(r"[^|]+", "---", line(header)), *map(line, rows)]
    start = next(k for k, text in enumerate(lines) if text.startswith("|"))
    end = next((k for k in range(start, len(lines)) if not lines[k].startswith("|")), len(lines))
    lines[start:end] = table
    day = next(k for k, text in enumerate(lines) if re.match(r"\* \d{4}-", text))
    lines[day] = f"* {datetime.date.today().isoformat()}: {conditions}"
    with open(PAGE, "w") as file:
        file.write("\n".join(lines) + "\n")


def line(values):
    return "| " + " | ".join(map(str, values)) + " |"


def update(name, rows, conditions=""):
    """Puts (group, name, result) into a file of data, and draws its times."""
    if not rows:
        return
    path = os.path.join(ROOT, "Benchmarks/data", name + ".tsv")
    days, kept = {}, {}
    if os.path.exists(path):
        with open(path) as file:
            for text in file.read().splitlines():
                if found := re.match(r"# (\S+): (.*)", text):
                    days[found[1]] = found[2]
                elif text.split("\t") != COLUMNS:
                    group, title, result, day = text.split("\t")
                    kept[group, title] = (result, day)
    day, days = label(days, conditions or machine())
    kept |= {(group, title): (result, day) for group, title, result in rows}
    # Those of a group stay together, in the order in which groups came about.
    order = list(dict.fromkeys(group for group, _ in kept))
    table = sorted(kept.items(), key=lambda each: order.index(each[0][0]))
    used = {each[1][1] for each in table}
    with open(path, "w") as file:
        for at in sorted(days.keys() & used, reverse=True):
            file.write(f"# {at}: {days[at]}\n")
        for (group, title), (result, at) in [((COLUMNS[0], COLUMNS[1]), (COLUMNS[2], COLUMNS[3])), *table]:
            file.write("\t".join([group, title, result, at]) + "\n")
    if name != "growth":  # Curves are drawn where they are measured.
        bars.write(os.path.join(ROOT, "docs/images", name + ".svg"), [(*key, result) for key, (result, _) in table])


def label(days, conditions):
    """The day, with a letter where another machine was used on it, and all days, with all versions of this one."""
    today, known = datetime.date.today().isoformat(), conditions.split(", ")
    for day in [today + suffix for suffix in ["", *"bcdefghij"]]:
        listed = days.get(day, conditions).split(", ")
        if listed[:2] == known[:2]:  # the machine and the system
            break
    return day, days | {day: ", ".join(dict.fromkeys(listed + known))}


def machine(programs=()):
    """The machine, its system and the versions of programs, in one line."""
    model = memory = ""
    with open("/proc/cpuinfo") as file:
        model = next((text.split(":", 1)[1].strip() for text in file if text.startswith("model name")), platform.machine())
    with open("/proc/meminfo") as file:
        memory = f"{int(file.readline().split()[1]) / 1024 ** 2:.0f} GiB"
    system = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    versions = [f"{name} {found}" for name in programs if (found := version(name))]
    parts = [f"{model} ({os.cpu_count()} cores)", f"{memory}; {system}", f"lazyimg {revision()}", *versions]
    return ", ".join(re.sub(r"\s+", " ", part) for part in parts)


def revision():
    """The commit, with a plus where the sources differ from it."""
    git = ["git", "-C", ROOT]
    commit = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "Sources", "Package.swift"], capture_output=True)
    return commit + ("+" if changed.returncode == 1 else "")


def version(program):
    """The first number with a point that a program prints about itself."""
    for option in ("--version", "-version"):
        try:
            reply = subprocess.run([program, option], capture_output=True, text=True, timeout=10)
        except (OSError, subprocess.TimeoutExpired):
            return None
        if found := re.search(r"\d+\.\d+[\w.]*", reply.stdout + reply.stderr):
            return found[0]
    return None


def time(seconds):
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs"), (1e9, "ns")):
        if seconds * factor >= 1 or unit == "ns":
            return f"{seconds * factor:.3g} {unit}"


def main():
    if len(sys.argv) < 5 or sys.argv[3] != "--":
        raise SystemExit(__doc__)
    data, group, command = sys.argv[1], sys.argv[2], sys.argv[4:]
    rows = []
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    for text in child.stdout:
        print(text, end="", flush=True)
        if found := re.match(r"(\S[^:]*): (.*?) +([\d.]+) ns\b", text):
            rows.append((found[1], found[2], time(float(found[3]) / 1e9)))
        elif found := re.match(r"(\S[^:]*): (.+)", text):
            rows.append((group, found[1], found[2]))
    if child.wait():
        raise SystemExit(child.returncode)
    update(data, rows)


if __name__ == "__main__":
    main()
