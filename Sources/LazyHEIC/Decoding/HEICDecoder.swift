package import LazyMedia

/// Reads HEIC and HEIF stills.
///
/// Throws `.unsupported` for a file without pictures as items, so that another decoder is tried.
package struct HEICDecoder: MediaDecoding {
    private let pictures: any CodedPictureDecoding

    /// Makes a decoder that has pictures decoded elsewhere.
    package init(_ pictures: any CodedPictureDecoding) { self.pictures = pictures }

    /// The name for reports.
    package var name: String { "heif" }

    /// Whether the bytes are a still; sequences are video to FFmpeg.
    package func canOpen(_ type: MediaType) -> Bool { type == .heic }

    package var loadsLibrary: Bool { true }

    /// Throws where the library behind has no decoder for HEVC.
    package func requireSupport(of type: MediaType) throws(MediaError) {
        try pictures.require(.hevc)
    }

    /// Reads the items; no picture is decoded.
    package func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        try OpenedHEIC(bytes, type: type, limits: limits, pictures)
    }
}
