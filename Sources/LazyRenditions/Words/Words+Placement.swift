package import LazyEditing
internal import LazyMedia

extension Words {
    /// `rt:fill/w:300/h:200/g:no:0:5`: a placement, written as the options of a service's URL.
    package static let placement = Grammar<Placement>(
        "a placement is written as rt:fill/w:300/h:200/g:no:0:5", shape: "[A-Za-z0-9.:/_-]*",
        samples: [
            "rt:fill/w:300/h:200/g:no:0:5", "w:300/ex:1:ce:0:0/bg:ff8000",
            "mw:20/mh:30/z:2:1.5/bl:2/sh:1.5/pix:10",
            "h:20/dpr:2/el:1/exar:1:so:0:0.1/c:50:0.5:nowe:1:2/pd:1:2:3:4/mrd:50", "",
        ],
        read: { text in
            var placement = Placement()
            for part in text.split(separator: "/") {
                let words = part.split(separator: ":", omittingEmptySubsequences: false)
                    .map { String($0) }
                let isKnown = try? placement.set(words[0], Array(words.dropFirst()))
                guard isKnown == true else { return nil }
            }
            return placement
        }, print: { $0.words.joined(separator: "/") })
}

extension Placement {
    /// Sets what an option says; false where it says nothing of a placement.
    ///
    /// Throws for a wrong argument. An argument that may be empty keeps what was set.
    package mutating func set(_ name: String, _ list: [String]) throws(WordError) -> Bool {
        let list = Arguments(list)
        switch name {
        case "rs":
            if let type = list[0] { try set(resizing: type) }
            try setSize(list.dropping(1))
        case "s": try setSize(list)
        case "rt": try set(resizing: list[0] ?? "")
        case "w": width = try list.length(0)
        case "h": height = try list.length(0)
        case "mw": minWidth = try list.length(0)
        case "mh": minHeight = try list.length(0)
        case "z":
            zoomX = try list.factor(0)
            zoomY = list.count > 1 ? try list.factor(1) : zoomX
        case "dpr": density = try list.factor(0)
        case "el": enlarges = list.flag(0)
        case "ex": extends = try list.extension()
        case "exar": extendsRatio = try list.extension()
        case "g": anchor = try list.anchor(.any)
        case "c":
            let anchor = list.count > 2 ? try list.dropping(2).anchor(.any) : nil
            crop = Crop(width: try list.side(0), height: try list.side(1), anchor: anchor)
        case "car":
            let ratio = try list.number(0)
            cropRatio = ratio > 0 ? Ratio(ratio, enlarges: list.flag(1)) : nil
        case "pd": try setBorder(list)
        case "bg": background = try list.color()
        case "bl": filter.blur = try list.side(0)
        case "sh": filter.sharpen = try list.side(0)
        case "pix": filter.pixelate = try list.length(0)
        case "mrd": limit = max(0, try list.integer(0))
        default: return false
        }
        return true
    }

    private mutating func set(resizing word: String) throws(WordError) {
        guard let resizing = Resizing(rawValue: word) else {
            throw WordError(
                "the types of resizing are fit, fill, fill-down, force, auto", given: word)
        }
        self.resizing = resizing
    }

    /// Width, height, and whether it enlarges and extends.
    private mutating func setSize(_ list: Arguments) throws(WordError) {
        if list[0] != nil { width = try list.length(0) }
        if list[1] != nil { height = try list.length(1) }
        if list[2] != nil { enlarges = list.flag(2) }
        if list[3] != nil { extends = try list.dropping(3).extension() }
    }

    private mutating func setBorder(_ list: Arguments) throws(WordError) {
        var sides = [0, 0, 0, 0]
        // One side counts for those that follow it, the second one for the fourth.
        let followers = [[0, 1, 2, 3], [1, 3], [2], [3]]
        for (number, followers) in followers.enumerated() where list[number] != nil {
            let length = try list.length(number)
            for side in followers { sides[side] = length }
        }
        border = Border(top: sides[0], right: sides[1], bottom: sides[2], left: sides[3])
    }
}

// MARK: - Printing

extension Placement {
    /// What differs from a placement that changes nothing, in words of `set`.
    fileprivate var words: [String] {
        let usual = Placement()
        func word(_ name: String, _ isUsual: Bool, _ values: Any...) -> String? {
            isUsual ? nil : ([name] + values.map(Self.text)).joined(separator: ":")
        }
        let crop = crop.map { crop in
            (["c", Self.text(crop.width), Self.text(crop.height)]
                + (crop.anchor.map { [$0.words] } ?? []))
                .joined(separator: ":")
        }
        return [
            word("rt", resizing == usual.resizing, resizing.rawValue),
            word("w", width == 0, width), word("h", height == 0, height),
            word("mw", minWidth == 0, minWidth), word("mh", minHeight == 0, minHeight),
            word("z", zoomX == 1 && zoomY == 1, zoomX, zoomY), word("dpr", density == 1, density),
            word("el", !enlarges, 1), extends.map { "ex:1:\($0.words)" },
            extendsRatio.map { "exar:1:\($0.words)" },
            word("g", anchor == usual.anchor, anchor.words), crop,
            cropRatio.map { "car:\(Self.text($0.value)):\($0.enlarges ? 1 : 0)" },
            word("bl", filter.blur == 0, filter.blur),
            word("sh", filter.sharpen == 0, filter.sharpen),
            word("pix", filter.pixelate == 0, filter.pixelate),
            word(
                "pd", border == usual.border, border.top, border.right, border.bottom, border.left),
            background.map { "bg:\($0.description.prefix(6))" }, word("mrd", limit == 0, limit),
        ].compactMap(\.self)
    }

    private static func text(_ value: Any) -> String {
        (value as? Double).map(Words.printNumber) ?? "\(value)"
    }
}

extension Placement.Anchor {
    fileprivate static let words: [(String, Gravity)] = [
        ("ce", .center), ("no", .north), ("ea", .east), ("so", .south), ("we", .west),
        ("noea", .northEast), ("nowe", .northWest), ("soea", .southEast), ("sowe", .southWest),
        ("sm", .attention),
    ]

    fileprivate var words: String {
        if case .point(let x, let y) = gravity {
            return "fp:\(Words.printNumber(x)):\(Words.printNumber(y))"
        }
        let word = Self.words.first { $0.1 == gravity }?.0 ?? "ce"
        return gravity == .attention
            ? word : "\(word):\(Words.printNumber(x)):\(Words.printNumber(y))"
    }
}

extension EdgeTrim {
    /// Reads the arguments of an option: threshold, color, and whether both margins are equal.
    fileprivate init?(_ list: Arguments) throws(WordError) {
        guard list.count <= 4 else { return nil }
        let color =
            if let digits = list[1] { try PixelColor(digits: digits) } else { PixelColor?.none }
        self.init(
            threshold: try list.side(0), color: color, isEqualAcross: list.flag(2),
            isEqualDown: list.flag(3))
    }
}

// MARK: - Arguments

/// The arguments of an option, of which some may be empty or missing.
private struct Arguments {
    private let list: ArraySlice<String>

    init(_ list: [String]) { self.list = list[...] }
    private init(_ list: ArraySlice<String>) { self.list = list }

    var count: Int { list.count }

    /// An argument; nil where it is empty or missing.
    subscript(_ number: Int) -> String? {
        let place = list.startIndex + number
        return place < list.endIndex && !list[place].isEmpty ? list[place] : nil
    }

    func dropping(_ number: Int) -> Arguments { Arguments(list.dropFirst(number)) }

    func flag(_ number: Int) -> Bool { (self[number] ?? "").meansYes }

    func integer(_ number: Int) throws(WordError) -> Int {
        let text = self[number] ?? ""
        // The least integer has no absolute value.
        guard let value = Int(text), (-(1 << 28)...1 << 28).contains(value) else {
            throw WordError("it is a whole number", given: text)
        }
        return value
    }

    func length(_ number: Int) throws(WordError) -> Int {
        let value = try integer(number)
        guard value >= 0 else { throw WordError("it is 0 or more pixels", given: "\(value)") }
        return value
    }

    func number(_ number: Int) throws(WordError) -> Double {
        let text = self[number] ?? ""
        guard let value = Double(text), value.isFinite, abs(value) <= 0x1p28 else {
            throw WordError("it is a number", given: text)
        }
        return value
    }

    func factor(_ number: Int) throws(WordError) -> Double {
        let value = try self.number(number)
        guard value >= 0x1p-20 else { throw WordError("it is above 0", given: "\(value)") }
        return value
    }

    /// A side of a crop: pixels, a share, or 0.
    func side(_ number: Int) throws(WordError) -> Double {
        let value = try self.number(number)
        guard value >= 0 else { throw WordError("it is 0 or more", given: "\(value)") }
        return value
    }

    /// Which gravities an option takes.
    enum Kind { case any, fixed }

    /// Whether there is an extension, and where the picture is.
    func `extension`() throws(WordError) -> Placement.Anchor? {
        let anchor = count > 1 && self[1] != nil ? try dropping(1).anchor(.fixed) : .init()
        return flag(0) ? anchor : nil
    }

    func anchor(_ kind: Kind) throws(WordError) -> Placement.Anchor {
        let word = self[0] ?? ""
        if word == "fp" {
            guard count == 3 else {
                throw WordError("a point is written as fp:0.5:0.5", given: word)
            }
            let (x, y) = (try number(1), try number(2))
            guard (0...1).contains(x), (0...1).contains(y) else {
                throw WordError("a point is in shares of 0 to 1", given: "\(x):\(y)")
            }
            return .init(.point(x, y))
        }
        let known = Placement.Anchor.words.first { $0.0 == word }?.1
        guard let gravity = known, gravity != .attention || kind == .any else {
            let words =
                Placement.Anchor.words.filter { kind == .any || $0.1 != .attention }.map(\.0)
                + ["fp"]
            // Of two letters one makes another word, which was not meant.
            throw WordError(
                "the gravities are \(words.joined(separator: ", "))", given: word,
                nearest: word.count > 2 ? Suggestion.nearest(word, among: words) : nil)
        }
        guard count <= (gravity == .attention ? 1 : 3) else {
            throw WordError("\(word) has fewer arguments", given: self[1] ?? "")
        }
        return .init(
            gravity, x: self[1] == nil ? 0 : try number(1), y: self[2] == nil ? 0 : try number(2))
    }

    /// Three or six hexadecimal digits, or three numbers; nil for an empty argument.
    func color() throws(WordError) -> PixelColor? {
        switch count {
        case 1:
            guard let digits = self[0] else { return nil }
            return try PixelColor(digits: digits)
        case 3:
            var channels: [UInt8] = []
            for number in 0..<3 {
                let text = self[number] ?? ""
                guard let channel = UInt8(text) else {
                    throw WordError("a channel is 0 to 255", given: text)
                }
                channels.append(channel)
            }
            return PixelColor(red: channels[0], green: channels[1], blue: channels[2])
        default: throw WordError("a color is written as ff8000 or 255:128:0", given: self[0] ?? "")
        }
    }
}

extension Words {
    /// `10`, `10:ff00ff`, `10::1:1`: which edges are removed.
    package static let edges = Grammar<EdgeTrim>(
        "edges are written as 10, 10:ff00ff or 10:ff00ff:1:1",
        shape: "[0-9.]+(?::[0-9A-Fa-f]*(?::[A-Za-z0-9]*){0,2})?",
        samples: ["10", "10:ff00ff", "2.5:fff:1", "10::0:1", "0:ff00ff:1:1"],
        read: { text in
            try? EdgeTrim(
                Arguments(
                    text.split(separator: ":", omittingEmptySubsequences: false).map { String($0) })
            )
        },
        print: { trim in
            let color = trim.color.map { String($0.description.prefix(6)) } ?? ""
            return [
                printNumber(trim.threshold), color, trim.isEqualAcross ? "1" : "0",
                trim.isEqualDown ? "1" : "0",
            ].joined(separator: ":")
        })
}

extension String {
    /// Whether it is a word of a URL that means yes; every other one means no.
    package var meansYes: Bool { ["1", "t", "T", "true", "True", "TRUE"].contains(self) }
}

extension PixelColor {
    /// A color of three or six hexadecimal digits without a mark.
    fileprivate init(digits: String) throws(WordError) {
        guard [3, 6].contains(digits.utf8.count), digits.utf8.allSatisfy(\.isHexDigit),
            let color = PixelColor(css: "#" + digits)
        else { throw WordError("a color is written as fff or ff8000", given: digits) }
        self = color
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { Character(Unicode.Scalar(self)).isHexDigit }
}
