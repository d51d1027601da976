"""Writes the PNGs of media/ and gives a JPEG an EXIF orientation.

usage: stills.py DIRECTORY               the PNGs, with the standard library's zlib
       stills.py --exif N IN.jpg OUT.jpg
"""

import os
import struct
import sys
import zlib

ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width, height, depth, color, pixel, *extra, interlaced=False):
    """A PNG whose samples `pixel(x, y)` gives as a tuple of integers of `depth` bits."""

    def rows(xs, ys):
        out = b""
        for y in ys:
            samples = [s for x in xs for s in pixel(x, y)]
            if depth == 16:
                out += b"\0" + struct.pack(f">{len(samples)}H", *samples)
                continue
            bits = "".join(format(s, f"0{depth}b") for s in samples)
            bits = bits.ljust(-(-len(bits) // 8) * 8, "0")
            out += b"\0" + int(bits, 2).to_bytes(len(bits) // 8, "big")
        return out

    if interlaced:
        raw = b"".join(
            rows(range(x, width, dx), range(y, height, dy))
            for x, y, dx, dy in ADAM7 if x < width and y < height)
    else:
        raw = rows(range(width), range(height))
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + b"".join(chunk(*e) for e in extra)
            + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))


def rgb(x, y):
    return (x * 4, y * 5, 255 - x * 2 - y)


def files():
    size = (64, 48)
    wide = lambda x, y: tuple(s * 257 for s in rgb(x, y))
    grey = lambda x, y: ((x + y) * 2,)
    colors = [(i * 16, 255 - i * 16, i * 8) for i in range(16)]
    palette = (b"PLTE", b"".join(bytes(c) for c in colors))
    fading = (b"tRNS", bytes(range(0, 256, 17)))
    yield "still-rgb8", png(*size, 8, 2, rgb)
    yield "still-rgba8", png(*size, 8, 6, lambda x, y: (*rgb(x, y), x * 4))
    yield "still-rgb16", png(*size, 16, 2, wide)
    yield "still-grey8", png(*size, 8, 0, grey)
    yield "still-grey1", png(*size, 1, 0, lambda x, y: ((x // 8 + y // 8) & 1,))
    yield "still-grey-alpha", png(*size, 8, 4, lambda x, y: (*grey(x, y), y * 5))
    yield "still-palette", png(*size, 4, 3, lambda x, y: (x // 4,), palette, fading)
    yield "still-keyed", png(*size, 8, 2, lambda x, y: (255, 0, 255) if x < 8 else rgb(x, y),
                             (b"tRNS", struct.pack(">3H", 255, 0, 255)))
    yield "still-interlaced", png(*size, 8, 2, rgb, interlaced=True)


def with_orientation(data, orientation):
    tiff = b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    body = b"Exif\0\0" + tiff
    segment = b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body
    return data[:2] + segment + data[2:]


if __name__ == "__main__":
    if sys.argv[1] == "--exif":
        with open(sys.argv[3], "rb") as source, open(sys.argv[4], "wb") as target:
            target.write(with_orientation(source.read(), int(sys.argv[2])))
    else:
        for name, data in files():
            with open(os.path.join(sys.argv[1], name + ".png"), "wb") as file:
                file.write(data)
