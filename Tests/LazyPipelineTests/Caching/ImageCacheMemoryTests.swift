import LazyBytes
import LazyMedia
import Support
import Testing

@testable import LazyPipeline

/// That the memory of removed images goes back to the system.
@Suite(
    .serialized, .timeLimit(.minutes(1)),
    .enabled(if: !Sanitizer.isLinked, "sanitizers keep freed memory"))
struct ImageCacheMemoryTests {
    private static let byteCount = 120_000_000
    private let pressure = MemoryPressure()
    private let cache: ImageCache

    // The last is a mapping, the others come from `malloc`.
    private static let sizes = [
        PixelSize(width: 120, height: 80), PixelSize(width: 300, height: 200),
        PixelSize(width: 640, height: 480), PixelSize(width: 2000, height: 1500),
    ]

    init() { cache = ImageCache(costLimit: Self.byteCount * 2, pressure: pressure) }

    /// Fills the cache, and returns where the pictures are.
    private func fill(_ size: PixelSize) throws -> [UnsafeRawBufferPointer] {
        try (0..<Self.byteCount / size.rgbaByteCount).map { number in
            let bitmap = try Bitmap(size: size, isOpaque: true) { rows in
                rows.initializeMemory(as: UInt8.self, repeating: 1)
            }
            let media = ScriptedMedia(count: 1, size: size)
            cache[ImageCacheKey(key: "\(number)")] = ImageContainer(
                frames: FrameSequence(media), image: bitmap)
            return bitmap.withBytes { $0 }
        }
    }

    @Test(arguments: sizes)
    func `removing all images gives back their memory but for that of the pool`(
        size: PixelSize
    ) async throws {
        let places = try fill(size)
        #expect(ResidentPages.byteCount(within: places) > Self.byteCount * 9 / 10)
        cache.removeAll()
        while ResidentPages.byteCount(within: places) > 48 << 20 { await Task.yield() }
    }

    @Test(arguments: sizes)
    func `memory pressure gives back that of the pool too`(size: PixelSize) async throws {
        let places = try fill(size)
        pressure.report(.critical)
        while ResidentPages.byteCount(within: places) > 16 << 20 { await Task.yield() }
    }

    @Test func `lower limits give back memory`() async throws {
        let places = try fill(Self.sizes[0])
        cache.costLimit = 1000
        while ResidentPages.byteCount(within: places) > 48 << 20 { await Task.yield() }
    }
}
