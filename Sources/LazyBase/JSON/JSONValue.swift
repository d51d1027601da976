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
    /// A list of so many objects, each of which is made when it is written.
    case rows(Int, @Sendable (Int) -> JSONValue)
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
        var output = JSONOutput()
        write(to: &output)
        return output.text
    }

    /// Lines for people: lists of objects have one object on a line.
    package var text: String {
        var output = JSONOutput()
        write(to: &output, indentation: 0)
        return output.text + "\n"
    }

    /// Passes on the same text in pieces, until `emit` returns false: long lists take little memory.
    package func pieces(_ emit: @escaping (String) -> Bool) {
        var output = JSONOutput(emit)
        write(to: &output, indentation: 0)
        output += "\n"
        output.finish()
    }

    private var isCollection: Bool {
        switch self {
        case .array, .rows, .object: true
        default: false
        }
    }
}

extension JSONValue {
    private func write(to output: inout JSONOutput) {
        switch self {
        case .null: output += "null"
        case .bool(let value): output += value ? "true" : "false"
        case .integer(let value): output += String(value)
        case .number(let value): output += value.isFinite ? String(value) : "null"
        case .string(let value), .name(let value): Self.write(value, to: &output)
        case .array(let values): Self.write(values, "[", "]", to: &output) { $0.write(to: &$1) }
        case .rows(let count, let make):
            Self.write((0..<count).lazy.map(make), "[", "]", to: &output) { $0.write(to: &$1) }
        case .object(let members):
            Self.write(Self.written(members), "{", "}", to: &output) { member, output in
                Self.write(member.0, to: &output)
                output += ": "
                member.1.write(to: &output)
            }
        }
    }

    private static func write<Element>(
        _ elements: some Sequence<Element>, _ opening: String, _ closing: String,
        to output: inout JSONOutput,
        each: (Element, inout JSONOutput) -> Void
    ) {
        output += opening
        for (number, element) in elements.enumerated() {
            if number > 0 { output += ", " }
            each(element, &output)
        }
        output += closing
    }

    // A root object, and a list of collections, stand on several lines; all else on one.
    private func write(to output: inout JSONOutput, indentation: Int) {
        switch self {
        case .array(let values) where values.contains(where: \.isCollection):
            Self.write(lines: values, "[", "]", to: &output, indentation) { value, output in
                value.write(to: &output, item: indentation + 1)
            }
        case .rows(let count, let make) where count > 0:
            Self.write(lines: (0..<count).lazy.map(make), "[", "]", to: &output, indentation) {
                $0.write(to: &$1, item: indentation + 1)
            }
        case .object(let members) where indentation == 0:
            Self.write(lines: Self.written(members), "{", "}", to: &output, indentation) {
                member, output in
                Self.write(member.0, to: &output)
                output += ": "
                member.1.write(to: &output, indentation: indentation + 1)
            }
        default: write(to: &output)
        }
    }

    private func write(to output: inout JSONOutput, item indentation: Int) {
        guard case .object(let members) = self, members.contains(where: { $0.1.isList }) else {
            return write(to: &output)
        }
        Self.write(lines: Self.written(members), "{", "}", to: &output, indentation) {
            member, output in
            Self.write(member.0, to: &output)
            output += ": "
            member.1.write(to: &output, indentation: indentation + 1)
        }
    }

    private var isList: Bool {
        switch self {
        case .array, .rows: true
        default: false
        }
    }

    private static func write<Element>(
        lines elements: some Sequence<Element>, _ opening: String, _ closing: String,
        to output: inout JSONOutput,
        _ indentation: Int, each: (Element, inout JSONOutput) -> Void
    ) {
        output += opening
        for (number, element) in elements.enumerated() {
            output += number > 0 ? ",\n" : "\n"
            output += String(repeating: "  ", count: indentation + 1)
            each(element, &output)
            guard output.pass() else { return }
        }
        output += "\n" + String(repeating: "  ", count: indentation) + closing
    }

    private static func write(_ string: String, to output: inout JSONOutput) {
        output += "\""
        for scalar in string.readable.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            // What a terminal would take for an order, or what moves text, is the same value as an escape.
            case _ where scalar.isUnprintable:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: output += scalar
            }
        }
        output += "\""
    }
}
