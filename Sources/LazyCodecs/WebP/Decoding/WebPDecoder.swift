package import LazyMedia

/// Reads WebP, animated and still, with libwebp; the container is parsed here.
///
/// Pixels are those of Chromium without color management, which ignores the background color and
/// the EXIF orientation of a WebP. No more than one frame's bytes are in memory.
package struct WebPDecoder: MediaDecoding {
    /// Makes the decoder.
    package init() {}

    package let name = "libwebp"

    /// Whether the bytes are a WebP, of one picture or more.
    package func canOpen(_ type: MediaType) -> Bool { type == .webp || type == .webpAnimation }

    /// Reads the headers of chunks and frames.
    ///
    /// Throws `.truncated` or `.malformed` where no frame is complete, `.limitExceeded`, and what
    /// reading bytes throws.
    package func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        try OpenedWebP(bytes, limits: limits)
    }
}
