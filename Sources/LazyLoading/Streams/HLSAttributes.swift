internal import LazyBase

/// The attributes of a tag: names and values, of which some are in quotes (RFC 8216, 4.2).
struct HLSAttributes {
    private(set) var values: [String: String] = [:]

    init(_ text: Substring, _ variables: HLSVariables?) throws(StreamError) {
        var rest = text
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].trimmed
            rest = rest[equals...].dropFirst()
            let value: Substring
            if rest.first == "\"" {
                value = rest.dropFirst().prefix { $0 != "\"" }
                rest = rest.dropFirst(value.count + 2)
                rest = rest.drop { $0 != "," }
            } else {
                value = rest.prefix { $0 != "," }
                rest = rest.dropFirst(value.count)
            }
            rest = rest.dropFirst()
            values[name] = try variables?.replaced(String(value)) ?? String(value)
        }
    }

    subscript(name: String) -> String? { values[name] }
}
