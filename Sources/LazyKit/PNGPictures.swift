internal import LazyCodecs
package import LazyMedia

/// Encodes pictures as PNG, one after the other, in memory that is used again; for one thread at a time.
///
/// What is above this module writes PNG through it, and so depends on no format.
package final class PNGPictures {
    private let encoder: PNGEncoder

    /// Makes an encoder; `isSmall` spends more time on a smaller file.
    ///
    /// Throws `.environment` when there is no memory.
    package init(isSmall: Bool) throws(MediaError) {
        encoder = try PNGEncoder(level: isSmall ? .small : .fast)
    }

    /// Makes an encoder of an effort of 0 to 10, which never makes a larger file for more of it.
    package init(effort: Int) throws(MediaError) {
        encoder = try PNGEncoder(level: PNGEncoder.Level(effort: effort))
    }

    /// Encodes a picture and lends the whole file; the pointer is valid only inside the closure.
    ///
    /// `color` is what the samples mean, which the file says; a text's key has 1 to 79 ASCII characters.
    /// Throws what the closure throws, and `.environment` when there is no memory.
    package func encode<Result>(
        _ bitmap: Bitmap, color: ColorDescription = .sRGB,
        texts: [(key: String, value: String)] = [],
        _ use: (UnsafeRawBufferPointer) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        let texts = texts.map { PNGEncoder.Text(key: $0.key, value: $0.value) }
        return try encoder.encode(bitmap, color: color, text: texts, use)
    }

    /// The same for a picture of 16 bits a sample.
    package func encode<Result>(
        deep bitmap: DeepBitmap, color: ColorDescription,
        _ use: (UnsafeRawBufferPointer) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        try encoder.encode(deep: bitmap, color: color, use)
    }
}
