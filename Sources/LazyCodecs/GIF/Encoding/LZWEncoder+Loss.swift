internal import LazyMedia

/// Compression with loss: strings of similar colors that are in the table already.
extension LZWEncoder {
    /// The symbols of a rectangle, row by row.
    struct Raster {
        let symbols: UnsafePointer<UInt16>
        let stride: Int
        let rect: PixelRect

        var count: Int { rect.pixelCount }

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
        while number < raster.count {
            let first = GIFSymbol.preferred(raster[number], transparent)
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
        guard symbol & 0xFF00 == 0 else { return }
        similar.forEach(near: preferred, error) { index, rest in
            if let longer = find(code, index) { take(longer, rest, &best) }
        }
    }
}
