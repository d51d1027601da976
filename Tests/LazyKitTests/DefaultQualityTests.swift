import LazyKit
import Support
import Testing

/// What formats say of their default quality, and what their encoders take.
@Suite struct DefaultQualityTests {
    /// Not GIF: without a quality its codes are exact, and what flickers is left as at 75.
    @Test(arguments: [MediaType.jpeg, .webp, .avif, .webpAnimation, .avifSequence])
    func `encoders take the quality that the traits of the format state`(
        type: MediaType
    ) async throws {
        let clip = try FrameSequence(path: Media.path("counter.gif"))
        let isStill = [.jpeg, .webp, .avif].contains(type)
        let sequence = isStill ? FrameSequence(still: try await clip.frame(0).bitmap) : clip
        let quality = try #require(type.traits).defaultQuality
        let options = EncodingOptions(quality: quality)
        #expect(
            try await sequence.encoded(as: type) == sequence.encoded(as: type, options: options))
    }
}
