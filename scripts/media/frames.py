"""Writes raw pictures to standard output, each carrying its number as a barcode.

usage: frames.py WIDTH HEIGHT COUNT [--alpha] [--black N] [--first N]

The barcode is the top eighth of the picture: 16 cells of equal width. Cell 0 is white, cells 1 to 12
hold the number (most significant bit first, white is 1), cell 13 makes the number of white cells
among 1 to 13 even, cell 14 is white and cell 15 black. Below it moves a diagonal rainbow and a white
square. With --alpha (RGBA) the part below the barcode has four columns of alpha 255, 170, 85 and 0.
"""

import colorsys
import sys


def barcode_cells(number):
    bits = [number >> (11 - i) & 1 for i in range(12)]
    return [1, *bits, sum(bits) & 1, 1, 0]


def barcode_row(width, number):
    cells = barcode_cells(number)
    return b"".join(b"\xff\xff\xff" if cells[x * 16 // width] else b"\0\0\0" for x in range(width))


def rainbow(length):
    row = bytearray()
    for x in range(length):
        row += bytes(int(230 * c) for c in colorsys.hsv_to_rgb(x / length, 0.7, 0.9))
    return bytes(row)


def rgb_rows(width, height, number, band):
    strip = height // 8
    side = height // 4
    travel_x, travel_y = width - side, height - strip - side
    left = abs((number * 7) % (2 * travel_x) - travel_x)
    top = strip + abs((number * 5) % (2 * travel_y) - travel_y)
    code = barcode_row(width, number)
    period = len(band) // 3 - width
    for y in range(height):
        if y < strip:
            yield code
            continue
        start = (y * 2 + number * 4) % period
        row = band[start * 3 : (start + width) * 3]
        if top <= y < top + side:
            row = row[: left * 3] + b"\xff" * (side * 3) + row[(left + side) * 3 :]
        yield row


def with_alpha(row, width, is_strip):
    out = bytearray(width * 4)
    out[0::4], out[1::4], out[2::4] = row[0::3], row[1::3], row[2::3]
    levels = (255, 170, 85, 0)
    out[3::4] = bytes(255 if is_strip else levels[x * 4 // width] for x in range(width))
    return bytes(out)


def picture(width, height, number, alpha=False, band=None):
    band = band or rainbow_band(width)
    rows = rgb_rows(width, height, number, band)
    if not alpha:
        return b"".join(rows)
    return b"".join(with_alpha(r, width, y < height // 8) for y, r in enumerate(rows))


def rainbow_band(width):
    one = rainbow(256)
    return one + (one * (width // 256 + 1))[: width * 3]


def main(arguments):
    width, height, count = (int(a) for a in arguments[:3])
    options = arguments[3:]
    black = int(options[options.index("--black") + 1]) if "--black" in options else 0
    first = int(options[options.index("--first") + 1]) if "--first" in options else 0
    band = rainbow_band(width)
    for number in range(first, first + count):
        if number < black:
            sys.stdout.buffer.write(bytes(width * height * 3))
        else:
            sys.stdout.buffer.write(picture(width, height, number, "--alpha" in options, band))


if __name__ == "__main__":
    main(sys.argv[1:])
