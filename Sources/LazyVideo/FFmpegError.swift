internal import CFFmpeg
internal import LazyMedia

/// A return code of FFmpeg below nought, with the line it logged.
struct FFmpegError: Error, Sendable, CustomStringConvertible {
    /// The code, such as `AVERROR_INVALIDDATA`.
    let code: CInt
    /// What FFmpeg wrote last on this thread; may be empty.
    let line: String

    /// FFmpeg's words for the code, and its log line.
    var description: String {
        var text = [CChar](repeating: 0, count: 128)
        _ = lz_strerror(code, &text, text.count)
        let words = String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return line.isEmpty ? words : "\(words) (\(line))"
    }

    /// The same as a `MediaError`; `action` is what was being done, such as `open the file`.
    func mediaError(_ action: String) -> MediaError {
        switch code {
        case LZ_ERROR_EXIT: return .cancelled
        case LZ_ERROR_NOMEM:
            return MediaError(.environment, "There is no memory to \(action).", underlying: self)
        case LZ_ERROR_EOF:
            return MediaError(
                .truncated, "Cannot \(action): the data ends too early.", underlying: self)
        default:
            return MediaError(.malformed, "Cannot \(action): \(self).", underlying: self)
        }
    }
}

/// Passes a return code of FFmpeg through, or throws what it means.
@discardableResult
func check(_ code: CInt, _ action: String) throws(MediaError) -> CInt {
    guard code < 0 else { return code }
    throw FFmpegError(code: code, line: FFmpegLog.takeLine()).mediaError(action)
}

/// What FFmpeg logs; it is kept quiet from the moment it is loaded.
enum FFmpegLog {
    /// The last error line of this thread, which is forgotten; empty without one.
    static func takeLine() -> String { String(cString: lz_log_take_line()) }
}
