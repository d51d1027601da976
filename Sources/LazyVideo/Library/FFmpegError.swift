internal import CFFmpeg
internal import LazyMedia

/// A negative return code of FFmpeg, with its log message.
struct FFmpegError: Error, Sendable, CustomStringConvertible {
    /// The code, such as `AVERROR_INVALIDDATA`.
    let code: CInt
    /// FFmpeg's last log message on this thread; may be empty.
    let line: String

    /// FFmpeg's description of the code, and its log message.
    var description: String {
        var text = [CChar](repeating: 0, count: 128)
        _ = lz_strerror(code, &text, text.count)
        let words = String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return line.isEmpty ? words : "\(words) (\(line))"
    }

    /// The same as a `MediaError`; `action` is what was being done, such as `open the file`.
    func mediaError(_ action: String) -> MediaError {
        if let excess {
            return MediaError(
                .limitExceeded,
                "A frame of \(excess.actual) pixels is more than the limit of \(excess.allowed)"
                    + " pixels per frame.", excess: excess, underlying: self)
        }
        switch code {
        case LZ_ERROR_EXIT: return .cancelled
        case LZ_ERROR_NOMEM: return memoryError(action)
        case LZ_ERROR_EOF:
            return MediaError(
                .truncated, "Cannot \(action): the data ends too early.", underlying: self)
        default:
            return MediaError(.malformed, "Cannot \(action): \(self).", underlying: self)
        }
    }
}

extension FFmpegError {
    /// FFmpeg returns this where `av_max_alloc` or `max_streams` is exceeded, and where there is no memory.
    private func memoryError(_ action: String) -> MediaError {
        if line.contains("exceeds max_streams parameter"),
            let most = line.split(whereSeparator: { !$0.isNumber }).compactMap({ Int64($0) }).last
        {
            return MediaError(
                .limitExceeded, "A file of more than \(most) tracks is over the limit.",
                excess: .init(limit: "tracks", allowed: most, actual: most + 1), underlying: self)
        }
        let most = Int64(clamping: lz_allowed_allocation())
        return MediaError(
            .limitExceeded,
            "Cannot \(action): there is no memory, or a table needs more than the limit of \(most) bytes.",
            excess: .init(limit: "memory", allowed: most, actual: most * 2 + 1), underlying: self)
    }

    /// The size that `max_pixels` rejected, which is only in FFmpeg's log message, "Picture size 160x96
    /// exceeds specified max pixel count 15359, see the documentation…".
    private var excess: MediaError.Excess? {
        guard line.contains("exceeds specified max pixel count") else { return nil }
        let numbers = line.split { !$0.isNumber }.compactMap { Int64($0) }
        guard numbers.count >= 3 else { return nil }
        // An address in brackets may come before them.
        let (width, height, allowed) = (
            numbers[numbers.count - 3], numbers[numbers.count - 2], numbers[numbers.count - 1]
        )
        let (actual, isTooMuch) = width.multipliedReportingOverflow(by: height)
        return .init(
            limit: "pixelsPerFrame", allowed: allowed, actual: isTooMuch ? .max : actual)
    }
}

/// Returns a non-negative code of FFmpeg, or throws the error that it means.
@discardableResult
func check(_ code: CInt, _ action: String) throws(MediaError) -> CInt {
    guard code < 0 else { return code }
    throw FFmpegError(code: code, line: FFmpegLog.takeLine()).mediaError(action)
}
