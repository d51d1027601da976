"""Writes the GIFs of media/ byte by byte.

usage: gifs.py DIRECTORY

Each shows one rule of the format. The colors of a palette are picked so that a test can tell every
pixel from its color alone; media/README.md says what a right decoder shows.
"""

import os
import struct
import sys

import frames

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
RED, GREEN, BLUE, YELLOW = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0)
BASIC = [BLACK, WHITE, RED, GREEN, BLUE, YELLOW, (0, 255, 255), (255, 0, 255)]


def lzw(indices, code_size):
    """The LZW data of one image, cut into sub-blocks."""
    clear = 1 << code_size
    accumulator = count = 0
    out = bytearray()
    table, width, following = {}, code_size + 1, clear + 2

    def emit(code):
        nonlocal accumulator, count
        accumulator |= code << count
        count += width
        while count >= 8:
            out.append(accumulator & 255)
            accumulator >>= 8
            count -= 8

    emit(clear)
    prefix = None
    for index in indices:
        if prefix is None:
            prefix = index
            continue
        code = table.get((prefix, index))
        if code is not None:
            prefix = code
            continue
        emit(prefix)
        table[prefix, index] = following
        following += 1
        if following - 1 == 1 << width and width < 12:
            width += 1
        elif following == 4096:
            emit(clear)
            table, width, following = {}, code_size + 1, clear + 2
        prefix = index
    if prefix is not None:
        emit(prefix)
        # The decoder adds an entry for the last code too, and may widen before the end code.
        if following == 1 << width and width < 12:
            width += 1
    emit(clear + 1)
    if count:
        out.append(accumulator & 255)
    blocks = b"".join(bytes([len(out[i : i + 255])]) + out[i : i + 255] for i in range(0, len(out), 255))
    return bytes([code_size]) + blocks + b"\0"


def palette_bits(palette):
    return max(1, (len(palette) - 1).bit_length())


def palette_bytes(palette):
    flat = b"".join(bytes(c) for c in palette)
    return flat.ljust(3 << palette_bits(palette), b"\0")


def image(indices, width, height, x=0, y=0, delay=10, disposal=0, transparent=None, palette=None,
          bits=3, interlaced=False, control=True):
    out = b""
    if control:
        flags = disposal << 2 | (transparent is not None)
        out += b"\x21\xf9\x04" + struct.pack("<BHBB", flags, delay, transparent or 0, 0)
    flags = 0x40 * interlaced
    if palette:
        bits = palette_bits(palette)
        flags |= 0x80 | bits - 1
    out += b"\x2c" + struct.pack("<HHHHB", x, y, width, height, flags)
    out += palette_bytes(palette) if palette else b""
    if interlaced:
        order = [r for start, step in ((0, 8), (4, 8), (2, 4), (1, 2)) for r in range(start, height, step)]
        indices = b"".join(bytes(indices[r * width : (r + 1) * width]) for r in order)
    return out + lzw(indices, max(2, bits))


def loop(count):
    return b"\x21\xff\x0bNETSCAPE2.0\x03\x01" + struct.pack("<H", count) + b"\0"


def gif(width, height, *parts, palette=BASIC, background=0, version=b"89a"):
    flags = (0x80 | 0x70 | palette_bits(palette) - 1) if palette else 0x70
    head = b"GIF" + version + struct.pack("<HHBBB", width, height, flags, background, 0)
    return head + (palette_bytes(palette) if palette else b"") + b"".join(parts) + b"\x3b"


def flat(index, width, height):
    return bytes([index]) * (width * height)


def ring(outer, inner, width, height):
    """A frame of color with a hole of another (or a transparent) index in the middle."""
    rows = []
    for y in range(height):
        edge = y < height // 4 or y >= height - height // 4
        rows += [outer if edge or x < width // 4 or x >= width - width // 4 else inner
                 for x in range(width)]
    return bytes(rows)


def disposals(method):
    """White ground, then three squares that walk, each left as the method says."""
    parts = [loop(0), image(flat(1, 32, 32), 32, 32, disposal=1)]
    for step, color in enumerate((2, 3, 4)):
        parts.append(image(flat(color, 8, 8), 8, 8, x=4 + 8 * step, y=4 + 8 * step, disposal=method))
    return gif(32, 32, *parts)


def mixed():
    """Every method in one file, with transparent holes and frames that reach out of the canvas."""
    return gif(
        32, 32, loop(0),
        image(ring(2, 7, 32, 32), 32, 32, disposal=1, transparent=7),
        image(flat(3, 16, 16), 16, 16, x=8, y=8, disposal=2),
        image(flat(4, 16, 16), 16, 16, x=0, y=0, disposal=3),
        image(flat(5, 16, 16), 16, 16, x=24, y=24, disposal=0),
        image(ring(6, 7, 8, 8), 8, 8, x=12, y=12, disposal=1, transparent=7))


def gradient_palette():
    return [(i, 255 - i, i // 2) for i in range(256)]


def counter(width, height, count, black=0, delay=4):
    """Full frames with the barcode of media/README.md and a rainbow, one global palette."""
    rainbow = frames.rainbow(64)
    palette = [BLACK, WHITE] + [tuple(rainbow[i * 3 : i * 3 + 3]) for i in range(64)]
    bits = palette_bits(palette)
    parts = [loop(0)]
    for number in range(count):
        cells = frames.barcode_cells(number)
        indices = bytearray()
        for y in range(height):
            if number < black:
                indices += bytes(width)
            elif y < height // 8:
                indices += bytes(cells[x * 16 // width] for x in range(width))
            else:
                indices += bytes(2 + (x // 4 + y // 4 + number * 2) % 64 for x in range(width))
        parts.append(image(bytes(indices), width, height, bits=bits, disposal=1, delay=delay))
    return gif(width, height, *parts, palette=palette)


def files():
    three = [image(flat(c, 16, 16), 16, 16) for c in (2, 3, 4)]
    stripes = b"".join(flat(2 + y % 6, 16, 1) for y in range(16))
    yield "counter", counter(160, 96, 30)
    yield "black-first", counter(64, 48, 20, black=6)
    yield "disposal-unspecified", disposals(0)
    yield "disposal-keep", disposals(1)
    yield "disposal-background", disposals(2)
    yield "disposal-previous", disposals(3)
    yield "disposal-mixed", mixed()
    yield "transparent", gif(
        16, 16, loop(0), image(ring(2, 7, 16, 16), 16, 16, transparent=7, disposal=2),
        image(ring(7, 4, 16, 16), 16, 16, transparent=7, disposal=2))
    yield "interlaced", gif(16, 16, image(stripes, 16, 16, interlaced=True))
    yield "local-palettes", gif(
        16, 16, loop(0), image(flat(0, 16, 16), 16, 16, palette=[RED, GREEN]),
        image(flat(0, 16, 16), 16, 16, palette=[GREEN, RED]),
        image(bytes(range(256)), 16, 16, palette=gradient_palette()), palette=None)
    yield "uncovered", gif(16, 16, loop(0), *(image(flat(c, 8, 8), 8, 8, x=4, y=4) for c in (2, 4)), background=3)
    yield "loop-absent", gif(16, 16, *three)
    yield "loop-0", gif(16, 16, loop(0), *three)
    yield "loop-3", gif(16, 16, loop(3), *three)
    yield "delays", gif(
        16, 16, loop(0),
        *(image(flat(2 + i, 16, 16), 16, 16, delay=d) for i, d in enumerate((0, 1, 2, 10, 1000))))
    yield "still-87a", gif(16, 16, image(ring(2, 4, 16, 16), 16, 16, control=False), version=b"87a")


if __name__ == "__main__":
    for name, data in files():
        with open(os.path.join(sys.argv[1], name + ".gif"), "wb") as file:
            file.write(data)
