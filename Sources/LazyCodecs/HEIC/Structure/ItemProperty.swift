internal import LazyMedia

/// A property of an item (ISO/IEC 23008-12, 6.5), as far as it matters for showing pictures.
enum ItemProperty: Sendable {
    case size(width: Int, height: Int)
    /// The content of `hvcC`, `avcC` or `av1C`.
    case configuration(kind: UInt32, [UInt8])
    case codePoints(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool)
    case profile(ICCProfile)
    /// Bits of each channel.
    case depths([Int])
    case transformation(Transformation)
    /// The name of what an auxiliary picture is.
    case auxiliary(String)
    /// MaxCLL and MaxFALL in cd/m².
    case contentLight(maximum: Int, average: Int)
    /// The light of the mastering display in 1/10000 cd/m².
    case mastering(maximum: Int, minimum: Int)
    case other

    /// Reads a property; one that is too short is `other`, as if it were unknown.
    init(_ bytes: [UInt8], _ box: ISOBox) {
        var fields = BoxFields(bytes, box.content)
        self = (try? Self.read(box.kind, &fields)) ?? .other
    }

    /// Whether it says that samples are the alpha of another picture.
    var isAlpha: Bool {
        guard case .auxiliary(let name) = self else { return false }
        return Self.alphaNames.contains(name)
    }

    private static let alphaNames: Set = [
        "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
        "urn:mpeg:avc:2015:auxid:1",
    ]

    private static func read(
        _ kind: UInt32, _ fields: inout BoxFields
    ) throws(MediaError) -> ItemProperty {
        switch kind {
        case ISOBox.kind("ispe"):
            _ = try fields.version()
            return .size(width: try fields.int(4), height: try fields.int(4))
        case ISOBox.kind("hvcC"), ISOBox.kind("avcC"), ISOBox.kind("av1C"):
            return .configuration(kind: kind, try fields.slice(fields.count))
        case ISOBox.kind("colr"): return try color(&fields)
        case ISOBox.kind("pixi"):
            _ = try fields.version()
            var depths: [Int] = []
            for _ in 0..<(try fields.int(1)) { depths.append(try fields.int(1)) }
            return .depths(depths)
        case ISOBox.kind("irot"):
            return .transformation(.rotation(quarterTurns: try fields.int(1) & 3))
        case ISOBox.kind("imir"):
            return .transformation(.mirror(isVertical: try fields.int(1) & 1 == 0))
        case ISOBox.kind("clap"):
            var numbers: [Int] = []
            for _ in 0..<8 { numbers.append(try fields.signed32()) }
            return .transformation(.cleanAperture(CleanAperture(numbers)))
        case ISOBox.kind("auxC"):
            _ = try fields.version()
            return .auxiliary(fields.text())
        case ISOBox.kind("clli"):
            return .contentLight(maximum: try fields.int(2), average: try fields.int(2))
        case ISOBox.kind("mdcv"):
            try fields.skip(16)
            return .mastering(maximum: try fields.int(4), minimum: try fields.int(4))
        default: return .other
        }
    }

    private static func color(_ fields: inout BoxFields) throws(MediaError) -> ItemProperty {
        switch UInt32(try fields.int(4)) {
        case ISOBox.kind("nclx"):
            return .codePoints(
                primaries: try fields.int(2), transfer: try fields.int(2),
                matrix: try fields.int(2), isFullRange: try fields.int(1) >> 7 == 1)
        case ISOBox.kind("prof"), ISOBox.kind("rICC"):
            return ICCProfile(try fields.slice(fields.count)).map { .profile($0) } ?? .other
        default: return .other
        }
    }
}

/// A change of a decoded picture before it is shown, in the order of the item's properties.
enum Transformation: Sendable {
    /// Counterclockwise (6.5.10).
    case rotation(quarterTurns: Int)
    /// Upper and lower halves change places where it is vertical, else left and right (6.5.12).
    case mirror(isVertical: Bool)
    /// A crop (ISO/IEC 14496-12, 12.1.4).
    case cleanAperture(CleanAperture)
}
