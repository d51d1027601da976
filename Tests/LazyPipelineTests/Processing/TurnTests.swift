import LazyMedia
import LazyPipeline
import Support
import Testing

@Suite struct TurnTests {
    @Test(arguments: [
        (90.0, 7, 5), (450, 7, 5), (-270, 7, 5), (180, 5, 7), (270, 7, 5), (-90, 7, 5), (0, 5, 7),
        (360, 5, 7), (-0.0, 5, 7),
    ]) func `quarter turns are exact`(degrees: Double, width: Int, height: Int) throws {
        let picture = try Picture.chart(5, 7)
        let rotate = ImageProcessors.Rotate(degrees: degrees)
        let result = try rotate(picture)
        #expect(result.size == PixelSize(width: width, height: height))
        #expect(result.size == rotate.outputSize(for: picture.size))
        #expect(result.isOpaque)
        let corner: SIMD4<UInt8> =
            switch rotate.degrees {
            case 90: picture[0, 6]
            case 180: picture[4, 6]
            case 270: picture[4, 0]
            default: picture[0, 0]
            }
        #expect(result[0, 0] == corner)
    }

    @Test func `four quarter turns are the identity`() throws {
        var picture = try Picture.chart(31, 17)
        for _ in 0..<4 { picture = try ImageProcessors.Rotate(degrees: 90)(picture) }
        #expect(picture == (try Picture.chart(31, 17)))
    }

    @Test(arguments: [1, 30, 45, 89.999, 137, 200.5, 359])
    func `any rotation contains the whole image`(
        degrees: Double
    ) throws {
        let picture = try Picture.plain(60, 40, [200, 100, 50, 255])
        let rotate = ImageProcessors.Rotate(degrees: degrees)
        let result = try rotate(picture)
        #expect(result.size == rotate.outputSize(for: picture.size))
        var area = 0.0
        for y in 0..<result.size.height {
            for x in 0..<result.size.width {
                let pixel = result[x, y]
                area += Double(pixel.w) / 255
                // Smooth edges fade, and do not darken.
                if pixel.w > 0 { #expect((pixel.x, pixel.y, pixel.z) == (200, 100, 50)) }
            }
        }
        #expect(abs(area - 2400) < 40, "\(area)")
        #expect(result[result.size.width / 2, result.size.height / 2] == [200, 100, 50, 255])
    }

    @Test func `a rotation is clockwise`() throws {
        // Red on the left comes to the top.
        let picture = try Picture.make(41, 41) { x, _ in
            x < 20 ? [255, 0, 0, 255] : [0, 0, 255, 255]
        }
        let result = try ImageProcessors.Rotate(degrees: 80)(picture)
        let middle = result.size.width / 2
        #expect(result[middle, 12].x > 240)
        #expect(result[middle, result.size.height - 12].z > 240)
    }

    @Test(arguments: [Double.nan, .infinity, 1e300, 1e-300, -1e-20])
    func `invalid angles are harmless`(
        degrees: Double
    ) throws {
        let rotate = ImageProcessors.Rotate(degrees: degrees)
        let result = try rotate(Picture.chart(9, 4))
        #expect(result.size == rotate.outputSize(for: PixelSize(width: 9, height: 4)))
    }

    @Test func `a flip exchanges sides`() throws {
        let picture = try Picture.chart(5, 7)
        let across = try ImageProcessors.Flip(.horizontal)(picture)
        let down = try ImageProcessors.Flip(.vertical)(picture)
        for y in 0..<7 {
            for x in 0..<5 {
                #expect(across[x, y] == picture[4 - x, y])
                #expect(down[x, y] == picture[x, 6 - y])
            }
        }
    }
}
