internal import LazyLoading
public import LazyMedia

extension Bitmap {
    /// The picture as a file of a type, by the encoders of this build; see `encoded(as:_:by:)`.
    public func encoded(
        as type: MediaType, _ options: EncodingOptions = .init()
    ) async throws(MediaError) -> [UInt8] {
        try await encoded(as: type, options, by: .standard)
    }

    /// The picture as a PNG file: exact, as a palette where there are few colors.
    ///
    /// The same bytes as `encoded(as: .png)`, for threads that may block. Throws `.environment` when
    /// there is no memory.
    public func pngData() throws(MediaError) -> [UInt8] {
        let options = EncodingOptions().filled(for: size, as: .png)
        return try EncoderRegistry.standard.stillEncoder(for: .png, options)
            .encode(StillPicture(self)) { (bytes) throws(MediaError) in Array(bytes) }
    }

    /// The picture as a `data:` address of a PNG, to be put into a page or a record of JSON.
    ///
    /// Blocks. Throws as `pngData()` does.
    public func dataURL() throws(MediaError) -> String {
        DataURL(mediaType: MediaType.png.mimeType, bytes: try pngData()).text
    }
}
