import LazyBase
import LazyCodecs
import LazyEditing
import LazyMedia
import Support
import Testing

@testable import LazyRenditions

@Suite struct SearchProgressTests {
    @Test(arguments: [nil, 20_000]) func `progress begins with the search and never goes back`(
        _ budget: Int?
    ) async throws {
        let maker = ScriptedEncoding(type: .webpAnimation, exponent: 1.6, surprise: 1.4)
        let clip = FrameSequence(
            ScriptedMedia(count: 200, size: PixelSize(width: 320, height: 180), milliseconds: 100))
        let shares = Locked<[Double]>([])
        _ = try await Rendition.animation(limit: budget.map { .bytes($0) }).data(
            of: clip, encoders: EncoderRegistry([maker.factory])
        ) { share in shares.withLock { $0.append(share) } }
        let all = shares.withLock { $0 }
        #expect(all.contains { $0 > 0 && $0 < 0.1 })
        #expect(all == all.sorted() && all.last == 1)
    }
}
