internal import LazyEditing
public import LazyMedia

extension ProcessingError {
    /// What failed below, as an error of a processor.
    init(_ error: MediaError) { self.init(error.message, underlying: error) }

    /// Runs what decodes or edits; its errors are the processor's.
    static func mapping<Result>(
        _ body: () throws(MediaError) -> Result
    ) throws(ProcessingError) -> Result {
        do throws(MediaError) { return try body() } catch { throw ProcessingError(error) }
    }
}

extension Bitmap {
    /// Makes a picture of this one's pixels: `body` gets them, and writes all of the new ones.
    func makingPixels(
        size: PixelSize, isOpaque: Bool,
        _ body: (UnsafePointer<Pixel>, UnsafeMutablePointer<Pixel>) -> Void
    ) throws(ProcessingError) -> Bitmap {
        try Self.check(size)
        return try ProcessingError.mapping { () throws(MediaError) in
            try Bitmap(size: size, isOpaque: isOpaque) { output in
                withBytes { input in
                    guard let from = input.bindMemory(to: Pixel.self).baseAddress,
                        let to = output.bindMemory(to: Pixel.self).baseAddress
                    else { return }
                    body(from, to)
                }
            }
        }
    }

    /// Refuses what no memory should be asked for, whatever the sequence's own limits are.
    static func check(_ size: PixelSize) throws(ProcessingError) {
        try ProcessingError.mapping { () throws(MediaError) in
            try DecodingLimits.local.check(canvas: size)
        }
    }
}

extension MediaError.Code {
    /// A processor failed on a frame.
    public static let processingFailed = MediaError.Code(rawValue: "processingFailed")
}

extension ProcessingError {
    /// The same for those who read frames; an error of decoding or a cancellation stays one.
    var asMediaError: MediaError {
        (underlying as? MediaError) ?? MediaError(.processingFailed, message, underlying: self)
    }
}
