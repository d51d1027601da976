"""Where the numbers stand in the headers of media files.

`fields(name, data)` lists them as `Field`s; `repair(name, data)` makes the check sums of a file good
again, so that a reader gets as far as the number that was changed.
"""

import re
import struct
import zlib
from typing import NamedTuple


class Field(NamedTuple):
    """A number in a file."""

    offset: int
    width: int
    order: str  # "big", "little", "vint" (EBML), "double" or "text"


def fields(name, data):
    """The numbers of a file's headers, in the order they stand in it."""
    found = _walker(name, data)(data)
    return [f for f in found if 0 <= f.offset and f.offset + f.width <= len(data)]


def repair(name, data):
    """The file with the check sums that its format has."""
    walker = _walker(name, data)
    if walker is _png:
        return _summed_png(data)
    if walker is _ogg:
        return _summed_ogg(data)
    return data


def _walker(name, data):
    if data[:4] == b"GIF8":
        return _gif
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return _png
    if data[:4] == b"RIFF":
        return _riff
    if data[4:8] == b"ftyp" or data[4:8] in (b"moov", b"mdat", b"free", b"wide"):
        return _iso
    if data[:4] == b"\x1a\x45\xdf\xa3":
        return _ebml
    if data[:4] == b"DKIF":
        return _ivf
    if data[:3] == b"FLV":
        return _flv
    if data[:4] == b"OggS":
        return _ogg
    if data[:2] == b"\xff\xd8":
        return _jpeg
    if data[:4] in (b"II*\0", b"MM\0*"):
        return _tiff
    if data[:9] == b"YUV4MPEG2":
        return _text
    if name.endswith((".m3u8", ".mpd")):
        return _digits
    if data[:1] == b"\x47" and name.endswith(".ts"):
        return _transport
    return _plain


def _numbers(start, count, width, order):
    return [Field(start + i * width, width, order) for i in range(count)]


def _plain(data):
    head = min(len(data), 512)
    return [Field(at, width, "little") for width in (2, 4) for at in range(0, head - width, width)]


def _text(data):
    end = data.find(b"\n")
    end = len(data) if end < 0 else end
    found, at = [], 0
    while at < end:
        start = at
        while at < end and data[at : at + 1].isdigit():
            at += 1
        if at > start:
            found.append(Field(start, at - start, "text"))
        at += 1
    return found


def _digits(data):
    """Every number of a document that is text."""
    return [Field(m.start(), len(m.group()), "text") for m in re.finditer(rb"\d+", data)]


def _gif(data):
    found = _numbers(6, 2, 2, "little") + [Field(10, 1, "little")]
    at = 13 + (3 << (data[10] & 7) + 1 if data[10] & 0x80 else 0)
    while at + 2 < len(data):
        kind = data[at]
        if kind == 0x21:
            if data[at + 1] == 0xF9:
                found += [Field(at + 3, 1, "little"), Field(at + 4, 2, "little")]
            elif data[at + 1] == 0xFF:
                found.append(Field(at + 16, 2, "little"))
            at = _blocks(data, at + 2)
        elif kind == 0x2C:
            found += _numbers(at + 1, 4, 2, "little") + [Field(at + 9, 1, "little")]
            at += 10 + (3 << (data[at + 9] & 7) + 1 if data[at + 9] & 0x80 else 0)
            found += [Field(at, 1, "little"), Field(at + 1, 1, "little")]
            at = _blocks(data, at + 1)
        else:
            break
    return found


def _blocks(data, at):
    while at < len(data) and data[at]:
        at += data[at] + 1
    return at + 1


def _png(data):
    found, at = [], 8
    while at + 12 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        found.append(Field(at, 4, "big"))
        content = at + 8
        if kind == b"IHDR":
            found += _numbers(content, 2, 4, "big") + _numbers(content + 8, 5, 1, "big")
        elif kind == b"acTL":
            found += _numbers(content, 2, 4, "big")
        elif kind == b"fcTL":
            found += _numbers(content, 5, 4, "big") + _numbers(content + 20, 2, 2, "big")
            found += _numbers(content + 24, 2, 1, "big")
        elif kind in (b"fdAT", b"gAMA", b"pHYs"):
            found.append(Field(content, 4, "big"))
        at += 12 + length
    return found


def _summed_png(data):
    data, at = bytearray(data), 8
    while at + 12 <= len(data):
        length = struct.unpack_from(">I", data, at)[0]
        if at + 12 + length > len(data):
            break
        struct.pack_into(">I", data, at + 8 + length, zlib.crc32(data[at + 4 : at + 8 + length]))
        at += 12 + length
    return bytes(data)


def _riff(data, at=0, end=None):
    end = len(data) if end is None else min(end, len(data))
    found = []
    while at + 8 <= end:
        kind, length = struct.unpack_from("<4sI", data, at)
        found.append(Field(at + 4, 4, "little"))
        content = at + 8
        if kind in (b"RIFF", b"LIST"):
            if data[content : content + 4] != b"movi":
                found += _riff(data, content + 4, content + length)
            else:
                found += _riff(data, content + 4, min(content + length, content + 400))
        elif kind == b"ANMF":
            found += _numbers(content, 5, 3, "little") + [Field(content + 15, 1, "little")]
            found += _riff(data, content + 16, content + length)
        elif kind == b"VP8X":
            found += [Field(content, 1, "little")] + _numbers(content + 4, 2, 3, "little")
        elif kind == b"ANIM":
            found += [Field(content + 4, 2, "little")]
        elif kind == b"VP8 ":
            found += _numbers(content + 6, 2, 2, "little")
        elif kind == b"VP8L":
            found += [Field(content + 1, 4, "little")]
        elif kind in (b"avih", b"strh", b"strf", b"idx1", b"indx", b"vprp"):
            found += _numbers(content, min(length, 400) // 4, 4, "little")
            found += _numbers(content, min(length, 64) // 2, 2, "little")
        at = content + length + (length & 1)
    return found


_CONTAINERS = {
    b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts", b"dinf", b"udta", b"mvex", b"moof",
    b"traf", b"mfra", b"iprp", b"ipco", b"meta",
}


def _iso(data, at=0, end=None):
    end = len(data) if end is None else min(end, len(data))
    found = []
    while at + 8 <= end:
        length, kind = struct.unpack_from(">I4s", data, at)
        found.append(Field(at, 4, "big"))
        content = at + 8
        if length == 1 and at + 16 <= end:
            found.append(Field(at + 8, 8, "big"))
            length = struct.unpack_from(">Q", data, at + 8)[0]
            content += 8
        elif length == 0:
            length = end - at
        if length < 8:
            break
        if kind in _CONTAINERS:
            found += _iso(data, content + (4 if kind == b"meta" else 0), at + length)
        elif kind != b"mdat":
            rest = max(0, min(at + length, end) - content)
            found += _numbers(content, min(rest, 256) // 4, 4, "big")
            found += _numbers(content + 4, min(max(0, rest - 4), 64) // 8, 8, "big")
            found += _numbers(content, min(rest, 120) // 2, 2, "big")
            if kind == b"stsd":
                found += _iso(data, content + 8, at + length)
        at += length
    return found


_MASTERS = {
    0x1A45DFA3, 0x18538067, 0x1549A966, 0x1654AE6B, 0xAE, 0xE0, 0xE1, 0x1F43B675, 0x1C53BB6B,
    0xBB, 0xB7, 0x114D9B74, 0x4DBB, 0xA0, 0x55B0, 0x41E4, 0x6D80, 0x6240,
}
_UNSIZED = (0xFF, 0x01FFFFFFFFFFFFFF)


def _ebml(data, at=0, end=None):
    end = len(data) if end is None else min(end, len(data))
    found = []
    while at < end:
        name, width = _vint(data, at, keep=True)
        if width == 0:
            break
        length, size_width = _vint(data, at + width, keep=False)
        if size_width == 0:
            break
        found.append(Field(at + width, size_width, "vint"))
        content = at + width + size_width
        if length == (1 << 7 * size_width) - 1:
            length = end - content
        if name in _MASTERS:
            found += _ebml(data, content, content + length)
        elif name in (0xA3, 0xA1):
            found += [Field(content + 1, 2, "big"), Field(content + 3, 1, "big")]
        elif length in (4, 8) and name in (0x4489, 0xB5, 0x23314F):
            found.append(Field(content, length, "double"))
        elif length <= 8:
            found.append(Field(content, length, "big"))
        at = content + length
    return found


def _vint(data, at, keep):
    if at >= len(data) or data[at] == 0:
        return 0, 0
    width = 9 - data[at].bit_length()
    if at + width > len(data):
        return 0, 0
    value = int.from_bytes(data[at : at + width], "big")
    return (value if keep else value & (1 << 7 * width) - 1), width


def _ivf(data):
    found = _numbers(4, 2, 2, "little") + _numbers(12, 2, 2, "little") + _numbers(16, 3, 4, "little")
    at = 32
    while at + 12 <= len(data):
        found += [Field(at, 4, "little"), Field(at + 4, 8, "little")]
        at += 12 + struct.unpack_from("<I", data, at)[0]
    return found


def _flv(data):
    found = [Field(5, 4, "big")]
    at = struct.unpack_from(">I", data, 5)[0] + 4
    while at + 15 <= len(data):
        length = int.from_bytes(data[at + 1 : at + 4], "big")
        found += [Field(at, 1, "big"), Field(at + 1, 3, "big"), Field(at + 4, 4, "big")]
        if data[at] == 18:
            found += [Field(i + 1, 8, "double") for i in range(at + 11, at + 11 + length) if data[i] == 0]
        else:
            found += [Field(at + 13, 3, "big")]
        at += 15 + length
        found.append(Field(at - 4, 4, "big"))
    return found


def _ogg(data):
    found, at = [], 0
    while at + 27 <= len(data) and data[at : at + 4] == b"OggS":
        found += [Field(at + 6, 8, "little")] + _numbers(at + 14, 2, 4, "little")
        found.append(Field(at + 26, 1, "little"))
        count = data[at + 26]
        content = at + 27 + count
        if data[at + 5] & 2:
            found += _numbers(content + 7, 18, 2, "big") + _numbers(content + 7, 9, 4, "big")
        at = content + sum(data[at + 27 : content])
    return found


def _summed_ogg(data):
    data, at = bytearray(data), 0
    while at + 27 <= len(data) and data[at : at + 4] == b"OggS":
        content = at + 27 + data[at + 26]
        end = content + sum(data[at + 27 : content])
        if end > len(data):
            break
        data[at + 22 : at + 26] = bytes(4)
        struct.pack_into("<I", data, at + 22, _ogg_sum(data[at:end]))
        at = end
    return bytes(data)


def _ogg_sum(page):
    total = 0
    for byte in page:
        total = (total << 8 & 0xFFFFFFFF) ^ _OGG_TABLE[total >> 24 ^ byte]
    return total


def _ogg_row(value):
    value <<= 24
    for _ in range(8):
        value = (value << 1 ^ 0x04C11DB7 if value >> 31 else value << 1) & 0xFFFFFFFF
    return value


_OGG_TABLE = [_ogg_row(i) for i in range(256)]


def _tiff(data):
    order = "little" if data[:2] == b"II" else "big"
    mark = "<" if order == "little" else ">"
    found, at, seen = [Field(4, 4, order)], struct.unpack_from(mark + "I", data, 4)[0], set()
    while at and at not in seen and at + 2 <= len(data):
        seen.add(at)
        count = struct.unpack_from(mark + "H", data, at)[0]
        found.append(Field(at, 2, order))
        for entry in range(at + 2, min(at + 2 + 12 * count, len(data) - 12), 12):
            found += _numbers(entry, 2, 2, order) + _numbers(entry + 4, 2, 4, order)
            found.append(Field(entry + 8, 2, order))
        at += 2 + 12 * count
        found.append(Field(at, 4, order))
        at = struct.unpack_from(mark + "I", data, at)[0] if at + 4 <= len(data) else 0
    return found


def _jpeg(data):
    found, at = [], 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        kind, length = data[at + 1], struct.unpack_from(">H", data, at + 2)[0]
        found.append(Field(at + 2, 2, "big"))
        content = at + 4
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            found += [Field(content, 1, "big")] + _numbers(content + 1, 2, 2, "big")
            found += _numbers(content + 5, length - 7, 1, "big")
        elif kind == 0xE1:
            found += _numbers(content + 6, 40, 2, "big") + _numbers(content + 6, 40, 2, "little")
            found += _numbers(content + 6, 20, 4, "big") + _numbers(content + 6, 20, 4, "little")
        else:
            found += _numbers(content, min(8, max(0, length - 2)) // 2, 2, "big")
        if kind == 0xDA:
            break
        at += 2 + length
    return found


def _transport(data):
    found = []
    for at in range(0, min(len(data), 188 * 60), 188):
        content = at + 4
        found.append(Field(at + 1, 2, "big"))
        if data[at + 3] & 0x20:
            found += [Field(at + 4, 1, "big"), Field(at + 6, 4, "big")]
            content += 1 + data[at + 4]
        if data[at + 1] & 0x40 and data[content : content + 3] == b"\0\0\1":
            found += [Field(content + 4, 2, "big"), Field(content + 8, 1, "big")]
            found += [Field(content + 9, 4, "big"), Field(content + 14, 4, "big")]
    return found
