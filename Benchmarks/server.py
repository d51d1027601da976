#!/usr/bin/env python3
"""Measures and judges a fleet: lazyimg-server behind nginx with sources and results in S3 (moto).

usage: report.py operations "lazyimg-server" -- Benchmarks/server.py SERVER [NAME...]

NAMES: `fleet`, 60 equal requests at two nginx in front of three servers; `kill`, the same while the server that decodes is
killed; `restart`, one server after the other ends and starts under load; `crowd`, 64 cold posters at once. Each that shows
something else than it has to ends this program with 1. Uses the standard library, nginx, ffmpeg, and moto
(scripts/install-python.sh).
"""

import concurrent.futures
import http.client
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
S3, METADATA, NGINX, SERVERS = 18700, 18701, (18702, 18703), (18710, 18712, 18714)


def get(port, path, timeout=120):
    """The status, the tag and the bytes of an answer; a status of 0 where there is none."""
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
        connection.request("GET", path)
        answer = connection.getresponse()
        result = answer.status, answer.headers.get("ETag"), answer.read()
        connection.close()
        return result
    except (OSError, http.client.HTTPException):
        return 0, None, b""


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


class Fleet:
    """moto, three servers, two nginx."""

    def __init__(self, server, folder, media):
        self.server, self.folder, self.processes = server, folder, {}
        self.log = f"{folder}/s3.log"
        self.moto = subprocess.Popen(
            [sys.executable, f"{ROOT}/Server/Tests/Scripts/moto.py", str(S3), str(METADATA), self.log, *media],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=open(f"{folder}/moto.log", "w"), text=True)
        key = self.moto.stdout.readline().split()
        if len(key) != 2:
            sys.exit("moto is not installed: run scripts/install-python.sh.")
        self.environment = {
            **os.environ, "AWS_ACCESS_KEY_ID": key[0], "AWS_SECRET_ACCESS_KEY": key[1], "LAZYIMG_USE_S3": "true",
            "LAZYIMG_S3_ENDPOINT": f"http://127.0.0.1:{S3}", "LAZYIMG_CACHE_BUCKET": "results"}
        for port in SERVERS:
            self.start(port)
        self.nginx = [self.start_nginx(port) for port in NGINX]

    def start(self, port, *flags):
        folder = f"{self.folder}/cache{port}"
        self.processes[port] = subprocess.Popen(
            [self.server, "--unsafe", "--port", str(port), "--admin-port", str(port + 1), "--cache", folder,
             "--timeout", "60", "--drain-delay", "1", *flags],
            env=self.environment, stderr=open(f"{self.folder}/log{port}", "a"))
        if not wait_for(lambda: get(port + 1, "/readyz")[0] == 200):
            sys.exit(f"The server at {port} does not start.")

    def stop(self, port, how=signal.SIGTERM):
        self.processes[port].send_signal(how)
        return self.processes[port].wait()

    def start_nginx(self, port):
        folder = f"{self.folder}/nginx{port}"
        os.mkdir(folder)
        site = open(f"{ROOT}/Server/deploy/nginx.conf").read()
        line = re.search(r"^ *server 127.0.0.1:8080(.*)$", site, re.M)
        servers = "".join(f"    server 127.0.0.1:{server}{line[1]}\n" for server in SERVERS)
        site = site.replace(line[0] + "\n", servers).replace("listen 8000", f"listen 127.0.0.1:{port}")
        site = site.replace("/var/cache/nginx", folder)
        # What takes seven seconds here is not to be asked for twice by one nginx.
        site = re.sub(r"(proxy_cache_lock_(?:timeout|age)) 15s", r"\1 90s", site)
        paths = " ".join(f"{name}_temp_path {folder}/{name};"
                         for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "user root;" if os.geteuid() == 0 else ""
        with open(f"{folder}/nginx.conf", "w") as file:
            file.write(f"daemon off; {user} pid {folder}/pid; error_log {folder}/log; events {{ worker_connections 512; }}\n"
                       f"http {{ access_log off; {paths}\n{site}}}\n")
        program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
        process = subprocess.Popen([program, "-e", f"{folder}/log", "-c", f"{folder}/nginx.conf"])
        wait_for(lambda: get(port, "/")[0] != 0)
        return process

    def metric(self, port, name):
        found = re.search(rf"^{re.escape(name)} (\S+)$", get(port + 1, "/metrics")[2].decode(), re.M)
        return int(float(found[1])) if found else 0

    def made(self):
        """The results that were made and put into the bucket, facts of sources among them."""
        return sum(line.startswith("PUT /results/") for line in open(self.log))

    def busy(self):
        """The server that makes something now."""
        return next((port for port, process in self.processes.items()
                     if process.poll() is None and self.metric(port, "lazyimg_making") > 0), None)

    def loaded(self, name):
        """The bytes of a source that were loaded, as a part of all it has."""
        total, size = 0, os.path.getsize(f"{self.folder}/{name}")
        for line in open(self.log):
            words = line.split()
            if words[:2] == ["GET", "/media/" + name] and words[2] in ("200", "206"):
                range = re.fullmatch(r"bytes=(\d+)-(\d+)", words[3])
                total += int(range[2]) - int(range[1]) + 1 if range else size
        return total / size

    def end(self):
        for process in [*self.nginx, *self.processes.values()]:
            if process.poll() is None:
                process.terminate()
        for process in [*self.nginx, *self.processes.values()]:
            process.wait()
        self.moto.stdin.close()
        self.moto.wait()


failures = []


def judge(isRight, name, text):
    print(f"{name}: {text}", flush=True)
    if not isRight:
        failures.append(name)


def equal(fleet, name, path, source):
    before, start = fleet.made(), time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(60) as pool:
        answers = list(pool.map(lambda number: get(NGINX[number % 2], path), range(60)))
    length, made, loaded = time.monotonic() - start, fleet.made() - before, fleet.loaded(source)
    ok, tags = sum(status == 200 for status, _, _ in answers), {(tag, body) for _, tag, body in answers}
    # Facts, and the result.
    judge(ok == 60 and len(tags) == 1 and made == 2 and loaded < 1.05, name,
          f"{ok} of 60 answered in {length:.1f} s, {made - 1} decode, {loaded:.0%} of the source loaded")


def fleet(fleet):
    equal(fleet, "60 equal requests, a quick poster", "/unsafe/w:160/plain/s3://media/quick.mp4@webp", "quick.mp4")
    equal(fleet, "60 equal requests, a slow animation",
          "/unsafe/w:1280/lz_animate:6:25/plain/s3://media/slow.mp4@webp", "slow.mp4")


def kill(fleet):
    path = "/unsafe/w:1270/lz_animate:6:25/plain/s3://media/kill.mp4@webp"
    with concurrent.futures.ThreadPoolExecutor(60) as pool:
        answers = [pool.submit(get, NGINX[number % 2], path) for number in range(60)]
        wait_for(lambda: fleet.busy() is not None)
        time.sleep(0.3)
        victim = fleet.busy()
        before = fleet.made()
        fleet.stop(victim, signal.SIGKILL)
        answers = [answer.result() for answer in answers]
    ok, made = sum(status == 200 for status, _, _ in answers), fleet.made() - before
    fleet.start(victim)
    # The one that was killed had begun; facts may have been made before.
    judge(ok == 60 and made <= 2, "60 equal requests, the decoding server killed",
          f"{ok} of 60 answered, {max(2, made)} decodes")


def restart(fleet):
    statuses, isOver = [], [False]

    def ask(number):
        count = 0
        while not isOver[0]:
            count += 1
            path = f"/unsafe/w:{16 + count % 50}/cb:{number}-{count}/plain/s3://media/quick.mp4@webp"
            statuses.append(get(NGINX[number % 2], path)[0])

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for number in range(4):
            pool.submit(ask, number)
        for port in SERVERS:
            fleet.stop(port)
            fleet.start(port)
        isOver[0] = True
    failed = sum(status != 200 for status in statuses)
    judge(failed == 0 and len(statuses) > 20, "restart of each server under load",
          f"{failed} of {len(statuses)} requests failed")


def crowd(fleet):
    port = 18720
    fleet.start(port, "--workers", "4", "--queue", "64")
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(64) as pool:
        answers = list(pool.map(
            lambda number: get(port, f"/unsafe/w:{100 + number}/plain/s3://media/quick.mp4@webp"), range(64)))
    length, ok = time.monotonic() - start, sum(status == 200 for status, _, _ in answers)
    with open(f"/proc/{fleet.processes[port].pid}/status") as file:
        memory = int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) / 1024
    fleet.stop(port)
    del fleet.processes[port]
    judge(ok == 64, "64 cold posters at once", f"{ok} of 64 in {length:.1f} s, host {memory:.0f} MB")


def film(path, size, seconds, quality):
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=size={size}:rate=25:duration={seconds}",
         "-vf", "noise=alls=12:allf=t", "-c:v", "mpeg4", "-q:v", str(quality), path], check=True)
    return path


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    server, names = os.path.abspath(sys.argv[1]), sys.argv[2:] or ["fleet", "kill", "restart", "crowd"]
    folder = tempfile.mkdtemp(prefix="lazyimg-fleet-")
    try:
        slow = film(f"{folder}/slow.mp4", "1280x720", 8, 4)
        media = [film(f"{folder}/quick.mp4", "640x360", 8, 4), slow, f"{slow}=kill.mp4"]
        running = Fleet(server, folder, media)
        try:
            for name in names:
                {"fleet": fleet, "kill": kill, "restart": restart, "crowd": crowd}[name](running)
        finally:
            running.end()
    finally:
        shutil.rmtree(folder)
    if failures:
        sys.exit("not as it has to be: " + ", ".join(failures))


main()
