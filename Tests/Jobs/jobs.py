"""53 jobs of people who have films, animations and pictures: the first command that they would guess, and what is right."""
import contextlib
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from looking import Look, near, number, output, psnr

MEDIA = Path(__file__).resolve().parents[2] / 'media'
SUBTITLES = '1\n00:00:00,000 --> 00:00:02,000\n{text}\n'
CHAPTERS = ';FFMETADATA1\ntitle=A film\n' + ''.join(
    f'[CHAPTER]\nTIMEBASE=1/1000\nSTART={start}\nEND={end}\ntitle={title}\n'
    for start, end, title in ((0, 500, 'One'), (500, 1500, 'Two'), (1500, 2000, 'Three')))


class Inputs:
    """Files that ffmpeg makes when a job names them, and those of media/."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, name):
        if (MEDIA / name).exists():
            return MEDIA / name
        path = self.folder / name
        if not path.exists():
            partial = path.with_name('partial-' + name)
            self.make(name, partial)
            partial.rename(path)
        return path

    def make(self, name, path):
        def ffmpeg(*words):
            output('ffmpeg', '-v', 'error', '-y', *words, path)

        plain = MEDIA / 'small.mp4'
        match name:
            case 'long.mp4':  # three hours
                ffmpeg('-stream_loop', 5399, '-i', plain, '-c', 'copy')
            case 'minute.mp4':
                ffmpeg('-stream_loop', 11, '-i', MEDIA / 'clip.mp4', '-c', 'copy', '-an', '-frames:v', 1500)
            case 'uhd.mp4':
                ffmpeg('-f', 'lavfi', '-i', 'testsrc2=3840x2160:r=24:d=0.5', '-c:v', 'libx265', '-preset', 'ultrafast', '-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-vf',
                       'scale=out_color_matrix=bt709', '-x265-params', 'log-level=error', '-pix_fmt', 'yuv420p10le', '-tag:v', 'hvc1')
            case 'many.gif':
                ffmpeg('-f', 'lavfi', '-i', 'testsrc=32x32:r=25:d=400')
            case 'odd.gif':
                ffmpeg('-i', MEDIA / 'counter.gif', '-vf', 'scale=247:247:flags=neighbor')
            case 'photo.gif':
                ffmpeg('-i', MEDIA / 'clip.mp4', '-t', 2, '-vf', 'fps=10,scale=320:-1,split[a][b];[a]palettegen[p];[b][p]paletteuse')
            case 'photo.jpg':
                ffmpeg('-ss', 2, '-i', MEDIA / 'clip.mp4', '-frames:v', 1, '-q:v', 2)
            case 'logo.png':
                ffmpeg('-f', 'lavfi', '-i', 'color=red:s=400x200', '-frames:v', 1)
            case 'rich.mkv':  # chapters, two sounds, two tracks of subtitles
                texts = [self.folder / f'{word}.srt' for word in ('Hello', 'Hallo')]
                for text in texts:
                    text.write_text(SUBTITLES.format(text=text.stem))
                (self.folder / 'chapters.txt').write_text(CHAPTERS)
                ffmpeg('-i', MEDIA / 'sound.mp4', '-f', 'lavfi', '-i', 'sine=880:d=2', '-i', texts[0], '-i', texts[1], '-i',
                       self.folder / 'chapters.txt', '-map', '0:v', '-map', '0:a', '-map', '1:a', '-map', '2', '-map', '3', '-map_metadata',
                       4, '-map_chapters', 4, '-c:v', 'copy', '-c:a', 'aac', '-c:s', 'srt', '-metadata:s:a:0', 'language=eng',
                       '-metadata:s:a:1', 'language=deu', '-metadata:s:s:0', 'language=eng', '-metadata:s:s:1', 'language=deu', '-f',
                       'matroska')
            case 'song.mp3':
                ffmpeg('-i', MEDIA / 'still.jpg', '-f', 'lavfi', '-i', 'sine=440:d=1', '-map', '1', '-map',
                       '0', '-c:v', 'copy', '-c:a', 'libmp3lame', '-disposition:v', 'attached_pic')
            case 'page.ts':
                ffmpeg('-i', plain, '-c', 'copy', '-f', 'mpegts')
            case 'tags.srt':
                path.write_text('1\n00:00:00,000 --> 00:00:02,000\n<font color="#ff0000">Red</font>\n')
            case _:
                raise KeyError(name)


class Work:
    """The folder in which a job is done, and what its commands said."""

    def __init__(self, binary, folder, inputs):
        self.folder, self.inputs, self.said = folder / 'work', inputs, ''
        self.home = folder / 'home'
        for path in (self.folder, self.home, folder / 'bin'):
            path.mkdir(parents=True)
        (folder / 'bin/lazyimg').symlink_to(binary)
        self.environment = {'PATH': f'{folder / "bin"}:{os.environ["PATH"]}', 'HOME': str(self.home), 'LC_ALL': 'C.UTF-8', 'TZ': 'UTC',
                            'TERM': 'dumb'}

    def has(self, *names, into='.'):
        """Copies inputs to the folder; `new=old` names one anew."""
        for name in names:
            own, _, source = name.partition('=')
            path = self.folder / into / own
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.inputs.path(source or own), path)

    def run(self, line, exit=0):
        done = subprocess.run(['bash', '-o', 'pipefail', '-c', line], cwd=self.folder, capture_output=True, timeout=900,
                              env=self.environment, stdin=subprocess.DEVNULL)
        self.out, self.err = done.stdout.decode(errors='replace'), done.stderr.decode(errors='replace')
        self.said = f'{line}\n      exit {done.returncode}: {self.err.strip()[:500]}'
        assert done.returncode == exit, f'exit {done.returncode}, not {exit}'

    def look(self, name):
        assert (self.folder / name).exists(), f'there is no {name}'
        return Look(self.folder / name)

    def path(self, name):
        return self.folder / name

    def source(self, name):
        return Look(self.inputs.path(name))

    def files(self, folder='.'):
        return sorted(str(path.relative_to(self.folder / folder)) for path in (self.folder / folder).rglob('*') if path.is_file())


class Job:
    def __init__(self, number, title, check):
        self.number, self.title, self.check = number, title, check


JOBS = []


def job(number, title):
    def add(check):
        JOBS.append(Job(number, title, check))
        return check
    return add


def following(numbers):
    return all(before <= after for before, after in zip(numbers, numbers[1:]))


@job(1, 'GIF of the best 3 s, at most 500 kB')
def _(work):
    work.has('film.mp4=clip.mp4')
    work.run('lazyimg animate film.mp4 -o x.gif --max-bytes 500K')
    made = work.look('x.gif')
    assert made.kind == 'gif' and 250_000 < made.bytes <= 500_000, f'{made.bytes} bytes'
    assert made.size == (320, 180) and near(made.duration, 3, 0.11) and len(made.frames) >= 24 and made.plays == 0
    assert None not in made.numbers and len(set(made.numbers)) == len(made.frames)


@job(2, 'emoji of 128 pixels, at most 256 kB')
def _(work):
    work.has('cat.gif=counter.gif')
    work.run('lazyimg animate cat.gif -o x.gif -s 128 --max-bytes 256K')
    made = work.look('x.gif')
    assert made.bytes <= 256_000 and max(made.size) == 128 and near(made.duration, 1.2) and made.plays == 0
    assert len(made.frames) >= 12 and following(made.numbers) and made.numbers[-1] >= 26, made.numbers


@job(3, 'emoji of exactly 128x128, at most 128 kB')
def _(work):
    work.has('cat.gif=photo.gif')
    work.run("lazyimg animate cat.gif -o x.gif -s '128x128^' --max-bytes 128K")
    made = work.look('x.gif')
    assert made.bytes <= 128_000 and made.size == (128, 128) and near(made.duration, 2, 0.11) and len(made.frames) >= 10


@job(4, 'sticker as VP9, 512 pixels, 3 s, at most 256 kB')
def _(work):
    work.has('film.mp4=clip.mp4')
    work.run('lazyimg animate film.mp4 -o x.webm -s 512 --fps 30 --max-bytes 256K')
    made = work.look('x.webm')
    assert made.bytes <= 256_000 and max(made.size) == 512 and made.streams('video')[0]['codec_name'] == 'vp9' and made.duration <= 3.01
    assert all(near(step, 0.04, 0.0011) for step in made.durations), 'a rate above that of the source changes times'
    assert not made.streams('audio')


@job(5, 'sticker of 512x512 as WebP')
def _(work):
    work.has('film.mp4=clip.mp4')
    work.run('lazyimg animate film.mp4 -o x.webp --for whatsapp-sticker')
    made = work.look('x.webp')
    assert made.kind == 'webp' and made.size == (512, 512) and made.bytes <= 500_000 and made.duration <= 10 and len(made.frames) > 20
    assert made.frames[0].getpixel((5, 5))[3] == 0 and made.frames[0].getpixel((256, 256))[3] == 255


@job(6, 'contact sheet with times')
def _(work):
    work.has('film.mp4=clip.mp4')
    work.run('lazyimg sheet film.mp4 -o x.png --columns 4 --rows 5 --width 320 --stamp --heading')
    made = work.look('x.png')
    assert made.size[0] == 1280 and 900 < made.size[1] < 1060, made.size
    top = made.size[1] - 900
    tiles = [made.frames[0].crop((320 * (tile % 4), top + 180 * (tile // 4), 320 * (tile % 4 + 1), top + 180 * (tile // 4 + 1)))
             for tile in range(20)]
    numbers = [number(tile) for tile in tiles]
    assert None not in numbers and following(numbers) and numbers[0] < 7 and numbers[-1] > 115, numbers


@job(7, 'storyboard with VTT for a player')
def _(work):
    work.has('film.mp4=minute.mp4')
    work.run('lazyimg storyboard film.mp4 -o x.jpg --interval 5')
    sheet, frames = work.look('x.jpg').frames[0], work.source('minute.mp4').frames
    cues = re.findall(r'(\d+):(\d+):([\d.]+) --> .*\n.*#xywh=(\d+),(\d+),(\d+),(\d+)', work.path('x.vtt').read_text())
    assert len(cues) == 12, f'{len(cues)} cues'
    for hours, minutes, seconds, *place in cues:
        x, y, width, height = map(int, place)
        start = int(hours) * 3600 + int(minutes) * 60 + float(seconds)
        shown = [frames[int(place * 25)] for place in (start, start + 2.5) if place * 25 < len(frames)]
        tile = sheet.crop((x, y, x + width, y + height))
        assert number(tile) is not None and max(psnr(tile, frame.resize(tile.size)) for frame in shown + frames[:1]) > 12


@job(8, 'poster at a quarter')
def _(work):
    work.has('film.mp4=clip.mp4')
    work.run('lazyimg poster film.mp4 --at 25% -o x.jpg')
    made = work.look('x.jpg')
    assert made.kind == 'jpeg' and made.size == (640, 360) and made.numbers == [31], made.numbers
    assert psnr(made.frames[0], work.source('clip.mp4').frames[31]) > 32


@job(9, 'a frame every second')
def _(work):
    work.has('film.mp4=clip.mp4')
    work.run('lazyimg frames film.mp4 --fps 1 -o out/')
    made = [work.look(f'out/{name}') for name in work.files('out') if name.endswith('.png')]
    assert len(made) == 5, len(made)
    first = made[0].numbers[0]
    assert [look.numbers[0] for look in made] == [first + 25 * second for second in range(5)] and first <= 12, first


@job(10, 'first and last frame')
def _(work):
    work.has('film.mp4=clip.mp4')
    work.run('lazyimg poster film.mp4 --at first -o a.png && lazyimg poster film.mp4 --at last -o b.png')
    assert [work.look(name).numbers for name in ('a.png', 'b.png')] == [[0], [124]]


@job(11, 'frame 120, exactly')
def _(work):
    work.has('film.mp4=clip.mp4')
    work.run("lazyimg poster film.mp4 --at '#120' -o x.png")
    made = work.look('x.png')
    assert made.numbers == [120] and psnr(made.frames[0], work.source('clip.mp4').frames[120]) > 38


@job(12, 'square')
def _(work):
    work.has('film.mp4=small.mp4')
    work.run('lazyimg convert film.mp4 x.mp4 --crop 1:1')
    made = work.look('x.mp4')
    assert made.size == (96, 96) and len(made.frames) == 24 and near(made.duration, 2)
    part = work.source('small.mp4').frames[9].crop((32, 0, 128, 96))
    assert psnr(made.frames[9], part) > 28


@job(13, 'backwards')
def _(work):
    work.has('film.mp4=small.mp4')
    work.run('lazyimg convert film.mp4 x.mp4 --reverse')
    made = work.look('x.mp4')
    assert made.numbers == list(range(23, -1, -1)) and near(made.duration, 2)


@job(14, 'there and back')
def _(work):
    work.has('film.mp4=small.mp4')
    # A word of other programs, whose own one is named.
    work.run('lazyimg convert film.mp4 x.gif --boomerang', exit=64)
    assert "'--bounce'" in work.err
    work.run('lazyimg convert film.mp4 x.gif --bounce')
    made = work.look('x.gif')
    assert made.numbers == [*range(24), *range(22, 0, -1)], made.numbers


@job(15, 'twice as fast')
def _(work):
    work.has('film.mp4=small.mp4')
    work.run('lazyimg convert film.mp4 x.mp4 --speed 2x')
    made = work.look('x.mp4')
    assert near(made.duration, 1) and following(made.numbers) and made.numbers[-1] >= 22


@job(16, 'clips one after the other')
def _(work):
    work.has('a.mp4=small.mp4', 'b.gif=counter.gif')
    work.run('lazyimg convert a.mp4 b.gif -o x.mp4')
    made = work.look('x.mp4')
    assert made.size == (160, 96) and made.numbers == [*range(24), *range(30)] and near(made.duration, 3.2, 0.05)


@job(17, 'text with time and number')
def _(work):
    work.has('film.mp4=clip.mp4')
    work.run("lazyimg convert film.mp4 x.mp4 --text '{time} {frame}'")
    made, plain = work.look('x.mp4'), work.source('clip.mp4')
    corner = (0, 320, 220, 360)
    assert len(made.frames) == 125 and made.numbers == list(range(125))
    assert psnr(made.frames[60].crop(corner), plain.frames[60].crop(corner)) < 20
    assert psnr(made.frames[60].crop((0, 0, 640, 300)), plain.frames[60].crop((0, 0, 640, 300))) > 28


@job(18, 'watermark of a fifth of the picture')
def _(work):
    work.has('film.mp4=small.mp4', 'logo.png')
    work.run('lazyimg convert film.mp4 x.webp --lossless --watermark logo.png --watermark-size 20% --watermark-opacity 0.5')
    made, plain = work.look('x.webp'), work.source('small.mp4')
    assert len(made.frames) == 24 and near(made.duration, 2)
    # 32 x 16 in the lower right corner.
    assert psnr(made.frames[5].crop((0, 0, 127, 96)), plain.frames[5].crop((0, 0, 127, 96))) > 35
    assert psnr(made.frames[5].crop((128, 0, 160, 79)), plain.frames[5].crop((128, 0, 160, 79))) > 35
    for point in ((129, 81), (158, 94)):
        (red, *_), (own, *_) = made.frames[5].getpixel(point), plain.frames[5].getpixel(point)
        assert near(red, (own + 255) / 2, 8), (point, red, own)


@job(19, 'APNG to lossless WebP')
def _(work):
    work.has('a.apng=animation.png')
    work.run('lazyimg convert a.apng x.webp --lossless')
    made, plain = work.look('x.webp'), work.source('animation.png')
    assert made.kind == 'webp' and made.bytes < plain.bytes and made.durations == plain.durations
    assert len(made.frames) == len(plain.frames) and all(psnr(a, b) == 99 for a, b in zip(made.frames, plain.frames))


@job(20, 'WebP to GIF')
def _(work):
    work.has('a.webp=animation.webp')
    work.run('lazyimg convert a.webp x.gif')
    made, plain = work.look('x.gif'), work.source('animation.webp')
    assert made.kind == 'gif' and made.numbers == plain.numbers and near(made.duration, plain.duration)


@job(21, 'animated AVIF')
def _(work):
    work.has('film.mp4=small.mp4')
    work.run('lazyimg convert film.mp4 x.avif')
    made = work.look('x.avif')
    assert made.kind == 'avif' and made.size == (160, 96) and made.bytes < 12_000
    said = output('avifdec', '--info', made.path).decode()
    assert '24 frames' in said and '2.00 seconds' in said, said


@job(22, 'GIF of odd size to MP4 for pages')
def _(work):
    work.has('odd.gif')
    work.run('lazyimg convert odd.gif x.mp4')
    made = work.look('x.mp4')
    film = made.streams('video')[0]
    assert made.size in ((246, 246), (248, 248)) and film['pix_fmt'] == 'yuv420p' and film['codec_name'] == 'h264' and len(made.frames) == 30
    assert made.data.index(b'moov') < made.data.index(b'mdat') and near(made.duration, 1.2)


@job(23, 'transparent WebM to APNG')
def _(work):
    work.has('a.webm=vp9-alpha.webm')
    work.run('lazyimg convert a.webm x.apng')
    made, plain = work.look('x.apng'), work.source('vp9-alpha.webm')
    assert made.kind == 'png' and len(made.frames) == len(plain.frames)
    columns = [made.frames[0].getpixel((x, 60))[3] for x in (20, 60, 100, 140)]
    assert all(near(alpha, wanted, 8) for alpha, wanted in zip(columns, (255, 170, 85, 0))), columns


@job(24, 'transparency on a color')
def _(work):
    work.has('a.webm=vp9-alpha.webm')
    work.run('lazyimg convert a.webm x.mp4 --background white && lazyimg convert a.webm x.gif --matte white')
    film, gif = work.look('x.mp4'), work.look('x.gif')
    assert min(film.frames[0].getpixel((150, 60))[:3]) > 245
    assert gif.frames[0].getpixel((150, 60))[3] == 0 and gif.frames[0].getpixel((100, 60))[3] == 255


@job(25, 'number of plays')
def _(work):
    work.has('x.gif=counter.gif')
    work.run('lazyimg loop x.gif --loop 3 -o y.gif')
    made, plain = work.look('y.gif'), work.source('counter.gif')
    assert made.plays == 3 and abs(made.bytes - plain.bytes) < 25 and made.durations == plain.durations
    assert all(psnr(a, b) == 99 for a, b in zip(made.frames, plain.frames))


@job(26, 'title and date kept, or not')
def _(work):
    work.has('film.mkv=rich.mkv')
    work.run('lazyimg convert film.mkv x.mp4 && lazyimg convert film.mkv y.mp4 --keep none')
    kept, none = work.look('x.mp4').facts, work.look('y.mp4').facts
    assert kept['format']['tags'].get('title') == 'A film' and len(kept['chapters']) == 3
    assert 'title' not in none['format'].get('tags', {}) and not none['chapters']


@job(27, 'a wide gamut stays')
def _(work):
    work.has('a.png=wide-gamut.png')
    work.run('lazyimg convert a.png x.webp --color keep --lossless && lazyimg poster a.png -o y.png --color keep')
    plain = work.source('wide-gamut.png')
    for name in ('x.webp', 'y.png'):
        made = work.look(name)
        # As the source: coding-independent code points in PNG, a profile where there are none.
        assert made.image.info.get('icc_profile') or plain.data[37:45] == b'cICP' + plain.data[41:45] == made.data[37:45], name
        assert psnr(made.frames[0], plain.frames[0]) > 45, name


@job(28, 'HDR film to poster')
def _(work):
    work.has('film.mp4=hdr10.mp4')
    work.run('lazyimg poster film.mp4 --at first -o x.png')
    made = work.look('x.png')
    assert made.size == (160, 96) and made.image.mode in ('RGB', 'RGBA') and made.numbers == [0]


@job(29, 'turned film')
def _(work):
    work.has('film.mp4=rotated-90.mp4')
    work.run('lazyimg poster film.mp4 --at first -o x.png && lazyimg convert film.mp4 y.webm')
    assert work.look('x.png').numbers == [0] and work.look('x.png').size == (160, 96)
    film = work.look('y.webm')
    assert film.size == (160, 96) and film.numbers == list(range(24))


@job(30, 'moving faces of a folder')
def _(work):
    work.has('ann.gif=photo.gif', 'bob.gif=counter.gif', 'sub/cat.webp=animation.webp', 'still.jpg', into='people')
    work.run("lazyimg animate -r people -o out -s '256x256^' --gravity smart")
    made = [name for name in work.files('out') if name.endswith('.webp')]
    assert made == ['ann.webp', 'bob.webp', 'still.webp', 'sub/cat.webp'], made
    assert all(work.look(f'out/{name}').size in ((256, 256), (96, 96), (160, 96)) for name in made)
    assert len(work.look('out/ann.webp').frames) >= 10 and 'still.jpg' in work.err


@job(31, 'duplicates of a folder')
def _(work):
    work.has('a.gif=counter.gif', 'b.gif=counter.gif', 'c.gif=delays.gif')
    work.run('lazyimg duplicates .')


@job(32, 'many files, stopped and continued')
def _(work):
    for place in range(6):
        work.has(f'film{place}.mp4=small.mp4', into='in')
    line = 'lazyimg batch animate -r in -o out'
    started = subprocess.Popen(['bash', '-c', 'exec ' + line], cwd=work.folder, env=work.environment, stderr=subprocess.PIPE)
    time.sleep(0.4)
    started.send_signal(signal.SIGINT)
    said = started.communicate()[1].decode()
    assert started.returncode in (0, 130), said
    half = [work.look(f'out/{name}') for name in work.files('out') if name.endswith('.webp')]
    assert all(len(look.frames) > 10 for look in half), 'half a file'
    work.run(line)
    made = [name for name in work.files('out') if name.endswith('.webp')]
    assert len(made) == 6 and all(len(work.look(f'out/{name}').frames) > 10 for name in made)


@job(33, 'a page of all')
def _(work):
    work.has('small.mp4', 'counter.gif', 'still.jpg', 'hevc.mp4', 'song.mp3', 'vp9-alpha.webm', into='mix')
    work.run('lazyimg gallery mix -o site')
    page = ''.join(work.path(f'site/{name}').read_text() for name in ('index.html', 'data/1.js'))
    assert all(name in page for name in ('small', 'counter', 'still', 'hevc', 'vp9-alpha'))
    # A cover alone is no item, which is said.
    assert 'song.mp3' in work.err, 'a file is missing without a word'
    assert 'http://' not in re.sub(r'http://www.w3.org\S*', '', page)
    began = time.monotonic()
    work.run('lazyimg gallery mix -o site')
    assert time.monotonic() - began < 20


@job(34, 'posters every night')
def _(work):
    work.has('a.mp4=small.mp4', 'b.gif=counter.gif', 'sub/c.webm=vp9.webm', into='nas')
    line = 'lazyimg poster -r nas -f jpg -W 400 --prune'
    work.run(line)
    made = [name for name in work.files('nas') if name.endswith('.jpg')]
    assert made == ['a.jpg', 'b.jpg', 'sub/c.jpg'] and all(work.look(f'nas/{name}').size == (160, 96) for name in made), made
    before = work.path('nas/a.jpg').stat().st_mtime_ns
    work.path('nas/b.gif').unlink()
    work.run(line)
    assert [name for name in work.files('nas') if name.endswith('.jpg')] == ['a.jpg', 'sub/c.jpg']
    assert work.path('nas/a.jpg').stat().st_mtime_ns == before, 'made again'


@job(35, 'a watched folder')
def _(work):
    work.has('a.mp4=small.mp4', into='watch')
    line = ['lazyimg', 'batch', '--follow', 'poster', '-r', 'watch']
    started = subprocess.Popen(line, cwd=work.folder, env=work.environment, stderr=subprocess.PIPE,
                               executable=str(work.folder.parent / 'bin/lazyimg'))
    try:
        wait(lambda: work.path('watch/a.png').exists())
        work.has('new/b.gif=counter.gif', into='watch')
        wait(lambda: work.path('watch/new/b.png').exists())
        assert work.look('watch/new/b.png').size == (160, 96)
    finally:
        started.send_signal(signal.SIGINT)
        work.said = started.communicate()[1].decode()[:400]


def wait(claim, seconds=60):
    end = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < end, 'it never came'
        time.sleep(0.1)


@contextlib.contextmanager
def served(path):
    """A server of one file with ranges; counts what it sends."""
    data, sent = path.read_bytes(), []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = 'HTTP/1.1'

        def log_message(self, *_):
            pass

        def do_GET(self):
            asked = re.fullmatch(r'bytes=(\d+)-(\d*)', self.headers.get('Range', ''))
            start, end = (int(asked[1]), min(int(asked[2] or len(data)), len(data) - 1)) if asked else (0, len(data) - 1)
            self.send_response(206 if asked else 200)
            for name, value in (('Content-Length', end + 1 - start), ('ETag', '"1"'), ('Accept-Ranges', 'bytes')):
                self.send_header(name, str(value))
            if asked:
                self.send_header('Content-Range', f'bytes {start}-{end}/{len(data)}')
            self.end_headers()
            with contextlib.suppress(ConnectionError):
                for place in range(start, end + 1, 65536):
                    piece = data[place:min(place + 65536, end + 1)]
                    self.wfile.write(piece)
                    sent.append(len(piece))

    server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f'http://127.0.0.1:{server.server_port}/{path.name}', sent
    server.shutdown()


@job(36, 'poster of a film at a URL')
def _(work):
    with served(work.inputs.path('long.mp4')) as (url, sent):
        work.run(f'lazyimg poster {url} --at 50% -o x.png')
        assert work.look('x.png').size == (160, 96) and number(work.look('x.png').frames[0]) is not None
        assert sum(sent) < 4_300_000, f'{sum(sent)} bytes'


@job(37, 'pipes')
def _(work):
    work.has('film.mp4=small.mp4')
    work.run('cat film.mp4 | lazyimg poster > a.png; cat film.mp4 | lazyimg poster - > b.png; '
             'cat film.mp4 | lazyimg animate -f gif > c.gif; cat film.mp4 | lazyimg info --json > d.json; '
             'cat film.mp4 | lazyimg convert -o e.webp && cat film.mp4 | lazyimg sheet -o f.png')
    assert work.look('a.png').data == work.look('b.png').data and work.look('a.png').size == (160, 96)
    assert following(work.look('c.gif').numbers) and json.loads(work.path('d.json').read_text())['frameCount'] == 24
    assert work.look('e.webp').numbers == list(range(24)) and work.look('f.png').size[0] >= 160


@job(38, 'raw frames for a program')
def _(work):
    work.has('film.mp4=small.mp4')
    work.run('lazyimg frames film.mp4 -o - -f y4m | ffmpeg -v error -i - -c:v ffv1 x.mkv; lazyimg frames film.mp4 -o - -f raw > y.raw')
    made = work.look('x.mkv')
    assert made.numbers == list(range(24)) and near(made.duration, 2)
    assert work.path('y.raw').stat().st_size == 24 * 160 * 96 * 4


@job(39, 'facts as text and JSON')
def _(work):
    work.has('film.mkv=rich.mkv')
    work.run('lazyimg info film.mkv --json')
    facts = json.loads(work.out)
    assert (facts['width'], facts['height'], facts['frameCount'], round(facts['durationUs'], -5)) == (160, 96, 24, 2_000_000), facts
    assert len(facts['chapters']) == 3 and 'A film' in work.out and work.out.count('"deu"') >= 2
    work.run('lazyimg info film.mkv')
    assert '160' in work.out and 'A film' in work.out


def terminal(work, *words, seconds=3, keys=b'q'):
    """What a program writes to a terminal of 80 by 24, and its exit status."""
    process, own = pty.fork()
    if not process:
        os.chdir(work.folder)
        os.execve(work.folder.parent / 'bin/lazyimg', ['lazyimg', *words], {**work.environment, 'TERM': 'xterm-256color'})
    fcntl.ioctl(own, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 80, 800, 480))
    written, end, pressed = b'', time.monotonic() + 30, time.monotonic() + seconds
    while time.monotonic() < end:
        if time.monotonic() > pressed:
            os.write(own, keys)
            pressed = end
        if select.select([own], [], [], 0.1)[0]:
            try:
                written += os.read(own, 65536)
            except OSError:
                break
    else:
        os.kill(process, signal.SIGKILL)
    return written, os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


@job(40, 'play in a terminal')
def _(work):
    work.has('film.mp4=small.mp4')
    written, status = terminal(work, 'play', 'film.mp4')
    work.said = f'{status}, {len(written)} bytes: {written[-300:]!r}'
    assert status == 0 and written.count('▀'.encode()) + written.count('▄'.encode()) > 2000
    assert written.rfind(b'\x1b[?25h') > written.rfind(b'\x1b[?25l') >= 0, 'the cursor is hidden'


@job(41, 'list a folder')
def _(work):
    work.has('a.mp4=small.mp4', 'b.gif=counter.gif', into='pics')
    written, status = terminal(work, 'ls', 'pics')
    assert status == 0 and b'a.mp4' in written and b'b.gif' in written and written.count('▀'.encode()) > 100
    work.run('lazyimg ls pics')
    assert 'a.mp4' in work.out and 'b.gif' in work.out


@job(42, 'cover of a song')
def _(work):
    work.has('song.mp3')
    work.run('lazyimg poster song.mp3 -o x.png')
    assert psnr(work.look('x.png').frames[0], work.source('still.jpg').frames[0]) > 40
    work.run('lazyimg poster song.mp3 -f jpg')
    assert work.look('song.jpg').size == work.source('still.jpg').size


@job(43, 'subtitles in the picture')
def _(work):
    work.has('film.mkv=rich.mkv', 'tags.srt')
    work.run('lazyimg convert film.mkv x.webp --lossless --subtitles track:deu && lazyimg convert film.mkv y.webp --lossless --subtitles tags.srt')
    plain, made, red = work.source('rich.mkv'), work.look('x.webp'), work.look('y.webp')
    assert len(made.frames) == 24 and psnr(*(frame.crop((60, 80, 100, 96)) for frame in (made.frames[5], plain.frames[5]))) < 25
    letters = [(pixel, own) for pixel, own in zip(*(frame.crop((60, 80, 100, 96)).getdata() for frame in (red.frames[5], plain.frames[5])))
               if sum(abs(a - b) for a, b in zip(pixel, own)) > 60]
    assert sum(pixel[0] - max(pixel[1:3]) > 60 for pixel, _ in letters) > 5, f'the letters are not red: {letters[:8]}'


@job(44, 'chapters')
def _(work):
    work.has('film.mkv=rich.mkv')
    work.run("lazyimg poster film.mkv --at chapter:2 -o x.png && lazyimg info film.mkv && lazyimg sheet film.mkv -o s.png --chapters")
    # The frame on screen at half a second: the first one begins with the film, 23 ms behind its sound.
    assert work.look('x.png').numbers == [5] and 'Two' in work.out
    index = next(name for name in work.files() if 'chapters' in name and name.endswith('.vtt'))
    text = work.path(index).read_text()
    assert re.search(r'00:00:00\.500 --> 00:00:01\.500\s+Two', text), text


@job(45, 'both sounds, as they are')
def _(work):
    work.has('film.mkv=rich.mkv')
    work.run('lazyimg convert film.mkv x.mp4 --audio copy && lazyimg convert film.mkv y.mp4 --audio deu')
    both, one = (work.look(name).streams('audio') for name in ('x.mp4', 'y.mp4'))
    assert [sound['tags']['language'] for sound in both] == ['eng', 'deu'], f'{len(both)} sounds'
    assert [sound['tags']['language'] for sound in one] == ['deu'] and near(float(both[1]['duration']), 2, 0.1)
    hashes = [output('ffmpeg', '-v', 'error', '-i', path, '-map', '0:a:1', '-c', 'copy', '-f', 'streamhash', '-').split()[-1]
              for path in (work.path('x.mp4'), work.path('film.mkv'))]
    assert hashes[0] == hashes[1]


@job(46, 'GIF of 10,000 frames')
def _(work):
    work.has('many.gif')
    work.run('lazyimg info many.gif --json')
    facts = json.loads(work.out)
    assert facts['frameCount'] == 10_000 and facts['durationUs'] == 400_000_000
    work.run('lazyimg poster many.gif --at last -o x.png && lazyimg convert many.gif x.mp4')
    assert near(work.look('x.mp4').duration, 400, 0.1) and work.look('x.png').size == (32, 32)


@job(47, '4K of 10 bits')
def _(work):
    work.has('film.mp4=uhd.mp4')
    work.run('lazyimg poster film.mp4 --at first -o x.jpg && lazyimg animate film.mp4 -o x.webp')
    made = work.look('x.webp')
    assert work.look('x.jpg').size == (3840, 2160) and made.size == (320, 180) and near(made.duration, 0.5, 0.11)
    assert psnr(work.look('x.jpg').frames[0], work.source('uhd.mp4').frames[0]) > 30


@job(48, 'three hours')
def _(work):
    work.has('film.mp4=long.mp4')
    work.run('lazyimg poster film.mp4 --at 2:30:00.5 -o x.png && lazyimg sheet film.mp4 -o s.jpg && lazyimg animate film.mp4 -o x.webp')
    assert work.look('x.png').numbers == [6] and work.look('s.jpg').size == (1600, 960)
    assert near(work.look('x.webp').duration, 3, 0.11)


@job(49, 'a stream of another program')
def _(work):
    work.has('page.ts')
    work.run('cat page.ts | lazyimg animate - -o x.gif; '
             'ffmpeg -v error -i page.ts -c copy -movflags frag_keyframe+empty_moov -f mp4 - | lazyimg animate - -o y.gif')
    for name in ('x.gif', 'y.gif'):
        made = work.look(name)
        assert made.size == (160, 96) and near(made.duration, 2, 0.11) and following(made.numbers), name


@job(50, 'smaller GIF')
def _(work):
    work.has('a.gif=photo.gif')
    work.run('lazyimg convert a.gif x.gif --lossy')
    made, plain = work.look('x.gif'), work.source('photo.gif')
    assert made.bytes < 0.7 * plain.bytes and made.numbers == plain.numbers and made.durations == plain.durations
    assert min(psnr(a, b) for a, b in zip(made.frames, plain.frames)) > 25
    work.run('lazyimg convert a.gif y.gif --colors 32')
    assert len(set(work.look('y.gif').frames[0].getdata())) <= 33 and work.look('y.gif').bytes < plain.bytes


@job(51, 'part of a GIF by frames')
def _(work):
    work.has('a.gif=counter.gif')
    work.run("lazyimg convert a.gif x.gif --start '#10' --end '#20'")
    made = work.look('x.gif')
    assert made.numbers in (list(range(10, 20)), list(range(10, 21))), made.numbers


@job(52, 'cover into an MP4')
def _(work):
    work.has('film.mp4=small.mp4', 'cover.jpg=still.jpg')
    work.run('lazyimg convert film.mp4 x.mp4 --cover cover.jpg')


@job(53, 'trickplay of a media server')
def _(work):
    work.has('a.mp4=minute.mp4', into='films')
    work.run('lazyimg sheet -r films --layout jellyfin')
    made = [name for name in work.files('films') if name.endswith('.jpg')]
    assert made and all('trickplay' in name and re.search(r'320 - 10x10/0\.jpg$', name) for name in made), made
    assert work.look(f'films/{made[0]}').size[0] == 3200
