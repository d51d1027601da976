"""Writes the HEIC files of media/ around pictures that x265 coded.

usage: heics.py FOLDER DIRECTORY      the files of media/
       heics.py --large FOLDER OUT    a photo of 4032 x 3024 in 48 tiles, for benchmarks

FOLDER has still.hevc (160 x 96), tile0.hevc to tile5.hevc (64 x 64), thumbnail.hevc (48 x 80) and gain.hevc
(64 x 64); for the large photo tile0.hevc to tile47.hevc (512 x 512) and thumbnail.hevc (320 x 240). Each is one
picture with start codes (H.265, annex B).
"""

import struct
import sys
from pathlib import Path


def box(kind, *content):
    body = b"".join(content)
    return struct.pack(">I", 8 + len(body)) + kind.encode() + body


def full(kind, version, flags, *content):
    return box(kind, struct.pack(">I", version << 24 | flags), *content)


def units(stream):
    """The NAL units of a stream with start codes."""
    return [part.rstrip(b"\0") for part in stream.split(b"\0\0\1") if part.rstrip(b"\0")]


class Picture:
    """A coded picture: `hvcC` with its parameter sets, and its data in units with lengths."""

    def __init__(self, path, width, height):
        sets, self.data = {}, b""
        for unit in units(path.read_bytes()):
            kind = unit[0] >> 1 & 63
            if kind in (32, 33, 34):
                sets[kind] = unit
            elif kind < 32:
                self.data += struct.pack(">I", len(unit)) + unit
        # Main profile, 4:2:0, 8 bits (ISO/IEC 14496-15, 8.3.3.1).
        head = bytes.fromhex("01 01 60000000 900000000000 78 f000 fc fd f8 f8 0000 0f") + bytes([len(sets)])
        arrays = [
            bytes([0x80 | kind]) + struct.pack(">HH", 1, len(unit)) + unit
            for kind, unit in sorted(sets.items())
        ]
        self.properties = [box("hvcC", head, *arrays), full("ispe", 0, 0, struct.pack(">II", width, height))]


def heic(items, references, primary, brands, more=b"", inside=()):
    """A file of items: number, type, data, properties, whether it is hidden.

    The data of the items `inside` lies in `idat`.
    """
    kinds, owners = [], b""
    for number, _, _, properties, _ in items:
        owners += struct.pack(">HB", number, len(properties))
        for prop in properties:
            if prop not in kinds:
                kinds.append(prop)
            owners += bytes([kinds.index(prop) + 1])
    infos = [
        full("infe", 2, hidden, struct.pack(">HH", number, 0), kind.encode(), b"\0")
        for number, kind, _, _, hidden in items
    ]
    related = [
        box(kind, struct.pack(f">HH{len(to)}H", source, len(to), *to)) for kind, source, to in references
    ]

    def tables(start):
        places, inner = b"", 0
        for number, _, data, _, _ in items:
            method = int(number in inside)
            places += struct.pack(
                ">HHHHII", number, method, 0, 1, inner if method else start, len(data))
            if method:
                inner += len(data)
            else:
                start += len(data)
        return full(
            "meta", 0, 0,
            full("hdlr", 0, 0, bytes(4), b"pict", bytes(13)),
            full("pitm", 0, 0, struct.pack(">H", primary)),
            full("iloc", 1, 0, b"\x44\0", struct.pack(">H", len(items)), places),
            full("iinf", 0, 0, struct.pack(">H", len(items)), *infos),
            full("iref", 0, 0, *related) if related else b"",
            box("iprp", box("ipco", *kinds), full("ipma", 0, 0, struct.pack(">I", len(items)), owners)),
            box("idat", *(data for number, _, data, _, _ in items if number in inside)), more)

    brand = box("ftyp", brands[0].encode(), bytes(4), *(name.encode() for name in brands))
    start = len(brand) + len(tables(0)) + 8
    return brand + tables(start) + box(
        "mdat", *(data for number, _, data, _, _ in items if number not in inside))


def photo(folder):
    """What a phone with iOS 18 writes: sideways tiles, a thumbnail, a gain map of two items."""
    upright = box("irot", b"\3")
    tiles = [Picture(folder / f"tile{n}.hevc", 64, 64) for n in range(6)]
    thumbnail = Picture(folder / "thumbnail.hevc", 48, 80)
    gain = Picture(folder / "gain.hevc", 64, 64)
    size = full("ispe", 0, 0, struct.pack(">II", 96, 160))
    kind = full("auxC", 0, 0, b"urn:com:apple:photo:2020:aux:hdrgainmap\0")
    # Orientation 6, which counts only in formats without `irot`.
    exif = b"\0\0\0\6Exif\0\0MM\0*\0\0\0\x08\0\1\x01\x12\0\3\0\0\0\1\0\6\0\0\0\0\0\0"
    items = [(n + 1, "hvc1", tile.data, tile.properties, 1) for n, tile in enumerate(tiles)] + [
        (10, "grid", struct.pack(">BBBBHH", 0, 0, 2, 1, 96, 160), [size, upright], 0),
        (11, "hvc1", thumbnail.data, thumbnail.properties + [upright], 1),
        (12, "hvc1", gain.data, gain.properties + [kind, upright], 1),
        (13, "tmap", bytes(62), [size], 1),
        (14, "Exif", exif, [], 1),
    ]
    references = [
        ("dimg", 10, [1, 2, 3, 4, 5, 6]), ("thmb", 11, [10]), ("dimg", 13, [10, 12]),
        ("auxl", 12, [10, 13]), ("cdsc", 14, [10]),
    ]
    group = box("grpl", full("altr", 0, 0, struct.pack(">IIII", 20, 2, 13, 10)))
    return heic(items, references, 10, ["heic", "mif1", "MiHB", "miaf", "tmap"], group, inside=(10, 13))


def large(folder):
    """A photo of 12 megapixels in tiles, upright, with a thumbnail."""
    tiles = [Picture(folder / f"tile{n}.hevc", 512, 512) for n in range(48)]
    thumbnail = Picture(folder / "thumbnail.hevc", 320, 240)
    size = full("ispe", 0, 0, struct.pack(">II", 4032, 3024))
    items = [(n + 1, "hvc1", tile.data, tile.properties, 1) for n, tile in enumerate(tiles)] + [
        (100, "grid", struct.pack(">BBBBHH", 0, 0, 5, 7, 4032, 3024), [size], 0),
        (101, "hvc1", thumbnail.data, thumbnail.properties, 1),
    ]
    references = [("dimg", 100, list(range(1, 49))), ("thmb", 101, [100])]
    return heic(items, references, 100, ["heic", "mif1"], inside=(100,))


def main():
    if sys.argv[1] == "--large":
        Path(sys.argv[3]).write_bytes(large(Path(sys.argv[2])))
        return
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    still = Picture(folder / "still.hevc", 160, 96)
    (out / "still.heic").write_bytes(
        heic([(1, "hvc1", still.data, still.properties, 0)], [], 1, ["heic", "mif1"]))
    (out / "photo.heic").write_bytes(photo(folder))


if __name__ == "__main__":
    main()
