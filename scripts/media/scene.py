"""Writes a scene as PNG: a bright sky with a sun over a meadow with flowers, or its colors in Display P3.

usage: scene.py hdr OUT.png     BT.2020 and PQ (SMPTE ST 2084), up to 1000 cd/m²
       scene.py wide OUT.png    Display P3, tagged by cICP
"""

import math
import sys

from stills import png

WIDTH, HEIGHT = 240, 160


def light(x, y):
    """Linear light of BT.709's primaries in cd/m²."""
    u, v = x / WIDTH, y / HEIGHT
    if v > 0.62 + 0.04 * math.sin(u * 9):
        shade = 25 + 40 * (v - 0.6) + 12 * math.sin(x * 0.9) * math.sin(y * 1.3)
        flowers = [((40, 122), (150, 6, 4)), ((95, 138), (170, 120, 3)), ((150, 128), (120, 5, 110)), ((205, 142), (160, 160, 150))]
        for (fx, fy), color in flowers:
            if math.hypot(x - fx, y - fy) < 7:
                return color
        return (shade * 0.35, shade, shade * 0.18)
    distance = math.hypot(x - 172, y - 48)
    glow = 520 * math.exp(-distance / 26)
    sky = 60 + 140 * (1 - v)
    if distance < 15:
        return (1000, 960, 880)
    return (sky * 0.55 + glow, sky * 0.75 + glow * 0.86, sky * 1.25 + glow * 0.55)


def matrix(rows, color):
    return [sum(m * c for m, c in zip(row, color)) for row in rows]


TO_2020 = [(0.6274, 0.3293, 0.0433), (0.0691, 0.9195, 0.0114), (0.0164, 0.0880, 0.8956)]


def pq(luminance):
    power = max(0.0, min(1.0, luminance / 10000)) ** (2610 / 16384)
    return ((3424 / 4096 + 2413 / 128 * power) / (1 + 2392 / 128 * power)) ** (2523 / 32)


def srgb(value):
    value = max(0.0, min(1.0, value))
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


def hdr(x, y):
    return tuple(round(65535 * pq(c)) for c in matrix(TO_2020, light(x, y)))


def wide(x, y):
    # The same numbers read as those of P3: flowers that sRGB cannot show.
    return tuple(round(255 * srgb(c / 203)) for c in light(x, y))


def main():
    kind, path = sys.argv[1:]
    with open(path, "wb") as file:
        if kind == "hdr":
            file.write(png(WIDTH, HEIGHT, 16, 2, hdr))
        else:
            file.write(png(WIDTH, HEIGHT, 8, 2, wide, (b"cICP", bytes([12, 13, 0, 1]))))


main()
