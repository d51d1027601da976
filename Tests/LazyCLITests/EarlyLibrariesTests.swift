import LazyMedia
import Support
import Testing

@testable import LazyCLI

/// Which libraries are loaded before the arguments are parsed.
@Suite struct EarlyLibrariesTests {
    private let clip = Media.path("clip.mp4")

    @Test("files that a command reads are known by their names")
    func reading() {
        #expect(EarlyLibraries.types(read: ["poster", clip]) == [.mp4])
        #expect(
            EarlyLibraries.types(read: [
                "info", "--json", Media.path("still.heic"), Media.path("animation.jxl"),
            ]) == [.heic, .jpegXL])
    }

    @Test("nothing is loaded for linked decoders, missing files, outputs and other commands")
    func nothing() {
        for arguments in [
            [], ["poster"], ["poster", Media.path("counter.gif")], ["poster", "missing.mp4"],
            ["animate", Media.path("counter.gif"), "-o", clip], ["fetch", clip],
            ["batch", "poster", clip], ["play", "README"],
        ] {
            #expect(EarlyLibraries.types(read: arguments).isEmpty, "\(arguments)")
        }
    }

    @Test("inputs that nobody looked at are decoded in processes of their own")
    func hosts() {
        #expect(EarlyLibraries.host(for: ["poster", "-", "-o", "a.png"]) != nil)
        #expect(EarlyLibraries.host(for: ["poster", "http://example.com/a.mp4"]) != nil)
        #expect(EarlyLibraries.host(for: ["batch", "poster", clip]) != nil)
        for words in [["--isolate", "always"], ["--isolate=always"], ["--isolate=allways"]] {
            #expect(EarlyLibraries.host(for: ["poster", clip] + words) != nil)
        }
        let both = EarlyLibraries.host(for: [
            "poster", clip, "--isolate", "always", "--limits=untrusted",
        ])
        #expect(both === LimitsChoice(profile: .untrusted).host(isLocal: true))
    }

    @Test("what is written to standard output was not read from standard input")
    func outputs() {
        #expect(EarlyLibraries.host(for: ["poster", clip, "-o", "-"]) == nil)
        #expect(EarlyLibraries.host(for: ["play", clip, "--frames", "-", "-f", "raw"]) == nil)
    }

    @Test("the names of inputs tell which decoders are started")
    func names() {
        #expect(EarlyLibraries.types(named: ["poster", "a.GIF"]) == [.gif])
        #expect(EarlyLibraries.types(named: ["poster", "-"]) == [.mp4])
        #expect(EarlyLibraries.types(named: ["poster", "-", "-o", "a.png"]) == [.mp4])
    }
}
