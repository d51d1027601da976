import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

/// That sound is not kept is said where somebody could expect it.
@Suite(.ownThreads) struct SoundTests {
    private static let words = "The sound is not kept"

    @Test(arguments: ["convert", "animate"], ["webm", "mp4", "webp"])
    func `dropped sound is reported`(command: String, format: String) {
        let scratch = Scratch()
        let arguments = [
            command, Media.path("clip.mp4"), "-o", scratch.path("a.\(format)"), "--width", "32",
            "--duration", "0.4", "--force",
        ]
        let isVideo = format != "webp"
        let said = Tool.run(arguments)
        #expect(said.status == 0)
        #expect(said.errors.contains(Self.words) == isVideo)
        let json = Tool.run(arguments + ["--json"])
        #expect(json.text.contains("\"code\": \"soundDropped\"") == isVideo)
        for silent in ["--no-audio", "--quiet"] {
            let quiet = Tool.run(arguments + [silent])
            #expect(quiet.status == 0)
            #expect(!quiet.errors.contains(Self.words))
        }
        #expect(!Tool.run(arguments + ["--json", "--no-audio"]).text.contains("soundDropped"))
    }

    @Test func `silent sources cause no message`() {
        let outcome = Tool.run([
            "convert", Media.path("small.mp4"), "-f", "webm", "-o", "/dev/null", "--force",
        ])
        #expect(outcome.status == 0)
        #expect(!outcome.errors.contains("sound"))
    }

    @Test(arguments: ["gif", "webp", "apng", "avif"])
    func `a video may become a larger animation`(format: String) {
        let scratch = Scratch()
        let isOptional = format == "webp" || format == "avif"
        let arguments =
            ["convert", Media.path("small.mp4"), "-o", scratch.path("a.\(format)")]
            + (isOptional ? ["--lossy"] : [])
        let outcome = Tool.run(arguments)
        #expect(outcome.status == 0)
        #expect(scratch.names() == ["a.\(format)"])
        // Steps of a millisecond are nobody's worry.
        #expect(!outcome.errors.contains("rounded") || format == "gif")
    }
}
