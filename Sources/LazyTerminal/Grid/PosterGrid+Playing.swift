internal import LazyEditing
public import LazyMedia

extension PosterGrid {
    /// One of the media that play beside each other.
    public struct Item: Sendable {
        /// The media, or nil for a place that stays empty.
        public let sequence: FrameSequence?
        /// The length of one play; zero for a still.
        public let length: Duration
        /// The name below it.
        public let name: String

        /// Makes an item.
        public init(_ sequence: FrameSequence?, length: Duration, name: String) {
            self.sequence = sequence
            self.length = length
            self.name = name
        }
    }

    /// The part of a window that is neither the line of a player nor one that its protocol keeps free.
    static func playedWindow(
        _ settings: PlayerSettings, _ chosen: TerminalProtocol
    ) -> CellGrid {
        let below = (settings.hasStatusLine ? 1 : 0) + ([.sixel, .iterm2].contains(chosen) ? 1 : 0)
        return settings.wholeGrid.shorter(by: below)
    }

    /// The media of a window as one, which fills it; each begins again when it is over.
    ///
    /// For a ``TerminalPlayer`` whose settings have the captions of the same items.
    public func sequence(of items: [Item]) -> FrameSequence {
        let cell = TerminalProtocol.squareUnits(settings.traits, chosen)
        let canvas = PixelSize(
            width: window.columns * cell.width, height: window.lines * cell.height)
        let box = PixelSize(width: max(1, (width - 1) * cell.width), height: lines * cell.height)
        let fitting = TargetSize(
            width: box.width, height: box.height, fit: chosen.hasPixels ? .scaleDown : .contain)
        var places: [GridMedia.Place] = []
        for (number, item) in items.prefix(columnCount * rowCount).enumerated() {
            guard let sequence = item.sequence else { continue }
            let size = fitting.scaledSize(of: sequence.info.size)
            let (column, row) = (number % columnCount, number / columnCount)
            let left = column * width * cell.width + (box.width - size.width) / 2
            let top = row * (lines + 1) * cell.height + (box.height - size.height) / 2
            let rect = PixelRect(x: left, y: top, width: size.width, height: size.height)
            places.append(GridMedia.Place(sequence: sequence, length: item.length, rect: rect))
        }
        let limits = places.first?.sequence.limits ?? .web
        return FrameSequence(GridMedia(places, on: canvas), limits: limits)
    }

    /// The bytes that write the names of items below their pictures.
    public func captions(of items: [Item]) -> String {
        var text = ""
        for row in 0..<rowCount {
            let named = items.dropFirst(row * columnCount).prefix(columnCount).map(\.name)
            let line = row * (lines + 1) + lines + 1
            guard !named.isEmpty, line <= window.lines else { break }
            text += "\u{1B}[0m\u{1B}[\(line);1H" + names(named)
        }
        return text
    }
}
