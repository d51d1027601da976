internal import LazyBase
public import LazyMedia

/// Rows of pictures with their names, printed like text.
///
/// Rows are drawn in their order; each is one picture, so that terminals place it as a whole.
public struct PosterGrid: Sendable {
    /// The number of pictures beside each other.
    public let columnCount: Int
    /// The number of rows in a window.
    public let rowCount: Int
    /// The part of the window that has pictures and names.
    let window: CellGrid
    /// The cells of a picture.
    let lines: Int
    let width: Int
    let settings: PlayerSettings
    let chosen: TerminalProtocol
    private let unit: PixelSize

    /// The columns of a picture where no number of pictures is asked for.
    private static let usualWidth = 22
    /// The lines of a picture with its name, where no number of rows is asked for.
    private static let usualHeight = 9

    /// Makes a grid; `shape` is the number of pictures beside and above each other in a window.
    ///
    /// Where pictures move, `isPlayed`, the window also has the lines that a player needs.
    public init(
        _ settings: PlayerSettings, shape: (columns: Int, rows: Int?)? = nil,
        isPlayed: Bool = false
    ) {
        self.settings = settings
        let chosen = Self.chosenProtocol(settings, isPlayed: isPlayed)
        let window = isPlayed ? Self.playedWindow(settings, chosen) : settings.wholeGrid
        rowCount = max(1, shape?.rows ?? window.lines / Self.usualHeight)
        self.window = window
        self.chosen = chosen
        unit = chosen.pixelsOfCell(settings.traits)
        let wanted = shape?.columns ?? window.columns / Self.usualWidth
        columnCount = max(1, min(wanted, window.columns / 4))
        width = window.columns / columnCount
        if isPlayed || shape?.rows != nil {
            lines = max(1, window.lines / rowCount - 1)
        } else {
            // A picture of 3 to 2, as a cell is about twice as high as wide.
            lines = max(1, min(window.lines - 2, (width - 1) / 3))
        }
    }

    // Rows scroll as they are printed.
    private static func chosenProtocol(
        _ settings: PlayerSettings, isPlayed: Bool
    ) -> TerminalProtocol {
        guard !isPlayed, settings.terminalProtocol == nil, !settings.traits.graphics.scrolls else {
            return settings.chosenProtocol
        }
        var traits = settings.traits
        traits.graphics = .none
        return .best(for: traits)
    }

    /// The size in which a picture of media is best decoded.
    public func posterSize(of media: PixelSize) -> PixelSize {
        let cell = TerminalProtocol.squareUnits(settings.traits, chosen)
        let box = TargetSize(
            width: max(1, (width - 1) * cell.width), height: lines * cell.height,
            fit: chosen.hasPixels ? .scaleDown : .contain)
        let size = box.scaledSize(of: media)
        return PixelSize(
            width: max(1, (size.width * unit.width + cell.width / 2) / cell.width),
            height: max(1, (size.height * unit.height + cell.height / 2) / cell.height))
    }

    /// Draws one row to standard output; a picture is nil where there is none.
    public func draw(
        _ items: [(picture: Bitmap?, name: String)]
    ) throws(TerminalError) {
        let row: Bitmap
        do throws(MediaError) { row = try compose(items.map(\.picture)) } catch {
            throw .media(error)
        }
        // Inline pictures leave a line free.
        let grid = CellGrid(checking: width * columnCount, lines + (chosen.hasPixels ? 1 : 0))
        var canvas = chosen.makeCanvas(
            grid ?? .standard, .inline, settings.traits, encoders: settings.encoders)
        do throws(SystemError) {
            try canvas.draw(row) { (bytes) throws(SystemError) in
                try OutputStream.standardOutput.write(bytes)
            }
            try OutputStream.standardOutput.write(names(items.map(\.name)) + "\n")
        } catch {
            throw .output(error)
        }
    }

    // One picture of all, each in the middle of its place above the names.
    private func compose(_ pictures: [Bitmap?]) throws(MediaError) -> Bitmap {
        let (place, height) = (width * unit.width, lines * unit.height)
        let size = PixelSize(width: place * columnCount, height: height)
        return try Bitmap(size: size, isOpaque: false) { rows in
            let output = rows.assumingMemoryBound(to: UInt32.self)
            output.update(repeating: 0)
            for (number, picture) in pictures.enumerated() {
                guard let picture else { continue }
                let wide = min(picture.size.width, place)
                let high = min(picture.size.height, height)
                let left = number * place + (place - unit.width - wide).clampedHalf
                let top = (height - high).clampedHalf
                picture.withBytes { bytes in
                    let input = bytes.assumingMemoryBound(to: UInt32.self)
                    for y in 0..<high {
                        for x in 0..<wide {
                            output[(top + y) * size.width + left + x] =
                                input[y * picture.size.width + x]
                        }
                    }
                }
            }
        }
    }

    /// The names under their pictures, cut where they are too long.
    func names(_ names: [String]) -> String {
        let isASCII = settings.traits.glyphs == .ascii
        let line = names.map { name in
            ColumnText.fitted(
                ColumnText.printable(name, isASCII: isASCII), width - 1, isASCII: isASCII)
        }.joined(separator: " ")
        return ColumnText.withoutTail(line)
    }
}

extension Int {
    fileprivate var clampedHalf: Int { Swift.max(0, self / 2) }
}
