public import LazyMedia
public import LazyPipeline
public import LazyRenditions

extension AnimatedThumbnail {
    /// Makes the usual thumbnail, so wide; it is never enlarged and keeps its shape.
    public init(width: Int, type: MediaType = .webpAnimation, maxBytes: Int? = nil) {
        self.init(type: type, maxBytes: maxBytes)
        edit.size = TargetSize(width: width, fit: .scaleDown)
        keepsFlatArt = false
    }

    /// The thumbnail of a sequence as bytes, by the encoders of this build.
    ///
    /// Memory stays bounded whatever the length, and cancelling the task ends the work soon. Throws
    /// what decoding and the encoder throw, and `.limitExceeded` where nothing fits the budget.
    public func data(
        of sequence: FrameSequence, progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(MediaError) -> (bytes: [UInt8], report: Report) {
        try await data(of: sequence, encoders: .standard, progress: progress)
    }
}

extension Conversion {
    /// Converts a sequence by the encoders of this build; see `run(_:encoders:threads:sourceByteCount:progress:to:)`.
    public func run(
        _ sequence: FrameSequence, progress: @escaping @Sendable (Double) -> Void = { _ in },
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) -> ConversionReport {
        try await run(sequence, encoders: .standard, progress: progress, to: write)
    }
}

extension SpriteSheet {
    /// Makes the pages by the encoders of this build; see `run(_:encoders:threads:progress:to:)`.
    public func run(
        _ sequence: FrameSequence, progress: @escaping @Sendable (Double) -> Void = { _ in },
        to write: @escaping @Sendable (_ page: Int, _ bytes: [UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) -> Report {
        try await run(sequence, encoders: .standard, progress: progress, to: write)
    }
}

extension FrameSequence {
    /// The sequence as a file of a type, with all frames, their times and the loop.
    ///
    /// What is asked for nowhere is chosen by the content. Throws what decoding and the encoder throw,
    /// and `.isAnimation` where an animation would become a still.
    public func encoded(
        as type: MediaType, options: EncodingOptions = .init()
    ) async throws(MediaError) -> [UInt8] {
        try await Conversion(to: type, options: options)
            .data(of: self, encoders: .standard).bytes
    }
}

extension ImageProcessing where Self == ImageProcessors.Clip {
    /// Cuts a clip to an animated thumbnail so wide: 3 seconds of the best pieces.
    public static func animatedThumbnail(width: Int) -> Self {
        animatedThumbnail(AnimatedThumbnail(width: width))
    }
}
