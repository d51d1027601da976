internal import LazyMedia

/// Reads the numbers of a box one after the other; a number beyond its end is an error.
struct BoxFields {
    private let bytes: [UInt8]
    private(set) var position: Int
    private let end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = min(range.upperBound, bytes.count)
    }

    init(_ bytes: [UInt8]) { self.init(bytes, bytes.indices) }

    /// Bytes that are left.
    var count: Int { max(0, end - position) }

    /// The rest, which may be empty.
    var rest: Range<Int> { min(position, end)..<end }

    /// Reads a number of 0 to 8 bytes, the highest first; none is 0.
    mutating func number(_ width: Int) throws(MediaError) -> UInt64 {
        guard width <= count else { throw .shortBox }
        defer { position += width }
        return bytes[position..<position + width].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Reads a number of up to 4 bytes.
    mutating func int(_ width: Int) throws(MediaError) -> Int { Int(try number(min(width, 4))) }

    /// Reads a signed number of 4 bytes.
    mutating func signed32() throws(MediaError) -> Int {
        Int(Int32(truncatingIfNeeded: try number(4)))
    }

    /// Reads the version and flags of a full box.
    mutating func version() throws(MediaError) -> (version: Int, flags: Int) {
        let word = try int(4)
        return (word >> 24, word & 0xFF_FFFF)
    }

    mutating func skip(_ count: Int) throws(MediaError) { _ = try slice(count) }

    /// Takes bytes.
    mutating func slice(_ count: Int) throws(MediaError) -> [UInt8] {
        guard count >= 0, count <= self.count else { throw .shortBox }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// Reads text up to a zero byte or the end.
    mutating func text() -> String {
        let text = bytes[rest].prefix { $0 != 0 }
        position = min(end, text.endIndex + 1)
        return String(decoding: text, as: UTF8.self)
    }
}

extension MediaError {
    static let shortBox = MediaError(.malformed, "A box of the HEIC is too short.")

    /// An error of the file's structure; `reason` completes the sentence "The HEIC …".
    static func heic(_ reason: String) -> MediaError {
        MediaError(.malformed, "The HEIC \(reason).")
    }
}
