#!/usr/bin/env python3
"""Judges pictures that nobody here made: test pictures of Debian's source packages, by readers that share no code with lazyimg.

    judge-pictures.py [--lazyimg PROGRAM] [--folder FOLDER] [--only PATTERN] [--out FILE]

What browsers show is judged by headless Chromium (the first, a middle and the last frame of an animation, and their number), TIFF
by tifffile, HEIC by pillow_heif, JPEG XL by the libjxl of imagecodecs, JPEG 2000 by Pillow's OpenJPEG, PNM and QOI by the code
below. Prints package, path, reference, mean and 95th percentile of the CIE 1976 color difference of each picture, and a summary.
Alpha counts: pictures are compared over black and over white, and the worse number is printed.

A picture is good when the mean is at most 1 (4 for inks, whose conversion differs between engines), or when both sides refuse
it. The others have to be explained in judge-pictures.tsv beside this file, a line each: package, path (a pattern), reason. Exits
with 1 where one is not. Nothing is installed: packages go to FOLDER (.build/judge), Python's into a virtual environment there.
"""
import argparse
import asyncio
import base64
import collections
import fnmatch
import http.server
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import urllib.request

PACKAGES = """pillow tiff libavif libheif libpng1.6 gdk-pixbuf kimageformats golang-golang-x-image vips graphicsmagick giflib
    qtimageformats-opensource-src rust-tiff chafa netpbm-free""".split()
MODULES = "numpy pillow pillow-heif tifffile imagecodecs websockets".split()
BROWSER = {"png", "apng", "jpg", "jpeg", "gif", "webp", "avif", "avifs", "bmp", "ico", "cur"}
OTHERS = {"tif", "tiff", "heic", "heif", "hif", "jxl", "jp2", "j2k", "jpf", "qoi", "pnm", "pbm", "pgm", "ppm", "pam"}
MOST_BYTES, MOST_FRAMES = 700_000, 120
HERE = os.path.dirname(os.path.abspath(__file__))


# Fetching

def fetch(folder):
    """Downloads the source packages with APT lists of its own, and unpacks their pictures."""
    apt = os.path.join(folder, "apt")
    for name in ("lists/partial", "cache/archives/partial"):
        os.makedirs(os.path.join(apt, name), exist_ok=True)
    with open(os.path.join(apt, "sources.list"), "w") as file:
        file.write("deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main\n")
    with open(os.path.join(apt, "conf"), "w") as file:
        file.write(f'Dir::Etc::sourcelist "{apt}/sources.list";\nDir::Etc::sourceparts "-";\n'
                   f'Dir::State::lists "{apt}/lists";\nDir::Cache "{apt}/cache";\n')
    environment = dict(os.environ, APT_CONFIG=os.path.join(apt, "conf"))
    archives, unpacked = os.path.join(folder, "archives"), os.path.join(folder, "pictures")
    os.makedirs(archives, exist_ok=True)
    wanted = [name for name in PACKAGES if not os.path.isdir(os.path.join(unpacked, name))]
    if not wanted:
        return unpacked
    subprocess.run(["apt-get", "-q", "update"], env=environment, check=True, stdout=subprocess.DEVNULL)
    for name in wanted:
        subprocess.run(["apt-get", "source", "-q", "--download-only", "--only-source", name], env=environment, cwd=archives,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        target = os.path.join(unpacked, name)
        os.makedirs(target, exist_ok=True)
        for archive in sorted(os.listdir(archives)):
            if archive.startswith(name + "_") and ".orig" in archive and not archive.endswith(".asc"):
                subprocess.run(["tar", "xf", os.path.join(archives, archive), "-C", target, "--strip-components=1"], check=True)
        for root, _, names in os.walk(target):
            for file in names:
                path = os.path.join(root, file)
                if ending(file) not in BROWSER | OTHERS or os.path.islink(path):
                    os.remove(path)
    return unpacked


def enter_environment(folder):
    """Runs this script again in a virtual environment with what it needs."""
    home = os.path.join(folder, "venv")
    python = os.path.join(home, "bin", "python")
    if sys.prefix == os.path.abspath(home):
        return
    if not os.path.exists(python) or not os.path.exists(os.path.join(home, "complete")):
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *MODULES], check=True)
        open(os.path.join(home, "complete"), "w").close()
    os.execv(python, [python, *sys.argv])


def ending(path):
    return path.rsplit(".", 1)[-1].lower()


# References: RGBA as floating-point numbers of 0 to 1, or None where a file is refused

def from_pillow(path):
    from PIL import Image, ImageCms, ImageOps
    with Image.open(path) as image:
        image.load()
        profile, image = image.info.get("icc_profile"), ImageOps.exif_transpose(image)
    if image.mode.startswith("I;16") or image.mode == "I":
        return rgba(numpy.asarray(image).astype(float) / 65535)
    if image.mode == "F":
        return rgba(numpy.asarray(image).astype(float))
    alpha = image.getchannel("A") if "A" in image.getbands() else None
    if profile and image.mode in ("RGB", "RGBA", "L", "LA", "CMYK"):
        plain = image.convert("RGB" if image.mode.startswith("RGB") else "L" if image.mode[0] == "L" else "CMYK")
        image = ImageCms.profileToProfile(plain, io.BytesIO(profile), ImageCms.createProfile("sRGB"), outputMode="RGB", renderingIntent=1)
        if alpha:
            image.putalpha(alpha)
    return numpy.asarray(image.convert("RGBA")).astype(float) / 255


def from_tiff(path):
    import tifffile
    try:
        with tifffile.TiffFile(path) as file:
            page = file.pages[0]
            pixels, kind = page.asarray(), page.photometric.name
            turned = page.tags.get(274).value if 274 in page.tags else 1
            extra = [sample.name for sample in page.extrasamples]
            if kind in ("CIELAB", "ICCLAB"):
                return from_lab(pixels, kind)
            if page.iccprofile or kind not in ("MINISBLACK", "MINISWHITE", "RGB", "PALETTE") or pixels.ndim > 3:
                return from_pillow(path)
            if page.planarconfig.name == "SEPARATE" and pixels.ndim == 3:
                pixels = pixels.transpose(1, 2, 0)
            if kind == "PALETTE":
                colors = page.colormap.astype(float).T
                index = pixels.reshape(pixels.shape[0], pixels.shape[1], -1)
                pixels = (colors / (65535 if colors.max() > 255 else 255))[index[..., 0]]
                if index.shape[2] > 1:
                    pixels = numpy.concatenate([pixels, index[..., 1:] / (2.0 ** page.bitspersample - 1)], 2)
            elif pixels.dtype.kind == "f":
                pixels = numpy.clip(numpy.nan_to_num(pixels.astype(float), nan=0, posinf=1, neginf=0), 0, 1)
            elif pixels.dtype.kind == "i":
                least = numpy.iinfo(pixels.dtype).min
                pixels = (pixels.astype(float) - least) / (-2.0 * least - 1)
            else:
                pixels = pixels.astype(float) / (2.0 ** page.bitspersample - 1)
    except Exception:
        return from_pillow(path)
    colors = 3 if kind in ("RGB", "PALETTE") else 1
    pixels = pixels.reshape(pixels.shape[0], pixels.shape[1], -1)
    has_alpha = extra and pixels.shape[2] > colors and (extra[0] != "UNSPECIFIED" or kind == "RGB")
    alpha = pixels[..., colors:colors + 1] if has_alpha else numpy.ones(pixels.shape[:2] + (1,))
    if has_alpha and extra[0] != "UNASSALPHA":
        pixels = numpy.clip(pixels / numpy.maximum(alpha, 1e-9), 0, 1)
    shades = pixels[..., :colors] if kind != "MINISWHITE" else 1 - pixels[..., :colors]
    picture = numpy.concatenate([numpy.repeat(shades, 4 - colors if colors == 1 else 1, 2), alpha], 2)
    if turned in (5, 6, 7, 8):
        picture = picture.transpose(1, 0, 2)
    if turned in (2, 3, 6, 7):
        picture = picture[:, ::-1]
    if turned in (3, 4, 7, 8):
        picture = picture[::-1]
    return picture


def from_lab(pixels, kind):
    """CIE L*a*b* of D50, by its definition."""
    deep = pixels.dtype.itemsize > 1
    scale, signed = (256, numpy.int16) if deep else (1, numpy.int8)
    place = pixels[..., 1:3].astype(float) / scale - 128 if kind == "ICCLAB" else pixels[..., 1:3].astype(signed) / scale
    y = (pixels[..., 0] * (100 / (65535 if deep else 255)) + 16) / 116
    f = numpy.stack([y + place[..., 0] / 500, y, y - place[..., 1] / 200], -1)
    xyz = numpy.where(f > 6 / 29, f ** 3, 3 * (6 / 29) ** 2 * (f - 4 / 29)) * numpy.array([0.9642, 1, 0.8249])
    light = numpy.clip(xyz @ numpy.array([[3.1338561, -1.6168667, -0.4906146], [-0.9787684, 1.9161415, 0.0334540],
                                          [0.0719453, -0.2289914, 1.4052427]]).T, 0, 1)
    return rgba(numpy.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055))


def from_heif(path):
    import pillow_heif
    pillow_heif.register_heif_opener()
    return from_pillow(path)


def from_jxl(path):
    import imagecodecs
    pixels = imagecodecs.jpegxl_decode(open(path, "rb").read())
    if pixels.ndim == 4:
        pixels = pixels[0]
    most = 1 if pixels.dtype.kind == "f" else numpy.iinfo(pixels.dtype).max
    return rgba(pixels.astype(float) / most)


def from_map(path):
    """netpbm's formats: P1 to P6, and P7 with its tuple types."""
    data = open(path, "rb").read()
    if data[:1] != b"P":
        return from_pillow(path)
    kind, place = int(data[1:2]), 2
    if kind == 7:
        end = data.index(b"ENDHDR") + 7
        fields = dict(line.split(None, 1) for line in data[3:end].decode().splitlines() if " " in line and line[0] != "#")
        width, height, depth, most = (int(fields[name]) for name in ("WIDTH", "HEIGHT", "DEPTH", "MAXVAL"))
        wide = numpy.dtype(">u2" if most > 255 else "u1")
        return rgba(numpy.frombuffer(data, wide, width * height * depth, end).reshape(height, width, depth) / most)

    def word():
        nonlocal place
        while data[place:place + 1].isspace() or data[place:place + 1] == b"#":
            place = data.index(b"\n", place) + 1 if data[place:place + 1] == b"#" else place + 1
        start = place
        while place < len(data) and not data[place:place + 1].isspace() and data[place:place + 1] != b"#":
            place += 1
        return int(data[start:place])

    width, height = word(), word()
    depth, most = 3 if kind in (3, 6) else 1, 1 if kind in (1, 4) else word()
    if kind == 1:
        bits = [byte - 48 for byte in data[place:] if byte in b"01"]
        return rgba(1 - numpy.array(bits[:width * height], float).reshape(height, width, 1))
    if kind in (2, 3):
        numbers = [word() for _ in range(width * height * depth)]
        return rgba(numpy.array(numbers, float).reshape(height, width, depth) / most)
    place += 1
    if kind == 4:
        rows = numpy.frombuffer(data, "u1", height * ((width + 7) // 8), place).reshape(height, -1)
        return rgba(1.0 - numpy.unpackbits(rows, axis=1)[:, :width, None])
    wide = numpy.dtype(">u2" if most > 255 else "u1")
    return rgba(numpy.frombuffer(data, wide, width * height * depth, place).reshape(height, width, depth) / most)


def from_qoi(path):
    data = open(path, "rb").read()
    width, height = int.from_bytes(data[4:8], "big"), int.from_bytes(data[8:12], "big")
    pixel, index, out, at, run = (0, 0, 0, 255), [(0, 0, 0, 0)] * 64, bytearray(), 14, 0
    for _ in range(width * height):
        if run:
            run -= 1
        else:
            first, at = data[at], at + 1
            red, green, blue, alpha = pixel
            if first == 0xFE:
                pixel, at = (*data[at:at + 3], alpha), at + 3
            elif first == 0xFF:
                pixel, at = tuple(data[at:at + 4]), at + 4
            elif first < 64:
                pixel = index[first]
            elif first < 128:
                pixel = ((red + (first >> 4 & 3) - 2) & 255, (green + (first >> 2 & 3) - 2) & 255, (blue + (first & 3) - 2) & 255, alpha)
            elif first < 192:
                step, more, at = (first & 63) - 32, data[at], at + 1
                pixel = ((red + step - 8 + (more >> 4)) & 255, (green + step) & 255, (blue + step - 8 + (more & 15)) & 255, alpha)
            else:
                run = (first & 63)
            index[(pixel[0] * 3 + pixel[1] * 5 + pixel[2] * 7 + pixel[3] * 11) % 64] = pixel
        out += bytes(pixel)
    return numpy.frombuffer(bytes(out), "u1").reshape(height, width, 4) / 255


def rgba(pixels):
    """Gray, gray and alpha, RGB or RGBA as RGBA."""
    pixels = pixels.reshape(pixels.shape[0], pixels.shape[1], -1)
    ones = numpy.ones(pixels.shape[:2] + (1,))
    count = pixels.shape[2]
    colors = pixels[..., :3] if count >= 3 else numpy.repeat(pixels[..., :1], 3, 2)
    return numpy.concatenate([colors, pixels[..., count - 1:] if count in (2, 4) else ones], 2)


READERS = {"tif": ("tifffile", from_tiff), "heic": ("pillow_heif", from_heif), "jxl": ("imagecodecs", from_jxl),
           "qoi": ("own", from_qoi), "jp2": ("Pillow", from_pillow), "pnm": ("own", from_map)}
READERS.update({name: READERS[of] for name, of in {
    "tiff": "tif", "heif": "heic", "hif": "heic", "j2k": "jp2", "jpf": "jp2", "pbm": "pnm", "pgm": "pnm", "ppm": "pnm", "pam": "pnm",
}.items()})


# Chromium

SCRIPT = """
async (url, type, most) => {
  const pixels = (source, w, h) => {
    const canvas = document.createElement('canvas'); canvas.width = w; canvas.height = h;
    const context = canvas.getContext('2d', {colorSpace: 'srgb', willReadFrequently: true});
    context.drawImage(source, 0, 0, w, h);
    const data = context.getImageData(0, 0, w, h).data; let text = '';
    for (let i = 0; i < data.length; i += 32768) text += String.fromCharCode.apply(null, data.subarray(i, i + 32768));
    return btoa(text);
  };
  const image = new Image(); image.src = url; await image.decode();
  const out = {w: image.naturalWidth, h: image.naturalHeight, count: 1, frames: {}};
  out.frames[0] = pixels(image, out.w, out.h);
  if (!await ImageDecoder.isTypeSupported(type)) return out;
  try {
    const data = await (await fetch(url)).arrayBuffer();
    const decoder = new ImageDecoder({data, type}); await decoder.completed; await decoder.tracks.ready;
    const track = decoder.tracks.selectedTrack;
    if (track && track.animated) {
      out.count = track.frameCount;
      if (out.count > 1 && out.count <= most) for (const index of [0, out.count >> 1, out.count - 1]) {
        const frame = (await decoder.decode({frameIndex: index})).image;
        out.frames[index] = pixels(frame, frame.displayWidth, frame.displayHeight); frame.close();
      }
    }
    decoder.close();
  } catch (error) { out.note = String(error); }
  return out;
}"""
TYPES = {"apng": "image/apng", "png": "image/png", "gif": "image/gif", "webp": "image/webp", "avif": "image/avif", "avifs": "image/avif"}


class Files(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        path = urllib.parse.unquote(self.path)
        data = open(path, "rb").read() if os.path.isfile(path) else b"<title>pictures</title>"
        kind = TYPES.get(ending(path), "image/" + ending(path)) if os.path.isfile(path) else "text/html"
        self.send_response(200)
        self.send_header("Content-Type", {"image/jpg": "image/jpeg", "image/ico": "image/x-icon", "image/cur": "image/x-icon"}.get(kind, kind))
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


async def ask_browser(paths, take):
    """Calls `take` with each path and what Chromium says of it: sizes and frames, or None."""
    import websockets
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Files)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--force-color-profile=srgb", f"--user-data-dir={profile}",
             "--remote-debugging-port=0", base + "/"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            told, page = os.path.join(profile, "DevToolsActivePort"), None
            for _ in range(150):
                await asyncio.sleep(0.2)
                if os.path.exists(told):
                    port = open(told).readline().strip()
                    pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))
                    page = next((page for page in pages if page["type"] == "page" and page["url"].startswith(base)), None)
                    if page:
                        break
            async with websockets.connect(page["webSocketDebuggerUrl"], max_size=None) as socket:
                number = 0

                async def draw(path):
                    nonlocal number
                    number += 1
                    call = f"({SCRIPT})({json.dumps(base + urllib.parse.quote(path))},{json.dumps(TYPES.get(ending(path), ''))},{MOST_FRAMES})"
                    await socket.send(json.dumps({"id": number, "method": "Runtime.evaluate", "params": {
                        "expression": call, "awaitPromise": True, "returnByValue": True}}))
                    while True:
                        reply = json.loads(await asyncio.wait_for(socket.recv(), 60))
                        if reply.get("id") == number:
                            break
                    value = reply.get("result", {}).get("result", {}).get("value")
                    return value if isinstance(value, dict) and value.get("w") else None

                for path in paths:
                    # Once more: the page may still be loading, or the browser busy.
                    take(path, await draw(path) or await draw(path))
        finally:
            browser.kill()
            browser.wait()
            server.shutdown()


# Judging

def ours(program, path, folder, frames):
    """Our frames of these numbers, and how many there are; None where the file is refused."""
    from PIL import Image
    if max(frames) == 0:
        target = os.path.join(folder, "0.png")
        done = subprocess.run([program, "poster", path, "--at", "0", "-f", "png", "-o", target, "--overwrite", "always"],
                              capture_output=True, timeout=120, stdin=subprocess.DEVNULL)
        if done.returncode or not os.path.exists(target):
            return None, done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        with Image.open(target) as image:
            picture = numpy.asarray(image.convert("RGBA")).astype(float) / 255
        os.remove(target)
        return {0: picture}, 1
    target = os.path.join(folder, "frames")
    done = subprocess.run([program, "play", path, "--frames", target, "--format", "png", "--overwrite", "always"],
                          capture_output=True, timeout=300, stdin=subprocess.DEVNULL)
    names = sorted(name for name in os.listdir(target) if name.endswith(".png")) if os.path.isdir(target) else []
    pictures = {}
    for frame in frames:
        if frame < len(names):
            with Image.open(os.path.join(target, names[frame])) as image:
                pictures[frame] = numpy.asarray(image.convert("RGBA")).astype(float) / 255
    shutil.rmtree(target, ignore_errors=True)
    return (pictures, len(names)) if names else (None, done.stderr.decode(errors="replace").strip().splitlines()[-1:])


def lab(colors):
    linear = numpy.where(colors <= 0.04045, colors / 12.92, ((colors + 0.055) / 1.055) ** 2.4)
    xyz = linear @ (numpy.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                                 [0.0193339, 0.1191920, 0.9503041]]).T / numpy.array([0.95047, 1, 1.08883]))
    f = numpy.where(xyz > 216 / 24389, numpy.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return numpy.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1)


def difference(one, other):
    """The mean and 95th percentile of the difference, over black or white, whichever is worse."""
    worst = (0.0, 0.0)
    for ground in (0, 1):
        a, b = (lab(numpy.clip(p[..., :3] * p[..., 3:] + ground * (1 - p[..., 3:]), 0, 1)) for p in (one, other))
        distances = numpy.sqrt(((a - b) ** 2).sum(-1))
        worst = max(worst, (float(distances.mean()), float(numpy.percentile(distances, 95))))
    return worst


def judge(program, path, scratch, reference, count):
    """A verdict, and the numbers: `reference` has frames by their numbers, or is None."""
    mine, told = ours(program, path, scratch, list(reference) if reference else [0])
    # Of some files that it does not read the browser draws nothing.
    is_blank = reference is not None and not any(picture[..., 3].any() for picture in reference.values())
    if reference is None or mine is None:
        if mine is None and (reference is None or is_blank):
            return "both refuse", None
        return ("only lazyimg reads it", None) if mine else ("refused: " + " ".join(told), None)
    if is_blank and any(picture[..., 3].any() for picture in mine.values()):
        return "only lazyimg reads it", None
    if count > 1 and told != count:
        return f"{told} frames for {count}", None
    worst = (0.0, 0.0)
    for index, picture in reference.items():
        if index not in mine or mine[index].shape != picture.shape:
            sizes = [f"{p.shape[1]}x{p.shape[0]}" for p in (mine.get(index), picture) if p is not None]
            return "size " + " for ".join(sizes), None
        worst = max(worst, difference(mine[index], picture))
    return "", worst


def is_ink(path):
    from PIL import Image
    try:
        with Image.open(path) as image:
            return image.mode == "CMYK"
    except Exception:
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lazyimg", default=os.path.join(HERE, "..", ".build", "release", "lazyimg"))
    parser.add_argument("--folder", default=os.path.join(HERE, "..", ".build", "judge"))
    parser.add_argument("--only", default="*", help="a pattern of package/path")
    parser.add_argument("--out", help="where the rows go; standard output else")
    told = parser.parse_args()
    folder = os.path.abspath(told.folder)
    enter_environment(folder)
    global numpy
    import numpy
    program = os.path.abspath(told.lazyimg)
    root = fetch(folder)
    out = open(told.out, "w") if told.out else sys.stdout
    with open(os.path.join(HERE, "judge-pictures.tsv")) as file:
        explained = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    paths = sorted(os.path.join(at, name) for at, _, names in os.walk(root) for name in names
                   if os.path.getsize(os.path.join(at, name)) <= MOST_BYTES)
    paths = [path for path in paths if fnmatch.fnmatch(os.path.relpath(path, root), told.only)]
    tallies, unexplained = collections.defaultdict(collections.Counter), []

    def note(path, reader, verdict, numbers):
        package, _, name = os.path.relpath(path, root).partition(os.sep)
        is_good = verdict == "both refuse" or not verdict and numbers[0] <= (4 if numbers[0] > 1 and is_ink(path) else 1)
        reason = None if is_good else next(
            (line[2] for line in explained if line[0] == package and fnmatch.fnmatch(name, line[1])), None)
        state = "good" if is_good else "explained" if reason else "OPEN"
        if state == "OPEN":
            unexplained.append(path)
        tallies[ending(path)][verdict if verdict == "both refuse" else state] += 1
        mean, high = (f"{number:.2f}" for number in numbers) if numbers else ("-", "-")
        print(package, name, reader, mean, high, state, verdict or reason or "", sep="\t", file=out, flush=True)

    with tempfile.TemporaryDirectory() as scratch:
        def take(path, seen):
            reference = None
            if seen:
                size = (seen["h"], seen["w"], 4)
                frames = {int(k): numpy.frombuffer(base64.b64decode(v), "u1").astype(float) / 255 for k, v in seen["frames"].items()}
                reference = {k: v.reshape(size) for k, v in frames.items() if v.size == size[0] * size[1] * 4}
            note(path, "Chromium", *judge(program, path, scratch, reference, seen["count"] if seen and len(reference) > 1 else 1))

        asyncio.run(ask_browser([path for path in paths if ending(path) in BROWSER], take))
        for path in (path for path in paths if ending(path) in OTHERS):
            name, read = READERS[ending(path)]
            try:
                reference = {0: numpy.clip(read(path), 0, 1)}
            except Exception:
                reference = None
            note(path, name, *judge(program, path, scratch, reference, 1))
    print("\nformat\tgood\tboth refuse\texplained\topen", file=out)
    for name, tally in sorted(tallies.items()):
        print(name, *(tally[state] for state in ("good", "both refuse", "explained", "OPEN")), sep="\t", file=out)
    total = sum((tally for tally in tallies.values()), collections.Counter())
    print(f"{sum(total.values())} pictures: {total['good']} good, {total['both refuse']} refused by both, {total['explained']} explained, "
          f"{total['OPEN']} open", file=out)
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
