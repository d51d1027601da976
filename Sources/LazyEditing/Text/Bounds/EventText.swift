/// The text of one event with its tags, as it may be drawn, and what that costs.
///
/// Tags are rewritten, so that libass reads what was counted here: numbers within their bounds,
/// and nothing that has no meaning.
struct EventText {
    private(set) var text: [UInt8] = []
    private(set) var cost: EventCost

    private let scale: ScriptScale
    private let styles: [String: ScriptLook]
    private let base: ScriptLook
    private var look: ScriptLook
    /// 0 for text; 1 and more for drawings in pixels, halves, quarters.
    private var drawing = 0
    private var markCount = 0

    /// Reads an event in a style.
    init(
        _ event: [UInt8], style: String, styles: [String: ScriptLook], _ scale: ScriptScale,
        isWrapped: Bool
    ) {
        self.scale = scale
        self.styles = styles
        base = styles[style] ?? styles["Default"] ?? ScriptLook()
        look = base
        cost = EventCost(scale, isWrapped: isWrapped)
        cost.shape.combine(style)
        read(event.prefix(ScriptBounds.eventText))
        cost.endRun(look)
        cost.text = text.count
    }

    private mutating func read(_ event: ArraySlice<UInt8>) {
        var rest = event
        // A brace opens tags only where another one closes them.
        let lastBrace = event.lastIndex(of: .closingBrace) ?? event.startIndex
        while let byte = rest.first {
            if byte == .openingBrace, rest.startIndex < lastBrace,
                let end = rest.firstIndex(of: .closingBrace)
            {
                cost.endRun(look)
                text.append(.openingBrace)
                readTags(rest[rest.index(after: rest.startIndex)..<end])
                text.append(.closingBrace)
                rest = rest[(end + 1)...]
            } else if drawing > 0 {
                let end = rest.dropFirst().firstIndex(of: .openingBrace) ?? rest.endIndex
                readDrawing(rest[..<end])
                rest = rest[end...]
            } else {
                readCharacter(&rest)
            }
        }
    }

    // MARK: - Text

    private mutating func readCharacter(_ rest: inout ArraySlice<UInt8>) {
        guard let byte = rest.first else { return }
        let next = rest.dropFirst().first
        if byte == .backslash, let next, Self.escaped.contains(next) {
            append(rest.prefix(2), isBreak: next == UInt8(ascii: "N") || next == UInt8(ascii: "n"))
            rest = rest.dropFirst(2)
            return
        }
        let count = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        let character = rest.prefix(count)
        rest = rest.dropFirst(count)
        // ASCII has no marks.
        if byte >= 0x80,
            let scalar = String(decoding: character, as: UTF8.self).unicodeScalars.first,
            scalar.isMark
        {
            markCount += 1
            guard markCount <= ScriptBounds.marks else { return }
        } else {
            markCount = 0
        }
        append(character, isBreak: false, isSpace: byte == UInt8(ascii: " "))
    }

    private mutating func append(
        _ character: ArraySlice<UInt8>, isBreak: Bool, isSpace: Bool = false
    ) {
        guard cost.characters < ScriptBounds.characters else { return }
        text += character
        cost.shape.combine(bytes: character)
        cost.add(look, isBreak: isBreak, isSpace: isSpace)
    }

    private static let escaped = Array("Nnh{}".utf8)

    /// Whether a byte of a name begins nothing else: `\fn(\fs900)` would become a size that nobody counted.
    private static func isOfName(_ byte: UInt8) -> Bool {
        byte != .opening && byte != .backslash && byte >= 0x20
    }

    private mutating func readDrawing(_ part: ArraySlice<UInt8>) {
        let drawing = ScriptDrawing(part, maxPoints: ScriptBounds.points - cost.points)
        text += drawing.text
        cost.shape.combine(bytes: drawing.text[...])
        cost.add(drawing, look, scale: self.drawing)
    }

    // MARK: - Tags

    private mutating func readTags(_ block: ArraySlice<UInt8>, inTransform: Bool = false) {
        var rest = block
        while let start = rest.firstIndex(of: .backslash) {
            rest = rest[(start + 1)...]
            guard let tag = OverrideTag(&rest) else { continue }
            if tag.name == "t" {
                if !inTransform { readTransform(tag) }
            } else if OverrideTag.lists.contains(tag.name) {
                readList(tag, isOpen: inTransform)
            } else {
                read(tag, isGradual: inTransform)
            }
        }
    }

    /// `\t(0,100,1,\fs20)`: the values in between are drawn, too.
    private mutating func readTransform(_ tag: OverrideTag) {
        guard tag.hasTags, let tags = tag.arguments.last, tag.arguments.count <= 4 else { return }
        let start = text.count
        put("t(")
        for argument in tag.arguments.dropLast() {
            put(number: argument, ScriptBounds.harmless)
            text.append(.comma)
        }
        let head = text.count
        readTags(tags, inTransform: true)
        guard text.count > head else { return text.removeSubrange(start...) }
        cost.isAnimated = true
        text.append(.closing)
    }

    /// Numbers in parentheses, or a drawing that clips.
    ///
    /// The parentheses that are open at the end of a transform are closed by its own.
    private mutating func readList(_ tag: OverrideTag, isOpen: Bool) {
        guard !tag.hasTags else { return }
        let isClip = tag.name.hasSuffix("clip")
        let numbers =
            isClip && tag.arguments.count <= 2 ? tag.arguments.dropLast() : tag.arguments[...]
        put(tag.name + "(")
        for (index, number) in numbers.enumerated() {
            if index > 0 { text.append(.comma) }
            put(number: number, ScriptBounds.harmless)
            if !isClip { cost.shape.combine(bytes: number) }
        }
        if isClip, tag.arguments.count <= 2, let outline = tag.arguments.last {
            if !numbers.isEmpty { text.append(.comma) }
            let drawing = ScriptDrawing(outline, maxPoints: ScriptBounds.points - cost.points)
            text += drawing.text
            let halvings = numbers.first.flatMap { ScriptNumber($0) }.map {
                Int(min(max($0.value, 1), 30))
            }
            cost.add(clip: drawing, scale: halvings ?? 1)
            cost.shape.combine(bytes: drawing.text[...])
        }
        if tag.name == "move" { cost.isAnimated = true }
        if tag.name == "org", numbers.contains(where: isFar) { cost.isFar = true }
        if !isOpen { text.append(.closing) }
    }

    private func isFar(_ coordinate: ArraySlice<UInt8>) -> Bool {
        (ScriptNumber(coordinate)?.value.magnitude ?? 0) > 2 * max(scale.width, scale.height)
    }

    private mutating func read(_ tag: OverrideTag, isGradual: Bool) {
        let argument = tag.arguments.first
        switch tag.name {
        case "fn", "alpha", "c", "1c", "2c", "3c", "4c", "1a", "2a", "3a", "4a":
            put(tag.name)
            text += (argument ?? []).prefix(ScriptBounds.name).filter(Self.isOfName)
            if tag.name == "fn" { cost.shape.combine(bytes: argument ?? []) }
        case "r":
            let name = String(decoding: (argument ?? []).prefix(ScriptBounds.name), as: UTF8.self)
            look = argument == nil ? base : styles[name] ?? base
            put("r")
            text += name.utf8.filter(Self.isOfName)
            cost.shape.combine(name)
        case "fs":
            readFontSize(argument, isGradual: isGradual)
        default:
            let number = put(tag.name, number: argument)
            if let number {
                look.set(tag.name, number.value, isGradual: isGradual)
            } else if !isGradual {
                look.reset(tag.name, to: base)
            }
            if tag.name == "p" { drawing = number.map { Int($0.value) } ?? 0 }
            if tag.name == "q" { cost.isWrapped = number?.value != 2 }
        }
    }

    /// `\fs20`, or `\fs+2` for two tenths more.
    private mutating func readFontSize(_ argument: ArraySlice<UInt8>?, isGradual: Bool) {
        guard let argument, let number = ScriptNumber(argument) else {
            put("fs")
            if !isGradual { look.fontSize = base.fontSize }
            return
        }
        let isRelative = argument.first == .plus || argument.first == .minus
        var size = isRelative ? .written(look.fontSize * (1 + number.value / 10)) : number
        // libass takes the style's size for none.
        if size.value <= 0 { size = .written(base.fontSize) }
        if let range = scale.range(of: "fs") { size = size.clamped(to: range) }
        put("fs")
        text += size.text
        cost.shape.combine(size.value)
        look.set("fs", size.value, isGradual: isGradual)
    }

    // MARK: - Writing

    private mutating func put(_ word: String) {
        text.append(.backslash)
        text += word.utf8
    }

    private mutating func put(number: ArraySlice<UInt8>, _ range: ClosedRange<Double>) {
        text += (ScriptNumber(number)?.clamped(to: range) ?? .written(0)).text
    }

    /// Writes a tag with its number within its bounds; nil without an argument, which means that of the style.
    private mutating func put(_ tag: String, number: ArraySlice<UInt8>?) -> ScriptNumber? {
        put(tag)
        guard let number else { return nil }
        let range = Self.ranges[tag] ?? scale.range(of: tag) ?? ScriptBounds.harmless
        let clamped = (ScriptNumber(number) ?? .written(0)).clamped(to: range)
        text += clamped.text
        cost.shape.combine(tag)
        cost.shape.combine(clamped.value)
        return clamped
    }

    /// Numbers that choose something; a drawing has at most so many halvings.
    private static let ranges: [String: ClosedRange<Double>] = [
        "p": 0...30, "b": 0...1000, "i": 0...1, "u": 0...1, "s": 0...1, "q": 0...3, "an": 0...9,
        "a": 0...11,
    ]
}

extension Hasher {
    mutating func combine(bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { combine(bytes: $0) }
    }
}

extension Unicode.Scalar {
    /// Whether it is drawn on the character before it.
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark, .format: true
        default: false
        }
    }
}
