/// The tags of SubRip as those of ASS, by the rules of FFmpeg's decoder (libavcodec/htmlsubtitles.c).
struct SubRipMarkup {
    private var words = ScriptWords()
    private var rest: ArraySlice<UInt8>
    private var isLineStart = true
    private var placeCount = 0
    /// No brace behind this place is closed.
    private let lastBrace: Int
    private var fonts: [Font] = []

    private struct Font {
        var size: String?
        var color: String?
        var face: String?
    }

    /// The most fonts in each other.
    private static let maxFonts = 15
    /// The most bytes of a tag.
    private static let maxTag = 127

    /// The text of an event.
    static func words(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var markup = SubRipMarkup(text)
        markup.read()
        return markup.words.bytes
    }

    private init(_ text: ArraySlice<UInt8>) {
        rest = text
        lastBrace = text.lastIndex(of: UInt8(ascii: "}")) ?? text.startIndex
    }

    private mutating func read() {
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "\r"): rest.removeFirst()
            case UInt8(ascii: "\n"):
                // An empty line ends the text.
                if isLineStart { return words.trimEnd() }
                words.trimSpaces()
                words.put(byte)
                rest.removeFirst()
                isLineStart = true
                continue
            case UInt8(ascii: " "):
                if !isLineStart { words.put(byte) }
                rest.removeFirst()
                continue
            case UInt8(ascii: "{"): readBrace()
            case UInt8(ascii: "<"): readAngle()
            case UInt8(ascii: "\\"): readBackslash()
            default:
                words.put(byte)
                rest.removeFirst()
            }
            isLineStart = byte == UInt8(ascii: "\r") && isLineStart
        }
        words.trimEnd()
    }

    /// `{\an8}` is a place; other tags are dropped without one before them, and so are MicroDVD's, such as `{Y:i}`.
    private mutating func readBrace() {
        let start = rest.startIndex
        let second = rest.dropFirst().first
        if Self.isPlace(rest.prefix(6)) { placeCount += 1 }
        let isTag = second == UInt8(ascii: "\\")
        let isMicroDVD =
            second.map { Self.microDVD.contains($0) } == true
            && rest.dropFirst(2).first == UInt8(ascii: ":")
        guard isTag || isMicroDVD, start < lastBrace,
            let end = rest.firstIndex(of: UInt8(ascii: "}"))
        else {
            words.put(rest.removeFirst())
            return
        }
        if isTag, placeCount == 1 { words.put(script: rest[start...end]) }
        rest = rest[(end + 1)...]
    }

    private static func isPlace(_ tag: ArraySlice<UInt8>) -> Bool {
        tag.count == 6 && tag.starts(with: "{\\an".utf8) && tag.last == UInt8(ascii: "}")
            && tag.dropFirst(4).first?.isDigit == true
    }

    private static let microDVD = Set("CcFfoPSsYy".utf8)

    /// `\N` and `\h` mean in files what they mean in ASS.
    private mutating func readBackslash() {
        let next = rest.dropFirst().first
        if next == UInt8(ascii: "N") || next == UInt8(ascii: "h") {
            words.put(script: rest.prefix(2))
            rest = rest.dropFirst(2)
        } else {
            words.put(rest.removeFirst())
        }
    }

    // MARK: - Tags

    private mutating func readAngle() {
        var isLikely = true
        while rest.dropFirst().first == UInt8(ascii: "<") {
            words.put(rest.removeFirst())
            isLikely = false
        }
        var body = rest.dropFirst()
        let isEnd = body.first == UInt8(ascii: "/")
        if isEnd {
            body = body.dropFirst()
            isLikely = true
        }
        guard let end = Self.end(of: body), end > body.startIndex else {
            return words.put(rest.removeFirst())
        }
        let tag = body[..<end].drop { $0 == UInt8(ascii: " ") }
        if tag.startIndex > body.startIndex { isLikely = false }
        let name = tag.prefix { $0 != UInt8(ascii: " ") }
        let word = String(decoding: name, as: UTF8.self).lowercased()
        switch word {
        case "font": isEnd ? closeFont() : openFont(tag.dropFirst(name.count))
        case "b", "i", "s", "u": words.put(tags: "\\\(word)\(isEnd ? 0 : 1)")
        case "br", "br/": words.put(UInt8(ascii: "\n"))
        case _ where isLikely && name.allSatisfy(\.isOfTag): break
        default: return words.put(rest.removeFirst())
        }
        rest = rest[(end + 1)...]
    }

    /// Where a tag ends; nil for what is none.
    private static func end(of body: ArraySlice<UInt8>) -> Int? {
        let part = body.prefix(maxTag + 1)
        guard
            let end = part.firstIndex(where: {
                $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") || $0 == 0
            }), part[end] == UInt8(ascii: ">")
        else { return nil }
        return end
    }

    // MARK: - Fonts

    private mutating func openFont(_ parameters: ArraySlice<UInt8>) {
        guard fonts.count < Self.maxFonts else { return }
        var font = fonts.last ?? Font()
        var rest = String(decoding: parameters, as: UTF8.self)[...]
        while let space = rest.firstIndex(of: " ") {
            rest = rest[rest.index(after: space)...]
            read(rest, &font)
        }
        fonts.append(font)
    }

    private mutating func read(_ parameter: Substring, _ font: inout Font) {
        guard let equals = parameter.firstIndex(of: "=") else { return }
        var value = parameter[parameter.index(after: equals)...]
        let quote = value.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
        if quote != nil { value.removeFirst() }
        value = value.prefix { $0 != quote && (quote != nil || $0 != " ") }
        switch parameter[..<equals].lowercased() {
        case "size":
            let digits = value.prefix { $0.isASCII && $0.isNumber }
            guard !digits.isEmpty else { return }
            font.size = "\\fs\(digits)"
            words.put(tags: "\\fs\(digits)")
        case "color":
            guard let color = Self.color(value) else { return }
            font.color = color
            words.put(tags: color)
        case "face":
            let name = value.filter { !"{}\\".contains($0) }
            guard !name.isEmpty else { return }
            font.face = "\\fn\(name)"
            words.put(tags: "\\fn\(name)")
        default: break
        }
    }

    /// Returns to the font around the one that ends.
    private mutating func closeFont() {
        guard let old = fonts.popLast() else { return }
        let now = fonts.last ?? Font()
        if old.size != now.size { words.put(tags: now.size ?? "\\fs") }
        if old.color != now.color { words.put(tags: now.color ?? "\\c") }
        if old.face != now.face { words.put(tags: now.face ?? "\\fn") }
    }

    /// A color of CSS, with any number of number signs before it.
    private static func color(_ text: Substring) -> String? {
        let word = String(text.drop { $0 == "#" }.prefix { $0 != ">" })
        let digits = word.hasPrefix("0x") ? String(word.dropFirst(2)) : word
        return PixelColor(css: digits).map(\.scriptColor)
    }
}

extension PixelColor {
    /// The tag that makes letters of this color.
    var scriptColor: String {
        let number = [blue, green, red].reduce(0) { $0 << 8 | Int($1) }
        return "\\c&H\(String(number, radix: 16, uppercase: true))&"
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var isOfTag: Bool {
        isDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: "/")
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}

extension CuePlace {
    /// The corners of a rectangle on a DVD of 720x480: `X1:100 X2:200 Y1:100 Y2:200`.
    init(subRip settings: ArraySlice<UInt8>) {
        self.init()
        var numbers: [String: Int] = [:]
        for word in String(decoding: settings.prefix(200), as: UTF8.self).split(separator: " ") {
            let parts = word.split(separator: ":")
            if parts.count == 2, let number = Int(parts[1]), (0...99_999).contains(number) {
                numbers[String(parts[0]).uppercased()] = number
            }
        }
        guard let left = numbers["X1"], let top = numbers["Y1"] else { return }
        var (x, y, key) = (left, top, 1)
        if let right = numbers["X2"], let bottom = numbers["Y2"], (right, bottom) != (left, top),
            right >= left, bottom >= top
        {
            (x, y, key) = (left + (right - left) / 2, top + (bottom - top) / 2, 5)
        }
        let place = "\(x * Int(CueFormat.width) / 720),\(y * Int(CueFormat.height) / 480)"
        tags = "{\\an\(key)}{\\pos(\(place))}"
    }
}
