internal import LazyMedia

/// A line of a script, and the section that it is in.
struct ScriptLine {
    /// The sections that libass knows.
    enum Section {
        case info, oldStyles, styles, events, other
    }
    let section: Section
    /// What is before the colon.
    let key: String
    /// What is behind it.
    let value: ArraySlice<UInt8>

    /// The most lines of a script: its events, comments among them.
    private static let maxLines = 3 * SubtitleTrack.maxLines

    /// The lines of a script that have a key.
    static func lines(of script: String) -> [ScriptLine] {
        var section = Section.info
        var lines: [ScriptLine] = []
        for line in TextLines(Array(script.utf8)) where lines.count < maxLines {
            // Spaces at the end belong to a text.
            let line = line.drop { $0.isScriptSpace }
            if line.first == UInt8(ascii: "[") {
                // One that is not known does not end the one before.
                section = Self.sections[line.name.lowercased()] ?? section
            } else if let colon = line.prefix(32).firstIndex(of: UInt8(ascii: ":")) {
                let key = String(decoding: line[..<colon], as: UTF8.self)
                lines.append(ScriptLine(section: section, key: key, value: line[(colon + 1)...]))
            }
        }
        return lines
    }

    private static let sections: [String: Section] = [
        "[script info]": .info, "[v4 styles]": .oldStyles, "[v4+ styles]": .styles,
        "[events]": .events, "[fonts]": .other, "[graphics]": .other,
    ]
}
