internal import LazyBase

/// What is asked is words; a value that is a number may be one in JSON, too.
extension Grammar {
    /// The value in JSON: a number where its text is one, otherwise its text.
    func json(_ value: Value) -> JSONValue {
        let text = text(value)
        guard value is Int || value is Double else { return .string(text) }
        if let number = Int64(text) { return .integer(number) }
        if let number = Double(text) { return .number(number) }
        return .string(text)
    }

    /// The value of a text or a number.
    func value(_ json: JSONValue) throws(WordError) -> Value {
        switch json {
        case .string(let text): try parse(text)
        case .integer(let number): try parse("\(number)")
        case .number(let number): try parse(Int64(exactly: number).map { "\($0)" } ?? "\(number)")
        default: throw WordError(expected, given: json.line)
        }
    }

    /// A JSON schema of its texts.
    var schema: JSONValue {
        let text: [(String, JSONValue)] = [
            ("type", .string("string")), ("pattern", .string(pattern)),
            ("examples", .array(samples.prefix(4).map { .string($0) })),
        ]
        guard Value.self is Int.Type || Value.self is Double.Type else { return .object(text) }
        let number = Value.self is Int.Type ? "integer" : "number"
        return .object([
            ("anyOf", .array([.object([("type", .string(number))]), .object(text)]))
        ])
    }
}

extension JSONValue {
    /// True or false.
    func boolean() throws(WordError) -> Bool {
        guard case .bool(let value) = self else {
            throw WordError("it is true or false", given: line)
        }
        return value
    }

    /// The text.
    func text() throws(WordError) -> String {
        switch self {
        case .string(let text), .name(let text): return text
        default: throw WordError("it is a text", given: line)
        }
    }

    /// The members of an object.
    func members() throws(WordError) -> [(String, JSONValue)] {
        guard case .object(let members) = self else {
            throw WordError("it is an object", given: line)
        }
        return members
    }

    /// The values of a list.
    func values() throws(WordError) -> [JSONValue] {
        guard case .array(let values) = self else {
            throw WordError("it is a list", given: line)
        }
        return values
    }
}
