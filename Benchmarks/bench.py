#!/usr/bin/env python3
"""Compares lazyimg with other tools, job by job: complete processes including startup.

usage: bench.py [JOB…] [--lazyimg BINARY] [--runs N] [--clip FILE]… [--gif FILE]… [--json FILE] [--report]

Runs alternate: lazyimg, peer, lazyimg, peer …, after a warm-up round, so that a change of the machine's
speed affects both. Wall time, CPU time and peak memory come from wait4; bytes are the size of the output.
Medians are printed, and the median of the ratios of each round (peer / lazyimg: above 1 lazyimg is faster).
The default inputs are those of make-inputs.sh, or else the small files of media/, where startup dominates. A peer that is
not installed is skipped. --report writes the table of BENCHMARKS.md, a row for each job and peer, and needs all jobs: the
table is of one machine and one day.
Uses only the standard library.
"""

import argparse
import dataclasses
import functools
import json
import os
import re
import shlex
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import report

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
FFMPEG = "ffmpeg -v error -nostdin -y"
PYAV = """python3 -c '
import av, sys
for frame in av.open(sys.argv[1]).decode(video=0): frame.to_ndarray(format="rgba")' {file}"""


@dataclasses.dataclass
class Contest:
    """One command line of ours against one peer's; {file} is the input, {out} an empty folder."""

    ours: str
    peer: str
    wanted: str
    # Frames a second to compare what is on screen at, 0 for those of the source; None compares nothing.
    quality: float = None
    # What tells it from other contests of its job with the same peer.
    name: str = ""
    # Whether it has a row in BENCHMARKS.md.
    listed: bool = True


@dataclasses.dataclass
class Job:
    title: str
    inputs: str  # clip, gif, none, or what make-inputs.sh makes: pictures, big, film, shorts, minute, hd, photo, jxl, pq, hlg, icc
    contests: list


PLAY = "{lazyimg} play {file} --frames {out} --quiet"
NULL = "{lazyimg} play {file} --frames - --format null --quiet"
POSTER = "{lazyimg} poster {file} --width 320 -o {out}/p.png --quiet --at "
# What is remote comes from an nginx of our own on 127.0.0.1; {url} is its address of {file}.
FETCH = "{lazyimg} fetch {url} -o {out}/f --cache-dir {out}/cache --quiet"
PREFETCH = "{lazyimg} prefetch {url} --cache-dir {out}/cache --max-download 2G --quiet"
RANGED = "{lazyimg} poster {slow} --at first --width 320 -o {out}/p.png --cache-dir {out}/cache --quiet"
DOWNLOADED = ("sh -c 'curl -sS {slow} -o {out}/f && ffmpegthumbnailer -i {out}/f -o {out}/p.png -s 320 -t 0"
              " && rm {out}/f'")
FIRST = "{lazyimg} play %s --frames - --format null --max-frames 1 --quiet"
CONVERT = "{lazyimg} convert {file} --quiet --allow-larger -o {out}/o"
SMALL = " --width 320 --fps 12"
PALETTE = "split[a][b];[a]palettegen[p];[b][p]paletteuse"
THUMBNAILER_LOOP = ("sh -c 'for f in {file}/*.mp4; do ffmpegthumbnailer -i $f -o {out}/$(basename $f).png -s 320 -t 0;"
                    " done'")
THUMBNAILER_PARALLEL = ("sh -c 'parallel -j2 ffmpegthumbnailer -i {{}} -o {out}/{{/}}.png -s 320 -t 0 ::: {file}/*.mp4'")
TO_MP4 = FFMPEG + " -i {file} -c:v libx264 -pix_fmt yuv420p -vf 'pad=ceil(iw/2)*2:ceil(ih/2)*2' -movflags +faststart"
TONEMAP = ("zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=hable,zscale=t=iec61966-2-1:m=gbr:r=pc,"
           "format=rgba")
# The programs of baseline/ call the same libraries and do nothing else; PLAIN turns off what Sources/C/CTricks does.
PLAIN = "env LAZYIMG_PLAIN=1 "
BASELINE_POSTER = "{lazyimg} poster {file} --at 0 --width 320 --quality 75 -o {out}/p.jpg --quiet"
CELLS = "{lazyimg} play {file} --cells 80x24 --untimed --loop 1"

JOBS = {
    "J1": Job("clip -> PNG files", "clip", [
        Contest(PLAY, FFMPEG + " -i {file} -an -vsync 0 {out}/%05d.png", "5 x at 0.62 of the bytes"),
        Contest(PLAY, FFMPEG + " -i {file} -an -vsync 0 -compression_level 1 -pred up {out}/%05d.png",
                "2.3 x at 1.01 of the bytes"),
    ]),
    "J2": Job("clip -> RGBA in memory", "clip", [
        Contest(NULL, FFMPEG + " -i {file} -an -vsync 0 -pix_fmt rgba -f null -", "1.3 x"),
        Contest(NULL, PYAV, "2 x"),
    ]),
    "J3": Job("GIF -> RGBA in memory", "gif", [
        Contest(NULL, FFMPEG + " -i {file} -vsync 0 -pix_fmt rgba -f null -", "9 x as the mean"),
    ]),
    "J4": Job("GIF -> PNG files", "gif", [
        Contest(PLAY, FFMPEG + " -i {file} -vsync 0 {out}/%05d.png", "5 x at 0.87 of the bytes"),
    ]),
    "J5": Job("poster of a clip, 320 px", "clip", [
        Contest(POSTER + "first", "ffmpegthumbnailer -i {file} -o {out}/p.png -s 320 -t 0", "1.6 x"),
        Contest(POSTER + "{middle}", FFMPEG + " -ss {middle} -i {file} -an -frames:v 1 -vf scale=320:-1 {out}/p.png",
                "1.6 x"),
    ]),
    "J5gif": Job("poster of a GIF, 320 px", "gif", [
        Contest(POSTER + "first", "ffmpegthumbnailer -i {file} -o {out}/p.png -s 320 -t 0", "4 x"),
        Contest(POSTER + "first", "gifsicle --no-warnings {file} '#0' --resize-width 320 -o {out}/p.gif", "1.2 x"),
    ]),
    "J8": Job("start-up", "none", [
        Contest("{lazyimg} --version", "ffmpeg -version", "20 x, 4 ms or less"),
    ]),
    "J9": Job("terminal of 80 x 24 cells", "gif", [
        Contest(CELLS, "chafa --size 80x24 --symbols half --duration 0 --speed max {file}", "2.5 x in CPU time"),
        Contest(CELLS, "mpv --no-config --really-quiet --vo=tct --vo-tct-width=80 --vo-tct-height=24 --untimed"
                " --no-audio --loop-file=no {file}", "1.8 x in CPU time"),
    ]),
    "J10": Job("disk-cache hit -> first frame", "clip", [
        Contest(FIRST % "{cached} --cache-dir {kept}", FIRST % "{file}", "0.87 x", name="against the file"),
    ]),
    "J11": Job("1000 pictures -> thumbnails of 160 px", "pictures", [
        Contest("{lazyimg} poster {many} --at first --size '160x160>' -o {out} --quiet",
                "sh -c 'vipsthumbnail {many} --size 160x160 -o {out}/%s.png'", "1 x, both cores"),
    ]),
    "J12": Job("download of 1 GB", "big", [
        Contest(PREFETCH, "curl -sS {url} -o {out}/f", "0.87 x, under 100 MB of memory", name="into the cache"),
        Contest(FETCH, "curl -sS {url} -o {out}/f", "0.87 x, written twice: store and file", name="into the cache and a file",
                listed=False),
        Contest(FETCH + " --no-cache", "curl -sS {url} -o {out}/f", "0.87 x", name="into a file", listed=False),
    ]),
    "J13": Job("poster of a remote 100 MB MP4, moov last, 20 Mbit/s", "film", [
        Contest(RANGED, DOWNLOADED, "10 x, at most 2 % of the bytes"),
    ]),
    "J14": Job("clip -> 320 px WebP, 12 fps", "clip", [
        Contest(CONVERT + ".webp" + SMALL + " --quality 75",
                FFMPEG + " -i {file} -an -vf fps=12,scale=320:-2 -c:v libwebp_anim -q:v 75 -loop 0 {out}/o.webp",
                "2.5 x, no more bytes, no lower SSIM", 12),
    ]),
    "J15": Job("clip -> 320 px GIF, 12 fps", "clip", [
        Contest(CONVERT + ".gif" + SMALL,
                FFMPEG + f" -i {{file}} -an -vf 'fps=12,scale=320:-1:flags=lanczos,{PALETTE}' {{out}}/o.gif",
                "7 x, 0.75 of the bytes, +1.5 dB", 12),
    ]),
    "J16": Job("GIF -> 320 px GIF, all frames", "gif", [
        Contest(CONVERT + ".gif --width 320", "gifsicle --no-warnings --resize-width 320 {file} -o {out}/o.gif",
                "3 x, no more bytes, no lower PSNR", 0),
    ]),
    "J17": Job("GIF -> MP4", "gif", [
        Contest(CONVERT + ".mp4", TO_MP4 + " {out}/o.mp4", "2.5 x, 0.75 of the bytes, at most 0.4 dB less", 0),
        Contest(CONVERT + ".mp4 --undither never", TO_MP4 + " -preset veryfast {out}/o.mp4",
                "1.15 x at the same preset", 0, "--undither never", listed=False),
    ]),
    "J18": Job("sheet of a minute, 10 x 6 tiles", "minute", [
        Contest("{lazyimg} sheet {file} --interval 1 --columns 10 --rows 6 --width 160 -o {out}/s.jpg --quiet",
                FFMPEG + " -i {file} -an -vf fps=1,scale=160:-2,tile=10x6 -frames:v 1 {out}/s.jpg", "5 x"),
    ]),
    "J19": Job("1000 short clips -> posters", "shorts", [
        Contest("{lazyimg} batch poster --at first --width 320 {file}/*.mp4 -o {out} --quiet --no-journal",
                THUMBNAILER_LOOP, "4 x", name="first frames, a loop"),
        Contest("{lazyimg} batch poster --at first --width 320 {file}/*.mp4 -o {out} --quiet --no-journal",
                THUMBNAILER_PARALLEL, "1.5 x", name="first frames, GNU parallel"),
        Contest("{lazyimg} batch poster --width 320 {file}/*.mp4 -o {out} --quiet --no-journal",
                THUMBNAILER_LOOP, "4 x", name="chosen frames, a loop", listed=False),
        Contest("{lazyimg} batch poster --width 320 {file}/*.mp4 -o {out} --quiet --no-journal",
                THUMBNAILER_PARALLEL, "1.5 x", name="chosen frames, GNU parallel", listed=False),
    ]),
    "J20": Job("memory", "hd", [
        Contest("{lazyimg} animate {file} -o {out}/o.webp --quiet", "true", "under 250 MB", name="animate"),
        Contest(CONVERT + ".gif" + SMALL, "true", "under 250 MB", name="to 320 px GIF"),
        Contest(CONVERT + ".webp" + SMALL, "true", "under 250 MB", name="to 320 px WebP"),
        Contest(CONVERT + ".mp4", "true", "under 250 MB", name="to MP4"),
        Contest(CONVERT + ".webm" + SMALL, "true", "under 250 MB", name="to 320 px WebM"),
        Contest(CONVERT + ".avif" + SMALL, "true", "under 250 MB", name="to 320 px AVIF"),
        Contest(CONVERT + ".apng" + SMALL, "true", "under 250 MB", name="to 320 px APNG"),
        Contest("{lazyimg} animate {file} --reverse -o {out}/o.mp4 --quiet", "true", "under 250 MB", name="animate --reverse"),
        Contest("{lazyimg} sheet {file} -o {out}/s.jpg --quiet", "true", "under 250 MB", name="sheet"),
    ]),
    "J21": Job("GIF -> APNG", "gif", [
        Contest(CONVERT + ".apng", FFMPEG + " -i {file} -f apng -plays 0 {out}/o.apng", "no more bytes", 0),
    ]),
    "J22": Job("poster of a HEIC of 12 megapixels, 320 px", "photo", [
        Contest(POSTER + "embedded", "heif-thumbnailer -s 320 {file} {out}/p.png", "1 x", name="its thumbnail", listed=False),
        Contest(POSTER + "first", "heif-thumbnailer -p -s 320 {file} {out}/p.png", "2 x", name="the picture"),
    ]),
    "J23": Job("JPEG XL animation -> frames", "jxl", [
        Contest(NULL, "djxl --num_threads 0 {file} {out}/o.ppm", "1 x", name="in memory; djxl writes PPM"),
        Contest(PLAY, "djxl --num_threads 0 {file} {out}/o.png", "1 x", name="PNG files", listed=False),
    ]),
    "J24": Job("PQ film -> sRGB in memory", "pq", [
        Contest(NULL, FFMPEG + " -i {file} -an -vsync 0 -vf " + TONEMAP + " -f null -", "1.8 x in CPU time"),
    ]),
    "J25": Job("HLG film -> sRGB in memory", "hlg", [
        Contest(NULL, FFMPEG + " -i {file} -an -vsync 0 -vf " + TONEMAP + " -f null -", "1.5 x in CPU time"),
    ]),
    "J26": Job("poster of a JPEG of 12 megapixels with a Display P3 profile, 320 px", "icc", [
        Contest(POSTER + "first", "vipsthumbnail {file} --size 320 --export-profile srgb -o {out}/p.png", "1 x"),
    ]),
    "J27": Job("some frames of a minute, 320 px -> PNG files", "minute", [
        Contest("{lazyimg} play {file} --frames {out} --fps 0.1 --width 320 --quiet",
                FFMPEG + " -i {file} -an -vf fps=0.1,scale=320:-2 {out}/%04d.png", "2 x", name="each ten seconds", listed=False),
        Contest("{lazyimg} play {file} --frames {out} --fps 1 --width 320 --quiet",
                FFMPEG + " -i {file} -an -vf fps=1,scale=320:-2 {out}/%04d.png", "1.5 x", name="each second"),
    ]),
    "J28": Job("isolated poster of a clip, 320 px", "clip", [
        Contest(POSTER + "first --isolate always", POSTER + "first --isolate never", "10 ms later at most", name="against --isolate never"),
    ]),
    "J29": Job("poster of a clip, 320 px JPEG, beside plain C", "clip", [
        Contest(BASELINE_POSTER, "{baseline-video} poster {file} {out}/p.jpg", "1.1 x in CPU time"),
        Contest(PLAIN + BASELINE_POSTER, "{baseline-video} poster {file} {out}/p.jpg", "0.91 x in CPU time"),
    ]),
    "J30": Job("clip -> RGBA in memory, beside plain C", "clip", [
        Contest(NULL, "{baseline-video} decode {file}", "0.84 x in CPU time"),
        Contest(PLAIN + NULL, "{baseline-video} decode {file}", "0.84 x in CPU time", listed=False),
    ]),
    "J31": Job("GIF -> RGBA in memory, beside plain C", "gif", [
        Contest(NULL, "{baseline-gif} {file}", "1 x in CPU time"),
        Contest(PLAIN + NULL, "{baseline-gif} {file}", "1 x in CPU time", listed=False),
        Contest(NULL, "{baseline-wuffs} {file}", "1 x in CPU time"),
    ]),
    "J32": Job("two hours of 1080p -> 720 tiles, beside plain C", "story", [
        Contest("{lazyimg} sheet {file} --count 720 --columns 10 -W 160 --keyframes -q 75 -o {out}/s.jpg --quiet",
                "{baseline-video} sheet {file} {out}/s.jpg", "0.83 x"),
    ]),
    "J33": Job("two hours of HDR -> 720 tiles, beside plain C", "storyhdr", [
        Contest("{lazyimg} sheet {file} --count 720 --columns 10 -W 160 --keyframes -q 75 -o {out}/s.jpg --quiet",
                "{baseline-video} sheet {file} {out}/s.jpg", "0.83 x"),
    ]),
    "info": Job("count the frames", "gif", [
        Contest("{lazyimg} info {file} --json",
                "ffprobe -v error -count_frames -show_entries stream=nb_read_frames {file}", "10 x (1000 frames)"),
    ]),
}

# The table of BENCHMARKS.md.
HEADER = ["job", "peer", "input", "ours", "×", "CPU ×", "MiB, ours / its", "bytes ×", "PSNR and SSIM, ours / its", "goal"]


@dataclasses.dataclass
class Run:
    wall: float
    cpu: float
    memory: float  # MiB, the peak
    size: int
    status: int


class Server:
    """An nginx of our own on a port that is free, with one folder; None where nginx is missing."""

    CONFIGURATION = """daemon off; pid {at}/pid; error_log {at}/error.log; worker_processes 1;
        events {{}}
        http {{
            access_log off; sendfile on; default_type application/octet-stream;
            client_body_temp_path {at}/1; proxy_temp_path {at}/2; fastcgi_temp_path {at}/3;
            uwsgi_temp_path {at}/4; scgi_temp_path {at}/5;
            server {{
                listen 127.0.0.1:{port}; root {root};
                add_header Cache-Control max-age=86400;
                location /slow/ {{ alias {root}/; limit_rate 2500000; }}
            }}
        }}"""

    def __init__(self, root):
        self.at = tempfile.mkdtemp(prefix="lazyimg-nginx-")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        with open(os.path.join(self.at, "conf"), "w") as target:
            target.write(self.CONFIGURATION.format(at=self.at, port=self.port, root=root))
        self.child = subprocess.Popen([NGINX, "-p", self.at, "-c", os.path.join(self.at, "conf"),
                                       "-e", os.path.join(self.at, "error.log")])
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)

    def url(self, file, folder=""):
        return f"http://127.0.0.1:{self.port}/{folder}{os.path.basename(file)}"

    def stop(self):
        self.child.terminate()
        self.child.wait()
        shutil.rmtree(self.at, ignore_errors=True)


def program(command):
    return shlex.split(command)[0]


def run(command, folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    start = time.monotonic()
    child = subprocess.Popen(shlex.split(command), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.monotonic() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    size = sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(folder)
               for name in names if not name.endswith(".json"))
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, size, child.returncode)


@functools.cache
def baseline(name):
    """Compiles a program of Benchmarks/baseline; None where a library or the compiler is missing."""
    program = os.path.join(ROOT, ".build/baseline", name)
    os.makedirs(os.path.dirname(program), exist_ok=True)
    libraries = ["libavformat", "libavcodec", "libswscale", "libavutil", "libjpeg"]
    own = {"gif": ["-lgif"], "wuffs": ["-I" + os.environ.get("WUFFS", "")]}
    try:
        flags = own.get(name) or subprocess.check_output(
            ["pkg-config", "--cflags", "--libs", *libraries], text=True).split()
        source = os.path.join(ROOT, "Benchmarks/baseline", name + ".c")
        subprocess.check_call(["cc", "-O2", source, "-o", program, *flags])
    except (OSError, subprocess.CalledProcessError):
        return None
    return program


def middle_of(file):
    """An instant between two frames near the middle, so that rounding decides nothing."""
    probe = subprocess.run([ARGUMENTS.lazyimg, "info", file, "--json"], capture_output=True, text=True)
    try:
        info = json.loads(probe.stdout)
        info = info[0] if isinstance(info, list) else info
        return f"{(info.get('durationUs') or 0) / 2e6 + 0.003:.3f}"
    except (ValueError, AttributeError):
        return "0"


def median(values):
    return statistics.median(values)


def measure(contest, file, folder):
    """Prepares one contest, runs it and returns its row, or None."""
    values = {"lazyimg": shlex.quote(ARGUMENTS.lazyimg), "out": shlex.quote(folder),
             "file": shlex.quote(file or ""), "middle": middle_of(file) if file else ""}
    if file and os.path.isdir(file):
        values["many"] = " ".join(shlex.quote(os.path.join(file, name)) for name in sorted(os.listdir(file)))
    if contest.peer.startswith("{baseline-"):
        name = contest.peer[len("{baseline-"):].split("}")[0]
        if not baseline(name):
            print(f"  Benchmarks/baseline/{name}.c does not compile here: left out")
            return None
        values["baseline-" + name] = shlex.quote(baseline(name))
    server, kept = None, tempfile.mkdtemp(prefix="lazyimg-kept-")
    if any(name in contest.ours for name in ("{url}", "{slow}", "{cached}")):
        if not os.access(NGINX, os.X_OK):
            print("  nginx is not installed: left out")
            return None
        server = Server(os.path.dirname(os.path.abspath(file)))
        values |= {"url": server.url(file), "slow": server.url(file, "slow/"), "cached": server.url(file),
                  "kept": shlex.quote(kept)}
    try:
        if "{cached}" in contest.ours:
            subprocess.run([ARGUMENTS.lazyimg, "prefetch", values["cached"], "--cache-dir", kept, "--quiet"])
        if "{slow}" in contest.ours:
            print_bytes(contest.ours.format(**values), folder)
        ours, peer = contest.ours.format(**values), contest.peer.format(**values)
        row = compare(contest, ours, peer, folder)
        if row and contest.quality is not None:
            row["quality"] = " / ".join(quality(file, contest.quality, (ours, peer), folder))
        return row
    finally:
        if server:
            server.stop()
        shutil.rmtree(kept, ignore_errors=True)


def print_bytes(command, folder):
    """Prints how much of a remote file our side loads."""
    os.makedirs(folder, exist_ok=True)
    answer = subprocess.run(shlex.split(command) + ["--json"], capture_output=True, text=True)
    try:
        transfer = json.loads(answer.stdout)["transfer"]
        print(f"  {transfer['bytes']} of {transfer['totalBytes']} bytes loaded"
              f" ({100 * transfer['bytes'] / transfer['totalBytes']:.2f} %)")
    except (ValueError, KeyError, TypeError):
        print("  the bytes loaded are not known")


def quality(file, fps, commands, folder):
    """Prints how near to the source the outputs of both sides are, and returns the means."""
    means = []
    for command in commands:
        run(command, folder)
        outputs = [os.path.join(folder, name) for name in os.listdir(folder)]
        values = ["--fps", str(fps)] if fps else []
        values += ["--matrix", ARGUMENTS.matrix] if ARGUMENTS.matrix and "lazyimg" in program(command) else []
        reply = subprocess.run([sys.executable, os.path.join(ROOT, "Benchmarks/quality.py"), file, *outputs, *values],
                               capture_output=True, text=True)
        answer = reply.stdout.strip().splitlines()[-1] if reply.stdout else reply.stderr.strip()
        print(f"  {os.path.basename(program(command))}: {answer}", flush=True)
        found = re.search(r"([\d.]+) \| ([\d.]+) \|$", answer)
        means.append(f"{found[1]} dB {found[2]}" if found else "-")
    return means


def compare(contest, ours, peer, folder):
    """Runs both sides in turn and returns the row, or None when the peer is missing or a side failed."""
    name = program(peer)
    if name == "sh":
        # The first program in a line of the shell, after the head of a loop.
        name = re.sub(r"^for .*? do ", "", shlex.split(peer)[2]).split()[0]
    if not shutil.which(name):
        print(f"  {name} is not installed: left out")
        return None
    if name == "python3" and subprocess.run(
            ["python3", "-c", "import av"], capture_output=True).returncode:
        print("  PyAV is not installed: left out")
        return None
    pairs = []
    for round_number in range(ARGUMENTS.runs + 1):
        a, b = run(ours, folder), run(peer, folder)
        for side, command in ((a, ours), (b, peer)):
            if side.status:
                print(f"  ended with {side.status}: {command}")
                return None
        if round_number:
            pairs.append((a, b))
    ratio = lambda key: median([getattr(b, key) / max(getattr(a, key), 1e-4) for a, b in pairs])
    mine, theirs = pairs[0]
    return {
        "name": contest.name or ("plain" if ours.startswith(PLAIN) else contest.name),
        "peer": "PyAV" if name == "python3" else "lazyimg" if name == program(ours) else " ".join(w for w in ["plain C" if "/baseline/" in name else name, *(
            ["cl1 up"] if "-pred up" in peer else ["exact"] if "-ss" in peer else [])]),
        "wall": median([a.wall for a, _ in pairs]), "peerWall": median([b.wall for _, b in pairs]),
        "wallRatio": ratio("wall"), "cpuRatio": ratio("cpu"),
        "memory": max(a.memory for a, _ in pairs), "peerMemory": max(b.memory for _, b in pairs),
        "bytes": mine.size / theirs.size if mine.size and theirs.size else None,
        "wanted": contest.wanted, "listed": contest.listed,
    }


def write_report(results):
    """Writes the table of BENCHMARKS.md."""
    peers = dict.fromkeys(row["peer"].split()[0] for row in results if row["peer"] not in ("true", "lazyimg", "plain"))
    rows, most = [], None
    for row in results:
        if not row["listed"]:
            continue
        if row["peer"] == "true":  # Only our memory is of interest, and of that the most.
            if most and most["memory"] >= row["memory"]:
                continue
            if most:
                rows.remove(most)
            most = row
        rows.append(row)
    report.write_table(HEADER, map(cells, rows), report.machine(peers))


def cells(row):
    """A result as it is in BENCHMARKS.md."""
    isAlone = row["peer"] == "true"
    return [f"{row['job']} {JOBS[row['job']].title}".replace("->", "to"), "" if isAlone else row["peer"],
            ", ".join(filter(None, [os.path.basename(row["file"] or ""), row["name"]])), report.time(row["wall"]),
            "" if isAlone else f"{row['wallRatio']:.2f}", "" if isAlone else f"{row['cpuRatio']:.2f}",
            f"{row['memory']:.0f}" + ("" if isAlone else f" / {row['peerMemory']:.0f}"),
            # A cache is no output, and what is removed again is none.
            f"{row['bytes']:.3f}" if row["bytes"] and not isAlone and 0.01 < row["bytes"] < 100 else "", row.get("quality", ""),
            row["wanted"].replace(" x", " ×")]


def main():
    results = []
    folder = os.path.join(tempfile.mkdtemp(prefix="lazyimg-bench-", dir="/dev/shm"
                                           if os.path.isdir("/dev/shm") else None), "out")
    made = lambda name: [path] if os.path.exists(path := os.path.join(ARGUMENTS.made, name)) else []
    inputs = {"clip": ARGUMENTS.clip, "gif": ARGUMENTS.gif, "none": [None],
              "pictures": made("pictures"), "big": made("big.bin"), "film": made("film720.mp4"),
              "shorts": made("shorts"), "minute": ARGUMENTS.minute or made("long720.mp4"),
              "hd": made("long1080.mp4"), "photo": made("photo.heic"), "jxl": made("animation.jxl"),
              "pq": made("pq720.mp4"), "hlg": made("hlg720.mp4"), "icc": made("photo.jpg"),
              "story": made("story1080.mp4"), "storyhdr": made("story1080-hdr.mp4")}
    try:
        for key in ARGUMENTS.jobs or JOBS:
            job = JOBS[key]
            if not inputs[job.inputs]:
                print(f"\n### {key} {job.title}: left out, Benchmarks/make-inputs.sh makes its input")
            for file in inputs[job.inputs]:
                print(f"\n### {key} {job.title}" + (f", {os.path.basename(file)}" if file else ""), flush=True)
                rows = [row for contest in job.contests if (row := measure(contest, file, folder))]
                if not rows:
                    continue
                print("\n| peer | lazyimg s | peer s | wall x | CPU x | MiB | peer MiB | bytes | wanted |")
                print("|---|--:|--:|--:|--:|--:|--:|--:|---|")
                for r in rows:
                    size = f"{r['bytes']:.3f}" if r["bytes"] else "-"
                    print(f"| {r['peer']} | {r['wall']:.4f} | {r['peerWall']:.4f} | {r['wallRatio']:.2f} |"
                          f" {r['cpuRatio']:.2f} | {r['memory']:.0f} | {r['peerMemory']:.0f} | {size} |"
                          f" {r['wanted']} |", flush=True)
                    results.append({"job": key, "file": file, **r})
    finally:
        shutil.rmtree(os.path.dirname(folder), ignore_errors=True)
    if ARGUMENTS.report:
        write_report(results)
    if ARGUMENTS.json:
        with open(ARGUMENTS.json, "w") as target:
            json.dump(results, target, indent=1)


if __name__ == "__main__":
    media = os.path.join(ROOT, "media")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jobs", nargs="*", metavar="JOB", help=f"of {', '.join(JOBS)}; all when none is named")
    parser.add_argument("--lazyimg", default=os.path.join(ROOT, ".build/release/lazyimg"))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--clip", action="append", help="clips for J1, J2, J5, J10, J14, J15, J28, J29, J30")
    parser.add_argument("--gif", action="append", help="GIFs for J3, J4, J5gif, J9, J16, J17, J21, J31, info")
    parser.add_argument("--minute", action="append", help="clips for J18 and J27")
    parser.add_argument("--matrix", choices=["bt601", "bt709"], help="how untagged clips are read for quality")
    parser.add_argument("--made", default=os.path.join(ROOT, ".build/bench"),
                        help="the folder of make-inputs.sh, for J11, J12, J13, J18, J19, J20, J22, J23, J27, J32, J33")
    parser.add_argument("--json", help="also write the results there")
    parser.add_argument("--report", action="store_true", help="write the table of BENCHMARKS.md")
    ARGUMENTS = parser.parse_args()
    if unknown := [job for job in ARGUMENTS.jobs if job not in JOBS]:
        sys.exit(f"There is no job {', '.join(unknown)}; there are {', '.join(JOBS)}.")
    if ARGUMENTS.report and ARGUMENTS.jobs:
        print("BENCHMARKS.md is written when all jobs are measured: these results are printed only.")
        ARGUMENTS.report = False
    usual = lambda name, small: [path if os.path.exists(path := os.path.join(ARGUMENTS.made, name)) else
                                 os.path.join(media, small)]
    ARGUMENTS.clip = ARGUMENTS.clip or usual("clip720.mp4", "clip.mp4")
    ARGUMENTS.gif = ARGUMENTS.gif or usual("photo480.gif", "counter.gif")
    ARGUMENTS.lazyimg = os.path.abspath(ARGUMENTS.lazyimg)
    main()
