internal import CScanline
package import LazyMedia

/// Writes sequences as animated PNG: exact pixels, exact delays, and only what changes.
///
/// A file of at most 256 colors gets a palette or shades of gray in as few bits as do, others RGB,
/// with alpha where they have it. Frames are written as the rectangle that differs from what the
/// canvas shows, with what stays left out where that is smaller; frames that show the same are one.
/// A sequence of one frame becomes a plain PNG. Memory is bounded: frames wait, in some megabytes
/// of memory or a nameless temporary file, until the colors of all and their number are known.
package struct APNGEncoder: MediaEncoding {
    private let effort: Int
    private let threads: Int
    private let keepsFrames: Bool

    /// Makes an encoder.
    ///
    /// An effort of 2 or less is quick and tries nothing; 3 to 6 try ways to draw a frame and take
    /// the smaller one; 7 to 10 try more and compress longer. `threads` are 0 for one a core. Frames
    /// that show the same as the one before make that one last longer, unless each is to be kept.
    package init(effort: Int = 5, threads: Int = 0, keepsFrames: Bool = false) {
        self.effort = effort
        self.threads = threads
        self.keepsFrames = keepsFrames
    }

    /// The format's name.
    package var name: String { "apng" }

    /// Animated PNG.
    package var type: MediaType { .apng }

    /// Always.
    package var canAnimate: Bool { true }

    /// Encodes frames of one size; throws `.notWritable` for none and for another size on the way.
    ///
    /// Where a late frame has what none before had, such as alpha, the frames are pulled again.
    package func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        try await BlockingPool.shared.working { () async throws(MediaError) in
            var attempt = APNGWriter.Attempt.first(expectsAlpha: info.hasAlpha)
            while let next = try await encode(frames, attempt, loop, write) {
                attempt = .again(next)
            }
        }
    }

    /// Writes the file, or returns in which mode that is to be done again.
    private func encode(
        _ frames: Frames, _ attempt: APNGWriter.Attempt, _ loop: LoopCount,
        _ write: ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) -> APNGMode.TrueColor? {
        let iterator = frames.makeAsyncIterator()
        guard let first = try await iterator.next() else {
            throw MediaError(.notWritable, "An animated PNG has at least one frame.")
        }
        let writer = try APNGWriter(
            first.bitmap.size, APNGEffort(effort), threads: threads, attempt,
            keepsFrames: keepsFrames)
        if let next = try await writer.append(first) { return next }
        while let frame = try await iterator.next() {
            if let next = try await writer.append(frame) { return next }
        }
        return try await writer.finish(loop, write)
    }
}
