#!/usr/bin/env python3
"""Writes measurements into BENCHMARKS.md: a section for each suite, a table for each group, a row for each measurement.

usage: report.py SECTION TABLE -- COMMAND…

Sections are between the comments `begin NAME` and `end NAME`. A suite replaces the rows that it has measured, found by
their first columns; other rows, other sections and all text stay. The last column of a row names the day, and the list
at the beginning of a section says what machine and which versions that was. Days without a row leave the list.

As a command, it runs a program that prints one measurement a line, shows what that prints and puts it into the table:
`GROUP: NAME   NUMBER ns …` is listed in the row of its group, `NAME: RESULT` has a row. Uses only the standard library.
"""

import datetime
import os
import platform
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "BENCHMARKS.md")
DAY = "measured"


class Page:
    """The page as it is, and changes of it."""

    def __init__(self, path=PAGE):
        self.path = path
        with open(path) as file:
            self.text = file.read()

    def update(self, section, title, header, rows, key=1, conditions=""):
        """Replaces rows of a table by those with the same first `key` cells, and adds the others below.

        A table whose columns differ is replaced as a whole. `header` is without the column of the day.
        """
        begin, body, end = self.parts(section)
        conditions = conditions or machine()
        days, body = days_of(body)
        day, conditions = label(days, conditions)
        days[day] = conditions
        header = [*header, DAY]
        before, old, after = table_of(body, title)
        kept = old[2:] if old and cells(old[0]) == header else []
        fresh = {tuple(map(str, row[:key])): line([*row, day]) for row in rows}
        found = [fresh.pop(tuple(cells(row)[:key]), row) for row in kept]
        rule = "|---" * key + "|--:" * (len(header) - key - 1) + "|---|"
        table = [line(header), rule, *found, *fresh.values()]
        body = before + table + after
        used = {cells(row)[-1] for row in body if row.startswith("| ")}
        listed = [f"* {day}: {text}" for day, text in sorted(days.items(), reverse=True) if day in used]
        self.text = begin + "\n".join(with_days(body, listed)) + end

    def parts(self, section):
        """What is before, in and behind the marks of a section, which is begun if there is none."""
        first, last = f"<!-- begin {section} -->\n", f"\n<!-- end {section} -->"
        if first not in self.text:
            self.text = self.text.rstrip("\n") + f"\n\n{first}## {section.capitalize()}\n{last}\n"
        start = self.text.index(first) + len(first)
        end = self.text.index(last, start)
        return self.text[:start], self.text[start:end].split("\n"), self.text[end:]

    def save(self):
        with open(self.path, "w") as file:
            file.write(self.text)


def cells(row):
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def line(values):
    return "| " + " | ".join("" if value is None else str(value) for value in values) + " |"


def days_of(body):
    """The machines by their days, and the lines of a section without that list."""
    days, rest = {}, []
    for text in body:
        if found := re.match(r"\* (\d{4}-\d\d-\d\d[a-z]?): (.*)", text):
            days[found[1]] = found[2]
        else:
            rest.append(text)
    return days, rest


def with_days(body, listed):
    """Puts the list of machines behind the heading of a section and its first paragraph."""
    head = next((k for k, text in enumerate(body) if text.startswith("### ")), len(body))
    before = body[:head]
    while before and not before[-1]:
        before.pop()
    return [*before, "", *listed, "", *body[head:]] if listed else body


def label(days, conditions):
    """The day, with a letter where another machine or revision was used on it, and all versions of that day."""
    day, known = datetime.date.today().isoformat(), conditions.split(", ")
    for suffix in ["", *"bcdefghij"]:
        listed = days.get(day + suffix, conditions).split(", ")
        if listed[:3] == known[:3]:  # the machine, the system and our revision
            return day + suffix, ", ".join([*listed, *(item for item in known if item not in listed)])
    return day, conditions


def table_of(body, title):
    """The lines before a table, those of the table and those behind it; the heading is added if there is none."""
    heading = f"### {title}"
    if heading not in body:
        while body and not body[-1]:
            body.pop()
        return [*body, "", heading, ""], [], []
    start = body.index(heading) + 1
    stop = next((k for k in range(start, len(body)) if body[k].startswith("### ")), len(body))
    first = next((k for k in range(start, stop) if body[k].startswith("|")), None)
    if first is None:
        return [*body[:start], ""], [], body[start:]
    last = next((k for k in range(first, stop) if not body[k].startswith("|")), stop)
    return body[:first], body[first:last], body[last:]


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
    section, title, command = sys.argv[1], sys.argv[2], sys.argv[4:]
    rows, times = [], {}
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    for text in child.stdout:
        print(text, end="", flush=True)
        if found := re.match(r"(\S[^:]*): (.*?) +([\d.]+) ns\b", text):
            times.setdefault(found[1], []).append(f"{found[2]} {time(float(found[3]) / 1e9)}")
        elif found := re.match(r"(\S[^:]*): (.+)", text):
            rows.append([found[1], found[2]])
    if child.wait():
        raise SystemExit(child.returncode)
    rows += [[name, " · ".join(costs)] for name, costs in times.items()]
    if rows:
        page = Page()
        page.update(section, title, ["", "result"], rows)
        page.save()


if __name__ == "__main__":
    main()
