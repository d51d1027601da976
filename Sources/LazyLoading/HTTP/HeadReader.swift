/// Parses the lines of a response head; drops interim responses (1xx) and trailers.
///
/// All of them count towards the limits, so that none can be endless.
struct HeadReader {
    /// The result of a line.
    enum Step: Equatable {
        /// More lines are needed.
        case more
        /// The head is complete.
        case whole
        /// The lines are malformed or too many; completes the phrase "the response has".
        case fault(String)
    }

    /// The maximum number of fields and of bytes.
    let fieldLimit: Int, byteLimit: Int
    /// The parsed part of the head.
    private(set) var status = 0
    private(set) var headers = HTTPHeaders()
    private(set) var isWhole = false
    private var byteCount = 0
    private var lineCount = 0
    private var last: HTTPHeaders.Field?

    init(fieldLimit: Int, byteLimit: Int) {
        self.fieldLimit = fieldLimit
        self.byteLimit = byteLimit
    }

    /// Parses a line, including its end.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Step {
        byteCount += line.count
        lineCount += 1
        guard byteCount <= byteLimit else {
            return .fault("a head of more than \(byteLimit) bytes")
        }
        // The status line and the empty line are not fields; those of interim responses count.
        guard lineCount <= fieldLimit + 2 else {
            return .fault("more than \(fieldLimit) header fields")
        }
        // Trailers are ignored.
        if isWhole { return .more }
        let text = line.prefix { $0 != 0x0D && $0 != 0x0A }
        if text.starts(with: Array("HTTP/".utf8)) { return begin(text) }
        if text.isEmpty { return end() }
        return takeField(text)
    }

    private mutating func begin(_ line: Slice<UnsafeRawBufferPointer>) -> Step {
        let words = line.split(separator: 0x20, maxSplits: 2)
        guard words.count >= 2, words[1].count == 3,
            let status = Int(String(decoding: words[1], as: UTF8.self)),
            (100...999).contains(status)
        else { return .fault("a bad status line") }
        self.status = status
        headers = HTTPHeaders()
        last = nil
        return .more
    }

    private mutating func takeField(_ line: Slice<UnsafeRawBufferPointer>) -> Step {
        if line.first == 0x20 || line.first == 0x09 {
            // A folded line continues the previous one (RFC 9112, 5.2).
            guard var folded = last else { return .fault("a bad header field") }
            folded.value += " " + text(line)
            last = folded
            return .more
        }
        guard let colon = line.firstIndex(of: 0x3A), colon > line.startIndex,
            line[..<colon].allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return .fault("a bad header field") }
        addLast()
        guard headers.fields.count < fieldLimit else {
            return .fault("more than \(fieldLimit) header fields")
        }
        last = HTTPHeaders.Field(
            name: String(decoding: line[..<colon], as: UTF8.self), value: text(line[(colon + 1)...])
        )
        return .more
    }

    private mutating func end() -> Step {
        addLast()
        isWhole = status >= 200
        return isWhole ? .whole : .more
    }

    private mutating func addLast() {
        if let last { headers.add(last.name, last.value) }
        last = nil
    }

    private func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var bytes = bytes.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
