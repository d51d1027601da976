import Support
import Testing

@testable import LazyCLI

/// Which command lines need no more of FFmpeg than the decoders of films.
@Suite struct FilmArgumentsTests {
    private let clip = Media.path("clip.mp4")

    @Test
    func `Films are read, and formats of our own written`() {
        for words in [
            ["info", clip], ["info", "--frames", "--json", clip],
            ["poster", clip, "-o", "-"], ["poster", "-W", "320", clip, "-o", "out.jpg"],
            ["play", clip, "--frames", "out", "-f", "png"], ["sheet", clip, "-n", "9"],
            ["poster", clip, Media.path("vp9.webm")], ["poster", clip, "-o", "out.webp"],
            ["convert", clip, "-o", "out.webp"], ["convert", clip, "-f", "GIF"],
            ["convert", clip, "out.gif", "--width", "320", "--fps", "12"],
            ["convert", "--bounce", clip, "-o", "-", "-f", "apng", "--crop", "1:1"],
        ] {
            #expect(FilmArguments(words).areOnlyFilms, "\(words)")
        }
    }

    @Test
    func `Other inputs, outputs, options and commands need more`() {
        for words in [
            [], ["poster"], ["poster", "missing.mp4"], ["poster", Media.path("still.avif")],
            ["poster", clip, Media.path("counter.gif")], ["poster", "-"],
            ["poster", "https://example.com/clip.mp4"], ["poster", clip, "-o", "out.avif"],
            ["poster", clip, "-f", "AVIF"], ["poster", clip, "-o"],
            ["poster", clip, "--text", "x"],
            ["poster", clip, "--width=64"], ["info", "--json", Media.path("still.jxl")],
            ["info", "--frames", Media.path("still.avif")],
            ["poster", "-r", Media.path("")],
            ["convert", clip], ["convert", clip, "out.mp4"], ["convert", clip, "-o", "out.avif"],
            ["convert", clip, "out.webp", "out.gif"], ["convert", clip, clip],
            ["convert", Media.path("still.avif"), "out.webp"],
            ["convert", "--concat", clip, clip, "-o", "out.gif"],
            ["convert", clip, "out.gif", "--text", "x"], ["batch", "poster", clip],
        ] {
            #expect(!FilmArguments(words).areOnlyFilms, "\(words)")
        }
    }

    @Test
    func `The bytes decide, not the name`() throws {
        let scratch = Scratch()
        let disguised = scratch.write(try Media.array("still.avif"), "still.mp4")
        #expect(!FilmArguments(["info", disguised]).areOnlyFilms)
    }
}
