#!/usr/bin/env python3
"""Writes small ICC profiles of every kind that is read: usage: profiles.py FOLDER

Each file begins with the number of the picture that carries it (0 RGB, 1 gray, 2 CMYK), as the target "icc" reads it.
"""

import os
import struct
import sys


def s15(*numbers):
    return b"".join(struct.pack(">i", round(number * 65536)) for number in numbers)


def xyz(*numbers):
    return b"XYZ \0\0\0\0" + s15(*numbers)


def table(*values):
    return b"curv\0\0\0\0" + struct.pack(f">I{len(values)}H", len(values), *values)


def parametric(kind, *numbers):
    return b"para\0\0\0\0" + struct.pack(">HH", kind, 0) + s15(*numbers)


def lut8(inputs, grid):
    """A table from ink to Lab: more ink is darker."""
    nodes = []
    for node in range(grid**inputs):
        ink, rest = 0, node
        for _ in range(inputs):
            ink += rest % grid
            rest //= grid
        nodes += [255 - ink * 255 // (inputs * (grid - 1)), 128, 128]
    ramp = bytes(range(256))
    return (b"mft1\0\0\0\0" + bytes([inputs, 3, grid, 0]) + s15(1, 0, 0, 0, 1, 0, 0, 0, 1)
            + ramp * inputs + bytes(nodes) + ramp * 3)


def profile(space, connection, tags):
    body, entries = b"", b""
    start = 128 + 4 + 12 * len(tags)
    for name, data in tags.items():
        entries += name.encode() + struct.pack(">II", start + len(body), len(data))
        body += data + b"\0" * (-len(data) % 4)
    head = struct.pack(">I4sI4s4s4s", start + len(body), b"lcms", 0x04200000, b"mntr", space, connection)
    head += struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acsp" + b"\0" * 28 + s15(0.9642, 1, 0.8249)
    return head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + entries + body


WHITE = xyz(0.9642, 1, 0.8249)
PRIMARIES = {"wtpt": WHITE, "rXYZ": xyz(0.515, 0.241, -0.001), "gXYZ": xyz(0.292, 0.692, 0.042),
             "bXYZ": xyz(0.157, 0.067, 0.784)}
SRGB = parametric(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)


def curves(curve):
    return {name: curve for name in ("rTRC", "gTRC", "bTRC")}


PROFILES = {
    "parametric": (0, profile(b"RGB ", b"XYZ ", PRIMARIES | curves(SRGB))),
    "gamma": (0, profile(b"RGB ", b"XYZ ", PRIMARIES | curves(table(0x0233)))),
    "table": (0, profile(b"RGB ", b"XYZ ", PRIMARIES | curves(table(*[i * i * 65535 // 1024 for i in range(33)])))),
    "lut-rgb": (0, profile(b"RGB ", b"Lab ", {"wtpt": WHITE, "A2B0": lut8(3, 3)})),
    "gray": (1, profile(b"GRAY", b"XYZ ", {"wtpt": WHITE, "kTRC": table(0x01CD)})),
    "lut-cmyk": (2, profile(b"CMYK", b"Lab ", {"wtpt": WHITE, "A2B0": lut8(4, 2)})),
}

folder = sys.argv[1]
for name, (picture, data) in PROFILES.items():
    with open(os.path.join(folder, name), "wb") as target:
        target.write(bytes([picture]) + data)
