import LazyMedia
import Support
import Testing

@testable import LazyEditing

/// Texts and pictures on pictures; their pixels against ffmpeg are in `OverlayCommandTests`.
@Suite struct OverlayTests {
    private static func gray(_ size: PixelSize = PixelSize(width: 64, height: 48)) throws -> Bitmap
    {
        try Bitmap(size: size, isOpaque: true) { rows in
            rows.bindMemory(to: SIMD4<UInt8>.self).update(repeating: SIMD4(90, 90, 90, 255))
        }
    }

    private static func painter(
        _ overlays: [Overlay], _ size: PixelSize
    ) throws -> OverlayPainter {
        OverlayPainter(overlays, for: size, of: StillMedia(try gray(size)), ReaderOptions())
    }

    private static func mark(_ width: Int, _ height: Int) throws -> Bitmap {
        try Bitmap(size: PixelSize(width: width, height: height), isOpaque: true) { rows in
            rows.bindMemory(to: SIMD4<UInt8>.self).update(repeating: SIMD4(250, 0, 0, 255))
        }
    }

    /// The rectangle of pixels that differ from the ground.
    private static func changed(_ bitmap: Bitmap) -> PixelRect {
        var rect = PixelRect.empty
        for y in 0..<bitmap.size.height {
            for x in 0..<bitmap.size.width where bitmap[x, y] != SIMD4(90, 90, 90, 255) {
                rect = rect.union(PixelRect(x: x, y: y, width: 1, height: 1))
            }
        }
        return rect
    }

    @Test(
        arguments: [
            (.southEast, "10x6+54+42"), (.northWest, "10x6+0+0"), (.center, "10x6+27+21"),
            (.north, "10x6+27+0"), (.west, "10x6+0+21"),
        ] as [(Gravity, String)])
    func `a watermark lies where its gravity says`(gravity: Gravity, place: String) throws {
        let overlay = PictureOverlay(try Self.mark(10, 6), gravity: gravity)
        let size = PixelSize(width: 64, height: 48)
        let painted = try Self.painter([.picture(overlay)], size).paint(Self.gray(), nil)
        #expect(Self.changed(painted).description == place)
        #expect(painted.isOpaque)
    }

    @Test(
        arguments: [
            (0.25, "16x10+48+38"), (0.5, "32x19+32+29"), (1, "64x38+0+10"), (0.001, "1x1+63+47"),
        ] as [(Double, String)])
    func `a watermark is a share of the picture's width`(size: Double, place: String) throws {
        let overlay = PictureOverlay(try Self.mark(10, 6), size: size)
        let whole = PixelSize(width: 64, height: 48)
        let painted = try Self.painter([.picture(overlay)], whole).paint(Self.gray(), nil)
        #expect(Self.changed(painted).description == place)
        // Higher than the picture it fits into it.
        let tall = PictureOverlay(try Self.mark(10, 60), size: 0.5)
        let fitted = try Self.painter([.picture(tall)], whole).paint(Self.gray(), nil)
        #expect(Self.changed(fitted).description == "8x48+56+0")
    }

    @Test func `a watermark that moves has a picture for each time, again and again`() throws {
        let frames = try [(4, 100), (6, 50), (8, 250)].map { side, milliseconds in
            Frame(try Self.mark(side, side), milliseconds: Int64(milliseconds))
        }
        let overlay = PictureOverlay(try Self.mark(1, 1), frames: frames)
        #expect(overlay.picture.size.width == 4)
        let times: [(milliseconds: Int64, frame: Int)] = [
            (0, 0), (99, 0), (100, 1), (149, 1), (150, 2), (399, 2), (400, 0), (4100, 1), (-5, 0),
        ]
        for (milliseconds, frame) in times {
            let drawn = overlay.picture(at: .milliseconds(milliseconds))
            #expect(drawn.number == frame, "\(milliseconds)")
        }
        // One that does not, and those of another time, are others.
        let still = PictureOverlay(try Self.mark(4, 4))
        #expect(still != overlay && still.picture(at: .seconds(5)).number == 0)
        #expect(PictureOverlay(try Self.mark(4, 4), frames: [frames[0]]) == still)
        var edit = ClipEdit(isReversed: true)
        edit.overlays = [.picture(overlay), .picture(still)]
        let steps = edit.steps.map { "\($0)".prefix { $0 != "(" } }
        #expect(steps == ["overlay", "cut", "overlay"])
    }

    @Test func `a watermark is blended by its opacity, and scaled with its picture`() throws {
        let overlay = PictureOverlay(try Self.mark(10, 6), opacity: 0.5)
        let size = PixelSize(width: 64, height: 48)
        let painter = try Self.painter([.picture(overlay)], size)
        let pixel = try painter.paint(Self.gray(), nil)[60, 45]
        #expect(abs(Int(pixel.x) - 170) <= 1 && abs(Int(pixel.y) - 45) <= 1)
        let half = try painter.paint(Self.gray(PixelSize(width: 32, height: 24)), nil)
        #expect(Self.changed(half).description == "5x3+27+21")
        // One that is larger than its picture fits into it.
        let large = PictureOverlay(try Self.mark(128, 10))
        let fitted = try Self.painter([.picture(large)], size).paint(Self.gray(), nil)
        #expect(Self.changed(fitted).description == "64x5+0+43")
    }

    @Test(
        arguments: ["1x1", "16x16", "20x600", "40x400", "600x20", "64x48"],
        [0.06, 1])
    func `a text larger than the picture is seen where its gravity says`(
        _ name: String, _ height: Double
    ) throws {
        let sides = name.split(separator: "x").compactMap { Int($0) }
        let size = PixelSize(width: sides[0], height: sides[1])
        for gravity in [Gravity.northWest, .north, .east, .center, .southWest, .south, .southEast] {
            let text = TextOverlay("Wide WORDS MMMMMMMM", gravity: gravity, height: height)
            let painted = try Self.painter([.text(text)], size).paint(Self.gray(size), nil)
            let brightest = painted.withBytes { bytes in
                stride(from: 0, to: bytes.count, by: 4).map { bytes[$0] }.max() ?? 0
            }
            // The letters are white, their box darkens the ground.
            #expect(size.width == 1 || brightest > 200, "\(gravity)")
            #expect(!Self.changed(painted).isEmpty, "\(gravity)")
        }
    }

    @Test(arguments: [
        ("{time}", "01:02:03.045"), ("{frame}/{time}", "7/01:02:03.045"), ("{clock}", "1:02:03"),
        ("{other} {", "{other} {"),
    ])
    func `fields of a text are filled in`(template: String, text: String) {
        let timing = FrameTiming(
            index: 7, presentation: MediaTime(microseconds: 3_723_045_600),
            duration: MediaTime(microseconds: 1), isKeyframe: true)
        #expect(TextOverlay(template).text(timing) == text)
    }

    @Test func `a name is filled in, and only in texts`() {
        var edit = ClipEdit()
        edit.overlays = [.text(TextOverlay("{name}: {time}"))]
        guard case .text(let text) = edit.named("clip{frame}").overlays[0] else { return }
        let timing = FrameTiming(
            index: 7, presentation: MediaTime(microseconds: 3_723_045_600),
            duration: MediaTime(microseconds: 1), isKeyframe: true)
        // The name of a file is no template.
        #expect(text.text(timing) == "clip{frame}: 01:02:03.045")
        #expect(text.identifier != TextOverlay("{name}: {time}").identifier)
    }

    @Test func `times are those of the source, however it is cut`() async throws {
        let clip = try Clips.open("small.mp4")
        var edit = ClipEdit(segments: [.seconds(1) ..< .seconds(2)], isReversed: true)
        edit.overlays = [.text(TextOverlay("{time}", height: 0.2))]
        let edited = try await clip.edited(edit)
        var whole = ClipEdit()
        whole.overlays = edit.overlays
        let marked = try await clip.edited(whole)
        // The last frame of the reversed second is the one at its start.
        let count = try await edited.frameIndex().count
        #expect(try await edited.frame(count - 1).bitmap == marked.frame(at: .seconds(1)).bitmap)
        #expect(try await edited.frame(0).bitmap != clip.frame(23).bitmap)
    }

    @Test func `edits with other overlays have other identifiers`() throws {
        let overlays: [Overlay] = [
            .text(TextOverlay("a")), .text(TextOverlay("b")),
            .text(TextOverlay("a", gravity: .north)), .text(TextOverlay("a", height: 0.1)),
            .text(TextOverlay("a", color: .black)), .picture(PictureOverlay(try Self.mark(2, 2))),
            .picture(PictureOverlay(try Self.mark(2, 3))),
            .picture(PictureOverlay(try Self.mark(2, 2), opacity: 0.5)),
            .subtitles(try SubtitleOverlay("1\n00:00:01,000 --> 00:00:02,000\na\n")),
            .subtitles(try SubtitleOverlay("1\n00:00:01,000 --> 00:00:02,000\nb\n")),
        ]
        let identifiers = overlays.map { overlay in
            var edit = ClipEdit()
            edit.overlays = [overlay]
            return edit.identifier
        }
        #expect(Set(identifiers).count == overlays.count)
        #expect(Set(overlays).count == overlays.count)
    }
}
