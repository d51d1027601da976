/// What the samples of a picture mean: code points of ITU-T H.273, or an ICC profile.
///
/// It is what the file says, with `.unspecified` and nil where it says nothing. A profile takes
/// precedence over primaries and transfer, which then describe nothing. Pixels come out as sRGB
/// unless `ReaderOptions.color` asks for the values of the file.
public struct ColorDescription: Hashable, Sendable {
    /// The chromaticities of the primaries.
    public var primaries: ColorPrimaries
    /// The relation of samples to light.
    public var transfer: TransferCharacteristics
    /// The matrix between RGB and YUV.
    public var matrix: MatrixCoefficients
    /// Whether samples use the full range of their bits, or nil where the file does not say.
    public var isFullRange: Bool?
    /// The exponent from sample to light, as of PNG's `gAMA` (1 / its value); in place of `transfer`.
    public var gamma: Double?
    /// Primaries that no code point names, as of PNG's `cHRM`; in place of `primaries`.
    public var chromaticities: Chromaticities?
    /// The ICC profile.
    public var profile: ICCProfile?
    /// The display on which the picture was mastered.
    public var masteringDisplay: MasteringDisplay?
    /// The brightest light of the content.
    public var contentLight: ContentLight?

    /// Makes a description; without arguments, one of a file that says nothing.
    public init(
        primaries: ColorPrimaries = .unspecified,
        transfer: TransferCharacteristics = .unspecified,
        matrix: MatrixCoefficients = .unspecified, isFullRange: Bool? = nil, gamma: Double? = nil,
        chromaticities: Chromaticities? = nil, profile: ICCProfile? = nil,
        masteringDisplay: MasteringDisplay? = nil, contentLight: ContentLight? = nil
    ) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
        self.gamma = gamma
        self.chromaticities = chromaticities
        self.profile = profile
        self.masteringDisplay = masteringDisplay
        self.contentLight = contentLight
    }

    /// sRGB (IEC 61966-2-1): BT.709's primaries, its own curve, full range.
    public static let sRGB = ColorDescription(
        primaries: .bt709, transfer: .sRGB, matrix: .identity, isFullRange: true)

    /// Whether the picture needs tone mapping on an SDR display: PQ or HLG, unless a profile says what it is.
    public var isHDR: Bool { profile == nil && (transfer == .pq || transfer == .hlg) }

    /// The kind of HDR in the field's terms, or nil for SDR: `HDR10` is PQ with mastering data.
    package var hdrFormat: String? {
        guard isHDR else { return nil }
        if transfer == .hlg { return "HLG" }
        return masteringDisplay != nil || contentLight != nil ? "HDR10" : "PQ"
    }

    /// The brightest light of the content in cd/m²: MaxCLL, else the mastering display's maximum, else 1000.
    public var peakLuminance: Double {
        if let light = contentLight?.maximum, light > 0 { return Double(light) }
        if let light = masteringDisplay?.maximumLuminance, light > 0 { return light }
        return 1000
    }
}

/// The CIE 1931 chromaticities of primaries and white.
public struct Chromaticities: Hashable, Sendable {
    /// x and y of red.
    public var red: SIMD2<Double>
    /// x and y of green.
    public var green: SIMD2<Double>
    /// x and y of blue.
    public var blue: SIMD2<Double>
    /// x and y of white.
    public var white: SIMD2<Double>

    /// Makes chromaticities.
    public init(
        red: SIMD2<Double>, green: SIMD2<Double>, blue: SIMD2<Double>, white: SIMD2<Double>
    ) {
        (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
    }
}

/// The display on which a picture was mastered (SMPTE ST 2086).
public struct MasteringDisplay: Hashable, Sendable {
    /// Its primaries and white, where they are known.
    public var chromaticities: Chromaticities?
    /// Its brightest light in cd/m².
    public var maximumLuminance: Double
    /// Its darkest light in cd/m².
    public var minimumLuminance: Double

    /// Makes a description of a display.
    public init(
        chromaticities: Chromaticities? = nil, maximumLuminance: Double,
        minimumLuminance: Double = 0
    ) {
        self.chromaticities = chromaticities
        self.maximumLuminance = maximumLuminance
        self.minimumLuminance = minimumLuminance
    }
}

/// How bright the content is (CTA-861.3).
public struct ContentLight: Hashable, Sendable {
    /// The brightest pixel in cd/m² (MaxCLL); 0 where it is unknown.
    public var maximum: Int
    /// The brightest average of a frame in cd/m² (MaxFALL); 0 where it is unknown.
    public var maximumAverage: Int

    /// Makes a description.
    public init(maximum: Int, maximumAverage: Int = 0) {
        self.maximum = maximum
        self.maximumAverage = maximumAverage
    }
}
