internal import LazyMedia

/// The `VP8X` chunk: the features of an extended file, and its canvas.
struct WebPExtended: Hashable, Sendable {
    static let count = 10

    var hasProfile = false
    var hasAlpha = false
    var hasEXIF = false
    var hasMetadata = false
    var isAnimated = false
    /// 1 to 2^24 a side.
    var width: Int
    var height: Int

    init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// Reads the ten bytes of the chunk.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.count else { return nil }
        let flags = bytes[0]
        hasProfile = flags & 0x20 != 0
        hasAlpha = flags & 0x10 != 0
        hasEXIF = flags & 0x08 != 0
        hasMetadata = flags & 0x04 != 0
        isAnimated = flags & 0x02 != 0
        width = bytes.little24(4) + 1
        height = bytes.little24(7) + 1
    }

    /// The complete chunk.
    var chunk: [UInt8] {
        var bytes = [UInt8](header: .extended, count: Self.count)
        let flags =
            (hasProfile ? 0x20 : 0) | (hasAlpha ? 0x10 : 0) | (hasEXIF ? 0x08 : 0)
            | (hasMetadata ? 0x04 : 0) | (isAnimated ? 0x02 : 0)
        bytes.appendLittle(flags, bytes: 4)
        bytes.appendLittle(width - 1, bytes: 3)
        bytes.appendLittle(height - 1, bytes: 3)
        return bytes
    }
}

/// The `ANIM` chunk: the background color, which browsers ignore, and the number of plays.
struct WebPAnimation: Hashable, Sendable {
    static let count = 6

    /// Blue, green, red and alpha, from the lowest byte on.
    var background: UInt32 = 0
    /// The number of plays, 0 for forever, at most 65 535.
    var plays: Int

    init(plays: Int) { self.plays = plays }

    /// Reads the six bytes of the chunk.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.count else { return nil }
        background = bytes.little32(0)
        plays = Int(bytes[4]) | Int(bytes[5]) << 8
    }

    /// The complete chunk.
    var chunk: [UInt8] {
        var bytes = [UInt8](header: .animation, count: Self.count)
        bytes.appendLittle(Int(background), bytes: 4)
        bytes.appendLittle(plays, bytes: 2)
        return bytes
    }
}

/// The 16 bytes before a frame's own chunks in `ANMF`.
struct WebPFrameHeader: Hashable, Sendable {
    static let count = 16
    /// The longest duration, in milliseconds.
    static let longestDuration = (1 << 24) - 1
    /// The offset of the duration's three bytes.
    static let durationOffset = 12

    /// Its rectangle, at even columns and rows.
    var rect: PixelRect
    /// In milliseconds, at most 2^24 - 1.
    var duration: Int
    /// Whether it is blended over the canvas and does not replace it.
    var blends: Bool
    /// Whether its rectangle is cleared on disposal.
    var clears: Bool

    init(rect: PixelRect, duration: Int, blends: Bool, clears: Bool = false) {
        self.rect = rect
        self.duration = duration
        self.blends = blends
        self.clears = clears
    }

    /// Reads the 16 bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.count else { return nil }
        rect = PixelRect(
            x: bytes.little24(0) * 2, y: bytes.little24(3) * 2, width: bytes.little24(6) + 1,
            height: bytes.little24(9) + 1)
        duration = bytes.little24(Self.durationOffset)
        blends = bytes[15] & 2 == 0
        clears = bytes[15] & 1 != 0
    }

    /// The 16 bytes.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendLittle(rect.x / 2, bytes: 3)
        bytes.appendLittle(rect.y / 2, bytes: 3)
        bytes.appendLittle(rect.width - 1, bytes: 3)
        bytes.appendLittle(rect.height - 1, bytes: 3)
        bytes.appendLittle(duration, bytes: 3)
        bytes.append((blends ? 0 : 2) | (clears ? 1 : 0))
        return bytes
    }
}

extension [UInt8] {
    /// The eight bytes before a chunk's content.
    init(header name: RIFFName, count: Int) {
        self.init()
        reserveCapacity(RIFFChunk.headerLength + count + 1)
        appendLittle(Int(name.number), bytes: 4)
        appendLittle(count, bytes: 4)
    }
}
