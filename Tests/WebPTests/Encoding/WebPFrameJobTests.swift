import CWebP
import LazyBase
import LazyMedia
import Support
import Testing

@testable import LazyCodecs

@Suite struct WebPFrameJobTests {
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

    /// A gray picture with the alpha of blocks.
    private func still(_ blocks: WebPBlocks, _ size: PixelSize, _ rect: PixelRect) throws -> [UInt8]
    {
        let gray = try Bitmap.drawn(size.width, size.height) { _, _ in SIMD4(90, 90, 90, 255) }
        let chunks = try WebPFrameJob(rect: rect, content: .planes(gray.planes(), blocks)).run(
            WebPSettings(.init(), effort: 0), CancellationFlag())
        return WebPAssembler.still(chunks, PixelSize(width: rect.width, height: rect.height))
    }

    /// The alpha that libwebp decodes.
    private func decoded(_ file: [UInt8]) throws -> [UInt8] {
        var (width, height): (CInt, CInt) = (0, 0)
        let pixels = try #require(WebPDecodeRGBA(file, file.count, &width, &height))
        defer { WebPFree(pixels) }
        return (0..<Int(width * height)).map { pixels[$0 * 4 + 3] }
    }

    @Test(arguments: sizes, [true, false])
    func `blocks that are not coded are transparent, exactly`(size: PixelSize, runs: Bool) throws {
        var random = SplitMix(UInt64(size.width))
        for share in [1, 20, 50, 90, 100] {
            let blocks = blocks(size, share: share, runs: runs, &random)
            for rect in [blocks.rect(in: size), PixelRect(size)].compactMap({ $0 }) {
                let alpha = try decoded(try still(blocks, size, rect))
                #expect(alpha == mask(blocks, size, rect), "\(size), \(share) of 100")
            }
        }
    }
}
