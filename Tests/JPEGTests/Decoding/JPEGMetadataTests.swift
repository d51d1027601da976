import LazyCodecs
import LazyMedia
import Support
import Testing

@Suite struct JPEGMetadataTests {
    /// A JPEG with an EXIF segment: an orientation and a small picture.
    private func jpeg(orientation: UInt8, thumbnail: [UInt8]?) throws -> [UInt8] {
        let bytes = try JPEGs.jpeg(48, 32)
        // One directory of one entry, and a second one of two behind it.
        var tiff: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1]
        tiff += [1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        if let thumbnail {
            let start = 26 + 2 + 24 + 4
            tiff += [0, 0, 0, 26, 0, 2]
            tiff += [2, 1, 0, 4, 0, 0, 0, 1, 0, 0, 0, UInt8(start)]
            tiff += [2, 2, 0, 4, 0, 0, 0, 1, 0, 0]
            tiff += [UInt8(thumbnail.count >> 8), UInt8(thumbnail.count & 255), 0, 0, 0, 0]
            tiff += thumbnail
        } else {
            tiff += [0, 0, 0, 0]
        }
        let body = Array("Exif\0\0".utf8) + tiff
        let length = body.count + 2
        return bytes[..<2] + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + body
            + bytes[2...]
    }

    @Test(arguments: 1...8) func `each orientation brings the picture upright`(tag: UInt8) throws {
        let plain = try JPEGs.read(jpeg(orientation: 1, thumbnail: nil)).bitmap
        let bytes = try jpeg(orientation: tag, thumbnail: nil)
        let bitmap = try JPEGs.read(bytes).bitmap
        let (w, h) = (47, 31)
        for (x, y) in [(0, 0), (5, 3), (w, 0), (0, h), (20, 30)] {
            // Where a coded pixel is shown (CIPA DC-008, figure of the tag).
            let place: (Int, Int) =
                switch tag {
                case 2: (w - x, y)
                case 3: (w - x, h - y)
                case 4: (x, h - y)
                case 5: (y, x)
                case 6: (h - y, x)
                case 7: (h - y, w - x)
                case 8: (y, w - x)
                default: (x, y)
                }
            #expect(bitmap[place.0, place.1] == plain[x, y])
        }
        let size = try JPEGs.open(bytes).info.size
        let half = PixelSize(width: size.width / 2, height: size.height / 2)
        #expect(try JPEGs.read(bytes, size: half).bitmap.size == half)
    }

    @Test(arguments: [1, 6, 3] as [UInt8]) func `the camera's small picture is turned as well`(
        tag: UInt8
    ) throws {
        let thumbnail = try JPEGs.jpeg(24, 16)
        let media = try JPEGs.open(jpeg(orientation: tag, thumbnail: thumbnail))
        let poster = try #require(try media.embeddedPoster(ReaderOptions()))
        let plain = try JPEGs.read(thumbnail).bitmap
        let transposed = tag == 6
        #expect(poster.size == (transposed ? plain.size.transposed : plain.size))
        #expect(poster[transposed ? 15 : tag == 3 ? 23 : 0, tag == 3 ? 15 : 0] == plain[0, 0])
    }

    @Test func `a file without a thumbnail has no poster`() throws {
        let media = try JPEGs.open(jpeg(orientation: 1, thumbnail: nil))
        #expect(try media.embeddedPoster(ReaderOptions()) == nil)
        #expect(try JPEGs.open(JPEGs.jpeg(8, 8)).embeddedPoster(ReaderOptions()) == nil)
    }

    @Test func `an invalid thumbnail is an error, not a crash`() throws {
        let media = try JPEGs.open(jpeg(orientation: 1, thumbnail: [1, 2, 3, 4]))
        #expect(throws: MediaError.self) { try media.embeddedPoster(ReaderOptions()) }
    }
}
