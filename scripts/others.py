#!/usr/bin/env python3
"""Compiles the packages beside this one (Benchmarks/, Desktop/, Examples/, Server/, fuzz/) against the modules of a debug build.

Nothing is linked, so that it takes minutes less than building each of them. Warnings are errors.

usage: others.py [PACKAGE]...    needs a debug build (swift build); LAZYIMG_BUILD is its folder (.build/debug)
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

import symbols

PACKAGES = ["Benchmarks/Download", "Benchmarks/Isolation", "Benchmarks/Micro", "Desktop", "Examples", "Server", "fuzz"]
# What a package has from elsewhere is built with empty functions: modules are enough.
SCRATCH = os.path.join(symbols.ROOT, ".build/others")
QUICK = ["--disable-index-store", "-Xswiftc", "-gnone", "-Xswiftc", "-experimental-skip-non-inlinable-function-bodies"]


class Failed(Exception):
    """A command that ended with an error; holds what it printed."""


def run(*command):
    done = subprocess.run(command, cwd=symbols.ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise Failed(f"{' '.join(command[:4])} …\n{done.stdout.strip()[-6000:]}")
    return done.stdout


def module_maps(folder):
    return [argument for path in sorted(glob.glob(f"{folder}/*.build/module.modulemap"))
            for argument in ("-Xcc", f"-fmodule-map-file={path}")]


def own_modules():
    maps = sorted(glob.glob(f"{symbols.ROOT}/Sources/C/*/module.modulemap"))
    return ["-I", f"{symbols.BUILD}/Modules", *module_maps(symbols.BUILD),
            *(argument for path in maps for argument in ("-Xcc", f"-fmodule-map-file={path}"))]


def product(entry):
    """The name and the package of a product that a target depends on, or None."""
    return entry["product"][:2] if "product" in entry else None


def outside(package, targets):
    """Builds the products that come from other packages than this one, and returns where their modules are."""
    wanted = {product(entry)[0] for target in targets for entry in target["dependencies"]
              if product(entry) and product(entry)[1] != "lazyimg"}
    if not wanted:
        return []
    for name in sorted(wanted):
        run("swift", "build", "--package-path", package, "--scratch-path", SCRATCH, "--product", name, *QUICK)
    maps = glob.glob(f"{SCRATCH}/checkouts/*/Sources/*/include/module.modulemap")
    built = f"{SCRATCH}/debug"
    # SwiftPM writes module maps of all targets, also of ours, which are not built there.
    ours = {os.path.basename(os.path.dirname(path)) for path in glob.glob(f"{symbols.BUILD}/*.build/module.modulemap")}
    theirs = [path for path in glob.glob(f"{built}/*.build/module.modulemap")
              if os.path.basename(os.path.dirname(path)) not in ours]
    maps += theirs
    return ["-I", f"{built}/Modules",
            *(argument for path in sorted(maps) for argument in ("-Xcc", f"-fmodule-map-file={path}"))]


def in_order(targets):
    """Targets after those that they depend on."""
    done, rest = [], list(targets)
    while rest:
        names = {target["name"] for target in rest}
        ready = [target for target in rest
                 if not any(entry.get("byName", [None])[0] in names for entry in target["dependencies"])]
        done += ready
        rest = [target for target in rest if target not in ready]
    return done


def folder(package, target):
    beginning = "Tests" if target["type"] == "test" else "Sources"
    return os.path.join(symbols.ROOT, package, target.get("path") or f"{beginning}/{target['name']}")


def swift_settings(target):
    for setting in target["settings"]:
        (kind, value), = setting["kind"].items()
        if kind == "swiftLanguageMode":
            yield from ("-swift-version", value["_0"])
        elif kind == "enableUpcomingFeature":
            yield from ("-enable-upcoming-feature", value["_0"])


def flags(name):
    return [word for flag in run("pkg-config", "--cflags", name).split() for word in ("-Xcc", flag)]


def compile_target(package, target, common, scratch):
    """Compiles one target; returns the arguments that those that import it need."""
    path = folder(package, target)
    if target["type"] == "system":
        return ["-Xcc", f"-fmodule-map-file={path}/module.modulemap", *flags(target["pkgConfig"])]
    c_files = sorted(glob.glob(f"{path}/*.c"))
    if c_files:
        include = f"{path}/include"
        plain = [word for word in common if word != "-Xcc" and not word.startswith("-fmodule-map-file")]
        run("clang", "-fsyntax-only", "-Wall", "-Werror", "-fblocks", "-I", include, *plain, *c_files)
        map_path = os.path.join(scratch, f"{target['name']}.modulemap")
        with open(map_path, "w") as file:
            file.write(f'module {target["name"]} {{ umbrella "{include}" export * }}\n')
        return ["-Xcc", f"-fmodule-map-file={map_path}", "-Xcc", f"-I{include}"]
    files = sorted(glob.glob(f"{path}/**/*.swift", recursive=True))
    library = [] if any(file.endswith("/main.swift") for file in files) else ["-parse-as-library"]
    run("swiftc", "-emit-module", "-module-name", target["name"].replace("-", "_"), "-package-name", "others",
        "-emit-module-path", os.path.join(scratch, target["name"].replace("-", "_") + ".swiftmodule"), "-Onone",
        "-module-cache-path", f"{SCRATCH}/cache", "-enable-testing", "-warnings-as-errors", "-I", scratch, *library,
        *swift_settings(target), *common, *files)
    return []


def compile_package(package):
    targets = json.loads(symbols.run("swift", "package", "--package-path", package, "dump-package"))["targets"]
    with tempfile.TemporaryDirectory() as scratch:
        common = own_modules() + outside(package, targets)
        for target in in_order(targets):
            common += compile_target(package, target, common, scratch)
    print(f"{package}: {len(targets)} targets compile")


def main():
    os.makedirs(f"{SCRATCH}/cache", exist_ok=True)
    for package in sys.argv[1:] or PACKAGES:
        try:
            compile_package(package)
        except Failed as error:
            raise SystemExit(f"{package} does not compile: {error}") from None


main()
