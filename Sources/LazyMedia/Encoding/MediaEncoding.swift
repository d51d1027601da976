/// Writes frames as bytes of one format; the role that each format module's encoder plays.
public protocol MediaEncoding: Sendable {
    /// A short name for reports, such as `apng`.
    var name: String { get }
    /// What it writes.
    var type: MediaType { get }
    /// Whether it can write more than one frame.
    var canAnimate: Bool { get }
    /// Whether it makes better or faster use of `Frame.planes` than of RGBA.
    ///
    /// Who calls `encode` then asks for frames with planes (`FrameSequence.frames(planes:)`).
    var prefersPlanes: Bool { get }

    /// Encodes frames as they come; the bytes go out piece by piece, memory stays bounded.
    ///
    /// Pulls the next frame when there is room for it. Blocks between pulls: run it on a
    /// `BlockingPool`. Ends soon when its task is cancelled. Throws what `frames` throws,
    /// `.unsupported` for what the format cannot carry, and what `write` throws.
    func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError)
}

extension MediaEncoding {
    /// RGBA will do.
    public var prefersPlanes: Bool { false }
}
