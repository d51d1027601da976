#!/usr/bin/env python3
"""Writes API/MODULE.txt, every public symbol of what users can import, and the JSON Schemas of renditions and reports.

A diff shows each change.

usage: api.py [--check]    needs a debug build (swift build); LAZYIMG_BUILD is its folder (.build/debug)
"""
import difflib
import os
import subprocess
import sys
import tempfile

import symbols

# Every type conforms to these, unless it says otherwise.
IMPLICIT = {"Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype", "Swift.BitwiseCopyable"}


def conformances(graphs):
    found = {}
    for graph in graphs:
        names = {symbol["identifier"]["precise"]: ".".join(symbol["pathComponents"]) for symbol in graph["symbols"]}
        for relation in graph["relationships"]:
            target = names.get(relation["target"]) or relation.get("targetFallback", "")
            if relation["kind"] in ("conformsTo", "inheritsFrom") and target not in IMPLICIT and target:
                found.setdefault(relation["source"], set()).add(target.removeprefix("Swift."))
    return found


def tree(graphs):
    """Path to declaration; a path without one is a type of another module that is extended."""
    conforming, declarations = conformances(graphs), {}
    for graph in graphs:
        for symbol in graph["symbols"]:
            text = " ".join("".join(part["spelling"] for part in symbol["declarationFragments"]).split())
            protocols = conforming.get(symbol["identifier"]["precise"])
            if protocols and not text.startswith("protocol "):
                name, where, constraints = text.partition(" where ")
                text = f"{name}: {', '.join(sorted(protocols))}{where}{constraints}"
            path = tuple(symbol["pathComponents"])
            declarations.setdefault(path, set()).add(text)
            for length in range(1, len(path)):
                declarations.setdefault(path[:length], set())
    return declarations


def listing(module, graphs):
    declarations = tree(graphs)
    lines = [f"@_exported import {name}" for name in symbols.exports(module)]
    for path in sorted(declarations):
        texts = declarations[path] or {f"extension {'.'.join(path)}"}
        lines += [f"{'    ' * (len(path) - 1)}{text}" for text in sorted(texts)]
    return "\n".join(lines) + "\n"


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        raise SystemExit(__doc__)
    folder = os.path.join(symbols.ROOT, "API")
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        made = {f"{module}.txt": listing(module, symbols.extract(module, os.path.join(scratch, module)))
                for module in symbols.modules()}
    program = os.path.join(symbols.BUILD, "lazyimg")
    for topic in "rendition", "report":
        made[f"{topic}.schema.json"] = subprocess.run(
            [program, "help", topic], check=True, capture_output=True, text=True).stdout
    listed = {name: open(os.path.join(folder, name)).read() for name in os.listdir(folder) if name.endswith((".txt", ".json"))}
    for name in sorted(made.keys() | listed.keys()):
        old, new = listed.get(name, ""), made.get(name, "")
        if check:
            sys.stdout.writelines(difflib.unified_diff(
                old.splitlines(True), new.splitlines(True), f"API/{name}", "this build", n=1))
        elif new:
            open(os.path.join(folder, name), "w").write(new)
        else:
            os.remove(os.path.join(folder, name))
    if check and made != listed:
        raise SystemExit("The public API is not the one listed in API/. If that is intended: make api, and commit the diff.")


main()
