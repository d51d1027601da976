internal import LazyEditing
internal import LazyMedia

/// The text above the tiles of a contact sheet.
struct SheetHeader {
    private let lines: [String]
    private let lineHeight: Int
    /// The height of the text and its margins; 0 without text.
    let height: Int

    /// Letters become smaller where the longest line would be wider than the page.
    init(_ lines: [String], width: Int) {
        self.lines = lines
        let longest = max(1, lines.map(\.count).max() ?? 1)
        lineHeight = max(10, min(22, width * 5 / (3 * longest)))
        height = lines.isEmpty ? 0 : lines.count * lineHeight * 6 / 5 + lineHeight
    }

    /// The header of a page, black or white on its paper.
    func bitmap(width: Int, paper: PixelColor) throws(MediaError) -> Bitmap {
        let size = PixelSize(width: width, height: height)
        let ground = try Bitmap(size: size, isOpaque: paper.alpha == 255) { rows in
            rows.bindMemory(to: SIMD4<UInt8>.self).update(repeating: paper.pixel)
        }
        let luma = Int(paper.red) * 54 + Int(paper.green) * 183 + Int(paper.blue) * 19
        let text = TextOverlay(
            lines.joined(separator: "\n"), gravity: .northWest,
            height: Double(lineHeight) / Double(height), color: luma < 128 * 256 ? .white : .black,
            box: paper)
        return try OverlayPainter(ownText: [text], for: size).paint(ground, nil)
    }
}

extension Bitmap {
    /// The tile with the time of its frame.
    func stamped(_ timing: FrameTiming) throws(MediaError) -> Bitmap {
        try OverlayPainter(ownText: [Self.stamp(of: size)], for: size).paint(self, timing)
    }

    private static func stamp(of size: PixelSize) -> TextOverlay {
        TextOverlay(
            "{clock}", gravity: .southEast, height: max(0.1, 11 / Double(size.height)),
            box: PixelColor(red: 0, green: 0, blue: 0, alpha: 160))
    }
}
