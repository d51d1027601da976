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

    /// Skips a variable-length number (`uvlc`, AV1 specification, 4.10.3).
    mutating func skipVariable() {
        var zeros = 0
        while zeros < 32, !flag() { zeros += 1 }
        if zeros < 32 { skip(zeros) }
    }
}
