internal import LazyEditing
internal import LazyMedia

/// Settings for cutting and encoding a thumbnail.
struct ThumbnailSettings: Hashable, Sendable {
    var edit: ClipEdit
    var encoding: EncodingOptions
    /// Whether nothing may reduce the size.
    var keepsSize = false
}

/// The result of encoding a thumbnail.
struct EncodedThumbnail: Sendable {
    var settings: ThumbnailSettings
    var size: PixelSize
    var timings: [FrameTiming]
    var loop: LoopCount
    var counts: EncodingCounts
    /// How often the whole was encoded.
    var encodes = 1
    /// The warning about what a budget reduced.
    var reduction: MediaWarning?
}

/// Encodes thumbnails of one source and type with different settings.
struct ThumbnailEncoding: Sendable {
    let source: FrameSequence
    let target: EncoderFactory
    /// The loop count that is written.
    let loop: LoopCount
    /// The number of threads, 0 for one per core.
    let threads: Int

    /// Encodes the whole.
    func encode(
        _ settings: ThumbnailSettings,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void,
        progress: @escaping @Sendable (Double) -> Void
    ) async throws(MediaError) -> EncodedThumbnail {
        let edited = try await source.edited(settings.edit)
        let timings = try await edited.frameIndex().timings
        let counts = try await encode(
            edited, settings.encoding, expected: timings.count, to: write, progress: progress)
        progress(1)
        return EncodedThumbnail(
            settings: settings, size: edited.info.size, timings: timings, loop: loop,
            counts: counts)
    }

    /// Encodes a sequence that is edited already.
    func encode(
        _ edited: FrameSequence, _ options: EncodingOptions, expected: Int = 1,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(MediaError) -> EncodingCounts {
        try await edited.encodeCounting(
            with: target.makeEncoder(options, threads: threads), loop: loop, threads: threads,
            expected: expected, progress: progress, to: write)
    }
}
