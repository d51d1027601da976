internal import LazyMedia

extension CropRegion: LosslessStringConvertible {
    /// Reads `320x240+10+20`, `320x240`, `16:9`, and ffmpeg's `320:240:10:20`; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        let places = parts.count == 2 ? EditNumbers.read(parts[1], between: "+") : []
        if let sides = EditNumbers.read(parts[0], between: "x"), sides.count == 2,
            sides.allSatisfy({ $0 > 0 }), let places, places.isEmpty || places.count == 2
        {
            let size = PixelSize(width: sides[0], height: sides[1])
            guard let left = places.first, let top = places.last else {
                self = .size(size)
                return
            }
            self = .rect(PixelRect(x: left, y: top, width: size.width, height: size.height))
            return
        }
        guard let all = EditNumbers.read(text[...], between: ":"),
            all.prefix(2).allSatisfy({ $0 > 0 })
        else { return nil }
        switch all.count {
        case 2: self = .ratio(all[0], all[1])
        case 4: self = .rect(PixelRect(x: all[2], y: all[3], width: all[0], height: all[1]))
        default: return nil
        }
    }
}

extension Padding.Extent: LosslessStringConvertible {
    /// Reads `20`, `640x480` and `16:9`; nil for anything else.
    public init?(_ text: String) {
        if let border = EditNumbers.read(text[...], between: " ")?.first {
            self = .border(border)
        } else if let sides = EditNumbers.read(text[...], between: "x"), sides.count == 2,
            sides.allSatisfy({ $0 > 0 })
        {
            self = .size(PixelSize(width: sides[0], height: sides[1]))
        } else if let ratio = EditNumbers.read(text[...], between: ":"), ratio.count == 2,
            ratio.allSatisfy({ $0 > 0 })
        {
            self = .ratio(ratio[0], ratio[1])
        } else {
            return nil
        }
    }
}

/// The numbers in the words of edits, none of which is larger than a picture can be.
enum EditNumbers {
    private static let maxSide = 1 << 24

    /// The numbers between marks; nil for anything else.
    static func read(_ text: Substring, between mark: Character) -> [Int]? {
        let parts = text.split(separator: mark, omittingEmptySubsequences: false).map { part in
            part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
        }
        let numbers = parts.compactMap(\.self)
        return numbers.count == parts.count && numbers.allSatisfy { $0 <= maxSide }
            ? numbers : nil
    }
}
