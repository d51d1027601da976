import LazyMedia
import Support
import Testing

@testable import LazyEditing

/// Black bars, and what only looks like them.
@Suite struct PeakLumaTests {
    private static let size = PixelSize(width: 60, height: 40)

    /// What is found in pictures of gray that a function paints.
    private func inner(
        _ count: Int = 1, _ paint: (_ number: Int, _ x: Int, _ y: Int) -> UInt8
    ) throws -> PixelRect? {
        var peaks = PeakLuma(Self.size)
        for number in 0..<count {
            peaks.add(
                try Bitmap(size: Self.size, isOpaque: true) { rows in
                    let pixels = rows.bindMemory(to: SIMD4<UInt8>.self)
                    for y in 0..<Self.size.height {
                        for x in 0..<Self.size.width {
                            let gray = paint(number, x, y)
                            pixels[y * Self.size.width + x] = SIMD4(gray, gray, gray, 255)
                        }
                    }
                })
        }
        return peaks.inner
    }

    @Test(arguments: [
        PixelRect(x: 0, y: 5, width: 60, height: 30), PixelRect(x: 8, y: 0, width: 44, height: 40),
        PixelRect(x: 6, y: 4, width: 48, height: 32), PixelRect(x: 0, y: 1, width: 60, height: 38),
        PixelRect(x: 0, y: 6, width: 60, height: 30), PixelRect(x: 25, y: 0, width: 10, height: 40),
    ])
    func `bars are found to the pixel, noise in them or not`(part: PixelRect) throws {
        for noise in [0, 20] {
            let found = try inner { _, x, y in
                let isInside =
                    (part.x..<part.right).contains(x) && (part.y..<part.bottom).contains(y)
                return isInside
                    ? UInt8(60 + (x * 7 + y * 13) % 150) : UInt8((x * 5 + y) % (noise + 1))
            }
            #expect(found == part)
        }
    }

    @Test func `a film that is dark for most of its time keeps its picture`() throws {
        // Lit in one frame of three.
        let found = try inner(3) { number, _, y in
            (5..<35).contains(y) ? (number == 1 ? 50 : 2) : 0
        }
        #expect(found == PixelRect(x: 0, y: 5, width: 60, height: 30))
    }

    @Test(arguments: [
        "black", "night", "vignette", "text", "sky", "window", "stars", "one bar", "logo in a bar",
    ])
    func `a dark picture is not cut`(scene: String) throws {
        let found = try inner(12) { number, x, y in
            switch scene {
            case "black": 0
            case "night": UInt8((x * 31 + y * 17 + number * 7) % 23)
            case "vignette": UInt8(max(0, 60 - abs(x - 30) * 2 - abs(y - 20) * 3))
            case "text": (18..<22).contains(y) && (20..<40).contains(x) && x % 3 > 0 ? 255 : 0
            // A sharp horizon below a black sky.
            case "sky": y < 25 ? 0 : 120
            // A bright window in a dark room: a quarter of each side.
            case "window": (22..<38).contains(x) && (14..<26).contains(y) ? 200 : 4
            case "stars": (x * 37 + y * 101 + number * 11) % 97 == 0 ? 220 : 3
            case "one bar": y < 6 ? 0 : 130
            default: y < 6 ? ((50..<58).contains(x) ? 90 : 0) : y > 33 ? 0 : 130
            }
        }
        // A bar with a logo is none, and then the other has no pair.
        #expect(found == nil)
    }

    @Test func `transparent edges are no bars`() throws {
        var peaks = PeakLuma(Self.size)
        peaks.add(
            try Bitmap(size: Self.size, isOpaque: false) { rows in
                let pixels = rows.bindMemory(to: SIMD4<UInt8>.self)
                for place in pixels.indices {
                    let isInside = (10..<30).contains(place / Self.size.width)
                    pixels[place] = isInside ? SIMD4(200, 200, 200, 255) : .zero
                }
            })
        #expect(peaks.inner == nil)
    }

    @Test func `at least twelve frames of the whole clip are looked at`() async throws {
        let media = PaintedMedia(seconds: 10, keyframes: 5) { frame, _, y in
            // The bars are lit in one twelfth of the clip alone.
            let isLit = (100..<117).contains(frame)
            return (5..<49).contains(y) || isLit ? SIMD4(150, 150, 150, 255) : SIMD4(0, 0, 0, 255)
        }
        var edit = ClipEdit()
        edit.shape.trimsBars = true
        let shaped = try await FrameSequence(media).edited(edit)
        #expect(shaped.info.size == media.info.size)
        #expect(media.decoded.all.count >= 12)
        #expect((media.decoded.all.min() ?? 200) < 20)
        #expect((media.decoded.all.max() ?? 0) > 180)
    }
}
