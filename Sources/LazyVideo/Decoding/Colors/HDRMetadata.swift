internal import CFFmpeg
internal import LazyMedia

/// The static metadata of HDR.
struct HDRMetadata {
    var masteringDisplay: MasteringDisplay?
    var contentLight: ContentLight?
}

extension MasteringDisplay {
    /// The container's description, or nil where it has no luminance.
    init?(_ data: AVMasteringDisplayMetadata) {
        guard data.has_luminance != 0 else { return nil }
        var chromaticities: Chromaticities?
        if data.has_primaries != 0 {
            let (red, green, blue) = data.display_primaries
            chromaticities = Chromaticities(
                red: Self.point(red), green: Self.point(green), blue: Self.point(blue),
                white: Self.point(data.white_point))
        }
        self.init(
            chromaticities: chromaticities, maximumLuminance: Self.value(data.max_luminance),
            minimumLuminance: Self.value(data.min_luminance))
    }

    private static func point(_ point: (AVRational, AVRational)) -> SIMD2<Double> {
        SIMD2(value(point.0), value(point.1))
    }

    private static func value(_ ratio: AVRational) -> Double {
        ratio.den == 0 ? 0 : max(0, Double(ratio.num) / Double(ratio.den))
    }
}

extension ContentLight {
    /// The container's description, or nil where it says nothing.
    init?(_ data: AVContentLightMetadata) {
        guard data.MaxCLL > 0 || data.MaxFALL > 0 else { return nil }
        self.init(maximum: Int(data.MaxCLL), maximumAverage: Int(data.MaxFALL))
    }
}
