#!/usr/bin/env python3
"""Changes numbers in the headers of media files and runs the command on the results.

usage: mutate.py BINARY [--runs N] [--seed S] [--jobs J] [--seconds N] [--state DIR] [--only RUN] [--isolated]

A run takes a file of media/, sets one to four nearby numbers (times, sizes, counts, offsets) to limits of
integer types, and passes the file to one command line. One run in four takes a file that products.py makes instead: many of
everything that may be multiplied, tables that refer to each other, text, lists, playlists, long recordings. A playlist or a recording is read
from its file, or from a server of the campaign at 127.0.0.1. The command may not end by a signal, hang,
exceed the memory of its profile, spend long on the facts of a file, or fail without a message and a documented exit status. Every run is determined by the seed and
its number. The state folder records the progress of a seed, so that the same command line continues, and the files
that caused failures.

With --isolated a run decodes twice, in the process of the command and in processes of their own. Status, messages, standard
output and the written files have to be equal, byte for byte; where the first one dies by a signal, exceeds its memory or
hangs, the second one says so by status 65, 75 or 76.
"""

import argparse
import contextlib
import hashlib
import json
import os
import random
import re
import resource
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import fields as headers
import playlists
import products

MEDIA = Path(__file__).resolve().parent.parent / "media"
LARGEST = 100_000
PEAKS = {"web": 1 << 30, "untrusted": 400_000_000}
# Wrong command lines (64), missing inputs (66) and missing libraries (69) are not these files' fault.
STATUSES = {0, 65, 73, 74, 75, 76}
# A list may name a file that is missing.
LIST_STATUSES = STATUSES | {66}
# What isolated decoding makes of a decoder that dies, hangs or takes too much memory.
CONTAINED = {65, 75, 76}
# How many damaged packets a decoder has seen depends on how far its threads read ahead.
UNSTEADY = re.compile("packets? w(as|ere) damaged and w(as|ere) skipped or concealed")
WALL_SECONDS = 60
GRACE_SECONDS = 10
# The time of a processor that facts of a file take, which decode nothing.
FACTS_SECONDS = 6
# One run in so many is told to end midway.
INTERRUPTED = 12
# One run in so many takes a file that is made.
MADE = 4

SHAPES = [
    "info IN",
    "info IN --frames --json",
    "poster IN -o OUT/p.png -W 64",
    "poster IN -o OUT/p.jpg -W 64 --at 50%",
    "poster IN -o OUT/p.webp -W 64 --at auto",
    "poster IN -o OUT/p.png -W 64 --at 1000000",
    "sheet IN -o OUT/s.jpg -W 32",
    "sheet IN -o OUT/s.png -W 16 -n 9 --exact",
    "animate IN -o OUT/a.gif -W 32",
    "animate IN -o OUT/a.webp -W 32 --loop-seam crossfade",
    "animate IN -o OUT/a.png -W 32 --speed 0.01",
    "animate IN -o OUT/a.mp4 -W 32 --segments 0-1,2- --fps 1000",
    "convert IN -o OUT/c.gif -W 32 --force",
    "convert IN -o OUT/c.webp -W 32 --force --speed 0.01",
    "convert IN -o OUT/c.png -W 32 --force --fps 7",
    "convert IN -o OUT/c.avif -W 32 --force --effort 0",
    "convert IN -o OUT/c.mp4 -W 32 --force --speed 0.01",
    "convert IN -o OUT/c.mp4 -W 32 --force --speed 100 --fps 1000",
    "convert IN -o OUT/c.mp4 -W 32 --force --effort 0 --audio copy",
    "convert IN -o OUT/c.webm -W 32 --force --effort 0 --audio copy --start 0.2",
    "convert IN -o OUT/c.webm -W 32 --force --fps 0.001 --effort 0",
    "convert IN -o OUT/c.gif -W 32 --force --start 1 --end 100000 --bounce",
    "loop IN --set 3 --delay 100ms -o OUT",
    "loop IN --speed 0.01 -o OUT",
    "play IN --frames - --format null",
    "play IN --frames - --format framehash --fps 1000 --max-frames 2000",
    "play IN --frames - --format framehash --keyframes",
]


# What is done with subtitles beside a film, in place of the above.
TEXT_SHAPES = [
    "poster FILM --subtitles IN -o OUT/p.png -W 320",
    "animate FILM --subtitles IN -o OUT/a.gif -W 64",
    "play FILM --subtitles IN --frames - --format null",
]
TEXTS = {".srt", ".vtt", ".ass"}
# What else is read of a stream, and has segments beside it.
STREAMS = {".m3u8", ".mpd"}


def seeds(media):
    """The files to change, by name; those of a raw container are made of what is there."""
    files = {}
    for path in sorted(media.iterdir()):
        if path.suffix in (".md", ".txt") or path.stat().st_size > LARGEST:
            continue
        files[path.name] = path.read_bytes()
    for name, codec in (("vp8.webm", b"VP80"), ("vp9.webm", b"VP90")):
        if name in files:
            files[name.replace(".webm", ".ivf")] = ivf(files[name], codec)
    files |= {name: text.encode() for name, text in playlists.PLAYLISTS.items()}
    return files


def ivf(webm, codec):
    """The blocks of a WebM as an IVF."""
    blocks = [
        webm[f.offset + 3 : end] for f, end in block_ends(webm) if webm[f.offset - 1] & 0x7F == 1
    ]
    out = struct.pack("<4sHH4sHHIIII", b"DKIF", 0, 32, codec, 64, 64, 1000, 1, len(blocks), 0)
    for number, block in enumerate(blocks):
        out += struct.pack("<IQ", len(block), number * 40) + block
    return out


def block_ends(webm):
    """The time of each block, as a field, and the end of the block."""
    sizes = {}
    for f in headers.fields("x.webm", webm):
        if f.order == "vint":
            value = int.from_bytes(webm[f.offset : f.offset + f.width], "big")
            value &= (1 << 7 * f.width) - 1
            sizes[f.offset + f.width] = f.offset + f.width + value
    for f in headers.fields("x.webm", webm):
        if f.order == "big" and f.width == 2 and f.offset - 1 in sizes and webm[f.offset - 1] > 0x7F:
            yield f, sizes[f.offset - 1]


def value(choice, width, old, length):
    """A number at an edge, or near another one that stands in the file."""
    bits = 8 * width
    edges = [0, 1, 2, -1, -2, (1 << bits - 1) - 1, 1 << bits - 1, (1 << bits) - 2]
    for power in (7, 8, 15, 16, 24, 31, 32, 40, 53, 62, 63):
        if power < bits:
            edges += [(1 << power) - 1, 1 << power, (1 << power) + 1]
    near = [old + 1, old - 1, old * 2, old // 2, old * 1000, -old, length, length - 1, length + 1]
    picked = choice.choice(edges if choice.random() < 0.8 else near)
    return picked & (1 << bits) - 1


def change(choice, data, field):
    """The file with another number in a field."""
    start, end = field.offset, field.offset + field.width
    raw = data[start:end]
    if field.order == "text":
        # An earlier change of the same field may have changed its length.
        digits = re.match(rb"\d*", data[start : start + 20]).group()
        end = start + len(digits)
        old = int(digits or b"0")
        return data[:start] + str(value(choice, 8, old, len(data))).encode() + data[end:]
    if field.order == "double":
        form = ">d" if field.width == 8 else ">f"
        number = choice.choice([0.0, -1.0, 1e-300, 1e18, 1e38, float("inf"), float("nan"), -1e30])
        if field.width == 4 and abs(number) < 1e-30:
            number = 0.0
        return data[:start] + struct.pack(form, number) + data[end:]
    if field.order == "vint":
        mask = (1 << 7 * field.width) - 1
        old = int.from_bytes(raw, "big") & mask
        new = value(choice, field.width, old, len(data)) & mask | 1 << 7 * field.width
        return data[:start] + new.to_bytes(field.width, "big") + data[end:]
    old = int.from_bytes(raw, field.order)
    order = field.order if choice.random() < 0.9 else {"big": "little", "little": "big"}[field.order]
    new = value(choice, field.width, old, len(data))
    return data[:start] + new.to_bytes(field.width, order) + data[end:]


def mutate(choice, name, data, found):
    """The file with one to four numbers changed, and a list of where."""
    first = choice.randrange(len(found))
    chosen = [found[first]]
    for _ in range(choice.choice([0, 0, 1, 1, 2, 3])):
        if choice.random() < 0.7:
            near = min(len(found) - 1, max(0, first + choice.randint(-6, 6)))
            chosen.append(found[near])
        else:
            chosen.append(choice.choice(found))
    # From the back, since a number in digits changes its length.
    chosen.sort(key=lambda f: -f.offset)
    for field in chosen:
        data = change(choice, data, field)
    return headers.repair(name, data) if choice.random() < 0.95 else data, chosen


class Run:
    """One run: its input, its command line and what became of it."""

    def __init__(self, number, seed, files, spots):
        choice = random.Random(f"{seed}/{number}")
        self.number = number
        self.beside, self.fields = {}, []
        self.isMade = choice.randrange(MADE) == 0
        if self.isMade:
            ending, self.data, self.beside = products.make(choice, files)
            self.name = "made" + ending
        else:
            # Each format as often as the others, however many files it has.
            kind = choice.choice(sorted({Path(name).suffix for name in files}))
            self.name = choice.choice(sorted(n for n in files if Path(n).suffix == kind))
            self.data, self.fields = mutate(choice, self.name, files[self.name], spots[self.name])
            if kind in STREAMS:
                self.beside = products.segments(files)
        isLong = len(self.data) > 8 << 20
        self.isServed = (isLong or Path(self.name).suffix in STREAMS) and choice.random() < 0.5
        self.shape = choice.choice(TEXT_SHAPES if Path(self.name).suffix in TEXTS else SHAPES)
        self.profile = choice.choice(sorted(PEAKS))
        # Seconds after which it is told to end, or nothing.
        self.interruption = choice.random() * 0.5 if choice.randrange(INTERRUPTED) == 0 else None

    def arguments(self, path, out, isolation=None):
        place = f"{SERVER.address}/{path.parent.name}/{path.name}" if self.isServed else str(path)
        known = {"IN": place, "FILM": str(path.with_name("film"))}
        words = [known.get(word, word.replace("OUT", str(out))) for word in self.shape.split()]
        words += ["--limits", self.profile] + (["--isolate", isolation] if isolation else [])
        return words + (["--no-cache", "--retries", "0"] if self.isServed else [])

    def execute(self, binary, folder, isolation=None):
        """Runs the command, and returns what is wrong with it, or nothing, and how it ended."""
        path, out = folder / ("in" + Path(self.name).suffix), folder / "out"
        path.write_bytes(self.data)
        for name, data in self.beside.items():
            (folder / name).write_bytes(data)
        out.mkdir()
        environment = {
            "PATH": "/usr/bin:/bin", "HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache"),
            "SWIFT_BACKTRACE": "enable=no",
        }
        if isolation == "never":
            environment |= PERTURBED
        with open(folder / "errors", "wb") as errors, open(folder / "output", "wb") as output:
            process = subprocess.Popen(
                [binary] + self.arguments(path, out, isolation), stdin=subprocess.DEVNULL,
                stdout=output, stderr=errors, env=environment, cwd=folder)
        ending = Watch(process.pid, PEAKS[self.profile], self.interruption, folder).wait()
        process.returncode = 0
        ending.said = (folder / "errors").read_text(errors="replace").strip()
        return ending.fault(self), ending

    def compare(self, binary, folder):
        """Runs the command with and without isolation, and returns what differs, or nothing, and how the latter ended."""
        _, here = self.execute(binary, folder, "never")
        before = Results(folder)
        shutil.rmtree(folder / "out")
        shutil.rmtree(folder / "cache", ignore_errors=True)
        fault, there = self.execute(binary, folder, "always")
        if fault:
            return "isolated: " + fault, there
        if here.isTold or there.isTold:
            return None, there
        status = os.WEXITSTATUS(there.status)
        if here.fault(self):
            # The fault itself is told by runs without this option.
            return None if status in CONTAINED else f"isolated: exit status {status} where {here.fault(self)}", there
        if os.WEXITSTATUS(here.status) != status:
            told = f"{here.said[-200:]!r} and {there.said[-200:]!r}"
            return f"exit status {os.WEXITSTATUS(here.status)}, isolated {status}: {told}", there
        return before.difference(Results(folder)), there


# New and freed memory is full of this byte: what shows memory that nobody wrote differs from isolated decoding.
PERTURBED = {
    "MALLOC_PERTURB_": "85", "GLIBC_TUNABLES": "glibc.malloc.mmap_threshold=1073741824",
}


class Server:
    """A server of the folders of all runs, which sends ranges of recordings."""

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def translate_path(self, path):
            folder, _, name = path.partition("?")[0].lstrip("/").partition("/")
            root = tempfile.gettempdir()
            isRun = folder.startswith("lazyimg-mutate-") and "/" not in name and ".." not in path
            return os.path.join(root, folder, name) if isRun else os.path.join(root, "lazyimg-none")

        def do_GET(self):
            asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
            path = self.translate_path(self.path)
            length = os.path.getsize(path) if asked and os.path.isfile(path) else 0
            if length <= 8 << 20:
                return super().do_GET()
            start, end = int(asked[1]), min(int(asked[2] or length - 1), length - 1)
            if start > end:
                self.send_response(416)
                self.send_header("Content-Range", f"bytes */{length}")
                return self.end_headers()
            with open(path, "rb") as file:
                file.seek(start)
                data = file.read(end + 1 - start)
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{end}/{length}")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            with contextlib.suppress(OSError):
                self.wfile.write(data)

    def __init__(self):
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


SERVER = Server()


class Results:
    """What a command has written: digests of its files and its output, and its messages."""

    def __init__(self, folder):
        self.digests = {}
        for path in [folder / "output", *sorted((folder / "out").rglob("*"))]:
            if path.is_file():
                with open(path, "rb") as file:
                    self.digests[path.name] = hashlib.file_digest(file, "sha256").hexdigest()
        said = (folder / "errors").read_text(errors="replace")
        self.said = "\n".join(line for line in said.splitlines() if not UNSTEADY.search(line))

    def difference(self, other):
        """What is not the same in others, or nothing."""
        names = self.digests.keys() | other.digests.keys()
        different = sorted(n for n in names if self.digests.get(n) != other.digests.get(n))
        if different:
            return "isolated: other bytes in " + ", ".join(different)
        if self.said != other.said:
            return f"isolated: says {other.said[-200:]!r}, not {self.said[-200:]!r}"
        return None


class Watch:
    """Waits for a process, within limits of time and memory.

    One that still writes, such as the pictures of thousands of segments, is told to end, and has to.
    """

    def __init__(self, pid, most, interruption, folder):
        self.pid, self.most, self.interruption, self.folder = pid, most, interruption, folder
        self.status = self.peak = 0
        self.seconds = self.spent = 0.0
        self.isHung = self.isDeaf = self.isKilled = self.isTold = False
        self.said = ""

    def wait(self):
        begin = told = time.monotonic()
        pause = 0.002
        while True:
            pid, self.status, usage = os.wait4(self.pid, os.WNOHANG)
            self.seconds = time.monotonic() - begin
            if pid:
                # A process begins with the peak of the one that forked it.
                if usage.ru_maxrss > resource.getrusage(resource.RUSAGE_SELF).ru_maxrss:
                    self.peak = max(self.peak, usage.ru_maxrss * 1024)
                self.spent = usage.ru_utime + usage.ru_stime
                return self
            isLate = self.interruption is not None and self.seconds > self.interruption
            if not self.isTold and (isLate or self.seconds > WALL_SECONDS):
                self.isHung = self.seconds > WALL_SECONDS and not self.isWriting()
                self.isTold = True
                told = time.monotonic()
                os.kill(self.pid, signal.SIGTERM)
            elif self.isTold and time.monotonic() - told > GRACE_SECONDS:
                self.isDeaf = True
                os.kill(self.pid, signal.SIGKILL)
            elif self.resident() > 2 * self.most:
                # The machine has others to care for.
                self.isKilled = True
                os.kill(self.pid, signal.SIGKILL)
            time.sleep(pause)
            pause = min(0.05, pause * 1.5)

    def isWriting(self):
        """Whether it has written something lately."""
        written = [path.stat().st_mtime for path in self.folder.rglob("*") if path.is_file()]
        return time.time() - max(written, default=0) < 5

    def resident(self):
        """The bytes in memory at most since it began; 0 where it has ended."""
        try:
            status = Path(f"/proc/{self.pid}/status").read_text()
        except OSError:
            return 0
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        most = int(found[1]) * 1024 if found else 0
        self.peak = max(self.peak, most)
        return most

    def fault(self, run):
        """What is wrong, in a word and a number, or nothing."""
        if self.isDeaf:
            return f"SIGTERM did not end it within {GRACE_SECONDS} s"
        if self.isHung:
            return f"hung: not done after {WALL_SECONDS} s"
        if self.spent > FACTS_SECONDS and run.shape.startswith("info"):
            return f"{self.spent:.1f} s of a processor for facts"
        if self.peak > self.most:
            return f"peak of {self.peak >> 20} MiB, over {self.most >> 20} of {run.profile}"
        if os.WIFSIGNALED(self.status):
            number = os.WTERMSIG(self.status)
            if self.isTold and number == signal.SIGTERM:
                return None
            return f"signal {number}"
        status = os.WEXITSTATUS(self.status)
        if self.isTold and status == 128 + signal.SIGTERM:
            return None
        if status not in (LIST_STATUSES if run.beside.keys() & {"a.png", "a.ts"} else STATUSES):
            return f"exit status {status}: {self.said[-200:]}"
        if status and not self.said:
            return f"exit status {status} without a word"
        return None


class Campaign:
    """All runs of a seed, how far they are, and what did harm."""

    def __init__(self, options):
        self.options = options
        self.files = seeds(options.media)
        self.spots = {n: headers.fields(n, d) for n, d in self.files.items()}
        self.files = {n: d for n, d in self.files.items() if self.spots[n]}
        self.state = options.state / f"seed-{options.seed}{'-isolated' * options.isolated}"
        self.state.mkdir(parents=True, exist_ok=True)
        self.log = self.state / "runs.jsonl"
        self.lock = threading.Lock()
        self.stop = threading.Event()
        self.done, self.offenders, self.peak, self.slowest = set(), 0, 0, 0.0

    def resume(self):
        if self.log.exists():
            for line in self.log.read_text().splitlines():
                try:
                    record = json.loads(line)
                except ValueError:
                    continue
                self.done.add(record["run"])
                self.offenders += record["fault"] is not None
                self.peak = max(self.peak, record["peak"])
                self.slowest = max(self.slowest, record["seconds"])

    def one(self, number):
        if self.stop.is_set():
            return
        run = Run(number, self.options.seed, self.files, self.spots)
        with tempfile.TemporaryDirectory(prefix="lazyimg-mutate-") as folder:
            folder = Path(folder)
            execute = run.compare if self.options.isolated else run.execute
            fault, ending = execute(self.options.binary, folder)
            with self.lock:
                self.note(run, fault, ending)
            if fault:
                self.keep(run, fault)

    def note(self, run, fault, ending):
        self.done.add(run.number)
        self.peak, self.slowest = max(self.peak, ending.peak), max(self.slowest, ending.seconds)
        record = {
            "run": run.number, "file": run.name, "shape": run.shape, "status": ending.status,
            "peak": ending.peak, "seconds": round(ending.seconds, 3), "fault": fault,
        }
        with open(self.log, "a") as log:
            log.write(json.dumps(record) + "\n")
        if fault:
            self.offenders += 1
        if len(self.done) % 1000 == 0:
            self.tell(sys.stderr)

    def keep(self, run, fault):
        path = self.state / f"run-{run.number}{Path(run.name).suffix}"
        path.write_bytes(run.data)
        for name, data in run.beside.items():
            (self.state / name).write_bytes(data)
        isolation = "always" if self.options.isolated else None
        words = [self.options.binary] + run.arguments(path, "OUT", isolation)
        places = ", ".join(f"{f.offset}+{f.width}" for f in sorted(run.fields))
        with self.lock:
            print(f"run {run.number} of seed {self.options.seed}: {fault}")
            print(f"  {run.name}, bytes {places}: {shlex.join(words)}", flush=True)

    def tell(self, to):
        print(
            f"{len(self.done)} runs of seed {self.options.seed}: {self.offenders} with a fault, "
            f"peak {self.peak >> 20} MiB, slowest {self.slowest:.1f} s", file=to, flush=True)

    def run(self):
        if self.options.only is not None:
            self.one(self.options.only)
            return
        self.resume()
        end = None if self.options.seconds is None else time.monotonic() + self.options.seconds
        numbers = (n for n in range(self.options.runs) if n not in self.done)
        with ThreadPoolExecutor(self.options.jobs) as pool:
            def work():
                while not self.stop.is_set() and (end is None or time.monotonic() < end):
                    with self.lock:
                        number = next(numbers, None)
                    if number is None:
                        return
                    self.one(number)
            workers = [pool.submit(work) for _ in range(self.options.jobs)]
            try:
                for worker in workers:
                    worker.result()
            except BaseException:
                self.stop.set()
                raise
        self.tell(sys.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary", type=os.path.abspath)
    parser.add_argument("--runs", type=int, default=20_000, help="so many runs in all")
    parser.add_argument("--seed", type=int, default=1, help="what the runs follow from")
    parser.add_argument("--jobs", type=int, default=2, help="so many at once")
    parser.add_argument("--seconds", type=float, help="begin no run after so long")
    parser.add_argument("--only", type=int, help="do this run again, and no other")
    parser.add_argument("--isolated", action="store_true", help="compare with isolated decoding")
    parser.add_argument("--media", type=Path, default=MEDIA, help="where the files to change are")
    parser.add_argument("--state", type=Path, default=Path(".build/fuzz/mutate"))
    campaign = Campaign(parser.parse_args())
    try:
        campaign.run()
    except KeyboardInterrupt:
        campaign.tell(sys.stdout)
        sys.exit(130)
    sys.exit(1 if campaign.offenders else 0)


if __name__ == "__main__":
    main()
