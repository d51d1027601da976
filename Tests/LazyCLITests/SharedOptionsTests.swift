import ArgumentParser
import Support
import Testing
import ToolSupport

@testable import LazyCLI

/// The commands that write or show frames take the same options; what one of them lacks is here, with the
/// reason.
@Suite(.ownThreads) struct SharedOptionsTests {
    private static let shared = [
        "--start", "--end", "--duration", "--max-frames", "--fps", "--speed", "--fit", "--width",
        "--height", "--size", "--crop", "--gravity", "--rotate", "--background",
    ]
    private static let sizes = ["--fit", "--width", "--height", "--size"]
    private static let times = ["--start", "--end", "--duration", "--max-frames", "--fps"]

    struct Row: Sendable, CustomTestStringConvertible {
        let command: any ParsableCommand.Type
        let lacks: [String]
        let reason: String
        var testDescription: String { command._commandName }
    }

    static let rows = [
        Row(command: PlayCommand.self, lacks: [], reason: ""),
        Row(command: AnimateCommand.self, lacks: [], reason: ""),
        Row(command: ConvertCommand.self, lacks: [], reason: ""),
        Row(
            command: PosterCommand.self, lacks: ["--max-frames", "--fps", "--speed"],
            reason: "It is one picture."),
        Row(
            command: SheetCommand.self, lacks: ["--max-frames", "--fps", "--speed"],
            reason: "--count and --interval say which tiles there are, at the times of the clip."),
        Row(
            command: ListCommand.self, lacks: times + sizes + ["--speed", "--background"],
            reason: "It shows posters in the cells of a terminal."),
        Row(
            command: ViewCommand.self, lacks: times + sizes + ["--speed", "--background"],
            reason: "The window has the size, and keys for time and speed."),
        Row(
            command: GalleryCommand.self, lacks: times + sizes + ["--speed", "--background"],
            reason: "Its pages play whole files, and posters have the sizes of the page."),
        Row(
            command: LoopCommand.self, lacks: shared.filter { $0 != "--speed" },
            reason: "It changes numbers and no pixels."),
    ]

    @Test(arguments: rows) func `a command has the options that all have, but those named`(
        row: Row
    ) {
        let long = CommandFlags(of: row.command).long
        #expect(Self.shared.filter { !long.contains($0) } == row.lacks.inOrder(of: Self.shared))
    }

    @Test func `an option has one description`() throws {
        for option in Self.shared where !["--fps", "--gravity"].contains(option) {
            let texts = Set(Self.rows.compactMap { Self.description(of: option, $0.command) })
            // The background of a sheet is also between its tiles.
            #expect(texts.count == (option == "--background" ? 2 : 1), "\(option): \(texts)")
        }
    }

    /// What the help of a command says about an option: names, two spaces, and the text.
    private static func description(
        of option: String, _ command: any ParsableCommand.Type
    ) -> String? {
        for line in command.helpMessage(columns: 10_000).split(separator: "\n") {
            let parts = line.split(separator: "  ")
            guard line.hasPrefix("  -"), parts.count > 1 else { continue }
            let names = parts[0].split { " ,".contains($0) }
            if names.contains(Substring(option)) {
                return String(parts[1...].joined().drop { $0 == " " })
            }
        }
        return nil
    }

    private let scratch = Scratch()

    @Test func `a poster is made in a part`() throws {
        let clip = Media.path("clip.mp4")
        let outcome = Tool.run(
            [
                "poster", clip, "-o", scratch.path("a.png"), "--json", "--explain", "--start", "1",
                "--end", "1.5",
            ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let report = try ParsedJSON.parse(outcome.text)
        let time = try #require(report["ptsUs"]?.integer)
        #expect((1_000_000..<1_500_000).contains(time))
        for candidate in report["candidates"]?.elements ?? [] {
            #expect(
                (candidate["ptsUs"]?.integer).map { (960_000..<1_500_000).contains($0) } == true)
        }
        // The picture is that of its time.
        let same = Tool.run(
            ["poster", clip, "-o", scratch.path("b.png"), "--at", "\(Double(time) / 1e6)"])
        #expect(same.status == 0)
        #expect(scratch["a.png"] == scratch["b.png"])
    }

    @Test(arguments: [
        (["--start", "900"], CInt(65), "No frame is in the range"),
        (["--start", "1", "--at", "5"], 64, "--at cannot be combined"),
        (["--start", "1", "--xdg-thumbnail", "large"], 64, "cannot be combined with --start"),
    ])
    func `a part without a poster is refused`(words: [String], status: CInt, message: String) {
        let outcome = Tool.run(["poster", Media.path("clip.mp4")] + words)
        #expect(outcome.status == status)
        #expect(outcome.errors.contains(message))
    }

    @Test(arguments: [
        ["--speed", "2", "--untimed"], ["--speed", "2", "--leave"],
        ["--speed", "2", "--frames", "out"], ["--speed", "0"],
    ]) func `a speed that does nothing is refused`(words: [String]) {
        #expect(Tool.run(["play", Media.path("clip.mp4")] + words).status == 64)
    }

    @Test(.needs("ffmpeg")) func `a film plays at a speed`() {
        let slow = scratch.path("slow.gif")
        _ = Peer.output(
            of: "ffmpeg -v error -f lavfi -i testsrc2=s=32x24:r=0.1:d=200 '\(slow)'")
        let drawing = ["--protocol", "ascii", "--cells", "20x8"]
        let began = ContinuousClock.now
        let outcome = Tool.run(["play", slow, "--speed", "100"] + drawing)
        // More than three minutes in two seconds.
        let passed = ContinuousClock.now - began
        #expect(outcome.status == 0)
        #expect(passed > .seconds(1) && passed < .seconds(100))
    }
}

extension [String] {
    fileprivate func inOrder(of list: [String]) -> [String] { list.filter(contains) }
}
