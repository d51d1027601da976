import LazyMedia
import Support
import Testing

@testable import LazyRenditions

@Suite struct ContentKindTests {
    private static let size = PixelSize(width: 120, height: 90)

    private static func picture(_ color: (Int, Int) -> SIMD4<UInt8>) throws -> Bitmap {
        try Bitmap(size: size, isOpaque: false) { bytes in
            let pixels = bytes.bindMemory(to: SIMD4<UInt8>.self)
            for y in 0..<size.height {
                for x in 0..<size.width { pixels[y * size.width + x] = color(x, y) }
            }
        }
    }

    private static func gray(_ value: Int) -> SIMD4<UInt8> {
        let byte = UInt8(truncatingIfNeeded: min(max(value, 0), 255))
        return SIMD4(byte, byte, byte, 255)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var kind: ContentKind?
        var color: @Sendable (Int, Int) -> SIMD4<UInt8>
        init(
            _ name: String, _ kind: ContentKind?,
            _ color: @escaping @Sendable (Int, Int) -> SIMD4<UInt8>
        ) {
            testDescription = name
            self.kind = kind
            self.color = color
        }
    }

    static let cases: [Case] = [
        Case("one color", .flatArt) { _, _ in SIMD4(10, 20, 30, 255) },
        Case("two halves", .flatArt) { x, _ in x < 60 ? gray(0) : gray(255) },
        Case("boxes of many colors", .flatArt) { x, y in
            SIMD4(UInt8(x / 12 * 25), UInt8(y / 12 * 30), 128, 255)
        },
        Case("pixel art enlarged four times", .flatArt) { x, y in
            (x / 4 * 7 + y / 4 * 13) % 5 == 0 ? gray(220) : gray(40)
        },
        Case("a disc with soft edges", .flatArt) { x, y in
            let far = ((x - 60) * (x - 60) + (y - 45) * (y - 45))
            return gray((1000 - far) * 4)
        },
        Case("a transparent ground with a figure", .flatArt) { x, y in
            x > 40 && x < 80 && y > 30 ? SIMD4(200, 30, 30, 255) : SIMD4(0, 0, 0, 0)
        },
        Case("a gradient", .photographic) { x, y in gray(x + y) },
        Case("noise", .photographic) { x, y in gray((x &* 7919 &+ y &* 104_729) % 97 + 70) },
        Case("a gradient dithered to two colors", .photographic) { x, y in
            let pattern = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]
            return gray(x * 2 > pattern[y % 4][x % 4] * 16 ? 255 : 0)
        },
        Case("a photograph in a black frame", .photographic) { x, y in
            (30..<90).contains(x) && (20..<70).contains(y)
                ? gray((x &* 7919 &+ y &* 104_729) % 40 + 70) : gray(0)
        },
    ]

    @Test(arguments: cases)
    func `areas and edges are told from shades and texture`(_ item: Case) throws {
        var statistics = ContentStatistics()
        statistics.add(try Self.picture(item.color))
        #expect(statistics.kind == item.kind)
    }

    @Test func `a blank beginning does not hide what comes`() throws {
        var statistics = ContentStatistics()
        statistics.add(try Self.picture { _, _ in Self.gray(0) })
        statistics.add(try Self.picture { x, y in Self.gray(x + y) })
        #expect(statistics.kind == .photographic)
    }

    @Test func `a look sees transparency and how soft it is`() throws {
        var sample = ContentSample()
        sample.add(try Self.picture { _, _ in SIMD4(1, 2, 3, 255) })
        #expect(!sample.hasTransparency && !sample.hasTranslucency)
        sample.add(try Self.picture { x, _ in SIMD4(1, 2, 3, x == 7 ? 0 : 255) })
        #expect(sample.hasTransparency && !sample.hasTranslucency)
        sample.add(try Self.picture { x, y in SIMD4(1, 2, 3, x == 7 && y == 80 ? 9 : 255) })
        #expect(sample.hasTranslucency)
    }
}
