"""Long recordings, of which only the ends are read: fragments with an index, clusters without cues, a transport stream.

The same minute over and over, with a clock that continues and with room between its parts, so that few bytes are much.
"""

import struct

# Recordings are longer than what is read whole.
COPIES, ROOM = 64, 160_000
EDGES = [0, 1, -1, 2, 1 << 31, (1 << 31) - 1, (1 << 32) - 1, 1 << 32, 1 << 62, (1 << 63) - 1, 1 << 63]


def make(choice, media):
    """The name's ending and the bytes of a recording, one to four numbers of whose ends are changed."""
    kind = choice.choice([_fragments, _clusters, _packets])
    return kind(choice, media)


class _Numbers:
    """Numbers as they should be, a few at edges instead."""

    def __init__(self, choice):
        self.choice = choice
        # Which of the numbers that are asked for are wrong: near the beginning, near the end, anywhere.
        self.rate = choice.choice([0, 0.002, 0.01, 0.05])
        self.places = choice.choice([range(0, 3), range(COPIES - 3, COPIES + 1), range(0, COPIES + 1)])

    def __call__(self, value, bits, copy):
        if copy in self.places and self.choice.random() < self.rate * 10:
            edges = EDGES + [value + 1, value - 1, value * 2, value // 2]
            value = self.choice.choice(edges)
        return value & (1 << bits) - 1


def _boxes(data, at, end):
    while at + 8 <= end:
        size, kind = struct.unpack_from(">I4s", data, at)
        yield kind, at, at + size
        at += size


def _fragments(choice, media):
    """A movie of fragments with `mfra`, `sidx`, both or neither."""
    number = _Numbers(choice)
    film = media["fragmented.mp4"]
    top = list(_boxes(film, 0, len(film)))
    head = film[:next(at for kind, at, _ in top if kind == b"moof")]
    end = next(at for kind, at, _ in top if kind == b"mfra")
    times = [i + 8 for i in range(len(head), end) if film[i : i + 4] == b"tfdt"]
    clock = [struct.unpack_from(">Q", film, at)[0] for at in times]
    length = clock[-1] + clock[1] - clock[0]
    begins = [at for kind, at, _ in top if kind == b"moof"]
    body, entries, sizes = bytearray(), [], []
    for copy in range(COPIES):
        part = bytearray(film[len(head) : end])
        for at, time in zip(times, clock):
            struct.pack_into(">Q", part, at - len(head), number(time + copy * length, 64, copy))
        for at, time in zip(begins, clock):
            entries.append((time + copy * length, len(body) + at - len(head)))
        part += struct.pack(">I4s", number(ROOM, 32, copy), b"free") + bytes(ROOM - 8)
        sizes.append(len(part))
        body += part
    index = b""
    if choice.random() < 0.5:
        rows = b"".join(
            struct.pack(">III", number(size, 31, n), number(length, 32, n), 0x90000000) for n, size in enumerate(sizes))
        count = number(COPIES, 16, COPIES)
        index = struct.pack(">IIIQQHH", 1 << 24, 1, 12288, number(0, 64, 0), number(0, 64, 0), 0, count) + rows
        index = struct.pack(">I4s", 8 + len(index), b"sidx") + index
    start = len(head) + len(index)
    tail = b""
    if choice.random() < 0.7:
        rows = b"".join(
            struct.pack(">QQBBB", number(t, 64, n // 3), number(start + at, 64, n // 3), 1, 1, 1)
            for n, (t, at) in enumerate(entries))
        table = struct.pack(">IIII", 1 << 24, number(1, 32, COPIES), 0, number(len(entries), 32, COPIES)) + rows
        table = struct.pack(">I4s", 8 + len(table), b"tfra") + table
        size = len(table) + 24
        tail = struct.pack(">I4s", size, b"mfra") + table + struct.pack(">I4sII", 16, b"mfro", 0, number(size, 32, COPIES))
    return ".mp4", head + index + bytes(body) + tail


def _vint(value, width):
    return (value & (1 << 7 * width) - 1 | 1 << 7 * width).to_bytes(width, "big")


def _clusters(choice, media):
    """Matroska as a recorder leaves it that was cut off: no cues, a segment of known or unknown size."""
    number = _Numbers(choice)
    film = media["h264.mkv"]
    first = film.index(b"\x1f\x43\xb6\x75")
    segment = film.index(b"\x18\x53\x80\x67")
    info, blocks = film.index(b"\x15\x49\xa9\x66"), film.index(b"\xa3", first)
    size = int.from_bytes(film[first + 4 : first + 8], "big") & 0xFFFFFFF
    content = film[blocks : first + 8 + size] if film[first + 4] & 0xF0 == 0x10 else film[blocks : film.index(b"\x1f\x43\xb6\x75", first + 4)]
    body = film[info:first]
    for copy in range(COPIES):
        time = number(copy * 1334, 32, copy)
        part = b"\xe7\x84" + struct.pack(">I", time) + content
        part += b"\xec" + _vint(number(ROOM, 28, copy), 4) + bytes(ROOM)
        known = choice.random() < 0.98
        body += b"\x1f\x43\xb6\x75" + (_vint(number(len(part), 56, copy), 8) if known else b"\xff") + part
    size = choice.choice([_vint(len(body), 8), _vint(len(body), 8), b"\x01" + b"\xff" * 7, _vint(number(len(body), 56, COPIES), 8)])
    return ".mkv", film[:segment] + b"\x18\x53\x80\x67" + size + body


def _packets(choice, media):
    """A transport stream with a clock and time stamps that go on, and null packets."""
    number = _Numbers(choice)
    stream = media["h264.ts"]
    length = 180_000
    null = b"\x47\x1f\xff\x10" + b"\xff" * 184
    stamps, clocks = [], []
    for at in range(0, len(stream), 188):
        packet = stream[at : at + 188]
        if packet[3] & 0x20 and packet[4] and packet[5] & 0x10:
            clocks.append(at + 6)
        begin = packet.find(b"\x00\x00\x01\xe0") if packet[1] & 0x40 else -1
        if begin > 0:
            count = {2: 1, 3: 2}.get(packet[begin + 7] >> 6, 0)
            stamps += [at + begin + 9 + 5 * n for n in range(count)]
    body = bytearray()
    for copy in range(COPIES):
        part = bytearray(stream)
        for at in clocks:
            old = int.from_bytes(part[at : at + 4], "big") << 1
            part[at : at + 4] = (number(old + copy * length, 33, copy) >> 1).to_bytes(4, "big")
        for at in stamps:
            a, b, c = part[at], int.from_bytes(part[at + 1 : at + 3], "big"), int.from_bytes(part[at + 3 : at + 5], "big")
            old = (a >> 1 & 7) << 30 | b >> 1 << 15 | c >> 1
            new = number(old + copy * length, 33, copy)
            part[at : at + 5] = (
                bytes([a & 0xF1 | new >> 30 << 1]) + (new >> 15 << 1 & 0xFFFE | 1).to_bytes(2, "big") + (new << 1 & 0xFFFE | 1).to_bytes(2, "big"))
        body += part + null * (ROOM // 188)
    return ".ts", bytes(body[: len(body) - choice.choice([0, 0, 100, 188 * 900])])
