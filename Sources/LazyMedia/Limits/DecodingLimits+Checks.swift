extension DecodingLimits {
    /// Throws if a canvas is too large; call it before memory for the canvas is asked for.
    public func check(canvas size: PixelSize) throws(MediaError) {
        try checkPixels(size)
        try check(memory: size.rgbaByteCount)
    }

    /// Throws if a picture has too many pixels, whatever memory it takes.
    package func checkPixels(_ size: PixelSize) throws(MediaError) {
        try check(size.pixelCount, most: pixelsPerFrame, .pixelsPerFrame) {
            "A frame of \(size) pixels is more than the limit of \($0) pixels per frame."
        }
    }

    /// The same limits with what memory is left beside so many bytes.
    package func remaining(beside bytes: Int) throws(MediaError) -> DecodingLimits {
        try check(memory: bytes)
        var rest = self
        rest.memory = memory.map { $0 - bytes }
        return rest
    }

    /// Throws if more memory is needed at a time; call it before that is asked for.
    public func check(memory count: Int) throws(MediaError) {
        try check(count, most: memory, .memory) {
            "Reading this needs \(count) bytes of memory at a time, more than the limit of \($0) bytes."
        }
    }

    /// Throws if so many canvases of one size, which a reader needs at a time, take too much memory.
    package func check(canvases count: Int, of size: PixelSize) throws(MediaError) {
        try check(canvas: size)
        let (bytes, isTooMuch) = size.rgbaByteCount.multipliedReportingOverflow(by: count)
        try check(memory: isTooMuch ? .max : bytes)
    }

    /// As many frames ahead of their consumer as go into a quarter of the memory.
    func lookAhead(_ wanted: Int, of size: PixelSize) -> Int {
        guard let memory else { return wanted }
        return min(wanted, max(0, memory / 4 / size.rgbaByteCount - 1))
    }

    /// Throws if a table of so many frames, samples or other entries takes too much memory.
    public func check(entries count: Int) throws(MediaError) {
        let (bytes, isTooMany) = count.multipliedReportingOverflow(by: Self.bytesPerEntry)
        guard let memory, isTooMany || bytes > memory else { return }
        throw MediaError(
            .limitExceeded,
            "A table of \(count) entries takes more memory than the limit of \(memory) bytes.",
            excess: .init(
                limit: Kind.memory.rawValue, allowed: Int64(memory),
                actual: isTooMany ? .max : Int64(bytes)))
    }

    /// About what a decoder, its library and our own index keep of each frame of a container.
    package static let bytesPerEntry = 100

    /// Throws if encoded bytes that are held are too many.
    public func check(inputBytes count: Int) throws(MediaError) {
        try check(count, most: inputBytes, .inputBytes) {
            "The input of \(count) bytes is larger than the limit of \($0) bytes."
        }
    }

    /// Throws if bytes are too many; those that are read where they are needed never are.
    public func check(input bytes: any ByteSource) throws(MediaError) {
        if bytes is FileBytes || bytes.isRemote { return }
        try check(inputBytes: bytes.count)
    }

    /// Throws if more frames are to be decoded or written.
    public func check(frames count: Int) throws(MediaError) {
        try check(count, most: frames, .frames) {
            "A sequence of \(count) frames is longer than the limit of \($0) frames."
        }
    }

    /// Throws if a container has more tracks.
    public func check(tracks count: Int) throws(MediaError) {
        try check(count, most: tracks, .tracks) {
            "A file of \(count) tracks is over the limit of \($0) tracks."
        }
    }

    package func check(
        _ actual: Int, most allowed: Int?, _ kind: Kind, _ sentence: (Int) -> String
    ) throws(MediaError) {
        guard let allowed, actual > allowed else { return }
        throw MediaError(
            .limitExceeded, sentence(allowed),
            excess: .init(
                limit: kind.rawValue, allowed: Int64(allowed), actual: Int64(actual)))
    }

    /// Throws if work took longer than its limit.
    package func check(
        time spent: Duration, most allowed: Duration?, _ kind: Kind, _ work: String
    ) throws(MediaError) {
        guard let allowed, spent > allowed else { return }
        throw MediaError(
            .limitExceeded, "\(work) took longer than the limit of \(allowed.wholeSeconds) s.",
            excess: .init(
                limit: kind.rawValue, allowed: allowed.wholeSeconds,
                actual: max(spent.wholeSeconds, allowed.wholeSeconds + 1)))
    }

    /// The error of a reader that has spent its time.
    package var exceededDecodeTime: MediaError {
        do throws(MediaError) {
            let over = (decodeTime ?? .zero) + .nanoseconds(1)
            try check(time: over, most: decodeTime ?? .zero, .decodeTime, "Decoding")
            return .cancelled
        } catch {
            return error
        }
    }

    /// A clock for one opening, which starts now.
    package var opening: OpeningTime { OpeningTime(self) }
}

extension Duration {
    /// Seconds, rounded down, of a time that a limit may have; `components` traps beyond `Int64`.
    fileprivate var wholeSeconds: Int64 {
        self < .seconds(1 << 40) ? (self > .zero ? components.seconds : 0) : 1 << 40
    }
}

/// The time that one opening has taken so far, against its limit.
package struct OpeningTime: Sendable {
    private let limits: DecodingLimits
    private let start = ContinuousClock.now
    private var waited = Duration.zero

    init(_ limits: DecodingLimits) { self.limits = limits }

    /// Whether the time is over.
    package var isOver: Bool { limits.openTime.map { spent > $0 } ?? false }

    /// Throws if the time is over.
    package func check() throws(MediaError) {
        try limits.check(time: spent, most: limits.openTime, .openTime, "Opening")
    }

    /// Takes out time that was spent waiting for somebody else.
    package mutating func didWait(_ time: Duration) { waited += time }

    private var spent: Duration { ContinuousClock.now - start - waited }
}

/// What one reader has left of its `DecodingLimits`; each decoder spends from it.
public struct DecodingBudget: Sendable {
    private let limits: DecodingLimits
    private var frames = 0
    private var pixels = 0
    private var spent = Duration.zero

    /// Makes a full budget.
    public init(_ limits: DecodingLimits) { self.limits = limits }

    /// Spends one frame of a size; call it before the frame is decoded.
    public mutating func spend(frame size: PixelSize) throws(MediaError) {
        frames += 1
        let (sum, isTooMany) = pixels.addingReportingOverflow(size.pixelCount)
        pixels = isTooMany ? .max : sum
        try limits.check(canvas: size)
        try limits.check(frames: frames)
        try limits.check(pixels, most: limits.totalPixels, .totalPixels) {
            "Decoding \(pixels) pixels in all is more than the limit of \($0) pixels."
        }
    }

    /// Spends decoding time, measured by the reader around its own work.
    public mutating func spend(time: Duration) throws(MediaError) {
        spent += time
        try limits.check(time: spent, most: limits.decodeTime, .decodeTime, "Decoding")
    }
}
