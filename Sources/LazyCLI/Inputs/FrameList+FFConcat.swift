internal import LazyBase
internal import LazyMedia
internal import LazyRenditions

extension FrameList {
    /// Parses a script of ffmpeg's concat demuxer: `file`, `duration` and comments.
    init(ffconcat bytes: [UInt8], _ path: String, _ limits: DecodingLimits) throws(MediaError) {
        var entries: [Entry] = []
        var (rest, number) = (bytes[...], 0)
        while !rest.isEmpty {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            rest = rest.dropFirst(line.count + 1)
            number += 1
            guard number > 1, case let words = try Self.words(line, number, path),
                let word = words.first
            else { continue }
            switch (FileName.text(word), words.count) {
            case ("file", 2):
                try Self.check(count: entries.count + 1, limits)
                entries.append(Entry(path: FileName.text(words[1])))
            case ("duration", 2) where !entries.isEmpty:
                let text = String(decoding: words[1], as: UTF8.self)
                guard let time = try? Words.time.parse(text) else {
                    throw Self.wrong("'\(text.prefix(40))' is not a time", number, path)
                }
                entries[entries.count - 1].duration = MediaTime(time)
            case (let other, _):
                throw Self.wrong("'\(other.prefix(40))' is not understood", number, path)
            }
        }
        // Lists for ffmpeg name the last file twice, since older versions ignore its duration.
        if let last = entries.last, let other = entries.dropLast().last, last.path == other.path,
            last.duration == nil, other.duration != nil
        {
            entries.removeLast()
        }
        self.init(entries)
    }

    private static func wrong(_ what: String, _ line: Int, _ path: String) -> MediaError {
        MediaError(.malformed, "In line \(line) of \(path), \(what).")
    }

    /// The words of a line: a backslash takes the next byte as it is, quotes take all between them.
    private static func words(
        _ line: ArraySlice<UInt8>, _ number: Int, _ path: String
    ) throws(MediaError) -> [[UInt8]] {
        var words: [[UInt8]] = []
        var (word, isQuoted) = ([UInt8]?.none, false)
        // In place: a word may be as long as the file.
        func add(_ byte: UInt8) { if word?.append(byte) == nil { word = [byte] } }
        var rest = line
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "'"):
                isQuoted.toggle()
                word = word ?? []
            case _ where isQuoted: word?.append(byte)
            case UInt8(ascii: "\\"):
                guard let next = rest.popFirst() else { break }
                add(next)
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                if let found = word { words.append(found) }
                word = nil
            case UInt8(ascii: "#") where words.isEmpty && word == nil: return []
            default: add(byte)
            }
        }
        if isQuoted { throw wrong("a quote has no end", number, path) }
        if let word { words.append(word) }
        return words
    }
}
