import LazyBase
import LazyMedia
import Testing

@testable import LazyCLI

@Suite struct PosterEncodingTests {
    @Test func `a picture of any size is written`() async throws {
        // More pixels than the limits of remote media; those of the input were checked before.
        let size = PixelSize(width: 7_168, height: 7_000)
        #expect(size.pixelCount > DecodingLimits.web.pixelsPerFrame ?? .max)
        let bitmap = try Bitmap(size: size, isOpaque: true) { _ in }
        let encoding = PosterEncoding(
            format: try #require(OutputFormat("jpg")), options: EncodingOptions())
        let beginning = Locked<[UInt8]>([])
        try await encoding.write(bitmap) { bytes in
            beginning.withLock { if $0.isEmpty { $0 = Array(bytes.prefix(2)) } }
        }
        #expect(beginning.withLock { $0 } == [0xFF, 0xD8])
    }
}
