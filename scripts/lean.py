#!/usr/bin/env python3
"""Builds lazyimg without the default traits, .build/lean/lazyimg, and asks it for the facts of a GIF and of a film.

Modules that ask for a trait (`#if`) are compiled without any, where LazyVideo and CFFmpeg are not found; all others are taken from
a debug build, whose commands these are. What needs FFmpeg elsewhere has missing symbols then.

usage: lean.py    needs a debug build (swift build --enable-all-traits)
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys

import symbols

OUT = os.path.join(symbols.ROOT, ".build/lean")
# What a trait adds, and what only that needs.
ABSENT = {"LazyVideo", "CFFmpeg"}


def commands():
    """The commands of the debug build by their names."""
    text = open(os.path.join(symbols.ROOT, ".build/debug.yaml")).read()
    found = re.findall(r'^  "(C\.[^"]+)":\n(?:    .*\n)*?    args: (\[.*\])$', text, re.M)
    return {name: json.loads(words) for name, words in found}


def command(name, ending):
    matching = [words for key, words in commands().items() if key.startswith(f"C.{name}-") and key.endswith(ending)]
    return min(matching, key=len) if name != "lazyimg" else next(w for w in matching if w[w.index("-o") + 1].endswith("/lazyimg"))


def modules(traits):
    """The modules of the program that ask for a trait."""
    asks = re.compile(rf"^\s*#(?:if|elseif)\b.*\b(?:{'|'.join(traits)})\b", re.M)
    sources = glob.glob(f"{symbols.ROOT}/Sources/Lazy*/**/*.swift", recursive=True)
    return sorted({path[len(symbols.ROOT):].split("/")[2] for path in sources if asks.search(open(path).read())})


def run(*words):
    done = subprocess.run(words, cwd=symbols.ROOT, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"lazyimg does not build without FFmpeg:\n{(done.stdout + done.stderr).strip()[-6000:]}")


# Options that are not for one object in another folder, some with a value.
WITH_VALUE = {"-emit-module-path", "-output-file-map", "-index-store-path", "-I", "-emit-objc-header-path"}
DROPPED = {
    "-emit-dependencies", "-incremental", "-enable-batch-mode", "-serialize-diagnostics", "-parseable-output", "-emit-objc-header",
}


def options(words):
    """The options of a command, each with its value."""
    place = 0
    while place < len(words):
        size = 1
        if words[place] == "-Xcc":
            size = 4 if words[place + 1] == "-I" else 2
        elif words[place] in WITH_VALUE:
            size = 2
        yield words[place:place + size]
        place += size


def compile_module(name, traits):
    """Compiles a module of the debug build again, as one object."""
    dropped = WITH_VALUE | DROPPED | {f"-D{trait}" for trait in traits}
    kept = [option for option in options(command(name, ".module"))
            if option[0] not in dropped and not any(f"/{other}" in word for other in ABSENT for word in option)]
    run(*sum(kept, []), "-wmo", "-I", f"{OUT}/Modules", "-emit-module-path", f"{OUT}/Modules/{name}.swiftmodule",
        "-o", f"{OUT}/{name}.o")


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    os.makedirs(f"{OUT}/Modules")
    traits = [trait["name"] for trait in symbols.package()["traits"] if trait["name"] != "default"]
    again = modules(traits)
    for path in glob.glob(f"{symbols.BUILD}/Modules/*"):
        if os.path.basename(path).split(".")[0] not in {*again, *ABSENT}:
            os.symlink(os.path.abspath(path), f"{OUT}/Modules/{os.path.basename(path)}")
    linking = command("lazyimg", ".exe")
    listing = next(word for word in linking if word.endswith("Objects.LinkFileList"))
    objects = open(listing[1:]).read().splitlines()
    again = [name for name in again if any(f"/{name}.build/" in path for path in objects)]
    for name in again:
        compile_module(name, traits)
    left = {*again, *ABSENT}
    kept = [path for path in objects if path.rsplit(".build/", 1)[0].rsplit("/", 1)[1] not in left]
    with open(f"{OUT}/objects", "w") as file:
        print(*kept, *(f"{OUT}/{name}.o" for name in again), sep="\n", file=file)
    program = f"{OUT}/lazyimg"
    words = [f"@{OUT}/objects" if word == listing else word for word in linking]
    words[words.index("-o") + 1] = program
    run(*words, "-use-ld=lld")
    run(program, "info", "media/counter.gif")
    film = subprocess.run([program, "info", "media/small.mp4"], cwd=symbols.ROOT, capture_output=True, text=True)
    if film.returncode not in (65, 69):
        raise SystemExit(f"Without FFmpeg a film ends with exit {film.returncode}: {film.stdout}{film.stderr}")
    print(f"lazyimg builds without FFmpeg ({', '.join(again)} compiled again); a film: {film.stderr.strip()}")


main()
