internal import CPNG
internal import LazyMedia

/// The chunks before the pixels that say what samples mean, in the specification's order of
/// precedence: `cICP`, `iCCP`, `sRGB`, `gAMA` with `cHRM` (PNG specification, 3rd ed., 11.3.2).
struct PNGColorChunks {
    private var codes: (primaries: UInt8, transfer: UInt8)?
    private var profile: ICCProfile?
    private var isSRGB = false
    private var gamma: UInt32 = 0
    private var chromaticities: Chromaticities?
    private var mastering: MasteringDisplay?
    private var light: ContentLight?
    private var hasPixels = false
    /// The transformation of `eXIf`.
    private(set) var orientation = Orientation.upright

    /// The largest profile that is inflated.
    private static let maxProfileBytes = 4 << 20

    /// Takes a chunk; those after the first pixels do not count.
    mutating func take(_ chunk: PNGChunks.Chunk, _ bytes: UnsafeRawBufferPointer) {
        guard !hasPixels else { return }
        let data = UnsafeRawBufferPointer(rebasing: bytes[chunk.data])
        switch chunk.name {
        case PNGChunks.name("IDAT"): hasPixels = true
        // A matrix or a narrow range is not for RGB; unspecified code points say nothing.
        case PNGChunks.name("cICP") where data.count >= 4 && data[2] == 0 && data[3] == 1:
            if data[0] != 2, data[1] != 2 { codes = (data[0], data[1]) }
        case PNGChunks.name("iCCP"): profile = profile ?? Self.profile(data)
        case PNGChunks.name("sRGB"): isSRGB = true
        case PNGChunks.name("gAMA") where data.count >= 4: gamma = data.bigEndian(at: 0)
        case PNGChunks.name("cHRM") where data.count >= 32:
            chromaticities = Self.chromaticities(data)
        case PNGChunks.name("mDCV") where data.count >= 24:
            mastering = MasteringDisplay(
                chromaticities: Self.displayChromaticities(data),
                maximumLuminance: Double(data.bigEndian(at: 16)) / 10_000,
                minimumLuminance: Double(data.bigEndian(at: 20)) / 10_000)
        case PNGChunks.name("cLLI") where data.count >= 8:
            light = ContentLight(
                maximum: Int(data.bigEndian(at: 0) / 10_000),
                maximumAverage: Int(data.bigEndian(at: 4) / 10_000))
        case PNGChunks.name("eXIf"): orientation = Self.orientation(data)
        default: break
        }
    }

    /// What they say together.
    var color: ColorDescription {
        var color = ColorDescription(
            matrix: .identity, isFullRange: true, masteringDisplay: mastering, contentLight: light)
        if let codes {
            color.primaries = ColorPrimaries(rawValue: codes.primaries)
            color.transfer = TransferCharacteristics(rawValue: codes.transfer)
        } else {
            color.profile = profile
            if isSRGB {
                color.primaries = .bt709
                color.transfer = .sRGB
            } else if gamma > 0 {
                if chromaticities != nil || !GammaRule.isSRGB(gamma) {
                    color.gamma = 100_000 / Double(gamma)
                }
                color.chromaticities = chromaticities
            }
        }
        return color
    }

    /// A name of 1 to 79 bytes, a zero, the method 0, and a zlib stream.
    private static func profile(_ data: UnsafeRawBufferPointer) -> ICCProfile? {
        guard let end = data.prefix(80).firstIndex(of: 0), end + 2 < data.count,
            data[end + 1] == 0
        else { return nil }
        let stream = UnsafeRawBufferPointer(rebasing: data[(end + 2)...])
        guard let start = stream.bindMemory(to: UInt8.self).baseAddress else { return nil }
        // The header of a profile says how long it is.
        var head = [UInt8](repeating: 0, count: 4)
        _ = cpng_inflate(start, stream.count, &head, head.count)
        let size = head.reduce(0) { $0 << 8 | Int($1) }
        guard size >= 132, size <= maxProfileBytes else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        guard cpng_inflate(start, stream.count, &bytes, size) == size else { return nil }
        return ICCProfile(bytes)
    }

    private static func chromaticities(_ data: UnsafeRawBufferPointer) -> Chromaticities {
        func point(_ index: Int) -> SIMD2<Double> {
            SIMD2(
                Double(data.bigEndian(at: index * 8)), Double(data.bigEndian(at: index * 8 + 4)))
                / 100_000
        }
        return Chromaticities(red: point(1), green: point(2), blue: point(3), white: point(0))
    }

    /// Red, green, blue and white in steps of 0.00002; nil where they are 0, which says nothing.
    private static func displayChromaticities(
        _ data: UnsafeRawBufferPointer
    ) -> Chromaticities? {
        func point(_ index: Int) -> SIMD2<Double> {
            let word = data.bigEndian(at: index * 4)
            return SIMD2(Double(word >> 16), Double(word & 0xFFFF)) / 50_000
        }
        guard point(3).y > 0 else { return nil }
        return Chromaticities(red: point(0), green: point(1), blue: point(2), white: point(3))
    }

    private static func orientation(_ data: UnsafeRawBufferPointer) -> Orientation {
        let segment = Array("Exif\0\0".utf8) + data
        return segment.withUnsafeBytes { bytes in
            Orientation(exif: EXIF(segment: bytes)?.orientation ?? 1)
        }
    }
}
