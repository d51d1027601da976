import LazyMedia
import LazyPipeline
import Testing

@Suite struct BlurTests {
    @Test(arguments: [0.5, 1, 2.5, 8, 20, 1000]) func `a uniform image is unchanged`(
        radius: Double
    ) throws {
        let picture = try Picture.plain(37, 23, [200, 100, 50, 255])
        #expect(try ImageProcessors.GaussianBlur(radius: radius)(picture) == picture)
    }

    @Test(arguments: [0, -3, .nan]) func `a radius of zero changes nothing`(radius: Double) throws {
        let picture = try Picture.chart(9, 9)
        #expect(try ImageProcessors.GaussianBlur(radius: radius)(picture) == picture)
    }

    /// An edge becomes the integral of the Gaussian: the values of its error function.
    @Test(arguments: [1.3, 2, 4, 8]) func `an edge is blurred as by a Gaussian`(
        radius: Double
    ) throws {
        let picture = try Picture.make(120, 5) { x, _ in
            x < 60 ? [0, 0, 0, 255] : [255, 255, 255, 255]
        }
        let result = try ImageProcessors.GaussianBlur(radius: radius)(picture)
        // Pixel 60 + d lies d + ½ behind the edge.
        let table: [(deviations: Double, share: Double)] = [
            (-2, 0.0228), (-1, 0.1587), (-0.5, 0.3085), (0.5, 0.6915), (1, 0.8413), (2, 0.9772),
        ]
        for (deviations, share) in table {
            let place = deviations * radius - 0.5 + 60
            let (left, part) = (Int(place.rounded(.down)), place - place.rounded(.down))
            let value =
                Double(result[left, 2].x) * (1 - part) + Double(result[left + 1, 2].x) * part
            #expect(abs(value / 255 - share) < 0.02, "\(deviations): \(value / 255)")
        }
    }

    /// The variance of a blurred point is that of the Gaussian, for fractions too.
    @Test(arguments: [0.3, 0.5, 0.8, 1, 1.7, 2.5, 6.4]) func `a fraction of a pixel counts`(
        radius: Double
    ) throws {
        let picture = try Picture.make(121, 121) { x, _ in
            x == 60 ? [255, 255, 255, 255] : [0, 0, 0, 255]
        }
        let result = try ImageProcessors.GaussianBlur(radius: radius)(picture)
        var (sum, squares) = (0.0, 0.0)
        for x in 0..<121 {
            let value = Double(result[x, 60].x)
            sum += value
            squares += value * Double((x - 60) * (x - 60))
        }
        // Values below half a step of 8 bits are lost at the ends.
        #expect(abs(squares / sum - radius * radius) <= 0.03 + 0.08 * radius * radius)
    }

    @Test func `both directions are blurred equally`() throws {
        let picture = try Picture.make(41, 41) { x, y in
            x == 20 && y == 20 ? [255, 255, 255, 255] : [0, 0, 0, 255]
        }
        let result = try ImageProcessors.GaussianBlur(radius: 1.5)(picture)
        for y in 0..<41 {
            for x in 0..<41 {
                #expect(result[x, y] == result[40 - x, y])
                #expect(abs(Int(result[x, y].x) - Int(result[y, x].x)) <= 1)
            }
        }
        #expect(result[20, 20].x > 10)
    }

    @Test func `transparent pixels contribute no color`() throws {
        let picture = try Picture.make(40, 40, isOpaque: false) { x, _ in
            x < 20 ? [0, 255, 0, 0] : [200, 100, 50, 255]
        }
        let result = try ImageProcessors.GaussianBlur(radius: 4)(picture)
        for x in 0..<40 where result[x, 20].w > 8 {
            let pixel = result[x, 20]
            #expect(abs(Int(pixel.x) - 200) <= 1 && abs(Int(pixel.y) - 100) <= 1, "\(pixel)")
        }
        #expect(abs(Int(result[20, 20].w) - 140) < 10)
    }

    @Test func `images smaller than the radius are blurred`() throws {
        for (width, height) in [(1, 1), (2, 1), (1, 3), (3, 2)] {
            let result = try ImageProcessors.GaussianBlur(radius: 50)(Picture.chart(width, height))
            #expect(result.size == PixelSize(width: width, height: height))
            #expect(abs(Int(result[0, 0].z) - 7) <= 1)
        }
    }
}
