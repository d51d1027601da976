#!/usr/bin/env python3
"""Writes measurements into BENCHMARKS.md: a table for each group or suite, in which rows list results by name.

usage: report.py TABLE ROW -- COMMAND…

A table is found by its first column's title. A run replaces the results that it has measured, found by the first cells of
their row and their name; other results, rows, tables and all text stay. The last column names the day of the newest results
of a row, older ones name their own; one list says what machine and which versions a day was. Days without a result leave it.

As a command, it runs a program that prints one measurement a line, shows what that prints and lists it:
`GROUP: NAME   NUMBER ns …` in the row of its group, `NAME: RESULT` in the row ROW. Uses only the standard library.
"""

import datetime
import os
import platform
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "BENCHMARKS.md")
DAY = re.compile(r"\d{4}-\d\d-\d\d[a-z]?\b")
LISTED = re.compile(rf"\* ({DAY.pattern}(?:, {DAY.pattern})*): (.*)")


class Page:
    """The page as it is, and changes of it."""

    def __init__(self, path=PAGE):
        self.path = path
        with open(path) as file:
            self.lines = file.read().splitlines()

    def update(self, header, rows, conditions=""):
        """Puts rows into the table of a header, which is without the column of the day.

        Cells that are dictionaries list results by their names; the cells before them tell rows apart.
        A table whose columns differ is replaced as a whole, one that is missing is added at the end.
        """
        if not rows:
            return
        days = {day: found[2] for text in self.lines if (found := LISTED.match(text)) for day in DAY.findall(found[1])}
        day, days = label(days, conditions or machine())
        title, header = f"| {header[0]} |", line([*header, "measured"])
        start = next((k for k, text in enumerate(self.lines) if text.startswith(title)), None)
        if start is None:
            self.lines.append("")
            start = len(self.lines)
        end = next((k for k in range(start, len(self.lines)) if not self.lines[k].startswith("|")), len(self.lines))
        key = next(k for k, cell in enumerate(rows[0]) if isinstance(cell, dict))
        kept = self.lines[start + 2:end] if self.lines[start:start + 1] == [header] else []
        table = {tuple(cells(text)[:key]): cells(text) for text in kept}
        for row in rows:
            old = table.get(tuple(row[:key]), [""] * len(row) + [day])
            table[tuple(row[:key])] = [*(merged(before, old[-1], cell, day) if isinstance(cell, dict) else cell
                                         for before, cell in zip(old, row)), day]
        self.lines[start:end] = [header, re.sub(r"[^|]+", "---", header), *map(line, table.values())]
        self.list_days(days)

    def list_days(self, days):
        """Writes the list of the days that tables name; those of the same machine and versions share a line."""
        used, lists = DAY.findall("\n".join(text for text in self.lines if text.startswith("|"))), {}
        for day in sorted(days.keys() & used, reverse=True):
            lists.setdefault(days[day], []).append(day)
        at = next((k for k, text in enumerate(self.lines) if LISTED.match(text)), len(self.lines))
        self.lines = [text for text in self.lines if not LISTED.match(text)]
        self.lines[at:at] = [f"* {', '.join(found)}: {text}" for text, found in lists.items()]

    def save(self):
        with open(self.path, "w") as file:
            file.write("\n".join(self.lines) + "\n")


def cells(row):
    return [cell.strip() for cell in row.strip().removeprefix("|").removesuffix("|").split("|")]


def line(values):
    return "| " + " | ".join(map(str, values)) + " |"


def merged(old, day, new, today):
    """A cell of results with newer ones; those that stay name their day."""
    items = dict((item.partition(": ")[::2] if ": " in item else ("", item)) for item in old.split(" · ") if item)
    if day != today:
        items = {name: text if DAY.search(text) else f"{text} ({day})" for name, text in items.items()}
    items |= {name.replace(": ", ", "): text for name, text in new.items()}
    return " · ".join(f"{name}: {text}" if name else text for name, text in items.items())


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
    table, row, command = sys.argv[1], sys.argv[2], sys.argv[4:]
    rows = {}
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    for text in child.stdout:
        print(text, end="", flush=True)
        if found := re.match(r"(\S[^:]*): (.*?) +([\d.]+) ns\b", text):
            rows.setdefault(found[1], {})[found[2]] = time(float(found[3]) / 1e9)
        elif found := re.match(r"(\S[^:]*): (.+)", text):
            rows.setdefault(row, {})[found[1]] = found[2]
    if child.wait():
        raise SystemExit(child.returncode)
    page = Page()
    page.update([table.capitalize(), "results"], list(rows.items()))
    page.save()


if __name__ == "__main__":
    main()
