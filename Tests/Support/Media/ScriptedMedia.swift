public import LazyMedia

/// Media without a codec: frames of one color, each with a time of its own.
///
/// The red byte of a frame is its index, so that a test can tell which frame it got.
public struct ScriptedMedia: OpenedMedia {
    /// What the header would tell.
    public var info: MediaInfo
    /// What fills each frame: red, green, blue, alpha.
    public var colors: [SIMD4<UInt8>]
    /// Milliseconds each frame is shown.
    public var durations: [Int64]
    /// Indices that can be decoded alone.
    public var keyframes: Set<Int>
    /// Thrown instead of the frame of that index.
    public var fault: (index: Int, error: MediaError)?
    /// Whether frames are black and white stripes, which are good posters, rather than of one color.
    public var isStriped = false
    /// Frames without stripes.
    public var plain: Set<Int> = []
    /// Whether a reader can give its last frame at another size.
    public var keepsLast = false
    /// How long frames seem to be shown, in parts of what they are, to readers that leave pictures out; nil for
    /// readers that never do.
    public var guessedShare: Int64?
    /// The picture in the file that stands for it.
    public var cover: Bitmap?
    /// Called before each frame is made.
    public var willDecode: @Sendable (Int) -> Void = { _ in }
    /// Readers made and freed.
    public let log = ReaderLog()

    /// Makes opaque frames of equal duration.
    public init(
        count: Int, size: PixelSize = PixelSize(width: 8, height: 6), milliseconds: Int64 = 100,
        loop: LoopCount = .gif(0)
    ) {
        colors = (0..<count).map { SIMD4(UInt8($0 % 256), 128, 200, 255) }
        durations = Array(repeating: milliseconds, count: count)
        keyframes = [0]
        info = MediaInfo(
            type: .gif, codec: "scripted", size: size, frameCount: count,
            duration: .milliseconds(milliseconds * Int64(count)), loop: loop)
    }

    /// The timing that `durations` and `keyframes` give.
    public var index: FrameIndex {
        var start: Int64 = 0
        return FrameIndex(
            durations.indices.map { index in
                defer { start += durations[index] }
                return FrameTiming(
                    index: index, presentation: MediaTime(microseconds: start * 1000),
                    duration: MediaTime(microseconds: durations[index] * 1000),
                    isKeyframe: keyframes.contains(index))
            })
    }

    /// The timing that `durations` and `keyframes` give.
    public func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        index
    }

    /// The cover.
    public func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? { cover }

    /// A reader that makes its frames up.
    public func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        log.didMake()
        return ScriptedReader(self, options)
    }
}

/// Counts readers that were made and those that still live.
public final class ReaderLog: Sendable {
    private let counts = Locked((made: 0, live: 0))
    /// Readers made so far.
    public var made: Int { counts.withLock { $0.made } }
    /// Readers that have not been freed.
    public var live: Int { counts.withLock { $0.live } }

    func didMake() {
        counts.withLock {
            $0.made += 1
            $0.live += 1
        }
    }

    func didFree() { counts.withLock { $0.live -= 1 } }
}

final class ScriptedReader: FrameReader {
    private let media: ScriptedMedia
    private let options: ReaderOptions
    private let index: FrameIndex
    private var position = 0
    private var budget: DecodingBudget
    let warnings: [MediaWarning] = []

    init(_ media: ScriptedMedia, _ options: ReaderOptions) {
        self.media = media
        self.options = options
        index = media.index
        budget = DecodingBudget(options.limits)
    }

    deinit { media.log.didFree() }

    private func frame() throws(MediaError) -> Frame? {
        try options.cancellation.check()
        if options.keyframesOnly {
            while position < index.count, !media.keyframes.contains(position) { position += 1 }
        }
        guard position < index.count else { return nil }
        if let fault = media.fault, fault.index == position { throw fault.error }
        media.willDecode(position)
        try budget.spend(frame: media.info.size)
        defer { position += 1 }
        return try frame(position, options.size ?? media.info.size)
    }

    func nextFrame(
        where isWanted: (FrameTiming) -> Bool
    ) throws(MediaError) -> (timing: FrameTiming, frame: Frame?)? {
        if let share = media.guessedShare, position + 1 < index.count,
            media.fault?.index != position
        {
            let timing = index.timings[position]
            let length = media.durations[position] * 1000 / share
            let guess = FrameTiming(
                index: position, presentation: timing.presentation,
                duration: MediaTime(microseconds: length), isKeyframe: timing.isKeyframe)
            if !isWanted(guess) {
                position += 1
                return (timing, nil)
            }
        }
        return try frame().map { ($0.timing, $0) }
    }

    func lastFrame(at size: PixelSize) throws(MediaError) -> Frame? {
        guard media.keepsLast, position > 0 else { return nil }
        return try frame(position - 1, size)
    }

    private func frame(_ position: Int, _ size: PixelSize) throws(MediaError) -> Frame {
        let color = media.colors[position]
        let isStriped = media.isStriped && !media.plain.contains(position)
        let bitmap = try Bitmap(size: size, isOpaque: color.w == 255) { bytes in
            let pixels = bytes.bindMemory(to: SIMD4<UInt8>.self)
            pixels.update(repeating: color)
            guard isStriped else { return }
            for place in pixels.indices {
                let value: UInt8 = place % size.width / 4 % 2 == 0 ? 40 : 220
                pixels[place] = SIMD4(value, value, value, 255)
            }
        }
        return Frame(bitmap: bitmap, timing: index.timings[position])
    }

    func seek(toIndex index: Int) throws(MediaError) { position = min(index, self.index.count) }

    func seek(toTime time: Duration) throws(MediaError) {
        position = index.frame(at: time) ?? 0
        if options.keyframesOnly {
            while position > 0, !media.keyframes.contains(position) { position -= 1 }
        }
    }
}
