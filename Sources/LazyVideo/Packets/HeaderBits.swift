/// The bits of a codec's header, from the highest of each byte to the lowest; zeros beyond the end.
struct HeaderBits {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isBeyondEnd: Bool { position > bytes.count * 8 }

    mutating func skip(_ count: Int) { position += count }

    mutating func read(_ count: Int) -> Int {
        var value = 0
        for _ in 0..<count {
            let byte = position / 8 < bytes.count ? bytes[position / 8] : 0
            value = value << 1 | Int(byte >> UInt8(7 - position % 8)) & 1
            position += 1
        }
        return value
    }

    mutating func flag() -> Bool { read(1) == 1 }

    /// Reads a number of Exp-Golomb code (`ue(v)`; H.264, 9.1; H.265, 9.2); the largest of damaged ones.
    mutating func exponential() -> Int {
        var zeros = 0
        while zeros < 32, !isBeyondEnd, !flag() { zeros += 1 }
        return zeros < 32 ? (1 << zeros) - 1 + read(zeros) : Int(UInt32.max)
    }

    /// Reads a signed number of it (`se(v)`).
    mutating func signedExponential() -> Int {
        let code = exponential()
        return code & 1 == 1 ? (code + 1) / 2 : -(code / 2)
    }

    /// Skips a variable-length number (`uvlc`, AV1 specification, 4.10.3).
    mutating func skipVariable() {
        var zeros = 0
        while zeros < 32, !flag() { zeros += 1 }
        if zeros < 32 { skip(zeros) }
    }
}
