internal import LazyBase

/// An element of XML with its attributes and elements; of its text what is before the first element.
///
/// For manifests, which are untrusted: no document types, no entities but those of XML itself, and bounds for depth
/// and number of elements. Prefixes of names are left out.
struct XMLElement {
    let name: String
    private(set) var attributes: [String: String] = [:]
    fileprivate(set) var children: [XMLElement] = []
    fileprivate(set) var text = ""

    /// Parses a document and returns its root; nil for what is not well formed or too large.
    init?(document: [UInt8]) {
        var parser = XMLParser(document[...])
        guard let root = parser.root() else { return nil }
        self = root
    }

    fileprivate init(name: String, attributes: [String: String]) {
        self.name = name
        self.attributes = attributes
    }

    /// The value of an attribute.
    subscript(name: String) -> String? { attributes[name] }

    /// The elements of a name.
    func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

    /// The first element of a name.
    func first(_ name: String) -> XMLElement? { children.first { $0.name == name } }
}

private struct XMLParser {
    private static let maxDepth = 24
    private static let maxElements = 400_000

    private var rest: ArraySlice<UInt8>
    private var count = 0

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
    }

    mutating func root() -> XMLElement? {
        while let tag = nextTag() {
            switch tag {
            case .other: continue
            case .open(let element, let isEmpty):
                if isEmpty { return element }
                return content(of: element, depth: 1)
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

    private mutating func content(of element: XMLElement, depth: Int) -> XMLElement? {
        guard depth < Self.maxDepth else { return nil }
        var element = element
        while true {
            let text = rest.prefix { $0 != UInt8(ascii: "<") }
            if element.children.isEmpty { element.text += Self.decoded(text) }
            guard let tag = nextTag() else { return nil }
            switch tag {
            case .other: continue
            case .close(let name): return name == element.name ? element : nil
            case .open(let child, let isEmpty):
                guard let whole = isEmpty ? child : content(of: child, depth: depth + 1) else {
                    return nil
                }
                element.children.append(whole)
            }
        }
    }

    private mutating func nextTag() -> Tag? {
        rest = rest.drop { $0 != UInt8(ascii: "<") }
        if skip("<!--", to: "-->") || skip("<?", to: "?>") || skip("<![CDATA[", to: "]]>") {
            return .other
        }
        // A document type could define entities.
        guard !rest.isEmpty, !rest.starts(with: "<!".utf8), let tag = takeTag() else { return nil }
        if tag.first == UInt8(ascii: "/") {
            return .close(Self.local(tag.dropFirst().prefix { !Self.isSpace($0) }))
        }
        count += 1
        guard count <= Self.maxElements else { return nil }
        let isEmpty = tag.last == UInt8(ascii: "/")
        var inner = isEmpty ? tag.dropLast() : tag
        let name = inner.prefix { !Self.isSpace($0) }
        inner = inner.dropFirst(name.count)
        guard !name.isEmpty, let attributes = Self.attributes(inner) else { return nil }
        return .open(XMLElement(name: Self.local(name), attributes: attributes), isEmpty: isEmpty)
    }

    /// The inside of a tag; a value in quotes may have the sign that ends it.
    private mutating func takeTag() -> ArraySlice<UInt8>? {
        var quote: UInt8?
        for place in rest.indices {
            let byte = rest[place]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                let tag = rest[(rest.startIndex + 1)..<place]
                rest = rest[(place + 1)...]
                return tag
            }
        }
        return nil
    }

    private mutating func skip(_ start: String, to end: String) -> Bool {
        guard rest.starts(with: start.utf8) else { return false }
        let end = Array(end.utf8)
        rest = rest.dropFirst(start.utf8.count)
        while !rest.isEmpty, !rest.starts(with: end) { rest = rest.dropFirst() }
        rest = rest.dropFirst(end.count)
        return true
    }

    private static func attributes(_ bytes: ArraySlice<UInt8>) -> [String: String]? {
        var (rest, attributes) = (bytes.drop(while: isSpace), [String: String]())
        while !rest.isEmpty {
            let name = rest.prefix { $0 != UInt8(ascii: "=") && !isSpace($0) }
            rest = rest.dropFirst(name.count).drop(while: isSpace)
            guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "=") else { return nil }
            rest = rest.drop(while: isSpace)
            guard let quote = rest.popFirst(),
                quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
                let end = rest.firstIndex(of: quote)
            else { return nil }
            attributes[local(name)] = decoded(rest[..<end])
            rest = rest[(end + 1)...].drop(while: isSpace)
        }
        return attributes
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        [0x20, 0x09, 0x0A, 0x0D].contains(byte)
    }

    private static func local(_ name: ArraySlice<UInt8>) -> String {
        let text = String(decoding: name, as: UTF8.self)
        return text.split(separator: ":").last.map(String.init) ?? text
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.contains("&") else { return text }
        var (decoded, rest) = ("", text[...])
        while let start = rest.firstIndex(of: "&") {
            decoded += rest[..<start]
            rest = rest[start...]
            let word = rest.dropFirst().prefix { $0 != ";" }
            guard word.count < 10, rest.dropFirst(word.count + 1).first == ";",
                let character = character(word)
            else {
                decoded += "&"
                rest = rest.dropFirst()
                continue
            }
            decoded.append(character)
            rest = rest.dropFirst(word.count + 2)
        }
        return decoded + rest
    }

    private static func character(_ entity: Substring) -> Character? {
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
