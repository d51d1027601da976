import Glibc
internal import LazyBase

/// Reads a line of a journal piece by piece, as `JournalRecord` writes it.
///
/// It knows no other form of JSON: whatever it cannot read is left to the decoder.
struct JournalLineReader {
    private var rest: UnsafeRawBufferPointer

    init(_ line: UnsafeRawBufferPointer) { rest = line }

    /// Whether nothing is left.
    var isAtEnd: Bool { rest.isEmpty }

    /// Skips these bytes; false where others follow.
    mutating func skip(_ text: StaticString) -> Bool {
        guard rest.count >= text.utf8CodeUnitCount, let start = rest.baseAddress,
            memcmp(start, text.utf8Start, text.utf8CodeUnitCount) == 0
        else { return false }
        rest = UnsafeRawBufferPointer(rebasing: rest[text.utf8CodeUnitCount...])
        return true
    }

    /// The bytes up to the next quotation mark, which is skipped; nil where one of them is escaped.
    mutating func text() -> UnsafeRawBufferPointer? {
        guard let start = rest.baseAddress, let mark = memchr(start, 0x22, rest.count) else {
            return nil
        }
        let count = UnsafeRawPointer(mark) - start
        guard memchr(start, 0x5C, count) == nil else { return nil }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[(count + 1)...]) }
        return UnsafeRawBufferPointer(rebasing: rest[..<count])
    }

    /// A text in quotation marks.
    mutating func string() -> String? {
        guard skip("\""), let bytes = text() else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// A number of at most 18 digits.
    mutating func integer() -> Int? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard (1...18).contains(digits.count) else { return nil }
        rest = UnsafeRawBufferPointer(rebasing: rest[digits.endIndex...])
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}

extension JournalRecord {
    /// Reads a line in the usual form; nil for any other.
    init?(usual line: UnsafeRawBufferPointer) {
        var reader = JournalLineReader(line)
        guard reader.skip(#"{"state": "#), let word = reader.string(),
            let state = State(rawValue: word),
            reader.skip(#", "output": "#), let output = reader.string(),
            reader.skip(#", "input": "#), let input = reader.string(),
            reader.skip(#", "options": "#), let options = reader.string(),
            reader.skip(#", "identity": "#)
        else { return nil }
        let identity = reader.skip("null") ? nil : reader.string().flatMap { InputIdentity($0) }
        let content = reader.skip(#", "content": "#) ? reader.string() : nil
        var files: [File] = []
        if reader.skip(#", "files": ["#) {
            repeat {
                guard reader.skip("["), let path = reader.string(), reader.skip(", "),
                    let size = reader.integer(), reader.skip("]")
                else { return nil }
                files.append(File(path: path, size: size))
            } while reader.skip(", ")
            guard reader.skip("]") else { return nil }
        }
        var seals: [String]?
        if reader.skip(#", "seals": ["#) {
            var texts: [String] = []
            repeat {
                guard let text = reader.string() else { return nil }
                texts.append(text)
            } while reader.skip(", ")
            guard reader.skip("]") else { return nil }
            seals = texts
        }
        var readyCount = 0
        if reader.skip(#", "ready": "#) {
            guard let count = reader.integer() else { return nil }
            readyCount = count
        }
        var volume: Volume?
        if reader.skip(#", "volume": "#) {
            guard let text = reader.string() else { return nil }
            volume = Volume(text: text)
        }
        guard reader.skip("}"), reader.isAtEnd else { return nil }
        self.init(
            state, output: output, input: input, identity: identity, options: options,
            content: content, files: files)
        (self.readyCount, self.volume) = (readyCount, volume)
        // Mapped bytes are written in another way.
        guard ([output, input] + files.map(\.path)).allSatisfy({ !FileName.isMapped($0) }) else {
            return nil
        }
        if let seals, !add(seals) { return nil }
    }
}
