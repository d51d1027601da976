import Glibc

/// An element of XML with its attributes and elements; of its text what is before the first element.
///
/// For manifests, which are untrusted: no document types, no entities but those of XML itself, and bounds for depth,
/// elements and attributes. Prefixes of names are left out.
///
/// Why not expat or libxml2: either would be one more library to find, to wrap and to isolate, for a twentieth of what
/// it reads, and what a manifest makes of its numbers would be limited by us all the same. This one looks at no byte
/// more than a few times, whatever follows it, and keeps no text that is not in the document: a process that reads
/// 400,000 elements takes some 85 MB.
struct XMLElement {
    let name: String
    private(set) var attributes: [(name: String, value: String)] = []
    fileprivate(set) var children: [XMLElement] = []
    fileprivate(set) var text = ""

    /// Parses a document and returns its root; nil for what is not well formed or has too many elements.
    init?(document: [UInt8], _ budget: StreamBudget) throws(StreamError) {
        var parser = XMLParser(document, budget)
        guard let root = try parser.root() else { return nil }
        self = root
    }

    fileprivate init(name: String, attributes: [(name: String, value: String)]) {
        self.name = name
        self.attributes = attributes
    }

    /// The value of an attribute.
    subscript(name: String) -> String? { attributes.last { $0.name == name }?.value }

    /// The elements of a name.
    func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

    /// The first element of a name.
    func first(_ name: String) -> XMLElement? { children.first { $0.name == name } }
}

private struct XMLParser {
    private static let maxDepth = 24
    private static let maxElements = 400_000
    private static let maxAttributes = 256
    /// The memory that an element and an attribute take, about.
    private static let elementSize = 160, attributeSize = 64

    private let bytes: [UInt8]
    private let budget: StreamBudget
    /// How far the document was read.
    private var place: Int
    private var count = 0

    init(_ bytes: [UInt8], _ budget: StreamBudget) {
        (self.bytes, self.budget) = (bytes, budget)
        place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    mutating func root() throws(StreamError) -> XMLElement? {
        while let tag = try nextTag() {
            switch tag {
            case .other: continue
            case .open(let element, let isEmpty):
                if isEmpty { return element }
                return try content(of: element, depth: 1)
            case .close: return nil
            }
        }
        return nil
    }

    private enum Tag {
        case open(XMLElement, isEmpty: Bool)
        case close(String)
        /// A declaration, a comment or an instruction.
        case other
    }

    private mutating func content(
        of element: XMLElement, depth: Int
    ) throws(StreamError) -> XMLElement? {
        guard depth < Self.maxDepth else { return nil }
        var element = element
        while true {
            let end = find("<") ?? bytes.count
            if element.children.isEmpty, end > place {
                element.text += try decoded(bytes[place..<end])
            }
            place = end
            guard let tag = try nextTag() else { return nil }
            switch tag {
            case .other: continue
            case .close(let name): return name == element.name ? element : nil
            case .open(let child, let isEmpty):
                guard let whole = isEmpty ? child : try content(of: child, depth: depth + 1) else {
                    return nil
                }
                element.children.append(whole)
            }
        }
    }

    /// The place of a byte from here on; nil if there is none.
    private func find(_ byte: Unicode.Scalar) -> Int? {
        bytes.withUnsafeBytes { all in
            guard let start = all.baseAddress, place < all.count,
                let found = memchr(start + place, CInt(byte.value), all.count - place)
            else { return nil }
            return UnsafeRawPointer(found) - start
        }
    }

    private mutating func nextTag() throws(StreamError) -> Tag? {
        try budget.spend()
        guard let start = find("<") else { return nil }
        place = start
        if skip("<!--", to: "-->") || skip("<?", to: "?>") || skip("<![CDATA[", to: "]]>") {
            return .other
        }
        // A document type could define entities.
        guard !begins("<!"), let tag = takeTag() else { return nil }
        if tag.first == UInt8(ascii: "/") {
            return .close(Self.local(tag.dropFirst().prefix { !Self.isSpace($0) }))
        }
        count += 1
        guard count <= Self.maxElements else { return nil }
        try budget.spend(bytes: Self.elementSize)
        let isEmpty = tag.last == UInt8(ascii: "/")
        let inner = isEmpty ? tag.dropLast() : tag
        let name = inner.prefix { !Self.isSpace($0) }
        guard !name.isEmpty, let attributes = try attributes(inner[name.endIndex...]) else {
            return nil
        }
        return .open(XMLElement(name: Self.local(name), attributes: attributes), isEmpty: isEmpty)
    }

    private func begins(_ word: String) -> Bool {
        bytes[min(place, bytes.count)...].starts(with: word.utf8)
    }

    /// The inside of a tag; a value in quotes may have the sign that ends it.
    private mutating func takeTag() -> ArraySlice<UInt8>? {
        var quote: UInt8?
        for end in (place + 1)..<bytes.count {
            let byte = bytes[end]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                defer { place = end + 1 }
                return bytes[(place + 1)..<end]
            }
        }
        return nil
    }

    private mutating func skip(_ start: String, to end: String) -> Bool {
        guard begins(start), let first = end.unicodeScalars.first else { return false }
        place += start.utf8.count
        while let next = find(first) {
            place = next
            if begins(end) {
                place += end.utf8.count
                return true
            }
            place += 1
        }
        place = bytes.count
        return true
    }

    private func attributes(
        _ inner: ArraySlice<UInt8>
    ) throws(StreamError) -> [(name: String, value: String)]? {
        var attributes: [(name: String, value: String)] = []
        var rest = inner.drop(while: Self.isSpace)
        while !rest.isEmpty {
            guard attributes.count < Self.maxAttributes else { return nil }
            let name = rest.prefix { $0 != UInt8(ascii: "=") && !Self.isSpace($0) }
            rest = rest[name.endIndex...].drop(while: Self.isSpace)
            guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "=") else { return nil }
            rest = rest.drop(while: Self.isSpace)
            guard let quote = rest.popFirst(),
                quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
                let end = rest.firstIndex(of: quote)
            else { return nil }
            try budget.spend(bytes: Self.attributeSize)
            attributes.append((Self.local(name), try decoded(rest[..<end])))
            rest = rest[(end + 1)...].drop(while: Self.isSpace)
        }
        return attributes
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    private static func local(_ name: ArraySlice<UInt8>) -> String {
        let prefix = name.lastIndex(of: UInt8(ascii: ":")).map { name[...$0] } ?? name.prefix(0)
        return String(decoding: name[prefix.endIndex...], as: UTF8.self)
    }

    private func decoded(_ bytes: ArraySlice<UInt8>) throws(StreamError) -> String {
        // Texts of a few bytes are in the string itself.
        if bytes.count > 15 { try budget.spend(bytes: bytes.count) }
        guard bytes.contains(UInt8(ascii: "&")) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        var (decoded, rest) = ([UInt8](), bytes)
        decoded.reserveCapacity(bytes.count)
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            try budget.spend()
            decoded += rest[..<start]
            rest = rest[(start + 1)...]
            // No further than the longest entity: a text may consist of beginnings.
            let word = rest.prefix(Self.longestEntity).prefix { $0 != UInt8(ascii: ";") }
            guard rest[word.endIndex...].first == UInt8(ascii: ";"),
                let character = Self.character(String(decoding: word, as: UTF8.self))
            else {
                decoded.append(UInt8(ascii: "&"))
                continue
            }
            decoded += String(character).utf8
            rest = rest[word.endIndex...].dropFirst()
        }
        return String(decoding: decoded + rest, as: UTF8.self)
    }

    private static let longestEntity = 9

    private static func character(_ entity: String) -> Character? {
        switch entity {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard entity.hasPrefix("#") else { return nil }
            let number = entity.dropFirst()
            let code = number.first == "x" ? UInt32(number.dropFirst(), radix: 16) : UInt32(number)
            return code.flatMap(Unicode.Scalar.init).map(Character.init)
        }
    }
}
