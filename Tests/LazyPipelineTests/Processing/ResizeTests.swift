import LazyMedia
import LazyPipeline
import Support
import Testing

@Suite struct ResizeTests {
    typealias Resize = ImageProcessors.Resize

    private static func size(_ width: Int, _ height: Int) -> PixelSize {
        PixelSize(width: width, height: height)
    }

    /// Processor, what goes in, what comes out.
    @Test(
        arguments: [
            (.resize(width: 320), size(640, 480), size(320, 240)),
            (.resize(width: 320), size(100, 50), size(100, 50)),
            (.resize(width: 320, upscale: true), size(100, 50), size(320, 160)),
            (.resize(height: 100), size(640, 480), size(133, 100)),
            (.resize(size: size(320, 320)), size(640, 480), size(427, 320)),
            (.resize(size: size(320, 320), fit: .contain), size(640, 480), size(320, 240)),
            (.resize(size: size(320, 320)), size(300, 200), size(300, 200)),
            (.resize(size: size(320, 320), upscale: true), size(300, 200), size(480, 320)),
            (.resize(size: size(320, 320), crop: true), size(640, 480), size(320, 320)),
            (.resize(size: size(320, 320), crop: true), size(30, 40), size(30, 30)),
            (.resize(size: size(960, 960), crop: true), size(640, 480), size(480, 480)),
            (.resize(size: size(1000, 200), crop: true), size(640, 480), size(640, 128)),
            (
                .resize(size: size(320, 320), crop: true, upscale: true), size(30, 40),
                size(320, 320)
            ),
            (.resize(size: size(33, 77), fit: .fill), size(640, 480), size(33, 77)),
            (.resize(size: size(900, 900), fit: .scaleDown, upscale: true), size(8, 6), size(8, 6)),
            (.resize(width: 1), size(3, 1000), size(1, 333)),
            (.resize(width: 1), size(5000, 1), size(1, 1)),
        ] as [(Resize, PixelSize, PixelSize)])
    func `the size follows the rule`(resize: Resize, from: PixelSize, to: PixelSize) throws {
        #expect(resize.outputSize(for: from) == to)
        #expect(try resize(Picture.plain(from.width, from.height, [9, 8, 7, 255])).size == to)
    }

    @Test func `the declared size is the output size, for many sizes`() throws {
        var random = SplitMix(11)
        for _ in 0..<300 {
            func side() -> Int { Int(random.next() % 90) + 1 }
            let fit = FitMode.allCases[Int(random.next() % 4)]
            let resize = Resize(
                TargetSize(width: side(), height: side(), fit: fit),
                crop: random.next() % 2 == 0, upscale: random.next() % 2 == 0)
            let picture = try Picture.chart(side(), side())
            let result = try resize(picture)
            #expect(result.size == resize.outputSize(for: picture.size))
            if resize.crop, resize.upscale {
                #expect(result.size.width == resize.target.width)
                #expect(result.size.height == resize.target.height)
            }
        }
    }

    @Test func `a smaller image is the average of the larger one`() throws {
        let picture = try Picture.make(4, 2) { x, y in
            SIMD4(UInt8(x * 40), UInt8(y * 100), 0, 255)
        }
        let result = try Resize.resize(width: 2)(picture)
        #expect(result[0, 0] == [20, 50, 0, 255])
        #expect(result[1, 0] == [100, 50, 0, 255])
    }

    @Test func `transparent pixels contribute no color`() throws {
        let picture = try Picture.make(2, 1, isOpaque: false) { x, _ in
            x == 0 ? [0, 0, 0, 0] : [200, 100, 50, 255]
        }
        #expect(try Resize.resize(width: 1)(picture)[0, 0] == [200, 100, 50, 128])
    }

    @Test func `the crop is centered`() throws {
        let picture = try Picture.chart(10, 4)
        let result = try Resize.resize(size: Self.size(4, 4), crop: true)(picture)
        #expect(result[0, 0].x == 3)
        #expect(result[3, 3] == [6, 3, 7, 255])
    }

    @Test func `sizes that are too large to allocate are rejected`() throws {
        let huge = Resize(TargetSize(width: .max, height: .max, fit: .fill))
        let picture = try Picture.plain(1, 1, [0, 0, 0, 255])
        #expect(throws: ProcessingError.self) { try huge(picture) }
        let wide = Resize(TargetSize(width: -5, height: nil), upscale: true)
        #expect(wide.outputSize(for: Self.size(9, 9)) == Self.size(1, 1))
    }

    @Test func `an identifier contains every parameter`() {
        let all: [any ImageProcessing] = [
            .resize(width: 320), .resize(height: 320), .resize(width: 320, upscale: true),
            .resize(size: Self.size(320, 240)), .resize(size: Self.size(320, 240), fit: .contain),
            .resize(size: Self.size(320, 240), crop: true),
        ]
        #expect(Set(all.map(\.identifier)).count == all.count)
    }
}
