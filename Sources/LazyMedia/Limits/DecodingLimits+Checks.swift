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

    /// The same limits with the memory that is left beside this many bytes.
    package func remaining(beside bytes: Int) throws(MediaError) -> DecodingLimits {
        try check(memory: bytes)
        var rest = self
        rest.memory = memory.map { $0 - bytes }
        return rest
    }

    /// Throws if more memory than the limit is needed at a time; call it before allocating.
    public func check(memory count: Int) throws(MediaError) {
        try check(count, most: memory, .memory) {
            "Reading this needs \(count) bytes of memory at a time, more than the limit of \($0) bytes."
        }
    }

    /// Throws if the canvases that a reader needs at a time exceed the limit of memory.
    package func check(canvases count: Int, of size: PixelSize) throws(MediaError) {
        try check(canvas: size)
        let (bytes, isTooMuch) = size.rgbaByteCount.multipliedReportingOverflow(by: count)
        try check(memory: isTooMuch ? .max : bytes)
    }

    /// The number of frames in advance of their consumer that fit into a quarter of the memory.
    func lookAhead(_ wanted: Int, of size: PixelSize) -> Int {
        guard let memory else { return wanted }
        return min(wanted, max(0, memory / 4 / size.rgbaByteCount - 1))
    }

    /// Throws if a table of this many frames, samples or other entries exceeds the limit of memory.
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

    /// The approximate bytes that a decoder, its library and our index keep per frame of a container.
    package static let bytesPerEntry = 100

    /// Throws if too many encoded bytes are held in memory.
    public func check(inputBytes count: Int) throws(MediaError) {
        try check(count, most: inputBytes, .inputBytes) {
            "The input of \(count) bytes is larger than the limit of \($0) bytes."
        }
    }

    /// Throws if more frames than the limit are decoded or written.
    public func check(frames count: Int) throws(MediaError) {
        try check(count, most: frames, .frames) {
            "A sequence of \(count) frames is longer than the limit of \($0) frames."
        }
    }

    /// Throws if resampling to a frame rate makes more frames than the limit, or than a million where there
    /// is none.
    ///
    /// How long a frame is shown, and so how often it is repeated, is a number in a header.
    package func check(resampledFrames count: Int) throws(MediaError) {
        try check(count, most: frames ?? Self.maxResampledFrames, .frames) {
            "At this frame rate there are \(count) frames, more than the limit of \($0) frames."
        }
    }

    /// The most frames that a new rate makes where the profile has no limit of frames.
    package static let maxResampledFrames = 1_000_000

    /// Throws if a container has too many tracks.
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

    /// Throws if work exceeded its time limit.
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

    /// The error of a reader that exceeded its time limit.
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
    /// Seconds, rounded down and clamped; `components` traps beyond `Int64`.
    fileprivate var wholeSeconds: Int64 {
        self < .seconds(1 << 40) ? (self > .zero ? components.seconds : 0) : 1 << 40
    }
}
