/// A TIFF of one row whose samples are numbers of any kind, byte by byte.
struct NumbersForge {
    /// The bits of a sample.
    var bits: Int
    /// The tag `SampleFormat`: 1 for unsigned, 2 for signed, 3 for floating-point numbers.
    var format: Int
    var isBigEndian = false
    /// The tag `PhotometricInterpretation`.
    var photometric = 1
    /// Samples of a pixel.
    var samples = 1
    var width: Int
    /// The samples as they are in the file.
    var data: [UInt8]

    /// Samples of whole bytes by their bits.
    init(_ bits: Int, _ format: Int, isBigEndian: Bool = false, _ numbers: [UInt64]) {
        (self.bits, self.format, self.isBigEndian) = (bits, format, isBigEndian)
        width = numbers.count
        data = numbers.flatMap { Self.bytes($0, bits / 8, isBigEndian) }
    }

    /// Samples that are packed.
    init(packed data: [UInt8], bits: Int, width: Int) {
        (self.bits, self.data, self.width) = (bits, data, width)
        format = 1
    }

    var bytes: [UInt8] {
        // Two numbers of 16 bits fit into an entry: one counts for all samples.
        let entries: [(tag: Int, type: Int, value: Int)] = [
            (256, 4, width), (257, 4, 1), (258, 3, bits), (259, 3, 1), (262, 3, photometric),
            (273, 4, 8 + 2 + 11 * 12 + 4), (277, 3, samples), (278, 4, 1), (279, 4, data.count),
            (284, 3, 1), (339, 3, format),
        ]
        var file: [UInt8] = (isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]) + number(42, 2)
        file += number(8, 4) + number(entries.count, 2)
        for entry in entries {
            file += number(entry.tag, 2) + number(entry.type, 2) + number(1, 4)
            file += entry.type == 3 ? number(entry.value, 2) + [0, 0] : number(entry.value, 4)
        }
        return file + number(0, 4) + data
    }

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        Self.bytes(UInt64(value), count, isBigEndian)
    }

    private static func bytes(_ value: UInt64, _ count: Int, _ isBigEndian: Bool) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return isBigEndian ? bytes.reversed() : bytes
    }
}
