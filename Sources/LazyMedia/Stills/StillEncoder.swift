internal import LazyBase

/// Encodes pictures as files of any type, one after the other; for one task at a time.
///
/// Formats of one picture encode it into memory that is used again; others get a sequence of one frame.
package struct StillEncoder {
    private enum Way {
        case still(any StillEncoding)
        case frame(any MediaEncoding)
    }
    private let way: Way

    /// Makes an encoder; throws `.notWritable` for a type that is not written, and `.environment`.
    ///
    /// Of a format that has two types it is the one of stills.
    package init(
        for type: MediaType, _ options: EncodingOptions = .init(), threads: Int = 1,
        by encoders: EncoderRegistry
    ) throws(MediaError) {
        let factory = try encoders.factory(for: encoders.type(type, isAnimation: false))
        if let encoder = try factory.makeStillEncoder(options) {
            way = .still(encoder)
        } else {
            way = .frame(try factory.makeEncoder(options, threads: threads))
        }
    }

    /// What encodes rows as they come; nil for formats that need the whole picture.
    package var rowEncoding: (any RowEncoding)? {
        if case .still(let encoder) = way { encoder as? any RowEncoding } else { nil }
    }

    /// Encodes a picture and lends the whole file; the pointer is valid only inside the closure.
    ///
    /// Blocks where the format has one picture.
    package func encode<Result>(
        _ picture: StillPicture, _ use: (UnsafeRawBufferPointer) throws(MediaError) -> Result
    ) async throws(MediaError) -> Result {
        switch way {
        case .still(let encoder): return try encoder.encode(picture, use)
        case .frame(let encoder):
            // Limits were checked where the picture was decoded.
            let sequence = FrameSequence(try OneFrame(picture), limits: DecodingLimits())
            let bytes = CollectedBytes()
            try await encoder.encode(sequence.frames(), info: sequence.info, loop: .still) {
                bytes.append($0)
            }
            return try bytes.all.withBytes(use)
        }
    }
}

/// Media of one frame, which may be deep and of other colors than sRGB.
private struct OneFrame: OpenedMedia {
    let frame: Frame
    let info: MediaInfo

    init(_ picture: StillPicture) throws(MediaError) {
        frame = try picture.frame
        var info = StillMedia(picture.bitmap).info
        info.bitDepth = picture.depth
        self.info = info
    }

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex { FrameIndex([frame.timing]) }

    func makeReader(_ options: ReaderOptions) -> any FrameReader { OneFrameReader(frame) }
}

private final class OneFrameReader: FrameReader {
    private let frame: Frame
    private var isDone = false
    var warnings: [MediaWarning] { [] }

    init(_ frame: Frame) { self.frame = frame }

    func nextFrame(
        where isWanted: (FrameTiming) -> Bool
    ) -> (timing: FrameTiming, frame: Frame?)? {
        defer { isDone = true }
        return isDone ? nil : (frame.timing, frame)
    }

    func seek(toIndex index: Int) { isDone = index > 0 }

    func seek(toTime time: Duration) { isDone = false }
}

extension StillPicture {
    /// The picture as the one frame of a sequence.
    fileprivate var frame: Frame {
        get throws(MediaError) {
            if let deep { return try Frame(deep: deep, timing: .still, color: color) }
            return Frame(bitmap: bitmap, timing: .still, color: color)
        }
    }

    /// The picture as a file of a type; see `Bitmap.encoded(as:_:by:)`.
    package func encoded(
        as type: MediaType, _ options: EncodingOptions = .init(), by encoders: EncoderRegistry
    ) async throws(MediaError) -> [UInt8] {
        let options = options.filled(for: bitmap.size, as: type)
        return try await BlockingPool.shared.working { () async throws(MediaError) in
            try await StillEncoder(for: type, options, by: encoders).encode(self) {
                (bytes) throws(MediaError) in Array(bytes)
            }
        }
    }
}

extension Bitmap {
    /// The picture as a file of a type, encoded by one thread that may block.
    ///
    /// Where a type is that of animations, the file is a still of the same format. A PNG of more than
    /// 400,000 pixels is encoded quickly unless an effort is given, a smaller one to few bytes.
    /// Throws `.notWritable` for what the format cannot store, and `.environment`.
    public func encoded(
        as type: MediaType, _ options: EncodingOptions = .init(), by encoders: EncoderRegistry
    ) async throws(MediaError) -> [UInt8] {
        try await StillPicture(self).encoded(as: type, options, by: encoders)
    }
}

extension EncodingOptions {
    /// The options with the effort for one picture of a size.
    ///
    /// A small PNG is transferred often, so it should be small; a large one should be fast.
    package func filled(for size: PixelSize, as type: MediaType) -> EncodingOptions {
        guard [.png, .apng].contains(type), effort == nil, size.pixelCount > 400_000 else {
            return self
        }
        var options = self
        options.effort = 0
        return options
    }
}
