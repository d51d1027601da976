/// A canonical prefix code of VP8L (WebP lossless bitstream specification, 6.2).
struct WebPPrefixCode {
    /// The number of bits of each symbol, 0 for those that do not occur.
    let lengths: [Int]
    private let codes: [Int]
    // A single symbol takes no bits, and is declared with one.
    private let declared: [Int]

    /// The code for symbols that occur so often; none is longer than `limit` bits.
    init(_ counts: [Int], limit: Int = 15) {
        var counts = counts
        var lengths = Self.lengths(counts)
        while lengths.max() ?? 0 > limit {
            // Flatter counts give shorter codes.
            counts = counts.map { $0 > 0 ? $0 / 2 + 1 : 0 }
            lengths = Self.lengths(counts)
        }
        self.lengths = lengths
        declared = lengths.max() ?? 0 > 0 ? lengths : counts.map { $0 > 0 ? 1 : 0 }
        var codes = [Int](repeating: 0, count: lengths.count)
        var next = 0
        for length in 1...max(1, limit) {
            for symbol in lengths.indices where lengths[symbol] == length {
                // The first bit of a code is its highest.
                codes[symbol] = (0..<length).reduce(0) { $0 << 1 | next >> $1 & 1 }
                next += 1
            }
            next <<= 1
        }
        self.codes = codes
    }

    /// Huffman's lengths.
    private static func lengths(_ counts: [Int]) -> [Int] {
        var trees = counts.indices.filter { counts[$0] > 0 }.map { (counts[$0], [$0]) }
        var lengths = [Int](repeating: 0, count: counts.count)
        while trees.count > 1 {
            trees.sort { $0.0 > $1.0 }
            guard let one = trees.popLast(), let other = trees.popLast() else { break }
            let symbols = one.1 + other.1
            for symbol in symbols { lengths[symbol] += 1 }
            trees.append((one.0 + other.0, symbols))
        }
        return lengths
    }

    func write(_ symbol: Int, to bits: inout WebPBits) {
        bits.append(codes[symbol], lengths[symbol])
    }

    /// Writes a code of one symbol below 256, or of two.
    static func writeSimple(_ symbols: [Int], to bits: inout WebPBits) {
        bits.append(1, 1)
        bits.append(symbols.count - 1, 1)
        bits.append(symbols[0] > 1 ? 1 : 0, 1)
        bits.append(symbols[0], symbols[0] > 1 ? 8 : 1)
        for symbol in symbols.dropFirst() { bits.append(symbol, 8) }
    }

    /// Writes the code's lengths, which are themselves coded, with runs of zeros.
    func writeLengths(to bits: inout WebPBits) {
        let tokens = Self.tokens(declared)
        var counts = [Int](repeating: 0, count: 19)
        for token in tokens { counts[token.symbol] += 1 }
        let code = WebPPrefixCode(counts, limit: 7)
        let order = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
        let count = max(4, 1 + (order.lastIndex { code.declared[$0] > 0 } ?? 0))
        bits.append(0, 1)
        bits.append(count - 4, 4)
        for symbol in order[..<count] { bits.append(code.declared[symbol], 3) }
        // All lengths follow.
        bits.append(0, 1)
        for token in tokens {
            code.write(token.symbol, to: &bits)
            bits.append(token.extra, token.extraBits)
        }
    }

    private static func tokens(
        _ lengths: [Int]
    ) -> [(symbol: Int, extra: Int, extraBits: Int)] {
        var tokens: [(symbol: Int, extra: Int, extraBits: Int)] = []
        var place = 0
        while place < lengths.count {
            let zeros = lengths[place...].prefix(138).prefix { $0 == 0 }.count
            switch zeros {
            case 11...: tokens.append((18, zeros - 11, 7))
            case 3...: tokens.append((17, zeros - 3, 3))
            default: tokens.append((lengths[place], 0, 0))
            }
            place += zeros >= 3 ? zeros : 1
        }
        return tokens
    }
}
