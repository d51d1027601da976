package import LazyMedia

/// Writes silent MP4: H.264 by x264, or AV1 where the options ask for it.
///
/// 8-bit 4:2:0, the tables before the frames ("faststart"), closed groups of pictures of two
/// seconds at most. Odd sizes grow by one column or row, a copy of the last one. Each frame keeps
/// its exact duration, the last one too, as long as all of them fit a clock of a million ticks a
/// second; the first is shown at 0. RGBA becomes BT.709 of limited range; planes (`Frame.planes`)
/// stay as they are, and the file says which matrix theirs is; those of full range or BT.2020
/// become the former. Transparency is laid over `EncodingOptions.background`, or white.
///
/// `quality` 75 is x264's crf 24, and `effort` 3 and 4 about its preset veryfast; `EncoderChoice`
/// has the whole table. Lossless is refused, because browsers do not play it. A loop number cannot be
/// written. Memory: what x264 holds, and twelve bytes or so a frame.
package struct MP4Encoder: MediaEncoding {
    private let options: EncodingOptions

    /// Makes an encoder; throws `.notWritable` for options that MP4 cannot carry.
    package init(_ options: EncodingOptions = .init()) throws(MediaError) {
        try ClipFile.mp4.check(options)
        self.options = options
    }

    /// The name for reports.
    package var name: String { options.codec == .av1 ? "mp4-av1" : "mp4-h264" }
    /// MP4.
    package var type: MediaType { .mp4 }
    /// More than one frame.
    package var canAnimate: Bool { true }
    /// Planes go in as they are.
    package var prefersPlanes: Bool { true }

    /// Encodes frames as they come; the file goes out when the last one has been encoded.
    package func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        try await ClipFile.mp4.encode(frames, hasAlpha: false, options, to: write)
    }
}

/// Makes encoders of MP4.
package struct MP4Maker: EncoderMaking {
    /// Makes a maker; FFmpeg is not loaded before the first frame.
    package init() {}

    /// MP4.
    package var type: MediaType { .mp4 }

    /// Makes an encoder; throws `.notWritable` for options that MP4 cannot carry.
    package func makeEncoder(_ options: EncodingOptions) throws(MediaError) -> any MediaEncoding {
        try MP4Encoder(options)
    }
}
