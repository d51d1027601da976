"""What a file has, as programs read it that are not ours: Pillow, ffmpeg and libavif."""
import io
import json
import re
import subprocess
from functools import cached_property

from PIL import Image, ImageChops, ImageSequence, ImageStat


def output(*words, data=None):
    return subprocess.run([str(word) for word in words], input=data, capture_output=True, check=True).stdout


def psnr(one, other):
    """How equal two pictures of one size are, in decibels; 99 for equal ones."""
    assert one.size == other.size, f'{one.size} beside {other.size}'
    error = sum(value ** 2 for value in ImageStat.Stat(ImageChops.difference(one.convert('RGB'), other.convert('RGB'))).rms) / 3
    import math
    return 99 if error == 0 else min(99, 10 * math.log10(255 ** 2 / error))


def number(picture):
    """The number in the barcode of media/, or None."""
    grey = picture.convert('L')
    cells = [grey.getpixel((int((cell + 0.5) * grey.width / 16), grey.height // 16)) > 127 for cell in range(16)]
    if not cells[0] or not cells[14] or cells[15] or sum(cells[1:14]) % 2:
        return None
    return sum(cell << 11 - place for place, cell in enumerate(cells[1:13]))


class Look:
    """A picture or a film: frames, their times in seconds, plays."""

    def __init__(self, path):
        self.path = path
        self.data = path.read_bytes()
        self.bytes = len(self.data)

    @cached_property
    def kind(self):
        head = self.data[:400]
        for word, kind in ((b'GIF8', 'gif'), (b'\x89PNG', 'png'), (b'\xff\xd8\xff', 'jpeg'), (b'RIFF', 'webp'),
                           (b'\x1aE\xdf\xa3', 'webm' if b'webm' in head else 'matroska')):
            if head.startswith(word):
                return kind
        return 'avif' if head[8:12] in (b'avif', b'avis') else 'mp4' if head[4:8] == b'ftyp' else None

    @property
    def is_film(self):
        return self.kind in ('avif', 'mp4', 'webm', 'matroska')

    @cached_property
    def image(self):
        return Image.open(io.BytesIO(self.data))

    @cached_property
    def facts(self):
        return json.loads(output('ffprobe', '-v', 'error', '-show_streams', '-show_format', '-show_chapters', '-of', 'json', self.path))

    def streams(self, kind):
        return [stream for stream in self.facts['streams'] if stream['codec_type'] == kind]

    @cached_property
    def size(self):
        if not self.is_film:
            return self.image.size
        film = self.streams('video')[0]
        return film['width'], film['height']

    @cached_property
    def frames(self):
        """All frames as pictures."""
        if not self.is_film:
            return [frame.convert('RGBA').copy() for frame in ImageSequence.Iterator(self.image)]
        width, height = self.size
        decoder = ['-c:v', 'libvpx-vp9'] if self.kind == 'webm' else []
        raw = output('ffmpeg', '-v', 'error', *decoder, '-i', self.path, '-map', '0:v:0', '-fps_mode', 'passthrough', '-f',
                     'rawvideo', '-pix_fmt', 'rgba', '-')
        length = width * height * 4
        return [Image.frombytes('RGBA', self.size, raw[start:start + length]) for start in range(0, len(raw), length)]

    @cached_property
    def durations(self):
        """How long each frame is shown, in seconds, of the last one of a film as of the one before."""
        if not self.is_film:
            self.frames
            found = []
            for place in range(getattr(self.image, 'n_frames', 1)):
                self.image.seek(place)
                self.image.load()
                found.append(self.image.info.get('duration', 0) / 1000)
            return found
        text = output('ffprobe', '-v', 'error', '-select_streams', 'v:0', '-show_entries', 'frame=pts_time', '-of', 'csv=p=0', self.path)
        times = [float(word) for word in re.findall(rb'[\d.]+', text)]
        steps = [round(after - before, 6) for before, after in zip(times, times[1:])]
        return steps + steps[-1:]

    @property
    def duration(self):
        return sum(self.durations)

    @property
    def plays(self):
        """How often it plays, 0 for ever; None where it does not say."""
        count = self.image.info.get('loop')
        return count if count in (None, 0) or self.kind != 'gif' else count + 1

    @property
    def numbers(self):
        return [number(frame) for frame in self.frames]


def near(value, wanted, error=0.02):
    return abs(value - wanted) <= error
