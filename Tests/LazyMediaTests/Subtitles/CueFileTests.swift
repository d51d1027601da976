import Support
import Testing

@testable import LazyMedia

/// The cues of files as lines of a track.
@Suite struct CueFileTests {
    private struct Line: Equatable {
        let start: Int64
        let duration: Int64
        let text: String
    }

    private func lines(_ file: String) throws -> [Line] {
        guard case .track(let track) = try SubtitleFile(file) else { return [] }
        return track.lines.map { line in
            let text = line.text.split(
                separator: ",", maxSplits: 8, omittingEmptySubsequences: false
            ).last
            return Line(
                start: line.start, duration: line.duration, text: String(text ?? ""))
        }
    }

    @Test(arguments: [
        "1\n00:00:01,000 --> 00:00:02,500\nOne\nline\n\n2\n00:01:02,030 --> 01:00:00,000\nTwo\n",
        "\u{FEFF}1\r\n00:00:01,000 --> 00:00:02,500\r\nOne\r\nline\r\n\r\n2\r\n00:01:02,030 --> 01:00:00,000\r\nTwo",
        "WEBVTT\n\nNOTE nothing\n\n00:01.000 --> 00:02.500\nOne\nline\n\nid\n00:01:02.030 --> 01:00:00.000\nTwo\n",
        "1\n00:00:01,000-->00:00:02,500\nOne\nline\n2\n00:01:02,030 --> 01:00:00,000\nTwo\n",
        "1\r00:00:01,000 --> 00:00:02,500\rOne\rline\r\r2\r00:01:02,030 --> 01:00:00,000\rTwo\r",
    ])
    func `SubRip and WebVTT become the same lines`(file: String) throws {
        #expect(
            try lines(file) == [
                Line(start: 1000, duration: 1500, text: "One\\Nline"),
                Line(start: 62_030, duration: 3_537_970, text: "Two"),
            ])
    }

    @Test(arguments: [
        "[Script Info]\nScriptType: v4.00+\n", "\u{FEFF}; comment\n[script info]\n",
        "[V4 Styles]\nStyle: x\n",
    ])
    func `a script is taken as it is`(script: String) throws {
        let plain = script.hasPrefix("\u{FEFF}") ? String(script.dropFirst()) : script
        #expect(try SubtitleFile(script) == .script(plain))
    }

    @Test func `words about a script are no script`() throws {
        let file = "1\n00:00:01,000 --> 00:00:02,000\nthe [Script Info] section\n"
        #expect(try lines(file).count == 1)
    }

    @Test(arguments: [
        "", "words", "1\n00:00:01 --> 00:00:02\nno milliseconds\n",
        "1\n00:00:05,000 --> 00:00:02,000\nbackwards\n", "99999999999:00:00,000 --> 1:00,000\nx\n",
        String(repeating: "-->", count: 10_000),
    ])
    func `what is no subtitle is an error`(file: String) {
        let error = #expect(throws: MediaError.self) { try SubtitleFile(file) }
        #expect(error?.code == .unsupported)
    }

    @Test func `styles and vertical text that are not drawn are said`() throws {
        let file =
            "WEBVTT\n\nSTYLE\n::cue { color: red }\n\n00:01.000 --> 00:02.000 vertical:rl\nx\n"
        guard case .track(let track) = try SubtitleFile(file) else { return #expect(Bool(false)) }
        #expect(
            track.warnings.map(\.message) == [
                "The file's own styles and regions are not used.",
                "1 vertical subtitle is drawn in lines.",
            ])
    }
}
