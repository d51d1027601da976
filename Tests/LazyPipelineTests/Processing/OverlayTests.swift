import LazyEditing
import LazyMedia
import LazyPipeline
import Testing

@Suite struct OverlayTests {
    @Test(arguments: [
        (Gravity.northWest, 2, 2), (.north, 8, 2), (.northEast, 14, 2), (.west, 2, 4),
        (.center, 8, 4),
        (.east, 14, 4), (.southWest, 2, 6), (.south, 8, 6), (.southEast, 14, 6),
    ]) func `an overlay is drawn at its position`(gravity: Gravity, x: Int, y: Int) throws {
        let mark = try Picture.plain(4, 2, [255, 0, 0, 255])
        let overlay = ImageProcessors.Overlay(mark, gravity: gravity, margin: 2)
        let result = try overlay(Picture.plain(20, 10, [0, 0, 255, 255]))
        for row in 0..<10 {
            for column in 0..<20 {
                let isInside = (x..<x + 4).contains(column) && (y..<y + 2).contains(row)
                #expect(result[column, row] == (isInside ? [255, 0, 0, 255] : [0, 0, 255, 255]))
            }
        }
        #expect(result.isOpaque)
    }

    /// What lies above, its opacity, what lies below, and the mixture (source over).
    @Test(
        arguments: [
            ([255, 0, 0, 255], 0.5, [0, 0, 255, 255], [128, 0, 127, 255]),
            ([255, 0, 0, 128], 1, [0, 0, 255, 255], [128, 0, 127, 255]),
            ([255, 0, 0, 128], 1, [0, 255, 0, 0], [255, 0, 0, 128]),
            ([200, 100, 50, 128], 1, [200, 100, 50, 128], [200, 100, 50, 192]),
            ([9, 9, 9, 255], 0, [1, 2, 3, 4], [1, 2, 3, 4]),
            ([9, 9, 9, 0], 1, [1, 2, 3, 4], [1, 2, 3, 4]),
        ] as [(SIMD4<UInt8>, Double, SIMD4<UInt8>, SIMD4<UInt8>)])
    func `colors are blended by alpha`(
        top: SIMD4<UInt8>, opacity: Double, below: SIMD4<UInt8>, mixture: SIMD4<UInt8>
    ) throws {
        let overlay = ImageProcessors.Overlay(
            try Picture.plain(1, 1, top), x: 0, y: 0, opacity: opacity)
        #expect(try overlay(Picture.plain(1, 1, below))[0, 0] == mixture)
    }

    @Test(arguments: [(-2, -1), (18, 9), (100, 0), (-100, 0), (.max, .min), (.min, .max)])
    func `an overlay is clipped to the image`(x: Int, y: Int) throws {
        let mark = try Picture.plain(4, 2, [255, 0, 0, 255])
        let result = try ImageProcessors.Overlay(mark, x: x, y: y)(Picture.chart(20, 10))
        #expect(result.size == PixelSize(width: 20, height: 10))
        #expect(result[10, 5] == [10, 5, 7, 255])
    }

    @Test func `another overlay is another processor`() throws {
        let mark = try Picture.chart(4, 2)
        let other = try Picture.make(4, 2) { x, y in
            x == 3 && y == 1 ? [3, 1, 8, 255] : mark[x, y]
        }
        let all: [any ImageProcessing] = [
            .overlay(mark), .overlay(other), .overlay(mark, opacity: 0.5),
            .overlay(mark, gravity: .north), .overlay(mark, margin: 1), .overlay(mark, x: 1, y: 2),
            .overlay(mark, x: 12, y: 2), .overlay(try Picture.chart(2, 4)),
        ]
        #expect(Set(all.map(\.identifier)).count == all.count)
        let same: any ImageProcessing = .overlay(try Picture.chart(4, 2))
        #expect(same.identifier == all[0].identifier)
    }

    @Test func `a composition applies its parts in order`() throws {
        let parts: [any ImageProcessing] = [
            .resize(width: 10), .rotate(degrees: 90), .roundedCorners(radius: 2),
            .gaussianBlur(radius: 1),
        ]
        let whole = ImageProcessors.Composition(parts)
        let picture = try Picture.chart(40, 20)
        var expected = picture
        for part in parts { expected = try part.process(expected, context: .init()) }
        #expect(try whole(picture) == expected)
        #expect(whole.outputSize(for: picture.size) == expected.size)
        #expect(whole.outputSize(for: picture.size) == PixelSize(width: 5, height: 10))
        let turned: any ImageProcessing = .composition(parts.reversed())
        #expect(turned.identifier != whole.identifier)
    }

    @Test func `a closure can be a processor`() async throws {
        struct Oops: Error {}
        let half: any ImageProcessing = .process(id: "half") { bitmap in
            try bitmap.scaled(to: PixelSize(width: bitmap.size.width / 2, height: 1))
        }
        #expect(half.identifier == "half")
        let media = try Picture.chart(8, 2)
        let result = try ImageContainer(still: media).processed(by: half)
        #expect(result.frames.info.size == PixelSize(width: 4, height: 1))
        let failing: any ImageProcessing = .process(id: "oops") { _ in throw Oops() }
        let error = #expect(throws: ProcessingError.self) {
            try ImageContainer(still: media).processed(by: failing)
        }
        #expect(error?.underlying is Oops)
    }

    @Test func `the declared size is the output size`() throws {
        let mark = try Picture.plain(3, 3, [1, 2, 3, 100])
        let all: [any ImageProcessing] = [
            .resize(width: 7), .resize(height: 9, upscale: true), .circle(),
            .roundedCorners(radius: 3),
            .crop(PixelRect(x: 1, y: 0, width: 4, height: 90)), .gaussianBlur(radius: 2),
            .rotate(degrees: 33), .rotate(degrees: 90), .flip(.vertical), .overlay(mark),
        ]
        for processor in all {
            for (width, height) in [(2, 1), (5, 40), (33, 7), (64, 64)] {
                let picture = try Picture.chart(width, height)
                let result = try processor.process(picture, context: .init())
                #expect(
                    result.size == processor.outputSize(for: picture.size),
                    "\(processor.identifier)")
            }
        }
    }
}
