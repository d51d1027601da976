internal import FoundationEssentials

/// Base64 (RFC 4648) of either alphabet, with or without padding.
package enum Base64 {
    /// The decoded bytes, or nil if the text is malformed; white space is ignored.
    package static func decode(_ text: [UInt8]) -> [UInt8]? {
        var standard = text.compactMap { character -> UInt8? in
            switch character {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            case 0x09, 0x0A, 0x0C, 0x0D, 0x20: nil
            default: character
            }
        }
        let padding = standard.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        standard.removeLast(padding)
        // Foundation takes padding in the middle.
        guard padding <= 2, !standard.contains(UInt8(ascii: "=")) else { return nil }
        standard += Array(repeating: UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
        return Data(base64Encoded: Data(standard)).map { Array($0) }
    }

    /// The bytes as text, in the standard alphabet and with padding.
    package static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
