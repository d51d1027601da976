internal import CScanline
public import LazyMedia

/// Writes sequences as animated PNG: exact pixels, exact delays, and only what changes.
///
/// A sequence of one frame becomes a plain PNG. Frames are compressed as they come and wait, in a
/// few megabytes of memory or a nameless temporary file, until it is known how many there are.
public struct APNGEncoder: MediaEncoding {
    private let level: PNGEncoder.Level

    /// Makes an encoder.
    public init(level: PNGEncoder.Level = .fast) { self.level = level }

    /// The format's name.
    public var name: String { "apng" }

    /// Animated PNG.
    public var type: MediaType { .apng }

    /// Always.
    public var canAnimate: Bool { true }

    /// Encodes frames of one size; throws `.unsupported` for none and for another size on the way.
    public func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        try await BlockingPool.shared.working { () async throws(MediaError) in
            if try await encode(frames, hasAlpha: info.hasAlpha, loop, write) { return }
            // A header that denies transparency may be wrong: once more, with alpha.
            _ = try await encode(frames, hasAlpha: true, loop, write)
        }
    }

    /// Returns whether all was written; false where there is alpha that was not expected.
    private func encode(
        _ frames: Frames, hasAlpha: Bool, _ loop: LoopCount,
        _ write: ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) -> Bool {
        let iterator = frames.makeAsyncIterator()
        guard let first = try await iterator.next() else {
            throw MediaError(.unsupported, "An animated PNG has at least one frame.")
        }
        let channels = hasAlpha || !first.bitmap.isOpaque ? 4 : 3
        let writer = try APNGWriter(first.bitmap.size, channels: channels, level)
        guard try writer.append(first) else { return false }
        while let frame = try await iterator.next() {
            guard try writer.append(frame) else { return false }
        }
        try writer.finish(loop, write)
        return true
    }
}

/// The chunks of one animated PNG (PNG specification, third edition, 11.3.6).
private final class APNGWriter {
    private let size: PixelSize
    private let channels: Int
    private let scanlines: ScanlineWriter
    private var file = PNGFileBytes()
    private var spool = Spool()
    private var previous: Bitmap?
    private var frameCount: UInt32 = 0
    private var sequence: UInt32 = 0
    /// Bytes of the first control chunk, which a still goes without.
    private var firstControl = 0

    init(
        _ size: PixelSize, channels: Int, _ level: PNGEncoder.Level
    ) throws(MediaError) {
        self.size = size
        self.channels = channels
        scanlines = try ScanlineWriter(level: level)
    }

    /// Writes a frame; false where it has alpha and the file has none.
    func append(_ frame: Frame) throws(MediaError) -> Bool {
        let bitmap = frame.bitmap
        guard bitmap.size == size else {
            throw MediaError(
                .unsupported,
                "An animated PNG of \(size) has no room for a frame of \(bitmap.size).")
        }
        let rect = previous.map { APNGRect(from: $0, to: bitmap) } ?? APNGRect(size)
        previous = bitmap
        file.removeAll()
        try file.appendControl(
            sequence: sequence, rect, delay: APNGDelay(frame.timing.duration))
        if frameCount == 0 { firstControl = file.bytes.count }
        sequence += 1
        let isWritten = try bitmap.withBytes { (bytes) throws(MediaError) in
            guard let rgba = bytes.bindMemory(to: UInt8.self).baseAddress else { return true }
            return try writePixels(
                cscanline_rows(
                    rgba: rgba + rect.y * bitmap.stride + rect.x * 4, width: rect.width,
                    stride: bitmap.stride, first_row: 0, row_count: rect.height),
                isOpaque: bitmap.isOpaque)
        }
        guard isWritten else { return false }
        try file.bytes.withBytes { (bytes) throws(MediaError) in try spool.append(bytes) }
        frameCount += 1
        return true
    }

    private func writePixels(_ rows: cscanline_rows, isOpaque: Bool) throws(MediaError) -> Bool {
        guard channels == 4 || isOpaque || cscanline_is_opaque(rows) != 0 else { return false }
        if frameCount == 0 {
            try scanlines.write(rows, channels: channels, as: .still, to: &file)
        } else {
            try scanlines.write(
                rows, channels: channels, as: .frame(sequence: sequence), to: &file)
            sequence += 1
        }
        return true
    }

    /// Writes the whole file: what stands before the frames, the frames, and the end.
    func finish(
        _ loop: LoopCount, _ write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        try file.begin(size: size, depth: 8, colour: channels == 4 ? .rgba : .rgb)
        if frameCount > 1 {
            let plays = loop.plays.map { UInt32(clamping: max(1, min($0, Int(Int32.max)))) } ?? 0
            try file.appendAnimation(frames: frameCount, plays: plays)
        }
        try write(file.bytes.withBytes { (bytes) throws(MediaError) in Array(bytes) })
        var skipped = frameCount > 1 ? 0 : firstControl
        try spool.readAll { (piece) throws(MediaError) in
            let rest = piece.dropFirst(skipped)
            skipped = max(0, skipped - piece.count)
            try write(Array(rest))
        }
        file.removeAll()
        try file.end()
        try write(file.bytes.withBytes { (bytes) throws(MediaError) in Array(bytes) })
    }
}
