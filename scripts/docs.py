#!/usr/bin/env python3
"""Builds one DocC site of all products in .build/docs; a warning or an undocumented public symbol is an error, and
so is a file that a walk in ARCHITECTURE.md or docs/where.md names and that is none.

usage: docs.py [OUTPUT]    needs a debug build (swift build); LAZYIMG_BUILD is its folder (.build/debug)
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import symbols

# Opens the front page wherever the site is served from.
INDEX = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=documentation/lazyimg/">\n'


def undocumented(graphs):
    """Own symbols without a comment; the compiler's own (raw values, decoding, projected values) need none."""
    for graph in graphs:
        for symbol in graph["symbols"]:
            name = symbol["pathComponents"][-1]
            if "docComment" not in symbol and name not in ("init(rawValue:)", "init(from:)") and not name.startswith("$"):
                yield f"{graph['module']['name']}: {'.'.join(symbol['pathComponents'])}"


def missing_stops():
    """The stops between the arrows of ARCHITECTURE.md, and answers of docs/where.md, that are the name of no Swift file."""
    with open(f"{symbols.ROOT}/ARCHITECTURE.md") as page:
        walks = page.read().partition("## The walks")[2].partition("\n## ")[0]
    with open(f"{symbols.ROOT}/docs/where.md") as page:
        walks += page.read().replace("`CSandbox`", "")
    files = {os.path.basename(path)[:-6] for path in glob.glob(f"{symbols.ROOT}/Sources/**/*.swift", recursive=True)}
    return [stop for stop in re.findall(r"`([A-Z][A-Za-z0-9+]*)`", walks) if stop not in files]


def main():
    if stops := missing_stops():
        raise SystemExit("Names in ARCHITECTURE.md or docs/where.md that are no files: " + ", ".join(stops))
    output = os.path.abspath(sys.argv[1] if sys.argv[1:] else os.path.join(symbols.ROOT, ".build/docs"))
    with tempfile.TemporaryDirectory() as scratch:
        missing, catalog, graphs = [], os.path.join(scratch, "lazyimg.docc"), os.path.join(scratch, "graphs")
        os.makedirs(graphs)
        for module in symbols.modules():
            missing += undocumented(symbols.extract(module, os.path.join(scratch, module)))
            for path in glob.glob(f"{scratch}/{module}/*.symbols.json"):
                shutil.move(path, graphs)
        if missing:
            raise SystemExit("Public symbols without documentation:\n  " + "\n  ".join(sorted(missing)))
        # Links between modules resolve where all of them are converted together.
        for folder in glob.glob(f"{symbols.ROOT}/docs/*.docc") + glob.glob(f"{symbols.ROOT}/Sources/*/*.docc"):
            shutil.copytree(folder, os.path.join(catalog, os.path.basename(folder)[:-5]))
        shutil.rmtree(output, ignore_errors=True)
        done = subprocess.run(
            ["docc", "convert", catalog, "--additional-symbol-graph-dir", graphs, "--output-path", output,
             "--fallback-display-name", "lazyimg", "--fallback-bundle-identifier", "lazyimg",
             "--warnings-as-errors"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise SystemExit(done.stdout.replace(f"{catalog}/", ""))
    open(os.path.join(output, "index.html"), "w").write(INDEX)
    print(f"{output}/index.html (serve it: python3 -m http.server -d {output})")


main()
