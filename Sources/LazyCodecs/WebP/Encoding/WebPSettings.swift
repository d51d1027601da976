internal import CWebP
internal import LazyMedia

/// The settings of libwebp for common encoding options.
struct WebPSettings: Hashable, Sendable {
    /// The longest side of a WebP.
    static let longestSide = 16_383

    /// libwebp's quality, 0 to 100.
    let quality: Double
    /// 0 to 10.
    let effort: Int
    /// Nil to decide for each frame.
    let lossless: Bool?

    /// The defaults are quality 75 and the given effort.
    init(_ options: EncodingOptions, effort: Int) {
        quality = min(max(options.quality ?? DefaultQuality.standard, 0), 100)
        self.effort = min(max(options.effort ?? effort, 0), 10)
        lossless = options.lossless
    }

    /// libwebp's method for lossy pictures: from 3 on it weighs rate against distortion.
    var method: Int { [0, 0, 1, 1, 1, 2, 4, 4, 5, 6, 6][effort] }

    /// The quality of alpha, 0 to 100; exact from quality 75 on.
    var alphaQuality: CInt { CInt(min(100, 40 + quality * 0.8)) }

    /// The quantizer step of luma AC coefficients at this quality, of 255 levels.
    ///
    /// Quality maps to an index as in libwebp (`quant_enc.c`), and the index to a step as in VP8
    /// (RFC 6386, 14.1), within 10 %.
    var step: Double {
        let share = quality / 100
        let linear = share < 0.75 ? share * 2 / 3 : 2 * share - 1
        let index = 127 * (1 - Self.cubeRoot(linear))
        return index < 54 ? index + 4 : 58 + (index - 54) * (index - 54) * (226.0 / (73 * 73))
    }

    private static func cubeRoot(_ value: Double) -> Double {
        guard value > 0 else { return 0 }
        var root = 1.0
        for _ in 0..<40 { root -= (root - value / (root * root)) / 3 }
        return root
    }

    /// The library's settings for a lossy picture.
    ///
    /// `isFrame` takes noise shaping out: a frame of an animation is small and short, and the bits
    /// do more where they are spread evenly: at equal bytes 0.3 dB and 0.004 SSIM on film.
    func lossyConfig(isFrame: Bool) throws(MediaError) -> WebPConfig {
        var config = WebPConfig()
        guard WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, Float(quality)) != 0 else {
            throw Self.versionError
        }
        config.method = CInt(method)
        config.alpha_quality = alphaQuality
        config.alpha_filtering = 1
        if isFrame { config.sns_strength = 0 }
        return config
    }

    /// The library's settings for a lossless picture.
    func losslessConfig() throws(MediaError) -> WebPConfig {
        var config = WebPConfig()
        guard WebPConfigInit(&config) != 0,
            WebPConfigLosslessPreset(&config, CInt(min(effort, 9))) != 0
        else { throw Self.versionError }
        return config
    }

    private static var versionError: MediaError {
        MediaError(.environment, "libwebp is of another version than its headers.")
    }

    /// Throws `.notWritable` where a picture is too large for the format.
    static func check(_ size: PixelSize) throws(MediaError) {
        guard max(size.width, size.height) > longestSide else { return }
        throw MediaError(
            .notWritable, "A WebP has at most \(longestSide) pixels a side, and this is \(size).")
    }
}
