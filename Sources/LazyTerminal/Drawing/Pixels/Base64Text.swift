/// Base64 with padding, in the alphabet of RFC 4648.
enum Base64Text {
    static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Two characters for each 12 bits, the first in the lower byte.
    private static let pairs: [UInt16] = (0..<4096).map {
        UInt16(alphabet[$0 >> 6]) | UInt16(alphabet[$0 & 63]) << 8
    }

    /// The number of characters for so many bytes.
    static func count(_ bytes: Int) -> Int { (bytes + 2) / 3 * 4 }

    /// Writes the characters of bytes and returns their number.
    static func write(
        _ bytes: UnsafeRawBufferPointer, to output: UnsafeMutablePointer<UInt8>
    ) -> Int {
        let whole = bytes.count / 3
        let words = UnsafeMutableRawPointer(output)
        pairs.withUnsafeBufferPointer { pairs in
            for group in 0..<whole {
                let place = group * 3
                let value =
                    Int(bytes[place]) << 16 | Int(bytes[place + 1]) << 8 | Int(bytes[place + 2])
                let text = UInt32(pairs[value >> 12]) | UInt32(pairs[value & 4095]) << 16
                words.storeBytes(of: text, toByteOffset: group * 4, as: UInt32.self)
            }
        }
        let rest = bytes.count - whole * 3
        guard rest > 0 else { return whole * 4 }
        let first = Int(bytes[whole * 3])
        let second = rest > 1 ? Int(bytes[whole * 3 + 1]) : 0
        let value = first << 16 | second << 8
        let end = whole * 4
        output[end] = alphabet[value >> 18]
        output[end + 1] = alphabet[value >> 12 & 63]
        output[end + 2] = rest > 1 ? alphabet[value >> 6 & 63] : UInt8(ascii: "=")
        output[end + 3] = UInt8(ascii: "=")
        return end + 4
    }

    /// The characters of a text's bytes.
    static func of(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var output = [UInt8](repeating: 0, count: count(bytes.count))
        _ = bytes.withUnsafeBytes { bytes in
            output.withUnsafeMutableBufferPointer { output in
                output.baseAddress.map { write(bytes, to: $0) } ?? 0
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
