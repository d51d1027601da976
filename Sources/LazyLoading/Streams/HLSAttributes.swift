internal import LazyBase

/// The attributes of a tag: names and values, of which some are in quotes (RFC 8216, 4.2).
///
/// Those that are read are kept, where they stand in the playlist: a tag may have millions of others.
struct HLSAttributes {
    private var values: [String: ArraySlice<UInt8>] = [:]

    private static let names: Set<String> = [
        "BANDWIDTH", "BYTERANGE", "CODECS", "IMPORT", "IV", "KEYFORMAT", "METHOD", "NAME",
        "QUERYPARAM", "RESOLUTION", "URI", "VALUE",
    ]
    private static let longestName = 16

    init(_ text: ArraySlice<UInt8>, _ budget: StreamBudget) throws(StreamError) {
        var rest = text
        while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            try budget.spend()
            let name = rest[..<equals].trimmed
            rest = rest[(equals + 1)...]
            let value: ArraySlice<UInt8>
            if rest.first == UInt8(ascii: "\"") {
                rest = rest.dropFirst()
                value = rest.prefix { $0 != UInt8(ascii: "\"") }
            } else {
                value = rest.prefix { $0 != UInt8(ascii: ",") }
            }
            rest = rest[value.endIndex...].drop { $0 != UInt8(ascii: ",") }.dropFirst()
            guard name.count <= Self.longestName else { continue }
            let word = String(decoding: name, as: UTF8.self)
            if Self.names.contains(word) { values[word] = value }
        }
    }

    /// The value of an attribute as it stands in the playlist.
    subscript(name: String) -> ArraySlice<UInt8>? { values[name] }

    /// The text of a value, with the variables in it.
    func text(_ name: String, _ variables: HLSVariables) throws(StreamError) -> String? {
        guard let value = values[name] else { return nil }
        guard value.count <= StreamText.maxAddress else {
            throw .malformed("The HLS playlist has a wrong \(name), which is too long.")
        }
        return String(decoding: try variables.replaced(value), as: UTF8.self)
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without spaces and tabs around them.
    var trimmed: ArraySlice<UInt8> {
        let start = drop { $0 == 0x20 || $0 == 0x09 }
        guard let last = start.lastIndex(where: { $0 != 0x20 && $0 != 0x09 }) else {
            return start.prefix(0)
        }
        return start[...last]
    }

    /// The beginning as a text, for messages and numbers.
    func text(_ count: Int) -> String { String(decoding: prefix(count), as: UTF8.self) }
}
