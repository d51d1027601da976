"""Small files whose work is a product of counts, tables that refer to each other, text, and lists.

Every file follows from the random numbers that `make` is given. Counts are drawn evenly by their magnitude, so that a
file has now few and now many of each thing that can be multiplied.
"""

import json
import struct
import zlib

import recordings

# The most bytes of a file, about; but of recordings.
LARGEST = 2_000_000
RECORDING = "recording"


def make(choice, media):
    """A file: the ending of its name, its bytes, and files beside it; `media` are files to begin with."""
    kind = choice.choice(sorted(_MAKERS) + [RECORDING])
    if kind == RECORDING:
        return (*recordings.make(choice, media), {})
    return (kind, *_MAKERS[kind](choice, media))


def _count(choice, most):
    return min(most, int(10 ** (choice.random() * len(str(most)))))


# Boxes of ISO/IEC 14496-12


def _box(kind, *content):
    content = b"".join(content)
    return struct.pack(">I4s", 8 + len(content), kind) + content


def _full(kind, version, flags, *content):
    return _box(kind, struct.pack(">I", version << 24 | flags), *content)


def _items(choice, brand, coded, configuration):
    """Items that take, describe and extend each other, in any order and any number."""
    items = _count(choice, 5000)
    any_item = lambda: choice.randint(1, items)
    kinds = [choice.choice([coded] * 4 + [b"grid", b"iovl", b"iden", b"tmap", b"Exif"]) for _ in range(items)]
    side = choice.choice([1, 2, 15, 255])
    recipe = struct.pack(">BBBBHH", 0, 0, side, side, 64, 64)
    kinds[0] = choice.choice([coded, b"grid", b"iovl", b"iden"])
    entries = [_full(b"infe", 2, 0, struct.pack(">HH4s", i + 1, 0, k), b"\0") for i, k in enumerate(kinds)]
    extents = choice.choice([1, 1, 2, 32, 33])
    places = [
        struct.pack(">HHHH", i + 1, 1, 0, extents) + struct.pack(">II", 0, 8) * extents for i in range(items)
    ]
    references = []
    for _ in range(_count(choice, 20_000)):
        kind = choice.choice([b"dimg", b"auxl", b"auxl", b"prem", b"thmb", b"cdsc"])
        references.append(_box(kind, struct.pack(">HHH", any_item(), 1, any_item())))
    for item in [1] + [any_item() for _ in range(_count(choice, 10))]:
        targets = choice.choice([1, (side + 1) ** 2 & 0xFFFF, _count(choice, 65_535)])
        target = any_item()
        numbers = [target if choice.random() < 0.9 else any_item() for _ in range(targets)]
        references.append(_box(b"dimg", struct.pack(f">HH{targets}H", item, targets, *numbers)))
    choice.shuffle(references)
    alpha = b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0"
    properties = [
        _full(b"ispe", 0, 0, struct.pack(">II", 64, 64)), configuration,
        _full(b"auxC", 0, 0, choice.choice([alpha, b"x\0"])), _box(b"irot", b"\1"),
        _box(b"colr", b"prof", bytes(_count(choice, 100_000))), _full(b"pixi", 0, 0, b"\3\10\10\10"),
    ]
    associations = []
    for item in range(1, items + 1):
        own = [1, 2] + [choice.randint(1, len(properties)) for _ in range(_count(choice, 250))]
        associations.append(struct.pack(">HB", item, len(own)) + bytes(own))
        if sum(map(len, associations[-50:])) * items > LARGEST * 10:
            associations[-1] = struct.pack(">HB", item, 2) + b"\1\2"
    meta = _full(
        b"meta", 0, 0, _full(b"hdlr", 0, 0, b"\0\0\0\0pict" + bytes(13)), _full(b"pitm", 0, 0, b"\0\1"),
        _full(b"iinf", 0, 0, struct.pack(">H", items), *entries),
        _full(b"iloc", 1, 0, struct.pack(">HH", 0x4400, items), *places),
        _box(b"idat", recipe + bytes(64)), _full(b"iref", 0, 0, *references),
        _box(b"iprp", _box(b"ipco", *properties),
             _full(b"ipma", 0, 0, struct.pack(">I", len(associations)), *associations)))
    return _box(b"ftyp", brand + b"\0\0\0\0mif1" + brand) + meta


def _heic(choice, media):
    return _items(choice, b"heic", b"hvc1", _box(b"hvcC", b"\1" + bytes(22))), {}


def _avif(choice, media):
    if choice.random() < 0.5:
        return _movie(choice, media["animation.avif"]), {}
    return _items(choice, b"avif", b"av01", _box(b"av1C", b"\x81\0\x0c\0")), {}


def _mp4(choice, media):
    return _movie(choice, media["small.mp4"]), {}


def _movie(choice, data):
    """A movie with other tables of samples: runs of any number, in order or not, and edits."""
    return b"".join(_changed(choice, box) for box in _boxes(data))


def _boxes(data):
    at = 0
    while at + 8 <= len(data):
        length = struct.unpack_from(">I", data, at)[0]
        if length < 8:
            return
        yield data[at : at + length]
        at += length


def _changed(choice, box):
    kind, content = box[4:8], box[8:]
    if kind in (b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts"):
        return _box(kind, *(_changed(choice, inner) for inner in _boxes(content)))
    if kind not in _RUNS or choice.random() < 0.4:
        return box
    count = _count(choice, 30_000)
    if kind == b"stsz":
        return _full(kind, 0, 0, struct.pack(">II", choice.choice([0, 4]), count), bytes(4 * (count % 5000)))
    first, step = choice.choice([(1, 1), (1, 0), (1 << 28, 1), (count, -1)])
    rows = []
    for number in range(count):
        row = [(first + number * step) & 0xFFFFFFFF if number or kind != b"stsc" else 1]
        row += [choice.choice([0, 1, 1, 1, 2, 1 << 31])] + [1] * _RUNS[kind]
        rows.append(struct.pack(f">{_RUNS[kind]}I", *row[: _RUNS[kind]]))
    return _full(kind, 0, 0, struct.pack(">I", count), *rows)


# The words of an entry in each table.
_RUNS = {b"stts": 2, b"ctts": 2, b"stsc": 3, b"stco": 1, b"stss": 1, b"stsz": 1, b"elst": 3}


# Pictures and animations of the other formats


def _tiff(choice, media):
    shared = bytes(_count(choice, 1_000_000))
    pages = _count(choice, 20_000)
    entries = [(256, 4, 1, 4), (257, 4, 1, 4), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 8),
               (277, 3, 1, 1), (278, 4, 1, 4), (279, 4, 1, 16)]
    if choice.random() < 0.5:
        entries.append((34675, 7, len(shared), 24))
    if choice.random() < 0.3:
        strips = max(1, len(shared) // 4)
        entries[5], entries[8] = (273, 4, strips, 24), (279, 4, strips, 24)
    start, size = 24 + len(shared) + len(shared) % 2, 2 + 12 * len(entries) + 4
    body = struct.pack("<H", len(entries)) + b"".join(struct.pack("<HHII", *e) for e in entries)
    after = choice.choice([0, 0, 8, start])
    nexts = [start + size * page for page in range(1, pages)] + [after]
    if choice.random() < 0.2:
        choice.shuffle(nexts)
    return (b"II*\0" + struct.pack("<I", start) + bytes(16) + shared + bytes(len(shared) % 2)
            + b"".join(body + struct.pack("<I", n) for n in nexts)), {}


def _gif(choice, media):
    image = b"\x21\xf9\x04\0\0\0\0\0\x2c" + struct.pack("<HHHH", 0, 0, 1, 1) + b"\0\x02\x02\x44\x01\0"
    width, height = choice.choice([(1, 1), (64, 64), (7000, 7000)])
    head = b"GIF89a" + struct.pack("<HH", width, height) + b"\x80\0\0\0\0\0\xff\xff\xff"
    return head + image * _count(choice, 80_000) + b";", {}


def _png(choice, media):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    frames, pixels = _count(choice, 20_000), zlib.compress(bytes(5))
    control = lambda number: chunk(b"fcTL", struct.pack(">5I2H2B", number, 1, 1, 0, 0, 1, 100, 0, 0))
    parts = [chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 6, 0, 0, 0)),
             chunk(b"acTL", struct.pack(">II", choice.choice([frames, 0x7FFFFFFF]), 0)), control(0)]
    parts += [chunk(b"IDAT", b"")] * _count(choice, 20_000) + [chunk(b"IDAT", pixels)]
    text = choice.choice([b"tEXta\0", b"zTXta\0\0" + zlib.compress(bytes(_count(choice, 9_000_000)))])
    parts += [chunk(text[:4], text[4:])] * _count(choice, 100)
    for number in range(1, frames):
        parts += [control(2 * number - 1), chunk(b"fdAT", struct.pack(">I", 2 * number) + pixels)]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts) + chunk(b"IEND", b""), {}


def _webp(choice, media):
    def chunk(kind, data):
        return kind + struct.pack("<I", len(data)) + data + bytes(len(data) & 1)

    pixel = chunk(b"VP8L", bytes.fromhex("2f0000000007101011008888fe0700"))
    frame = chunk(b"ANMF", bytes(12) + b"\1\0\0\0" + pixel)
    body = b"WEBP" + chunk(b"VP8X", b"\2" + bytes(9)) + chunk(b"ANIM", bytes(6))
    body += frame * _count(choice, 40_000)
    return b"RIFF" + struct.pack("<I", len(body)) + body, {}


def _webm(choice, media):
    def element(name, *content):
        content = b"".join(content)
        return bytes.fromhex(name) + struct.pack(">Q", 1 << 56 | len(content)) + content

    track = element("AE", element("D7", b"\1"), element("83", b"\1"), element("86", b"V_VP9"),
                    element("E0", element("B0", b"\x40"), element("BA", b"\x40")))
    point = element("BB", element("B3", b"\1"), element("B7", element("F7", b"\1"), element("F1", b"\0")))
    name = element("7373", element("67C8", element("45A3", b"T"), element("4487", b"t")))
    parts = [element("1654AE6B", track * _count(choice, 2000)), element("1C53BB6B", point * _count(choice, 20_000)),
             element("1254C367", name * _count(choice, 20_000)), element("EC", b"") * _count(choice, 50_000)]
    choice.shuffle(parts)
    return element("1A45DFA3", element("4282", b"webm")) + element("18538067", *parts), {}


# Text and lists


def _pieces(choice, words):
    """A text of many words, some of them many times."""
    text = ""
    for _ in range(_count(choice, 20)):
        text += choice.choice(words) * _count(choice, 20_000)
        if len(text) > LARGEST:
            break
    return text[: LARGEST // 4]


_MARKS = ["a", "a ", "\u0301", "\u202e", "\u2067", "W", "\U0001f600", "<b>", "</b>", "\\N", "&amp;", "漢", "ا"]


def _srt(choice, media):
    cue = "00:00:00,000 --> 00:00:02,000"
    if choice.random() < 0.5:
        words = _MARKS + ["<font color=red size=900>", "{\\an8}"]
        return f"1\n{cue}\n{_pieces(choice, words)}\n\n".encode(), {"film": media["small.mp4"]}
    cues = "".join(f"{n}\n{cue}\nline {n}\n\n" for n in range(_count(choice, 30_000)))
    return cues.encode(), {"film": media["small.mp4"]}


def _vtt(choice, media):
    words = _MARKS + ["<c.a>", "<v Who>", "<00:00:01.000>", "<ruby>", "<rt>"]
    cue = "00:00.000 --> 00:02.000 line:-1 size:1%"
    text = _pieces(choice, words)
    cues = f"{cue}\n{text}\n\n" * min(choice.choice([1, 1, 20]), LARGEST // (len(text) + 1) + 1)
    return f"WEBVTT\n\n{cues}"[:LARGEST].encode(), {"film": media["small.mp4"]}


def _ass(choice, media):
    words = _MARKS + [
        "{\\fs9000}", "{\\blur100\\bord100\\shad50}", "{\\t(0,1000,\\fs100)}", "{\\t(", "{\\frx40\\fry70}",
        "{\\fscx1000000}", "{\\clip(m 0 0 l 9000 1 0 0)}", "{\\p1}m 0 0 ", "b 0 0 9999 9999 0 9999 ", "{\\p0}",
    ]
    head = ("[Script Info]\nScriptType: v4.00+\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\n"
            "Style: Default,Sans,20\n[Events]\nFormat: Layer, Start, End, Style, Text\n")
    line = f"Dialogue: 0,0:00:00.00,0:00:02.00,Default,{_pieces(choice, words)}\n"
    lines = line * min(choice.choice([1, 1, 1, _count(choice, 1000)]), LARGEST // len(line) + 1)
    return (head + lines[:LARGEST]).encode(), {"film": media["small.mp4"]}


_NAMES = ["a.png", "a.png", "a.png", "gone.png", "../a.png", "./a.png", "x" * 300, "a.ffconcat", ""]


def _ffconcat(choice, media):
    name = choice.choice(_NAMES)
    line = f"file '{name}'\n" + choice.choice(["", "duration 0.1\n", "duration 99999999\n"])
    lines = line * _count(choice, 50_000) + choice.choice(["", "file a.png\n", "file b.png\n", "'"])
    return f"ffconcat version 1.0\n{lines}".encode(), {"a.png": media["still-rgb8.png"]}


def _json(choice, media):
    if choice.random() < 0.2:
        return choice.choice(["[", '{"frames":', '{"frames":[']).encode() * _count(choice, 100_000), {}
    frame = {"file": choice.choice(_NAMES), "durationUs": choice.choice([0, 1, 40_000, 1 << 62])}
    text = json.dumps({"frames": [frame] * _count(choice, 30_000), "loop": {"raw": 0, "plays": None}})
    return text.encode(), {"a.png": media["still-rgb8.png"]}


def segments(media):
    """The files that playlists name: a transport stream, a file of fragments, its beginning, and a playlist."""
    film = media["fragmented.mp4"]
    variant = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n#EXT-X-ENDLIST\n"
    return {"a.ts": media["h264.ts"], "f.mp4": film, "i.mp4": film[:800], "v.m3u8": variant.encode(), "k": bytes(16)}


_SEGMENTS = ["a.ts", "a.ts", "a.ts", "f.mp4", "gone.ts", "../a.ts", "./a.ts?{$n}", "{$n}", "{$n}{$n}", "x" * 300,
             "file:///etc/passwd", "data:,abc", "http://192.0.2.1/", "v.m3u8", ""]


def _hls(choice, media):
    """Many tags before many segments, variables in all of them."""
    value = "A" * _count(choice, 100_000)
    head = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n"
    for number in range(choice.choice([1, 1, 1, _count(choice, 1100)])):
        head += f'#EXT-X-DEFINE:NAME="n{number or ""}",VALUE="{choice.choice(["a.ts", "a.ts", value])}"\n'
        if len(head) > LARGEST:
            break
    many = ",X=1" * choice.choice([0, 0, 0, _count(choice, 100_000)])
    tags = [
        f'#EXT-X-KEY:METHOD=AES-128,URI="{{$n}}"{many}', '#EXT-X-KEY:METHOD=NONE', f'#EXT-X-MAP:URI="i.mp4"{many}',
        '#EXT-X-MAP:URI="{$n}"', "#EXT-X-DISCONTINUITY", "#EXT-X-GAP", "#EXT-X-BYTERANGE:188@0",
        f"#EXT-X-BYTERANGE:{_count(choice, 100_000)}", f"#EXT-X-BYTERANGE:100@{_count(choice, 10**12)}", "#", "",
        "#EXT-X-STREAM-INF:BANDWIDTH=1", f'#EXT-X-STREAM-INF:CODECS="{"," * _count(choice, 10_000)}"',
    ]
    block = [choice.choice(tags) for _ in range(choice.choice([0, 0, 1, 3]))]
    block += [f"#EXTINF:{choice.choice([0, 1, 1, 0.001, 31536000])},", choice.choice(_SEGMENTS)]
    text = "\n".join(block) + "\n"
    lines = text * min(_count(choice, 400_000), LARGEST // len(text) + 1)
    end = choice.choice(["#EXT-X-ENDLIST\n", "#EXT-X-ENDLIST\n", ""])
    return (head + lines + end).encode(), segments(media)


def _dash(choice, media):
    """Periods, sets, representations and segments, each in any number, and long text in what they have in common."""
    long = "A" * _count(choice, 100_000)
    name = choice.choice(["a.ts?$Number$", "a.ts?$Time$", "$RepresentationID$", "$Number%099999d$", "a.ts?" + long + "$Number$",
                          "$RepresentationID$" * _count(choice, 5000), "$Number%09d$" * _count(choice, 5000), "&" * _count(choice, 100_000)])
    entry = choice.choice(['<S d="1"/>', '<S t="0" d="1"/>', f'<S d="1" r="{_count(choice, 200_000)}"/>', '<S d="1" r="-1"/>',
                           f'<S t="{_count(choice, 10**15)}" d="{_count(choice, 10**13)}" r="3"/>'])
    timeline = f"<SegmentTimeline>{entry * _count(choice, 50_000)}</SegmentTimeline>"
    template = (f'<SegmentTemplate timescale="{choice.choice([1, 1000, 1 << 32])}" media="{name}" startNumber="{_count(choice, 10**12)}"'
                + choice.choice([f">{timeline}</SegmentTemplate>", ' duration="1"/>']))
    listed = f'<SegmentList duration="1">{"<SegmentURL media=" + chr(34) + "a.ts" + chr(34) + "/>"}</SegmentList>'
    inner = choice.choice(["/>", "/>", f"><BaseURL>{choice.choice(['a.ts', long + '/'])}</BaseURL></Representation>",
                           f'><BaseURL>f.mp4</BaseURL><SegmentBase indexRange="{_count(choice, 10**12)}-{10**12}"/></Representation>',
                           f">{listed * _count(choice, 1000)}</Representation>"])
    representation = f'<Representation id="{choice.choice(["1", long])}" width="64" height="48" bandwidth="1"{inner}'
    content = choice.choice([template, template, "", listed]) + representation * _count(choice, 3000)
    count = max(1, min(_count(choice, 3000), LARGEST // (len(content) + 100)))
    period = f'<Period duration="PT1S"><AdaptationSet mimeType="video/mp4">{content[:LARGEST]}</AdaptationSet></Period>'
    extra = choice.choice(["", "", "<a>" * _count(choice, 100_000), "<!--" * _count(choice, 100_000) + "-->", f"<BaseURL>{long}</BaseURL>",
                           "<a " + "b='' " * _count(choice, 100_000) + "/>", "<E/>" * _count(choice, 500_000)])
    kind = choice.choice(["static", "static", 'dynamic" availabilityStartTime="2026-01-02T03:04:05Z'])
    text = f'<?xml version="1.0"?><MPD type="{kind}" mediaPresentationDuration="PT{_count(choice, 10**9)}S">{extra}{period * count}</MPD>'
    return text.encode(), segments(media)


_MAKERS = {
    ".heic": _heic, ".avif": _avif, ".mp4": _mp4, ".tiff": _tiff, ".gif": _gif, ".png": _png, ".webp": _webp,
    ".webm": _webm, ".srt": _srt, ".vtt": _vtt, ".ass": _ass, ".ffconcat": _ffconcat, ".json": _json,
    ".m3u8": _hls, ".mpd": _dash,
}
