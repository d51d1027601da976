/// A JSON text in the making; keys stay in the order they were given.
package indirect enum JSONValue {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    /// The name of a file, which need not be UTF-8; as a member it may become two.
    case name(String)
    case array([JSONValue])
    case object([(String, JSONValue)])

    /// The integer, or null.
    package static func integer(_ value: (some BinaryInteger)?) -> JSONValue {
        value.map { .integer(Int64($0)) } ?? .null
    }

    /// The text, or null.
    package static func string(orNull value: String?) -> JSONValue {
        value.map { .string($0) } ?? .null
    }

    /// One line without a break, for logs and streams.
    package var line: String {
        var text = ""
        write(to: &text)
        return text
    }

    /// Lines for people: lists of objects have one object on a line.
    package var text: String {
        var text = ""
        write(to: &text, indentation: 0)
        return text + "\n"
    }

    private var isCollection: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }
}

extension JSONValue {
    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += value.isFinite ? String(value) : "null"
        case .string(let value), .name(let value): Self.write(value, to: &text)
        case .array(let values): Self.write(values, "[", "]", to: &text) { $0.write(to: &$1) }
        case .object(let members):
            Self.write(Self.written(members), "{", "}", to: &text) { member, text in
                Self.write(member.0, to: &text)
                text += ": "
                member.1.write(to: &text)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], _ opening: String, _ closing: String, to text: inout String,
        each: (Element, inout String) -> Void
    ) {
        text += opening
        for (number, element) in elements.enumerated() {
            if number > 0 { text += ", " }
            each(element, &text)
        }
        text += closing
    }

    // A root object, and a list of collections, stand on several lines; all else on one.
    private func write(to text: inout String, indentation: Int) {
        switch self {
        case .array(let values) where values.contains(where: \.isCollection):
            Self.write(lines: values, "[", "]", to: &text, indentation) { value, text in
                value.write(to: &text, item: indentation + 1)
            }
        case .object(let members) where indentation == 0:
            Self.write(lines: Self.written(members), "{", "}", to: &text, indentation) {
                member, text in
                Self.write(member.0, to: &text)
                text += ": "
                member.1.write(to: &text, indentation: indentation + 1)
            }
        default: write(to: &text)
        }
    }

    private func write(to text: inout String, item indentation: Int) {
        guard case .object(let members) = self, members.contains(where: { $0.1.isList }) else {
            return write(to: &text)
        }
        Self.write(lines: Self.written(members), "{", "}", to: &text, indentation) { member, text in
            Self.write(member.0, to: &text)
            text += ": "
            member.1.write(to: &text, indentation: indentation + 1)
        }
    }

    private var isList: Bool {
        if case .array = self { true } else { false }
    }

    private static func write<Element>(
        lines elements: [Element], _ opening: String, _ closing: String, to text: inout String,
        _ indentation: Int, each: (Element, inout String) -> Void
    ) {
        text += opening
        for (number, element) in elements.enumerated() {
            text += number > 0 ? ",\n" : "\n"
            text += String(repeating: "  ", count: indentation + 1)
            each(element, &text)
        }
        text += "\n" + String(repeating: "  ", count: indentation) + closing
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.readable.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..<"\u{20}", "\u{7f}"..."\u{9f}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
