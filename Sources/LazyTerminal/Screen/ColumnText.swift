internal import LazyBase

/// Text in columns of a terminal.
enum ColumnText {
    /// A text with a question mark for what is not printed, and with `ASCII` for all that is not that.
    static func printable(_ text: String, isASCII: Bool) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    let isHidden = scalar.isUnprintable || FileName.isMapped(scalar)
                    return isHidden || isASCII && !scalar.isASCII ? "?" : scalar
                }))
    }

    /// A text in exactly so many columns: filled with blanks, or cut in its middle.
    static func fitted(_ text: String, _ columns: Int, isASCII: Bool) -> String {
        let width = text.reduce(0) { $0 + columnCount($1) }
        guard width > columns else { return text + blanks(columns - width) }
        let mark = isASCII ? "~" : "…"
        // The end has the number and the extension.
        let tail = suffix(text, (columns - 1) / 3)
        let head = prefix(text, columns - 1 - tail.width)
        return head.text + mark + tail.text + blanks(columns - 1 - head.width - tail.width)
    }

    /// A text in exactly so many columns: filled with blanks, or cut at its end.
    static func start(of text: String, _ columns: Int) -> String {
        let head = prefix(text, columns)
        return head.text + blanks(columns - head.width)
    }

    /// A line without the blanks at its end.
    static func withoutTail(_ line: String) -> String {
        guard let last = line.lastIndex(where: { $0 != " " }) else { return "" }
        return String(line[...last])
    }

    private static func blanks(_ count: Int) -> String {
        String(repeating: " ", count: max(0, count))
    }

    private static func prefix(_ text: some Sequence<Character>, _ columns: Int) -> (
        text: String, width: Int
    ) {
        var taken = (text: "", width: 0)
        for character in text {
            let width = columnCount(character)
            if taken.width + width > columns { break }
            taken.text.append(character)
            taken.width += width
        }
        return taken
    }

    private static func suffix(_ text: String, _ columns: Int) -> (text: String, width: Int) {
        let taken = prefix(text.reversed(), columns)
        return (String(taken.text.reversed()), taken.width)
    }

    /// The columns of a character: two for those of East Asia and for emoji.
    private static func columnCount(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        let isWide = wide.contains { $0.contains(scalar.value) }
        return isWide || scalar.properties.isEmojiPresentation ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]
}
