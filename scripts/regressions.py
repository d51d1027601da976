#!/usr/bin/env python3
"""Runs inputs that once broke lazyimg, from a folder of them, and says which still do.

    regressions.py FOLDER [--lazyimg BINARY] [--media DIR] [--only TEXT]

FOLDER holds files and scripts by the names that CHECKS lists, at any depth; what it lacks is counted, not a failure.
Needs ffmpeg and Pillow; some checks are skipped without root. Exit status 1 if a check failed.
"""
import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

MEMORY = 1 << 30
CHECKS = {}


def check(name):
    """Registers a function of (path, tool) under the name of its input; it returns what is wrong, or nothing."""
    def register(function):
        CHECKS[name] = function
        return function
    return register


class Run:
    """A finished command: exit code (or 'timeout'), text of both outputs, seconds."""
    def __init__(self, command, seconds=60, memory=None, **options):
        def bound():
            if memory:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        began = time.monotonic()
        try:
            done = subprocess.run([str(word) for word in command], capture_output=True, timeout=seconds,
                                  stdin=subprocess.DEVNULL, preexec_fn=bound, **options)
            self.code, self.bytes = done.returncode, done.stdout
            self.out, self.err = (text.decode(errors='replace') for text in (done.stdout, done.stderr))
        except subprocess.TimeoutExpired as error:
            self.code, self.bytes, self.out, self.err = 'timeout', b'', (error.stdout or b'').decode(errors='replace'), ''
        self.seconds = time.monotonic() - began


class Tool:
    """The program under test, in a scratch folder."""
    def __init__(self, binary, media, folder):
        self.binary, self.media, self.folder = binary, media, Path(folder)

    def run(self, *words, **options):
        return Run([self.binary, *words], **{'cwd': self.folder, **options})

    def info(self, path, *words, **options):
        return json.loads(self.run('info', path, '--json', *words, **options).out)

    def picture(self, path, *words):
        """The poster as a picture, or the sentence that refused it."""
        target = self.folder / 'poster.png'
        target.unlink(missing_ok=True)
        done = self.run('poster', path, '-o', target, *words)
        return Image.open(target).convert('RGB') if target.exists() else done.err.strip()

    def script(self, path, *words, seconds=300):
        """A script with the program as its first argument; its text."""
        done = Run(['python3' if path.suffix == '.py' else 'bash', path, self.binary, *words], seconds, cwd=self.folder,
                   env={**os.environ, 'LC_ALL': 'C.UTF-8'})
        return done.out + done.err if done.code != 'timeout' else 'timeout'


def number(picture):
    """The number that 8 vertical bars tell, the left one being bit 0."""
    if isinstance(picture, str):
        return picture
    gray = picture.convert('L')
    return sum(1 << bit for bit in range(8)
               if gray.getpixel((int((bit + .5) * gray.width / 8), gray.height // 2)) > 128)


def differences(found, expected):
    return '' if found == expected else f'{found!r}, not {expected!r}'


def numbers(tool, path, expected, *words):
    return differences({at: number(tool.picture(path, '--at', at, *words)) for at in expected}, expected)


def length(tool, path, frames, seconds):
    facts = tool.info(path)
    return differences((facts['frameCount'], round(facts['durationUs'] / 1e6, 2)), (frames, seconds))


def first(*problems):
    return next((problem for problem in problems if problem), '')


def ends(done, codes, seconds):
    if done.code not in codes:
        return f'exit {done.code} after {done.seconds:.1f} s: {done.err.strip()[:160]}'
    return '' if done.seconds <= seconds else f'{done.seconds:.1f} s'


def numbered_film(tool, name, *options):
    """Two hundred numbered pictures with noise, 10 a second."""
    path = tool.folder / name
    subprocess.run(['ffmpeg', '-v', 'error', '-y', '-f', 'lavfi', '-i', 'color=gray:s=640x320:r=10:d=20', '-vf',
                    "geq=lum='if(mod(floor(N/pow(2,floor(X*8/W))),2),215,25)+random(1)*25':cb=128:cr=128",
                    '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '18', '-pix_fmt', 'yuv420p', *options, str(path)],
                   check=True)
    return path


def segment(tool):
    path = tool.folder / 'segment.ts'
    subprocess.run(['ffmpeg', '-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=10:d=1', '-c:v', 'libx264',
                    str(path)], check=True)
    return path


# What people own.

@check('prune-missing-drive.sh')
def prune(path, tool):
    text = tool.script(path, tool.media)
    one, _, rest = text.partition('2: rc')
    two, _, three = rest.partition('3: cat.png')
    return first(
        '' if 'q.png' in one.partition('has to be there')[2] else 'the results of a missing folder are gone: ' + text,
        '' if len(re.findall(r'^\S+-\w+|^[0-9a-f]{8,}', two, re.M)) >= 2 or two.count('\n') >= 3 else 'items are gone: ' + two,
        '' if 'data-count="0"' not in two else 'the page is empty: ' + two,
        '' if not three or 'cat.png' in three else 'an unmounted drive removes results: ' + three)


@check('second-run.sh')
def second(path, tool):
    text = tool.script(path, tool.media)
    return '' if "'mine':\nmine" in text else text


@check('name-outside.sh')
def outside(path, tool):
    text = tool.script(path, tool.media / 'cat.gif' if (tool.media / 'cat.gif').exists() else tool.media / 'delays.gif')
    return first('' if 'begins with KEEP' in text else text, '' if '(here: )' in text else text)


@check('journal-any-file.sh')
def journal(path, tool):
    text = tool.script(path, tool.media / 'delays.gif')
    return first('' if 'victim has 1 lines' in text else text, '' if 'link of nobody: 1 lines' in text else text)


@check('prune-orphan.py')
def orphan(path, tool):
    one, two = tool.folder / '1.png', tool.folder / '2.png'
    for color, file in (('red', one), ('blue', two)):
        Image.new('RGB', (320, 240), color).save(file)
    text = tool.script(path, one, two)
    return '' if ' 0 with an orphan' in text else text


@check('list-race.py')
def race(path, tool):
    text = tool.script(path)
    return '' if "'outside': 0" in text and "'inside': 0" not in text else text


# Playlists and servers.

@check('dash-ampersands.mpd')
@check('dash-representations.mpd')
def manifest(path, tool):
    return ends(tool.run('info', path, '--limits', 'untrusted', memory=3 * MEMORY), {65, 66, 69, 75, 76}, 12)


@check('streams-make.py')
def streams(path, tool):
    subprocess.run([sys.executable, str(path), str(tool.folder / 'streams')], check=True)
    return first(*(problem and f'{file.name}: {problem}' for file in sorted((tool.folder / 'streams').iterdir())
                   for problem in [manifest(file, tool)]))


@check('range-endless.py')
def endless(path, tool):
    text = tool.script(path)
    sent = re.search(r'exit (\d+) (\d+) MB sent', text)
    return '' if sent and int(sent[1]) in (69, 75, 76) and int(sent[2]) <= 250 else text


@check('stream-open-time.sh')
def open_time(path, tool):
    text = tool.script(path, segment(tool))
    found = re.search(r'exit (\d+), (\d+) s', text)
    return '' if found and int(found[1]) in (0, 75, 76) and int(found[2]) <= 12 else text


@check('rebinding.py')
def rebinding(path, tool):
    if os.geteuid():
        return 'skipped: not root'
    done = Run(['unshare', '-n', '-m', sys.executable, path, tool.binary, segment(tool)], 120, cwd=tool.folder)
    return '' if '/first.ts' in done.out and '<<<' not in done.out else done.out + done.err


@check('few-descriptors.sh')
def descriptors(path, tool):
    text = tool.script(path, tool.media / 'delays.gif')
    codes = re.findall(r'descriptors \d+: exit (\d+)', text)
    made = re.search(r'of 30: (\d+)', text)
    return '' if codes and set(codes) <= {'0', '74'} and made and made[1] == '30' else text


@check('range-servers.py')
def servers(path, tool):
    film, stream = numbered_film(tool, 'film.mp4'), numbered_film(tool, 'film.ts')
    problems = []
    for file, port, modes in ((film, 18751, ('node', 'cap')), (stream, 18752, ('live',))):
        server = subprocess.Popen([sys.executable, str(path), str(file), str(port)], stderr=subprocess.DEVNULL)
        try:
            time.sleep(1)
            for mode in modes:
                address = f'http://127.0.0.1:{port}/{mode}'
                if mode == 'live':
                    for words in (('poster', address, '--at', 'first', '-o', 'live.png', '--force', '--no-cache'),
                                  ('info', address, '--no-cache')):
                        problems.append(ends(tool.run(*words, seconds=30), {0}, 12))
                    problems.append(differences(number(Image.open(tool.folder / 'live.png')) if not problems[-1] else 0, 0))
                else:
                    problems.append(differences(number(tool.picture(address, '--at', '15', '--no-cache')), 150))
                    done = tool.run('fetch', address, '-o', f'{mode}.mp4', '--no-cache')
                    same = not done.code and (tool.folder / f'{mode}.mp4').read_bytes() == film.read_bytes()
                    problems.append('' if same else f'fetch {mode}: {done.err.strip()}')
        finally:
            server.kill()
            server.wait()
    return first(*problems)


# Films and songs.

@check('starts-at-1-hour.mkv')
def late(path, tool):
    return first(length(tool, path, 200, 20.0), numbers(tool, path, {'10%': 20, '50%': 100, '90%': 180, '5': 50}))


@check('starts-at-1-hour-black-end.mkv')
def late_black(path, tool):
    picture = tool.picture(path)
    dark = isinstance(picture, str) or max(high for _, high in picture.getextrema()) < 64
    return 'the poster is black' if dark else ''


@check('length-10-times.flv')
def long(path, tool):
    return numbers(tool, path, {'10%': 20, '50%': 100, '90%': 180})


@check('cut.webm')
def cut(path, tool):
    return first(length(tool, path, 94, 9.4), numbers(tool, path, {'50%': 47, '90%': 84}))


@check('preview-picture-track.webm')
def preview(path, tool):
    facts = tool.info(path)
    return differences((facts['width'], facts['height'], facts['frameCount']), (128, 64, 200))


@check('larger-track-disabled.mp4')
def disabled(path, tool):
    facts = tool.info(path)
    return differences((facts['width'], facts['height']), (128, 64))


@check('two-recordings.webm')
def joined(path, tool):
    times = [frame['ptsUs'] for frame in tool.info(path, '--frames')['frames']]
    return first('' if times == sorted(set(times)) else 'times go back', length(tool, path, 60, 6.0),
                 numbers(tool, path, {'0.5': 5, '3.5': 105}))


@check('camera.dav')
def camera(path, tool):
    facts = tool.info(path)
    return differences((facts['width'], facts['height'], facts['frameCount']), (128, 64, 30))


@check('cover-old.ogg')
def cover(path, tool):
    picture = tool.picture(path)
    if isinstance(picture, str):
        return picture
    red, green, blue = picture.getpixel((picture.width // 2, picture.height // 2))
    return differences((picture.size, red > 180 and green < 60 and blue < 60), ((60, 40), True))


@check('start-differs.mpg')
@check('start-differs.flv')
def start(path, tool):
    found = {tool.info(path, '--isolate', how, *words)['startUs'] for how in ('never', 'always')
             for words in ((), ('--frames',))}
    return '' if len(found) == 1 else f'startUs {sorted(found)}'


@check('unsteady.heic')
def unsteady(path, tool):
    found = {(run.bytes, bool(run.err.strip())) for run in
             (tool.run('play', '--frames', '-', '--format', 'framehash', path) for _ in range(12))}
    warned = all(warning for _, warning in found)
    return '' if len(found) == 1 or warned else f'{len(found)} pictures, warned: {[warning for _, warning in found]}'


@check('unsteady.mjpeg')
def unsteady_film(path, tool):
    found = set()
    for _ in range(30):
        tool.run('sheet', path, '-o', 's.png', '--force')
        found.add((tool.folder / 's.png').read_bytes())
    return '' if len(found) == 1 else f'{len(found)} sheets'


# Text.

def rows(picture, darker):
    """The vertical middle of what differs from the background, from 0 to 1."""
    gray = picture.convert('L')
    marked = [y for y in range(gray.height) if any(abs(gray.getpixel((x, y)) - darker) > 60 for x in range(gray.width))]
    return sum(marked) / len(marked) / gray.height if marked else None


@check('line0.vtt')
def cue(path, tool):
    film = path.parent / 'gray.mp4'
    picture = tool.picture(film, '--at', '1', '--subtitles', path)
    if isinstance(picture, str):
        return picture
    middle = rows(picture, picture.convert('L').getpixel((0, picture.height // 2)))
    return '' if middle is not None and middle < 0.3 else f'drawn at {middle}'


@check('tags.srt')
def tags(path, tool):
    film = tool.folder / 'plain.mp4'
    subprocess.run(['ffmpeg', '-v', 'error', '-y', '-f', 'lavfi', '-i', 'color=gray:s=640x360:r=10:d=30', str(film)], check=True)
    start = re.search(r'(\d+):(\d+):(\d+)[,.](\d+)', path.read_text())
    at = sum(int(part) * unit for part, unit in zip(start.groups(), (3600, 60, 1, .001))) + .5
    picture = tool.picture(film, '--at', str(at), '--subtitles', path)
    if isinstance(picture, str):
        return picture
    colored = sum(1 for red, green, blue in list(picture.convert("RGB").tobytes()[k:k+3] for k in range(0, picture.width*picture.height*3, 3)) if max(red, green, blue) - min(red, green, blue) > 90)
    return '' if colored > 20 else 'no color'


@check('bidi.sh')
def bidi(path, tool):
    text = tool.script(path, tool.media / 'delays.gif')
    return text if '342 200 256' in text else ''


@check('gallery-transparent.webm')
def transparent(path, tool):
    (tool.folder / 'g').mkdir()
    shutil.copy(path, tool.folder / 'g')
    return ends(tool.run('gallery', 'g', '-o', 'site', '-Q'), {0}, 60)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = Path(__file__).resolve().parent.parent
    parser.add_argument('folder', type=Path)
    parser.add_argument('--lazyimg', type=Path, default=root / '.build/release/lazyimg')
    parser.add_argument('--media', type=Path, default=root / 'media')
    parser.add_argument('--only', default='')
    options = parser.parse_args()
    found = {path.name: path.resolve() for path in sorted(options.folder.rglob('*')) if path.name in CHECKS}
    failed = passed = skipped = 0
    for name in sorted(found):
        if options.only not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            tool = Tool(options.lazyimg.resolve(), options.media.resolve(), folder)
            try:
                problem = CHECKS[name](found[name], tool)
            except Exception as error:  # a check that breaks has found something, too
                problem = f'{type(error).__name__}: {error}'
        if problem.startswith('skipped'):
            skipped += 1
        elif problem:
            failed += 1
        else:
            passed += 1
        print(f'{name}: {problem.strip()[:600] if problem else "right"}', flush=True)
    print(f'{len(CHECKS) - len(found)} inputs are not in {options.folder}.')
    print(f'{passed} passed, {failed} failed, {skipped} skipped')
    return bool(failed)


if __name__ == '__main__':
    sys.exit(main())
