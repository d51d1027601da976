"""URLs that clients of imgproxy make: each means what it says, and is refused when a bit of its signature is another."""

import base64
import json
import os
import shutil
import subprocess
import sys

from servers import MEDIA, ROOT, Server, judge, skip

CLIENTS = f"{ROOT}/.build/clients"
KEY, SALT = "746573742d6b6579", "746573742d73616c74"


def urls(count):
    """Those of each client; none where they are not installed."""
    python = open(f"{CLIENTS}/installed").read().split()[0]
    script = f"{ROOT}/Benchmarks/Server/client_urls.py"
    lines = subprocess.run([shutil.which(python) or sys.executable, script, KEY, SALT, "local:///still.jpg", str(count)],
                           env={**os.environ, "PYTHONPATH": CLIENTS}, stdout=subprocess.PIPE, text=True, check=True).stdout
    found = {}
    for line in lines.splitlines():
        client, *url = json.loads(line)
        found.setdefault(client, []).append(url)
    return found


def flipped(url, bit):
    """The URL with another bit of its decoded signature."""
    signature, rest = url[1:].split("/", 1)
    bytes = bytearray(base64.urlsafe_b64decode(signature + "="))
    bytes[bit // 8] ^= 1 << bit % 8
    return f"/{base64.urlsafe_b64encode(bytes).decode().rstrip('=')}/{rest}"


def clients(program, folder, count=100):
    if not os.path.exists(f"{CLIENTS}/installed"):
        return skip("clients of imgproxy", "they cannot be installed (scripts/install-peers.sh)")
    # Of two servers one has no keys, and is asked for what the URLs of the other one mean.
    flags = ["--root", MEDIA, "--allow-security-options", "true", "--watermark", f"{MEDIA}/still-rgba8.png", "--drain-delay", "0",
             "--timeout", "60"]
    with Server(program, folder, 18780, *flags, keys=f"--key {KEY} --salt {SALT}") as server, \
            Server(program, folder, 18782, *flags) as plain:
        for client, known in urls(count).items():
            right, refused, wrong, bits = 0, 0, [], 0
            for number, (url, meaning) in enumerate(known):
                status, tag, body = server.get(url)
                if meaning is None:
                    # Version 2 is told that it is.
                    refused += status == 404 and b"old form" in body
                elif status == 200 and (tag, body) == plain.get("/unsafe" + meaning)[1:]:
                    right += 1
                else:
                    wrong.append(f"{status} {url} {meaning} {body[:80] if status != 200 else ''}")
                # All of the first, and each of the 256 in some of the others.
                chosen = range(256) if number == 0 else range(number % 100, 256, 100)
                bits += len(chosen)
                wrong += [f"bit {bit} of {url}" for bit in chosen if server.get(flipped(url, bit))[0] != 403]
            for line in wrong[:5]:
                print(line, file=sys.stderr)
            isOld = known[0][1] is None
            judge(not wrong and right + refused == len(known), f"URLs of {client.replace('_', '-')}",
                  (f"{refused} of {len(known)} of version 2 are refused with a hint" if isOld
                   else f"{right} of {len(known)} mean what they say")
                  + f", {bits} flipped bits: {'403' if not wrong else f'{len(wrong)} wrong'}")
