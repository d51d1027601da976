import LazyMedia
import Support
import Testing

@testable import CommandSupport

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
}
