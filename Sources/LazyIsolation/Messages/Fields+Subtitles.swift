internal import LazyMedia

extension TrackChoice: MessageField {
    func write(to writer: inout MessageWriter) {
        switch self {
        case .standard: writer.put(UInt8(1))
        case .number(let number):
            writer.put(UInt8(2))
            writer.put(number)
        case .language(let language):
            writer.put(UInt8(3))
            writer.put(language)
        }
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        switch try reader.number(UInt8.self) {
        case 1: self = .standard
        case 2: self = .number(try reader.field())
        case 3: self = .language(try reader.field())
        default: throw GrammarError("A request is for unknown subtitles.")
        }
    }
}

extension SubtitleTrack: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(bytes: Array(header.utf8))
        writer.put(lines)
        writer.put(fonts)
        writer.put(warnings)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        self.init(
            header: try reader.longText(), lines: try reader.field(), fonts: try reader.field(),
            warnings: try reader.field())
        guard lines.count <= Self.maxLines, fonts.count <= Self.maxFonts,
            header.utf8.count + lines.reduce(0, { $0 + $1.text.utf8.count }) <= Self.maxBytes
        else { throw GrammarError("A message has more subtitles than there may be.") }
    }
}

extension SubtitleTrack.Line: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(start)
        writer.put(duration)
        writer.put(bytes: Array(text.utf8))
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        self.init(
            start: try reader.number(), duration: try reader.number(),
            text: try reader.longText())
        guard start.magnitude <= 1 << 50, (0...1 << 50).contains(duration) else {
            throw GrammarError("A message has subtitles of an impossible time.")
        }
    }
}

extension SubtitleTrack.Font: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(name)
        writer.put(bytes: bytes)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        self.init(name: try reader.field(), bytes: try reader.list(atMost: Int(UInt32.max)))
    }
}

extension MessageReader {
    /// A text of any length that the message has.
    fileprivate mutating func longText() throws(GrammarError) -> String {
        let bytes = try list(atMost: SubtitleTrack.maxBytes)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw GrammarError("A message has text that is not UTF-8.")
        }
        return text
    }
}
