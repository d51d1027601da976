package import LazyMedia

/// Encodes silent WebM: VP9 by libvpx, or AV1 by libaom or SVT-AV1 where the options request it.
///
/// As `MP4Encoder`, but times are whole milliseconds, whose rounding errors do not accumulate, and VP9
/// keeps transparency: alpha is a second picture beside each frame, as Chromium and Firefox show it.
/// AV1 has none; there it is composited over `EncodingOptions.background`, or white. `lossless` writes
/// VP9 of the RGB values (profile 1), for opaque frames.
package struct WebMEncoder: MediaEncoding {
    private let options: EncodingOptions

    /// Makes an encoder; throws `.notWritable` for options that WebM cannot store.
    package init(_ options: EncodingOptions = .init()) throws(MediaError) {
        try ClipFile.webm.check(options)
        self.options = options
    }

    /// The name for reports.
    package var name: String { options.codec == .av1 ? "webm-av1" : "webm-vp9" }
    /// WebM.
    package var type: MediaType { .webm }
    /// True.
    package var canAnimate: Bool { true }
    /// Whether planes are encoded without conversion: unless RGB is encoded.
    package var prefersPlanes: Bool { options.lossless != true }
    /// True: libvpx uses some 85 bytes per pixel.
    package var isMemoryIntensive: Bool { true }

    /// Encodes frames as they come; writes the file after the last one.
    package func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        try await ClipFile.webm.encode(frames, hasAlpha: info.hasAlpha, options, to: write)
    }
}
