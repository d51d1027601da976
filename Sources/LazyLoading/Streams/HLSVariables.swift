internal import FoundationEssentials
internal import LazyBase

/// The variables of a playlist of HLS (RFC 8216bis, 4.3 and 4.4.2.3), such as `{$host}` in an address.
///
/// Values are not searched for variables again, so that no text grows without bound.
struct HLSVariables {
    private var values: [String: String] = [:]

    /// The size that a text may have with all values in it.
    private static let maxText = 1 << 16
    private static let maxCount = 1000

    /// Takes over what `#EXT-X-DEFINE` says: a value, one of the playlist that named this one, or one of the query
    /// of its address.
    mutating func define(
        _ attributes: [String: String], imported: HLSVariables, address: URL?
    ) throws(StreamError) {
        let name: String
        let value: String?
        if let own = attributes["NAME"] {
            (name, value) = (own, attributes["VALUE"])
        } else if let other = attributes["IMPORT"] {
            (name, value) = (other, imported.values[other])
        } else if let parameter = attributes["QUERYPARAM"] {
            (name, value) = (parameter, Self.query(parameter, of: address))
        } else {
            throw Self.wrong("no name")
        }
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isNamed), values[name] == nil else {
            throw Self.wrong(name)
        }
        guard let value, values.count < Self.maxCount else { throw Self.wrong(name) }
        values[name] = value
    }

    /// A text with the values of the variables in it.
    func replaced(_ text: String) throws(StreamError) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let brace = rest.firstIndex(of: UInt8(ascii: "{")) {
            result += rest[..<brace]
            rest = rest[brace...]
            guard let name = Self.name(at: rest) else {
                result.append(rest.removeFirst())
                continue
            }
            let word = String(decoding: name, as: UTF8.self)
            guard let value = values[word] else {
                throw .malformed(
                    "The HLS playlist uses the variable '\(word.prefix(40))', and does not define it."
                )
            }
            result += value.utf8
            guard result.count <= Self.maxText else {
                throw .malformed("The HLS playlist has an address of more than 64 KiB.")
            }
            rest = rest[name.endIndex...].dropFirst()
        }
        return String(decoding: result + rest, as: UTF8.self)
    }

    /// The name in the reference that a text begins with.
    private static func name(at text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard text.starts(with: "{$".utf8) else { return nil }
        // No further than the name: a text may consist of beginnings.
        let name = text.dropFirst(2).prefix(while: isNamed)
        return !name.isEmpty && text[name.endIndex...].first == UInt8(ascii: "}") ? name : nil
    }

    private static func query(_ name: String, of address: URL?) -> String? {
        for item in (address?.query() ?? "").split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, PercentEncoding.text(parts[0]) == name else { continue }
            return PercentEncoding.text(parts[1])
        }
        return nil
    }

    private static func isNamed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func wrong(_ name: String) -> StreamError {
        .malformed("The HLS playlist has a wrong #EXT-X-DEFINE: '\(name.prefix(40))'.")
    }
}
