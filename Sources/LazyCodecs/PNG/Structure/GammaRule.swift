/// What a `gAMA` chunk without chromaticities means.
enum GammaRule {
    /// Whether a number is close enough to the usual one, 45455, to mean sRGB's curve: times 2.2 it differs from 1 by
    /// 5 % at most, less than which libpng and browsers do not correct.
    ///
    /// Beside chromaticities, which count only beside a gamma, it is a plain power in browsers.
    static func isSRGB(_ gamma: UInt32) -> Bool { abs(Int(gamma) * 22 - 1_000_000) <= 50_000 }
}
