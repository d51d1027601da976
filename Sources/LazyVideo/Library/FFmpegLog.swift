internal import CFFmpeg

/// FFmpeg's log, which is not printed.
enum FFmpegLog {
    /// Removes and returns the last error message of this thread; empty without one.
    static func takeLine() -> String { String(cString: lz_log_take_line()) }

    /// Whether pages of Ogg were left out on this thread since the last call, because their check sums are wrong.
    static func takeLostPages() -> Bool { lz_log_take_lost_pages() > 0 }
}
