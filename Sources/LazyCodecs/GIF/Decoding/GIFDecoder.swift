package import LazyMedia

/// Opens GIFs with giflib.
package struct GIFDecoder: MediaDecoding {
    /// Makes a decoder.
    package init() {}

    package let name = "giflib"

    /// Whether a type is GIF.
    package func canOpen(_ type: MediaType) -> Bool { type == .gif }

    /// Scans the structure of a GIF, reading all of it once through a window.
    ///
    /// Throws `.truncated` or `.malformed` where there is no image at all.
    package func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        try OpenedGIF(bytes, limits: limits)
    }
}
