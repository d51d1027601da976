/// Text for an event of ASS in the making: what is text stays text, and tags are added on purpose.
package struct ScriptWords {
    /// The text of the event.
    package private(set) var bytes: [UInt8] = []

    /// Makes an empty text.
    package init() {}

    /// The text with what libass would take for an order made plain.
    package static func escaped(_ text: String) -> String {
        var words = ScriptWords()
        words.put(text.utf8)
        return String(decoding: words.bytes, as: UTF8.self)
    }

    /// Adds text.
    package mutating func put(_ text: some Sequence<UInt8>) {
        for byte in text { put(byte) }
    }

    /// Adds a byte of text.
    package mutating func put(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\n"): bytes += Self.lineBreak
        case UInt8(ascii: "\r"): break
        // A word joiner keeps a backslash from what follows it.
        case UInt8(ascii: "\\"): bytes += Self.plainBackslash
        case UInt8(ascii: "{"), UInt8(ascii: "}"): bytes += [UInt8(ascii: "\\"), byte]
        case ..<0x20: bytes.append(UInt8(ascii: " "))
        default: bytes.append(byte)
        }
    }

    /// Adds tags, such as `\i1`.
    package mutating func put(tags: String) { bytes += Array("{\(tags)}".utf8) }

    /// Adds what is written as ASS already.
    mutating func put(script: ArraySlice<UInt8>) { bytes += script }

    /// Removes line breaks and spaces at the end.
    mutating func trimEnd() {
        while true {
            if bytes.last == UInt8(ascii: " ") {
                bytes.removeLast()
            } else if bytes.suffix(2) == Self.lineBreak[...] {
                bytes.removeLast(2)
            } else {
                return
            }
        }
    }

    /// Removes spaces at the end.
    mutating func trimSpaces() {
        while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    }

    private static let lineBreak = Array("\\N".utf8)
    private static let plainBackslash = Array("\\\u{2060}".utf8)
}
