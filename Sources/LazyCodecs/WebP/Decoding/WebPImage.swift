internal import LazyMedia

/// One coded picture in a file: a frame of an animation, or the whole of a still.
struct WebPImage: Hashable, Sendable {
    /// Its rectangle, duration, blending and disposal.
    let header: WebPFrameHeader
    /// The range of its chunks, from the header of the alpha plane, if any.
    let content: Range<Int>
    /// Whether any pixel may be transparent.
    let hasAlpha: Bool
    let isLossless: Bool
    /// Whether all its bytes are in the file.
    let isWhole: Bool

    /// Whether nothing of the canvas shows through.
    var isReplacing: Bool { !header.blends || !hasAlpha }

    /// Whether it covers the whole canvas.
    func covers(_ size: PixelSize) -> Bool {
        header.rect == PixelRect(size)
    }
}

extension WebPImage {
    /// Reads the chunks of one picture in a range; nil where there is none.
    ///
    /// `header` is a frame's own; a still picture has the size that its bytes tell. `ignoresAlpha` leaves
    /// out the alpha plane of a lossy picture.
    init?(
        _ bytes: any ByteSource, in range: Range<Int>, header: WebPFrameHeader?,
        ignoresAlpha: Bool
    ) throws(MediaError) {
        var chunks = RIFFChunks(bytes, in: range)
        var alpha: RIFFChunk?
        while let chunk = try chunks.next() {
            if chunk.name == .alpha, !ignoresAlpha { alpha = alpha ?? chunk }
            guard chunk.name == .lossy || chunk.name == .lossless else { continue }
            guard
                let head = try bytes.exactly(
                    min(chunk.content.count, WebPBitstream.headCount), at: chunk.content.lowerBound),
                let stream = WebPBitstream(chunk.name, head)
            else { return nil }
            let rect = PixelRect(x: 0, y: 0, width: stream.width, height: stream.height)
            self.header = header ?? WebPFrameHeader(rect: rect, duration: 0, blends: false)
            guard self.header.rect.width == rect.width, self.header.rect.height == rect.height
            else { return nil }
            // A lossless picture includes its alpha.
            let start = stream.isLossless ? chunk.offset : alpha?.offset ?? chunk.offset
            content = start..<chunk.content.upperBound
            hasAlpha = stream.isLossless ? stream.hasAlpha : alpha != nil
            isLossless = stream.isLossless
            isWhole = chunk.isWhole
            return
        }
        return nil
    }
}
