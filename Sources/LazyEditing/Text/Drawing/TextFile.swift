internal import LazyMedia

/// A sanitized script with its fonts as one file, which another process draws.
///
/// Numbers are little-endian, and texts follow their length.
struct TextFile {
    /// The size of the pictures that it is drawn on.
    let size: PixelSize
    let header: String
    let lines: [SubtitleTrack.Line]
    let fonts: [SubtitleTrack.Font]

    init(
        size: PixelSize, header: String, lines: [SubtitleTrack.Line], fonts: [SubtitleTrack.Font]
    ) {
        self.size = size
        self.header = header
        self.lines = lines
        self.fonts = fonts
    }

    /// The bytes of the file.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        func putNumber(_ number: some BinaryInteger) {
            withUnsafeBytes(of: Int64(number).littleEndian) { bytes += $0 }
        }
        func put(_ part: some Collection<UInt8>) {
            putNumber(part.count)
            bytes += part
        }
        putNumber(size.width)
        putNumber(size.height)
        put(header.utf8)
        putNumber(lines.count)
        for line in lines {
            putNumber(line.start)
            putNumber(line.duration)
            put(line.text.utf8)
        }
        putNumber(fonts.count)
        for font in fonts {
            put(font.name.utf8)
            put(font.bytes)
        }
        return bytes
    }

    /// Reads a file; throws `.malformed`.
    init(_ bytes: [UInt8]) throws(MediaError) {
        var reader = Reader(rest: bytes[...])
        guard
            let size = PixelSize(checking: Int(try reader.number()), Int(try reader.number()))
        else { throw .noText }
        self.size = size
        header = try reader.text()
        var lines: [SubtitleTrack.Line] = []
        for _ in 0..<(try reader.count(atMost: SubtitleTrack.maxLines)) {
            lines.append(
                .init(
                    start: try reader.number(), duration: try reader.number(),
                    text: try reader.text()))
        }
        self.lines = lines
        var fonts: [SubtitleTrack.Font] = []
        for _ in 0..<(try reader.count(atMost: SubtitleTrack.maxFonts)) {
            fonts.append(.init(name: try reader.text(), bytes: Array(try reader.part())))
        }
        self.fonts = fonts
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func number() throws(MediaError) -> Int64 {
            guard rest.count >= 8 else { throw .noText }
            defer { rest = rest.dropFirst(8) }
            return rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int64($1) }
        }

        mutating func count(atMost most: Int) throws(MediaError) -> Int {
            let number = try number()
            guard (0...Int64(most)).contains(number) else { throw .noText }
            return Int(number)
        }

        mutating func part() throws(MediaError) -> ArraySlice<UInt8> {
            let count = try count(atMost: .max)
            guard count <= rest.count else { throw .noText }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        mutating func text() throws(MediaError) -> String {
            String(decoding: try part(), as: UTF8.self)
        }
    }
}

extension MediaError {
    fileprivate static let noText = MediaError(.malformed, "The text to be drawn is incomplete.")
}
