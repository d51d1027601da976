package import LazyMedia

/// Reads WebP, animated and still, with libwebp; the container is walked by ourselves.
///
/// Pixels are those of Chromium, which takes no notice of the background in the file, of the EXIF
/// orientation of a WebP, or of a color profile when it is told not to. A file may be read in
/// pieces: no more than one frame's bytes are in memory.
package struct WebPDecoder: MediaDecoding {
    /// Makes the decoder.
    package init() {}

    /// The library's name.
    package var name: String { "libwebp" }

    /// Whether the bytes are a WebP, of one picture or more.
    package func canOpen(_ type: MediaType) -> Bool { type == .webp || type == .webpAnimation }

    /// Walks the chunks; reads the headers of all frames and nothing else.
    ///
    /// Throws `.truncated` or `.malformed` where no frame is whole, `.limitExceeded`, and what
    /// reading bytes throws.
    package func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        try OpenedWebP(bytes, limits: limits)
    }
}
