package import LazyMedia

/// Draws text for another process: its media is a script with its fonts, its frames are what is shown at a time.
struct TextDecoder: MediaDecoding {
    let name = "libass"
    let loadsLibrary = true

    func canOpen(_ type: MediaType) -> Bool { type == .text }

    func requireSupport(of type: MediaType) throws(MediaError) { try TextEngine.load() }

    func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        let file = try TextFile(try bytes.contiguous().withBytes { [UInt8]($0) })
        try limits.checkPixels(file.size)
        return TextMedia(file: file)
    }
}

extension MediaType {
    /// A script that is drawn in a process of its own; no file is of this type.
    package static let text = MediaType(
        name: "drawn-text", mimeType: "application/x-lazyimg-text", family: .animation)
}

extension MediaFormat {
    /// Text that is drawn for another process; only the program that decodes has it.
    package static let text = MediaFormat(
        name: "drawn-text", types: [.text], signatures: [], decoders: [TextDecoder()])
}

/// What a script shows: one frame, that of the time which was sought.
private struct TextMedia: OpenedMedia {
    let file: TextFile

    var info: MediaInfo {
        MediaInfo(type: .text, codec: "rgba", size: file.size, frameCount: 1, hasAlpha: true)
    }

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex { FrameIndex([.still]) }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        TextReader(try TextEngine(file), file.size, options)
    }
}

private final class TextReader: FrameReader {
    private let engine: TextEngine
    private let size: PixelSize
    private let cancellation: CancellationFlag
    private var budget: DecodingBudget
    private var time: Duration? = .zero
    let warnings: [MediaWarning] = []

    init(_ engine: TextEngine, _ size: PixelSize, _ options: ReaderOptions) {
        self.engine = engine
        self.size = size
        cancellation = options.cancellation
        // Pictures are counted by the reader of the frames that are drawn on.
        var limits = options.limits
        (limits.frames, limits.totalPixels) = (nil, nil)
        budget = DecodingBudget(limits)
    }

    func nextFrame(
        where isWanted: (FrameTiming) -> Bool
    ) throws(MediaError) -> (timing: FrameTiming, frame: Frame?)? {
        try cancellation.check()
        guard let time else { return nil }
        let start = ContinuousClock.now
        let canvas = try Bitmap(size: size, isOpaque: false) {
            engine.render(at: time, into: $0, of: size)
        }
        try budget.spend(time: .now - start)
        self.time = nil
        return (.still, Frame(bitmap: canvas, timing: .still))
    }

    func seek(toIndex index: Int) { time = index <= 0 ? .zero : nil }

    func seek(toTime time: Duration) { self.time = time }
}
