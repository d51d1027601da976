public import LazyMedia

/// Opens GIFs with giflib.
public struct GIFDecoder: MediaDecoding {
    /// Makes a decoder.
    public init() {}

    /// `giflib`.
    public var name: String { "giflib" }

    /// Whether a type is GIF.
    public func canOpen(_ type: MediaType) -> Bool { type == .gif }

    /// Scans the structure of a GIF; reads all of it once, a stretch at a time.
    ///
    /// Throws `.truncated` or `.malformed` where there is no image at all.
    public func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        try OpenedGIF(bytes, limits: limits)
    }
}
