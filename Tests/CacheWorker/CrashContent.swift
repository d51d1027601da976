/// Bodies that can be made again from the number of their key and their version.
enum CrashContent {
    /// Numbers of keys; each has one entry.
    static let keyCount = 24

    static func key(_ number: Int) -> String { "https://crash.test/\(number)" }

    /// Twelve bytes: the number, and the version.
    static func label(_ number: Int, _ version: Int) -> [UInt8] {
        let words = [UInt32(number), UInt32(version), 0xC0FF_EE00]
        return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }

    /// The version that a label tells, where it is one of a number.
    static func version(_ label: [UInt8], of number: Int) -> Int? {
        guard label.count == 12 else { return nil }
        let version = (4..<8).reversed().reduce(0) { $0 << 8 | Int(label[$1]) }
        return label == self.label(number, version) ? version : nil
    }

    /// The body: its label, then what looks like chance; mostly small, at times several blocks long.
    static func body(_ number: Int, _ version: Int) -> [UInt8] {
        var state = (UInt64(number) << 32 | UInt64(version)) &* 0x9E37_79B9_7F4A_7C15 | 1
        func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
        let isLarge = (next() >> 8) % 5 == 0
        let count = Int((next() >> 8) % (isLarge ? 250_000 : 6_000))
        let noise = [UInt8](unsafeUninitializedCapacity: count + 8) { bytes, filled in
            for place in stride(from: 0, to: count, by: 8) {
                UnsafeMutableRawBufferPointer(bytes).storeBytes(
                    of: next(), toByteOffset: place, as: UInt64.self)
            }
            filled = count
        }
        return label(number, version) + noise
    }

    /// Whether bytes are the whole body of a number, or its beginning, and of which version.
    static func version(ofBody bytes: [UInt8], number: Int, isWhole: Bool) -> Int? {
        guard let version = version(Array(bytes.prefix(12)), of: number) else { return nil }
        let expected = body(number, version)
        return isWhole
            ? (bytes == expected ? version : nil)
            : expected.starts(with: bytes) ? version : nil
    }
}
