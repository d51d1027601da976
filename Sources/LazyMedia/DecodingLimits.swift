/// The most that decoding may cost; each excess is a typed error that names limit and value.
///
/// Nil means without a bound. Sources of the figures: imgproxy (50 MP a frame), sharp and libvips
/// (0x3FFF² pixels in all), Nuke (200 MB of input).
public struct DecodingLimits: Hashable, Sendable {
    /// Pixels of one frame's canvas.
    public var pixelsPerFrame: Int?
    /// Frames of one sequence.
    public var frames: Int?
    /// Pixels of all frames together that one reader may decode.
    public var totalPixels: Int?
    /// Play length of one loop.
    public var duration: Duration?
    /// Encoded bytes.
    public var inputBytes: Int?
    /// Time one reader may spend decoding, waiting for its consumer not counted.
    public var decodeTime: Duration?
    /// Bytes that a decoder may keep beside the picture, where it tells before it asks for them.
    ///
    /// A progressive JPEG needs up to 6 bytes a pixel until its last scan has come.
    public var decoderMemory: Int?

    /// Makes limits; what is not given has no bound.
    public init(
        pixelsPerFrame: Int? = nil, frames: Int? = nil, totalPixels: Int? = nil,
        duration: Duration? = nil, inputBytes: Int? = nil, decodeTime: Duration? = nil,
        decoderMemory: Int? = nil
    ) {
        self.pixelsPerFrame = pixelsPerFrame
        self.frames = frames
        self.totalPixels = totalPixels
        self.duration = duration
        self.inputBytes = inputBytes
        self.decodeTime = decodeTime
        self.decoderMemory = decoderMemory
    }

    /// For files of one's own: only what would exhaust memory is refused (a frame of 200 MP).
    public static let trusted = DecodingLimits(pixelsPerFrame: 200_000_000)

    /// The default: 50 MP a frame, 200 MB of input, 100 000 frames, 4 hours, 10 minutes of decoding
    /// with 300 MB of its own.
    public static let web = DecodingLimits(
        pixelsPerFrame: 50_000_000, frames: 100_000, duration: .seconds(4 * 3600),
        inputBytes: 200_000_000, decodeTime: .seconds(600), decoderMemory: 300_000_000)

    /// For strangers' uploads: `.web`, and 0x3FFF² pixels in all, 10 000 frames, 60 s of decoding
    /// with 150 MB of its own.
    public static let untrusted = DecodingLimits(
        pixelsPerFrame: 50_000_000, frames: 10_000, totalPixels: 268_402_689,
        duration: .seconds(3600), inputBytes: 200_000_000, decodeTime: .seconds(60),
        decoderMemory: 150_000_000)
}

extension DecodingLimits {
    /// Throws if a canvas is too large; call it before memory for the canvas is asked for.
    public func check(canvas size: PixelSize) throws(MediaError) {
        try check(Int64(size.pixelCount), most: pixelsPerFrame.map(Int64.init), "pixelsPerFrame") {
            "A frame of \(size) pixels is more than the limit of \($0) pixels per frame."
        }
    }

    /// Throws if the encoded bytes are too many.
    public func check(inputBytes count: Int) throws(MediaError) {
        try check(Int64(count), most: inputBytes.map(Int64.init), "inputBytes") {
            "The input of \(count) bytes is larger than the limit of \($0) bytes."
        }
    }

    /// Throws if a decoder needs too much memory; call it before that is asked for.
    public func check(decoderMemory count: Int) throws(MediaError) {
        try check(Int64(count), most: decoderMemory.map(Int64.init), "decoderMemory") {
            "Decoding needs \(count) bytes at a time, more than the limit of \($0) bytes."
        }
    }

    /// Throws if a sequence has too many frames.
    public func check(frames count: Int) throws(MediaError) {
        try check(Int64(count), most: frames.map(Int64.init), "frames") {
            "A sequence of \(count) frames is longer than the limit of \($0) frames."
        }
    }

    /// Throws if a sequence plays too long.
    public func check(duration length: Duration) throws(MediaError) {
        let most = duration?.components.seconds
        try check(length.components.seconds, most: most, "duration") {
            "A play length of \(length.components.seconds) s is over the limit of \($0) s."
        }
    }

    func check(
        _ actual: Int64, most allowed: Int64?, _ limit: String, _ sentence: (Int64) -> String
    ) throws(MediaError) {
        guard let allowed, actual > allowed else { return }
        throw MediaError(
            .limitExceeded, sentence(allowed),
            excess: .init(limit: limit, allowed: allowed, actual: actual))
    }
}

/// What one reader has left of its `DecodingLimits`; each decoder spends from it.
public struct DecodingBudget: Sendable {
    private let limits: DecodingLimits
    private var frames = 0
    private var pixels = 0
    private var spent = Duration.zero

    /// Makes a full budget.
    public init(_ limits: DecodingLimits) { self.limits = limits }

    /// Spends one frame of a size; call it before the frame is decoded.
    public mutating func spend(frame size: PixelSize) throws(MediaError) {
        frames += 1
        pixels = pixels.addingReportingOverflow(size.pixelCount).partialValue
        try limits.check(canvas: size)
        try limits.check(frames: frames)
        try limits.check(Int64(pixels), most: limits.totalPixels.map(Int64.init), "totalPixels") {
            "Decoding \(pixels) pixels in all is more than the limit of \($0) pixels."
        }
    }

    /// Spends decoding time, measured by the reader around its own work.
    public mutating func spend(time: Duration) throws(MediaError) {
        spent += time
        let most = limits.decodeTime?.components.seconds
        try limits.check(spent.components.seconds, most: most, "decodeTime") {
            "Decoding took longer than the limit of \($0) s."
        }
    }
}
