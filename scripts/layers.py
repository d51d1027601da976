#!/usr/bin/env python3
"""Checks that folders are layers: within a module, they refer to each other in one direction only.

That is by types, functions and members of extensions.

Also checks the table of what may import what, and compiles the folder of each format of LazyCodecs without the others.

usage: layers.py [MODULE]...    prints the folders of modules, lowest first; without names checks all
                                the formats need a debug build (swift build); LAZYIMG_BUILD is its folder (.build/debug)
"""
import collections
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

import swift_names
import symbols

TABLE = os.path.join(symbols.ROOT, "scripts/layers.txt")
FORMATS = "LazyCodecs"


def read_sources(root="Sources"):
    """The Swift files of Sources, by module."""
    found = collections.defaultdict(list)
    for path in sorted(glob.glob(f"{symbols.ROOT}/{root}/*/**/*.swift", recursive=True)):
        module, *folders, _ = os.path.relpath(path, f"{symbols.ROOT}/{root}").split("/")
        with open(path) as file:
            found[module].append(swift_names.Source(module, "/".join(folders) or ".", path, file.read()))
    return found


class Rules:
    """The table: who may import what, what stays apart, which calls are forbidden, and which circles are accepted."""

    def __init__(self, text):
        self.users, self.apart, self.calls = {}, [], []
        # The number of folders that may be in a circle, by module.
        self.circles = collections.Counter()
        for line in text.splitlines():
            words = line.split()
            if not words or words[0] == "#":
                continue
            if words[0] == "apart":
                one, others = line.split(None, 1)[1].split("|")
                self.apart.append((one.split(), others.split()))
            elif words[0] == "calls":
                modules, calls = line.split(None, 1)[1].split("|")
                self.calls.append((modules.split(), calls.split()))
            elif words[0] == "circle":
                self.circles[words[1]] = int(words[2])
            else:
                self.users[words[0]] = words[1:]


def is_in(source, places):
    """Whether a file is in one of some folders, such as `LazyCodecs/AVIF`, or below it."""
    own = f"{source.module}/{source.folder}/"
    return any(own.startswith(place + "/") for place in places)


def where(source):
    return os.path.relpath(source.path, symbols.ROOT)


def header_names(header):
    """The functions and types that a C header declares."""
    with open(f"{symbols.ROOT}/Sources/C/{header.replace('/', '/include/')}") as file:
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", file.read(), flags=re.DOTALL)
    found = re.findall(r"^\w[^\n;{}()]*?\b(\w+)\s*\(|^\}\s*(\w+);", text, re.M)
    return {name for names in found for name in names if name}


def forbidden(sources, rules):
    """Sentences about imports and conditions that the table does not allow."""
    traits = {trait["name"] for trait in symbols.package()["traits"]} - {"default"}
    c_targets = {os.path.basename(folder) for folder in glob.glob(f"{symbols.ROOT}/Sources/C/*")}
    headers = {header: header_names(header) for header in rules.users if header.endswith(".h")}
    for source in sources:
        for module in sorted(source.imports):
            if module in rules.users and not is_in(source, rules.users[module]):
                yield f"{where(source)} imports {module}, which is for {' '.join(rules.users[module])}"
            elif module in c_targets and module not in rules.users and not any(name.startswith(f"{module}/") for name in headers):
                yield f"{where(source)} imports {module}, which is not in the table"
        for some, others in rules.apart:
            for one, other in ((some, others), (others, some)):
                for module in sorted(source.imports & set(other)) if source.module in one else ():
                    yield f"{where(source)} imports {module}, from which {source.module} is kept apart"
        words = set(re.findall(r"\b[a-z]\w*", source.code))
        for header, names in headers.items():
            if not is_in(source, rules.users[header]) and words & names:
                yield f"{where(source)} uses {min(words & names)} of {header}, which is for {' '.join(rules.users[header])}"
        for condition in re.findall(r"^\s*#(?:else)?if\b(.*)", source.code, re.M):
            if traits & set(re.findall(r"(?<![(\w])[A-Z]\w*", condition)) and not is_in(source, rules.users["#if"]):
                yield f"{where(source)} has #if{condition}, which is for {' '.join(rules.users['#if'])}"


def forbidden_calls(sources, rules):
    """Sentences about calls that the table forbids in a module."""
    for source in sources:
        for modules, calls in rules.calls:
            for call in calls if source.module in modules else ():
                if re.search(rf"(?<!\w){re.escape(call)}", source.code):
                    yield f"{where(source)} calls {call}, which is not for {source.module}"


def arrows(sources, modules):
    """Between folders of a module: (folder, folder) to the references, each `File: name`."""
    found = collections.defaultdict(list)
    everything = [source for others in modules.values() for source in others]
    for user, owner, name in (*swift_names.references(sources), *swift_names.member_references(sources, everything)):
        if user.folder != owner.folder:
            found[user.folder, owner.folder].append(f"{os.path.basename(user.path)}: {name}")
    return found


def targets(found):
    """From each folder to those that it refers to."""
    lower = collections.defaultdict(set)
    for user, owner in found:
        lower[user].add(owner)
    return lower


def unwanted_circles(module, found, rules):
    """Sentences about folders that refer to each other."""
    for circle in swift_names.circles(targets(found)):
        if len(circle) <= rules.circles[module]:
            continue
        yield f"{module}: {len(circle)} folders refer to each other in a circle: {' '.join(circle)}"
        for (user, owner), names in sorted(found.items(), key=lambda entry: len(entry[1])):
            if user in circle and owner in circle:
                more = f" and {len(names) - 4} more" if len(names) > 4 else ""
                yield f"    {user} -> {owner}: {', '.join(sorted(names)[:4])}{more}"


def unused_allowances(found, rules):
    """Sentences about circles that the table allows and that are smaller by now."""
    for module, allowed in rules.circles.items():
        largest = max(map(len, swift_names.circles(targets(found.get(module, {})))), default=0)
        if largest < allowed:
            yield f"{module}: the largest circle has {largest} folders, and the table allows {allowed}"


def print_layers(module, sources, found):
    """Prints the folders of a module, lowest first, each with those that it refers to."""
    lower = targets(found)
    rest = {source.folder for source in sources}
    print(f"{module}:")
    while rest:
        free = {folder for folder in rest if not (lower[folder] - {folder}) & rest}
        # Of a circle, the one with the fewest arrows into the rest comes first.
        for folder in sorted(free) or [min(sorted(rest), key=lambda folder: len(lower[folder] & rest))]:
            rest.discard(folder)
            print(f"    {folder}{' -> ' if lower[folder] else ''}{' '.join(sorted(lower[folder]))}")


def settings(module):
    """The compiler's arguments for a module of this package."""
    target = next(target for target in symbols.package()["targets"] if target["name"] == module)
    for setting in target["settings"]:
        (kind, value), = setting["kind"].items()
        if kind == "swiftLanguageMode":
            yield from ("-swift-version", value["_0"])
        elif kind == "enableUpcomingFeature":
            yield from ("-enable-upcoming-feature", value["_0"])


def compile_alone(folder, common):
    """Checks the types of the files of one folder; returns what the compiler says, or nothing."""
    files = sorted(glob.glob(f"{folder}/**/*.swift", recursive=True))
    done = subprocess.run(["swiftc", "-typecheck", "-parse-as-library", *common, *files],
                          cwd=symbols.ROOT, capture_output=True, text=True)
    errors = [line for line in done.stderr.splitlines() if "error:" in line]
    return errors or ([done.stderr[-2000:]] if done.returncode else [])


def formats_that_need_others():
    """Sentences about folders of formats that do not compile without the other formats."""
    if not os.path.exists(f"{symbols.BUILD}/Modules/LazyMedia.swiftmodule"):
        raise SystemExit("layers.py needs a debug build: swift build")
    maps = glob.glob(f"{symbols.BUILD}/*.build/module.modulemap") + glob.glob(f"{symbols.ROOT}/Sources/C/*/module.modulemap")
    common = ["-module-name", FORMATS, "-I", f"{symbols.BUILD}/Modules", "-Onone", *settings(FORMATS),
              # SwiftPM names the package for its folder.
              "-package-name", os.path.basename(os.path.realpath(symbols.ROOT)).lower(),
              "-module-cache-path", f"{symbols.ROOT}/.build/layers",
              *(argument for path in sorted(maps) for argument in ("-Xcc", f"-fmodule-map-file={path}"))]
    folders = sorted(path for path in glob.glob(f"{symbols.ROOT}/Sources/{FORMATS}/*/") if not path.endswith(".docc/"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for folder, errors in zip(folders, pool.map(lambda folder: compile_alone(folder, common), folders)):
            if errors:
                yield f"{os.path.relpath(folder, symbols.ROOT)} does not compile without the other formats:"
                yield from (f"    {os.path.relpath(error, symbols.ROOT) if error.startswith('/') else error}" for error in errors[:4])


def problems(modules, rules):
    found = {module: arrows(sources, modules) for module, sources in modules.items()}
    for module in sorted(modules):
        yield from forbidden(modules[module], rules)
        yield from forbidden_calls(modules[module], rules)
        yield from unwanted_circles(module, found[module], rules)
    for sources in read_sources("Desktop/Sources").values():
        yield from forbidden_calls(sources, rules)
    yield from unused_allowances(found, rules)
    yield from formats_that_need_others()


def main():
    modules = read_sources()
    if sys.argv[1:]:
        for module in sys.argv[1:]:
            print_layers(module, modules[module], arrows(modules[module], modules))
        return
    with open(TABLE) as file:
        text = file.read()
    # In a document, the table is a block of its own.
    block = re.search(r"^```layers\n(.*?)^```", text, re.M | re.DOTALL)
    rules = Rules(block[1] if block else text)
    count = 0
    for problem in problems(modules, rules):
        print(problem)
        count += 1
    if count:
        raise SystemExit(1)
    folders = {(source.module, source.folder) for sources in modules.values() for source in sources}
    print(f"{len(modules)} modules, {len(folders)} folders in layers")


main()
