/// How a picture or an animation is to be written, in words that all formats share.
///
/// Each encoder takes what means something to it and leaves the rest.
public struct EncodingOptions: Hashable, Sendable {
    /// How good it is to look, 0 to 100, on the format's own scale; nil for the format's default.
    public var quality: Double?
    /// How much work may be spent on fewer bytes, 0 (fast) to 10 (small); nil for the default.
    public var effort: Int?
    /// Whether pixels come back exactly; nil lets the encoder choose what suits the content.
    public var lossless: Bool?
    /// The most colours of a palette, 2 to 256.
    public var colors: Int
    /// How colours between those of a palette are shown.
    public var dither: Dither
    /// For which part of a clip a palette is made.
    public var palettes: PaletteScope
    /// What shows through where the format has no transparency; nil for white.
    public var background: PixelColor?
    /// The video codec, where the format has a choice; nil for the default.
    public var codec: VideoCodecChoice?
    /// Threads to work on; 0 for one a core.
    public var threads: Int

    /// Makes options; all have defaults.
    public init(
        quality: Double? = nil, effort: Int? = nil, lossless: Bool? = nil, colors: Int = 256,
        dither: Dither = .auto, palettes: PaletteScope = .auto, background: PixelColor? = nil,
        codec: VideoCodecChoice? = nil, threads: Int = 0
    ) {
        self.quality = quality
        self.effort = effort
        self.lossless = lossless
        self.colors = colors
        self.dither = dither
        self.palettes = palettes
        self.background = background
        self.codec = codec
        self.threads = threads
    }
}

/// How colours between those of a palette are shown.
public enum Dither: String, CaseIterable, Hashable, Sendable {
    /// What suits the content: none for flat art, else the format's best for its bytes.
    case auto
    /// The nearest colour.
    case none
    /// A fixed pattern: stable in time, compresses well.
    case ordered
    /// The error goes to the neighbours, in a way that stands still where the picture does.
    case diffusion
}

/// For which part of a clip a palette is made.
public enum PaletteScope: String, CaseIterable, Hashable, Sendable {
    /// One for all where that does, else one a scene.
    case auto
    /// One for the whole clip.
    case clip
    /// One for each scene.
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
