internal import LazyJPEG
internal import LazyPNG

extension Bitmap {
    /// The picture as a PNG file: exact, as a palette where there are few colours. Blocks.
    ///
    /// Throws `.environment` when there is no memory.
    public func pngData() throws(MediaError) -> [UInt8] {
        let encoder = try PNGEncoder(level: size.pixelCount <= 400_000 ? .small : .fast)
        return try encoder.encode(self) { (bytes) throws(MediaError) in Array(bytes) }
    }
}
