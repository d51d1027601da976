"""The commands and objects of the last debug build, out of SwiftPM's list of them: for lean.py."""
import functools
import json
import os
import re

import symbols


@functools.cache
def commands():
    """The words of each command by its name."""
    text = open(os.path.join(symbols.ROOT, ".build/debug.yaml")).read()
    found = re.findall(r'^  "(C\.[^"]+)":\n(?:    .*\n)*?    args: (\[.*\])$', text, re.M)
    return {name: json.loads(words) for name, words in found}


def compiling(module):
    """The command that compiles a module."""
    return next(words for name, words in commands().items() if re.match(rf"C\.{module}-.*\.module$", name))


def linking(product):
    """The command that links a program."""
    return next(words for name, words in commands().items()
                if name.endswith(".exe") and words[words.index("-o") + 1].endswith(f"/{product}"))


def objects(product):
    """The word of that command that names its list of objects, and the objects."""
    listing = next(word for word in linking(product) if word.endswith("Objects.LinkFileList"))
    return listing, open(listing[1:]).read().splitlines()


def module_of(path):
    """The module that an object belongs to."""
    return path.rsplit(".build/", 1)[0].rsplit("/", 1)[1]


# Options that have a value.
WITH_VALUE = {"-emit-module-path", "-output-file-map", "-index-store-path", "-I", "-emit-objc-header-path"}


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
