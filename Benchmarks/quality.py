#!/usr/bin/env python3
"""Measures the quality of thumbnails and conversions: bytes, PSNR and SSIM against the scaled source.

usage: quality.py SOURCE OUTPUT… [--fps N] [--matrix bt709|bt601]

The reference is SOURCE, scaled by swscale (bicubic) to the size of the output. Frames are compared as
displayed: for every 1/N s (or, without --fps, for every frame of the source), the frame shown in the middle
of it. PSNR covers RGB of all frames together; SSIM is that of ffmpeg's filter in YUV 4:4:4. --matrix is the
matrix of untagged YUV in SOURCE. GIF, APNG, WebP and AVIF are composited by Pillow or ffmpeg, never by
lazyimg. Needs ffmpeg; Pillow for WebP.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile


def ffmpeg(*words):
    reply = subprocess.run(["ffmpeg", "-hide_banner", "-nostdin", "-y", *words], capture_output=True, text=True)
    if reply.returncode:
        sys.exit(f"ffmpeg: {reply.stderr.strip().splitlines()[-1]}")
    return reply.stderr


def probe(path):
    reply = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "V:0", "-show_entries",
         "stream=width,height:frame=pts_time,pkt_duration_time", "-of", "json", path], capture_output=True, text=True)
    found = json.loads(reply.stdout)
    stream = found["streams"][0]
    frames = [(float(f["pts_time"]), float(f.get("pkt_duration_time", 0) or 0)) for f in found["frames"]]
    begin = frames[0][0]
    times = [t - begin for t, _ in frames]
    return stream["width"], stream["height"], times, times[-1] + (frames[-1][1] or (
        times[-1] - times[-2] if len(times) > 1 else 0.1))


class Shown:
    """The frames of a file as RGB rows in one temporary file, with the times they are shown at."""

    def __init__(self, path, size=None, matrix=None):
        self.rows = tempfile.NamedTemporaryFile(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        if open(path, "rb").read(12)[8:] == b"WEBP":
            self.read_with_pillow(path)
        else:
            width, height, self.times, self.end = probe(path)
            self.size = size or (width, height)
            chain = f"scale={self.size[0]}:{self.size[1]}:flags=bicubic"
            chain += f":in_color_matrix={matrix}" if matrix else ""
            ffmpeg("-i", path, "-an", "-vsync", "0", "-vf", chain, "-pix_fmt", "rgb24", "-f", "rawvideo", self.rows.name)
        self.bytes = self.size[0] * self.size[1] * 3
        self.times = self.times[:os.path.getsize(self.rows.name) // self.bytes]

    def read_with_pillow(self, path):
        from PIL import Image
        picture, now, self.times = Image.open(path), 0, []
        self.size = picture.size
        for index in range(getattr(picture, "n_frames", 1)):
            picture.seek(index)
            picture.load()
            self.rows.write(picture.convert("RGBA").convert("RGB").tobytes())
            self.times.append(now)
            now += picture.info.get("duration", 100) / 1000
        self.rows.flush()
        self.end = now

    def at(self, time):
        index = max((i for i, begin in enumerate(self.times) if begin <= time + 1e-6), default=0)
        with open(self.rows.name, "rb") as rows:
            rows.seek(index * self.bytes)
            return rows.read(self.bytes)


def compare(source, output):
    shown = Shown(output)
    reference = Shown(source, shown.size, ARGUMENTS.matrix)
    if ARGUMENTS.fps:
        count = round(reference.end * ARGUMENTS.fps)
        instants = [(k + 0.5) / ARGUMENTS.fps for k in range(count)]
    else:
        ends = reference.times[1:] + [reference.end]
        instants = [(a + b) / 2 for a, b in zip(reference.times, ends)]
    folder = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.NamedTemporaryFile(dir=folder) as a, tempfile.NamedTemporaryFile(dir=folder) as b:
        for instant in instants:
            a.write(shown.at(instant))
            b.write(reference.at(instant))
        a.flush()
        b.flush()
        raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "%dx%d" % shown.size, "-i"]
        said = ffmpeg(*raw, a.name, *raw, b.name, "-lavfi",
                      "[0]split[p][q];[1]split[r][s];[p][r]psnr;[q]format=yuv444p[t];[s]format=yuv444p[u];[t][u]ssim",
                      "-f", "null", "-")
    psnr = re.search(r"PSNR.*?average:(\S+)", said)
    ssim = re.search(r"SSIM.*?All:(\S+)", said)
    return {"output": os.path.basename(output), "bytes": os.path.getsize(output), "size": "%dx%d" % shown.size,
            "frames": len(shown.times), "compared": len(instants), "seconds": round(shown.end, 3),
            "psnr": float(psnr[1]), "ssim": float(ssim[1])}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source")
    parser.add_argument("outputs", nargs="+", metavar="OUTPUT")
    parser.add_argument("--fps", type=float)
    parser.add_argument("--matrix", choices=["bt709", "bt601"])
    parser.add_argument("--json", action="store_true")
    ARGUMENTS = parser.parse_args()
    rows = [compare(ARGUMENTS.source, output) for output in ARGUMENTS.outputs]
    if ARGUMENTS.json:
        print(json.dumps(rows, indent=1))
    else:
        print("| output | bytes | size | frames | compared | PSNR dB | SSIM |\n|---|--:|---|--:|--:|--:|--:|")
        for r in rows:
            print(f"| {r['output']} | {r['bytes']} | {r['size']} | {r['frames']} | {r['compared']} |"
                  f" {r['psnr']:.2f} | {r['ssim']:.4f} |")
