"""Three servers behind two nginx, with sources and results in S3 (moto): equal requests, ends, restarts, and films by ranges."""

import concurrent.futures
import os
import re
import shutil
import signal
import subprocess
import sys
import time

from servers import ROOT, Server, film, get, judge, wait_for

S3, METADATA, NGINX, SERVERS = 18700, 18701, (18702, 18703), (18710, 18712, 18714)


class Storage:
    """moto, and the variables by which servers reach it."""

    def __init__(self, folder, media):
        self.folder, self.log = folder, f"{folder}/s3.log"
        self.process = subprocess.Popen(
            [sys.executable, f"{ROOT}/Server/Tests/Scripts/moto.py", str(S3), str(METADATA), self.log, *media],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=open(f"{folder}/moto.log", "w"), text=True)
        key = self.process.stdout.readline().split()
        if len(key) != 2:
            sys.exit("moto is not installed: run scripts/install-python.sh.")
        self.environment = {
            **os.environ, "AWS_ACCESS_KEY_ID": key[0], "AWS_SECRET_ACCESS_KEY": key[1], "LAZYIMG_USE_S3": "true",
            "LAZYIMG_S3_ENDPOINT": f"http://127.0.0.1:{S3}", "LAZYIMG_CACHE_BUCKET": "results"}

    def made(self):
        """The results that were made and put into the bucket, facts of sources among them."""
        return sum(line.startswith("PUT /results/") for line in open(self.log))

    def loaded(self, name):
        """The bytes of a source that were loaded, and all it has."""
        total, size = 0, os.path.getsize(f"{self.folder}/{name}")
        for line in open(self.log):
            words = line.split()
            if words[:2] == ["GET", "/media/" + name] and words[2] in ("200", "206"):
                range = re.fullmatch(r"bytes=(\d+)-(\d+)", words[3])
                total += int(range[2]) - int(range[1]) + 1 if range else size
        return total, size

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class Fleet:
    """A storage, three servers, two nginx."""

    def __init__(self, program, folder):
        self.program, self.folder, self.servers = program, folder, {}
        slow = film(f"{folder}/slow.mp4", "1280x720", 8, 4)
        media = [film(f"{folder}/quick.mp4", "640x360", 8, 4), slow, f"{slow}=kill.mp4"]
        self.storage = Storage(folder, media)
        for port in SERVERS:
            self.start(port)
        self.nginx = [self.start_nginx(port) for port in NGINX]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in [*self.nginx, *(server.process for server in self.servers.values())]:
            if process.poll() is None:
                process.terminate()
                process.wait()
        self.storage.end()

    def start(self, port):
        self.servers[port] = Server(
            self.program, self.folder, port, "--cache", f"{self.folder}/results{port}", "--timeout", "60",
            "--drain-delay", "1", environment=self.storage.environment)

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

    def busy(self):
        """The server that makes something now."""
        return next((port for port, server in self.servers.items()
                     if server.is_running and server.metric("lazyimg_making") > 0), None)


def equal(fleet, name, path, source):
    storage = fleet.storage
    before, start = storage.made(), time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(60) as pool:
        answers = list(pool.map(lambda number: get(NGINX[number % 2], path), range(60)))
    length, made = time.monotonic() - start, storage.made() - before
    loaded, size = storage.loaded(source)
    ok, tags = sum(status == 200 for status, _, _ in answers), {(tag, body) for _, tag, body in answers}
    # Facts, and the result.
    judge(ok == 60 and len(tags) == 1 and made == 2 and loaded < 1.05 * size, name,
          f"{ok} of 60 answered in {length:.1f} s, {made - 1} decode, {loaded / size:.0%} of the source loaded")


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
        before = fleet.storage.made()
        fleet.servers[victim].stop(signal.SIGKILL)
        answers = [answer.result() for answer in answers]
    ok, made = sum(status == 200 for status, _, _ in answers), fleet.storage.made() - before
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
            fleet.servers[port].stop()
            fleet.start(port)
        isOver[0] = True
    failed = sum(status != 200 for status in statuses)
    judge(failed == 0 and len(statuses) > 20, "restart of each server under load",
          f"{failed} of {len(statuses)} requests failed")


def ranges(program, folder):
    """A poster of a film in S3 whose index is last."""
    path = film(f"{folder}/long.mp4", "640x360", 40, 4)
    storage = Storage(folder, [path])
    try:
        with Server(program, folder, 18720, "--drain-delay", "0", environment=storage.environment) as server:
            status = server.get("/unsafe/w:320/plain/s3://media/long.mp4@webp")[0]
            loaded, size = storage.loaded("long.mp4")
    finally:
        storage.end()
    judge(status == 200 and loaded <= max(size / 20, 1e6), "poster of a film in S3, index last",
          f"{loaded / 1e6:.2f} of {size / 1e6:.1f} MB loaded")
