"""Thumbnails of many clips under Ray Data: lazyimg makes them, Ray deals out the work.

Each block of paths goes to one `lazyimg batch`, which keeps the cores of its machine busy in one
process. Its events come back as rows: the picture's bytes, or what was wrong with the clip.

usage: thumbnails.py [--job poster] [--options '--width 320'] [--format png] [--out DIR] CLIP...
"""

import argparse
import json
import os
import shlex
import subprocess
import tempfile

import numpy as np
import ray

# Rows say the same of every clip, made or not, so that all blocks have one schema.
COLUMNS = ("path", "bytes", "frames", "code", "message")


class Lazyimg:
    """Makes small pictures of a block of clips; one of these lives in each worker of Ray."""

    def __init__(self, job="poster", options=(), ending="png", cores=1):
        self.binary = os.environ.get("LAZYIMG", "lazyimg")
        self.command = [job, *options, "--name", "{number}." + ending]
        self.cores = cores

    def __call__(self, block):
        paths = [str(path) for path in block["path"]]
        rows = {path: (path, b"", 0, "missing", "Nothing was heard of it.") for path in paths}
        # In memory where there is such a place: the pictures are only passing through.
        place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        with tempfile.TemporaryDirectory(dir=place) as folder:
            for event in self.run(paths, folder):
                path = event.get("input")
                if event["event"] == "done":
                    with open(event["output"], "rb") as file:
                        rows[path] = (path, file.read(), event["frames"], "", "")
                elif event["event"] == "error" and path in rows:
                    rows[path] = (path, b"", 0, event["code"], event["message"])
        columns = zip(*(rows[path] for path in paths))
        return {name: np.array(list(column), dtype=object) if name == "bytes" else list(column)
                for name, column in zip(COLUMNS, columns)}

    def run(self, paths, folder):
        """The events of one run. That some clips fail is no failure of the block."""
        words = [self.binary, "batch", *self.command, "--files-from", "-", "-0", "--jsonl", "-Q",
                 "--no-journal", "--jobs", str(self.cores), "-o", folder]
        done = subprocess.run(words, input="\0".join(paths).encode(), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
        # A signal, a full disk or wrong words: Ray may try the block again elsewhere.
        events = [json.loads(line) for line in done.stdout.splitlines()]
        if not events or events[-1]["event"] != "end":
            raise RuntimeError(f"lazyimg ended with {done.returncode}: {done.stderr.decode()}")
        return events


def thumbnails(paths, job="poster", options=("--width", "320"), ending="png", block=64, cores=1):
    """A dataset of rows with path, bytes, frames, code and message; lazy until it is read."""
    clips = ray.data.from_items([{"path": path} for path in paths])
    workers = max(1, int(ray.cluster_resources().get("CPU", 1)) // cores)
    return clips.map_batches(
        Lazyimg, fn_constructor_args=(job, tuple(options), ending, cores), batch_size=block,
        num_cpus=cores, compute=ray.data.ActorPoolStrategy(size=workers))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--job", default="poster")
    parser.add_argument("--options", default="--width 320", type=shlex.split)
    parser.add_argument("--format", default="png")
    parser.add_argument("--out", default="thumbnails")
    parser.add_argument("--cpus", type=int)
    parser.add_argument("clips", nargs="+")
    arguments = parser.parse_args()
    ray.init(num_cpus=arguments.cpus, include_dashboard=False, logging_level="warning")
    ray.data.DataContext.get_current().enable_progress_bars = False
    os.makedirs(arguments.out, exist_ok=True)
    made = failed = 0
    paths = [os.path.abspath(clip) for clip in arguments.clips]
    for row in thumbnails(paths, arguments.job, arguments.options, arguments.format).iter_rows():
        name = os.path.basename(row["path"])
        if row["code"]:
            failed += 1
            print(f"{name}: {row['message']}")
            continue
        made += 1
        with open(os.path.join(arguments.out, f"{name}.{arguments.format}"), "wb") as file:
            file.write(row["bytes"])
    print(f"{made} made, {failed} failed")


if __name__ == "__main__":
    main()
