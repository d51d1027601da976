"""The public symbols of the products, out of a debug build: shared by api.py and docs.py."""
import functools
import glob
import json
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("LAZYIMG_BUILD", os.path.join(ROOT, ".build/debug"))


def run(*command):
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command[:3])}: {done.stderr.strip()[-2000:]}")
    return done.stdout


@functools.cache
def package():
    # It reads only the manifest, and need not wait for a build.
    return json.loads(run("swift", "package", "--ignore-lock", "dump-package"))


@functools.cache
def triple():
    return json.loads(run("swiftc", "-print-target-info"))["target"]["triple"]


def exports(module):
    """The modules, and the single declarations as `struct Module.Name`, that a module re-exports."""
    text = "".join(open(path).read() for path in glob.glob(f"{ROOT}/Sources/{module}/**/*.swift", recursive=True))
    names = re.findall(r"^@_exported public import ((?:\w+ )?Lazy[\w.]+)", text, re.M)
    return sorted(set(names))


def products():
    """Library products: name to the modules that their users can import."""
    found = {}
    for product in package()["products"]:
        if "library" in product["type"]:
            found[product["name"]] = product["targets"]
    return found


def modules():
    """What users can see: the targets of library products, and what these re-export."""
    found, wanted = set(), [target for targets in products().values() for target in targets]
    while wanted:
        module = wanted.pop()
        if module not in found:
            found.add(module)
            wanted += [re.sub(r"^\w+ |\..*", "", name) for name in exports(module)]
    return sorted(found)


def extract(module, folder):
    """Writes the symbol graphs of a module into a folder: one for itself, one for each module that it extends."""
    maps = glob.glob(f"{BUILD}/*.build/module.modulemap") + glob.glob(f"{ROOT}/Sources/C/*/module.modulemap")
    arguments = [argument for path in maps for argument in ("-Xcc", f"-fmodule-map-file={path}")]
    os.makedirs(folder, exist_ok=True)
    run("swift-symbolgraph-extract", "-module-name", module, "-I", f"{BUILD}/Modules", "-target", triple(),
        "-output-dir", folder, "-minimum-access-level", "public", "-skip-synthesized-members",
        "-skip-inherited-docs", "-module-cache-path", os.path.join(os.path.dirname(os.path.abspath(folder)), "modules"), *arguments)
    return [json.load(open(path)) for path in sorted(glob.glob(f"{folder}/{module}*.symbols.json"))]
