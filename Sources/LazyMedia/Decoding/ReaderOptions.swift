/// How a reader reads.
public struct ReaderOptions: Sendable {
    /// The size frames come out at, or nil for the size of the media.
    public var size: PixelSize?
    /// The most that the reader may cost.
    public var limits: DecodingLimits
    /// The rule for very short delays, which applies to GIF; video has none.
    public var delayRule: DelayRule
    /// Threads that the decoder may use; 1 has the least latency.
    public var threads: Int
    /// Whether only keyframes are decoded.
    public var keyframesOnly: Bool
    /// Whether one frame will be read and its duration does not matter, as for a poster.
    public var isSingleFrame: Bool
    /// Whether frames carry `planes` where the source has them.
    public var planes: Bool
    /// Whether decoding may skip steps that do not show in a small picture, such as H.264's deblocking.
    public var isQuick = false
    /// The colors in which pixels come out.
    public var color = ColorOutput.sRGB()
    /// The bits of a sample in which pixels come out; `.sixteen` counts with the colors of the source.
    public var samples = SampleDepth.eight
    /// Whether frames that consist of two fields recorded one after the other are deinterlaced.
    public var deinterlaces = true
    /// Whether pixels that another process decoded may be read where that process still could change them.
    ///
    /// It saves a copy. Only for what reads each pixel once and draws no conclusions from it, such as
    /// drawing, scaling or writing raw frames; not for encoders.
    public var lendsPixels = false
    /// Ends the reading within one packet once it is set.
    public var cancellation: CancellationFlag

    /// Makes options; all have defaults.
    public init(
        size: PixelSize? = nil, limits: DecodingLimits = .web, delayRule: DelayRule = .browsers,
        threads: Int = 1, keyframesOnly: Bool = false, isSingleFrame: Bool = false,
        planes: Bool = false, cancellation: CancellationFlag = CancellationFlag()
    ) {
        self.size = size
        self.limits = limits
        self.delayRule = delayRule
        self.threads = threads
        self.keyframesOnly = keyframesOnly
        self.isSingleFrame = isSingleFrame
        self.planes = planes
        self.cancellation = cancellation
    }
}

extension ReaderOptions {
    /// Whether frames of sources with more than 8 bits carry `deep`.
    package var keepsDepth: Bool { samples == .sixteen && color == .source }
}
