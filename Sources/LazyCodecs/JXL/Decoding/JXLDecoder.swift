package import LazyMedia

/// Reads JPEG XL pictures and animations with libjxl.
///
/// Declines where the library is missing.
package struct JXLDecoder: MediaDecoding {
    /// Makes the decoder.
    package init() {}

    /// The library's name.
    package var name: String { "libjxl" }

    /// Whether the bytes are a JPEG XL, of one picture or of many.
    package func canOpen(_ type: MediaType) -> Bool {
        type == .jpegXL || type == .jpegXLAnimation
    }

    package var loadsLibrary: Bool { true }

    /// Throws where libjxl is missing.
    package func requireSupport(of type: MediaType) throws(MediaError) {
        _ = try JXLLibrary.load()
    }

    /// Reads the headers of the picture and of all frames; no pixel is decoded.
    ///
    /// Throws `.truncated`, `.malformed`, `.limitExceeded`, `.unsupported` and what reading bytes
    /// throws.
    package func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        try OpenedJXL(bytes, limits: limits)
    }
}
