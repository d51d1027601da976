package import LazyMedia

/// Reads PNG pictures with libpng, as sequences of one frame.
package struct PNGDecoder: MediaDecoding {
    /// Makes the decoder.
    package init() {}

    package let name = "libpng"

    /// Whether the bytes are a PNG of one picture.
    package func canOpen(_ type: MediaType) -> Bool { type == .png }

    /// Reads the header, and checks whether the chunks end early.
    ///
    /// Throws `.truncated`, `.malformed`, `.limitExceeded` and what reading bytes throws.
    package func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        try OpenedPNG(bytes.contiguous(within: limits), limits: limits)
    }
}

/// A PNG whose header has been read.
struct OpenedPNG: OpenedMedia {
    private(set) var info: MediaInfo
    let bytes: MemoryBytes
    let header: PNGHeader

    init(
        _ bytes: MemoryBytes, type: MediaType = .png, loop: LoopCount = .still,
        warnings: [MediaWarning] = [], limits: DecodingLimits
    ) throws(MediaError) {
        let header = try bytes.withBytes { (memory) throws(MediaError) in try PNGHeader(memory) }
        try limits.remaining(beside: bytes.count).check(canvas: header.size)
        info = MediaInfo(
            type: type, codec: type.name, size: header.orientation.turned(header.size),
            frameCount: 1, duration: .zero, loop: loop, hasAlpha: header.hasAlpha,
            rotation: header.orientation.quarterTurns * 90,
            isMirrored: header.orientation.isMirrored, isTruncated: header.isTruncated,
            warnings: warnings + (header.isTruncated ? [.pngEndsEarly] : []),
            streams: [
                StreamInfo(
                    index: 0, kind: .video, codec: type.name, codedSize: header.size,
                    isChosen: true)
            ])
        info.describe(header)
        self.bytes = bytes
        self.header = header
    }

    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        FrameIndex([.still])
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        PNGReader(self, options)
    }
}

extension MediaInfo {
    /// Takes over what the header says about samples.
    mutating func describe(_ header: PNGHeader) {
        color = header.color
        bitDepth = header.bitDepth
        pixelFormat = header.pixelFormat
        hdrFormat = header.color.hdrFormat
    }
}
