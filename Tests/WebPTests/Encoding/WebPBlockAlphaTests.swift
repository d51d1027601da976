import CWebP
import LazyBase
import LazyMedia
import Support
import Testing

@testable import LazyCodecs

@Suite struct WebPBlockAlphaTests {
    static let sizes = [
        PixelSize(width: 320, height: 180), PixelSize(width: 33, height: 17),
        PixelSize(width: 16, height: 16), PixelSize(width: 1, height: 1),
        PixelSize(width: 17, height: 400), PixelSize(width: 1000, height: 9),
        PixelSize(width: 1921, height: 1081),
    ]

    private func blocks(
        _ size: PixelSize, share: Int, runs: Bool, _ random: inout SplitMix
    ) -> WebPBlocks {
        var blocks = WebPBlocks(size, all: false)
        var isCoded = false
        for row in 0..<blocks.rows {
            for column in 0..<blocks.columns {
                // Noise, or shapes as of moving things.
                if !runs || Int.random(in: 0..<5, using: &random) == 0 {
                    isCoded = Int.random(in: 0..<100, using: &random) < share
                }
                if isCoded { blocks.code(column: column, row: row) }
            }
        }
        return blocks
    }

    private func mask(_ blocks: WebPBlocks, _ size: PixelSize, _ rect: PixelRect) -> [UInt8] {
        var mask: [UInt8] = []
        for y in rect.y..<rect.bottom {
            for x in rect.x..<rect.right {
                mask.append(blocks.isCoded[y / 16 * blocks.columns + x / 16] ? 255 : 0)
            }
        }
        return mask
    }

    /// A gray picture with the chunk as its alpha.
    private func still(_ alpha: [UInt8], _ rect: PixelRect) throws -> [UInt8] {
        let size = PixelSize(width: rect.width, height: rect.height)
        let gray = try Bitmap.drawn(size.width, size.height) { _, _ in SIMD4(90, 90, 90, 255) }
        let picture = try WebPCoder.code(
            gray.planes(), PixelRect(size),
            WebPSettings(.init(), effort: 0).lossyConfig(isFrame: true), CancellationFlag())
        return WebPAssembler.still(alpha + picture, size)
    }

    /// The alpha that libwebp decodes.
    private func decoded(_ file: [UInt8]) throws -> [UInt8] {
        var (width, height): (CInt, CInt) = (0, 0)
        let pixels = try #require(WebPDecodeRGBA(file, file.count, &width, &height))
        defer { WebPFree(pixels) }
        return (0..<Int(width * height)).map { pixels[$0 * 4 + 3] }
    }

    @Test(arguments: sizes, [true, false])
    func `libwebp decodes the blocks`(size: PixelSize, runs: Bool) throws {
        var random = SplitMix(UInt64(size.width))
        for share in [1, 20, 50, 90, 100] {
            let blocks = blocks(size, share: share, runs: runs, &random)
            for rect in [blocks.rect(in: size), PixelRect(size)].compactMap({ $0 }) {
                let chunk = WebPBlockAlpha.chunk(blocks, in: rect)
                #expect(chunk.count % 2 == 0)
                let alpha = try decoded(try still(chunk, rect))
                #expect(alpha == mask(blocks, size, rect), "\(size), \(share) of 100")
            }
        }
    }

    /// libwebp's own chunk for a mask.
    private func ofLibrary(_ mask: [UInt8], _ size: PixelSize) throws -> Int {
        var picture = WebPPicture()
        try #require(WebPPictureInit(&picture) != 0)
        (picture.width, picture.height) = (CInt(size.width), CInt(size.height))
        try #require(WebPPictureAlloc(&picture) != 0)
        defer { WebPPictureFree(&picture) }
        picture.colorspace = WEBP_YUV420A
        try #require(WebPPictureAlloc(&picture) != 0)
        for y in 0..<size.height {
            for x in 0..<size.width {
                picture.y[y * Int(picture.y_stride) + x] = 90
                picture.a[y * Int(picture.a_stride) + x] = mask[y * size.width + x]
            }
            for x in 0..<(size.width + 1) / 2 {
                picture.u[y / 2 * Int(picture.uv_stride) + x] = 128
                picture.v[y / 2 * Int(picture.uv_stride) + x] = 128
            }
        }
        var writer = WebPMemoryWriter()
        WebPMemoryWriterInit(&writer)
        defer { WebPMemoryWriterClear(&writer) }
        picture.writer = WebPMemoryWrite
        var config = try WebPSettings(.init(), effort: 4).lossyConfig(isFrame: true)
        (config.alpha_quality, config.alpha_filtering, config.exact) = (100, 0, 1)
        try withUnsafeMutablePointer(to: &writer) { writer in
            picture.custom_ptr = UnsafeMutableRawPointer(writer)
            try #require(WebPEncode(&config, &picture) != 0)
        }
        let file = Array(UnsafeBufferPointer(start: writer.mem, count: writer.size))
        let place = try #require(
            file.indices.first { file[$0...].starts(with: Array("ALPH".utf8)) })
        return Int(file.little32(place + 4)) + 8
    }

    @Test func `chunks are as small as those of libwebp`() throws {
        let size = PixelSize(width: 320, height: 180)
        var random = SplitMix(3)
        var (own, library) = (0, 0)
        for share in [10, 30, 50, 70, 90] {
            for _ in 0..<12 {
                let blocks = blocks(size, share: share, runs: true, &random)
                guard blocks.rect(in: size) == PixelRect(size), blocks.hasHole(in: PixelRect(size))
                else { continue }
                own += WebPBlockAlpha.chunk(blocks, in: PixelRect(size)).count
                library += try ofLibrary(mask(blocks, size, PixelRect(size)), size)
            }
        }
        #expect(own > 1000 && own * 20 <= library * 21, "\(own) and \(library)")
    }

    @Test(arguments: [7, 15])
    func `no code is longer than the limit, and none begins another`(limit: Int) {
        // As Fibonacci's numbers grow, so do the lengths: 1, 2, 3 and so on.
        var counts = [1, 1]
        while counts.count < 19 {
            counts.append(counts[counts.count - 1] + counts[counts.count - 2])
        }
        let code = WebPPrefixCode(counts, limit: limit)
        #expect(code.lengths.allSatisfy { (1...limit).contains($0) })
        // Complete (Kraft): every sequence of bits means something.
        #expect(code.lengths.reduce(0) { $0 + 1 << (limit - $1) } == 1 << limit)
        #expect(WebPPrefixCode([0, 7, 0]).lengths == [0, 0, 0])
        #expect(WebPPrefixCode([3, 0, 1, 1]).lengths == [1, 0, 2, 2])
    }
}
