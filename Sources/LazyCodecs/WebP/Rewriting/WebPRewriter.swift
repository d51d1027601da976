package import LazyMedia

/// Changes how often an animated WebP plays, and how fast, without touching a pixel's bytes.
///
/// `ANIM` holds the number of plays, 0 for forever, and `ANMF` delays in milliseconds (WebP
/// container specification, "Animation").
package struct WebPRewriter: MediaRewriting {
    /// 16 bits of plays.
    static let mostPlays = 0xFFFF

    /// Makes a rewriter.
    package init() {}

    /// Animated WebP.
    package var type: MediaType { .webpAnimation }

    /// Copies a file with the change made; see `MediaRewriting`.
    package func rewrite(
        _ bytes: any ByteSource, _ change: TimingChange, limits: DecodingLimits,
        to write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        try limits.check(input: bytes)
        guard var chunks = try RIFFChunks(webp: bytes) else {
            throw MediaError(.malformed, "The WebP does not begin as one.")
        }
        var edits = ByteEdits()
        var delays = try Self.delays(change)
        var controls = 0
        var frames = 0
        while let chunk = try chunks.next() {
            guard chunk.isWhole else { throw .cutWebP }
            switch chunk.name {
            case .animation:
                guard chunk.content.count >= 6 else { throw .cutWebP }
                controls += 1
                guard let loop = change.loop else { continue }
                var digits: [UInt8] = []
                let number = try loop.number(upTo: Self.mostPlays, in: type.title)
                digits.appendLittle(number, bytes: 2)
                try edits.replace(2, at: chunk.content.lowerBound + 4, with: digits)
            case .frame:
                guard chunk.content.count >= WebPFrameHeader.count,
                    let head = try bytes.exactly(
                        WebPFrameHeader.count, at: chunk.content.lowerBound)
                else { throw .cutWebP }
                frames += 1
                try limits.check(entries: frames)
                guard var next = delays else { continue }
                let old = MediaTime(ticks: Int64(head.little24(12)), base: Rational(1, 1000))
                let new = next.next(old)
                delays = next
                guard new < 1 << 24 else {
                    throw MediaError(.notWritable, "A WebP shows a frame for 4.6 hours at most.")
                }
                var digits: [UInt8] = []
                digits.appendLittle(Int(new), bytes: 3)
                try edits.replace(3, at: chunk.content.lowerBound + 12, with: digits)
            default: break
            }
        }
        guard controls == 1 else {
            throw MediaError(.malformed, "The WebP has not one chunk that makes it an animation.")
        }
        try edits.write(bytes, called: "WebP", to: write)
    }

    private static func delays(_ change: TimingChange) throws(MediaError) -> ErrorDiffusedDelays? {
        guard let delays = change.delays else { return nil }
        return try ErrorDiffusedDelays(delays, step: 1000, least: 11)
    }
}

extension MediaError {
    fileprivate static let cutWebP = MediaError(
        .truncated, "The WebP's chunks end before they should.")
}
