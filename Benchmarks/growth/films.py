"""Length of a film: facts, a poster and a sheet of 1, 10 and 180 minutes."""

import os

from inputs import MINUTES, VARIANTS
from measure import Curve, fresh, point, say
from server import RangeServer

INDEXED = ("MP4, moov first", "MP4, moov last")


def jobs(lazyimg, file, out):
    remote = file.startswith("http:")
    words = f"--quiet {'--no-cache --max-download 1G --limit input=1G' if remote else ''}"
    return {
        "facts": f"{lazyimg} info {file} --json {words}",
        "poster at 50 %": f"{lazyimg} poster {file} --at 50% --width 160 -o {out}/p.png --force {words}",
        "sheet of 100 tiles": f"{lazyimg} sheet {file} --count 100 --width 80 -o {out}/s.jpg --force {words}",
    }


def local(bench, variant):
    curves = {}
    for minutes in MINUTES:
        file = bench.inputs.film(variant, minutes)
        for name, command in jobs(bench.lazyimg, file, bench.out).items():
            goal = "1.5 × in all, memory flat" if variant in INDEXED and "sheet" not in name else "linear at most"
            curve = curves.setdefault(name, Curve("films", f"{variant}: {name}", "minutes", goal))
            curve.points.append(point(minutes, command, rounds=2))
            say(f"  {curve.name}, {minutes} min: {curve.points[-1].seconds:.3f} s")
    return list(curves.values())


def remote(bench, variant):
    """Over HTTP; notes how much was loaded."""
    curves = {}
    server = RangeServer(bench.inputs.folder)
    try:
        for minutes in MINUTES:
            file = bench.inputs.film(variant, minutes)
            for name, command in jobs(bench.lazyimg, server.url(file), bench.out).items():
                if name.startswith("sheet"):
                    continue
                curve = curves.setdefault(
                    name, Curve("films", f"HTTP, {variant}: {name}", "minutes",
                                "1.5 × in all, memory flat" if variant in INDEXED else "linear at most"))
                curve.points.append(point(minutes, command, rounds=2, before=server.reset))
                share = 100 * server.bytes / os.path.getsize(file)
                curve.points[-1].note = f"{server.bytes / 1e6:.2f} MB ({share:.1f} %), {server.requests} requests"
                say(f"  {curve.name}, {minutes} min: {curve.points[-1].seconds:.3f} s, {curve.points[-1].note}")
    finally:
        server.stop()
    return list(curves.values())


def curves(bench):
    fresh(bench.out)
    for variant in VARIANTS:
        yield from local(bench, variant)
    for variant in VARIANTS:
        yield from remote(bench, variant)
