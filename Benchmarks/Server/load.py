"""Many requests at once: hits in memory against a bare route, and cold posters with a long and with the usual queue."""

import os
import re
import selectors
import shutil
import socket
import statistics
import subprocess
import time

from servers import MEDIA, ROOT, Server, film, get, judge, skip, wait_for

BARE = f"{ROOT}/Server/.build/release/bare-route"


def wrk(port, path):
    """Requests a second, and the 99th percentile of their milliseconds, with 16 connections."""
    text = subprocess.run(["wrk", "-t1", "-c16", "-d5s", "--latency", f"http://127.0.0.1:{port}{path}"],
                          capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in text:
        return 0, 1e9
    late = re.search(r"99%\s+([\d.]+)(us|ms|s)", text)
    return (float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]),
            float(late[1]) * {"us": 0.001, "ms": 1, "s": 1000}[late[2]])


def hits(program, folder):
    """A poster of 10 kB from memory, in turn with a route of the framework that has as many bytes."""
    name = "hits of 10 kB in memory"
    if not shutil.which("wrk") or not os.path.exists(BARE):
        return skip(name, "wrk is not installed, or bare-route is not built (make bench-server)")
    with Server(program, folder, 18730, "--root", MEDIA, "--drain-delay", "0") as server:
        paths = [f"/unsafe/rs:fit:{width}:0:1/plain/local:///clip.mp4@jpg" for width in range(100, 640, 20)]
        sizes = {path: len(server.get(path)[2]) for path in paths}
        path = min(paths, key=lambda path: abs(sizes[path] - 10_000))
        bare = subprocess.Popen([BARE, "18740", str(sizes[path])], stderr=subprocess.DEVNULL)
        try:
            wait_for(lambda: get(18740, "/x")[0] == 200)
            pairs = [(wrk(18740, "/x"), wrk(18730, path)) for _ in range(3)]
        finally:
            bare.terminate()
            bare.wait()
    ratio = statistics.median(ours[0] / theirs[0] for theirs, ours in pairs)
    speed, late = (statistics.median(ours[place] for _, ours in pairs) for place in (0, 1))
    judge(ratio >= 0.6 and late <= 10, name,
          f"{speed:,.0f} a second ({sizes[path] / 1000:.1f} kB), {ratio:.0%} of a bare route; "
          f"99th percentile {late:.1f} ms, that one's {statistics.median(theirs[1] for theirs, _ in pairs):.1f} ms")


def ask_at_once(port, paths):
    """The status of each path, and the seconds until it came; all are sent before any answer is read."""
    answers, start = [], {}
    with selectors.DefaultSelector() as waiting:
        connections = [socket.create_connection(("127.0.0.1", port)) for _ in paths]
        for connection, path in zip(connections, paths):
            start[connection] = time.monotonic()
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
            waiting.register(connection, selectors.EVENT_READ)
        while waiting.get_map():
            for key, _ in waiting.select():
                bytes = key.fileobj.recv(1 << 16)
                if key.fileobj in start:
                    seconds = time.monotonic() - start.pop(key.fileobj)
                    answers.append((int(bytes[9:12] or 0), seconds))
                if not bytes:
                    waiting.unregister(key.fileobj)
                    key.fileobj.close()
    return answers


def crowd(program, folder):
    """64 cold posters of 64 films on two cores."""
    root = f"{folder}/crowd"
    os.mkdir(root)
    one = film(f"{root}/0.mp4", "640x360", 8, 4)
    for number in range(1, 64):
        shutil.copy(one, f"{root}/{number}.mp4")
    paths = [f"/unsafe/w:{100 + number}/plain/local:///{number}.mp4@webp" for number in range(64)]

    def start(port, *flags):
        server = Server(program, folder, port, "--root", root, "--workers", "4", "--drain-delay", "0", *flags)
        for process in server.processes():
            os.sched_setaffinity(process, sorted(os.sched_getaffinity(0))[:2])
        return server

    with start(18750, "--queue", "64") as server:
        begin = time.monotonic()
        ok = sum(status == 200 for status, _ in ask_at_once(server.port, paths))
        length, memory = time.monotonic() - begin, server.memory("VmHWM")
    judge(ok == 64 and length <= 10 and memory <= 150, "64 cold posters at once, all wait",
          f"{ok} of 64 in {length:.1f} s, host {memory:.0f} MB")
    with start(18752) as server:
        answers = ask_at_once(server.port, paths)
    ok, refused = (sum(status == wanted for status, _ in answers) for wanted in (200, 503))
    late = max((seconds for status, seconds in answers if status == 503), default=0)
    judge((ok, refused) == (20, 44) and late <= 0.05, "64 cold posters at once, the usual queue",
          f"{ok} made, {refused} refused within {late * 1000:.0f} ms")
