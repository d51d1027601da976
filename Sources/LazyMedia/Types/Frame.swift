/// One picture of a sequence, with its timing.
public struct Frame: Sendable {
    /// The composed picture: full canvas, rotated, square pixels, RGBA8.
    ///
    /// Where there are `planes`, the pixels are converted from them on first access, if there is one;
    /// the size is known before.
    public let bitmap: Bitmap
    /// When and for how long it is shown.
    public let timing: FrameTiming
    /// The number of the play it belongs to, from 0; above 0 only in a looping sequence.
    public let play: Int
    /// The same picture as the codec decoded it, at the bitmap's size.
    ///
    /// Present only where `ReaderOptions.planes` asks for it and the source is opaque 8-bit 4:2:0; a
    /// reader may always leave it nil.
    public let planes: PlanarPicture?
    /// The same picture with 16 bits a sample.
    ///
    /// Present only where `ReaderOptions.samples` is `.sixteen`, `ReaderOptions.color` is `.source` and
    /// the source has more than 8 bits. The samples are the decoded ones as RGB of the full range, in
    /// the primaries and the transfer of the source; `bitmap` is rounded from them on first access.
    public let deep: DeepBitmap?
    /// What the samples of the pictures mean: sRGB, or the file's own colors with `ColorOutput.source`.
    public let color: ColorDescription

    /// Makes a frame; `planes`, where given, show the same picture as the bitmap.
    public init(
        bitmap: Bitmap, timing: FrameTiming, play: Int = 0, planes: PlanarPicture? = nil,
        color: ColorDescription = .sRGB
    ) {
        self.init(bitmap, nil, timing: timing, play: play, planes: planes, color: color)
    }

    /// Makes a frame of 16 bits a sample, whose bitmap is rounded from them on first access.
    ///
    /// Throws `.environment` when there is no memory for the bitmap.
    public init(
        deep: DeepBitmap, timing: FrameTiming, play: Int = 0, color: ColorDescription
    ) throws(MediaError) {
        self.init(
            try deep.bitmap(), deep, timing: timing, play: play, planes: nil, color: color)
    }

    private init(
        _ bitmap: Bitmap, _ deep: DeepBitmap?, timing: FrameTiming, play: Int,
        planes: PlanarPicture?, color: ColorDescription
    ) {
        self.color = color
        self.bitmap = bitmap
        self.deep = deep
        self.timing = timing
        self.play = play
        self.planes = planes
    }

    /// The frame's number in its sequence, from 0.
    public var index: Int { timing.index }
    /// When it is first shown, counted from the first frame of the sequence.
    public var presentationTime: Duration { timing.presentation.duration }
    /// How long it is shown.
    public var duration: Duration { timing.duration.duration }
    /// Whether it can be decoded without the frames before it.
    public var isKeyframe: Bool { timing.isKeyframe }
}

extension Frame {
    /// The frame with another picture, and perhaps another time; its colors stay.
    package func replacing(
        _ bitmap: Bitmap, timing: FrameTiming? = nil, play: Int? = nil,
        planes: PlanarPicture? = nil
    ) -> Frame {
        Frame(
            bitmap: bitmap, timing: timing ?? self.timing, play: play ?? self.play, planes: planes,
            color: color)
    }

    /// The frame at another time.
    package func inTime(_ timing: FrameTiming) -> Frame {
        Frame(bitmap, deep, timing: timing, play: 0, planes: planes, color: color)
    }

    /// The frame with another picture of 16 bits a sample; its colors and its time stay.
    package func replacing(deep: DeepBitmap) throws(MediaError) -> Frame {
        try Frame(deep: deep, timing: timing, play: play, color: color)
    }

    /// The same frame as one of another play.
    func inPlay(_ play: Int) -> Frame {
        Frame(bitmap, deep, timing: timing, play: play, planes: planes, color: color)
    }
}
