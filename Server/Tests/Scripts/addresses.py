#!/usr/bin/env python3
"""Asks a server for sources in private networks: by address, by name, behind redirects, and by a name whose address changes.

usage: addresses.py SERVER

Runs in namespaces of its own, in which this machine has public and private addresses alike and is the resolver. Prints how many
addresses were refused, and how many were loaded or even connected to; ends with 1 for one of the latter, and with 77 where there
are no namespaces.
"""
import contextlib
import ctypes
import http.client
import http.server
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

PUBLIC, CHANGED = "93.184.216.34", "93.184.216.35"
PRIVATE = ["127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1", "169.254.169.254", "192.0.0.1", "198.18.0.1",
           "::1", "fc00::1", "fe80::1", "64:ff9b::7f00:1", "2002:7f00:1::1"]
# The same in other words.
HOSTS = [f"[{address}]" if ":" in address else address for address in PRIVATE] + [
    "0.0.0.0", "127.1", "2130706433", "0x7f000001", "0x7f.1", "017700000001", "127.0.0.1.", "[::]", "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::10.0.0.1]", "[fe80::1%25lo]", "localhost", "LOCALHOST", "localhost.",
    "private.test", "private6.test", "both.test"]
# Where redirects lead that are no addresses of HTTP.
TARGETS = ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1:80/x", "//127.0.0.1/x.jpg", "s3://x/y", "dict://127.0.0.1/x"]
PICTURE = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../media/still.jpg"), "rb").read()


def enter_namespaces():
    """Namespaces of users, files and network of this process's own."""
    user, group = os.geteuid(), os.getegid()
    CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWNET = 0x20000, 0x10000000, 0x40000000
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS | CLONE_NEWNET | (0 if user == 0 else CLONE_NEWUSER)):
        return False
    if user:
        for name, text in [("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")]:
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    return True


def set_up(folder):
    run = lambda *command: subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    run("mount", "--make-rprivate", "/")
    for name, text in [("resolv.conf", "nameserver 127.0.0.1\n"), ("hosts", "127.0.0.1 localhost\n"),
                       ("nsswitch.conf", "hosts: files dns\n")]:
        with open(f"{folder}/{name}", "w") as file:
            file.write(text)
        if os.path.exists(f"/etc/{name}"):
            run("mount", "--bind", f"{folder}/{name}", f"/etc/{name}")
    run("ip", "link", "set", "lo", "up")
    for address in [PUBLIC, CHANGED, *PRIVATE]:
        if address not in ("127.0.0.1", "::1"):
            run("ip", "address", "add", address, "dev", "lo")


class Resolver(threading.Thread):
    """A server of DNS. `changes.test` has a public address the first time, and the address of this machine from then on."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 53))
        self.asked = {}

    def addresses(self, name):
        self.asked[name] = self.asked.get(name, 0) + 1
        if name.endswith("changes.test"):
            return [PUBLIC if self.asked[name] == 1 else "127.0.0.1"]
        return {"public.test": [PUBLIC], "private.test": ["10.0.0.1"], "both.test": ["127.0.0.1", "10.0.0.1"]}.get(name, [])

    def run(self):
        while True:
            question, client = self.socket.recvfrom(512)
            names, place = [], 12
            while question[place]:
                names.append(question[place + 1:place + 1 + question[place]].decode().lower())
                place += 1 + question[place]
            kind = question[place + 1:place + 3]
            name = ".".join(names)
            if kind == b"\0\1":
                records = [(1, socket.inet_aton(address)) for address in self.addresses(name)]
            else:
                records = [(28, socket.inet_pton(socket.AF_INET6, "fc00::1"))] if name == "private6.test" and kind == b"\0\34" else []
            answer = question[:2] + b"\x81\x80\0\1" + struct.pack(">H", len(records)) + b"\0\0\0\0" + question[12:place + 5]
            # Forgotten at once, so that it is asked for again.
            answer += b"".join(struct.pack(">HHHIH", 0xC00C, kind, 1, 0, len(bytes)) + bytes for kind, bytes in records)
            self.socket.sendto(answer, client)


class Handler(http.server.BaseHTTPRequestHandler):
    """Sends a picture, or to where the query says."""

    def do_GET(self):
        target = self.path.partition("?to=")[2]
        self.send_response(302 if target else 200)
        if target:
            self.send_header("Location", target)
        self.send_header("Content-Length", "0" if target else str(len(PICTURE)))
        self.end_headers()
        if not target:
            self.wfile.write(PICTURE)

    def log_message(self, *_):
        pass


class Listener(http.server.ThreadingHTTPServer):
    """All addresses at port 80; remembers who was connected to at one that is not public."""

    daemon_threads, request_queue_size, address_family = True, 64, socket.AF_INET6
    reached = []

    def server_bind(self):
        self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        super().server_bind()

    def process_request(self, request, client):
        own = request.getsockname()[0].removeprefix("::ffff:")
        if own not in (PUBLIC, CHANGED):
            self.reached.append(own)
        super().process_request(request, client)


def ask(source):
    # What has a meaning in a path is encoded, as clients do.
    source = source.replace("%", "%25").replace("?", "%3F").replace("@", "%40")
    connection = http.client.HTTPConnection("127.0.0.1", 8080, timeout=60)
    connection.request("GET", f"/unsafe/w:8/plain/{source}@png")
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def main():
    program = os.path.abspath(sys.argv[1])
    if not enter_namespaces():
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        try:
            set_up(folder)
        except (OSError, subprocess.CalledProcessError) as error:
            print(error, file=sys.stderr)
            sys.exit(77)
        Resolver().start()
        threading.Thread(target=Listener(("::", 80), Handler).serve_forever, daemon=True).start()
        with running(program, folder):
            sources = [f"{scheme}://{host}/x.jpg" for host in HOSTS for scheme in ("http", "https")]
            sources += [f"http://public.test/x?to=http://{host}/x.jpg" for host in HOSTS]
            sources += [f"http://public.test/x?to={target}" for target in TARGETS]
            statuses = {source: ask(source) for source in sources}
            public = [ask(f"http://public.test/{number}.jpg?to=http://{CHANGED}/{number}") for number in range(3)]
            first = [ask(source) for source in changing("first")]
        # Another process asks for the names anew, which are those of this machine now.
        with running(program, folder):
            second = [ask(source) for source in changing("second")]
    wrong = [f"{status} {source}" for source, status in statuses.items() if not refused(status)]
    count = sum(map(refused, second))
    print(f"{len(sources) - len(wrong)} of {len(sources)} private addresses refused, and {count} of {len(second)} by names that have "
          f"changed; {len(Listener.reached)} reached; {public.count(200)} of {len(public)} public ones shown")
    for line in [*wrong, *Listener.reached]:
        print(line, file=sys.stderr)
    isRight = not wrong and not Listener.reached and count == len(second) and {*public, *first} == {200}
    sys.exit(0 if isRight else 1)


def refused(status):
    return 400 <= status < 500 or status == 502


def changing(word):
    """Sources at names that change: from one lookup to the next, and between a redirect and its target."""
    return [f"http://{number}.changes.test/{word}.jpg" for number in range(8)] + [
        f"http://{number}.changes.test/{word}?to=http://{number}.changes.test/{word}-x.jpg" for number in range(8)]


@contextlib.contextmanager
def running(program, folder):
    server = subprocess.Popen([program, "--unsafe", "--drain-delay", "0", "--timeout", "60"],
                              env={**os.environ, "XDG_CACHE_HOME": folder}, stderr=open(f"{folder}/log", "w"))
    try:
        for _ in range(600):
            try:
                if ask(f"http://{PUBLIC}/first.jpg") == 200:
                    break
            except OSError:
                time.sleep(0.1)
        yield
    finally:
        server.terminate()
        server.wait()


main()
