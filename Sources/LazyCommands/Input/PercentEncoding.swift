/// Bytes that stand as `%41` in addresses (RFC 3986, 2.1).
enum PercentEncoding {
    /// The bytes of an encoded text, or nil where a percent sign stands alone.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst()?.hexDigit, let low = rest.popFirst()?.hexDigit
                else { return nil }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// The text that an encoded text stands for, or nil where it is none.
    static func text(_ encoded: some StringProtocol) -> String? {
        decode(encoded).flatMap { String(validating: $0, as: UTF8.self) }
    }
}

extension UInt8 {
    fileprivate var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
