import LazyMedia
import Support
import Testing

@testable import LazyCodecs

@Suite struct `Planes for WebP` {
    /// A picture of colors that change slowly, so that chroma's resolution does not matter.
    private func colors(_ width: Int, _ height: Int) throws -> Bitmap {
        try Bitmap.drawn(width, height) { x, y in
            SIMD4(
                UInt8(40 + x * 170 / width), UInt8(200 - y * 150 / height),
                UInt8(60 + (x + y) * 120 / (width + height)), 255)
        }
    }

    @Test(arguments: [(64, 48), (33, 17), (1, 1)])
    func `pixels become planes and come back`(width: Int, height: Int) throws {
        let picture = try colors(width, height)
        let planes = try picture.planes()
        #expect(planes.matrix == .bt601 && !planes.isFullRange)
        #expect(try planes.bitmap().error(to: picture) < 6)
    }

    @Test(arguments: [
        (PlanarPicture.Matrix.bt709, false), (.bt709, true), (.bt601, true), (.bt2020, false),
    ])
    func `another matrix and range means the same colors`(
        matrix: PlanarPicture.Matrix, isFullRange: Bool
    ) throws {
        for (width, height) in [(64, 48), (35, 19)] {
            let own = try colors(width, height).planes()
            let other = try own.converted(to: matrix, isFullRange: isFullRange)
            #expect(other.matrix == matrix && other.isFullRange == isFullRange)
            #expect(try other.bitmap().error(to: own.bitmap()) < 3)
            let back = try other.converted(to: .bt601)
            #expect(try back.bitmap().error(to: own.bitmap()) < 3)
        }
    }

    @Test func `blocks that differ little are kept, and differences add up`() throws {
        func gray(_ level: UInt8) throws -> PlanarPicture {
            try Bitmap.drawn(64, 48) { x, _ in
                let value = x < 32 ? level : 100
                return SIMD4(value, value, value, 255)
            }.planes()
        }
        let tolerance = WebPReferencePlanes.Tolerance(step: WebPSettings(.init(), effort: 4).step)
        var held = WebPReferencePlanes(try gray(100), tolerance)
        var coded = 0
        for level in UInt8(101)...120 {
            let blocks = held.update(try gray(level))
            #expect(!blocks.isCoded[2] && !blocks.isCoded[3])
            if blocks.isCoded[0] { coded += 1 }
        }
        // Not each of the twenty steps is coded, and no two levels are ever missing for long.
        #expect(coded >= 5 && coded < 20)
        #expect(held.update(try gray(200)).rect(in: PixelSize(width: 64, height: 48))?.width == 32)
    }

    @Test func `the quantizer's step falls as quality rises`() {
        let steps = stride(from: 0.0, through: 100, by: 5).map {
            WebPSettings(.init(quality: $0), effort: 4).step
        }
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 > $1 })
        #expect((steps.last ?? 0) == 4 && (28...32).contains(steps[15]))
    }
}
