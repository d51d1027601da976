/// Why a text is no JSON, and at which of its bytes.
package struct JSONFault: Error, Equatable {
    package let reason: String
    /// The byte, from 1.
    package let column: Int
}

/// Reads one JSON text (RFC 8259), such as a line of a manifest or of a journal.
package struct JSONParser {
    /// Deeper texts are refused: reading uses the stack.
    private static let deepest = 64

    private let bytes: [UInt8]
    private var place = 0
    private var depth = 0

    /// Reads a whole text; nothing but blanks may stand behind it.
    package static func parse(_ text: some StringProtocol) throws(JSONFault) -> JSONValue {
        var parser = JSONParser(bytes: Array(text.utf8))
        let value = try parser.takeValue()
        parser.skipBlanks()
        guard parser.place == parser.bytes.count else {
            throw parser.fault("there is something behind the value")
        }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func fault(_ reason: String) -> JSONFault {
        JSONFault(reason: reason, column: place + 1)
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipBlanks() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { place += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func takeValue() throws(JSONFault) -> JSONValue {
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"):
            return try nested { (parser) throws(JSONFault) in
                try parser.takeObject()
            }
        case UInt8(ascii: "["):
            return try nested { (parser) throws(JSONFault) in
                try parser.takeArray()
            }
        case UInt8(ascii: "\""): return .string(try takeString())
        case UInt8(ascii: "t"): return try takeWord("true", .bool(true))
        case UInt8(ascii: "f"): return try takeWord("false", .bool(false))
        case UInt8(ascii: "n"): return try takeWord("null", .null)
        case nil: throw fault("a value is missing")
        case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte):
            return try takeNumber()
        default: throw fault("there is no value")
        }
    }

    private mutating func nested(
        _ body: (inout JSONParser) throws(JSONFault) -> JSONValue
    ) throws(JSONFault) -> JSONValue {
        guard depth < Self.deepest else { throw fault("it is nested too deeply") }
        depth += 1
        place += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    private mutating func takeObject() throws(JSONFault) -> JSONValue {
        var members: [(String, JSONValue)] = []
        var names: Set<String> = []
        skipBlanks()
        if take("}") { return .object([]) }
        while true {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw fault("a name in quotes is missing") }
            let start = place
            let name = try takeString()
            guard names.insert(name).inserted else {
                place = start
                throw fault("the name '\(name)' is there twice")
            }
            skipBlanks()
            guard take(":") else { throw fault("a colon is missing") }
            members.append((name, try takeValue()))
            skipBlanks()
            if take("}") { return .object(members) }
            guard take(",") else { throw fault("a comma or } is missing") }
        }
    }

    private mutating func takeArray() throws(JSONFault) -> JSONValue {
        var values: [JSONValue] = []
        skipBlanks()
        if take("]") { return .array([]) }
        while true {
            values.append(try takeValue())
            skipBlanks()
            if take("]") { return .array(values) }
            guard take(",") else { throw fault("a comma or ] is missing") }
        }
    }

    private mutating func takeWord(
        _ word: String, _ value: JSONValue
    ) throws(JSONFault) -> JSONValue {
        guard bytes[place...].starts(with: word.utf8) else { throw fault("there is no value") }
        place += word.utf8.count
        return value
    }

    private mutating func takeNumber() throws(JSONFault) -> JSONValue {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let start = place
        let isPart: (UInt8) -> Bool = { digits.contains($0) || "+-.eE".utf8.contains($0) }
        while let byte = next, isPart(byte) { place += 1 }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        let unsigned = text.drop { $0 == "-" }
        // Swift takes numbers that JSON does not: 007, 1. and +1.
        let isWellFormed =
            text.count - unsigned.count <= 1 && unsigned.first?.isNumber == true
            && text.last?.isNumber == true && !text.contains(".e") && !text.contains(".E")
            && (!unsigned.hasPrefix("0") || unsigned.dropFirst().first?.isNumber != true)
        if isWellFormed {
            if let integer = Int64(text) { return .integer(integer) }
            if let number = Double(text), number.isFinite { return .number(number) }
        }
        place = start
        throw fault("the number is not well formed")
    }

    private mutating func takeString() throws(JSONFault) -> String {
        place += 1
        var text: [UInt8] = []
        let start = place
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                place += 1
                guard let string = String(validating: text, as: UTF8.self) else {
                    place = start
                    throw fault("the text is not UTF-8")
                }
                return string
            case UInt8(ascii: "\\"):
                place += 1
                text.append(contentsOf: String(try takeEscape()).utf8)
            case 0..<0x20: throw fault("a control character stands in a text")
            default:
                text.append(byte)
                place += 1
            }
        }
        throw fault("a text has no end")
    }

    private mutating func takeEscape() throws(JSONFault) -> Unicode.Scalar {
        guard let byte = next else { throw fault("a text has no end") }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try takeUnicode()
        default:
            place -= 1
            throw fault("there is no such escape")
        }
    }

    // A character beyond the first plane is written as two (RFC 8259, 7).
    private mutating func takeUnicode() throws(JSONFault) -> Unicode.Scalar {
        let first = try takeFourDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        if (0xD800..<0xDC00).contains(first), take("\\"), take("u") {
            let second = try takeFourDigits()
            if (0xDC00..<0xE000).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            {
                return scalar
            }
        }
        throw fault("half a character stands in a text")
    }

    private mutating func takeFourDigits() throws(JSONFault) -> UInt32 {
        guard place + 4 <= bytes.count,
            bytes[place..<place + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt32(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
        else { throw fault("four hexadecimal digits are missing") }
        place += 4
        return value
    }
}

extension JSONValue {
    /// The member of an object.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.0 == name }?.1
    }

    /// The text, where it is one.
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The number, where it is a whole one.
    package var integer: Int? {
        if case .integer(let number) = self { Int(number) } else { nil }
    }

    /// The elements, where it is an array.
    package var elements: [JSONValue]? {
        if case .array(let values) = self { values } else { nil }
    }
}
