package import LazyMedia

/// Reads TIFF pictures with libtiff; each page is a frame.
///
/// Declines where the library is missing.
package struct TIFFDecoder: MediaDecoding {
    /// Makes the decoder.
    package init() {}

    /// The library's name.
    package var name: String { "libtiff" }

    /// Whether the bytes are a TIFF.
    package func canOpen(_ type: MediaType) -> Bool { type == .tiff }

    package var loadsLibrary: Bool { true }

    /// Throws where libtiff is missing.
    package func requireSupport(of type: MediaType) throws(MediaError) { try TIFFLibrary.load() }

    /// Reads the directories of all pages; no pixel is decoded.
    ///
    /// Throws `.truncated`, `.malformed`, `.limitExceeded`, `.unsupported` and what reading bytes
    /// throws.
    package func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        try OpenedTIFF(bytes, limits: limits)
    }
}
