package import LazyMedia

/// Reads JPEG pictures with libjpeg-turbo, as sequences of one frame.
///
/// Baseline and progressive, grayscale, color and CMYK or YCCK, rotated by their EXIF tag. Frames
/// of less than half the size are scaled during decoding.
package struct JPEGDecoder: MediaDecoding {
    /// Makes the decoder.
    package init() {}

    package let name = "libjpeg-turbo"

    /// Whether the bytes are a JPEG.
    package func canOpen(_ type: MediaType) -> Bool { type == .jpeg }

    /// Reads the header.
    ///
    /// Declines lossless pictures and those of 12 bits; throws `.truncated`, `.malformed`,
    /// `.limitExceeded`, and what reading bytes throws.
    package func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        try OpenedJPEG(bytes, limits: limits)
    }
}
