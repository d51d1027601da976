internal import LazyMedia

/// One item of a HEIF file: a coded picture, a recipe that derives one from others, or metadata.
struct HEIFItem: Sendable {
    /// A stretch of its data.
    struct Extent: Sendable {
        let offset: UInt64
        /// The number of bytes; 0 is everything to the end.
        let length: UInt64
    }

    /// Where extents count from.
    enum Place: Sendable {
        case file
        /// The box `idat`.
        case itemData
        case other
    }

    /// The four-character type, such as `hvc1` or `grid`.
    var kind: UInt32 = 0
    var isProtected = false
    /// Whether it is metadata in XMP.
    var isXMP = false
    var place = Place.file
    var extents: [Extent] = []
    /// Its properties in order: numbers into the list of all, from 1.
    var properties: [Int] = []
    /// Whether a property says that its samples are the alpha of another picture.
    var isAlpha = false

    /// The type as text.
    var name: String {
        String(decoding: kind.bigEndianBytes.filter { (0x20..<0x7F).contains($0) }, as: UTF8.self)
    }
}
