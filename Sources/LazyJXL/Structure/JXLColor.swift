internal import CJXL
internal import LazyMedia

/// The color of the samples that libjxl is asked for.
struct JXLColor: Hashable, Sendable {
    /// Whether the codestream is in XYB, which libjxl turns into any enumerated color.
    let isXYB: Bool
    private let isGray: Bool

    /// sRGB.
    static let sRGB = JXLColor(isXYB: false, isGray: false)

    private init(isXYB: Bool, isGray: Bool) {
        self.isXYB = isXYB
        self.isGray = isGray
    }

    /// Reads the color once its event has come.
    init(_ handle: DecoderHandle, _ info: JxlBasicInfo) throws(MediaError) {
        self.init(isXYB: info.uses_original_profile == 0, isGray: info.num_color_channels == 1)
    }

    /// Asks for sRGB where libjxl can convert; at the event of the color.
    ///
    /// Without that, a picture in XYB with an ICC profile comes out in linear light.
    func prefer(_ handle: DecoderHandle) throws(MediaError) {
        guard isXYB else { return }
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
