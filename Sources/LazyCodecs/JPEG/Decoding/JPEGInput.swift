internal import CJPEG
internal import LazyMedia

/// The context of C's callbacks for reading and cancellation; keeps errors until they can be
/// thrown.
///
/// Used by one thread at a time.
final class JPEGInput {
    private let bytes: any ByteSource
    private let cancellation: CancellationFlag
    private let deadline: ContinuousClock.Instant?
    /// What takes rows while they are decoded, whose time does not count.
    private let taker: RowTaker?
    private let limits: DecodingLimits
    private var failure: MediaError?
    private var canvas = 0
    /// More than any encoder writes: the standard's finest progression has fewer.
    static let maxScans = 500
    /// The bytes that libjpeg may use beside a picture.
    func maxMemory(beside size: PixelSize) -> Int {
        canvas = size.rgbaByteCount
        return limits.memory.map { max(0, $0 - canvas) } ?? .max
    }
    /// The EXIF data of an APP1 segment.
    private(set) var exif: EXIF?
    /// The bytes of the embedded thumbnail.
    private(set) var thumbnail: [UInt8]?
    /// The XMP of the first APP1 segment that has some.
    private(set) var xmp: [UInt8]?
    private var profileParts = JPEGProfileParts()
    /// The ICC profile of APP2 segments.
    var profile: ICCProfile? { profileParts.profile }

    init(
        _ bytes: any ByteSource, _ cancellation: CancellationFlag, limits: DecodingLimits,
        taker: RowTaker? = nil
    ) {
        self.taker = taker
        self.bytes = bytes
        self.cancellation = cancellation
        self.limits = limits
        deadline = limits.decodeTime.map { .now + $0 }
    }

    convenience init(_ bytes: any ByteSource, _ options: ReaderOptions, taker: RowTaker? = nil) {
        self.init(bytes, options.cancellation, limits: options.limits, taker: taker)
    }

    /// Lends itself to C; the source is valid only inside the closure.
    func withSource<Result>(_ body: (cjpeg_source) -> Result) -> Result {
        withExtendedLifetime(self) {
            body(
                cjpeg_source(
                    context: Unmanaged.passUnretained(self).toOpaque(),
                    read: { context, offset, buffer, count in
                        JPEGInput.of(context).read(offset, buffer, count)
                    },
                    should_stop: { JPEGInput.of($0).shouldStop() ? 1 : 0 }))
        }
    }

    /// The callback for the body of a segment.
    static let didFindSegment: cjpeg_did_find = { context, number, bytes, count in
        JPEGInput.of(context).didFind(number, UnsafeRawBufferPointer(start: bytes, count: count))
    }

    private func didFind(_ number: CInt, _ segment: UnsafeRawBufferPointer) {
        if number == 2 { return profileParts.add(segment) }
        if xmp == nil, let text = MotionXMP.text(segment: segment) { return xmp = text }
        guard exif == nil, let found = EXIF(segment: segment) else { return }
        exif = found
        thumbnail = found.thumbnail.map { Array(segment[$0]) }
    }

    /// Throws the error of a status, unless it is success.
    func check(_ status: cjpeg_status, _ words: [CChar]) throws(MediaError) {
        let reason = String(cJPEG: words)
        switch status {
        case CJPEG_DONE: return
        case CJPEG_TRUNCATED:
            throw MediaError(.truncated, "The JPEG ends before its picture begins.")
        case CJPEG_UNSUPPORTED:
            try LosslessJPEG.checkDifferences(bytes)
            // FFmpeg's decoder looks at kind and length of samples itself.
            throw .declined("The JPEG is of a kind that is not read: \(reason).")
        case CJPEG_STOPPED, CJPEG_UNREADABLE:
            throw failure ?? .cancelled
        case CJPEG_TOO_MANY_SCANS:
            let most = Int64(Self.maxScans)
            throw MediaError(
                .limitExceeded, "A JPEG of more than \(most) scans is over the limit.",
                excess: .init(limit: "scans", allowed: most, actual: most + 1))
        case CJPEG_NO_MEMORY:
            throw MediaError(.environment, "There is no memory for a JPEG.")
        default:
            throw MediaError(.malformed, "The JPEG is damaged: \(reason).")
        }
    }

    /// Throws where the scans need more memory than is allowed.
    func check(memory: Int, _ status: cjpeg_status) throws(MediaError) {
        guard status == CJPEG_TOO_MUCH_MEMORY else { return }
        try limits.check(memory: memory + canvas)
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> JPEGInput {
        Unmanaged<JPEGInput>.fromOpaque(context).takeUnretainedValue()
    }

    private func read(_ offset: Int, _ buffer: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
        do throws(MediaError) {
            return try bytes.read(
                at: offset, into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
        } catch {
            failure = error
            return Int(bitPattern: UInt.max)
        }
    }

    private func shouldStop() -> Bool {
        if cancellation.isCancelled {
            failure = .cancelled
        } else if let deadline, .now > deadline + (taker?.time ?? .zero) {
            // A few bytes can demand a pass over the whole picture, and many of them any number of
            // passes.
            failure = limits.exceededDecodeTime
        }
        return failure != nil
    }
}

extension String {
    /// A message of libjpeg without its final period.
    init(cJPEG words: [CChar]) {
        let bytes = words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        self = String(decoding: bytes, as: UTF8.self).withoutPeriod
    }

    /// The message without its final period.
    var withoutPeriod: String {
        var words = self
        while words.last == "." || words.last == "\n" { words.removeLast() }
        return words
    }
}
