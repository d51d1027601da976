"""Adds what containers say of HDR to the sample entry of an MP4 whose `moov` is last.

usage: hdr.py IN OUT light|dolby   (light: mastering display and content light; dolby: Dolby Vision 8.4)
"""

import struct
import sys


def box(kind, content):
    return struct.pack(">I4s", 8 + len(content), kind) + content


# The primaries of BT.2020 (green, blue, red), D65, 0.005 to 1000 cd/m²; 4000 and 300 cd/m².
DISPLAY = struct.pack(">8H2I", 8500, 39850, 6550, 2300, 35400, 14600, 15635, 16450, 10_000_000, 50)
LIGHT = struct.pack(">HH", 4000, 300)
# Version 1.0, profile 8, level 1, messages and base layer, which is HLG.
DOLBY = struct.pack(">BBHB19x", 1, 0, 8 << 9 | 1 << 3 | 0b101, 4 << 4)
BOXES = {"light": box(b"mdcv", DISPLAY) + box(b"clli", LIGHT), "dolby": box(b"dvvC", DOLBY)}


def main(source, target, kind):
    data = bytearray(open(source, "rb").read())
    # Each with the bytes before its first child.
    path = [(b"moov", 8), (b"trak", 8), (b"mdia", 8), (b"minf", 8), (b"stbl", 8), (b"stsd", 16)]
    start, around = 0, []
    for name, header in path:
        while data[start + 4 : start + 8] != name:
            start += struct.unpack_from(">I", data, start)[0]
        around.append(start)
        start += header
    around.append(start)
    end = start + struct.unpack_from(">I", data, start)[0]
    data[end:end] = BOXES[kind]
    for place in around:
        struct.pack_into(">I", data, place, struct.unpack_from(">I", data, place)[0] + len(BOXES[kind]))
    open(target, "wb").write(data)


if __name__ == "__main__":
    main(*sys.argv[1:])
