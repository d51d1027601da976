internal import LazyEditing
public import LazyMedia

extension ProcessingError {
    /// The error of a processor whose decoding or editing failed.
    init(_ error: MediaError) { self.init(error.message, underlying: error) }

    /// The error of a processor of any kind.
    init(of error: any Error) {
        switch error {
        case let error as ProcessingError: self = error
        case let error as MediaError: self.init(error)
        default: self.init("The processor failed: \(error)", underlying: error)
        }
    }

    /// Runs a body and converts its errors.
    static func mapping<Result>(
        _ body: () throws(MediaError) -> Result
    ) throws(ProcessingError) -> Result {
        do throws(MediaError) { return try body() } catch { throw ProcessingError(error) }
    }
}

extension Bitmap {
    /// Creates a bitmap: `body` reads the pixels of this one and writes all new ones.
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

    /// Rejects sizes that are too large to allocate, whatever the limits of the sequence.
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
    /// The error for readers of frames; decoding errors and cancellations are unchanged.
    var asMediaError: MediaError {
        (underlying as? MediaError) ?? MediaError(.processingFailed, message, underlying: self)
    }
}
