internal import LazyCodecs
internal import LazyLoading
public import LazyMedia

extension Bitmap {
    /// The picture as a PNG file: exact, as a palette where there are few colors.
    ///
    /// Blocks. Throws `.environment` when there is no memory.
    public func pngData() throws(MediaError) -> [UInt8] {
        let encoder = try PNGEncoder(level: size.pixelCount <= 400_000 ? .small : .fast)
        return try encoder.encode(self) { (bytes) throws(MediaError) in Array(bytes) }
    }

    /// The picture as a JPEG file of a quality from 1 to 100, without alpha.
    ///
    /// Blocks. Throws `.notWritable` for what is too large, and `.environment`.
    public func jpegData(quality: Int = Int(DefaultQuality.jpeg)) throws(MediaError) -> [UInt8] {
        try JPEGEncoder(quality: quality).encode(self)
    }
}

extension Bitmap {
    /// The picture as a `data:` address of a PNG, to be put into a page or a record of JSON.
    ///
    /// Blocks. Throws as `pngData()` does.
    public func dataURL() throws(MediaError) -> String {
        DataURL(mediaType: MediaType.png.mimeType, bytes: try pngData()).text
    }
}
