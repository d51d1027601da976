import LazyMedia
import LazyPipeline
import Testing

@Suite struct ShapeTests {
    @Test func `a crop copies its pixels`() throws {
        let picture = try Picture.chart(20, 10)
        let crop = ImageProcessors.Crop(PixelRect(x: 5, y: 3, width: 4, height: 2))
        let result = try crop(picture)
        #expect(result.size == crop.outputSize(for: picture.size))
        #expect(result[0, 0] == picture[5, 3])
        #expect(result[3, 1] == picture[8, 4])
    }

    @Test(arguments: [
        (PixelRect(x: -5, y: -5, width: 10, height: 10), PixelSize(width: 5, height: 5)),
        (PixelRect(x: 15, y: 8, width: 99, height: 99), PixelSize(width: 5, height: 2)),
        (PixelRect(x: 0, y: 0, width: .max, height: .max), PixelSize(width: 20, height: 10)),
        (PixelRect(x: 19, y: 9, width: .max, height: .max), PixelSize(width: 1, height: 1)),
    ]) func `a crop beyond the edge is clipped`(rect: PixelRect, size: PixelSize) throws {
        let crop = ImageProcessors.Crop(rect)
        #expect(crop.outputSize(for: PixelSize(width: 20, height: 10)) == size)
        #expect(try crop(Picture.chart(20, 10)).size == size)
    }

    @Test(arguments: [
        PixelRect(x: 20, y: 0, width: 1, height: 1), PixelRect(x: 0, y: 0, width: 0, height: 5),
        PixelRect(x: -9, y: 0, width: 9, height: 5), PixelRect(x: 3, y: 3, width: -1, height: 1),
    ]) func `a crop outside the image is an error`(rect: PixelRect) throws {
        let picture = try Picture.chart(20, 10)
        #expect(throws: ProcessingError.self) { try ImageProcessors.Crop(rect)(picture) }
    }

    @Test func `a circle covers the area of a circle`() throws {
        let picture = try Picture.plain(120, 80, [10, 20, 30, 255])
        let result = try ImageProcessors.Circle()(picture)
        #expect(result.size == PixelSize(width: 80, height: 80))
        var sum = 0
        for y in 0..<80 { for x in 0..<80 { sum += Int(result[x, y].w) } }
        let area = Double(sum) / 255
        #expect(abs(area - Double.pi * 1600) < 5)
        #expect(result[0, 0] == .zero)
        #expect(result[40, 40] == [10, 20, 30, 255])
        #expect(result[40, 0].w > 200)
    }

    @Test func `a circle is symmetric`() throws {
        let result = try ImageProcessors.Circle()(Picture.plain(33, 33, [1, 2, 3, 255]))
        for y in 0..<33 {
            for x in 0..<33 {
                #expect(result[x, y] == result[32 - x, y])
                #expect(result[x, y] == result[y, x])
            }
        }
    }

    @Test func `edges keep their color`() throws {
        let result = try ImageProcessors.RoundedCorners(radius: 9)(
            Picture.plain(40, 30, [200, 100, 50, 255]))
        var partial = 0
        for y in 0..<30 {
            for x in 0..<40 where result[x, y].w > 0 {
                if result[x, y].w < 255 { partial += 1 }
                #expect((result[x, y].x, result[x, y].y, result[x, y].z) == (200, 100, 50))
            }
        }
        #expect(partial > 12)
        #expect(result[0, 0].w == 0)
        #expect(result[20, 0].w == 255)
        #expect(result[0, 15].w == 255)
    }

    @Test func `a border follows the edge`() throws {
        let border = ImageProcessors.Border(color: PixelColor(0xFF0000), width: 3)
        let result = try ImageProcessors.RoundedCorners(radius: 8, border: border)(
            Picture.plain(60, 40, [0, 0, 255, 255]))
        for depth in 0..<3 {
            #expect(result[30, depth] == [255, 0, 0, 255])
            #expect(result[59 - depth, 20] == [255, 0, 0, 255])
        }
        #expect(result[30, 3] == [0, 0, 255, 255])
        #expect(result[30, 36] == [0, 0, 255, 255])
        #expect(result[56, 20] == [0, 0, 255, 255])
        #expect(result[3, 3] == [255, 0, 0, 255])
    }

    @Test(arguments: [-5, 0, .nan, .infinity]) func `invalid radii leave the corners`(
        radius: Double
    ) throws {
        let picture = try Picture.chart(9, 9)
        #expect(try ImageProcessors.RoundedCorners(radius: radius)(picture) == picture)
    }

    @Test func `identifiers contain every parameter`() {
        let border = ImageProcessors.Border(color: .black)
        let all: [any ImageProcessing] = [
            .circle(), .circle(border: border), .circle(border: .init(color: .white)),
            .circle(border: .init(color: .black, width: 2)), .roundedCorners(radius: 4),
            .roundedCorners(radius: 4.5), .roundedCorners(radius: 4, border: border),
            .crop(PixelRect(x: 0, y: 0, width: 1, height: 1)),
            .crop(PixelRect(x: 0, y: 1, width: 1, height: 1)),
        ]
        #expect(Set(all.map(\.identifier)).count == all.count)
    }
}
