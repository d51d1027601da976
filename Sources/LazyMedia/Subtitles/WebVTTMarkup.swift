/// The tags of a cue of WebVTT as those of ASS (WebVTT 6.4, "Cue text parsing rules").
///
/// Bold, italic, underlined, and the eight colors that browsers know as classes are drawn; voices, languages, ruby and times
/// are text like any other.
struct WebVTTMarkup {
    /// The text of the event.
    private(set) var words: [UInt8] = []
    /// Its lines, before any is broken.
    private(set) var lineCount = 1
    /// Whether its first letter is of Hebrew or Arabic.
    private(set) var isRightToLeft = false

    private var script = ScriptWords()
    private var open: [(name: [UInt8], color: String?)] = []
    private var text: [UInt8] = []

    /// The most tags in each other.
    private static let maxDepth = 64

    /// Reads the text of a cue.
    init(_ cue: ArraySlice<UInt8>) {
        var rest = cue
        let lastTag = cue.lastIndex(of: UInt8(ascii: ">")) ?? cue.startIndex
        while let byte = rest.first {
            if byte == UInt8(ascii: "<") {
                // A tag that is not closed reaches to the end.
                let end =
                    rest.startIndex < lastTag
                    ? rest.firstIndex(of: UInt8(ascii: ">")) ?? rest.endIndex : rest.endIndex
                readTag(rest[..<end].dropFirst())
                rest = rest[end...].dropFirst()
            } else if byte == UInt8(ascii: "&"), let (name, value) = Self.entity(rest) {
                put(value)
                rest = rest.dropFirst(name)
            } else {
                put([byte])
                rest = rest.dropFirst()
            }
        }
        script.trimEnd()
        words = script.bytes
        let lines = text.split(separator: UInt8(ascii: "\n"))
        lineCount = max(1, lines.count)
        isRightToLeft = String(decoding: text, as: UTF8.self).beginsRightToLeft
    }

    private mutating func put(_ bytes: [UInt8]) {
        script.put(bytes)
        text += bytes
    }

    // MARK: - Tags

    private mutating func readTag(_ tag: ArraySlice<UInt8>) {
        let isEnd = tag.first == UInt8(ascii: "/")
        let body = isEnd ? tag.dropFirst() : tag
        let head = body.prefix { !$0.isSpace }
        let parts = head.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard let name = parts.first.map(Array.init), Self.names.contains(name) else { return }
        if isEnd { close(name) } else { open(name, parts.dropFirst()) }
    }

    private mutating func open(_ name: [UInt8], _ classes: ArraySlice<ArraySlice<UInt8>>) {
        guard open.count < Self.maxDepth else { return }
        if name.count == 1, Self.styles.contains(name[0]) {
            script.put(tags: "\\\(String(decoding: name, as: UTF8.self))1")
        }
        let color = classes.lazy.compactMap { Self.colors[String(decoding: $0, as: UTF8.self)] }
            .first.map { PixelColor($0).scriptColor }
        if let color { script.put(tags: color) }
        open.append((name, color))
    }

    /// Ends the innermost tag if it has this name (WebVTT 6.4, "end tag").
    private mutating func close(_ name: [UInt8]) {
        guard let last = open.last, last.name == name else { return }
        open.removeLast()
        if name.count == 1, Self.styles.contains(name[0]),
            !open.contains(where: { $0.name == name })
        {
            script.put(tags: "\\\(String(decoding: name, as: UTF8.self))0")
        }
        if last.color != nil { script.put(tags: open.last { $0.color != nil }?.color ?? "\\c") }
    }

    private static let names = Set(
        ["b", "i", "u", "c", "v", "lang", "ruby", "rt"].map { Array($0.utf8) })
    private static let styles = Set("biu".utf8)
    /// The classes of WebVTT 5.1, "Default text colors".
    private static let colors: [String: UInt32] = [
        "white": 0xFFFFFF, "lime": 0x00FF00, "cyan": 0x00FFFF, "red": 0xFF0000,
        "yellow": 0xFFFF00, "magenta": 0xFF00FF, "blue": 0x0000FF, "black": 0x000000,
    ]

    // MARK: - Characters of HTML

    /// The length of a character reference and its character.
    private static func entity(_ rest: ArraySlice<UInt8>) -> (Int, [UInt8])? {
        for (name, value) in entities where rest.starts(with: name) { return (name.count, value) }
        guard rest.dropFirst().first == UInt8(ascii: "#"),
            let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";"))
        else { return nil }
        let digits = String(decoding: rest[..<end].dropFirst(2), as: UTF8.self)
        let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
        let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let number, number > 0, let scalar = Unicode.Scalar(number) else { return nil }
        return (end + 1 - rest.startIndex, Array(String(scalar).utf8))
    }

    private static let entities: [(name: [UInt8], value: [UInt8])] = [
        ("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", "\u{A0}"), ("&amp;", "&"), ("&lrm;", "\u{200E}"),
        ("&rlm;", "\u{200F}"), ("&quot;", "\""), ("&apos;", "'"),
    ].map { (Array($0.utf8), Array($1.utf8)) }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

extension String {
    fileprivate var beginsRightToLeft: Bool {
        let first = unicodeScalars.first { $0.properties.isAlphabetic }
        return first.map { scalar in
            [0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF].contains { $0.contains(scalar.value) }
        } ?? false
    }
}
