"""Makes the inputs of the curves in a folder, with ffmpeg and lazyimg. What exists is kept."""

import os
import subprocess

from measure import say

SCENE = "testsrc2=size=320x180:rate=25"
H264 = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "32", "-pix_fmt", "yuv420p", "-g", "125", "-bf", "2"]
MINUTES = [1, 10, 180]
VARIANTS = {
    "MP4, moov first": ("first.mp4", ["-movflags", "+faststart"]),
    "MP4, moov last": ("last.mp4", []),
    "MP4, fragmented": ("fragmented.mp4", ["-movflags", "+frag_keyframe+empty_moov+default_base_moof"]),
    "Matroska without cues": ("nocues.mkv", []),
    "MPEG-TS": ("stream.ts", []),
}


class Inputs:
    def __init__(self, folder, lazyimg):
        self.folder, self.lazyimg = folder, lazyimg
        os.makedirs(folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def make(self, name, writes):
        """The path of a file; `writes` makes it under another name first."""
        path = self.path(name)
        if not os.path.exists(path):
            say(f"making {name}")
            part = self.path("part-" + name)
            writes(part)
            os.rename(part, path)
        return path

    def ffmpeg(self, name, *words):
        return self.make(name, lambda part: self.call("ffmpeg", "-v", "error", "-nostdin", "-y", *words, part))

    @staticmethod
    def call(*words, env=None):
        reply = subprocess.run(words, capture_output=True, text=True, env=env)
        if reply.returncode:
            raise SystemExit(f"{' '.join(words)}: {reply.stderr.strip()[-500:]}")

    def film(self, variant, minutes):
        """A film of so many minutes: one minute, repeated."""
        minute = self.ffmpeg("minute.mp4", "-f", "lavfi", "-i", SCENE, "-t", "60", *H264)
        name, words = VARIANTS[variant]
        name = f"film{minutes}-{name}"
        if name.endswith(".mkv"):
            # A muxer that cannot seek back writes no index; the length is left out with it.
            return self.make(name, lambda part: self.piped(minute, minutes, part))
        return self.ffmpeg(name, "-stream_loop", str(minutes - 1), "-i", minute, "-c", "copy", *words)

    @staticmethod
    def piped(minute, minutes, part):
        with open(part, "wb") as target:
            subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-stream_loop", str(minutes - 1), "-i", minute,
                            "-c", "copy", "-f", "matroska", "-"], stdout=target, check=True)

    def animation(self, extension, frames):
        """An animation of 64 x 48 pixels, of which no two frames that follow each other are equal."""
        gif = self.ffmpeg(f"moving{frames}.gif", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25,scroll=h=0.0625",
                          "-frames:v", str(frames))
        if extension == "gif":
            return gif
        name = f"moving{frames}.{extension}"
        words = ["--quality", "60"] if extension in ("webp", "avif") else []
        return self.make(name, lambda part: self.call(
            self.lazyimg, "convert", gif, "-o", part, "--quiet", "--allow-larger", "--overwrite", "always", *words))

    def still(self, extension, megapixels):
        """A picture of so many megapixels, 4 by 3."""
        height = int((megapixels * 1e6 * 3 / 4) ** 0.5) // 8 * 8
        width = height * 4 // 3 // 8 * 8
        scene = f"testsrc2=size={width}x{height},noise=alls=4"
        words = {"jpg": ["-q:v", "3"], "png": ["-compression_level", "3"], "webp": ["-c:v", "libwebp", "-quality", "80"]}
        source = self.ffmpeg(f"still{megapixels}.png", "-f", "lavfi", "-i", scene, "-frames:v", "1", "-pix_fmt", "rgb24",
                             *words["png"])
        if extension == "png":
            return source
        pixels = ["-pix_fmt", "yuvj420p" if extension == "jpg" else "yuv420p"]
        return self.ffmpeg(f"still{megapixels}.{extension}", "-i", source, *pixels, *words[extension])

    def picture(self, width, height):
        """A JPEG file of that size."""
        return self.ffmpeg(f"picture{width}x{height}.jpg", "-f", "lavfi", "-i", f"testsrc2=size={width}x{height},noise=alls=4",
                           "-frames:v", "1", "-pix_fmt", "yuvj420p", "-q:v", "3")

    def large_film(self, width, height):
        """Ten frames of a film of that size."""
        return self.ffmpeg(f"film{width}x{height}.mp4", "-f", "lavfi", "-i", f"testsrc2=size={width}x{height}:rate=25",
                           "-frames:v", "10", *H264)

    def pictures(self, count):
        """A folder of so many small JPEG files: hard links to a few pictures, a thousand in each subfolder."""
        sources = []
        for number in range(8):
            sources.append(self.ffmpeg(f"small{number}.jpg", "-f", "lavfi", "-i", f"testsrc2=size=48x32:rate=1", "-vf",
                                       f"hue=h={number * 45}", "-frames:v", "1"))
        folder = self.path(f"pictures{count}")
        if not os.path.exists(folder):
            say(f"making {count} pictures")
            part = self.path(f"part-pictures{count}")
            for number in range(count):
                at = os.path.join(part, f"{number // 1000:03d}")
                if number % 1000 == 0:
                    os.makedirs(at, exist_ok=True)
                link(sources[number % len(sources)], os.path.join(at, f"{number:06d}.jpg"))
            os.rename(part, folder)
        return folder


def link(source, path):
    """A hard link, or a copy where the file system allows no more links to a file."""
    try:
        os.link(source, path)
    except FileExistsError:
        pass
    except OSError:
        with open(source, "rb") as file, open(path, "wb") as copy:
            copy.write(file.read())
