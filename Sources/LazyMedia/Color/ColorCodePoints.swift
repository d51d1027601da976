/// The chromaticities of red, green, blue and white, as a code point of ITU-T H.273, table 2.
public struct ColorPrimaries: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code point.
    public let rawValue: UInt8

    /// Makes primaries of a code point.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// BT.709 and sRGB.
    public static let bt709 = ColorPrimaries(rawValue: 1)
    /// Not specified.
    public static let unspecified = ColorPrimaries(rawValue: 2)
    /// BT.470 System M (NTSC of 1953).
    public static let bt470m = ColorPrimaries(rawValue: 4)
    /// BT.470 System B and G (PAL).
    public static let bt470bg = ColorPrimaries(rawValue: 5)
    /// BT.601 with 525 lines, SMPTE 170M.
    public static let bt601 = ColorPrimaries(rawValue: 6)
    /// SMPTE 240M.
    public static let smpte240m = ColorPrimaries(rawValue: 7)
    /// Generic film.
    public static let film = ColorPrimaries(rawValue: 8)
    /// BT.2020 and BT.2100.
    public static let bt2020 = ColorPrimaries(rawValue: 9)
    /// CIE 1931 XYZ, SMPTE 428.
    public static let xyz = ColorPrimaries(rawValue: 10)
    /// DCI-P3 with its greenish white, SMPTE RP 431-2.
    public static let dciP3 = ColorPrimaries(rawValue: 11)
    /// Display P3: those of DCI-P3 with the white of daylight, SMPTE EG 432-1.
    public static let displayP3 = ColorPrimaries(rawValue: 12)
    /// EBU Tech 3213.
    public static let ebu3213 = ColorPrimaries(rawValue: 22)

    /// The name that FFmpeg's tools print, such as `bt709`; unnamed code points are numbers.
    public var description: String { Self.names[rawValue] ?? String(rawValue) }

    private static let names: [UInt8: String] = [
        1: "bt709", 2: "unknown", 4: "bt470m", 5: "bt470bg", 6: "smpte170m", 7: "smpte240m",
        8: "film", 9: "bt2020", 10: "smpte428", 11: "smpte431", 12: "smpte432", 22: "ebu3213",
    ]
}

/// The relation of a sample to light, as a code point of ITU-T H.273, table 3.
public struct TransferCharacteristics: RawRepresentable, Hashable, Sendable,
    CustomStringConvertible
{
    /// The code point.
    public let rawValue: UInt8

    /// Makes a transfer of a code point.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// BT.709.
    public static let bt709 = TransferCharacteristics(rawValue: 1)
    /// Not specified.
    public static let unspecified = TransferCharacteristics(rawValue: 2)
    /// A power of 2.2.
    public static let gamma22 = TransferCharacteristics(rawValue: 4)
    /// A power of 2.8.
    public static let gamma28 = TransferCharacteristics(rawValue: 5)
    /// BT.601, SMPTE 170M.
    public static let bt601 = TransferCharacteristics(rawValue: 6)
    /// SMPTE 240M.
    public static let smpte240m = TransferCharacteristics(rawValue: 7)
    /// Proportional to light.
    public static let linear = TransferCharacteristics(rawValue: 8)
    /// IEC 61966-2-1: sRGB.
    public static let sRGB = TransferCharacteristics(rawValue: 13)
    /// BT.2020 of 10 bits.
    public static let bt2020 = TransferCharacteristics(rawValue: 14)
    /// SMPTE ST 2084, the perceptual quantizer of HDR10.
    public static let pq = TransferCharacteristics(rawValue: 16)
    /// SMPTE ST 428-1: a power of 2.6.
    public static let smpte428 = TransferCharacteristics(rawValue: 17)
    /// ARIB STD-B67, the hybrid log-gamma of broadcasters and phones.
    public static let hlg = TransferCharacteristics(rawValue: 18)

    /// The name that FFmpeg's tools print, such as `smpte2084`; unnamed code points are numbers.
    public var description: String { Self.names[rawValue] ?? String(rawValue) }

    private static let names: [UInt8: String] = [
        1: "bt709", 2: "unknown", 4: "bt470m", 5: "bt470bg", 6: "smpte170m", 7: "smpte240m",
        8: "linear", 9: "log100", 10: "log316", 11: "iec61966-2-4", 12: "bt1361e",
        13: "iec61966-2-1", 14: "bt2020-10", 15: "bt2020-12", 16: "smpte2084", 17: "smpte428",
        18: "arib-std-b67",
    ]
}

/// The matrix between RGB and YUV, as a code point of ITU-T H.273, table 4.
public struct MatrixCoefficients: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code point.
    public let rawValue: UInt8

    /// Makes a matrix of a code point.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// None: the samples are green, blue and red.
    public static let identity = MatrixCoefficients(rawValue: 0)
    /// BT.709.
    public static let bt709 = MatrixCoefficients(rawValue: 1)
    /// Not specified.
    public static let unspecified = MatrixCoefficients(rawValue: 2)
    /// FCC, title 47.
    public static let fcc = MatrixCoefficients(rawValue: 4)
    /// BT.601 of 625 lines; the same numbers as 6.
    public static let bt470bg = MatrixCoefficients(rawValue: 5)
    /// BT.601.
    public static let bt601 = MatrixCoefficients(rawValue: 6)
    /// SMPTE 240M.
    public static let smpte240m = MatrixCoefficients(rawValue: 7)
    /// YCgCo.
    public static let ycgco = MatrixCoefficients(rawValue: 8)
    /// BT.2020 with non-constant luminance.
    public static let bt2020 = MatrixCoefficients(rawValue: 9)

    /// The name that FFmpeg's tools print, such as `bt2020nc`; unnamed code points are numbers.
    public var description: String { Self.names[rawValue] ?? String(rawValue) }

    /// The weights of red and blue in luma, or nil where luma is no such sum.
    public var redAndBlue: (red: Double, blue: Double)? {
        switch rawValue {
        case 1: (0.2126, 0.0722)
        case 4: (0.30, 0.11)
        case 5, 6: (0.299, 0.114)
        case 7: (0.212, 0.087)
        case 9: (0.2627, 0.0593)
        default: nil
        }
    }

    private static let names: [UInt8: String] = [
        0: "gbr", 1: "bt709", 2: "unknown", 4: "fcc", 5: "bt470bg", 6: "smpte170m",
        7: "smpte240m", 8: "ycgco", 9: "bt2020nc", 10: "bt2020c", 11: "smpte2085",
        12: "chroma-derived-nc", 13: "chroma-derived-c", 14: "ictcp",
    ]
}
