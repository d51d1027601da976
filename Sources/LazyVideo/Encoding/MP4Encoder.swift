package import LazyMedia

/// Encodes silent MP4: H.264 by x264, or AV1 where the options request it.
///
/// 8-bit 4:2:0, the tables before the frames ("faststart"), closed groups of pictures of at most two
/// seconds. Odd sizes grow by one column or row, a copy of the last one. Each frame keeps its exact
/// duration, including the last one, if all fit a clock of a million ticks per second; the first is
/// shown at 0. RGBA becomes BT.709 of limited range; planes (`Frame.planes`) are kept, and the file
/// names their matrix; those of full range or BT.2020 become BT.709 of limited range. Transparency is
/// composited over `EncodingOptions.background`, or white.
///
/// `quality` 75 is x264's crf 24, and `effort` 3 and 4 are near its preset veryfast; `EncoderChoice`
/// has the whole table. Lossless is rejected, because browsers do not play it. MP4 stores no loop
/// count. Memory: that of x264, and some twelve bytes per frame.
package struct MP4Encoder: MediaEncoding {
    private let options: EncodingOptions

    /// Makes an encoder; throws `.notWritable` for options that MP4 cannot store.
    package init(_ options: EncodingOptions = .init()) throws(MediaError) {
        try ClipFile.mp4.check(options)
        self.options = options
    }

    /// The name for reports.
    package var name: String { options.codec == .av1 ? "mp4-av1" : "mp4-h264" }
    /// MP4.
    package var type: MediaType { .mp4 }
    /// True.
    package var canAnimate: Bool { true }
    /// True: planes are encoded without conversion.
    package var prefersPlanes: Bool { true }

    /// Encodes frames as they come; writes the file after the last one.
    package func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        try await ClipFile.mp4.encode(frames, hasAlpha: false, options, to: write)
    }
}
