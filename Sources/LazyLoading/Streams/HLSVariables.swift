internal import FoundationEssentials
internal import LazyBase

/// The variables of a playlist of HLS (RFC 8216bis, 4.3 and 4.4.2.3), such as `{$host}` in an address.
///
/// Values are not searched for variables again, and are put in when the text is asked for, so that no text grows
/// without bound.
struct HLSVariables: Sendable {
    private var values: [String: [UInt8]] = [:]
    /// The parameters of the address of the playlist, once one was asked for.
    private var parameters: [String: String]?

    private static let maxCount = 1000

    /// Takes over what `#EXT-X-DEFINE` says: a value, one of the playlist that named this one, or one of the query
    /// of its address.
    mutating func define(
        _ attributes: HLSAttributes, imported: HLSVariables, address: URL?, _ budget: StreamBudget
    ) throws(StreamError) {
        let name: String
        let value: [UInt8]?
        // Its own values have no variables.
        let none = HLSVariables()
        if let own = try attributes.text("NAME", none) {
            (name, value) = (own, attributes["VALUE"].map(Array.init))
        } else if let other = try attributes.text("IMPORT", none) {
            (name, value) = (other, imported.values[other])
        } else if let parameter = try attributes.text("QUERYPARAM", none) {
            (name, value) = (parameter, parameterValue(parameter, of: address))
        } else {
            throw Self.wrong("no name")
        }
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isNamed), values[name] == nil else {
            throw Self.wrong(name)
        }
        guard let value, values.count < Self.maxCount else { throw Self.wrong(name) }
        try budget.spend(bytes: name.utf8.count + value.count)
        values[name] = value
    }

    /// A text with the values of the variables in it.
    func replaced(_ text: ArraySlice<UInt8>) throws(StreamError) -> ArraySlice<UInt8> {
        guard text.contains(UInt8(ascii: "{")) else { return text }
        return try expanded(text, keeping: .max)[...]
    }

    /// The beginning of a text with its variables, all of which are looked for.
    func beginning(of text: ArraySlice<UInt8>) throws(StreamError) -> ArraySlice<UInt8> {
        guard text.contains(UInt8(ascii: "{")) else { return text.prefix(StreamBase.maxScheme) }
        return try expanded(text, keeping: StreamBase.maxScheme)[...]
    }

    private func expanded(
        _ text: ArraySlice<UInt8>, keeping most: Int
    ) throws(StreamError) -> [UInt8] {
        var result: [UInt8] = []
        var (count, rest) = (0, text)
        // Variables may be empty.
        guard text.count <= StreamText.maxAddress else { throw StreamText.tooLong("HLS playlist") }
        func add(_ bytes: some Collection<UInt8>) throws(StreamError) {
            count += bytes.count
            guard count <= StreamText.maxAddress else { throw StreamText.tooLong("HLS playlist") }
            if result.count < most { result += bytes.prefix(most - result.count) }
        }
        while let brace = rest.firstIndex(of: UInt8(ascii: "{")) {
            try add(rest[..<brace])
            rest = rest[brace...]
            guard let name = Self.name(at: rest) else {
                try add(rest.prefix(1))
                rest = rest.dropFirst()
                continue
            }
            let word = String(decoding: name, as: UTF8.self)
            guard let value = values[word] else {
                throw .malformed(
                    "The HLS playlist uses the variable '\(word.prefix(40))', and does not define it."
                )
            }
            try add(value)
            rest = rest[name.endIndex...].dropFirst()
        }
        try add(rest)
        return result
    }

    /// The name in the reference that a text begins with.
    private static func name(at text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard text.starts(with: "{$".utf8) else { return nil }
        // No further than the name: a text may consist of beginnings.
        let name = text.dropFirst(2).prefix(while: isNamed)
        return !name.isEmpty && text[name.endIndex...].first == UInt8(ascii: "}") ? name : nil
    }

    private mutating func parameterValue(_ name: String, of address: URL?) -> [UInt8]? {
        let known = parameters ?? Self.parameters(of: address)
        parameters = known
        return known[name].map { Array($0.utf8) }
    }

    private static func parameters(of address: URL?) -> [String: String] {
        var parameters: [String: String] = [:]
        for item in (address?.query() ?? "").split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let name = PercentEncoding.text(parts[0]),
                parameters[name] == nil
            else { continue }
            parameters[name] = PercentEncoding.text(parts[1])
        }
        return parameters
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
