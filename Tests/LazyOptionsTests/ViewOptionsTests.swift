import ArgumentParser
import LazyEditing
import LazyKit
import LazyMedia
import Support
import Testing

@testable import LazyOptions

@Suite struct ViewOptionsTests {
    private let scratch = Scratch()

    @Test func `words are those that the other program takes`() throws {
        let words = [
            "--fullscreen", "--kind", "video,animation", "--isolate", "never", "--trim", "--crop",
            "16:9",
            "--flip", "both", "--text", "{name}", "--subtitles", "track:deu", "--gravity", "smart",
            "--", "a",
        ]
        let options = try ViewOptions.parse(words)
        #expect(options.words == words)
        #expect(options.trust.isolation == .never)
    }

    @Test func `an edit has the shape and the overlays, and is nil without any`() throws {
        #expect(try ViewOptions.parse(["a"]).edit(.standard) == nil)
        let words = ["--rotate", "left", "--crop", "4:3", "--gravity", "north", "--text", "a"]
        let edit = try #require(try ViewOptions.parse(words).edit(.standard))
        #expect(edit.shape == PictureShape(crop: .ratio(4, 3), rotation: 270))
        #expect(edit.gravity == .north)
        #expect(edit.overlays == [.text(TextOverlay("a"))])
    }

    @Test(
        arguments: [
            ["--gravity", "north"], ["--pad-color", "red"], ["--text-size", "5"], ["--text", ""],
            ["--subtitles", "track:0"], ["--subtitle-encoding", "UTF-8"], ["--watermark", "-"],
            ["--watermark", ""], ["--watermark", "http://a/b.png"], ["--subtitles", "data:,a"],
        ])
    func `contradictions are mistakes`(words: [String]) throws {
        let error = #expect(throws: OptionError.self) {
            try ViewOptions.parse(words).edit(.standard)
        }
        #expect(error?.exitCode == 64)
        #expect(error?.description.hasSuffix(".") == true)
    }

    @Test(arguments: ["--watermark", "--subtitles"])
    func `a file that is missing or no media has the exit code of its error`(
        option: String
    ) throws {
        scratch.write(Array("Hello".utf8), "a.txt")
        for (name, code) in [("none", 66), ("a.txt", 65)] as [(String, Int32)] {
            let error = #expect(throws: OptionError.self) {
                try ViewOptions.parse([option, scratch.path(name), "--isolate", "never"])
                    .edit(.standard)
            }
            #expect(error?.exitCode == code, "\(name)")
        }
    }
}
