internal import CFFmpeg

/// FFmpeg's log, which is not printed.
enum FFmpegLog {
    /// Removes and returns the last error message of this thread; empty without one.
    static func takeLine() -> String { String(cString: lz_log_take_line()) }
}
