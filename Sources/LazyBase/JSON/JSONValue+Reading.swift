internal import FoundationEssentials

/// A text that somebody else wrote, of bounded size and depth.
extension JSONValue {
    /// The most bytes of a text that is read.
    package static let maxRead = 64 << 10
    /// How deep lists and objects may lie in each other.
    package static let maxDepth = 8

    /// Reads a text; nil for one that is not JSON, too long or too deep.
    ///
    /// Of two members of one name one counts, and members have the order of their names.
    package init?(reading text: [UInt8]) {
        guard text.count <= Self.maxRead, Self.depth(of: text) <= Self.maxDepth,
            let value = try? JSONDecoder().decode(Read.self, from: Data(text))
        else { return nil }
        self = value.value
    }

    /// How deep brackets lie in each other, outside of texts.
    private static func depth(of text: [UInt8]) -> Int {
        var (depth, deepest, isText, isEscaped) = (0, 0, false, false)
        for byte in text {
            if isText {
                isText = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            deepest = max(deepest, depth)
        }
        return deepest
    }

    private struct Read: Decodable {
        let value: JSONValue

        init(from decoder: any Decoder) throws {
            if let members = try? decoder.container(keyedBy: JSONMember.self) {
                value = .object(
                    try members.allKeys.sorted { $0.stringValue < $1.stringValue }.map {
                        ($0.stringValue, try members.decode(Read.self, forKey: $0).value)
                    })
                return
            }
            if var list = try? decoder.unkeyedContainer() {
                var values: [JSONValue] = []
                while !list.isAtEnd { values.append(try list.decode(Read.self).value) }
                value = .array(values)
                return
            }
            let single = try decoder.singleValueContainer()
            if single.decodeNil() {
                value = .null
            } else if let flag = try? single.decode(Bool.self) {
                value = .bool(flag)
            } else if let number = try? single.decode(Int64.self) {
                value = .integer(number)
            } else if let number = try? single.decode(Double.self) {
                value = .number(number)
            } else {
                value = .string(try single.decode(String.self))
            }
        }
    }
}
