"""Draws measurements as SVG: a bar for each that begins with a time, on a logarithmic axis."""

import math
import re
from xml.sax.saxutils import escape

UNITS = {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}
LEFT, RIGHT, WIDTH, ROW, GAP = 330, 120, 1000, 15, 26


def seconds(result):
    """The time that a result begins with, or nil."""
    found = re.match(r"(?:median )?([\d.]+) (s|ms|µs|ns)\b", result)
    return float(found[1]) * UNITS[found[2]] if found else None


def draw(rows):
    """The text of the picture of (group, name, result)."""
    timed = [(*row, value) for row in rows if (value := seconds(row[2]))]
    low = math.floor(math.log10(min(value for *_, value in timed)))
    high = max(low + 1, math.ceil(math.log10(max(value for *_, value in timed))))
    across = lambda value: LEFT + (math.log10(value) - low) / (high - low) * (WIDTH - LEFT - RIGHT)
    parts, y, last = [], 6, None
    for group, name, result, value in timed:
        if group != last:
            y += GAP
            parts.append(f'<text x="8" y="{y}" class="title">{escape(group)}</text>')
            y, last = y + 6, group
        parts.append(f'<text x="{LEFT - 8}" y="{y + 11}" text-anchor="end">{escape(name)}</text>'
                     f'<rect x="{LEFT}" y="{y + 2}" width="{max(1, across(value) - LEFT):.1f}" height="{ROW - 4}"/>'
                     f'<text x="{across(value) + 5:.1f}" y="{y + 11}">{escape(re.split("[,;]", result)[0])}</text>')
        y += ROW
    height = y + 24
    for exponent in range(low, high + 1):
        unit = next(name for name, factor in UNITS.items() if 10 ** exponent >= factor * 0.999 or name == "ns")
        text = f"{10 ** exponent / UNITS[unit]:.0f} {unit}"
        x = across(10 ** exponent)
        parts.insert(0, f'<line x1="{x:.1f}" y1="8" x2="{x:.1f}" y2="{y + 4}"/>'
                        f'<text x="{x:.1f}" y="{y + 18}" text-anchor="middle">{text}</text>')
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
           'role="img" aria-label="Times on a logarithmic axis">')
    yield ('<style>text { font: 10.5px sans-serif; fill: #222 } .title { font: bold 12px sans-serif } '
           'line { stroke: #ddd } rect { fill: #1b6ca8 } .back { fill: #fff }</style>')
    yield '<rect width="100%" height="100%" class="back"/>'
    yield from parts
    yield "</svg>"


def write(path, rows):
    with open(path, "w") as file:
        file.write("\n".join(draw(rows)) + "\n")
