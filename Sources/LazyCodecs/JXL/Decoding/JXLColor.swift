internal import CJXL
internal import LazyMedia

/// The color of a JPEG XL, and that of the samples which libjxl is asked for.
struct JXLColor: Hashable, Sendable {
    /// What the samples of the original picture mean.
    let original: ColorDescription
    /// The bits of a sample in the file.
    let bitDepth: Int
    let isGray: Bool
    /// Whether the codestream is in XYB, which libjxl converts to an enumerated color.
    let isXYB: Bool
    /// The extra channel of black ink in a CMYK picture.
    let black: Int?

    /// Reads the color once its event has come.
    init(
        _ handle: JXLDecoderHandle, _ info: JxlBasicInfo, _ limits: DecodingLimits
    ) throws(MediaError) {
        original = try ColorDescription(handle, info, limits)
        bitDepth = Int(info.bits_per_sample)
        isGray = info.num_color_channels == 1
        isXYB = info.uses_original_profile == 0
        black = (0..<Int(info.num_extra_channels)).first { index in
            var channel = JxlExtraChannelInfo()
            let status = handle.jxl.pointee.JxlDecoderGetExtraChannelInfo(
                handle.decoder, index, &channel)
            return status == JXL_DEC_SUCCESS && channel.type == JXL_CHANNEL_BLACK
        }
    }

    /// The channels, as far as profiles differ.
    var kind: SampleKind { black != nil ? .cmyk : isGray ? .gray : .rgb }

    /// Whether pixels have more than 8 bits a sample; inks are mixed in 8.
    var isDeep: Bool { bitDepth > 8 && black == nil }

    /// The layout of samples in FFmpeg's terms.
    func pixelFormat(hasAlpha: Bool) -> String? {
        guard black == nil else { return nil }
        let names = isGray ? ["gray", "ya8"] : ["rgb24", "rgba"]
        let deepNames = isGray ? ["gray16le", "ya16le"] : ["rgb48le", "rgba64le"]
        return (bitDepth > 8 ? deepNames : names)[hasAlpha ? 1 : 0]
    }

    /// Whether libjxl is asked for sRGB rather than for the original color.
    ///
    /// HDR is not: libjxl would not map tones as browsers do. A profile cannot be asked for, and
    /// without a wish such a picture comes out in linear light.
    func asksForSRGB(_ output: ColorOutput) -> Bool {
        guard isXYB, !original.isHDR else { return false }
        return output != .source || original.profile != nil
    }

    /// What the decoded samples mean.
    func samples(_ output: ColorOutput) -> ColorDescription {
        asksForSRGB(output) ? .sRGB : original
    }

    /// Asks for sRGB at the event of the color.
    func preferSRGB(_ handle: JXLDecoderHandle) throws(MediaError) {
        var color = JxlColorEncoding()
        color.color_space = isGray ? JXL_COLOR_SPACE_GRAY : JXL_COLOR_SPACE_RGB
        color.white_point = JXL_WHITE_POINT_D65
        color.primaries = JXL_PRIMARIES_SRGB
        color.transfer_function = JXL_TRANSFER_FUNCTION_SRGB
        color.rendering_intent = JXL_RENDERING_INTENT_RELATIVE
        try handle.check(
            handle.jxl.pointee.JxlDecoderSetPreferredColorProfile(handle.decoder, &color))
    }
}

extension ColorDescription {
    /// The color of the original picture: enumerated, or a profile.
    fileprivate init(
        _ handle: JXLDecoderHandle, _ info: JxlBasicInfo, _ limits: DecodingLimits
    ) throws(MediaError) {
        self.init(matrix: .identity, isFullRange: true)
        let target = JXL_COLOR_PROFILE_TARGET_ORIGINAL
        var color = JxlColorEncoding()
        if cjxl_encoded_profile(handle.decoder, target, &color) == 0 {
            setPrimaries(color)
            setTransfer(color)
            setLight(Double(info.intensity_target))
            return
        }
        let count = cjxl_profile_size(handle.decoder, target)
        try limits.check(memory: count)
        guard count > 0, count <= 16 << 20 else { return }
        var bytes = [UInt8](repeating: 0, count: count)
        guard cjxl_profile(handle.decoder, target, &bytes, count) == 0 else { return }
        profile = ICCProfile(bytes)
    }

    private mutating func setPrimaries(_ color: JxlColorEncoding) {
        guard color.color_space == JXL_COLOR_SPACE_RGB else { return }
        switch (color.primaries, color.white_point) {
        case (JXL_PRIMARIES_SRGB, JXL_WHITE_POINT_D65): primaries = .bt709
        case (JXL_PRIMARIES_2100, JXL_WHITE_POINT_D65): primaries = .bt2020
        case (JXL_PRIMARIES_P3, JXL_WHITE_POINT_D65): primaries = .displayP3
        case (JXL_PRIMARIES_P3, JXL_WHITE_POINT_DCI): primaries = .dciP3
        default:
            chromaticities = Chromaticities(
                red: SIMD2(color.primaries_red_xy.0, color.primaries_red_xy.1),
                green: SIMD2(color.primaries_green_xy.0, color.primaries_green_xy.1),
                blue: SIMD2(color.primaries_blue_xy.0, color.primaries_blue_xy.1),
                white: SIMD2(color.white_point_xy.0, color.white_point_xy.1))
        }
    }

    private mutating func setTransfer(_ color: JxlColorEncoding) {
        if color.transfer_function == JXL_TRANSFER_FUNCTION_GAMMA {
            gamma = color.gamma > 0 ? 1 / color.gamma : nil
        } else if let code = UInt8(exactly: color.transfer_function.rawValue) {
            transfer = TransferCharacteristics(rawValue: code)
        }
    }

    /// Keeps the brightest light, unless it is a default: 255 cd/m², or all that PQ can express.
    private mutating func setLight(_ brightest: Double) {
        guard isHDR, brightest > 255, brightest < 10_000 else { return }
        masteringDisplay = MasteringDisplay(maximumLuminance: brightest)
    }
}
