#!/usr/bin/env python3
"""Measures playing in a terminal: CPU time and bytes of a frame, and the time and the memory until the first one is there.

usage: terminal.py FILE… [--lazyimg BINARY] [--runs N] [--rows ROW;ROW…] [--report]

The terminal is a pseudo terminal of 80x24 cells and 800x480 pixels. Its reader answers the questions of programs as the
terminal of the row does, takes pictures in shared memory away as kitty does, and reads at once. A frame is there when its
last byte has been read; the memory until then is the peak that the kernel has for the process at that instant (VmHWM).
CPU time and bytes are those of whole runs as quick as possible; the first frame is that of a play on the clock, which is
ended then. Runs alternate: lazyimg, its peers, lazyimg …; medians are printed, with the ratios lazyimg / peer.
Peers that are not installed are skipped, and chafa reads no films. Uses only the standard library.
"""

import argparse
import base64
import dataclasses
import fcntl
import json
import os
import re
import select
import shlex
import shutil
import statistics
import struct
import subprocess
import sys
import termios
import time

import report

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COLUMNS, LINES, WIDTH, HEIGHT = 80, 24, 800, 480
HEADER = "input: CPU and bytes a frame; first frame, MB until then and at most; peer: ours / its, its MB"
PLAY = "{lazyimg} play {file} --untimed --loop 1 --no-status --quiet"
BEGIN = "{lazyimg} play {file} --loop 1"


BLOCKS = ("\u2580".encode(), b"\x1b[?2026l")


@dataclasses.dataclass
class Terminal:
    """What a terminal answers, and the end of a picture in its protocol."""

    name: str
    term: str
    version: str = ""
    attributes: str = "62"
    media: str = ""  # how kitty's protocol may hand over pixels: d, s, t
    picture: tuple = None  # the bytes that begin and end a picture; None for kitty's protocol
    is_silent: bool = False


TERMINALS = {
    "kitty, shared memory": Terminal("kitty", "xterm-kitty", "kitty(0.26.5)", media="dst"),
    "kitty, direct": Terminal("kitty", "xterm-kitty", "kitty(0.26.5)", media="d"),
    "sixel": Terminal("xterm", "xterm-256color", "XTerm(379)", "64;4", picture=(b"\x1bP0;1q", b"\x1b\\")),
    "iTerm2": Terminal("iTerm2", "xterm-256color", "iTerm2 3.5.0", picture=(b"\x1b]1337;File=", b"\x07")),
    "half blocks": Terminal("other", "xterm-256color", picture=BLOCKS),
    "silent": Terminal("silent", "xterm-256color", picture=BLOCKS, is_silent=True),
}
PEERS = {
    "kitty, shared memory": {"chafa": "chafa -f kitty --duration 0 --speed max {file}", "timg": "timg -pk --loops=1 {file}"},
    "kitty, direct": {"timg": "timg -pk --loops=1 {file}"},
    "sixel": {"chafa": "chafa -f sixels --duration 0 --speed max {file}"},
    "iTerm2": {"timg": "timg -pi --loops=1 {file}"},
    "half blocks": {"chafa": "chafa -f symbols --symbols half --duration 0 --speed max {file}",
                    "timg": "timg -ph --loops=1 {file}"},
}
QUESTION = re.compile(rb"\x1b_Gi=(\d+)([^;\x1b]*a=q[^;\x1b]*);[^\x1b]*\x1b\\|\x1b\[(16t|14t|>0?q|0?c|\?1;1;0S)")
HANDED = re.compile(rb"\x1b_G[^;\x1b]*t=s[^;\x1b]*;([^\x1b]+)\x1b\\")


@dataclasses.dataclass
class Run:
    """What one run has cost."""

    cpu: float  # seconds
    bytes: int
    memory: float  # MB, the peak of the whole run
    first: float = None  # seconds until the first frame was there
    first_memory: float = None  # MB, the peak until then
    detection: float = None  # seconds from the first question to the next byte after the last answer


class FirstPicture:
    """Finds the end of the first picture in what a program writes."""

    def __init__(self, ends):
        self.ends, self.bytes, self.place, self.has_begun = ends, bytearray(), 0, False

    def take(self, data):
        """Whether the picture is complete with these bytes."""
        self.bytes += data
        return self.take_marked(*self.ends) if self.ends else self.take_commands()

    def take_marked(self, begin, end):
        if not self.has_begun:
            found = self.bytes.find(begin, self.place)
            self.place = max(0, len(self.bytes) - len(begin)) if found < 0 else found
            self.has_begun = found >= 0
        if not self.has_begun:
            return False
        found = self.bytes.find(end, self.place)
        self.place = max(self.place, len(self.bytes) - len(end))
        return found >= 0

    # Kitty's pictures come in commands, of which all but the last say that more follow (m=1).
    def take_commands(self):
        while True:
            begin = self.bytes.find(b"\x1b_G", self.place)
            end = self.bytes.find(b"\x1b\\", begin)
            if begin < 0 or end < 0:
                return False
            keys = self.bytes[begin + 3:end].split(b";")[0].split(b",")
            self.place = end + 2
            self.has_begun = self.has_begun or b"a=T" in keys
            if self.has_begun and b"m=1" not in keys:
                return True


class Screen:
    """The other side of the terminal."""

    def __init__(self, terminal, descriptor, is_watched):
        self.terminal, self.descriptor = terminal, descriptor
        self.count, self.rest, self.text, self.seen = 0, b"", b"", 0
        self.asked = self.answered = self.detection = None
        self.picture = FirstPicture(terminal.picture) if is_watched else None

    def answers(self, match):
        number, keys, question = match.groups()
        if number:
            if not self.terminal.media:
                return b""
            medium = re.search(rb"t=(.)", keys)
            is_known = medium is None or chr(medium[1][0]) in self.terminal.media
            return b"\x1b_Gi=%s;%s\x1b\\" % (number, b"OK" if is_known else b"EBADF:no such file")
        if question == b"16t":
            return b"\x1b[6;%d;%dt" % (HEIGHT // LINES, WIDTH // COLUMNS)
        if question == b"14t":
            return b"\x1b[4;%d;%dt" % (HEIGHT, WIDTH)
        if question.startswith(b">"):
            return b"\x1bP>|%s\x1b\\" % self.terminal.version.encode() if self.terminal.version else b""
        if question.endswith(b"S"):
            return b"\x1b[?1;0;256S"
        return b"\x1b[?%sc" % self.terminal.attributes.encode()

    def take(self, data, now):
        """Counts bytes and answers questions; whether the first picture is complete now."""
        if self.answered and self.detection is None:
            self.detection = now - self.asked
        self.count += len(data)
        if "s" in self.terminal.media:
            self.take_pictures(data)
        if len(self.text) < 4096:
            self.text += data
            self.answer(now)
        if self.picture is None or not self.picture.take(data):
            return False
        self.picture = None
        return True

    def answer(self, now):
        text = b""
        for match in QUESTION.finditer(self.text, self.seen):
            self.asked = self.asked or now
            self.seen = match.end()
            self.answered, self.detection = True, None
            if not self.terminal.is_silent:
                text += self.answers(match)
        if text:
            os.write(self.descriptor, text)

    def take_pictures(self, data):
        self.rest += data
        end = 0
        for match in HANDED.finditer(self.rest):
            end = match.end()
            name = base64.b64decode(match[1]).decode()
            try:
                os.unlink("/dev/shm/" + name.lstrip("/"))
            except FileNotFoundError:
                pass
        self.rest = self.rest[max(end, len(self.rest) - 4096):]


def peak(pid):
    """The peak of a process's memory so far, in MB."""
    with open(f"/proc/{pid}/status") as file:
        return int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) / 1024


def start(command, terminal):
    """Starts a program on a new terminal; returns its process, the terminal's other side and the time."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, WIDTH, HEIGHT))
    clock, write = os.pipe()
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), "LANG": "C.UTF-8",
                   "TERM": terminal.term, "COLORTERM": "truecolor"}

    def prepare():
        os.setsid()
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
        os.write(write, struct.pack("d", time.monotonic()))

    process = subprocess.Popen(shlex.split(command), stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL,
                               env=environment, preexec_fn=prepare)
    os.close(theirs)
    began = struct.unpack("d", os.read(clock, 8))[0]
    os.close(clock)
    os.close(write)
    return process, ours, began


def measure(command, terminal, is_begin=False):
    """Runs a program on a terminal to its end, or to its first picture."""
    process, descriptor, began = start(command, terminal)
    screen = Screen(terminal, descriptor, is_begin)
    first = first_memory = None
    while True:
        try:
            select.select([descriptor], [], [])
            data = os.read(descriptor, 65536)
        except OSError:
            break
        if not data:
            break
        now = time.monotonic()
        if screen.take(data, now):
            first, first_memory = now - began, peak(process.pid)
            process.terminate()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    os.close(descriptor)
    if process.returncode and not is_begin:
        sys.exit(f"{command} ended with {process.returncode}.")
    return Run(usage.ru_utime + usage.ru_stime, screen.count, usage.ru_maxrss / 1024, first, first_memory,
               screen.detection)


def median(values):
    values = [value for value in values if value is not None]
    return statistics.median(values) if values else float("nan")


def frame_count(binary, file):
    info = subprocess.run([binary, "info", "--json", file], capture_output=True, text=True, check=True)
    return json.loads(info.stdout)["frameCount"]


def row(name, file, binary, runs):
    """Prints what a protocol costs with one file."""
    terminal = TERMINALS[name]
    contests = {"lazyimg": PLAY}
    is_film = not file.endswith(".gif")
    contests |= {peer: line for peer, line in PEERS.get(name, {}).items()
                 if shutil.which(peer) and not (is_film and peer == "chafa")}
    results = {peer: [] for peer in contests}
    for number in range(runs + 1):
        for peer, line in contests.items():
            run = measure(line.format(lazyimg=binary, file=shlex.quote(file)), terminal)
            if peer == "lazyimg":
                begin = measure(BEGIN.format(lazyimg=binary, file=shlex.quote(file)), terminal, is_begin=True)
                run.first, run.first_memory, run.detection = begin.first, begin.first_memory, begin.detection
            if number or runs == 1:
                results[peer].append(run)
    frames = frame_count(binary, file)
    ours = results["lazyimg"]
    against = []
    for peer in list(contests)[1:]:
        cpu = median([our.cpu / their.cpu for our, their in zip(ours, results[peer])])
        size = median([our.bytes / their.bytes for our, their in zip(ours, results[peer])])
        against.append(f"; {peer} CPU {cpu:.2f} ×, bytes {size:.2f} ×, {max(run.memory for run in results[peer]):.0f} MB")
    found = (f"{median([run.cpu for run in ours]) / frames * 1000:.1f} ms, "
             f"{median([run.bytes for run in ours]) / frames / 1000:.1f} kB; {median([run.first for run in ours]):.3f} s, "
             f"{median([run.first_memory for run in ours]):.0f} and {max(run.memory for run in ours):.0f} MB, detection "
             f"{median([run.detection for run in ours]) * 1000:.0f} ms{''.join(against)}")
    print(f"{name}, {os.path.basename(file)}: {found}", flush=True)
    return f"Terminal, {name}", os.path.basename(file), found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--lazyimg", default=os.path.join(ROOT, ".build/release/lazyimg"))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--report", action="store_true", help="keep the rows in data/screens.tsv")
    parser.add_argument("--rows", default=";".join(TERMINALS), help="names of rows, separated by semicolons")
    options = parser.parse_args()
    print(HEADER)
    found = [row(name, file, options.lazyimg, options.runs) for file in options.files for name in options.rows.split(";")]
    if options.report:
        report.update("screens", found, report.machine(["chafa", "timg"]))


if __name__ == "__main__":
    main()
