internal import CFFmpeg
internal import LazyMedia

/// The damage that decoding met, which is skipped or concealed as the `ffmpeg` command does.
struct DecodingDamage {
    /// Packets that were not decoded, or only with concealed parts.
    private(set) var count = 0
    /// The first error.
    private(set) var firstFault: MediaError?

    /// Counts a damaged packet or picture.
    mutating func add() { count += 1 }

    /// Counts a packet that the decoder rejected.
    mutating func add(status: CInt) {
        count += 1
        let error = FFmpegError(code: status, line: FFmpegLog.takeLine())
        if firstFault == nil { firstFault = error.mediaError("decode the picture") }
    }
}
