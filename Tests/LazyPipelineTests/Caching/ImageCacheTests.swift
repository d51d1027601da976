import LazyBase
import LazyMedia
import Support
import Testing

@testable import LazyPipeline

@Suite struct ImageCacheTests {
    let clock = ManualClock()

    func picture(_ side: Int = 10, data: Blob? = nil) throws -> ImageContainer {
        let size = PixelSize(width: side, height: side)
        let bitmap = try Bitmap(size: size, isOpaque: true) { _ in }
        return ImageContainer(
            frames: FrameSequence(ScriptedMedia(count: 1, size: size)), image: bitmap, data: data)
    }

    func keys(_ cache: ImageCache) -> [String] {
        ["a", "b", "c", "d", "e"].filter { cache[ImageCacheKey(key: $0)] != nil }
    }

    @Test func `the cost is that of the poster and the bytes in memory, plus one`() throws {
        #expect(ImageCache.cost(of: try picture()) == 401)
        #expect(ImageCache.cost(of: try picture(data: Blob([1, 2, 3]))) == 404)
        final class Reader: BlobReading {
            var count: Int { 1_000_000 }
            func read(
                at offset: Int, into buffer: UnsafeMutableRawBufferPointer
            ) throws(SystemError) -> Int { 0 }
        }
        #expect(ImageCache.cost(of: try picture(data: Blob(Reader()))) == 401)
    }

    @Test func `the defaults are as documented`() {
        let cache = ImageCache(clocks: clock.clocks, pressure: MemoryPressure())
        #expect(cache.costLimit <= 805_306_368)
        #expect(cache.costLimit <= SystemMemory.limit * 15 / 100)
        #expect(cache.countLimit == .max)
        #expect(cache.ttl == nil)
        #expect(cache.entryCostLimit == 0.1)
    }

    @Test func `the cache is limited by cost and count`() throws {
        let cache = ImageCache(
            costLimit: 1000, clocks: clock.clocks, pressure: MemoryPressure())
        cache[ImageCacheKey(key: "a")] = try picture()
        #expect(keys(cache) == [])
        cache.entryCostLimit = 1
        for key in ["a", "b", "c"] { cache[ImageCacheKey(key: key)] = try picture() }
        #expect(keys(cache) == ["b", "c"])
        #expect(cache.totalCost == 802)
        cache.countLimit = 1
        #expect(cache.totalCount == 1)
        cache.costLimit = 400
        #expect(cache.totalCount == 0)
    }

    @Test func `expired images are removed`() throws {
        let cache = ImageCache(
            ttl: .seconds(5), clocks: clock.clocks, pressure: MemoryPressure())
        cache["a"] = try picture()
        #expect(cache["a"] != nil)
        clock.advance(by: .seconds(5))
        #expect(cache["a"] == nil)
        #expect(cache.totalCount == 0)
    }

    @Test func `memory pressure halves or empties the cache`() throws {
        let pressure = MemoryPressure()
        let cache = ImageCache(costLimit: 100_000, clocks: clock.clocks, pressure: pressure)
        for key in ["a", "b", "c", "d"] { cache[ImageCacheKey(key: key)] = try picture() }
        pressure.report(.warning)
        #expect(cache.totalCost == 802)
        pressure.report(.critical)
        #expect(cache.totalCount == 0)
    }

    static let requests: [ImageRequest] = {
        var requests: [ImageRequest] = ["http://a.test/1", "http://a.test/2"]
        let plain = requests[0]
        func add(_ change: (inout ImageRequest) -> Void) {
            var request = plain
            change(&request)
            requests.append(request)
        }
        add { $0.thumbnail = .init(maxPixelSize: 100) }
        add { $0.thumbnail = .init(maxPixelSize: 200) }
        add { $0.selection = .poster(.first) }
        add { $0.selection = .range(.zero..<Duration.seconds(1)) }
        add { $0.scale = 2 }
        add { $0.processors = [Named(identifier: "x")] }
        add { $0.processors = [Named(identifier: "x"), Named(identifier: "y")] }
        add { $0.processors = [Named(identifier: "y"), Named(identifier: "x")] }
        add { $0.processors = [Named(identifier: "xy")] }
        return requests
    }()

    @Test func `requests for different images have different keys`() {
        let keys = Self.requests.map { ImageCacheKey($0) }
        #expect(Set(keys).count == keys.count)
    }

    @Test(arguments: requests.indices)
    func `options that do not affect the image do not change the key`(index: Int) {
        var request = Self.requests[index]
        request.priority = .high
        request.options = [.reloadIgnoringCachedData]
        request.userInfo = ["x": 1]
        let key = ImageCacheKey(Self.requests[index])
        #expect(ImageCacheKey(request) == key)
        #expect(ImageCacheKey(request).hashValue == key.hashValue)
        request.imageID = "custom"
        #expect(ImageCacheKey(request) != key)
    }

    @Test func `a custom key equals that of the identifier`() {
        var request: ImageRequest = "http://a.test/1?token=x"
        request.imageID = "one"
        #expect(ImageCacheKey(request) == ImageCacheKey(key: "one"))
    }
}

private struct Named: ImageProcessing {
    let identifier: String
    func outputSize(for size: PixelSize) -> PixelSize { size }
    func process(
        _ bitmap: Bitmap, context: ProcessingContext
    ) throws(ProcessingError) -> Bitmap { bitmap }
}
