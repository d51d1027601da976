internal import LazyMedia

/// Reads bytes one after the other, in pieces.
struct ByteReader {
    private let bytes: any ByteSource
    private let check: () throws(MediaError) -> Void
    private var offset: Int
    private var piece: [UInt8] = []
    private var position = 0

    init(
        _ bytes: any ByteSource, at offset: Int, _ check: @escaping () throws(MediaError) -> Void
    ) {
        self.bytes = bytes
        self.offset = offset
        self.check = check
    }

    /// The next byte; throws `.truncated` at the end.
    mutating func next() throws(MediaError) -> Int {
        if position == piece.count {
            try check()
            piece = try bytes.bytes(1 << 16, at: offset)
            offset += piece.count
            position = 0
            guard !piece.isEmpty else { throw MediaError(.truncated, "The bitmap ends early.") }
        }
        defer { position += 1 }
        return Int(piece[position])
    }
}

/// Decodes runs of equal pixels: RLE8, RLE4 and RLE24.
struct BMPRuns {
    private let header: BMPHeader
    private var input: ByteReader
    private var x = 0
    private var y = 0

    init(_ header: BMPHeader, _ input: ByteReader) {
        self.header = header
        self.input = input
    }

    /// Decodes up to the end mark, or to the last row's end; pixels that are skipped stay.
    ///
    /// Throws `.truncated` and `.malformed`.
    mutating func decode(into pixels: UnsafeMutablePointer<UInt32>) throws(MediaError) {
        let size = header.size
        while y < size.height {
            let count = try input.next()
            if count > 0 {
                let colors = try readRun()
                try put(count, into: pixels) { colors[$0 % colors.count] }
                continue
            }
            switch try input.next() {
            case 0: (x, y) = (0, y + 1)
            case 1: return
            case 2:
                x += try input.next()
                y += try input.next()
            case let count: try readPixels(count, into: pixels)
            }
        }
    }

    /// The colors that a run repeats: one, or two in turn.
    private mutating func readRun() throws(MediaError) -> [UInt32] {
        switch header.bits {
        case 24: return [try readColor()]
        case 8: return [header.color(try input.next())]
        default:
            let pair = try input.next()
            return [header.color(pair >> 4), header.color(pair & 15)]
        }
    }

    private mutating func readColor() throws(MediaError) -> UInt32 {
        let (blue, green, red) = (try input.next(), try input.next(), try input.next())
        return UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | 0xFF00_0000
    }

    /// Pixels as they are; their bytes are padded to an even number.
    private mutating func readPixels(
        _ count: Int, into pixels: UnsafeMutablePointer<UInt32>
    ) throws(MediaError) {
        var colors: [UInt32] = []
        var bytes = count
        switch header.bits {
        case 24:
            for _ in 0..<count { colors.append(try readColor()) }
            bytes = count * 3
        case 8:
            for _ in 0..<count { colors.append(header.color(try input.next())) }
        default:
            bytes = (count + 1) / 2
            for _ in 0..<bytes {
                let pair = try input.next()
                colors += [header.color(pair >> 4), header.color(pair & 15)]
            }
        }
        if bytes % 2 == 1 { _ = try input.next() }
        try put(count, into: pixels) { colors[$0] }
    }

    private mutating func put(
        _ count: Int, into pixels: UnsafeMutablePointer<UInt32>, _ color: (Int) -> UInt32
    ) throws(MediaError) {
        guard y < header.size.height else {
            throw MediaError(.malformed, "The bitmap is damaged: a run is below its last row.")
        }
        let row = header.isTopDown ? y : header.size.height - 1 - y
        // Some programs pad rows; what passes their end is left out, as in browsers.
        for index in 0..<max(0, min(count, header.size.width - x)) {
            pixels[row * header.size.width + x + index] = color(index)
        }
        x += count
    }
}
