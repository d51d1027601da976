package import LazyMedia

/// Writes sequences as GIF, with optimized palettes, changed rectangles only and exact delays.
///
/// Frames of at most 256 colors, alone or all together, keep their colors exactly, so an unscaled
/// GIF comes back as it was. Others get the best palette for the clip, or for each scene where that
/// is visibly better. Pixels are transparent where the source is more than half transparent. Frames
/// wait, in a few megabytes of memory and a unnamed temporary file, until the palette for them is
/// known; then they are mapped and compressed on all cores.
package struct GIFEncoder: MediaEncoding {
    private let settings: GIFSettings
    private var written: WrittenFrames?

    /// Makes an encoder; `colors`, `dither`, `palettes`, `quality` and `background` apply, and
    /// `threads` of 0 means one a core.
    package init(_ options: EncodingOptions = EncodingOptions(), threads: Int = 0) {
        settings = GIFSettings(options, threads: threads)
    }

    package let name = "gif"

    /// Encodes frames of one size, whose sides are at most 65 535 pixels.
    ///
    /// Throws `.notWritable` where there are none, and for larger or different sizes.
    package func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        let iterator = frames.makeAsyncIterator()
        guard let first = try await iterator.next() else {
            throw MediaError(.notWritable, "A GIF has at least one frame.")
        }
        let writer = try GIFWriter(first.bitmap.size, loop, settings, write)
        try await writer.append(first)
        while let frame = try await iterator.next() { try await writer.append(frame) }
        let count = try await writer.finish()
        written?.tell(count)
    }

    /// The same encoder, which also tells the number of images in the file.
    package func counting(_ written: WrittenFrames) -> any MediaEncoding {
        var encoder = self
        encoder.written = written
        return encoder
    }
}
