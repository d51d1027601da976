/// Walks through the elements and attributes of XMP, in the order of the text.
///
/// Names come without their prefix. References such as `&lt;` stay as they are: no number has any.
struct XMPScan {
    /// What was found.
    enum Found: Equatable {
        /// An element begins; its attributes follow.
        case element(String)
        /// An attribute, or an element that contains text only.
        case value(String, String)
    }

    private let text: ArraySlice<UInt8>
    private var position: Int
    private var isInTag = false
    /// The element whose text may follow.
    private var opened: String?

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        position = text.startIndex
    }

    /// The next one, or nil at the end or where the text is not XML.
    mutating func next() -> Found? {
        while position < text.endIndex {
            if isInTag {
                if let found = attribute() { return found }
            } else if let found = element() {
                return found
            }
        }
        return nil
    }

    private mutating func element() -> Found? {
        guard let start = text[position...].firstIndex(of: UInt8(ascii: "<")) else {
            position = text.endIndex
            return nil
        }
        let content = position..<start
        position = start + 1
        let name = takeName()
        if !name.isEmpty {
            (isInTag, opened) = (true, name)
            return .element(name)
        }
        let isEnd = position < text.endIndex && text[position] == UInt8(ascii: "/")
        defer { opened = nil }
        skip(past: UInt8(ascii: ">"))
        guard isEnd, let opened else { return nil }
        return .value(opened, trimmed(content))
    }

    private mutating func attribute() -> Found? {
        skipSpace()
        guard position < text.endIndex else { return nil }
        guard Self.isOfName(text[position]) else {
            // The end of the tag, or a letter that has no place in it.
            if text[position] == UInt8(ascii: ">") { isInTag = false }
            if text[position] == UInt8(ascii: "/") { opened = nil }
            position += 1
            return nil
        }
        let name = takeName()
        skipSpace()
        guard position < text.endIndex, text[position] == UInt8(ascii: "=") else { return nil }
        position += 1
        skipSpace()
        guard position < text.endIndex, Self.quotes.contains(text[position]) else { return nil }
        let quote = text[position]
        let start = position + 1
        position = start
        skip(past: quote)
        return .value(name, trimmed(start..<max(start, position - 1)))
    }

    private static let quotes = [UInt8(ascii: "\""), UInt8(ascii: "'")]

    /// Takes a name, and returns what follows its last colon.
    private mutating func takeName() -> String {
        let start = position
        while position < text.endIndex, Self.isOfName(text[position]) { position += 1 }
        let name = text[start..<position]
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        return String(decoding: local, as: UTF8.self)
    }

    private static func isOfName(_ letter: UInt8) -> Bool {
        switch letter {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "_"),
            UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...:
            true
        default: false
        }
    }

    private static func isSpace(_ letter: UInt8) -> Bool { letter <= 0x20 }

    private mutating func skipSpace() {
        while position < text.endIndex, Self.isSpace(text[position]) { position += 1 }
    }

    private mutating func skip(past letter: UInt8) {
        position = text[position...].firstIndex(of: letter).map { $0 + 1 } ?? text.endIndex
    }

    private func trimmed(_ range: Range<Int>) -> String {
        let start = text[range].drop(while: Self.isSpace)
        let end = start.lastIndex { !Self.isSpace($0) }.map { $0 + 1 } ?? start.startIndex
        return String(decoding: text[start.startIndex..<end], as: UTF8.self)
    }
}
