/// The cues of a file in the format SubRip or WebVTT.
struct CueFile {
    private let format: CueFormat
    private var lines: [SubtitleTrack.Line] = []
    private var left = SubtitleTrack.maxBytes
    private var verticalCount = 0
    private var hasStyles = false

    /// Reads the text of a file.
    ///
    /// Throws `.limitExceeded` for more lines or more text than a track may have.
    init(_ text: String) throws(MediaError) {
        format = text.hasPrefix("WEBVTT") ? .webVTT : .subRip
        try read(Array(text.utf8))
    }

    /// The cues as a track, which is drawn as one of a film; nil where there is none.
    var track: SubtitleTrack? {
        guard !lines.isEmpty else { return nil }
        return SubtitleTrack(header: CueFormat.header, lines: lines, warnings: warnings)
    }

    private var warnings: [MediaWarning] {
        var texts: [String] = []
        if hasStyles { texts.append("The file's own styles and regions are not used.") }
        if verticalCount > 0 {
            let count = verticalCount
            texts.append(
                "\(count) vertical subtitle\(count == 1 ? " is" : "s are") drawn in lines.")
        }
        return texts.map { MediaWarning(.note, $0) }
    }

    /// A cue is a line of times and the lines below it, up to an empty one or the next cue.
    private mutating func read(_ file: [UInt8]) throws(MediaError) {
        var rest = TextLines(file)
        var count = 0
        while let line = rest.next() {
            guard let times = CueTimes(line) else {
                let name = line.prefix { $0 > 0x20 }
                hasStyles = hasStyles || format == .webVTT && Self.styles.contains(Array(name))
                continue
            }
            count += 1
            try add(Self.text(&rest), times, number: count)
        }
    }

    private static let styles = Set(["STYLE", "REGION"].map { Array($0.utf8) })

    /// The lines of a cue.
    private static func text(_ rest: inout TextLines) -> [UInt8] {
        var text: [UInt8] = []
        var withoutLast = 0
        var last: ArraySlice<UInt8> = []
        while let line = rest.peek(), !line.isBlank {
            if CueTimes(line) != nil {
                // Without an empty line before it, the number of the next one is no text.
                if last.isNumber { text.removeSubrange(withoutLast...) }
                break
            }
            withoutLast = text.count
            if !last.isEmpty { text.append(UInt8(ascii: "\n")) }
            text += line
            last = line
            _ = rest.next()
        }
        return text
    }

    private mutating func add(
        _ text: [UInt8], _ times: CueTimes, number: Int
    ) throws(MediaError) {
        guard
            let line = format.line(
                text[...], times.settings, number: number, start: times.start,
                duration: times.end - times.start)
        else { return }
        if format == .webVTT, WebVTTSettings(times.settings)?.isVertical == true {
            verticalCount += 1
        }
        left -= line.text.utf8.count
        guard left >= 0, lines.count < SubtitleTrack.maxLines else {
            throw left < 0 ? .tooMuchSubtitleText : .tooManySubtitles
        }
        lines.append(line)
    }
}

extension MediaError {
    /// More lines than a track of subtitles may have.
    package static let tooManySubtitles = Self(
        .limitExceeded, "The subtitles have more than \(SubtitleTrack.maxLines) lines.")
    /// More text than a track of subtitles may have.
    package static let tooMuchSubtitleText = Self(
        .limitExceeded,
        "The subtitles have more than \(SubtitleTrack.maxBytes) bytes of text.")
}

/// When a cue is shown, and the settings behind that: `00:01:02,500 --> 00:01:04.000 line:0`.
struct CueTimes: Equatable {
    /// In milliseconds.
    let start: Int64
    let end: Int64
    let settings: ArraySlice<UInt8>

    /// Reads a line; nil for one of anything else.
    init?(_ line: ArraySlice<UInt8>) {
        guard let arrow = line.prefix(60).firstIndex(of: UInt8(ascii: ">")), line.count <= 1000,
            line[..<arrow].suffix(2).elementsEqual("--".utf8)
        else { return nil }
        let rest = line[(arrow + 1)...].drop(while: \.isBlank)
        let last = rest.prefix { !$0.isBlank }
        guard let start = Self.time(line[..<(arrow - 2)]), let end = Self.time(last) else {
            return nil
        }
        (self.start, self.end, settings) = (start, end, rest[last.endIndex...])
    }

    private static func time(_ text: ArraySlice<UInt8>) -> Int64? {
        let word = String(decoding: text, as: UTF8.self).filter { $0 != " " && $0 != "\t" }
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last else { return nil }
        let rest = last.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "." }
        guard rest.count == 2, rest[1].count <= 3, let seconds = number(rest[0]),
            let milliseconds = number(rest[1])
        else { return nil }
        var minutes: Int64 = 0
        for part in parts.dropLast() {
            guard let number = number(part) else { return nil }
            minutes = minutes * 60 + number
        }
        return (minutes * 60 + seconds) * 1000 + milliseconds
    }

    private static func number(_ text: Substring) -> Int64? {
        guard (1...4).contains(text.count), text.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return nil
        }
        return Int64(text)
    }
}

extension ArraySlice<UInt8> {
    fileprivate var isBlank: Bool { allSatisfy(\.isBlank) }

    fileprivate var isNumber: Bool {
        !isEmpty
            && allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0.isBlank }
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}
