"""A long mix of requests: memory, descriptors and processes may not grow with their number."""

import concurrent.futures
import json
import os
import random
import socket
import statistics
import threading
import urllib.parse

from servers import MEDIA, Server, get, judge

STILLS = ["still.jpg", "still-rgba8.png", "still.webp", "still.heic", "still.tiff", "counter.gif", "clip.mp4", "vp9.webm"]
MOVING = ["counter.gif", "animation.webp", "delays.gif"]
FILMS = ["clip.mp4", "h264.mkv", "vp8.webm"]
SENT = ["still.jpg", "counter.gif", "still.webp", "still.heic"]


class Mix:
    """Requests by chance, of which the same number is always the same."""

    def __init__(self, port):
        self.port = port
        self.files = {name: open(f"{MEDIA}/{name}", "rb").read() for name in SENT}
        self.path = f"/unsafe/w:48/plain/local:///{STILLS[0]}@webp"
        self.tag = self.get(self.path)[1]

    def get(self, path, **options):
        return get(self.port, path, **options)

    def ask(self, number):
        """Sends a request; None, or what is wrong with the answer."""
        chance = random.Random(number)
        kind = chance.choices(["poster", "animation", "sheet", "missing", "known", "part", "sent", "hang-up"],
                              [40, 12, 4, 10, 10, 10, 10, 4])[0]
        status, wanted = getattr(self, kind.replace("-", "_"))(chance, number)
        return None if status in wanted else f"{kind} {number}: {status}"

    def poster(self, chance, number):
        name, ending = chance.choice(STILLS), chance.choice(["webp", "jpg", "png"])
        # One in four was asked for before.
        number -= chance.choice([0, 0, 0, number % 97])
        return self.get(f"/unsafe/rs:fit:{chance.randint(16, 200)}/cb:{number}/plain/local:///{name}@{ending}")[0], [200]

    def animation(self, chance, number):
        path = f"/unsafe/w:{chance.randint(16, 48)}/cb:{number}/plain/local:///{chance.choice(MOVING)}@{chance.choice(['webp', 'gif'])}"
        return self.get(path)[0], [200]

    def sheet(self, chance, number):
        path = f"/unsafe/lz_sheet:3:3:{chance.randint(32, 64)}/cb:{number}/plain/local:///{chance.choice(FILMS)}@{chance.choice(['jpg', 'vtt'])}"
        return self.get(path)[0], [200]

    def missing(self, chance, number):
        return self.get(chance.choice([f"/unsafe/w:8/plain/local:///{number}.png", f"/unsafe/x{number}:1/plain/local:///still.jpg",
                                       f"/{number}"]))[0], [404]

    def known(self, *_):
        return self.get(self.path, headers={"If-None-Match": self.tag})[0], [304]

    def part(self, chance, number):
        path = f"/unsafe/w:{chance.randint(60, 70)}/plain/local:///{chance.choice(STILLS)}@png"
        return self.get(path, headers={"Range": f"bytes={chance.randint(0, 40)}-{chance.randint(50, 90)}"})[0], [206]

    def sent(self, chance, number):
        operations = [{"operation": chance.choice(["fit", "smartcrop"]),
                       "params": {"width": chance.randint(16, 64), "height": 64, "type": chance.choice(["jpeg", "png", "webp"])}}]
        # Behind a picture, bytes do not count, so that no two files are equal.
        file = self.files[chance.choice(SENT)] + str(number).encode()
        return self.get("/pipeline?operations=" + urllib.parse.quote(json.dumps(operations)), method="POST", body=file)[0], [200]

    def hang_up(self, chance, number):
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.sendall(f"GET /unsafe/w:64/lz_animate:2/cb:{number}/plain/local:///clip.mp4@webp HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            connection.settimeout(chance.uniform(0.001, 0.05))
            try:
                connection.recv(1)
            except TimeoutError:
                pass
        return 0, [0]


# What fills the caches of few megabytes: results, and 8 MB of answers as they were sent.
FILLING = 6000


def soak(program, folder, count=10_000):
    """Memory may grow while caches are filled, and not from then on."""
    samples, wrong, lock = [], [], threading.Lock()
    with Server(program, folder, 18760, "--root", MEDIA, "--memory", "8", "--queue", "64", "--drain-delay", "0",
                "--timeout", "20") as server:
        mix = Mix(server.port)

        def ask(number):
            if problem := mix.ask(number):
                wrong.append(problem)
            if number % 10 == 0:
                with lock:
                    samples.append((number, server.memory(), server.descriptors(), len(server.processes()) - 1))

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for _ in pool.map(ask, range(FILLING + count)):
                pass
        crashes = server.crashes()
        if path := os.environ.get("LAZYIMG_SOAK"):
            with open(path, "w") as file:
                file.writelines(f"{' '.join(map(str, sample))}\n" for sample in samples)

    def median(place, first):
        return statistics.median(sample[place] for sample in samples if first <= sample[0] < first + 1000)

    before, after = ([median(place, FILLING + first) for place in (1, 2, 3)] for first in (1000, count - 1000))
    flat = after[0] <= 1.05 * before[0] and after[1] <= before[1] + 4 and after[2] <= before[2] + 2
    judge(flat and not wrong and not crashes, f"{count} mixed requests after {FILLING} that fill caches of 8 MB",
          f"{before[0]:.0f} MB as the median of the second thousand, {after[0]:.0f} MB of the last ({after[0] / before[0]:.3f} ×), "
          f"{before[1]:.0f} and {after[1]:.0f} descriptors, {before[2]:.0f} and {after[2]:.0f} processes of decoders"
          + (f"; {len(wrong)} wrong answers, such as {wrong[0]}" if wrong else "") + (f"; {crashes} crashes" if crashes else ""))
