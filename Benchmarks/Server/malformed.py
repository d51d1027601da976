"""Requests that nobody means: URLs of the grammar by chance, files that are damaged, and connections that do not speak HTTP."""

import collections
import concurrent.futures
import csv
import json
import random
import socket
import sys
import urllib.parse

from servers import MEDIA, ROOT, Server, judge, wait_for

VALUES = ["", "0", "1", "-1", "2", "50", "0.5", "1e9", "1e-9", "268435456", "9" * 20, "nan", "inf", "true", "fit", "fill", "force", "auto",
          "no", "soea", "sm", "fp", "re", "ff0", "ff8800", "webp", "jpg", "mp4", "1-2", "-3-", "1-2,-1--0.5", "5-1", "%25", "caf%C3%A9",
          "0x10", "+3", "auto:1", "25%25", "%00", "%", "é", "a" * 300]
USUAL = ["", "0", "1", "1", "2", "50", "0.5", "100", "no"]
ENDINGS = ["", "", "webp", "jpg", "png", "gif", "avif", "apng", "mp4", "webm", "vtt", "json", "svg", "xyz", "@", "png@png"]
FILES = ["still-rgb8.png", "still.jpg", "counter.gif", "still.webp", "clip.mp4"]
SOURCES = ["local:///../Package.swift", "local:///%2e%2e/x", "local:////etc/passwd", "http://127.0.0.1:1/x", "file:///etc/passwd", "upload:x",
           "data:image/gif;base64,R0lGODlhAQABAAAAACw=", "http://[::1]/", "s3://x/y", "", "%", "x"]
HEAD = b"GET /unsafe/w:8/plain/local:///still.jpg@png HTTP/1.1\r\nHost: x\r\n"
POST = b"POST /pipeline?operations=%5B%7B%22operation%22%3A%22fit%22%2C%22params%22%3A%7B%22width%22%3A8%7D%7D%5D HTTP/1.1\r\nHost: x\r\n"
CONNECTIONS = {
    "a long field": HEAD + b"X: " + b"a" * 100_000 + b"\r\n\r\n",
    "many fields": HEAD + b"".join(b"X%d: y\r\n" % number for number in range(20_000)) + b"\r\n",
    "a long target": b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "a field without a colon": HEAD + b"nothing\r\n\r\n",
    "a field without a name": HEAD + b": x\r\n\r\n",
    "a folded field": HEAD + b"X: a\r\n b\r\n\r\n",
    "another version": HEAD.replace(b"1.1", b"9.9") + b"\r\n",
    "no version": b"GET /\r\n\r\n",
    "no target": b"GET HTTP/1.1\r\n\r\n",
    "an unknown method": HEAD.replace(b"GET", b"TRACE") + b"\r\n",
    "a target with a host": HEAD.replace(b" /", b" http://x/") + b"\r\n",
    "a star": b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
    "a tunnel": b"CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: x\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x55" * 500,
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0" * 100,
    "zeros": b"\0" * 5000,
    "a negative length": POST + b"Content-Length: -1\r\n\r\n",
    "a huge length": POST + b"Content-Length: 99999999999999999999\r\n\r\n",
    "two lengths": POST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "a length and chunks": POST + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a body that is cut": POST + b"Content-Length: 1000\r\n\r\nGIF89a",
    "chunks that are cut": POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\nGIF",
    "a size that is no number": POST + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\nGIF\r\n",
    "a huge chunk": POST + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nGIF\r\n",
    "a body that is waited for": POST + b"Content-Length: 10\r\nExpect: 100-continue\r\n\r\n",
    "an upgrade": HEAD + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    "ranges without end": HEAD + b"Range: bytes=" + b"0-1," * 5000 + b"0-1\r\n\r\n",
    "tags without end": HEAD + b"If-None-Match: " + b'"x",' * 5000 + b"\r\n\r\n",
    "fifty at once": (HEAD + b"\r\n") * 50,
    "one behind a cut body": POST + b"Content-Length: 5\r\n\r\nabc" + HEAD + b"\r\n",
    "one behind another's body": HEAD + b"Content-Length: 3\r\n\r\nabc" + HEAD + b"\r\n",
}


def speak(port, bytes, isWhole=True, isCut=False):
    """The status of the first answer to bytes, 0 without one; `isCut` closes before an answer, and what is not whole ends there."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        try:
            connection.sendall(bytes)
            if isCut:
                return 0
            if not isWhole:
                connection.shutdown(socket.SHUT_WR)
            answer = b""
            while len(answer) < 12 and (piece := connection.recv(1 << 16)):
                answer += piece
            # The rest is read, so that the server can end the connection.
            while connection.recv(1 << 16):
                pass
            return int(answer[9:12]) if answer.startswith(b"HTTP/1.") else 0
        except (ConnectionError, TimeoutError) as error:
            return -1 if isinstance(error, TimeoutError) else 0


def target(chance, names):
    """A target by chance, of which some bytes are others."""
    options = []
    for _ in range(chance.randint(1, 3)):
        name, least, most = chance.choice(names)
        count = chance.randint(least, max(least, min(most, least + 3)))
        options.append(":".join([name, *(chance.choice(USUAL if chance.random() < 0.8 else VALUES) for _ in range(count))]))
    source = f"local:///{chance.choice(FILES)}" if chance.random() < 0.8 else chance.choice(SOURCES)
    path = f"/{chance.choice(['unsafe', 'unsafe', 'unsafe', 'info/unsafe', ''])}/{'/'.join(options)}/plain/{source}@{chance.choice(ENDINGS)}"
    bytes = bytearray(path.encode())
    if chance.random() < 0.2:
        for _ in range(chance.randint(1, 3)):
            bytes[chance.randrange(len(bytes))] = chance.choice([37, 47, 58, 64, 0x80, 0xFF, 9, 63, 46, 35, chance.randrange(33, 256)])
    return b"GET " + b"".join(b"%%20" if byte in b" \r\n" else b"%c" % byte for byte in bytes) + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


def body(chance, files):
    """Operations and a file by chance, in one piece, in chunks, or with another length."""
    words = ["autorotate", "convert", "fit", "smartcrop", "crop", "", "\0", "jpeg", "png", "webp", "gif", "-1", "1e99", "64", "true"]
    operations = [{"operation": chance.choice(words), "params": {
        "width": chance.choice([64, 1, 0, -1, 1e99, 0.5, None, [], {}]), "height": chance.choice(words), "type": chance.choice(words),
        "quality": chance.choice([64, -1, 1e99, None])}} for _ in range(chance.randint(0, 3))]
    text = json.dumps(operations)
    if chance.random() < 0.1:
        text = text[:chance.randint(0, len(text))]
    file = bytearray(chance.choice(files)[:1 << 16])
    for _ in range(chance.randint(0, 4)):
        file[chance.randrange(len(file))] ^= 1 << chance.randrange(8)
    if chance.random() < 0.5:
        file = file[:chance.randint(0, len(file))]
    head = b"POST /pipeline?operations=" + urllib.parse.quote(text).encode() + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
    if chance.random() < 0.3:
        chunks = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in (file[at:at + 5000] for at in range(0, len(file), 5000)))
        chunks += b"0\r\n\r\n"
        return head + b"Transfer-Encoding: chunked\r\n\r\n" + (chunks if chance.random() < 0.7 else chunks[:chance.randint(0, len(chunks))])
    length = len(file) if chance.random() < 0.9 else chance.choice([0, len(file) // 2, len(file) + 1, 300_000_000])
    return head + b"Content-Length: %d\r\n\r\n" % length + file


def malformed(program, folder, count=5000):
    with open(f"{ROOT}/Tests/LazyServiceTests/Data/options.tsv") as table:
        names = [(name, int(row["min_args"]), int(row["max_args"]) if row["max_args"].isdigit() else 4)
                 for row in csv.DictReader(table, delimiter="\t") for name in row["forms"].split(",")]
    names += [("lz_poster", 1, 1), ("lz_animate", 1, 2), ("lz_segments", 1, 1), ("lz_sheet", 1, 4), ("vts", 1, 1), ("vtt", 3, 9), ("vta", 3, 8),
              ("da", 1, 1), ("pg", 1, 1), ("x", 1, 1)]
    files = [open(f"{MEDIA}/{name}", "rb").read() for name in FILES]
    requests = [target(random.Random(number), names) for number in range(count)]
    requests += [body(random.Random(number), files) for number in range(count // 10)]
    requests += [*CONNECTIONS.values()] * 3
    with Server(program, folder, 18790, "--root", MEDIA, "--allow-security-options", "true", "--max-result-dimension", "256", "--queue", "64",
                "--timeout", "5", "--grace", "0", "--drain-delay", "0") as server:
        path = "/unsafe/w:8/plain/local:///still.jpg@png"
        before = server.get(path)[0]

        def ask(number):
            # Some hang up at once.
            bytes = requests[number]
            return speak(server.port, bytes, isWhole=b"\r\nConnection: close\r\n" in bytes and number < count, isCut=number % 50 == 49)

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            statuses = list(pool.map(ask, range(len(requests))))
        areClosed = wait_for(lambda: server.connections() == 0, 40)
        after, crashes, isAlive = server.get(path)[0], server.crashes(), server.is_running
        status = server.stop() if isAlive else server.process.returncode
    # What takes long is late, and not wrong; what is no HTTP may be closed without an answer.
    wrong = [(status, bytes) for status, bytes in zip(statuses, requests) if status < 0 or status >= 500 and status not in (503, 504)]
    for status_, bytes in wrong[:5]:
        print(status_, bytes[:300], file=sys.stderr)
    kinds = collections.Counter(f"{status // 100}xx" if status > 0 else "no answer" for status in statuses)
    judge(not wrong and (before, after) == (200, 200) and isAlive and not crashes and areClosed and status == 0,
          f"{count} URLs, {count // 10} bodies and {len(CONNECTIONS)} kinds of connections by chance",
          f"{len(wrong)} faults, {crashes} crashes of decoders; " + ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items()))
          + ("" if areClosed else "; connections stay open"))
