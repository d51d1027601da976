internal import LazyMedia

/// The text form of a sequence, one line per frame, for comparisons and tests.
enum FrameHash {
    /// The header with the names of the columns.
    static let header = """
        # lazyimg framehash 1
        # sha256 over RGBA8 rows, straight alpha, RGB 0 where alpha is 0
        # index, pts_us, duration_us, width, height, sha256

        """

    /// The line of one frame.
    static func line(_ frame: Rendition.Frame, _ hash: String) -> String {
        let timing = frame.timing
        let numbers = [
            Int64(timing.index), timing.presentation.microseconds, timing.duration.microseconds,
            Int64(frame.size.width), Int64(frame.size.height),
        ]
        return numbers.map { "\($0), " }.joined() + hash + "\n"
    }
}
