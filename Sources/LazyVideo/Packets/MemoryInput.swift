internal import CFFmpeg
internal import LazyMedia

/// Lets FFmpeg read a `ByteSource`; owns an `AVIOContext`.
///
/// FFmpeg keeps an unowned pointer to it, so the owner of a demuxer must keep it longer.
final class MemoryInput {
    private let bytes: any ByteSource
    private var position = 0
    private var context: UnsafeMutablePointer<AVIOContext>?
    private var parkedError: MediaError?
    /// The time limit of opening, while that lasts.
    var opening: OpeningTime?
    /// Whether a stream that goes on ends for FFmpeg behind the bytes that are there.
    ///
    /// What it reads to learn of the streams would otherwise be waited for.
    var endsAtArrived = false {
        didSet { if !endsAtArrived { context?.pointee.eof_reached = 0 } }
    }
    /// Ends a read or a long search in FFmpeg once it is set.
    var cancellation: CancellationFlag

    /// Makes an input positioned at the first byte.
    ///
    /// In a stream that goes on, FFmpeg does not seek where it is not `isSeekable`.
    init(
        _ bytes: any ByteSource, isSeekable: Bool = true, cancellation: CancellationFlag
    ) throws(MediaError) {
        self.bytes = bytes
        self.cancellation = cancellation
        context = lz_io_alloc(
            1 << 16, Unmanaged.passUnretained(self).toOpaque(),
            { MemoryInput.from($0)?.read(into: $1, $2) ?? LZ_ERROR_INVALID },
            { MemoryInput.from($0)?.seek($1, $2) ?? Int64(LZ_ERROR_INVALID) })
        guard context != nil else {
            throw MediaError(.environment, "There is no memory to read the input.")
        }
        LiveHandles.didOpen()
        // Cues lie at the end.
        if bytes.arrived != nil, !isSeekable { context?.pointee.seekable = 0 }
    }

    deinit {
        guard context != nil else { return }
        lz_io_free(&context)
        LiveHandles.didClose()
    }

    /// Makes a demuxer read from this input only.
    func attach(to format: UnsafeMutablePointer<AVFormatContext>) {
        let interrupt: @convention(c) (UnsafeMutableRawPointer?) -> CInt = {
            MemoryInput.from($0)?.shouldStop == true ? 1 : 0
        }
        lz_format_prepare(format, context, interrupt, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Throws what a callback could not throw: a failed read, or the cancellation.
    func throwParkedError() throws(MediaError) {
        try cancellation.check()
        if let error = parkedError { throw error }
        try opening?.check()
    }

    private var shouldStop: Bool { cancellation.isCancelled || opening?.isOver == true }

    private static func from(_ opaque: UnsafeMutableRawPointer?) -> MemoryInput? {
        opaque.map { Unmanaged<MemoryInput>.fromOpaque($0).takeUnretainedValue() }
    }

    private func read(into buffer: UnsafeMutablePointer<UInt8>?, _ size: CInt) -> CInt {
        if shouldStop { return LZ_ERROR_EXIT }
        let start = bytes.isRemote ? ContinuousClock.now : nil
        defer { if let start { opening?.didWait(.now - start) } }
        do throws(MediaError) {
            let room = endsAtArrived ? max(0, (bytes.arrived ?? .max) - position) : .max
            let target = UnsafeMutableRawBufferPointer(start: buffer, count: min(Int(size), room))
            guard !target.isEmpty else { return LZ_ERROR_EOF }
            let count = try bytes.read(at: position, into: target, cancellation: cancellation)
            position += count
            return count > 0 ? CInt(count) : LZ_ERROR_EOF
        } catch {
            parkedError = error
            return LZ_ERROR_IO
        }
    }

    /// The number of bytes; nil for a stream without a known end.
    private var size: Int? {
        guard let arrived = bytes.arrived else { return bytes.count }
        return endsAtArrived ? arrived : nil
    }

    private func seek(_ offset: Int64, _ whence: CInt) -> Int64 {
        let base: Int
        switch whence & ~LZ_SEEK_FORCE {
        case LZ_SEEK_SIZE: return size.map { Int64($0) } ?? Int64(LZ_ERROR_INVALID)
        case 0: base = 0
        case 1: base = position
        case 2:
            guard let size else { return Int64(LZ_ERROR_INVALID) }
            base = size
        default: return Int64(LZ_ERROR_INVALID)
        }
        let (sum, isTooFar) = base.addingReportingOverflow(Int(offset))
        guard !isTooFar, sum >= 0 else { return Int64(LZ_ERROR_INVALID) }
        position = sum
        return Int64(sum)
    }
}
