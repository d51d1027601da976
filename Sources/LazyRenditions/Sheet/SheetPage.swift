internal import LazyEditing
internal import LazyMedia

/// Draws the pages of a sprite sheet.
enum SheetPage {
    /// Draws tiles on a page; the rest shows the background, or is transparent without one.
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
            for (rect, tile) in tiles { tile.draw(over: page, of: size, x: rect.x, y: rect.y) }
        }
    }
}
