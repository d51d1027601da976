#!/usr/bin/env python3
"""Makes system calls and allocations of the command fail, one in each run, and judges what it leaves behind.

usage: run.py BINARY [--jobs PATTERN] [--kinds KIND,…] [--seed S] [--sample N] [--only JOB KIND NUMBER] [--workers N]

A library (Tests/CFaults) is preloaded into the command and into the processes that decode for it. In run n of a kind, the n-th
call of that kind fails, for every n until a run passes untouched. Allocations of C libraries fail for n = 1 … 500, then for
numbers that follow from the seed. Those of Swift, which end the process, fail for numbers that follow from the
seed. These runs, and those that a library ends that gives up where there is no memory, are judged as if they were killed.

A run has to end with a documented exit status and a sentence, or with exit 0 and what it makes without a fault, or with exit 0
and a warning. It may not end by a signal or hang, leave something half made, or change what was there before. Where a job can
be continued, the same command line without a fault has to complete it.

With --sample, N runs are chosen of all by the seed. --only does one run again and prints what it said.
"""

import argparse
import collections
import ctypes
import mmap
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from errno import *
from fnmatch import fnmatch
from pathlib import Path

import server
from jobs import Job, all_jobs
from judge import HIDDEN, Ending, Expected, fault, has_warning

HERE = Path(__file__).resolve().parent
LIBRARY = HERE.parent / "CFaults"
# In the order of `enum kind` in faults.h, with the errors that such calls have.
KINDS = {
    "open": (EMFILE, EACCES, EIO, ENOMEM), "read": (EIO,), "write": (ENOSPC, EIO), "rename": (ENOSPC, EACCES, EIO),
    "unlink": (EACCES, EIO), "map": (ENOMEM,), "process": (EAGAIN, ENOMEM), "thread": (EAGAIN,),
    "connect": (ECONNREFUSED, EMFILE, ENETUNREACH), "sync": (EIO, ENOSPC), "folder": (ENOSPC, EACCES),
    "status": (EIO, EACCES), "descriptor": (EMFILE,), "allocation": (ENOMEM,), "swift-allocation": (ENOMEM,),
}
# A disk that stays full, and a table of files that does.
LASTING = {"disk": ("write", ENOSPC), "descriptors": ("open", EMFILE)}
ALLOCATIONS = {"allocation": (500, 100), "swift-allocation": (0, 100)}
SECONDS = 60
# What plant.c does where a call fails, and what has to be said of it.
PLANTS = {
    "sound": "^nothing$", "dies": "signal 11", "hangs": "hung", "leaves": "left behind", "half": "half made",
    "loses": "a.gif is gone", "lies": "missing with exit 0", "silent": "without a word", "unknown": "exit status 3",
    "vague": "says 'Success'",
}


class Orders(ctypes.Structure):
    """`struct orders` of faults.h."""

    _fields_ = [
        ("kind", ctypes.c_uint32), ("number", ctypes.c_uint32), ("error", ctypes.c_int32), ("is_lasting", ctypes.c_uint32),
        ("process", ctypes.c_int32), ("decodes", ctypes.c_int32), ("failed", ctypes.c_uint32),
        ("seen", ctypes.c_uint32 * (len(KINDS) + 1)), ("what", ctypes.c_char * 200), ("ended_in", ctypes.c_char * 40),
    ]


class Order:
    """Which call fails, and how."""

    def __init__(self, kind, number):
        self.kind, self.number = kind, number
        base, error = LASTING.get(kind, (kind, None))
        self.place = list(KINDS).index(base) + 1
        self.error = error or KINDS[kind][number % len(KINDS[kind])]
        self.is_lasting = kind in LASTING


class Machine:
    """A folder with a home, in which one job runs again and again."""

    def __init__(self, binary, library, job, address, root, traces, seconds=SECONDS):
        self.seconds = seconds
        self.job, self.root, self.address, self.traces = job, Path(root), address, traces
        self.binary, self.library = binary, library
        self.work, self.kept = self.root / "now", self.root / "kept"
        self.orders = self.root / "orders"
        self.orders.write_bytes(bytes(ctypes.sizeof(Orders)))
        self.make_decoder()
        (self.kept / "work").mkdir(parents=True)
        (self.kept / "tmp").mkdir()
        (self.kept / "home").mkdir()

    def make_decoder(self):
        # Its first word has to be this name, and a host passes few variables to it.
        names = self.root / "names"
        names.mkdir()
        (names / "lazyimg-decoder").symlink_to(self.binary)
        self.decoder = self.root / "decoder"
        self.decoder.write_text(
            f"#!/bin/sh\nexport LD_PRELOAD={self.library} LAZYIMG_FAULTS={self.orders} PATH={names}\n"
            f"{'export LAZYIMG_FAULTS_TRACE=1' if self.traces else ''}\n"
            'exec lazyimg-decoder "$@"\n')
        self.decoder.chmod(0o755)

    def reset(self):
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.kept, self.work, symlinks=True)

    def keep(self):
        shutil.rmtree(self.kept)
        shutil.copytree(self.work, self.kept, symlinks=True)

    def tree(self):
        found = {}
        for top in ("work", "tmp"):
            for folder, _, names in os.walk(self.work / top):
                for name in names:
                    path = Path(folder, name)
                    found[str(path.relative_to(self.work))] = path.read_bytes()
        return found

    def run(self, words, order=None):
        """Runs a command line; returns its ending and what failed in it."""
        orders = Orders()
        if order:
            orders.kind, orders.number, orders.error = order.place, order.number, order.error
            orders.is_lasting = order.is_lasting
        self.orders.write_bytes(bytes(orders))
        home = self.work / "home"
        environment = {
            "PATH": "/usr/bin:/bin", "HOME": str(home), "XDG_CACHE_HOME": f"{home}/cache", "XDG_STATE_HOME": f"{home}/state",
            "XDG_RUNTIME_DIR": str(home), "TMPDIR": str(self.work / "tmp"), "SWIFT_BACKTRACE": "enable=no",
            "LC_ALL": "C.UTF-8", "LD_PRELOAD": str(self.library), "LAZYIMG_FAULTS": str(self.orders),
            "LAZYIMG_DECODER": str(self.decoder),
        }
        if self.traces and order:
            environment |= {"LAZYIMG_FAULTS_TRACE": "1", "LAZYIMG_DECODER_MESSAGES": "1"}
        arguments = [self.binary] + [w.replace("SERVER", self.address) for w in shlex.split(words)]
        isHung = False
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as said:
            process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=output, stderr=said, env=environment, cwd=self.work / "work")
            try:
                process.wait(self.seconds)
            except subprocess.TimeoutExpired:
                isHung = True
                process.kill()
                process.wait()
            output.seek(0)
            said.seek(0)
            words_said = said.read().decode(errors="replace")
            ending = Ending(process.returncode, output.read(), words_said, self.tree(), isHung)
        return ending, Orders.from_buffer_copy(self.orders.read_bytes())

    def expect(self):
        """What the job makes without a fault, and how often it calls what."""
        self.job.prepare(self.kept / "work")
        self.reset()
        for words in self.job.before:
            ending, _ = self.run(words)
            if ending.status:
                raise SystemExit(f"{self.job.name}: {words}: {ending.said}")
        self.job.change(self.work / "work")
        self.keep()
        before = self.tree()
        endings = []
        for _ in range(2):
            self.reset()
            ending, orders = self.run(self.job.words)
            if ending.status:
                raise SystemExit(f"{self.job.name}: exit {ending.status} without a fault: {ending.said}")
            endings.append(ending)
        self.expected = Expected(self.job, before, *endings)
        self.counts = dict(zip(KINDS, list(orders.seen)[1:]))

    def attempt(self, order):
        """A run with a fault: the ending, what failed, and what is wrong, or nothing."""
        self.reset()
        ending, orders = self.run(self.job.words, order)
        wrong = fault(self.expected, ending, order, orders)
        # What is not recorded, and said not to be, is not known again.
        if not wrong and self.job.resumes and orders.failed and not has_warning(self.expected, ending):
            again, _ = self.run(self.job.words)
            if again.status:
                wrong = f"does not resume: exit {again.status}: {again.said[-200:]!r}"
            else:
                missing = [n for n in self.expected.after if n not in again.tree]
                bad = [n for n, d in self.expected.after.items() if n not in missing and not self.expected.is_right(n, again.tree[n])]
                if missing or bad:
                    wrong = f"does not resume: {(missing + bad)[0]} is missing or wrong afterwards"
        return ending, orders, wrong


class Campaign:
    def __init__(self, options):
        self.options = options
        self.lock = threading.Lock()
        self.runs, self.wrong, self.killed, self.hidden = 0, [], 0, 0
        self.sentences = collections.Counter()
        self.state = Path(options.state).resolve()
        shutil.rmtree(self.state, ignore_errors=True)
        self.state.mkdir(parents=True)
        self.library = self.state / "libfaults.so"
        subprocess.run(
            ["cc", "-O2", "-fPIC", "-shared", "-o", self.library, *sorted(LIBRARY.glob("*.c")), "-ldl"], check=True)
        self.address = server.start()
        self.check_judge()
        self.jobs = [j for j in all_jobs() if any(fnmatch(j.name, p) for p in options.jobs.split(","))]
        self.kinds = options.kinds.split(",") if options.kinds else [*KINDS, *LASTING]

    def machine(self, job, part):
        root = self.state / f"{job.name.replace('/', '-')}-{part}"
        root.mkdir()
        machine = Machine(self.options.binary, self.library, job, self.address, root, bool(self.options.only))
        machine.expect()
        return machine

    def check_judge(self):
        """Makes sure that each wrong end is seen: of a program that has it as soon as a call fails."""
        plant = self.state / "plant"
        subprocess.run(["cc", "-O1", "-o", plant, HERE / "plant.c"], check=True)
        for mode, seen in PLANTS.items():
            root = self.state / f"plant-{mode}"
            root.mkdir()
            job = Job(mode, f"{mode} a.gif p.png", {"a.gif": "delays.gif"})
            machine = Machine(plant, self.library, job, self.address, root, False)
            machine.expect()
            if mode == "hangs":
                machine.seconds = 1
            for kind in ("read",) if mode == "hangs" else ("open", "read", "write", "rename"):
                _, orders, wrong = machine.attempt(Order(kind, 1))
                if not orders.failed or not re.search(seen, wrong or "nothing"):
                    raise SystemExit(f"The judge is blind: of a program that {mode}, {kind} 1, it says {wrong!r}, not {seen!r}")
            shutil.rmtree(root)

    def one(self, machine, order):
        """Whether the fault happened."""
        ending, orders, wrong = machine.attempt(order)
        with self.lock:
            self.runs += 1
            self.killed += ending.status < 0
            said = re.sub(r"\d+", "#", ending.said.strip().splitlines()[-1]) if ending.said.strip() else ""
            if orders.failed:
                self.sentences[ending.status, machine.job.name, order.kind, said] += 1
            self.hidden += wrong == HIDDEN
            if wrong and wrong != HIDDEN:
                what = orders.what.decode(errors="replace")
                where = " while it decodes" if orders.decodes else ""
                where += f", ended in {orders.ended_in.decode()}" if orders.ended_in else ""
                self.wrong.append((machine.job.name, order.kind, order.number))
                print(f"{machine.job.name} {order.kind} {order.number}: {wrong}\n    {os.strerror(order.error)}: {what}{where}", flush=True)
        if self.options.only:
            sys.stdout.write(f"exit {ending.status}\n{ending.said}{ending.output.decode(errors='replace')}")
            print(orders.what.decode(errors="replace"), "decodes" if orders.decodes else "", sorted(ending.tree))
        return orders.failed

    def numbers(self, machine, kind):
        """All numbers of a kind."""
        base = LASTING.get(kind, (kind,))[0]
        count = machine.counts[base]
        if kind not in ALLOCATIONS:
            return range(1, count + 1)
        first, more = ALLOCATIONS[kind]
        rest = range(first + 1, count + 1)
        choice = random.Random(f"{self.options.seed}/{machine.job.name}/{kind}")
        return [*range(1, min(first, count) + 1), *sorted(choice.sample(rest, min(more, len(rest))))]

    def exhaust(self, job):
        """All runs of a job."""
        machine = self.machine(job, "all")
        for kind in self.kinds:
            numbers = self.numbers(machine, kind)
            for number in numbers:
                if not self.one(machine, Order(kind, number)) and kind not in ALLOCATIONS:
                    break
            else:
                # The count varies with threads: until a run passes untouched.
                number = len(numbers)
                while kind not in ALLOCATIONS and self.one(machine, Order(kind, number := number + 1)):
                    pass
        self.tell(machine)

    def tell(self, machine):
        shutil.rmtree(machine.root)
        if sys.stderr.isatty() or self.options.verbose:
            print(f"{machine.job.name}: {self.runs} runs, {len(self.wrong)} with a fault", file=sys.stderr)

    def sample(self, job):
        """The runs of a job that the seed chooses."""
        machine = self.machine(job, "sample")
        choice = random.Random(f"{self.options.seed}/{job.name}")
        kinds = [k for k in self.kinds if machine.counts[LASTING.get(k, (k,))[0]]]
        for _ in range(self.options.sample // len(self.jobs) if kinds else 0):
            kind = choice.choice(kinds)
            numbers = self.numbers(machine, kind)
            self.one(machine, Order(kind, choice.choice(numbers)))
        self.tell(machine)

    def run(self):
        begin = time.monotonic()
        if self.options.only:
            name, kind, number = self.options.only
            job = next(j for j in all_jobs() if j.name == name)
            self.one(self.machine(job, "only"), Order(kind, int(number)))
            return
        work = self.sample if self.options.sample else self.exhaust
        with ThreadPoolExecutor(self.options.workers) as pool:
            list(pool.map(work, self.jobs))
        seconds = time.monotonic() - begin
        if self.options.sentences:
            with open(self.options.sentences, "w") as file:
                for key, count in sorted(self.sentences.items(), key=str):
                    print(count, *key, sep="\t", file=file)
        print(f"{self.runs} runs of seed {self.options.seed} in {seconds:.0f} s: {len(self.wrong)} with a fault, "
              f"{self.killed} ended by Swift or a library for lack of memory, {self.hidden} other pictures without a word from a library")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary", type=os.path.abspath)
    parser.add_argument("--jobs", default="*", help="jobs whose names match one of these patterns")
    parser.add_argument("--kinds", help="these kinds of calls only")
    parser.add_argument("--seed", type=int, default=1, help="what a choice follows from")
    parser.add_argument("--sample", type=int, help="so many runs, chosen by the seed")
    parser.add_argument("--only", nargs=3, metavar=("JOB", "KIND", "NUMBER"), help="this run, and what it said")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="so many jobs at once")
    parser.add_argument("--sentences", help="write what was said, and how often, to a file")
    parser.add_argument("--verbose", action="store_true", help="tell of each job that is done")
    parser.add_argument("--state", default=".build/faults")
    campaign = Campaign(parser.parse_args())
    campaign.run()
    sys.exit(1 if campaign.wrong else 0)


if __name__ == "__main__":
    main()
