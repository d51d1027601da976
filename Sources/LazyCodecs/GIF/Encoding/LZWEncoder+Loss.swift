internal import LazyMedia

/// Compression with loss: strings of similar colors that are in the table already.
extension LZWEncoder {
    /// The symbols of a rectangle, row by row.
    struct Raster {
        let symbols: UnsafePointer<UInt16>
        let stride: Int
        let rect: PixelRect

        var count: Int { rect.pixelCount }

        /// Whether fewer than seven of ten pixels may be left as they are.
        var isMostlyPainted: Bool {
            var kept = 0
            for row in rect.y..<rect.bottom {
                for place in (row * stride + rect.x)..<(row * stride + rect.right)
                where GIFSymbol.hasChoice(symbols[place]) {
                    kept += 1
                }
            }
            return kept * 10 < rect.pixelCount * 7
        }

        @inline(__always)
        subscript(number: Int) -> UInt16 {
            let (row, column) = number.quotientAndRemainder(dividingBy: rect.width)
            return symbols[(rect.y + row) * stride + rect.x + column]
        }
    }

    /// The longest string that was found.
    private struct Best {
        var code: UInt32
        var end: Int
        var error: SIMD4<Int32>
        /// How many strings may still be looked at.
        var left = 200
    }

    /// Compresses a rectangle of at least one pixel.
    mutating func compress(
        _ raster: Raster, _ transparent: UInt32, _ similar: SimilarColors
    ) -> [UInt8] {
        var current = UInt32.max
        var (number, error) = (0, SIMD4<Int32>.zero)
        let paints = raster.isMostlyPainted
        while number < raster.count {
            let first = start(at: number, error / 2, raster, transparent, similar, paints)
            if current != .max {
                emit(current)
                add(current, first)
            }
            var best = Best(code: first, end: number + 1, error: error / 2)
            extend(first, number + 1, error / 2, raster, transparent, similar, &best)
            gauge.pixels &+= best.end - number
            (current, number, error) = (best.code, best.end, best.error)
        }
        return finish(current)
    }

    /// The symbol that a string begins with: where a pixel may be painted or left, that of the longer string.
    ///
    /// Of equally long ones it is the color in pictures that are mostly painted, where strings of colors are what is
    /// learned, and else the transparent one.
    private func start(
        at number: Int, _ error: SIMD4<Int32>, _ raster: Raster, _ transparent: UInt32,
        _ similar: SimilarColors, _ paints: Bool
    ) -> UInt32 {
        let symbol = raster[number]
        guard GIFSymbol.hasChoice(symbol) else { return GIFSymbol.preferred(symbol, transparent) }
        func length(from first: UInt32) -> Int {
            var best = Best(code: first, end: number + 1, error: error)
            extend(first, number + 1, error, raster, transparent, similar, &best)
            return best.end
        }
        let own = GIFSymbol.index(symbol)
        let (painted, left) = (length(from: own), length(from: transparent))
        return painted > left || painted == left && paints ? own : transparent
    }

    /// Looks for longer strings: of the own color first, so that of equally long ones the nearest stays.
    private func extend(
        _ code: UInt32, _ number: Int, _ error: SIMD4<Int32>, _ raster: Raster,
        _ transparent: UInt32, _ similar: SimilarColors, _ best: inout Best
    ) {
        guard number < raster.count, best.left > 0 else { return }
        best.left -= 1
        let symbol = raster[number]
        let preferred = GIFSymbol.preferred(symbol, transparent)
        func take(_ longer: UInt32, _ error: SIMD4<Int32>, _ best: inout Best) {
            if number + 1 > best.end {
                (best.code, best.end, best.error) = (longer, number + 1, error)
            }
            extend(longer, number + 1, error, raster, transparent, similar, &best)
        }
        if let longer = find(code, preferred) { take(longer, error / 2, &best) }
        if GIFSymbol.hasChoice(symbol), let longer = find(code, GIFSymbol.index(symbol)) {
            take(longer, error / 2, &best)
        }
        let hasChoice = GIFSymbol.hasChoice(symbol)
        guard symbol & 0xFF00 == 0 || hasChoice else { return }
        similar.forEach(near: hasChoice ? GIFSymbol.index(symbol) : preferred, error) {
            index, rest in
            if let longer = find(code, index) { take(longer, rest, &best) }
        }
    }
}
