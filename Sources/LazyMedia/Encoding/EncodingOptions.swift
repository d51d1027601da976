/// How a picture or an animation is encoded, in terms that all formats share.
///
/// Each encoder uses the options that apply to it and ignores the others. Equal options make equal
/// work: how many threads it gets is told where it begins.
public struct EncodingOptions: Hashable, Sendable {
    /// The visual quality, 0 to 100, on the format's own scale; nil for the format's default.
    public var quality: Double?
    /// The effort for a smaller file, 0 (fast) to 10 (small); nil for the default.
    public var effort: Int?
    /// Whether pixels are preserved exactly; nil lets the encoder choose what suits the content.
    public var lossless: Bool?
    /// The most colors of a palette, 2 to 256.
    public var colors: Int
    /// How colors between those of a palette are shown.
    public var dither: Dither
    /// Which part of a clip shares a palette.
    public var palettes: PaletteScope
    /// The background of transparent pixels where the format has no transparency; nil for white.
    public var background: PixelColor?
    /// The video codec, where the format has a choice; nil for the default.
    public var codec: VideoCodecChoice?

    /// Makes options; all have defaults.
    public init(
        quality: Double? = nil, effort: Int? = nil, lossless: Bool? = nil, colors: Int = 256,
        dither: Dither = .auto, palettes: PaletteScope = .auto, background: PixelColor? = nil,
        codec: VideoCodecChoice? = nil
    ) {
        self.quality = quality
        self.effort = effort
        self.lossless = lossless
        self.colors = colors
        self.dither = dither
        self.palettes = palettes
        self.background = background
        self.codec = codec
    }
}

/// How colors between those of a palette are shown.
public enum Dither: String, CaseIterable, Hashable, Sendable {
    /// What suits the content: none for flat art, otherwise what makes the format's files smallest.
    case auto
    /// The nearest color.
    case none
    /// A fixed pattern: stable in time, compresses well.
    case ordered
    /// Error diffusion that stays still where the picture does.
    case diffusion
}

/// Which part of a clip shares a palette.
public enum PaletteScope: String, CaseIterable, Hashable, Sendable {
    /// The clip where one palette suffices, otherwise each scene.
    case auto
    /// The whole clip.
    case clip
    /// Each scene.
    case scene
}

/// The codecs that video is written with.
public enum VideoCodecChoice: String, CaseIterable, Hashable, Sendable {
    /// H.264 by x264, for MP4.
    case h264
    /// VP9 by libvpx, for WebM; carries alpha.
    case vp9
    /// AV1 by SVT-AV1 or libaom, for WebM and MP4.
    case av1
}
