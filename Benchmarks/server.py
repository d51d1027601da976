#!/usr/bin/env python3
"""Measures and judges lazyimg-server: alone, as a fleet behind nginx with S3 (moto), and beside its peers.

usage: report.py operations "lazyimg-server" -- Benchmarks/server.py SERVER [NAME...] [GIF]

NAMES, without which all are run:
  hits      a poster from memory, beside a bare route of the framework
  fleet     60 equal requests at two nginx in front of three servers
  kill      the same while the server that decodes is killed
  restart   one server after the other ends and starts under load
  crowd     64 cold posters at once, with a long and with the usual queue
  film      a poster of a film in S3
  soak      10,000 mixed requests (soak=30000: so many)
  peers     a GIF, or that of the last argument, made smaller; beside thumbor and libvips
  clients   URLs of the clients of imgproxy on PyPI
  private   addresses of private networks, also behind redirects and a resolver that changes its answers
  malformed URLs, bodies and connections that nobody means
  page      the page of development in Chromium

What is not as it has to be ends this program with 1. Uses the standard library, nginx, ffmpeg, wrk and chromium, moto
(scripts/install-python.sh), and what scripts/install-peers.sh installs.
"""

import os
import shutil
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [f"{ROOT}/Benchmarks/Server", f"{ROOT}/Benchmarks"]

import clients
import fleet
import load
import malformed
import page
import peers
import private
import servers
import soak

FLEET = {"fleet": fleet.fleet, "kill": fleet.kill, "restart": fleet.restart}
ALONE = {
    "hits": load.hits, "crowd": load.crowd, "film": fleet.ranges, "soak": soak.soak, "peers": peers.peers,
    "clients": clients.clients, "private": private.private, "malformed": malformed.malformed, "page": page.page,
}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program, names = os.path.abspath(sys.argv[1]), sys.argv[2:]
    gif = os.path.abspath(names.pop()) if names and names[-1].lower().endswith(".gif") else None
    options = dict(name.partition("=")[::2] for name in names or [*FLEET, *ALONE])
    if unknown := options.keys() - FLEET.keys() - ALONE.keys():
        sys.exit(f"unknown: {', '.join(unknown)}\n{__doc__}")
    folder = tempfile.mkdtemp(prefix="lazyimg-server-")
    try:
        if options.keys() & FLEET.keys():
            with fleet.Fleet(program, folder) as running:
                for name, run in FLEET.items():
                    if name in options:
                        run(running)
        for name, run in ALONE.items():
            if name in options:
                arguments = [gif] if name == "peers" else [int(options[name])] if options[name] else []
                run(program, folder, *arguments)
    finally:
        shutil.rmtree(folder)
    if servers.failures:
        sys.exit("not as it has to be: " + ", ".join(servers.failures))


main()
