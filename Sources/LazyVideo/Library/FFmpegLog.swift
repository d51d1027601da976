internal import CFFmpeg

/// FFmpeg's log, which is not printed.
enum FFmpegLog {
    /// Removes and returns the last error message of this thread; empty without one.
    static func takeLine() -> String { String(cString: lz_log_take_line()) }

    /// Whether pages of Ogg or elements of Matroska were left out on this thread since the last call, because their check
    /// sums or sizes are wrong.
    static func takeLostParts() -> Bool { lz_log_take_lost_parts() > 0 }
}
