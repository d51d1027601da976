"""A GIF that is made smaller and stays animated, by the server, by thumbor and by libvips: CPU time and bytes."""

import contextlib
import os
import statistics
import subprocess
import sys

from servers import ROOT, Server, TICKS, get, judge, skip, wait_for

PEERS = f"{ROOT}/.build/peers"
THUMBOR = 18770
# The time of the program's start is left out.
VIPS = """
import sys, time, pyvips
start = time.process_time()
picture = pyvips.Image.thumbnail(sys.argv[1] + "[n=-1]", 160, height=10000)
picture.gifsave(sys.argv[2])
print(time.process_time() - start, pyvips.version(0), pyvips.version(1))
"""


@contextlib.contextmanager
def thumbor(folder, root):
    """thumbor's own server with the engine that keeps animations; a process, of which `cpu` tells the seconds."""
    settings = f"{folder}/thumbor.conf"
    with open(settings, "w") as file:
        file.write(f"LOADER = 'thumbor.loaders.file_loader'\nFILE_LOADER_ROOT_PATH = {root!r}\n"
                   "STORAGE = 'thumbor.storages.no_storage'\nRESULT_STORAGE = None\nALLOW_ANIMATED_GIFS = True\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "thumbor.server", "-p", str(THUMBOR), "-i", "127.0.0.1", "-c", settings, "-l", "error"],
        env={**os.environ, "PYTHONPATH": PEERS}, stdout=subprocess.DEVNULL, stderr=open(f"{folder}/thumbor.log", "w"))

    def cpu():
        words = open(f"/proc/{process.pid}/stat").read().rsplit(")", 1)[1].split()
        return sum(int(word) for word in words[11:15]) / TICKS

    try:
        wait_for(lambda: get(THUMBOR, "/healthcheck")[0] == 200)
        yield cpu
    finally:
        process.terminate()
        process.wait()


def asked(port, path, cpu):
    """CPU seconds and bytes of an answer."""
    before = cpu()
    status, _, bytes = get(port, path)
    if status != 200:
        sys.exit(f"The answer to {path} is {status}.")
    return cpu() - before, len(bytes)


def by_vips(folder, path):
    out = f"{folder}/vips.gif"
    words = subprocess.run([sys.executable, "-c", VIPS, path, out], env={**os.environ, "PYTHONPATH": PEERS},
                           capture_output=True, text=True, check=True).stdout.split()
    return float(words[0]), os.path.getsize(out)


def compare(program, folder, path, count=7):
    """The medians of each, which take turns: the server, thumbor and libvips."""
    root, name = os.path.split(path)
    rounds = []
    with Server(program, folder, 18772, "--root", root, "--drain-delay", "0", "--timeout", "60") as server, \
            thumbor(folder, root) as thumbor_cpu:
        for number in range(count + 1):
            rounds.append((asked(server.port, f"/unsafe/w:160/cb:{number}/plain/local:///{name}@gif", server.cpu),
                           asked(THUMBOR, f"/unsafe/160x0/{name}", thumbor_cpu), by_vips(folder, path)))
    # The first one has starts of processes in it.
    return [(statistics.median(round[place][0] for round in rounds[1:]), rounds[0][place][1]) for place in range(3)]


def peers(program, folder, path=None):
    """CPU time a fifth of thumbor's and a tenth of libvips', and no more bytes than either, or the source."""
    if not os.path.exists(f"{PEERS}/thumbor"):
        return skip("GIF to 160 px", "thumbor and pyvips cannot be installed (scripts/install-peers.sh)")
    if not path:
        path = f"{folder}/own.gif"
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "mandelbrot=size=854x480:rate=12,trim=duration=6",
             "-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse", path], check=True)
    (ours, size), (theirs, their_size), (vips, vips_size) = compare(program, folder, path)
    source = os.path.getsize(path)
    judge(theirs >= 5 * ours and vips >= 10 * ours and size <= min(their_size, vips_size, source),
          f"GIF to 160 px, animated ({'own' if path.startswith(folder) else os.path.basename(path)}, {source / 1e6:.1f} MB)",
          f"{ours:.2f} s CPU, {size / 1000:.0f} kB; thumbor {theirs / ours:.1f} ×, {their_size / 1000:.0f} kB; "
          f"libvips {vips / ours:.1f} ×, {vips_size / 1000:.0f} kB")
