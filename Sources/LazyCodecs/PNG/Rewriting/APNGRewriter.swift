internal import CKernels
package import LazyMedia

/// Changes how often an animated PNG plays, and how fast, without touching a pixel's bytes.
///
/// `acTL` holds the number of plays, 0 for forever, and `fcTL` the delays (PNG specification, 3rd
/// ed., 11.3.6).
package struct APNGRewriter: MediaRewriting {
    /// PNG's numbers have 31 bits.
    static let mostPlays = Int(Int32.max)

    /// Makes a rewriter.
    package init() {}

    /// Animated PNG.
    package var type: MediaType { .apng }

    /// Copies a file with the change made; see `MediaRewriting`.
    package func rewrite(
        _ bytes: any ByteSource, _ change: TimingChange, limits: DecodingLimits,
        to write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        try limits.check(input: bytes)
        var edits = ByteEdits()
        var offset = 8
        var controls = 0
        var frames = 0
        var hasEnd = false
        while !hasEnd {
            guard let head = try bytes.exactly(8, at: offset) else { throw .cutPNG }
            let length = Int(head.bigEndian32(at: 0))
            guard length <= Int32.max, length <= bytes.count - offset - 12 else { throw .cutPNG }
            switch head.bigEndian32(at: 4) {
            case PNGChunks.name("acTL"):
                guard length == 8, var chunk = try bytes.exactly(20, at: offset) else {
                    throw .cutPNG
                }
                controls += 1
                if let loop = change.loop {
                    let number = try loop.number(upTo: Self.mostPlays, in: type.title)
                    chunk.replaceSubrange(12..<16, with: UInt32(number).bigEndianBytes)
                    try edits.replace(20, at: offset, with: Self.summed(chunk))
                }
            case PNGChunks.name("fcTL"):
                guard length == 26, var chunk = try bytes.exactly(38, at: offset) else {
                    throw .cutPNG
                }
                frames += 1
                try limits.check(entries: frames)
                if let delays = change.delays {
                    let delay = try Self.delay(chunk, delays)
                    chunk.replaceSubrange(28..<32, with: delay.bigEndianBytes)
                    try edits.replace(38, at: offset, with: Self.summed(chunk))
                }
            case PNGChunks.name("IEND"): hasEnd = true
            default: break
            }
            offset += 12 + length
        }
        guard controls == 1 else {
            throw MediaError(.malformed, "The PNG has not one chunk that makes it an animation.")
        }
        try edits.write(bytes, called: "PNG", to: write)
    }

    /// Numerator and denominator, as in the file.
    private static func delay(
        _ chunk: [UInt8], _ change: TimingChange.Delays
    ) throws(MediaError) -> UInt32 {
        let word = chunk.bigEndian32(at: 28)
        let below = Int64(word & 0xFFFF)
        let old = MediaTime(ticks: Int64(word >> 16), base: Rational(1, below == 0 ? 100 : below))
        // The nearest fraction does the rounding.
        var delays = try ErrorDiffusedDelays(change, step: 1, least: 11_000)
        let new: MediaTime
        switch change {
        case .each(let length):
            guard length < .seconds(65_536) else {
                throw MediaError(
                    .notWritable, "An animated PNG shows a frame for 18 hours at most.")
            }
            new = MediaTime(length)
        case .speed: new = MediaTime(microseconds: delays.next(old))
        }
        let delay = APNGDelay(new)
        return UInt32(delay.numerator) << 16 | UInt32(delay.denominator)
    }

    /// A chunk with its checksum updated.
    private static func summed(_ chunk: [UInt8]) -> [UInt8] {
        let end = chunk.count - 4
        let sum = chunk.withUnsafeBufferPointer { chunk in
            chunk.baseAddress.map { cscanline_crc($0 + 4, end - 4) } ?? 0
        }
        return Array(chunk[..<end]) + sum.bigEndianBytes
    }
}

extension MediaError {
    fileprivate static let cutPNG = MediaError(
        .truncated, "The PNG's chunks do not lead to its end.")
}
