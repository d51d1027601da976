"""Draws curves as SVG: one panel a group, both axes logarithmic."""

import math
from xml.sax.saxutils import escape

COLORS = ["#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#16808a", "#7f5539", "#5d6d7e"]
WIDTH, COLUMNS = 445, 3
LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT = 58, 34, 356, 176


class Panel:
    def __init__(self, title, unit, curves):
        self.title, self.unit, self.curves = title, unit, curves
        amounts = [point.amount for curve in curves for point in curve.points]
        seconds = [point.seconds for curve in curves for point in curve.points]
        self.x = self.bounds(amounts)
        self.y = self.bounds(seconds)

    @staticmethod
    def bounds(values):
        low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        return low, max(high, low + 1)

    def place(self, amount, seconds):
        across = (math.log10(amount) - self.x[0]) / (self.x[1] - self.x[0])
        up = (math.log10(seconds) - self.y[0]) / (self.y[1] - self.y[0])
        return LEFT + across * PLOT_WIDTH, TOP + (1 - up) * PLOT_HEIGHT

    def draw(self):
        yield f'<text x="{LEFT}" y="18" class="title">{escape(self.title)}</text>'
        yield from self.grid()
        for number, curve in enumerate(self.curves):
            color = COLORS[number % len(COLORS)]
            points = [self.place(point.amount, point.seconds) for point in curve.points]
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            yield f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>'
            for x, y in points:
                yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>'
            column, row = number % 2, number // 2
            x, y = LEFT + column * 190, TOP + PLOT_HEIGHT + 42 + row * 14
            yield f'<rect x="{x}" y="{y - 8}" width="9" height="9" fill="{color}"/>'
            yield f'<text x="{x + 13}" y="{y}">{escape(curve.name)}</text>'

    def grid(self):
        for exponent in range(self.x[0], self.x[1] + 1):
            x, _ = self.place(10 ** exponent, 10 ** self.y[0])
            yield f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{TOP + PLOT_HEIGHT}" class="grid"/>'
            yield f'<text x="{x:.1f}" y="{TOP + PLOT_HEIGHT + 14}" text-anchor="middle">{amount(exponent)}</text>'
        for exponent in range(self.y[0], self.y[1] + 1):
            _, y = self.place(10 ** self.x[0], 10 ** exponent)
            yield f'<line x1="{LEFT}" y1="{y:.1f}" x2="{LEFT + PLOT_WIDTH}" y2="{y:.1f}" class="grid"/>'
            yield f'<text x="{LEFT - 5}" y="{y + 4:.1f}" text-anchor="end">{duration(exponent)}</text>'
        # What would be linear, from the lower left corner.
        decades = min(self.x[1] - self.x[0], self.y[1] - self.y[0])
        x1, y1 = self.place(10 ** self.x[0], 10 ** self.y[0])
        x2, y2 = self.place(10 ** (self.x[0] + decades), 10 ** (self.y[0] + decades))
        yield f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="linear"/>'
        yield (f'<text x="{LEFT + PLOT_WIDTH}" y="{TOP + PLOT_HEIGHT + 27}" text-anchor="end">'
               f'{escape(self.unit)}</text>')


def amount(exponent):
    return {0: "1", 1: "10", 2: "100", 3: "1 000", 4: "10 000", 5: "100 000", 6: "1 M", 7: "10 M"}.get(exponent, f"1e{exponent}")


def duration(exponent):
    names = {-9: "1 ns", -6: "1 µs", -3: "1 ms", 0: "1 s", -8: "10 ns", -5: "10 µs", -2: "10 ms", 1: "10 s",
             -7: "100 ns", -4: "100 µs", -1: "100 ms", 2: "100 s", 3: "1 000 s"}
    return names.get(exponent, f"1e{exponent} s")


def draw(panels):
    """The text of the picture; `panels` are (title, curves)."""
    heights = []
    for row in range(0, len(panels), COLUMNS):
        most = max(len(curves) for _, curves in panels[row:row + COLUMNS])
        heights.append(TOP + PLOT_HEIGHT + 42 + (most + 1) // 2 * 14 + 14)
    size = (WIDTH * COLUMNS, sum(heights))
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" width="{size[0]}" '
           f'height="{size[1]}" role="img" aria-label="How time grows with the work; both axes are logarithmic, '
           'dashed lines are linear growth">')
    yield ('<style>text { font: 10.5px sans-serif; fill: #222 } .title { font: bold 13px sans-serif } '
           '.grid { stroke: #ddd } .linear { stroke: #888; stroke-dasharray: 4 4 }</style>')
    yield '<rect width="100%" height="100%" fill="#fff"/>'
    for number, (title, curves) in enumerate(panels):
        top = sum(heights[:number // COLUMNS])
        yield f'<g transform="translate({number % COLUMNS * WIDTH},{top})">'
        yield from Panel(title, curves[0].unit, curves).draw()
        yield "</g>"
    yield "</svg>"
