"""Number of files: `batch poster` over 1 000, 10 000 and 100 000 pictures."""

import json
import os
import shutil

from measure import Curve, Point, fresh, run, say

COUNTS = [1_000, 10_000, 100_000]


def curves(bench):
    made = Curve("files", "batch poster", "files", "linear, under 150 MB")
    again = Curve("files", "the second run, all made", "files", "under 20 µs a file")
    resumed = Curve("files", "resumed after half of the journal", "files", "linear")
    shard = Curve("files", "one shard of 64, all made", "files", "linear")
    for count in COUNTS:
        folder = bench.inputs.pictures(count)
        out, journal = fresh(bench.out), os.path.join(bench.scratch, "journal")
        if os.path.exists(journal):
            os.remove(journal)
        # Isolation has benchmarks of its own; here the list, the journal and the files count.
        command = [bench.lazyimg, "batch", "poster", "-r", folder, "--at", "first", "-o", out, "--preserve-tree",
                   "--base", folder, "--isolate", "never", "--journal", journal, "--quiet"]
        made.points.append(Point(count, *run(command)))
        seconds = [run(command) for _ in range(3)]
        again.points.append(Point(count, *sorted(seconds)[1]))
        again.points[-1].note = f"{again.points[-1].seconds / count * 1e6:.1f} µs a file"
        shard.points.append(Point(count, *run(command + ["--shard", "7/64"])))
        lose_half(journal, out, count)
        resumed.points.append(Point(count, *run(command)))
        for curve in (made, again, resumed, shard):
            last = curve.points[-1]
            last.note = last.note or f"{last.seconds / count * 1e6:.1f} µs a file"
            say(f"  {curve.name}, {count}: {last.seconds:.3f} s, {last.memory:.0f} MiB, {last.note}")
    shutil.rmtree(bench.out, ignore_errors=True)
    return [made, again, resumed, shard]


def lose_half(journal, out, count):
    """What a kill in the middle leaves: half of the journal, and only the outputs that it names."""
    with open(journal) as file:
        lines = file.readlines()
    half = lines[:len(lines) // 2]
    with open(journal, "w") as file:
        file.writelines(half)
    records = [json.loads(line) for line in half]
    kept = {record["output"] for record in records if record["state"] == "done"}
    assert count / 4 < len(kept) < count * 3 / 4, f"{len(kept)} of {count} outputs are in half of the journal"
    for at, _, names in os.walk(out):
        for name in names:
            path = os.path.join(at, name)
            if os.path.abspath(path) not in kept:
                os.remove(path)
