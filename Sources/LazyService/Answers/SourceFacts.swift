internal import LazyBase
internal import LazyMedia

/// What must be known of a source before it is decided what is made of it.
struct SourceFacts: Hashable, Sendable {
    /// The name of its type.
    let typeName: String
    let size: PixelSize
    let hasAlpha: Bool
    /// Whether it is shown rotated.
    let isTurned: Bool
    /// The number of its frames; nil where that is not known.
    let frameCount: Int?
    /// The length of one play in seconds.
    let duration: Double?
    /// Its bytes.
    let byteCount: Int?

    /// Reads the facts that a rendition writes; nil for other text.
    init?(json: [UInt8]) {
        guard case .object(let members)? = JSONValue(reading: json) else { return nil }
        func member(_ name: String) -> JSONValue? { members.first { $0.0 == name }?.1 }
        func integer(_ name: String) -> Int? {
            switch member(name) {
            case .integer(let number): Int(exactly: number)
            case .number(let number): Int(exactly: number)
            default: nil
            }
        }
        guard case .string(let type)? = member("type") else { return nil }
        typeName = type
        size = PixelSize(
            width: max(1, integer("width") ?? 1), height: max(1, integer("height") ?? 1))
        if case .bool(true)? = member("hasAlpha") { hasAlpha = true } else { hasAlpha = false }
        isTurned = integer("rotation") ?? 0 != 0
        frameCount = integer("frameCount")
        duration = integer("durationUs").map { Double($0) / 1_000_000 }
        byteCount = integer("byteCount")
        var hasStream = false
        if case .array(let streams)? = member("streams") { hasStream = !streams.isEmpty }
        isFilm = hasStream && !Self.pictures.contains(type)
    }

    /// The format; nil where no path can name it.
    var format: ServiceFormat? { ServiceFormat(typeName: typeName) }

    /// Whether pictures move.
    var moves: Bool { isFilm || (frameCount ?? 1) > 1 }

    /// Whether it is a film, of which a picture is shown unless more is asked for.
    let isFilm: Bool

    /// The types of pictures, whose files may have streams as well.
    private static let pictures = Set(
        [
            MediaType.gif, .apng, .webpAnimation, .avifSequence, .jpegXLAnimation, .heicSequence,
            .png, .jpeg, .webp, .bmp, .tiff, .avif, .heic, .ico, .jpeg2000, .jpegXL, .qoi, .pnm,
        ].map(\.name))
}
