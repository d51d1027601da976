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
    /// What the bitmap's samples mean: sRGB, or the file's own colors with `ColorOutput.source`.
    public let color: ColorDescription

    /// Makes a frame; `planes`, where given, show the same picture as the bitmap.
    public init(
        bitmap: Bitmap, timing: FrameTiming, play: Int = 0, planes: PlanarPicture? = nil,
        color: ColorDescription = .sRGB
    ) {
        self.color = color
        self.bitmap = bitmap
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
}

/// When and for how long a frame is shown, and what the file says about it.
public struct FrameTiming: Hashable, Sendable {
    /// The frame's number in its sequence, from 0.
    public let index: Int
    /// When it is first shown (PTS), counted from the first frame of the sequence.
    public let presentation: MediaTime
    /// How long it is shown, after `DelayRule` is applied.
    public let duration: MediaTime
    /// How long the file says it is shown.
    public let rawDuration: MediaTime
    /// Whether it can be decoded without the frames before it.
    public let isKeyframe: Bool

    /// The end of its time.
    package var end: MediaTime { presentation + duration }

    /// Makes a timing; `rawDuration` is `duration` unless a rule changed it.
    public init(
        index: Int, presentation: MediaTime, duration: MediaTime, rawDuration: MediaTime? = nil,
        isKeyframe: Bool
    ) {
        self.index = index
        self.presentation = presentation
        self.duration = duration
        self.rawDuration = rawDuration ?? duration
        self.isKeyframe = isKeyframe
    }
}
