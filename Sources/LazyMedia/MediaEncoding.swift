/// Writes frames as bytes of one format; the role that each format module's encoder plays.
public protocol MediaEncoding: Sendable {
    /// A short name for reports, such as `apng`.
    var name: String { get }
    /// What it writes.
    var type: MediaType { get }
    /// Whether it can write more than one frame.
    var canAnimate: Bool { get }

    /// Encodes frames as they come; the bytes go out piece by piece, memory stays bounded.
    ///
    /// Pulls the next frame when the one before is written. Blocks between pulls: run it on a
    /// `BlockingPool`. Throws what `frames` throws, `.unsupported` for what the format cannot
    /// carry, and what `write` throws.
    func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError)
}
