import LazyKit
import Support
import Testing

/// What formats say of their default quality, and what their encoders take.
@Suite struct DefaultQualityTests {
    @Test(arguments: [MediaType.jpeg, .webp, .avif, .webpAnimation, .avifSequence, .gif])
    func `encoders take the quality that the traits of the format state`(
        type: MediaType
    ) async throws {
        // With a quality that is named, a GIF of a GIF loses colors: here it is one of a film.
        let clip = try FrameSequence(path: Media.path(type == .gif ? "small.mp4" : "counter.gif"))
        let isStill = [.jpeg, .webp, .avif].contains(type)
        let sequence = isStill ? FrameSequence(still: try await clip.frame(0).bitmap) : clip
        let quality = try #require(type.traits).defaultQuality
        let options = EncodingOptions(quality: quality)
        #expect(
            try await sequence.encoded(as: type) == sequence.encoded(as: type, options: options))
    }
}
