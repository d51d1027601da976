import LazyMedia
import LazyRenditions
import Testing

@testable import LazyBase
@testable import LazyCLI

@Suite struct NamePatternTests {
    private static let frame = NamedFrame(
        number: 7, index: 42, presentation: MediaTime(microseconds: 1_234_567),
        duration: MediaTime(microseconds: 40000), size: PixelSize(width: 320, height: 180),
        name: "clip",
        fileExtension: "mp4", input: 2)

    static let names: [(String, String)] = [
        ("frame-%05d.png", "frame-00007.png"), ("%d", "7"), ("%3d.png", "007.png"),
        ("100%%-%d", "100%-7"),
        ("{name}-{index:06}.png", "clip-000042.png"), ("{number}.{ext}.png", "7.mp4.png"),
        ("{input}-%d", "2-7"), ("{pts_ms:8}.png", "00001234.png"), ("{pts_us}", "1234567"),
        ("{duration_ms}-%d", "40-7"), ("{width}x{height}-%d.raw", "320x180-7.raw"),
    ]

    @Test(arguments: names) func `fields are replaced`(pattern: String, name: String) throws {
        #expect(try NamePattern(pattern)(Self.frame) == name)
    }

    @Test(arguments: [
        "", "%s", "%", "a%5", "{", "{nothing}", "{index:x}", "{index:99}", "a/%d.png", "%99d",
    ])
    func `invalid patterns are rejected`(pattern: String) {
        #expect(throws: WordError.self) { try NamePattern(pattern) }
    }

    @Test func `numbers may be wider than their field and keep their sign`() {
        #expect("123456".padded(to: 5) == "123456")
        #expect("-7".padded(to: 4) == "-007")
    }

    @Test func `a pattern knows whether names collide`() throws {
        #expect(try NamePattern("%d.png").tellsFramesApart)
        #expect(try NamePattern("{pts_us}.png").tellsFramesApart)
        #expect(try !NamePattern("{name}.png").tellsFramesApart)
        #expect(try NamePattern("{name}-%d").tellsInputsApart(byName: true))
        #expect(try !NamePattern("{name}-%d").tellsInputsApart(byName: false))
        #expect(try NamePattern("{input}-%d").tellsInputsApart(byName: false))
        #expect(try NamePattern("a.%d.ppm").fileExtension == "ppm")
        #expect(try NamePattern("a.%d").fileExtension == nil)
    }
}
