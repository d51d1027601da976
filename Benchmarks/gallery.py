#!/usr/bin/env python3
"""Measures the page of a gallery of 5000 items in Chromium: requests and bytes of the first view, its first paint, and the
longest task while it scrolls.

usage: gallery.py BINARY [ITEMS [WIDTHxHEIGHT]]

A few clips of media/ are made into a site; their records are repeated under other names, so that every poster is a request of
its own. Tasks are measured in CPU time of the page's main thread, which other programs disturb less than wall time.
"""
import functools, glob, http.server, json, os, select, shutil, subprocess, sys, tempfile, threading, time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
CLIPS = ["clip.mp4", "animation.webp", "counter.gif", "small.mp4", "rotated-90.mp4", "odd.webm", "av1.mp4", "vfr.mp4"]
CHUNK = 60


def make_site(binary, folder, count):
    clips = os.path.join(folder, "clips")
    site = os.path.join(folder, "site")
    os.makedirs(clips)
    for name in CLIPS:
        shutil.copy(os.path.join(ROOT, "media", name), clips)
    subprocess.run([binary, "gallery", clips, "-o", site, "--no-journal", "--quiet"], check=True)
    records = [json.load(open(path)) for path in sorted(glob.glob(site + "/items/*/item.json"))]
    items = [dict(records[k % len(records)], name=f"{k:04} {records[k % len(records)]['name']}", v=f"{k:08}") for k in range(count)]
    for first in range(0, count, CHUNK):
        number = first // CHUNK + 1
        with open(f"{site}/data/{number}.js", "w") as file:
            rows = ",\n".join(json.dumps(item) for item in items[first:first + CHUNK])
            file.write(f"gallery.add({number}, [\n{rows}\n]);\n")
    page = open(site + "/index.html").read()
    with open(site + "/index.html", "w") as file:
        file.write(page.replace(f'data-count="{len(records)}"', f'data-count="{count}"'))
    return site


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass


class Browser:
    """A headless Chromium, driven through its debugging pipe."""

    def __init__(self, width, height):
        reader, self.input = os.pipe()
        self.output, writer = os.pipe()
        self.profile, self.count, self.session, self.rest, self.events = tempfile.mkdtemp(), 0, None, b"", []

        def connect():
            for number, end in ((3, os.dup2(reader, 13)), (4, os.dup2(writer, 14))):
                os.dup2(end, number)

        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
                   f"--window-size={width},{height}", f"--user-data-dir={self.profile}", "--remote-debugging-pipe", "about:blank"]
        self.process = subprocess.Popen(["chromium", *options], preexec_fn=connect, close_fds=False,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(reader)
        os.close(writer)
        page = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self, end):
        while b"\0" not in self.rest:
            if not select.select([self.output], [], [], max(0, end - time.time()))[0]:
                return None
            part = os.read(self.output, 1 << 16)
            if not part:
                raise SystemExit("the browser has gone")
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, whole=False, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session and not whole:
            message["sessionId"] = self.session
        os.write(self.input, json.dumps(message).encode() + b"\0")
        while True:
            reply = self.message(time.time() + 60)
            if reply is None:
                raise SystemExit(f"the browser does not answer {method}")
            if reply.get("id") == self.count:
                return reply["result"]
            self.events.append(reply)

    def listen(self, seconds):
        end = time.time() + seconds
        while (event := self.message(end)) is not None:
            self.events.append(event)

    def value(self, expression):
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def longest_task(self, work):
        """The CPU milliseconds of the longest task of the page's main thread while `work` runs."""
        self.events.clear()
        self.call("Tracing.start", whole=True, traceConfig={"includedCategories": ["disabled-by-default-devtools.timeline"]})
        work()
        self.call("Tracing.end", whole=True)
        while not any(event.get("method") == "Tracing.tracingComplete" for event in self.events):
            self.listen(0.2)
        traces = [t for e in self.events if e.get("method") == "Tracing.dataCollected" for t in e["params"]["value"]]
        mains = {(t["pid"], t["tid"]) for t in traces if t["name"] == "thread_name" and t["args"]["name"] == "CrRendererMain"}
        tasks = [t.get("tdur", t.get("dur", 0)) / 1000 for t in traces if t["name"] == "RunTask" and (t["pid"], t["tid"]) in mains]
        return max(tasks, default=0)


def main():
    if len(sys.argv) not in (2, 3, 4):
        raise SystemExit(__doc__)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    width, height = map(int, (sys.argv[3] if len(sys.argv) == 4 else "1280x800").split("x"))
    with tempfile.TemporaryDirectory() as folder:
        site = make_site(os.path.abspath(sys.argv[1]), folder, count)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=site))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = Browser(width, height)
        try:
            browser.call("Page.navigate", url=f"http://127.0.0.1:{server.server_port}/index.html")
            browser.listen(3)
            requests = sum(e.get("method") == "Network.requestWillBeSent" for e in browser.events)
            received = sum(e["params"]["encodedDataLength"] for e in browser.events if e.get("method") == "Network.loadingFinished")
            paint = browser.value("performance.getEntriesByName('first-contentful-paint')[0].startTime")
            assets = sum(os.path.getsize(f"{site}/{name}") for name in ("gallery.js", "gallery.css"))
            print(f"first view: {requests} requests, {received / 1000:.0f} kB; script and style {assets / 1000:.1f} kB; first paint {paint:.0f} ms")
            scroll = lambda: (browser.call("Input.synthesizeScrollGesture", x=640, y=400, yDistance=-30000, speed=4000), browser.listen(0.5))
            print(f"longest task while scrolling 30000 pixels: {browser.longest_task(scroll):.0f} ms CPU")
            hover = [sum(os.path.getsize(f"{d}/{n}") for n in ("preview.webp", "sheet.webp") if os.path.exists(f"{d}/{n}"))
                     for d in glob.glob(site + "/items/*")]
            print(f"hover: at most {max(hover) / 1000:.0f} kB")
        finally:
            browser.close()
            server.shutdown()


if __name__ == "__main__":
    main()
