internal import LazyBase
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
        var text = TextOverlay(
            lines.joined(separator: "\n"), gravity: .northWest,
            height: Double(lineHeight) / Double(height), color: luma < 128 * 256 ? .white : .black,
            box: paper)
        text.hasFields = false
        return try OverlayPainter(ownText: [text], for: size).paint(ground, nil)
    }
}

extension Bitmap {
    /// The tile with the time of its frame, and the title of a chapter that begins there.
    func stamped(_ timing: FrameTiming, chapter: String?) throws(MediaError) -> Bitmap {
        var stamps = [Self.stamp("{clock}", .southEast, on: size)]
        if let chapter {
            var title = Self.stamp(Self.shortened(chapter.drawn, on: size), .northWest, on: size)
            title.hasFields = false
            stamps.append(title)
        }
        return try OverlayPainter(ownText: stamps, for: size).paint(self, timing)
    }

    private static func height(on size: PixelSize) -> Double {
        max(0.1, 11 / Double(size.height))
    }

    /// As much of a title as is about as wide as the tile; its letters are half as wide as high.
    private static func shortened(_ title: String, on size: PixelSize) -> String {
        let line = height(on: size) * Double(size.height)
        let most = max(4, Int(saturating: Double(size.width) / (0.55 * line)) - 2)
        return title.count > most ? title.prefix(most - 1) + "…" : title
    }

    private static func stamp(
        _ text: String, _ gravity: Gravity, on size: PixelSize
    ) -> TextOverlay {
        TextOverlay(
            text, gravity: gravity, height: height(on: size),
            box: PixelColor(red: 0, green: 0, blue: 0, alpha: 160))
    }
}
