/// The subtitles of a file of their own.
package enum SubtitleFile: Hashable, Sendable {
    /// A script in the format ASS or SSA, as it is.
    case script(String)
    /// The cues of SubRip or WebVTT, as they would be those of a track.
    case track(SubtitleTrack)

    /// Reads the text of a file; throws `.unsupported` for another format.
    package init(_ text: String) throws(MediaError) {
        let text = text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text
        if Self.isScript(text) {
            self = .script(text)
        } else if let track = try CueFile(text).track {
            self = .track(track)
        } else {
            throw MediaError(.unsupported, "The subtitles are neither SubRip, WebVTT nor ASS.")
        }
    }

    /// Whether one of the first lines begins a section.
    private static func isScript(_ text: String) -> Bool {
        let start = String(decoding: text.utf8.prefix(1 << 16), as: UTF8.self)
        return start.split(whereSeparator: \.isNewline).contains { line in
            line.first == "["
                && sections.contains(line.lowercased().filter { !$0.isWhitespace })
        }
    }

    private static let sections: Set = ["[scriptinfo]", "[v4styles]", "[v4+styles]"]
}
