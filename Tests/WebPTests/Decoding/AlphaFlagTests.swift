import LazyMedia
import Support
import Testing

@testable import LazyCodecs

/// Alpha that the header of an extended file does not announce, as Chromium takes it.
@Suite struct AlphaFlagTests {
    @Test(arguments: [false, true])
    func `a lossy still without the flag is opaque, a lossless one not`(lossless: Bool) async throws
    {
        let picture = try Bitmap.drawn(20, 10, isOpaque: false) { x, _ in
            SIMD4(200, 50, 50, UInt8(x * 12))
        }
        let file = try WebPStillEncoder(.init(quality: 90, effort: 3, lossless: lossless))
            .encode(picture)
        let isExtended = file.little32(12) == RIFFName.extended.number
        var canvas = WebPExtended(width: 20, height: 10)
        let chunks = Array(file.dropFirst(isExtended ? 30 : 12))
        for isFlagged in [true, false] {
            canvas.hasAlpha = isFlagged
            let body = canvas.chunk + chunks
            var head = [UInt8](header: .riff, count: body.count + 4)
            head.appendLittle(Int(RIFFName.webp.number), bytes: 4)
            let sequence = try opened(head + body)
            let isOpaque = !isFlagged && !lossless
            #expect(sequence.info.hasAlpha == !isOpaque)
            let bitmap = try #require(try await sequence.all().first?.bitmap)
            #expect(bitmap.isOpaque == isOpaque)
            #expect(bitmap[1, 5].w == (isOpaque ? 255 : 12))
        }
    }
}
