"""The command lines that get faults, each with the small files that it works on."""

import shutil
from dataclasses import dataclass, field
from pathlib import Path

MEDIA = Path(__file__).resolve().parents[2] / "media"

# Reading or writing, memory, permission, a missing file, a missing library, and what is temporary.
EXITS = {0, 65, 66, 69, 70, 73, 74, 75, 76, 77}
# Some of several inputs.
MANY = EXITS | {1}


@dataclass
class Job:
    """A command line, what is there before it, and what may become of it."""

    name: str
    words: str
    # Files of media/, and the names that they get.
    files: dict = field(default_factory=dict)
    # Command lines that run before without a fault.
    before: tuple = ()
    # Files that are removed, and files that are written, after these.
    gone: tuple = ()
    texts: dict = field(default_factory=dict)
    exits: frozenset = frozenset(EXITS)
    # Whether the same command line makes afterwards what the fault kept it from.
    resumes: bool = False
    # What is made of all inputs, and so of those that did not fail where some did.
    shared: tuple = ()
    # Libraries that it does without.
    optional: tuple = ()
    # Whether what cannot be read counts as nothing, as entries of a cache do.
    omits: bool = False
    # Whether it asks the server on this machine.
    asks: bool = False

    def prepare(self, folder):
        """Puts the files into an empty folder."""
        for name, source in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(MEDIA / source, path)

    def change(self, folder):
        """What happens between the command lines before and this one."""
        for name in self.gone:
            (folder / name).unlink()
        for name, text in self.texts.items():
            (folder / name).write_text(text)


GIF = {"a.gif": "delays.gif"}
FILM = {"film.mp4": "small.mp4"}
FEW = {"in/a.gif": "delays.gif", "in/film.mp4": "small.mp4", "in/deep/b.png": "still-palette.png"}
MANY_EXITS = frozenset(MANY)
STILLS = {
    "jpg": "still.jpg", "png": "still-interlaced.png", "webp": "still.webp", "avif": "still.avif", "jxl": "still.jxl",
    "tiff": "still.tiff", "heic": "still.heic", "bmp": "still.bmp", "ico": "still.ico", "qoi": "still.qoi",
}
SUBTITLES = "1\n00:00:00,000 --> 00:00:02,000\nHello\n"
PLAYLIST = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nh264.ts\n#EXT-X-ENDLIST\n"


def stills():
    for ending, source in STILLS.items():
        yield Job(f"poster-{ending}", f"poster still.{ending} -o p.png -W 32", {f"still.{ending}": source})


def conversions():
    for ending in ("mp4", "webm", "webp", "avif"):
        yield Job(f"convert-{ending}", f"convert a.gif -o c.{ending} -W 32 --allow-larger --effort 0", GIF)
    yield Job("convert-gif", "convert film.mp4 -o c.gif -W 32 --allow-larger", FILM)
    yield Job("convert-apng", "convert a.gif -f apng -o c.png --allow-larger", GIF)
    for ending in ("jpg", "webp", "avif", "ppm"):
        yield Job(f"poster-to-{ending}", f"poster a.gif -o p.{ending}", GIF)


def single():
    yield Job("info-gif", "info a.gif --json", GIF)
    yield Job("info-film", "info film.mp4 --frames --json", FILM)
    yield Job("poster-gif", "poster a.gif -o p.png", GIF)
    yield Job("poster-film", "poster film.mp4 -o p.jpg -W 64", FILM)
    yield Job("poster-again", "poster film.mp4 -o p.png --force", FILM | {"p.png": "still-palette.png"})
    yield Job("poster-text", "poster a.gif -o p.png --text hi", GIF)
    yield Job(
        "poster-subtitles", "poster film.mp4 -o p.png --at 50% --subtitles s.srt", FILM, texts={"s.srt": SUBTITLES})
    yield Job("poster-pipe", "poster a.gif -o - -f png", GIF)
    yield Job("play-gif", "play a.gif --frames frames", GIF)
    yield Job("play-film", "play film.mp4 --frames frames --width 16 --fps 5", FILM)
    yield Job("play-hashes", "play film.mp4 --frames - --format framehash", FILM)
    yield Job("animate", "animate film.mp4 -o t.webp -W 32", FILM)
    yield Job("animate-again", "animate film.mp4 -o t.gif -W 32 --force", FILM | {"t.gif": "delays.gif"})
    yield Job("loop", "loop a.gif --loop 7 --in-place", GIF)
    yield Job("sheet", "sheet film.mp4 -o s.jpg -W 16", FILM)
    yield Job("sheet-again", "sheet film.mp4 -o s.jpg -W 16 --force", FILM, before=("sheet film.mp4 -o s.jpg -W 8",))


def several():
    batch = "batch poster --files-from list.txt -o out -W 16 --journal work.journal"
    files, texts = FEW, {"list.txt": "in/a.gif\nin/film.mp4\nin/deep/b.png\n"}
    yield Job("batch", batch, files, texts=texts, exits=MANY_EXITS, resumes=True)
    yield Job(
        "batch-on", batch, files, exits=MANY_EXITS, resumes=True, texts=texts,
        before=("batch poster in/a.gif -o out -W 16 --journal work.journal",))
    recursive = "poster -r in -o out -W 16 -f png"
    yield Job("recursive", recursive, files, exits=MANY_EXITS, resumes=True)
    yield Job(
        "recursive-prune", recursive + " --prune", files, before=(recursive,), gone=("in/a.gif",), exits=MANY_EXITS,
        resumes=True)
    gallery = "gallery in -o site"
    small = {"in/a.gif": "delays.gif", "in/deep/b.png": "still-palette.png"}
    page = {"exits": MANY_EXITS, "resumes": True, "shared": ("work/site/index.html", "work/site/data/*"), "optional": ("libavif",)}
    yield Job("gallery", gallery, small, **page)
    yield Job("gallery-film", gallery, {"in/film.mp4": "small.mp4"}, **page)
    yield Job("gallery-prune", gallery + " --prune", small, before=(gallery,), gone=("in/a.gif",), **page)


def network():
    yield Job("fetch", "fetch SERVER/counter.gif -o a.gif --force", exits=MANY_EXITS, resumes=True, asks=True)
    yield Job("fetch-folder", "fetch SERVER/delays.gif SERVER/small.mp4 -o out/ --force", exits=MANY_EXITS, resumes=True, asks=True)
    yield Job("poster-url", "poster SERVER/small.mp4 -o p.png --force", resumes=True, asks=True)
    yield Job("play-list", "play SERVER/list.m3u8 --frames - --format framehash", asks=True)
    once = ("fetch SERVER/delays.gif -o a.gif",)
    yield Job("fetch-offline", "fetch SERVER/delays.gif -o b.gif --offline --force", before=once, resumes=True, asks=True)
    yield Job("cache-stats", "cache stats", before=once, omits=True, asks=True)
    yield Job("cache-rm", "cache rm *", before=once, asks=True)


def isolated(jobs, names):
    """The same jobs with decoders in processes of their own, in which faults happen, too."""
    for job in jobs:
        if job.name in names:
            yield Job(**(vars(job) | {"name": job.name + "/isolated", "words": job.words + " --isolate always"}))


def all_jobs():
    jobs = [*single(), *stills(), *conversions(), *several(), *network()]
    ours = {
        "info-gif", "info-film", "poster-gif", "poster-film", "play-gif", "play-film", "animate", "sheet", "batch",
        "recursive-prune", "poster-url", "poster-heic", "poster-avif", "convert-mp4", "gallery", "poster-text",
    }
    return jobs + list(isolated(jobs, ours))
