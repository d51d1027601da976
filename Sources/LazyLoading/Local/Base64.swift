/// Base64 of RFC 4648, with either alphabet and with or without padding.
package enum Base64 {
    /// The bytes, or nil where the text holds none; white space is passed over.
    package static func decode(_ text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        var padding = 0
        for character in text {
            let value = table[Int(character)]
            if value < 64 {
                guard padding == 0 else { return nil }
                bits = bits << 6 | UInt32(value)
                count += 6
                if count >= 8 {
                    count -= 8
                    bytes.append(UInt8(truncatingIfNeeded: bits >> count))
                }
            } else if value == pad {
                padding += 1
            } else if value != space {
                return nil
            }
        }
        return padding <= 2 && count < 6 ? bytes : nil
    }

    /// The bytes as text, in the standard alphabet and with padding.
    package static func encode(_ bytes: [UInt8]) -> String {
        let count = (bytes.count + 2) / 3 * 4
        return String(unsafeUninitializedCapacity: count) { buffer in
            var place = 0
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let rest = min(3, bytes.count - start)
                var bits: UInt32 = 0
                for offset in 0..<3 {
                    bits = bits << 8 | (offset < rest ? UInt32(bytes[start + offset]) : 0)
                }
                for sextet in 0..<4 {
                    let value = Int(bits >> (18 - 6 * UInt32(sextet)) & 63)
                    buffer[place] = sextet <= rest ? alphabet[value] : UInt8(ascii: "=")
                    place += 1
                }
            }
            return place
        }
    }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static let pad: UInt8 = 64
    private static let space: UInt8 = 65

    private static let table: [UInt8] = {
        var table = [UInt8](repeating: 255, count: 256)
        for (value, character) in "ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8.enumerated() {
            table[Int(character)] = UInt8(value)
            table[Int(character) + 32] = UInt8(value + 26)
        }
        for digit in 0..<10 { table[48 + digit] = UInt8(52 + digit) }
        for (character, value) in zip("+-/_".utf8, [62, 62, 63, 63] as [UInt8]) {
            table[Int(character)] = value
        }
        table[Int(UInt8(ascii: "="))] = pad
        for character in "\t\n\u{C}\r ".utf8 { table[Int(character)] = space }
        return table
    }()
}
