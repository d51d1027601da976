internal import LazyMedia

/// The text form of a sequence, one line per frame, for comparisons and tests.
enum FrameHash {
    /// The header with the names of the columns.
    static func header(title: String?) -> String {
        """
        # lazyimg framehash 1
        \(title.map { "# input: \($0)\n" } ?? "")\
        # sha256 over RGBA8 rows, straight alpha, RGB 0 where alpha is 0
        # index, pts_us, duration_us, width, height, sha256

        """
    }

    /// The line of one frame.
    static func line(_ record: FrameRecord) -> String {
        let timing = record.frame.timing
        let numbers = [
            Int64(timing.index), timing.presentation.microseconds, timing.duration.microseconds,
            Int64(record.size.width), Int64(record.size.height),
        ]
        return numbers.map { "\($0), " }.joined() + (record.hash ?? "") + "\n"
    }
}

/// The output for one frame on standard output.
enum StreamItem: Sendable {
    /// RGBA8 rows.
    case pixels(Bitmap)
    /// A file.
    case bytes([UInt8])
    case hash(FrameRecord)

    /// Prints it, after the header for the first one of an input.
    func print(title: String?, isFirst: Bool) throws(CommandFailure) {
        switch self {
        case .pixels(let bitmap):
            try bitmap.withBytes { (bytes) throws(CommandFailure) in try Console.print(bytes) }
        case .bytes(let bytes):
            let result = bytes.withUnsafeBytes { bytes in
                Result { () throws(CommandFailure) in try Console.print(bytes) }
            }
            try result.get()
        case .hash(let record):
            let header = isFirst ? FrameHash.header(title: title) : ""
            try Console.tell(header + FrameHash.line(record))
        }
    }
}
