internal import LazyMedia

/// Which fonts and characters a sanitized script uses; rather too many than too few.
struct FontUse: Equatable {
    /// The families, in the order in which they are named.
    private(set) var families: [String] = []
    private(set) var hasBold = false
    private(set) var hasItalic = false
    private(set) var characters: Set<UInt32> = []

    init(_ script: ScriptSanitizer) {
        var styles = Self.styles(script.header)
        for line in script.lines {
            let fields = line.text.utf8.split(
                separator: .comma, maxSplits: 8, omittingEmptySubsequences: false)
            guard fields.count == 9 else { continue }
            add(styles.removeValue(forKey: String(fields[2]) ?? ""))
            read(Array(fields[8])[...], &styles)
        }
        // What libass takes where an event's style is missing.
        add(styles["Default"])
    }

    private mutating func add(family: String) {
        // Vertical text has an at sign before its font.
        let name = family.hasPrefix("@") ? String(family.dropFirst()) : family
        if !name.isEmpty, !families.contains(name), families.count < 64 { families.append(name) }
    }

    private mutating func add(_ style: Style?) {
        guard let style else { return }
        add(family: style.family)
        hasBold = hasBold || style.isBold
        hasItalic = hasItalic || style.isItalic
    }

    // MARK: - Events

    private mutating func read(_ text: ArraySlice<UInt8>, _ styles: inout [String: Style]) {
        var rest = text
        while let start = rest.firstIndex(of: .openingBrace),
            let end = rest[start...].firstIndex(of: .closingBrace)
        {
            addCharacters(rest[..<start])
            for tag in rest[start..<end].split(separator: .backslash) { add(tag, &styles) }
            rest = rest[(end + 1)...]
        }
        addCharacters(rest)
    }

    private mutating func addCharacters(_ text: ArraySlice<UInt8>) {
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            characters.insert(scalar.value)
        }
    }

    private mutating func add(_ tag: ArraySlice<UInt8>, _ styles: inout [String: Style]) {
        let word = String(decoding: tag, as: UTF8.self)
        if word.hasPrefix("fn") {
            add(family: String(word.dropFirst(2)))
        } else if word.hasPrefix("r") {
            add(styles.removeValue(forKey: String(word.dropFirst())))
        } else if word.hasPrefix("b"), let weight = Int(word.dropFirst()) {
            hasBold = hasBold || weight != 0
        } else if word.hasPrefix("i1") {
            hasItalic = true
        }
    }

    // MARK: - Styles

    private struct Style {
        var family = ""
        var isBold = false
        var isItalic = false
    }

    private static func styles(_ header: String) -> [String: Style] {
        var styles: [String: Style] = [:]
        var names: [String] = []
        for line in ScriptLine.lines(of: header)
        where line.section == .styles || line.section == .oldStyles {
            if line.key == "Format" {
                names = line.value.split(separator: .comma).map { $0.name.lowercased() }
            } else if line.key == "Style" {
                let values = line.value.split(separator: .comma, omittingEmptySubsequences: false)
                let fields = Dictionary(zip(names, values.map(\.name))) { first, _ in first }
                let style = Style(
                    family: fields["fontname"] ?? "", isBold: (fields["bold"] ?? "0") != "0",
                    isItalic: (fields["italic"] ?? "0") != "0")
                styles[Array((fields["name"] ?? "Default").utf8)[...].styleName] = style
            }
        }
        return styles
    }
}
