#!/usr/bin/env python3
"""Builds lazyimg without the default traits, .build/lean/lazyimg, and asks it for the facts of a GIF and of a film.

Modules that ask for a trait (`#if`) are compiled without any, where LazyVideo and CFFmpeg are not found; all others are taken from
a debug build, whose commands these are. What needs FFmpeg elsewhere has missing symbols then.

usage: lean.py    needs a debug build (swift build --enable-all-traits)
"""
import glob
import os
import re
import shutil
import subprocess

import debug_build
import symbols

OUT = os.path.join(symbols.ROOT, ".build/lean")
# What a trait adds, and what only that needs.
ABSENT = {"LazyVideo", "CFFmpeg"}
# What is not for one object in another folder.
DROPPED = debug_build.WITH_VALUE | {
    "-emit-dependencies", "-incremental", "-enable-batch-mode", "-serialize-diagnostics", "-parseable-output", "-emit-objc-header",
}


def modules(traits):
    """The modules that ask for a trait."""
    asks = re.compile(rf"^\s*#(?:if|elseif)\b.*\b(?:{'|'.join(traits)})\b", re.M)
    sources = glob.glob(f"{symbols.ROOT}/Sources/Lazy*/**/*.swift", recursive=True)
    return {path[len(symbols.ROOT):].split("/")[2] for path in sources if asks.search(open(path).read())}


def run(*words):
    done = subprocess.run(words, cwd=symbols.ROOT, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"lazyimg does not build without FFmpeg:\n{(done.stdout + done.stderr).strip()[-6000:]}")


def compile_module(name, traits):
    """Compiles a module of the debug build again, as one object."""
    dropped = DROPPED | {f"-D{trait}" for trait in traits}
    kept = [option for option in debug_build.options(debug_build.compiling(name))
            if option[0] not in dropped and not any(f"/{other}" in word for other in ABSENT for word in option)]
    run(*sum(kept, []), "-wmo", "-I", f"{OUT}/Modules", "-emit-module-path", f"{OUT}/Modules/{name}.swiftmodule",
        "-o", f"{OUT}/{name}.o")


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    os.makedirs(f"{OUT}/Modules")
    traits = [trait["name"] for trait in symbols.package()["traits"] if trait["name"] != "default"]
    listing, objects = debug_build.objects("lazyimg")
    again = sorted(modules(traits) & {debug_build.module_of(path) for path in objects})
    for path in glob.glob(f"{symbols.BUILD}/Modules/*"):
        if os.path.basename(path).split(".")[0] not in {*again, *ABSENT}:
            os.symlink(os.path.abspath(path), f"{OUT}/Modules/{os.path.basename(path)}")
    for name in again:
        compile_module(name, traits)
    kept = [path for path in objects if debug_build.module_of(path) not in {*again, *ABSENT}]
    with open(f"{OUT}/objects", "w") as file:
        print(*kept, *(f"{OUT}/{name}.o" for name in again), sep="\n", file=file)
    program = f"{OUT}/lazyimg"
    words = [f"@{OUT}/objects" if word == listing else word for word in debug_build.linking("lazyimg")]
    words[words.index("-o") + 1] = program
    run(*words, "-use-ld=lld")
    run(program, "info", "media/counter.gif")
    film = subprocess.run([program, "info", "media/small.mp4"], cwd=symbols.ROOT, capture_output=True, text=True)
    if film.returncode not in (65, 69):
        raise SystemExit(f"Without FFmpeg a film ends with exit {film.returncode}: {film.stdout}{film.stderr}")
    print(f"lazyimg builds without FFmpeg ({', '.join(again)} compiled again); a film: {film.stderr.strip()}")


main()
