internal import LazyBase

/// What is asked is words; a value that is a number, or true or false, may be one in JSON, too.
extension Grammar {
    /// The value in JSON: a number where its text is one, otherwise its text.
    func json(_ value: Value) -> JSONValue {
        let text = text(value)
        guard Self.literal != nil else { return .string(text) }
        if let number = Int64(text) { return .integer(number) }
        if let number = Double(text) { return .number(number) }
        return .string(text)
    }

    /// The value of a text, a number, or true and false.
    func value(_ json: JSONValue) throws(WordError) -> Value {
        switch json {
        case .string(let text): try parse(text)
        case .bool(let value) where Value.self == Bool.self: try parse("\(value)")
        case .integer(let number): try parse("\(number)")
        case .number(let number): try parse(Int64(exactly: number).map { "\($0)" } ?? "\(number)")
        default: throw WordError(expected, given: json.line)
        }
    }

    /// The type of JSON that a value may be beside its text.
    private static var literal: String? {
        switch Value.self {
        case is Int.Type, is Rendition.Frames.Step.Type: "integer"
        case is Double.Type: "number"
        case is Bool.Type: "boolean"
        default: nil
        }
    }

    /// A JSON schema of its texts.
    var schema: JSONValue {
        let text: [(String, JSONValue)] = [
            ("type", .string("string")), ("pattern", .string(pattern)),
            ("examples", .array(samples.prefix(4).map { .string($0) })),
        ]
        guard let literal = Self.literal else { return .object(text) }
        return .object([
            ("anyOf", .array([.object([("type", .string(literal))]), .object(text)]))
        ])
    }
}

extension JSONValue {
    /// True or false, also as a word, as in the query of a URL.
    func boolean() throws(WordError) -> Bool {
        switch self {
        case .bool(let value): return value
        case .string("true"): return true
        case .string("false"): return false
        default: throw WordError("it is true or false", given: line)
        }
    }

    /// The JSON schema of that.
    static let booleanSchema = JSONValue.object([
        (
            "anyOf",
            .array([
                .object([("type", .string("boolean"))]),
                .object([("enum", .array([.string("true"), .string("false")]))]),
            ])
        )
    ])

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
