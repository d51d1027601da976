internal import LazyMedia

/// One page of a sprite sheet while it is drawn.
enum SheetPage {
    /// Draws tiles on a page; places without a tile show the background.
    ///
    /// Without a background the page is transparent there.
    static func bitmap(
        _ size: PixelSize, _ tiles: [(PixelRect, Bitmap)], background: PixelColor?
    ) throws(MediaError) -> Bitmap {
        let paper = background?.pixel ?? SIMD4<UInt8>(0, 0, 0, 0)
        let covered = tiles.reduce(0) { $0 + $1.0.width * $1.0.height }
        let isOpaque =
            paper.w == 255 || covered == size.pixelCount && tiles.allSatisfy(\.1.isOpaque)
        return try Bitmap(size: size, isOpaque: isOpaque) { bytes in
            let pixels = bytes.bindMemory(to: SIMD4<UInt8>.self)
            if covered < size.pixelCount || !tiles.allSatisfy(\.1.isOpaque) {
                pixels.update(repeating: paper)
            }
            guard let page = pixels.baseAddress else { return }
            for (rect, tile) in tiles {
                draw(tile, at: rect, on: page, columns: size.width)
            }
        }
    }

    private static func draw(
        _ tile: Bitmap, at rect: PixelRect, on page: UnsafeMutablePointer<SIMD4<UInt8>>,
        columns: Int
    ) {
        let width = min(rect.width, tile.size.width)
        tile.withBytes { bytes in
            guard let source = bytes.bindMemory(to: SIMD4<UInt8>.self).baseAddress else { return }
            for y in 0..<min(rect.height, tile.size.height) {
                let from = source + y * tile.size.width
                let to = page + (rect.y + y) * columns + rect.x
                if tile.isOpaque {
                    to.update(from: from, count: width)
                } else {
                    for x in 0..<width { to[x] = over(from[x], to[x]) }
                }
            }
        }
    }

    /// A pixel over another, both with straight alpha.
    private static func over(_ top: SIMD4<UInt8>, _ bottom: SIMD4<UInt8>) -> SIMD4<UInt8> {
        let (a, b) = (UInt32(top.w), UInt32(bottom.w))
        if a == 255 || b == 0 { return top }
        if a == 0 { return bottom }
        // In 255 * 255: what the top covers, and what is left of the bottom.
        let (upper, lower) = (a * 255, b * (255 - a))
        let whole = upper + lower
        func mixed(_ x: UInt8, _ y: UInt8) -> UInt8 {
            let sum = UInt32(x) * upper + UInt32(y) * lower
            return UInt8(truncatingIfNeeded: (sum + whole / 2) / whole)
        }
        return SIMD4(
            mixed(top.x, bottom.x), mixed(top.y, bottom.y), mixed(top.z, bottom.z),
            UInt8(truncatingIfNeeded: (whole + 127) / 255))
    }
}
