/// What libmagic calls bytes, as a part of a sentence, such as `a PCX picture`.
struct ContentName: Hashable {
    let text: String

    /// The name in a description as `file` prints it, of a MIME type; nil where it names nothing.
    ///
    /// Only the first words of a description are a name; what follows comes from the bytes themselves.
    init?(_ description: String, mimeType: String) {
        guard !mimeType.isEmpty, !Self.vague.contains(mimeType) else { return nil }
        var name = Self.firstWords(description)
        for (kind, noun) in Self.nouns where mimeType.hasPrefix(kind) {
            name = Self.cut(
                name,
                before: [" ver.", " version", " image", " Image", " video", " audio", " data"])
            if !name.hasSuffix(noun) { name += " " + noun }
        }
        if name.hasSuffix(" data"), !name.hasSuffix("compressed data"), !name.hasSuffix("text data")
        {
            name.removeLast(5)
        }
        if name.hasSuffix("text data") { name.removeLast(5) }
        guard name.count > 2 else { return nil }
        let last = name.split(separator: " ").last.map(String.init) ?? ""
        if Self.uncountable.contains(last) {
            text = name
            return
        }
        if !Self.countable.contains(last.lowercased()) { name += " file" }
        text = "\(Self.article(of: name)) \(name)"
    }

    /// Types of anything.
    private static let vague: Set = [
        "application/octet-stream", "text/plain", "application/x-empty", "inode/x-empty",
    ]
    /// What the beginnings of MIME types mean.
    private static let nouns = [
        ("image/", "picture"), ("video/", "film"), ("audio/", "sound file"),
    ]
    private static let uncountable: Set = ["data", "text", "source", "code"]
    private static let countable: Set = [
        "archive", "database", "document", "executable", "file", "film", "font", "image", "key",
        "library", "message", "object", "package", "picture", "playlist", "presentation", "program",
        "script", "spreadsheet",
    ]

    private static let mostCharacters = 60

    private static func firstWords(_ description: String) -> String {
        let line = description.unicodeScalars.prefix { (32..<127).contains($0.value) }
        var words = String(String.UnicodeScalarView(line.prefix(mostCharacters)))
        for end in [",", " (", " [", ":", ";", "\"", " - ", " conforming"] {
            words = cut(words, before: [end])
        }
        while words.last == " " { words.removeLast() }
        return words
    }

    private static func cut(_ text: String, before marks: [String]) -> String {
        let starts = marks.compactMap { text.firstRange(of: $0)?.lowerBound }
        return starts.min().map { String(text[..<$0]) } ?? text
    }

    /// By sound: abbreviations are spelled.
    private static func article(of name: String) -> String {
        let word = name.prefix { $0 != " " }
        guard let first = word.first else { return "a" }
        let isSpelled = word.allSatisfy { $0.isUppercase || $0.isNumber }
        return (isSpelled ? "AEFHILMNORSX8" : "AEIOaeio").contains(first) ? "an" : "a"
    }
}
