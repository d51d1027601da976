internal import LazyMedia

/// What a terminal has answered; bytes that are no answer are ignored.
struct TerminalAnswers: Equatable {
    /// The numbers of the questions about kitty's protocol that succeeded.
    var kitty: Set<Int> = []
    /// The numbers of those that were answered at all.
    var answered: Set<Int> = []
    /// The device attributes (DA1); nil until they came.
    var attributes: [Int]?
    /// Name and version (XTVERSION).
    var name: String?
    /// The size of a cell in pixels.
    var cell: PixelSize?
    /// The size of the text area in pixels.
    var area: PixelSize?
    /// The number of colors of sixel pictures.
    var sixelColors: Int?

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let start = rest.firstIndex(of: 0x1B) {
            rest = rest[(start + 1)...]
            guard let kind = rest.popFirst() else { return }
            switch kind {
            case UInt8(ascii: "_"): if let text = Self.string(&rest) { take(graphics: text) }
            case UInt8(ascii: "P"): if let text = Self.string(&rest) { take(device: text) }
            case UInt8(ascii: "["): takeSequence(&rest)
            default: break
            }
        }
    }

    /// Whether a terminal has sixels.
    var hasSixels: Bool { attributes?.dropFirst().contains(4) ?? false }

    // The text up to ST (ESC \).
    private static func string(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard let end = rest.firstIndex(of: 0x1B) else { return nil }
        defer { rest = rest[end...].dropFirst(2) }
        return String(decoding: rest[..<end], as: UTF8.self)
    }

    private mutating func take(graphics text: String) {
        guard text.hasPrefix("G"), let end = text.firstIndex(of: ";") else { return }
        let keys = text[..<end].dropFirst().split(separator: ",")
        guard
            let number = keys.first(where: { $0.hasPrefix("i=") }).flatMap({ Int($0.dropFirst(2)) })
        else { return }
        answered.insert(number)
        if text[end...] == ";OK" { kitty.insert(number) }
    }

    private mutating func take(device text: String) {
        if text.hasPrefix(">|") { name = String(text.dropFirst(2)) }
    }

    private mutating func takeSequence(_ rest: inout ArraySlice<UInt8>) {
        guard let end = rest.firstIndex(where: { (0x40...0x7E).contains($0) }) else { return }
        let last = rest[end]
        let text = String(decoding: rest[..<end], as: UTF8.self)
        rest = rest[(end + 1)...]
        let isPrivate = text.hasPrefix("?")
        let numbers = text.drop { $0 == "?" }.split(separator: ";").map { Int($0) ?? 0 }
        switch (last, isPrivate) {
        case (UInt8(ascii: "c"), true): attributes = numbers
        case (UInt8(ascii: "t"), false) where numbers.count == 3: takeSize(numbers)
        case (UInt8(ascii: "S"), true) where numbers.count >= 3 && numbers[..<2] == [1, 0]:
            sixelColors = numbers[2]
        default: break
        }
    }

    private mutating func takeSize(_ numbers: [Int]) {
        guard (1...100_000).contains(numbers[1]), (1...100_000).contains(numbers[2]) else { return }
        let size = PixelSize(width: numbers[2], height: numbers[1])
        if numbers[0] == 6 { cell = size } else if numbers[0] == 4 { area = size }
    }
}
