"""Picture size: posters of stills of 1 to 100 megapixels, and of films up to 8K."""

from measure import Curve, fresh, point, say

MEGAPIXELS = [1, 12, 50, 100]
FILMS = [(1280, 720), (3840, 2160), (7680, 4320)]


def curves(bench):
    fresh(bench.out)
    for extension in ("jpg", "png", "webp"):
        for width in (320, None):
            name = f"{extension.upper()}: {'poster of 320 px' if width else 'poster of its size, as JPEG'}"
            curve = Curve("stills", name, "megapixels", "linear at most")
            for megapixels in MEGAPIXELS:
                file = bench.inputs.still(extension, megapixels)
                size = f"--width {width} -o {bench.out}/p.png" if width else f"-o {bench.out}/p.jpg"
                curve.points.append(point(
                    megapixels,
                    f"{bench.lazyimg} poster {file} --at first {size} --limit pixels=200M --force --quiet"))
                say(f"  {name}, {megapixels} MP: {curve.points[-1].seconds:.3f} s, {curve.points[-1].memory:.0f} MiB")
            yield curve
    curve = Curve("stills", "H.264: first frame, 320 px", "megapixels", "linear at most")
    for width, height in FILMS:
        file = bench.inputs.large_film(width, height)
        curve.points.append(point(
            round(width * height / 1e6, 2),
            f"{bench.lazyimg} poster {file} --at first --width 320 -o {bench.out}/p.png --force --quiet"))
        say(f"  {curve.name}, {height} lines: {curve.points[-1].seconds:.3f} s, {curve.points[-1].memory:.0f} MiB")
    yield curve
