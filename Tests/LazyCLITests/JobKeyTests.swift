import ArgumentParser
import Testing

@testable import LazyCLI

/// The lines by which a journal knows the options of a job again.
@Suite struct JobKeyTests {
    private static let pictures = [
        "--width 200", "--width 200 --height 90", "--crop 1:1", "--pad 5",
    ]
    private static let covered = "--size 90x90 --fit cover"
    private static let clips =
        pictures + [
            "--fps 12", "--speed 2", "--reverse", "--bounce", "--crossfade 0.5", "--max-frames 9",
            "--max-frames 10", "--start 1", "--end 4", "--start 1 --duration 3", "--quality 50",
            "--loop once", covered, covered + " --gravity north",
        ]

    private func keys<Command: JobCommand>(
        of type: Command.Type, _ lines: [String], _ common: [String] = []
    ) throws -> [String] {
        try ([""] + lines).map { line in
            let words = ["a.mp4"] + common + line.split(separator: " ").map(String.init)
            let parsed = try #require(try type.parseAsRoot(words) as? Command)
            return try parsed.job(Input.parse(["a.mp4"])).key
        }
    }

    @Test func `keys are equal for equal options only`() throws {
        let lists = try [
            keys(
                of: PosterCommand.self,
                Self.pictures + [
                    "--at 5", Self.covered, Self.covered + " --gravity north",
                    "--quality 50 -f jpg",
                    "--background red", "--tone clip",
                ]),
            keys(
                of: AnimateCommand.self,
                Self.clips + ["--max-bytes 1M", "--duration 2", "-f gif"]),
            keys(
                of: ConvertCommand.self,
                Self.clips + ["--segments 1-2", "--still", "--audio copy", "--undither never"],
                ["-f", "webp"]),
            keys(
                of: SheetCommand.self,
                Self.pictures + [
                    "--interval 2", "--count 9", "--columns 4", "--rows 4", "--start 1", "--end 4",
                    "--start 1 --end 4", "--stamp", "--heading", "--gap 3", "--exact", "--no-vtt",
                    "--background red", Self.covered, Self.covered + " --gravity north",
                ]),
        ]
        for keys in lists { #expect(Set(keys).count == keys.count) }
        #expect(
            try keys(of: SheetCommand.self, ["--start 1 --duration 3"])
                == keys(of: SheetCommand.self, ["--start 1 --end 4"]))
    }
}
