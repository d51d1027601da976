/// The settings behind the times of a cue of WebVTT (WebVTT 6.3, "Cue settings parsing").
package struct WebVTTSettings: Equatable, Sendable {
    /// Where a cue is from top to bottom.
    enum Line: Equatable {
        /// Lines from the top; below 0 from the bottom.
        case number(Int)
        /// Percent of the height.
        case percent(Double)
    }
    /// Which part of a box lies at a place.
    enum Edge { case start, center, end }
    /// How lines lie in their box.
    enum Alignment { case start, center, end, left, right }

    private(set) var line: Line?
    private(set) var lineEdge = Edge.start
    private(set) var position: Double?
    private(set) var positionEdge: Edge?
    private(set) var size = 100.0
    private(set) var alignment = Alignment.center
    /// Whether lines are columns, which are drawn as lines.
    private(set) var isVertical = false

    /// Reads settings; nil where none of them says anything.
    package init?(_ text: ArraySlice<UInt8>) {
        var isSet = false
        // Longer ones have no meaning.
        for word in text.prefix(1000).split(whereSeparator: { $0 == 0x20 || $0 == 0x09 }) {
            let parts = String(decoding: word, as: UTF8.self)
                .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, set(parts[0], parts[1]) { isSet = true }
        }
        guard isSet else { return nil }
    }

    private mutating func set(_ name: Substring, _ value: Substring) -> Bool {
        switch name {
        case "vertical":
            isVertical = value == "rl" || value == "lr"
            return isVertical
        case "line": return set(line: value)
        case "position": return set(position: value)
        case "size":
            guard let percent = Self.percent(value) else { return false }
            size = percent
        case "align":
            guard let word = Self.alignments[value] else { return false }
            alignment = word
        default: return false
        }
        return true
    }

    private mutating func set(line value: Substring) -> Bool {
        let parts = value.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        if let percent = Self.percent(parts[0]) {
            line = .percent(percent)
        } else if let number = Int(parts[0]), number.magnitude <= 10_000 {
            line = .number(number)
        } else {
            return false
        }
        if parts.count == 2 { lineEdge = Self.edges[parts[1]] ?? .start }
        return true
    }

    private mutating func set(position value: Substring) -> Bool {
        let parts = value.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        guard let percent = Self.percent(parts[0]) else { return false }
        position = percent
        positionEdge = parts.count == 2 ? Self.edges[parts[1]] : nil
        return true
    }

    private static let edges: [Substring: Edge] = [
        "start": .start, "line-left": .start, "center": .center, "end": .end, "line-right": .end,
    ]
    private static let alignments: [Substring: Alignment] = [
        "start": .start, "center": .center, "middle": .center, "end": .end, "left": .left,
        "right": .right,
    ]

    /// `12.5%`.
    private static func percent(_ text: Substring) -> Double? {
        guard text.hasSuffix("%"), text.utf8.allSatisfy({ Self.numbers.contains($0) }),
            let number = Double(text.dropLast()), (0...100).contains(number)
        else { return nil }
        return number
    }
    private static let numbers = Set("0123456789.%".utf8)
}

extension WebVTTSettings {
    /// The place of a cue of so many lines (WebVTT 7.2, "Processing cue settings").
    ///
    /// Lines that overlap those of another cue move away, as libass moves them. What would lie below the picture
    /// ends at its lower edge.
    func place(lineCount: Int, isRightToLeft: Bool) -> CuePlace {
        var place = CuePlace()
        guard !isVertical else { return place }
        place.style = CuePlace.style
        let box = self.box(isRightToLeft)
        place.left = Int((box.lowerBound / 100 * CueFormat.width).rounded())
        place.right = Int(((100 - box.upperBound) / 100 * CueFormat.width).rounded())
        let column = [Edge.start: 1, .center: 2, .end: 3][edge(isRightToLeft)] ?? 2
        let (key, vertical) = row(lineCount)
        place.vertical = vertical
        place.tags = "{\\an\(key + column)}"
        if key == Self.middle {
            // Margins have no meaning for the middle.
            let right = CueFormat.width - Double(place.right)
            let x = [Double(place.left), (Double(place.left) + right) / 2, right][column - 1]
            place.tags += "{\\pos(\(Int(x)),\(vertical))}"
            place.vertical = 0
        }
        return place
    }

    /// On a keypad, less the column.
    private static let (bottom, middle, top) = (0, 3, 6)

    /// How lines lie in their box, for a direction of writing.
    private func edge(_ isRightToLeft: Bool) -> Edge {
        switch alignment {
        case .start: isRightToLeft ? .end : .start
        case .end: isRightToLeft ? .start : .end
        case .left: .start
        case .right: .end
        case .center: .center
        }
    }

    /// The box from left to right, in percent of the width.
    private func box(_ isRightToLeft: Bool) -> ClosedRange<Double> {
        let edge = edge(isRightToLeft)
        let position = position ?? (edge == .start ? 0 : edge == .end ? 100 : 50)
        let anchor = positionEdge ?? edge
        let most =
            anchor == .start
            ? 100 - position
            : anchor == .end ? position : 2 * min(position, 100 - position)
        let width = min(size, most)
        let left =
            anchor == .start ? position : anchor == .end ? position - width : position - width / 2
        return left...(left + width)
    }

    /// The row, and the distance from its edge.
    private func row(_ lineCount: Int) -> (key: Int, margin: Int) {
        let height = CueFormat.height
        let own = Double(lineCount) * CueFormat.lineHeight
        switch line {
        case nil: return (Self.bottom, 10)
        case .number(let number) where number >= 0:
            let start = Double(number) * CueFormat.lineHeight
            return start + own > height ? (Self.bottom, 0) : (Self.top, Int(start))
        case .number(let number):
            let end = Double(-number) * CueFormat.lineHeight - own
            return end + own > height ? (Self.top, 0) : (Self.bottom, Int(max(0, end)))
        case .percent(let percent):
            let place = percent / 100 * height
            switch lineEdge {
            case .start where place + own > height: return (Self.bottom, 0)
            case .start: return (Self.top, Int(place.rounded()))
            case .end where place < own: return (Self.top, 0)
            case .end: return (Self.bottom, Int((height - place).rounded()))
            case .center where place < own / 2: return (Self.top, 0)
            case .center where place + own / 2 > height: return (Self.bottom, 0)
            case .center: return (Self.middle, Int(place.rounded()))
            }
        }
    }
}
