/// What a file of subtitles shows, without the words of its format, whatever its encoding, which has ASCII in it.
///
/// Names of sections, styles, tags and times are ASCII in every language: a script of ASS has kilobytes of them.
struct ShownText {
    /// The bytes of the lines that are shown.
    private(set) var bytes: [UInt8] = []

    /// Looks for the lines of a file in the format SubRip, WebVTT or ASS.
    init(_ file: [UInt8]) {
        let lines = file.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let events = lines.compactMap(Self.event)
        if events.isEmpty {
            let tags = (UInt8(ascii: "<"), UInt8(ascii: ">"))
            for line in lines where CueTimes(line) == nil { add(line, tags: tags) }
        } else {
            for line in events { add(line, tags: (UInt8(ascii: "{"), UInt8(ascii: "}"))) }
        }
    }

    /// The text of an event of ASS (`Dialogue: Layer,Start,End,Style,Name,MarginL,MarginR,MarginV,Effect,Text`).
    private static func event(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard line.starts(with: "Dialogue:".utf8) else { return nil }
        let fields = line.split(
            separator: UInt8(ascii: ","), maxSplits: 9, omittingEmptySubsequences: false)
        return fields.count == 10 ? fields[9] : nil
    }

    private mutating func add(_ line: ArraySlice<UInt8>, tags: (open: UInt8, close: UInt8)) {
        var rest = line
        while let start = rest.firstIndex(of: tags.open),
            let end = rest[start...].firstIndex(of: tags.close)
        {
            bytes += rest[..<start]
            rest = rest[(end + 1)...]
        }
        bytes += rest
    }
}
