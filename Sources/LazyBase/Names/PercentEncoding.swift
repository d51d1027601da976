/// Percent-encoded bytes, such as `%41` (RFC 3986, 2.1).
package enum PercentEncoding {
    /// The bytes of an encoded text, or nil if a percent sign is not followed by two digits.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexadecimalValue,
                let low = rest.popFirst()?.hexadecimalValue
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// The decoded text, or nil if it is malformed or not UTF-8.
    package static func text(_ encoded: some StringProtocol) -> String? {
        decode(encoded).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Encodes ASCII letters and digits as they are, and so the other `allowed` characters.
    package static func encode(_ bytes: some Sequence<UInt8>, allowed: String) -> String {
        let allowed = Set(allowed.utf8)
        var text = ""
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            case _ where allowed.contains(byte):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "%" + CollectionOfOne(byte).hexadecimal(isUppercase: true)
            }
        }
        return text
    }
}
