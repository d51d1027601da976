/// Base64 of RFC 4648, with either alphabet and with or without padding.
enum Base64 {
    /// The bytes, or nil where the text holds none; white space is passed over.
    static func decode(_ text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        var padding = 0
        for character in text {
            if character == UInt8(ascii: "=") {
                padding += 1
            } else if [0x09, 0x0A, 0x0D, 0x20].contains(character) {
                continue
            } else {
                guard padding == 0, let value = value(of: character) else { return nil }
                bits = bits << 6 | UInt32(value)
                count += 6
                if count >= 8 {
                    count -= 8
                    bytes.append(UInt8(truncatingIfNeeded: bits >> count))
                }
            }
        }
        return padding <= 2 && count < 6 ? bytes : nil
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
