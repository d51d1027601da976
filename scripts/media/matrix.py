"""Sets the display matrix of the first video track of an MP4 whose `moov` is not compressed.

usage: matrix.py IN OUT TURN   (TURN: 90, 180, 270 clockwise, or mirror)
"""

import struct
import sys

# a b c d of the matrix, and which of width and height the translation needs (ISO/IEC 14496-12, 8.3.2).
TURNS = {
    "90": (0, 1, -1, 0, "h", ""),
    "180": (-1, 0, 0, -1, "w", "h"),
    "270": (0, -1, 1, 0, "", "w"),
    "mirror": (-1, 0, 0, 1, "w", ""),
}


def main(source, target, turn):
    data = bytearray(open(source, "rb").read())
    at = data.index(b"tkhd") - 4
    while True:
        size = struct.unpack_from(">I", data, at)[0]
        width, height = struct.unpack_from(">II", data, at + size - 8)
        if width and height:
            break
        at = data.index(b"tkhd", at + 8) - 4
    a, b, c, d, x, y = TURNS[turn]
    lengths = {"w": width, "h": height, "": 0}
    one = 1 << 16
    matrix = (a * one, b * one, 0, c * one, d * one, 0, lengths[x], lengths[y], 1 << 30)
    struct.pack_into(">9i", data, at + size - 8 - 36, *matrix)
    open(target, "wb").write(data)


if __name__ == "__main__":
    main(*sys.argv[1:])
