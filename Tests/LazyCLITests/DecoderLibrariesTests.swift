import LazyMedia
import Support
import Testing

@testable import LazyCLI

/// Which commands need no more of FFmpeg than the decoders of films.
@Suite struct DecoderLibrariesTests {
    private let clip = Media.path("clip.mp4")

    private func readsOnlyInputs(_ words: [String]) throws -> Bool {
        switch try LazyImg.command(words) {
        case let command as any JobCommand: command.readsOnlyInputs
        case let command as PlayCommand: command.readsOnlyInputs
        default: false
        }
    }

    @Test(arguments: [
        "poster CLIP -o -", "poster -W320 CLIP -oout.jpg", "poster --width=64 CLIP",
        "play CLIP --frames out -f png", "play CLIP", "sheet CLIP -n 9",
        "poster CLIP -o out.webp", "convert CLIP -o out.webp", "convert CLIP -f GIF",
        "convert --bounce CLIP -o - -f apng --crop 1:1", "play CLIP --frames - -f null",
    ])
    func `formats whose encoders are linked need no other library`(line: String) throws {
        #expect(try readsOnlyInputs(words(line)))
    }

    @Test(arguments: [
        "poster CLIP -o out.avif", "poster CLIP -f AVIF", "poster CLIP --text x",
        "poster CLIP --fallback a.png", "poster CLIP --name {name}.avif",
        "poster CLIP --watermark a.png", "convert CLIP -o out.mp4", "convert CLIP out.gif --text x",
        "sheet CLIP --stamp", "sheet CLIP --heading", "play CLIP --frames out -f avif",
        "play CLIP --frames out --pattern %d.avif", "play CLIP --frames out --color keep",
        "play CLIP --subtitles track", "animate CLIP", "loop CLIP",
    ])
    func `other formats, texts and pictures need one`(line: String) throws {
        #expect(try !readsOnlyInputs(words(line)))
    }

    private func words(_ line: String) -> [String] {
        line.replacing("CLIP", with: clip).split(separator: " ").map(String.init)
    }

    @Test func `films are known by their bytes`() throws {
        let scratch = Scratch()
        let disguised = scratch.write(try Media.array("still.avif"), "still.mp4")
        for paths in [[clip], [clip, Media.path("vp9.webm")]] {
            #expect(DecoderLibraries.areFilms(try Input.parse(paths)), "\(paths)")
        }
        for paths in [
            [disguised], [clip, Media.path("counter.gif")], ["missing.mp4"], ["-"],
            ["https://example.com/clip.mp4"], [Media.path("")],
            [String](repeating: clip, count: 17),
        ] {
            #expect(!DecoderLibraries.areFilms(try Input.parse(paths)), "\(paths)")
        }
    }

    @Test func `inputs joined into one are no film`() throws {
        let joined = try #require(Input(joining: try Input.parse([clip, clip])))
        #expect(!DecoderLibraries.areFilms([joined]))
    }

    @Test(
        arguments: [
            ("a.GIF", [.gif]), ("-", [.mp4]), ("https://h.org/a", [.mp4]),
        ] as [(String, [MediaType])])
    func `names tell which decoders are started`(text: String, types: [MediaType]) throws {
        #expect(DecoderLibraries.types(named: try Input.parse([text])) == types)
    }
}
