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
        try OpenedPNG(bytes is FileBytes ? bytes : bytes.contiguous(within: limits), limits: limits)
    }
}

/// A PNG whose header has been read.
struct OpenedPNG: RowReading {
    private(set) var info: MediaInfo
    /// In memory, or a file that is read with its pixels.
    let bytes: any ByteSource
    let header: PNGHeader

    init(
        _ bytes: any ByteSource, type: MediaType = .png, loop: LoopCount = .still,
        warnings: [MediaWarning] = [], limits: DecodingLimits
    ) throws(MediaError) {
        let header = try PNGHeader.reading(bytes, limits: limits)
        self.bytes = bytes
        self.header = header
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
        try limits.remaining(beside: heldBytes).check(canvas: header.size)
    }

    /// The bytes of the file that are in memory.
    var heldBytes: Int { bytes is MemoryBytes ? bytes.count : 0 }

    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        FrameIndex([.still])
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        PNGReader(self, options)
    }

    func makeRowReader(_ options: ReaderOptions) -> (any RowReader)? {
        let keepsDepth = options.keepsDepth && header.bitDepth == 16
        return header.orientation == .upright && !header.isInterlaced && !keepsDepth
            ? PNGReader(self, options) : nil
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
