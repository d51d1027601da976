"""Number of frames: reading, an exact frame and a conversion of 100, 10 000 and 100 000 frames."""

from measure import Curve, Failure, fresh, point, say

COUNTS = {"gif": [100, 10_000, 100_000], "webp": [100, 10_000, 100_000], "apng": [100, 10_000, 100_000],
          "avif": [100, 10_000, 100_000]}


def jobs(lazyimg, file, out, frames):
    # An uneven place between the middle and the end.
    place = frames * 7 // 9
    target = "webp" if file.endswith("gif") else "gif"
    return {
        "facts": f"{lazyimg} info {file} --json --quiet",
        "all frames": f"{lazyimg} play {file} --frames - --format null --quiet",
        "one exact frame": f"{lazyimg} poster {file} --at #{place} -o {out}/p.png --force --quiet",
        f"to {'WebP' if target == 'webp' else 'GIF'}":
            f"{lazyimg} convert {file} -o {out}/c.{target} --force --allow-larger --quiet",
    }


def curves(bench):
    fresh(bench.out)
    for extension, counts in COUNTS.items():
        found = {}
        for frames in counts:
            file = bench.inputs.animation(extension, frames)
            for name, command in jobs(bench.lazyimg, file, bench.out, frames).items():
                curve = found.setdefault(
                    name, Curve("frames", f"{extension.upper()}: {name}", "frames", "linear, memory flat"))
                try:
                    curve.points.append(point(frames, command))
                    say(f"  {curve.name}, {frames}: {curve.points[-1].seconds:.3f} s,"
                        f" {curve.points[-1].memory:.0f} MiB")
                except Failure as failure:
                    say(f"  {failure}")
        yield from found.values()
