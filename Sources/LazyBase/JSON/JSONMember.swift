internal import FoundationEssentials

/// The name of a member of a JSON object.
package struct JSONMember: CodingKey, ExpressibleByStringLiteral {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(stringValue: String) { self.stringValue = stringValue }
    package init(stringLiteral value: String) { stringValue = value }
    package init?(intValue: Int) { nil }

    /// The member with the bytes of a name that is not UTF-8.
    fileprivate var bytes: JSONMember { JSONMember(stringValue: stringValue + "Bytes") }
}

extension KeyedDecodingContainer<JSONMember> {
    /// The name of a file: from the member with its bytes in base64, or from its text; nil for neither.
    package func name(_ key: JSONMember) throws -> String? {
        guard let bytes = try decodeIfPresent(String.self, forKey: key.bytes) else {
            return try decodeIfPresent(String.self, forKey: key).map { FileName.text($0.utf8) }
        }
        return try Self.name(bytes, key)
    }

    /// A list of names, or nil where there is none.
    package func names(_ key: JSONMember) throws -> [String]? {
        guard let bytes = try decodeIfPresent([String].self, forKey: key.bytes) else {
            return try decodeIfPresent([String].self, forKey: key)?.map { FileName.text($0.utf8) }
        }
        return try bytes.map { try Self.name($0, key) }
    }

    private static func name(_ bytes: String, _ key: JSONMember) throws -> String {
        guard let name = Data(base64Encoded: bytes) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [key.bytes], debugDescription: "It is not base64."))
        }
        return FileName.text(name)
    }
}

/// Reads values from JSON texts.
package enum JSONText {
    /// The value of a text, or nil where the text is not valid or not of the type.
    package static func value<Value: Decodable>(
        _ text: some StringProtocol, as type: Value.Type
    ) -> Value? { try? decode(text, as: type) }

    /// The value of a text; throws `DecodingError`.
    package static func decode<Value: Decodable>(
        _ text: some StringProtocol, as type: Value.Type
    ) throws -> Value { try JSONDecoder().decode(type, from: Data(text.utf8)) }
}
