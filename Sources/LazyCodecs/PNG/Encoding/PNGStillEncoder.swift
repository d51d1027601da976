package import LazyMedia

/// Writes single pictures as PNG; see `PNGEncoder`.
package struct PNGStillEncoder: MediaEncoding {
    private let level: PNGEncoder.Level

    /// Makes an encoder.
    package init(level: PNGEncoder.Level = .fast) { self.level = level }

    package let name = "png"

    /// Never; `APNGEncoder` can.
    package var canAnimate: Bool { false }

    /// Encodes the one frame; throws `.notWritable` for none and for more.
    package func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        let frame = try await frames.single(for: "PNG")
        try PNGEncoder(level: level).encode(frame.bitmap, color: frame.color) {
            (bytes) throws(MediaError) in
            try write(Array(bytes))
        }
    }
}
