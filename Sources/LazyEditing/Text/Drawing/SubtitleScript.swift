package import LazyMedia

/// Subtitles of a file as a script in the format ASS.
///
/// ASS and SSA are taken as they are; SubRip and WebVTT are converted, with their line breaks and
/// without their styles.
package struct SubtitleScript: Hashable, Sendable {
    /// The script.
    package let text: String

    /// Reads the text of a file; throws `.unsupported` for another format.
    package init(_ file: String) throws(MediaError) {
        let text = file.hasPrefix("\u{FEFF}") ? String(file.dropFirst()) : file
        if text.contains("[Script Info]") {
            self.text = text
            return
        }
        let events = Self.events(text)
        guard !events.isEmpty else {
            throw MediaError(
                .unsupported, "The subtitles are neither SubRip, WebVTT nor ASS.")
        }
        self.text = Self.header + events.joined(separator: "\n") + "\n"
    }

    // The size is that of a picture of 288 lines, which libass scales.
    private static let header = """
        [Script Info]
        ScriptType: v4.00+
        PlayResY: 288
        WrapStyle: 0
        ScaledBorderAndShadow: yes

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, \
        Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, \
        Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
        Style: Default,sans-serif,18,&H00ffffff,&H00ffffff,&H00000000,&H00000000,0,0,0,0,100,100,0,0,\
        1,1.5,0,2,10,10,12,1

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

        """

    /// The cues of a file: a line of times, and the lines below it up to an empty one.
    private static func events(_ file: String) -> [String] {
        var events: [String] = []
        var lines = lines(Array(file.utf8))[...]
        while let line = lines.popFirst() {
            guard let (start, end) = times(line) else { continue }
            let cue = lines.prefix { !$0.trimmed.isEmpty }
            lines = lines[cue.endIndex...]
            let text = plain(Array(cue.joined(separator: [UInt8(ascii: "\n")]))[...])
            guard !text.isEmpty, start < end else { continue }
            events.append(
                "Dialogue: 0,\(clock(start)),\(clock(end)),Default,,0,0,0,,\(TextScript.escaped(text))"
            )
        }
        return events
    }

    /// Lines end with a line feed, with a carriage return before it, or with that alone.
    private static func lines(_ file: [UInt8]) -> [ArraySlice<UInt8>] {
        let (feed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        let end = file.contains(feed) ? feed : carriageReturn
        return file.split(separator: end, omittingEmptySubsequences: false).map {
            $0.last == carriageReturn ? $0.dropLast() : $0
        }
    }

    /// `00:01:02,500 --> 00:01:04.000`, in centiseconds.
    private static func times(_ line: ArraySlice<UInt8>) -> (Int, Int)? {
        guard line.contains(UInt8(ascii: ">")), line.count <= 1000 else { return nil }
        let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count >= 3, words[1] == "-->", let start = time(words[0]),
            let end = time(words[2])
        else { return nil }
        return (start, end)
    }

    private static func time(_ word: Substring) -> Int? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last else { return nil }
        let rest = last.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "." }
        guard rest.count == 2, rest[1].count == 3, let seconds = number(rest[0]),
            let milliseconds = number(rest[1])
        else { return nil }
        var minutes = 0
        for part in parts.dropLast() {
            guard let number = number(part) else { return nil }
            minutes = minutes * 60 + number
        }
        return (minutes * 60 + seconds) * 100 + milliseconds / 10
    }

    private static func number(_ text: Substring) -> Int? {
        guard (1...4).contains(text.count), text.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return nil
        }
        return Int(text)
    }

    private static func clock(_ time: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let seconds = time / 100
        return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60)).\(two(time % 100))"
    }

    /// The text without tags such as `<i>`, and with the characters of HTML.
    private static func plain(_ cue: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        var rest = cue
        let lastTag = cue.lastIndex(of: UInt8(ascii: ">")) ?? cue.startIndex
        while let byte = rest.first {
            if byte == UInt8(ascii: "<"), rest.startIndex < lastTag,
                let end = rest.firstIndex(of: UInt8(ascii: ">"))
            {
                rest = rest[(end + 1)...]
            } else if byte == UInt8(ascii: "&"),
                let (name, value) = entities.first(where: { rest.starts(with: $0.name) })
            {
                text += value
                rest = rest.dropFirst(name.count)
            } else {
                text.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let entities: [(name: [UInt8], value: [UInt8])] = [
        ("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", "\u{A0}"), ("&amp;", "&"),
    ].map { (Array($0.utf8), Array($1.utf8)) }
}
