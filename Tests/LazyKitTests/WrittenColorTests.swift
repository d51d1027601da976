import BrowserSupport
import LazyKit
import Support
import Testing

/// The colors of all that is written, compared with what was read.
@Suite struct WrittenColorTests {
    typealias Written = `A browser shows what we write`

    @Test(arguments: Written.images + Written.videos)
    func `no field of a picture drifts from its source`(type: MediaType) async throws {
        let sources = try await Written.sources()
        let file = try await Written.file(type)
        let clip = try FrameSequence(opening: MemoryBytes(file.bytes), registry: .standard)
        var count = 0
        for try await frame in clip.frames() {
            let distance = Written.distance(frame.bitmap, try #require(sources[frame.index]))
            #expect(distance <= 6, "\(type) #\(frame.index)")
            count += 1
        }
        #expect(count == sources.count)
    }
}
