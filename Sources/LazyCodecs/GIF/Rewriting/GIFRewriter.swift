package import LazyMedia

/// Changes how often a GIF plays, and how fast, without touching a pixel's bytes.
///
/// One play has no loop extension, 0 means forever, and n plays are n − 1 repeats, as in browsers
/// (`LoopCount.gif`). All loop extensions get the number; where there is none, one is inserted
/// after screen descriptor and palette. Delays are hundredths of a second in graphic controls,
/// inserted where an image has none.
package struct GIFRewriter: MediaRewriting {
    /// The first play and 16 bits of repeats.
    static let mostPlays = 1 << 16

    /// Makes a rewriter.
    package init() {}

    /// GIF.
    package var type: MediaType { .gif }

    /// Copies a file with the change made; see `MediaRewriting`.
    package func rewrite(
        _ bytes: any ByteSource, _ change: TimingChange, limits: DecodingLimits,
        to write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        try limits.check(input: bytes)
        let scan = try Self.scan(bytes, limits)
        var changes: [(range: Range<Int>, bytes: [UInt8])] = []
        if let loop = change.loop { changes += Self.edits(scan, number: try Self.number(loop)) }
        if let delays = change.delays { changes += try Self.edits(scan, delays) }
        changes.sort { $0.range.lowerBound < $1.range.lowerBound }
        var edits = ByteEdits()
        // Extensions need GIF89a.
        if changes.contains(where: { $0.range.isEmpty }) {
            try edits.replace(3, at: 3, with: Array("89a".utf8))
        }
        for change in changes {
            try edits.replace(
                change.range.count, at: change.range.lowerBound, with: change.bytes)
        }
        try edits.write(bytes, called: "GIF", to: write)
    }

    private static func scan(
        _ bytes: any ByteSource, _ limits: DecodingLimits
    ) throws(MediaError) -> GIFScan {
        guard let scan = try GIFScan(bytes, limits: limits) else {
            throw .noScreenDescriptor(bytes)
        }
        if let damage = scan.damage, damage != .noTrailer { throw damage.error }
        guard !scan.images.isEmpty else {
            throw MediaError(.malformed, "The GIF holds no image.")
        }
        return scan
    }

    /// The number in the loop extension, nil for no extension.
    private static func number(_ loop: LoopCount) throws(MediaError) -> Int? {
        switch try loop.number(upTo: mostPlays, in: MediaType.gif.title) {
        case 0: 0
        case 1: nil
        case let count: count - 1
        }
    }

    private static func edits(
        _ scan: GIFScan, number: Int?
    ) -> [(range: Range<Int>, bytes: [UInt8])] {
        guard let number else { return scan.loops.map { ($0.block, []) } }
        guard scan.loops.isEmpty else {
            return scan.loops.map { ($0.numberOffset..<($0.numberOffset + 2), word(number)) }
        }
        let block = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1] + word(number) + [0]
        return [(scan.bodyOffset..<scan.bodyOffset, block)]
    }

    private static func edits(
        _ scan: GIFScan, _ change: TimingChange.Delays
    ) throws(MediaError) -> [(range: Range<Int>, bytes: [UInt8])] {
        var delays = try ErrorDiffusedDelays(change, step: 10_000, least: 2)
        var edits: [(range: Range<Int>, bytes: [UInt8])] = []
        for image in scan.images {
            let new = delays.next(MediaTime(ticks: Int64(image.delay), base: Rational(1, 100)))
            guard new <= UInt16.max else {
                throw MediaError(.notWritable, "A GIF shows a frame for 655.35 s at most.")
            }
            if let offset = image.delayOffset {
                edits.append((offset..<(offset + 2), word(Int(new))))
            } else if new != 0 {
                let control = [0x21, 0xF9, 4, 0] + word(Int(new)) + [0, 0]
                edits.append((image.descriptorOffset..<image.descriptorOffset, control))
            }
        }
        return edits
    }

    private static func word(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
}
