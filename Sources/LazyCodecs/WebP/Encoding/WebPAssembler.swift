internal import LazyMedia

/// Writes coded frames to a file in order, though they may be finished out of order.
///
/// Frames wait in a few megabytes of memory or an unnamed temporary file until their number is
/// known. A frame's duration is known only when the next one begins.
final class WebPAssembler {
    /// A frame that is not spooled yet.
    private struct Waiting {
        let rect: PixelRect
        let blends: Bool
        var clears = false
        var data: [UInt8]?
        var duration: Int?
    }

    private let size: PixelSize
    private var spool = Spool()
    private var waiting: [Waiting] = []
    /// The number of the first waiting frame.
    private var written = 0
    /// Frames in the file so far, with the pieces of those that are too long for one.
    private(set) var frameCount = 0
    private var hasAlpha = false
    /// The first frame's data, which is a still if no other frame comes.
    private var first: [UInt8]?

    init(_ size: PixelSize) { self.size = size }

    /// Begins a frame, and returns its number.
    func begin(_ rect: PixelRect, blends: Bool) -> Int {
        waiting.append(Waiting(rect: rect, blends: blends))
        return written + waiting.count - 1
    }

    /// Sets the previous frame's duration in milliseconds, and whether it is cleared on disposal.
    func close(_ duration: Int, clears: Bool = false) throws(MediaError) {
        guard !waiting.isEmpty else { return }
        guard duration <= WebPFrameHeader.longestDuration * WebPTimeline.maxPieces else {
            throw MediaError(.notWritable, "A WebP cannot show a frame for more than half a year.")
        }
        waiting[waiting.count - 1].clears = clears
        waiting[waiting.count - 1].duration = duration
        try flush()
    }

    /// Adds the chunks of a frame.
    func take(_ number: Int, _ data: [UInt8]) throws(MediaError) {
        if number == 0 { first = data }
        waiting[number - written].data = data
        try flush()
    }

    private func flush() throws(MediaError) {
        while let next = waiting.first, let data = next.data, let duration = next.duration {
            let pieces = WebPTimeline.pieces(duration)
            let header = WebPFrameHeader(
                rect: next.rect, duration: pieces[0], blends: next.blends,
                clears: next.clears && pieces.count == 1)
            try append(header, data)
            for (index, piece) in pieces.enumerated().dropFirst() {
                // The frame is prolonged by a transparent pixel, or by itself where it is cleared.
                let isLast = next.clears && index == pieces.count - 1
                var again = isLast ? header : Self.nothingHeader
                again.duration = piece
                again.clears = isLast
                try append(again, isLast ? data : Self.nothing)
            }
            waiting.removeFirst()
            written += 1
            if written > 1 { first = nil }
        }
    }

    private func append(_ header: WebPFrameHeader, _ data: [UInt8]) throws(MediaError) {
        frameCount += 1
        hasAlpha = hasAlpha || Self.hasAlpha(data)
        var bytes = [UInt8](header: .frame, count: WebPFrameHeader.count + data.count)
        bytes += header.bytes
        bytes += data
        try bytes.withBytes { (bytes) throws(MediaError) in try spool.append(bytes) }
        guard spool.count < Int(UInt32.max) - 1024 else {
            throw MediaError(.notWritable, "A WebP has at most 4 GB.")
        }
    }

    /// Writes the whole file; all frames must have been added.
    ///
    /// An animation of equal frames stays one, as it has a duration. Of plays, as many are written as fit.
    func finish(
        _ loop: LoopCount, isMoving: Bool, _ write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        if written == 1, !isMoving, let first {
            frameCount = 1
            try write(Self.still(first, size))
            return
        }
        var canvas = WebPExtended(width: size.width, height: size.height)
        canvas.isAnimated = true
        canvas.hasAlpha = hasAlpha
        let plays = loop.plays.map { min(max(1, $0), WebPRewriter.mostPlays) } ?? 0
        let head = canvas.chunk + WebPAnimation(plays: plays).chunk
        try write(Self.fileHeader(head.count + spool.count) + head)
        try spool.readAll(write)
    }

    /// A file of one picture.
    static func still(
        _ data: [UInt8], _ size: PixelSize, _ profile: ICCProfile? = nil
    ) -> [UInt8] {
        let hasAlphaChunk = RIFFName(data.little32(0)) == .alpha
        guard hasAlphaChunk || profile != nil else { return fileHeader(data.count) + data }
        var canvas = WebPExtended(width: size.width, height: size.height)
        canvas.hasAlpha = hasAlpha(data)
        canvas.hasProfile = profile != nil
        var head = canvas.chunk
        if let profile {
            head += [UInt8](header: .profile, count: profile.bytes.count) + profile.bytes
            // Chunks begin at even places.
            if profile.bytes.count % 2 == 1 { head.append(0) }
        }
        return fileHeader(head.count + data.count) + head + data
    }

    private static func fileHeader(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](header: .riff, count: count + 4)
        bytes.appendLittle(Int(RIFFName.webp.number), bytes: 4)
        return bytes
    }

    private static func hasAlpha(_ data: [UInt8]) -> Bool {
        let name = RIFFName(data.little32(0))
        return name == .alpha
            || WebPBitstream(name, Array(data.dropFirst(RIFFChunk.headerLength).prefix(10)))?
                .hasAlpha ?? false
    }

    private static let nothingHeader = WebPFrameHeader(
        rect: PixelRect(x: 0, y: 0, width: 1, height: 1), duration: 0, blends: true)

    /// One transparent pixel, lossless.
    private static let nothing: [UInt8] = [
        0x56, 0x50, 0x38, 0x4C, 0x0D, 0x00, 0x00, 0x00, 0x2F, 0x00, 0x00, 0x00, 0x10, 0x07, 0x10,
        0x11, 0x11, 0x88, 0x88, 0xFE, 0x07, 0x00,
    ]
}
