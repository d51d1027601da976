import LazyMedia
import Testing

@testable import LazyRenditions

/// The expected hashes are those of the Python package thumbhash-python 1.0.1.
struct ThumbHashTests {
    /// A picture of 32-bit pixels, red first.
    private static func picture(
        _ width: Int, _ height: Int, _ pixel: (Int, Int) -> SIMD4<UInt8>
    ) throws -> Bitmap {
        try Bitmap(size: PixelSize(width: width, height: height), isOpaque: false) { bytes in
            let pixels = bytes.bindMemory(to: SIMD4<UInt8>.self)
            for y in 0..<height { for x in 0..<width { pixels[y * width + x] = pixel(x, y) } }
        }
    }

    private static func byte(_ value: Int) -> UInt8 { UInt8(truncatingIfNeeded: value) }

    @Test func `hashes are those of another program`() throws {
        let wide = try Self.picture(32, 24) { [Self.byte($0 * 8), Self.byte($1 * 10), 128, 255] }
        #expect(try ThumbHash(wide).base64 == "nhcKNZpwd4dwiIiHiHiHh3BwB/eI")
        let tall = try Self.picture(20, 40) {
            [Self.byte(255 - $0 * 12), 60, Self.byte($1 * 6), 255]
        }
        #expect(try ThumbHash(tall).base64 == "WqcKZBh/CIiIiIeIeHiLj/iIeA==")
        let disc = try Self.picture(30, 30) { x, y in
            let isInside = (x - 15) * (x - 15) + (y - 15) * (y - 15) < 100
            return [Self.byte(x * 8), Self.byte(y * 8), 200, isInside ? 255 : 0]
        }
        #expect(try ThumbHash(disc).base64 == "pAWCDQQ1gn+Ce7j2d5CACfloB3iHeICLdw==")
        let noise = try Self.picture(64, 8) { x, y in
            [
                Self.byte(x * 37 + y * 91), Self.byte(x * x), Self.byte(y * y * 5),
                Self.byte(255 - x * 2),
            ]
        }
        #expect(try ThumbHash(noise).base64 == "2iiKUYQrVVZgd4pmj/V/h494eIiHeIg=")
    }

    @Test(arguments: [(1, 1), (1, 300), (500, 2), (1000, 1000)])
    func `pictures of any size have a hash that can be read`(width: Int, height: Int) throws {
        let hash = try ThumbHash(Self.picture(width, height) { _, _ in [10, 200, 30, 255] })
        #expect(ThumbHash(bytes: hash.bytes) == hash)
        #expect(hash.bytes.count <= 25)
        let color = hash.averageColor
        for (ours, theirs) in zip([color.red, color.green, color.blue], [10, 200, 30]) {
            #expect(abs(Int(ours) - theirs) <= 6)
        }
        #expect(color.alpha == 255)
    }

    @Test func `a picture without visible pixels has a hash`() throws {
        let hash = try ThumbHash(Self.picture(5, 5) { _, _ in [0, 0, 0, 0] })
        #expect(hash.averageColor.alpha == 0)
        #expect(ThumbHash(bytes: hash.bytes) == hash)
    }

    @Test func `bytes that end early are no hash`() throws {
        let hash = try ThumbHash(Self.picture(32, 24) { [Self.byte($0), Self.byte($1), 9, 99] })
        for count in 0..<hash.bytes.count {
            #expect(ThumbHash(bytes: Array(hash.bytes.prefix(count))) == nil)
        }
    }
}
