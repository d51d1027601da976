internal import FoundationEssentials

/// Names in JSON: one that is not UTF-8 is written twice, readable and as bytes.
extension JSONValue {
    /// The name, or null.
    package static func name(orNull name: String?) -> JSONValue { name.map { .name($0) } ?? .null }

    /// A list of names.
    package static func names(_ names: [String]) -> JSONValue { .array(names.map { .name($0) }) }

    /// Members as written: a name that is not UTF-8, such as `"input"`, is followed by
    /// `"inputBytes"` in base64; a list with such a name by those of all its names.
    package static func written(_ members: [(String, JSONValue)]) -> [(String, JSONValue)] {
        members.flatMap { key, value in
            switch value {
            case .name(let name) where name.isRaw:
                [(key, value), (key + "Bytes", bytes(name))]
            case .array(let values) where values.contains(where: \.isRawName):
                [
                    (key, value),
                    (
                        key + "Bytes",
                        .array(
                            values.map {
                                if case .name(let name) = $0 { bytes(name) } else { .null }
                            })
                    ),
                ]
            default: [(key, value)]
            }
        }
    }

    private var isRawName: Bool {
        if case .name(let name) = self { name.isRaw } else { false }
    }

    private static func bytes(_ name: String) -> JSONValue {
        .string(Data(FileName.bytes(name)).base64EncodedString())
    }
}

extension String {
    /// Whether the name is not UTF-8.
    fileprivate var isRaw: Bool {
        FileName.isMapped(self) && String(validating: FileName.bytes(self), as: UTF8.self) == nil
    }
}
