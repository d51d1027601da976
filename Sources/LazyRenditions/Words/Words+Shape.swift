public import LazyEditing
public import LazyMedia

extension Words {
    /// `320x240+10+20`, `320x240`, `16:9`, and ffmpeg's `320:240:10:20`: the part that a crop keeps.
    public static let crop = Grammar<CropRegion>(
        "a part is written as 320x240+10+20, 320x240 or 16:9",
        shape: #"[0-9]+x[0-9]+(?:\+[0-9]+\+[0-9]+)?|[0-9]+:[0-9]+(?::[0-9]+:[0-9]+)?"#,
        samples: ["320x240+10+20", "320x240", "16:9", "320:240:10:20"],
        read: { text in
            if let all = sizes(text, ":") {
                switch all.count {
                case 2: return .ratio(all[0], all[1])
                case 4:
                    return .rect(PixelRect(x: all[2], y: all[3], width: all[0], height: all[1]))
                default: return nil
                }
            }
            let parts = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
            guard let sides = sizes(parts[0], "x"), sides.count == 2 else { return nil }
            let size = PixelSize(width: sides[0], height: sides[1])
            if parts.count == 1 { return .size(size) }
            guard let place = numbers(parts[1], "+"), place.count == 2 else { return nil }
            return .rect(
                PixelRect(x: place[0], y: place[1], width: size.width, height: size.height))
        }, print: \.description)

    /// `20`, `640x480`, `16:9`: how far a border reaches.
    public static let border = Grammar<Padding.Extent>(
        "a border is written as 20, 640x480 or 16:9", shape: "[0-9]+(?:[x:][0-9]+)?",
        samples: ["20", "640x480", "16:9", "0"],
        read: { text in
            if let width = numbers(text, " ")?.first { return .border(width) }
            if let sides = sizes(text, "x"), sides.count == 2 {
                return .size(PixelSize(width: sides[0], height: sides[1]))
            }
            guard let ratio = sizes(text, ":"), ratio.count == 2 else { return nil }
            return .ratio(ratio[0], ratio[1])
        }, print: \.description)

    /// A color of CSS: a name, `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`.
    public static let color = Grammar<PixelColor>(
        "a color is written as white, #fff, #ff8000 or #ff800080",
        shape: "[A-Za-z]+|#?(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})",
        samples: ["white", "Transparent", "#fff", "#FFF8", "#ff8000", "ff800080"],
        read: { PixelColor(css: $0) },
        print: { "#" + ($0.alpha == 255 ? String($0.description.prefix(6)) : $0.description) })

    /// Two or more numbers between marks, of which the first two are above 0.
    private static func sizes(_ text: some StringProtocol, _ mark: Character) -> [Int]? {
        guard let all = numbers(text, mark), all.count > 1, all.prefix(2).allSatisfy({ $0 > 0 })
        else { return nil }
        return all
    }

    /// The numbers between marks, none of which is larger than a picture can be.
    private static func numbers(_ text: some StringProtocol, _ mark: Character) -> [Int]? {
        let parts = text.split(separator: mark, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
        }
        return numbers.count == parts.count && numbers.allSatisfy { $0 <= 1 << 24 } ? numbers : nil
    }
}
