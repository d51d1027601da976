import LazyBytes
import LazyMedia
import Support
import Testing

@testable import LazyPipeline

/// That the memory of frames that nobody needs goes back to the system.
@Suite(
    .serialized, .timeLimit(.minutes(1)),
    .enabled(if: !Sanitizer.isLinked, "sanitizers keep freed memory"))
struct FramePoolMemoryTests {
    private static let size = PixelSize(width: 200, height: 150)
    private static let count = 800
    private let pool = FramePool(budget: size.rgbaByteCount * count)

    /// Plays a sequence that fits whole, and returns where its frames are.
    private func play(_ viewer: FrameViewer) async throws -> [UnsafeRawBufferPointer] {
        var places: [UnsafeRawBufferPointer] = []
        for index in 0..<Self.count {
            let frame = try #require(try await viewer.frame(index))
            places.append(frame.bitmap.withBytes { $0 })
        }
        return places
    }

    private func makeViewer() -> FrameViewer {
        pool.viewer(of: FrameSequence(ScriptedMedia(count: Self.count, size: Self.size)))
    }

    @Test func `the last viewer of a sequence gives back its frames`() async throws {
        var viewer: FrameViewer? = makeViewer()
        let places = try await play(try #require(viewer))
        #expect(ResidentPages.byteCount(within: places) > 80 << 20)
        viewer = nil
        while ResidentPages.byteCount(within: places) > 48 << 20 { await Task.yield() }
    }

    @Test func `so does a pool that shrinks, with unused bitmaps`() async throws {
        let viewer = makeViewer()
        let places = try await play(viewer)
        pool.shrink(.critical)
        while ResidentPages.byteCount(within: places) > 16 << 20 { await Task.yield() }
        withExtendedLifetime(viewer) {}
    }
}
