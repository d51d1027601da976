import LazyMedia
import Testing

@testable import LazyVideo

@Suite struct FFmpegLibraryTests {
    @Test func `the installed libraries load`() throws {
        try FFmpegLibrary.probe()
        let libraries = FFmpegLibrary.installed()
        #expect(libraries.map(\.name) == ["libavutil", "libavcodec", "libavformat", "libswscale"])
        #expect(Self.major(libraries[1]) >= 59)
        #expect(libraries[1].license.contains("GPL"))
        #expect(libraries[1].codecs.first { $0.name == "h264" }?.isInstalled == true)
    }

    @Test func `a missing library is named`() {
        let error = #expect(throws: MediaError.self) {
            try FFmpegLibrary.probe(avutil: "libavutil.so.9999")
        }
        #expect(error?.code == .environment)
        let majors = FFmpegLibrary.installed().map(Self.major)
        #expect(
            error?.message
                == "Video needs FFmpeg's library libavutil.so.9999, which is not on this machine"
                + " (Debian: apt-get install libavformat\(majors[2]) libswscale\(majors[3])).")
    }

    private static func major(_ library: InstalledLibrary) -> Int {
        library.version?.split(separator: ".").first.flatMap { Int($0) } ?? 0
    }

    @Test func `a library of another version is named`() {
        let error = #expect(throws: MediaError.self) {
            try FFmpegLibrary.probe(swscale: "libm.so.6")
        }
        #expect(error?.code == .environment)
        #expect(
            error?.message
                == "libm.so.6 has no function swscale_version: it is not the FFmpeg that lazyimg needs."
        )
    }
}
