"""lazyimg-server as a process: started, asked, and looked at from outside; and what is judged of it."""

import http.client
import os
import re
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MEDIA = f"{ROOT}/media"
TICKS = os.sysconf("SC_CLK_TCK")

failures = []


def judge(isRight, name, text):
    """Prints a result; one that is not as it has to be ends the program with 1."""
    print(f"{name}: {text}", flush=True)
    if not isRight:
        failures.append(name)


def skip(name, reason):
    print(f"Not measured, {name}: {reason}", file=sys.stderr, flush=True)


def get(port, path, timeout=120, method="GET", body=None, headers={}):
    """The status, the tag and the bytes of an answer; a status of 0 where there is none."""
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
        connection.request(method, path, body, headers)
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


class Server:
    """A server at a port, whose admin port is the next one, with a cache of its own."""

    def __init__(self, program, folder, port, *flags, environment=os.environ, keys="--unsafe"):
        self.port = port
        self.log = open(f"{folder}/log{port}", "a")
        self.process = subprocess.Popen(
            [program, *keys.split(), "--port", str(port), "--admin-port", str(port + 1), *flags],
            env={**environment, "XDG_CACHE_HOME": f"{folder}/cache{port}"}, stderr=self.log)
        if not wait_for(lambda: get(port + 1, "/readyz")[0] == 200 or self.process.poll() is not None):
            sys.exit(f"The server at {port} does not start.")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.is_running:
            self.stop()

    @property
    def is_running(self):
        return self.process.poll() is None

    def get(self, path, **options):
        return get(self.port, path, **options)

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        status = self.process.wait()
        self.log.close()
        return status

    def metric(self, name):
        found = re.search(rf"^{re.escape(name)} (\S+)$", get(self.port + 1, "/metrics")[2].decode(), re.M)
        return int(float(found[1])) if found else 0

    def crashes(self):
        """Decoders that ended by a fault, except for their limits."""
        return self.metric('lazyimg_decoders_ended_total{by="crash"}')

    # From outside.

    def memory(self, field="VmRSS"):
        """Megabytes of the server itself, without its decoders; `VmHWM` for the most so far."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(rf"{field}:\s+(\d+)", file.read())[1]) / 1024

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def connections(self):
        """Those of its port that it has not closed."""
        rows = [row.split() for row in open("/proc/net/tcp").readlines()[1:]]
        # Established, and closed by the client alone.
        return sum(row[1].endswith(f":{self.port:04X}") and row[3] in ("01", "08") for row in rows)

    def processes(self):
        """The server and all processes below it."""
        found, rest = [], [self.process.pid]
        while rest:
            one = rest.pop()
            try:
                threads = os.listdir(f"/proc/{one}/task")
                rest += [int(child) for thread in threads
                         for child in open(f"/proc/{one}/task/{thread}/children").read().split()]
                found.append(one)
            except OSError:
                continue
        return found

    def cpu(self):
        """Seconds of all processes, those that have ended among them."""
        ticks = 0
        for process in self.processes():
            try:
                words = open(f"/proc/{process}/stat").read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            ticks += sum(int(word) for word in words[11:15])
        return ticks / TICKS


def film(path, size, seconds, quality):
    """Makes a film whose index is last."""
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=size={size}:rate=25:duration={seconds}",
         "-vf", "noise=alls=12:allf=t", "-c:v", "mpeg4", "-q:v", str(quality), path], check=True)
    return path
