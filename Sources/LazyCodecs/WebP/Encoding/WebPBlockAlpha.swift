internal import LazyMedia

/// Codes the alpha of a frame's blocks, 255 where they are coded and 0 elsewhere, as a lossless picture.
///
/// libwebp takes a third of a frame's time for it. These masks need two colors, of which eight pixels make one, and
/// copies of what is to the left or above (WebP lossless bitstream specification, 4.4 and 5.2.2).
enum WebPBlockAlpha {
    /// A literal, or a copy from one of two places.
    private struct Token {
        /// Of the first alphabet: a literal, or 256 and the prefix of a length.
        let symbol: Int
        var extra = 0
        var extraBits = 0
        /// Of the alphabet of distances: 0 for the pixel above, 1 for that to the left.
        var distance: Int?
    }

    private static let longestCopy = 4096
    private static let alphabet = 256 + 24

    /// The chunk `ALPH` with its header and padding, for a rectangle that begins at a block.
    static func chunk(_ blocks: WebPBlocks, in rect: PixelRect) -> [UInt8] {
        let content = content(blocks, rect)
        var chunk = [UInt8](header: .alpha, count: content.count)
        chunk += content
        if content.count % 2 != 0 { chunk.append(0) }
        return chunk
    }

    private static func content(_ blocks: WebPBlocks, _ rect: PixelRect) -> [UInt8] {
        let width = (rect.width + 7) / 8
        let tokens = tokens(bundles(blocks, rect, width), width)
        var counts = [Int](repeating: 0, count: alphabet)
        for token in tokens { counts[token.symbol] += 1 }
        let code = WebPPrefixCode(counts)
        let distances = Set(tokens.compactMap(\.distance)).sorted()

        var bits = WebPBits()
        // Compressed without a filter.
        bits.append(1, 8)
        // A transform: an index into two colors, of which the second is the difference from the first, in green.
        bits.append(0b111, 3)
        bits.append(1, 8)
        writeColors(&bits)
        // No other transform, no cache of colors, one set of codes.
        bits.append(0, 3)
        code.writeLengths(to: &bits)
        for _ in 0..<3 { WebPPrefixCode.writeSimple([0], to: &bits) }
        WebPPrefixCode.writeSimple(distances.isEmpty ? [0] : distances, to: &bits)
        for token in tokens {
            code.write(token.symbol, to: &bits)
            bits.append(token.extra, token.extraBits)
            if let distance = token.distance, distances.count > 1 { bits.append(distance, 1) }
        }
        bits.finish()
        return bits.bytes
    }

    /// A picture of two pixels: nothing, and 255 in green.
    private static func writeColors(_ bits: inout WebPBits) {
        bits.append(0, 1)
        WebPPrefixCode.writeSimple([0, 255], to: &bits)
        for _ in 0..<4 { WebPPrefixCode.writeSimple([0], to: &bits) }
        bits.append(0b10, 2)
    }

    /// Eight pixels at once: a block has the width of two.
    private static func bundles(
        _ blocks: WebPBlocks, _ rect: PixelRect, _ width: Int
    ) -> [UInt8] {
        let side = WebPBlocks.side
        let (left, top) = (rect.x / side, rect.y / side)
        return [UInt8](unsafeUninitializedCapacity: width * rect.height) { output, count in
            count = width * rect.height
            for y in 0..<rect.height {
                let row = (top + y / side) * blocks.columns + left
                for x in 0..<width {
                    output[y * width + x] = blocks.isCoded[row + x * 8 / side] ? 255 : 0
                }
            }
        }
    }

    /// The longer of two copies, or a literal where neither is longer than that.
    private static func tokens(_ bundles: [UInt8], _ width: Int) -> [Token] {
        bundles.withUnsafeBufferPointer { bundles in
            var tokens: [Token] = []
            var place = 0
            while place < bundles.count {
                let above = length(bundles, place, width)
                let left = length(bundles, place, 1)
                if max(above, left) < 2 {
                    tokens.append(Token(symbol: Int(bundles[place])))
                    place += 1
                } else {
                    let isAbove = above >= left
                    tokens.append(copy(isAbove ? above : left, distance: isAbove ? 0 : 1))
                    place += isAbove ? above : left
                }
            }
            return tokens
        }
    }

    /// How many pixels equal those at a distance before them.
    private static func length(
        _ bundles: UnsafeBufferPointer<UInt8>, _ place: Int, _ distance: Int
    ) -> Int {
        guard place >= distance else { return 0 }
        var end = place
        let limit = min(bundles.count, place + longestCopy)
        while end < limit, bundles[end] == bundles[end - distance] { end += 1 }
        return end - place
    }

    private static func copy(_ length: Int, distance: Int) -> Token {
        guard length > 4 else { return Token(symbol: 255 + length, distance: distance) }
        let value = length - 1
        let extraBits = Int.bitWidth - 2 - value.leadingZeroBitCount
        return Token(
            symbol: 256 + 2 * extraBits + value >> extraBits,
            extra: value & (1 << extraBits - 1), extraBits: extraBits, distance: distance)
    }
}
