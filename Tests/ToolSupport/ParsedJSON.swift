import Foundation

/// A JSON text that a test looks into.
public enum ParsedJSON: Decodable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([ParsedJSON])
    case object([String: ParsedJSON])

    /// Reads a text.
    public static func parse(_ text: some StringProtocol) throws -> ParsedJSON {
        try JSONDecoder().decode(ParsedJSON.self, from: Data(text.utf8))
    }

    /// Decodes any JSON value.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Int.self) {
            self = .integer(number)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let list = try? value.decode([ParsedJSON].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: ParsedJSON].self))
        }
    }

    /// A member of an object.
    public subscript(name: String) -> ParsedJSON? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The text.
    public var string: String? { if case .text(let text) = self { text } else { nil } }

    /// The whole number.
    public var integer: Int? { if case .integer(let number) = self { number } else { nil } }

    /// The elements of an array.
    public var elements: [ParsedJSON]? { if case .list(let list) = self { list } else { nil } }
}
