import Glibc
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI

/// Folders of songs, of which some have covers.
@Suite(.ownThreads) struct SongFolderTests {
    private let scratch = Scratch()

    init() {
        mkdir(scratch.path("music"), 0o700)
        Tool.write(Tool.bytes(Media.path("cover-art.m4a")), to: scratch.path("music/cover.m4a"))
        Tool.write(Tool.bytes(Media.path("small.mp4")), to: scratch.path("music/film.mp4"))
        Tool.write(Self.silence, to: scratch.path("music/bare.wav"))
    }

    /// A tenth of a second of silence, 8,000 samples of a byte a second.
    private static let silence: [UInt8] = {
        let header: [UInt8] = [
            1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x40, 0x1F, 0, 0, 1, 0, 8, 0,
        ]
        let samples = [UInt8](repeating: 128, count: 800)
        return Array("RIFF".utf8) + little(836) + Array("WAVEfmt ".utf8) + little(16) + header
            + Array("data".utf8) + little(800) + samples
    }()

    private static func little(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func run(_ words: String) -> Tool.Outcome {
        Tool.shell(
            "cd '\(scratch.path)' && XDG_STATE_HOME='\(scratch.path("state"))' \"$lazyimg\" \(words)"
        )
    }

    /// How often the journal says a state of an output.
    private func count(_ state: JournalRecord.State, _ output: String) -> Int {
        scratch.text("state/lazyimg/journal.jsonl").split(separator: "\n").count { line in
            JournalRecord(line).map { $0.state == state && $0.output.lastName == output } ?? false
        }
    }

    private static let left =
        "lazyimg: 1 file has no pictures for this and was skipped: music/bare.wav.\n"

    @Test func `a song without a cover is nothing wrong, and is looked at once`() {
        for _ in 0..<2 {
            let outcome = run("poster -r music -W 32")
            #expect(outcome.status == 0 && outcome.errors == Self.left, "\(outcome.errors)")
        }
        let inputs = ["bare.wav", "cover.m4a", "film.mp4"]
        #expect(scratch.names("music") == (inputs + ["cover.png", "film.png"]).sorted())
        #expect(count(.nothing, "bare.png") == 1 && count(.start, "bare.png") == 1)
        // It got a cover.
        Tool.write(Tool.bytes(Media.path("cover-art.m4a")), to: scratch.path("music/bare.wav"))
        let outcome = run("poster -r music -W 32")
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
        #expect(scratch.names("music").contains("bare.png") && count(.done, "bare.png") == 1)
        // By name it is an error.
        Tool.write(Self.silence, to: scratch.path("music/bare.wav"))
        let named = run("poster music/bare.wav -o other.png")
        #expect(
            named.status == 65
                && named.errors == "lazyimg: music/bare.wav: The song has no cover picture.\n",
            "\(named.errors)")
    }

    @Test(arguments: [
        ("audio", ["cover.png"], left), ("video", ["film.png"], ""), ("image", [], ""),
        ("animation", [], ""), ("audio,video", ["cover.png", "film.png"], left),
    ]) func `a kind of media is chosen`(kind: String, results: [String], errors: String) {
        let outcome = run("poster -r music -W 32 --kind \(kind)")
        #expect(outcome.status == 0 && outcome.errors == errors, "\(outcome.errors)")
        #expect(scratch.names("music").filter { $0.hasSuffix(".png") } == results)
    }

    @Test(arguments: ["--at 0", "--every 1s", "--scenes", "--keyframes"])
    func `no frames are made of songs, however they are chosen`(choice: String) {
        let outcome = run("frames -r music -o out \(choice)")
        let left = "lazyimg: 2 files have no pictures for this and were skipped: "
        #expect(outcome.status == 0 && outcome.errors.contains(left), "\(outcome.errors)")
        #expect(!outcome.errors.contains("no frame that can be shown"))
    }

    @Test func `a batch counts it`() {
        for (night, made) in ["2 made, ", "0 made, 2 existed, "].enumerated() {
            let outcome = run("batch poster -r music -W 32")
            #expect(outcome.status == 0, "night \(night)")
            #expect(
                outcome.errors.contains("lazyimg: \(made)1 without pictures for this in "),
                "\(outcome.errors)")
            #expect(
                outcome.errors.contains("no pictures for this and was skipped: music/bare.wav"),
                "\(outcome.errors)")
        }
        let events = run("batch poster -r music -W 32 --jsonl")
        #expect(events.text.contains(#""reason": "nothing""#), "\(events.text)")
        #expect(events.text.contains(#""skipped": 2, "nothing": 1, "failed": 0"#), "\(events.text)")
        // One that is named fails.
        #expect(run("batch poster music/bare.wav -o named").status == 65)
    }

    /// A gallery is of what moves: a cover alone is no item.
    @Test func `a gallery leaves songs out`() {
        for _ in 0..<2 {
            let outcome = run("gallery music -o site")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(
                outcome.errors.contains("site/index.html: 1 items, 2 not on it\n"),
                "\(outcome.errors)")
        }
    }

    @Test func `songs are no animations`() {
        let outcome = run("animate -r music -W 32 -f webp")
        #expect(
            outcome.status == 0
                && outcome.errors.contains(
                    "lazyimg: 2 files have no pictures for this and were skipped: music/bare.wav, music/cover.m4a.\n"
                ),
            "\(outcome.errors)")
        #expect(
            scratch.names("music") == ["bare.wav", "cover.m4a", "film.mp4", "film.webp"])
    }
}
