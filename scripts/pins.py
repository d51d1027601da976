#!/usr/bin/env python3
"""Compares what the command lines of Tests/Pins/commands.txt do with what was recorded in Tests/Pins/pins.tsv.

    pins.py BINARY [--only TEXT] [--record | --against OTHER]

A row has the exit code, both outputs and the files that a line makes. What varies between machines is left out: the bytes of
encoders (what is lossless is a digest of pixels and times, what is lossy its size, frames and duration), the pixels of
subtitles, which are those of the fonts here, sizes of files, rates, paths and ports. --record writes the table. --against runs both
programs and compares all bytes instead. Exit status 1 if something differs. Needs ffmpeg and Pillow.
"""
import argparse
import contextlib
import hashlib
import http.server
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
PINS = ROOT / 'Tests/Pins'
FILES = {path.name: path for folder in (ROOT / 'media', PINS / 'files') for path in folder.iterdir()}
TREE = {'pics/delays.gif': 'delays.gif', 'pics/still.jpg': 'still.jpg', 'pics/sub/small.mp4': 'small.mp4',
        'pics/sub/animation.webp': 'animation.webp', 'pics/song.m4a': 'cover-art.m4a', 'pics/.hidden.gif': 'delays.gif',
        'pics/notes.txt': 'README.md'}
FIELDS = ('exit', 'stdout', 'stderr', 'files')
# Subtitles are drawn with the fonts that this machine has for their names, italics and scripts.
DRAWS_TEXT = re.compile(r'--subtitles\b')
# Members of JSON: sizes of files, and of the journal and the lists of caches what identifies files, times and the program.
VARYING = {'bytes', 'byteCount', 'totalBytes', 'bitRate', 'identity', 'seals', 'volume', 'files', 'version', 'storedAt', 'lastUsed',
           'options', 'key', 'place'}
# The time of all inputs, so that --newer can tell; thumbnails have it inside.
MODIFIED = 1704067200


class Server(http.server.BaseHTTPRequestHandler):
    """media/ with ranges, /status/CODE and /redirect/NAME."""
    protocol_version = 'HTTP/1.1'

    def handle(self):
        with contextlib.suppress(ConnectionError):  # the program ends a connection when it knows enough
            super().handle()

    def log_message(self, *_):
        pass

    def do_GET(self):
        kind, _, name = self.path[1:].rpartition('/')
        if kind == 'redirect':
            return self.answer(302, Location=f'/{name}')
        if kind == 'status' or name not in FILES:
            return self.answer(int(name) if kind else 404)
        data = FILES[name].read_bytes()
        asked = re.fullmatch(r'bytes=(\d+)-(\d*)', self.headers.get('Range', ''))
        if not asked:
            return self.answer(200, data)
        start, end = int(asked[1]), min(int(asked[2] or len(data)), len(data) - 1)
        if start > end:
            return self.answer(416, **{'Content-Range': f'bytes */{len(data)}'})
        self.answer(206, data[start:end + 1], **{'Content-Range': f'bytes {start}-{end}/{len(data)}'})

    def answer(self, code, data=b'', **fields):
        self.send_response(code)
        for name, value in {'Content-Length': len(data), 'Accept-Ranges': 'bytes', 'ETag': '"1"', **fields}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(data)


class Done:
    """What a line did: its exit code, the bytes of both outputs and of the new or changed files."""
    def __init__(self, line, binary, folder, url):
        shutil.rmtree(folder, ignore_errors=True)
        for name in ('bin', 'home', 'work'):
            (folder / name).mkdir(parents=True)
        (folder / 'bin/lazyimg').symlink_to(binary)
        self.folder, self.work, self.url, before = folder, folder / 'work', url, {}
        for name, source in inputs(line).items():
            (self.work / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, self.work / name)
            os.utime(self.work / name, (MODIFIED, MODIFIED))
            before[name] = source.read_bytes()
        path = f"{folder / 'bin'}:{os.environ['PATH']}"
        done = subprocess.run(['bash', '-o', 'pipefail', '-c', line], cwd=self.work, capture_output=True, timeout=300,
                              stdin=subprocess.DEVNULL, env={'PATH': path, 'HOME': str(folder / 'home'), 'URL': url,
                                                             'LC_ALL': 'C.UTF-8', 'TZ': 'UTC', 'TERM': 'dumb'})
        self.exit, self.out, self.err = done.returncode, done.stdout, done.stderr
        after = {str(path.relative_to(self.work)): path.read_bytes() for path in files(self.work)}
        # Names in the cache of downloads are digests of URLs with a port.
        after.update({f'~/{path.relative_to(folder / "home")}': path.read_bytes() for path in files(folder / 'home')
                      if '.cache/lazyimg' not in str(path)})
        self.files = {name: data for name, data in after.items() if before.get(name) != data and not name.startswith('own/')}
        self.files.update({name: b'' for name in before if name not in after and 'rm ' not in line})

    def plain(self, text):
        """Text without what differs from run to run."""
        for found, put in ((str(self.work) + '/', ''), (str(self.folder), 'ROOT'), (self.url, 'URL'), (self.url[7:], 'HOST')):
            text = text.replace(found, put)
        # A thumbnail is named for the digest of a path; a terminal's picture has a random number.
        text = re.sub(r'\b[0-9a-f]{32}\.png', 'DIGEST.png', text)
        text = re.sub(r'(\x1b_G[^;\x1b]*\bi=)\d+', r'\1N', text)
        text = re.sub(r'in \d+\.\d s(, [\d.]+ per second)?\b', 'in T s', text)
        return re.sub(r'\(Failed to connect to .*?\)', '(as curl says it)', text)


def files(folder):
    return sorted(path for path in folder.rglob('*') if path.is_file())


def inputs(line):
    """The files that a line names, and those that the named lists name, by their names in its folder."""
    names = {name for name in FILES if re.search(rf'(?<![\w/.-]){re.escape(name)}(?![\w-])', line.replace('$URL/', 'x/'))}
    for name in [name for name in names if name.endswith(('.ffconcat', '.jsonl'))]:
        names |= {other for other in FILES if other in re.split(r'[\s"]+', FILES[name].read_text())}
    tree = TREE if re.search(r'\bpics\b', line) else {}
    return {name: FILES[name] for name in names} | {name: FILES[source] for name, source in tree.items()}


def keys(value, path=''):
    """The names of all members, those of arrays merged."""
    if isinstance(value, dict):
        return {found for name, member in value.items()
                for found in {f'{path}.{name}'.lstrip('.')} | keys(member, f'{path}.{name}'.lstrip('.'))}
    if isinstance(value, list):
        return {found for member in value for found in keys(member, path + '[]')} or ({path + '[]'} if path else set())
    return set()


def steady(value):
    """JSON without the members that tell of encoders, of this run or of this machine."""
    if isinstance(value, dict):
        return {name: steady(member) for name, member in value.items() if name not in VARYING}
    return [steady(member) for member in value] if isinstance(value, list) else value


def of_json(text):
    """The keys of JSON or of JSON lines; None for other text."""
    try:
        values = [json.loads(text)]
    except ValueError:
        try:
            values = [json.loads(line) for line in text.splitlines()]
        except ValueError:
            return None
    if not values or not all(isinstance(value, (dict, list)) for value in values):
        return None
    # A gallery's journal has the text of the options; that of a job their digest, which JobKeyPinTests is about.
    options = {value['options'] for value in values if isinstance(value, dict) and ' ' in str(value.get('options', ''))}
    found = ','.join(sorted(set().union(*map(keys, values))))
    # Lines are a journal's or of events, which are of one run.
    value = digest(json.dumps(steady(values[0]), sort_keys=True).encode()) if len(values) == 1 else 'lines'
    return ' '.join(['json', found, value, *sorted(options)])


def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


def of_still(data, is_exact):
    """The size of a picture, what it says of a film, and a digest of exact pixels."""
    image = Image.open(io.BytesIO(data))
    text = f'{image.format.lower()} {image.width}x{image.height}'
    text += ''.join(f' {name}' for name in sorted(image.info) if str(name).startswith('Thumb'))
    pixels = image.convert('RGBA')
    # What is transparent has no color.
    shown = Image.composite(pixels, Image.new('RGBA', image.size), pixels.getchannel('A').point(lambda alpha: 255 * (alpha > 0)))
    samples = shown.tobytes()
    if data[:4] == b'\x89PNG' and data[24] == 16:
        depth = ['ffmpeg', '-v', 'error', '-i', '-', '-f', 'rawvideo', '-pix_fmt', 'rgba64be', '-']
        samples, text = subprocess.run(depth, input=data, capture_output=True, check=True).stdout, text + ' 16 bits'
    return f'{text} {digest(samples)}' if is_exact else text


def of_film(data, is_exact, binary, folder):
    """Size, frames, length, plays and codecs, and a digest of exact frames with their times.

    As the program reads them: Pillow's releases differ in APNG, FFmpeg 5.1 reads no animated WebP. The lines of `info` and of
    `play --frames` pin its reading of files that it has not made.
    """
    path = folder / 'film'
    path.write_bytes(data)
    words = {'capture_output': True, 'env': {'HOME': str(folder), 'PATH': os.environ['PATH']}}
    found = subprocess.run([binary, 'info', '--json', path], **words)
    if found.returncode:
        return f'unreadable, {len(data)} bytes {digest(data)}'
    info = json.loads(found.stdout)
    codecs = '+'.join(str(stream.get('codec')) for stream in info.get('streams', []))
    text = (f"{info['type']} {info['width']}x{info['height']} {info['frameCount']} frames {info['durationUs'] // 1000} ms "
            f"plays {info['loop']['plays']} {codecs}")
    hashes = ['play', '--frames', '-', '--format', 'framehash']
    return f'{text} {digest(subprocess.run([binary, *hashes, path], **words).stdout)}' if is_exact else text


def describe(data, done, binary, line):
    exact = not DRAWS_TEXT.search(line)
    if not data:
        return ''
    lossless = exact and not (data[:4] == b'RIFF' and (b'VP8 ' in data or b'VP8L' not in data))
    if data[:4] == b'GIF8' or data[4:8] == b'ftyp' or data[:4] == b'\x1aE\xdf\xa3' or any(
            word in data[:400] for word in (b'acTL', b'ANIM')):
        return of_film(data, lossless and data[:4] in (b'GIF8', b'\x89PNG', b'RIFF'), binary, done.folder)
    try:
        if data[:4] == b'\x89PNG' or data[:3] == b'\xff\xd8\xff' or data[:4] == b'RIFF':
            return of_still(data, lossless and data[:3] != b'\xff\xd8\xff')
    except OSError:  # a line cuts its input
        return f'cut, {len(data)} bytes {digest(data)}'
    try:
        text = done.plain(data.decode())
    except UnicodeDecodeError:
        return f'{len(data)} bytes {digest(data) if exact else ""}'
    return of_json(text) or (text if len(text) < 400 else f'{len(text.splitlines())} lines {digest(text.encode())}')


def row(done, binary, line):
    """The fields of a line, without what differs from machine to machine."""
    made = ' | '.join(sorted(f'{done.plain(name)}: {describe(data, done, binary, line)}' for name, data in done.files.items()))
    error = re.sub(r'\b[\d.]+ (B|kB|MB|%)(?!\w)', 'N B', done.plain(done.err.decode(errors='replace')))
    fields = (str(done.exit), describe(done.out, done, binary, line), error, made)
    return tuple(field.replace('\\', '\\\\').replace('\n', '\\n').replace('\t', '\\t').replace('\x1b', '\\e') for field in fields)


def raw(done):
    """All bytes of what a line did; times and inodes are of the run, and a journal's lines in the order in which inputs were done."""
    def clean(data, name=''):
        text = done.plain(data.decode('latin-1'))
        text = re.sub(r'\b\d+:\d+:(\d+):\d+\.\d+|\b\d+:\d{15,} [0-9a-f]{16}\b|\b\d+:\d{15,}', r'\1', text)
        return '\n'.join(sorted(text.splitlines())) if name.endswith('.jsonl') else text
    names = '\n'.join(sorted(done.files))
    return (str(done.exit), clean(done.out), clean(done.err), names, *(clean(done.files[name], name) for name in sorted(done.files)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('binary', type=Path)
    parser.add_argument('--only', default='', help='lines whose id has this')
    parser.add_argument('--record', action='store_true')
    parser.add_argument('--against', type=Path, metavar='OTHER')
    options = parser.parse_args()
    binary, table = options.binary.resolve(), PINS / 'pins.tsv'
    lines = dict(line.split(maxsplit=1) for line in (PINS / 'commands.txt').read_text().splitlines() if line and line[0] != '#')
    chosen = {name: line for name, line in lines.items() if options.only in name}
    rows = {name: tuple(fields) for name, *fields in (line.split('\t') for line in
                                                      (table.read_text().splitlines()[1:] if table.exists() else []))}
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f'http://127.0.0.1:{server.server_port}'

    with tempfile.TemporaryDirectory(prefix='pins-') as scratch:
        def run(item):
            name, line = item
            folder = Path(scratch).resolve() / name
            try:
                done = Done(line, binary, folder, url)
                if not options.against:
                    return row(done, binary, line), rows.get(name, ())
                # In the same folder, since results name it.
                return raw(done), raw(Done(line, options.against.resolve(), folder, url))
            finally:
                shutil.rmtree(folder, ignore_errors=True)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = dict(zip(chosen, pool.map(run, chosen.items())))

    if options.record:
        rows.update({name: values for name, (values, _) in found.items()})
        text = ['\t'.join(('id', *FIELDS))] + ['\t'.join((name, *rows[name])) for name in lines if name in rows]
        table.write_text('\n'.join(text) + '\n')
        print(f'{len(found)} of {len(lines)} lines recorded')
        return 0
    failed = [name for name, (values, expected) in found.items() if values != expected]
    for name in failed:
        print(f'{name}: {lines[name]}')
        values, expected = found[name]
        for place in range(max(len(values), len(expected))):
            now, then = (fields[place] if place < len(fields) else 'nothing' for fields in (values, expected))
            if now != then:
                print(f'  {FIELDS[place] if place < 4 else "bytes"}: {now[:1000]!r}\n  but was {then[:1000]!r}')
    gone = [] if options.only or options.against else sorted(set(rows) - set(lines))
    print(f'{len(found) - len(failed)} lines as they were, {len(failed)} different' + (f'; without a line: {gone}' if gone else ''))
    return bool(failed or gone)


if __name__ == '__main__':
    sys.exit(main())
