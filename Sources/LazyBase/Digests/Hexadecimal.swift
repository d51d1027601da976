extension Sequence<UInt8> {
    /// The bytes as hexadecimal digits, two a byte.
    package func hexadecimal(isUppercase: Bool = false) -> String {
        let letterA = UInt8(ascii: isUppercase ? "A" : "a")
        func digit(_ value: UInt8) -> UInt8 {
            value < 10 ? UInt8(ascii: "0") + value : letterA + value - 10
        }
        var text: [UInt8] = []
        text.reserveCapacity(underestimatedCount * 2)
        for byte in self {
            text.append(digit(byte >> 4))
            text.append(digit(byte & 15))
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension UInt8 {
    /// The value of the byte as an ASCII hexadecimal digit, or nil.
    package var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
