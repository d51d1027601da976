/// What precedes the events of a script: the size it is written for, and its styles.
///
/// It is rewritten, without what libass does not need, such as fonts in the text.
struct ScriptHeader {
    /// The sections as they may be read.
    private(set) var text = ""
    private(set) var scale: ScriptScale
    private(set) var styles: [String: ScriptLook] = [:]
    /// Whether lines are broken where no style or tag says otherwise.
    private(set) var isWrapped = true

    /// Reads the lines of the sections.
    init(_ lines: some Sequence<ScriptLine>, _ scale: ScriptScale) {
        self.scale = scale
        let lines = Array(lines)
        readSize(lines)
        text = "[Script Info]\n"
        for line in lines where line.section == .info { addInfo(line) }
        let isOld =
            lines.contains { $0.section == .oldStyles } && !lines.contains { $0.section == .styles }
        text += isOld ? "\n[V4 Styles]\n" : "\n[V4+ Styles]\n"
        addStyles(lines.filter { $0.section == (isOld ? .oldStyles : .styles) }, isOld)
        text += "\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, "
        text += "Effect, Text\n"
    }

    // MARK: - The size

    private mutating func readSize(_ lines: [ScriptLine]) {
        func number(_ key: String) -> Double? {
            let line = lines.last { $0.section == .info && $0.key == key }
            return line.flatMap { ScriptNumber($0.value) }?.clamped(to: ScriptBounds.resolution)
                .value
        }
        scale.set(width: number("PlayResX"), height: number("PlayResY"))
        if let width = number("LayoutResX"), let height = number("LayoutResY") {
            scale.set(layoutWidth: width, height: height)
        }
    }

    private mutating func addInfo(_ line: ScriptLine) {
        switch line.key {
        case "PlayResX", "PlayResY": addSize(line)
        case "LayoutResX", "LayoutResY": if scale.hasLayout { addSize(line) }
        case "WrapStyle":
            isWrapped = ScriptNumber(line.value)?.value != 2
            fallthrough
        case "ScriptType", "ScaledBorderAndShadow", "Kerning", "Language", "YCbCr Matrix", "Timer":
            add(line.key, line.value.name)
        default: break
        }
    }

    private mutating func addSize(_ line: ScriptLine) {
        guard let number = ScriptNumber(line.value)?.clamped(to: ScriptBounds.resolution) else {
            return
        }
        add(line.key, String(decoding: number.text, as: UTF8.self))
    }

    private mutating func add(_ key: String, _ value: String) { text += "\(key): \(value)\n" }

    // MARK: - Styles

    private mutating func addStyles(_ lines: [ScriptLine], _ isOld: Bool) {
        var names = isOld ? Self.oldFormat : Self.format
        var count = 0
        for line in lines {
            if line.key == "Format" {
                names = line.value.split(separator: .comma).map { $0.name }
            } else if line.key == "Style", count < ScriptBounds.styles {
                count += 1
                addStyle(line.value, names)
            }
        }
    }

    private mutating func addStyle(_ value: ArraySlice<UInt8>, _ names: [String]) {
        var look = ScriptLook()
        var name = "Default"
        var fields: [(name: String, value: String)] = []
        var seen: Set<String> = []
        let values = value.split(separator: .comma, omittingEmptySubsequences: false)
        for (field, value) in zip(names, values) {
            let key = field.lowercased()
            guard Self.fields.contains(key), seen.insert(key).inserted else { continue }
            guard let range = range(of: key) else {
                fields.append((field, value.name))
                if key == "name" { name = value.styleName }
                // A box behind the text is drawn as its border.
                if key == "borderstyle", value.name != "1" { look.border = max(look.border, 1) }
                continue
            }
            let number = (ScriptNumber(value) ?? .written(0)).clamped(to: range)
            fields.append((field, String(decoding: number.text, as: UTF8.self)))
            if let tag = Self.tags[key] { look.set(tag, number.value, isGradual: false) }
        }
        styles[name] = look
        text += "Format: \(fields.map(\.name).joined(separator: ", "))\n"
        text += "Style: \(fields.map(\.value).joined(separator: ","))\n"
    }

    private func range(of field: String) -> ClosedRange<Double>? {
        if let range = scale.range(of: field) { return range }
        switch field {
        case "angle", "marginl", "marginr", "marginv": return ScriptBounds.harmless
        default: return nil
        }
    }

    private static let tags = [
        "fontsize": "fs", "scalex": "fscx", "scaley": "fscy", "spacing": "fsp", "outline": "xbord",
        "shadow": "shad", "angle": "frz",
    ]
    private static let format = [
        "Name", "Fontname", "Fontsize", "PrimaryColour", "SecondaryColour", "OutlineColour",
        "BackColour", "Bold", "Italic", "Underline", "StrikeOut", "ScaleX", "ScaleY", "Spacing",
        "Angle", "BorderStyle", "Outline", "Shadow", "Alignment", "MarginL", "MarginR", "MarginV",
        "Encoding",
    ]
    private static let oldFormat = [
        "Name", "Fontname", "Fontsize", "PrimaryColour", "SecondaryColour", "TertiaryColour",
        "BackColour", "Bold", "Italic", "BorderStyle", "Outline", "Shadow", "Alignment", "MarginL",
        "MarginR", "MarginV", "AlphaLevel", "Encoding",
    ]
    private static let fields = Set((format + oldFormat).map { $0.lowercased() })
}

extension ArraySlice<UInt8> {
    /// A text of at most so many bytes as names have.
    var name: String {
        let bytes = trimmed.prefix(ScriptBounds.name).filter { $0 >= 0x20 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The name of a style, which libass compares without asterisks before it.
    var styleName: String {
        String(decoding: Array(name.utf8).drop { $0 == UInt8(ascii: "*") }, as: UTF8.self)
    }
}
