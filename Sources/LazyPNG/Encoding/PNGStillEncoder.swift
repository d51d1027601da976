public import LazyMedia

/// Writes single pictures as PNG, in the role of an encoder; see `PNGEncoder`.
public struct PNGStillEncoder: MediaEncoding {
    private let level: PNGEncoder.Level

    /// Makes an encoder.
    public init(level: PNGEncoder.Level = .fast) { self.level = level }

    /// The format's name.
    public var name: String { "png" }

    /// PNG.
    public var type: MediaType { .png }

    /// Never; `APNGEncoder` can.
    public var canAnimate: Bool { false }

    /// Encodes the one frame; throws `.notWritable` for none and for more.
    public func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        let iterator = frames.makeAsyncIterator()
        guard let frame = try await iterator.next() else {
            throw MediaError(.notWritable, "A PNG holds one picture, and there is none.")
        }
        guard try await iterator.next() == nil else {
            throw MediaError(.notWritable, "A PNG holds one picture, and there are more.")
        }
        try PNGEncoder(level: level).encode(frame.bitmap) { (bytes) throws(MediaError) in
            try write(Array(bytes))
        }
    }
}
