package import LazyMedia

/// Writes sequences as animated PNG with exact pixels, exact delays and changed rectangles only.
///
/// A file of at most 256 colors gets a palette or shades of gray in the lowest sufficient bit
/// depth, others RGB, with alpha where needed. Frames are written as the rectangle that differs
/// from the canvas, with unchanged pixels transparent where that is smaller; equal frames are
/// merged. A sequence of one frame becomes a plain PNG. Memory is bounded: frames wait in a few
/// megabytes of memory or an unnamed temporary file until all colors and the number of frames are
/// known.
package struct APNGEncoder: MediaEncoding {
    private let effort: Int
    private let threads: Int
    private let keepsFrames: Bool
    private var written: WrittenFrames?

    /// Makes an encoder.
    ///
    /// An effort of 2 or less is quick and tries no alternatives; 3 to 6 try several ways to draw a
    /// frame and take the smallest; 7 to 10 try more and compress longer. `threads` of 0 means one
    /// a core. Equal frames are merged into one that lasts longer, unless `keepsFrames` is set.
    package init(effort: Int = 5, threads: Int = 0, keepsFrames: Bool = false) {
        self.effort = effort
        self.threads = threads
        self.keepsFrames = keepsFrames
    }

    package let name = "apng"

    /// Encodes frames of one size; throws `.notWritable` where there are none or sizes differ.
    ///
    /// Where a late frame needs another color type, such as one with alpha, the frames are pulled
    /// again.
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

    /// Writes the file, or returns the mode in which to encode again.
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
        let next = try await writer.finish(loop, write)
        if next == nil { written?.tell(writer.frameCount) }
        return next
    }

    /// The same encoder, which also tells the number of frames in the file.
    package func counting(_ written: WrittenFrames) -> any MediaEncoding {
        var encoder = self
        encoder.written = written
        return encoder
    }
}
