internal import LazyBase
internal import LazyMedia

/// The numbers of frames and bytes of an encoding.
struct EncodingCounts: Sendable {
    /// Frames in the file; where the encoder does not tell them, those that were read.
    var frameCount: Int
    /// How long they are shown.
    var duration: Duration
    /// The warnings of the readers.
    var warnings: [MediaWarning]
    /// Bytes written.
    var byteCount: Int
}

/// A bound of bytes.
struct ByteBound: Hashable, Sendable {
    /// What it is called in errors.
    let name: String
    let byteCount: Int

    /// Throws `.limitExceeded` for more bytes.
    func check(_ count: Int) throws(MediaError) {
        guard count > byteCount else { return }
        throw MediaError(
            .limitExceeded, "More bytes came than the \(byteCount) that are wanted.",
            excess: .init(limit: name, allowed: Int64(byteCount), actual: Int64(count)))
    }
}

extension FrameSequence {
    /// Encodes the frames and counts; `progress` is called with the share of `expected` frames read.
    ///
    /// Throws `.limitExceeded` with the excess of a limit once more bytes than these were written.
    func encodeCounting(
        with encoder: any MediaEncoding, loop: LoopCount, threads: Int = 0, expected: Int = 1,
        limit: ByteBound? = nil,
        progress: @escaping @Sendable (Double) -> Void = { _ in },
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) -> EncodingCounts {
        let total = Double(max(1, expected))
        let watch = CountedMedia.Watch { progress(min(1, Double($0) / total)) }
        let bytes = Locked(0)
        let written = WrittenFrames()
        try await wrapped { CountedMedia(base: $0, watch: watch) }
            .encode(with: encoder.counting(written), loop: loop, threads: threads) {
                (piece: [UInt8]) throws(MediaError) in
                let count = bytes.withLock { count in
                    count += piece.count
                    return count
                }
                try limit?.check(count)
                try write(piece)
            }
        return EncodingCounts(
            frameCount: written.count ?? watch.frameCount, duration: watch.duration,
            warnings: watch.warnings,
            byteCount: bytes.withLock { $0 })
    }
}
