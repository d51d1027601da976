/// Compresses color indices as GIF does.
public enum LZWForge {
    /// What an encoder does beside compressing.
    public enum Style: Sendable, CaseIterable {
        /// Clears when the table is full.
        case usual
        /// Never clears: continues with the full table.
        case neverClears
        /// Does not begin with a clear code.
        case noFirstClear
        /// Clears twice in a row, and now and then without need.
        case manyClears
        /// Leaves out the end code.
        case noEnd
    }

    /// The codes of indices, packed low bits first.
    public static func encode(
        _ indices: [UInt8], codeSize: Int, style: Style = .usual
    ) -> [UInt8] {
        var writer = BitWriter()
        let clear = 1 << codeSize
        var width = codeSize + 1
        var next = clear + 2
        var table: [Int: Int] = [:]
        var codes = 0
        func startOver() {
            table = [:]
            width = codeSize + 1
            next = clear + 2
        }
        if style != .noFirstClear { writer.write(clear, width) }
        if style == .manyClears { writer.write(clear, width) }
        var prefix: Int?
        for index in indices {
            guard let string = prefix else {
                prefix = Int(index)
                continue
            }
            if let longer = table[string << 8 | Int(index)] {
                prefix = longer
                continue
            }
            writer.write(string, width)
            codes += 1
            prefix = Int(index)
            if next < 4096 {
                table[string << 8 | Int(index)] = next
                // The decoder is one entry behind: it widens one code later.
                if next == 1 << width { width += 1 }
                next += 1
            } else if style != .neverClears {
                writer.write(clear, width)
                startOver()
                continue
            }
            if style == .manyClears, codes % 100 == 0 {
                writer.write(clear, width)
                startOver()
                writer.write(clear, width)
            }
        }
        if let prefix { writer.write(prefix, width) }
        if style != .noEnd {
            if next == 1 << width, width < 12 { width += 1 }
            writer.write(clear + 1, width)
        }
        return writer.finished()
    }
}

/// Packs codes, low bits first.
public struct BitWriter: Sendable {
    private var bytes: [UInt8] = []
    private var bits = 0
    private var count = 0

    /// Makes an empty writer.
    public init() {}

    /// Appends the low `width` bits of a value.
    public mutating func write(_ value: Int, _ width: Int) {
        bits |= value << count
        count += width
        while count >= 8 {
            bytes.append(UInt8(bits & 0xFF))
            bits >>= 8
            count -= 8
        }
    }

    /// All bytes, the last one filled up with zeros.
    public func finished() -> [UInt8] { count > 0 ? bytes + [UInt8(bits & 0xFF)] : bytes }
}
