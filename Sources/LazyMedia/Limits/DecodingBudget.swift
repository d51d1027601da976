/// What is left of one reader's `DecodingLimits`; each decoder spends from it.
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
        let (sum, isTooMany) = pixels.addingReportingOverflow(size.pixelCount)
        pixels = isTooMany ? .max : sum
        try limits.check(canvas: size)
        try limits.check(frames: frames)
        try limits.check(pixels, most: limits.totalPixels, .totalPixels) {
            "Decoding \(pixels) pixels in all is more than the limit of \($0) pixels."
        }
    }

    /// Spends decoding time, which the reader measures around its own work.
    public mutating func spend(time: Duration) throws(MediaError) {
        spent += time
        try limits.check(time: spent, most: limits.decodeTime, .decodeTime, "Decoding")
    }
}
