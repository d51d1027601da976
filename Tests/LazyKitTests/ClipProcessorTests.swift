import FoundationEssentials
import LazyBase
import LazyLoading
import Support
import Testing

@testable import LazyKit

/// Edits and thumbnails as processors of the pipeline.
@Suite struct ClipProcessorTests {
    /// A data cache in memory.
    private final class Cache: DataCaching {
        private let entries = Locked<[String: Blob]>([:])
        var keys: [String] { entries.withLock { $0.keys.sorted() } }
        func cachedData(for key: String) -> Blob? { entries.withLock { $0[key] } }
        func containsData(for key: String) -> Bool { entries.withLock { $0[key] != nil } }
        func storeData(_ data: Blob, for key: String) { entries.withLock { $0[key] = data } }
        func removeData(for key: String) { entries.withLock { $0[key] = nil } }
        func removeVariants(of key: String) -> RemovedEntries {
            entries.withLock { entries in
                let kept = entries.filter { !EntryGroup.contains($0.key, in: EntryGroup.of(key)) }
                defer { entries = kept }
                return RemovedEntries(count: entries.count - kept.count)
            }
        }
        func removeAll() -> RemovedEntries {
            entries.withLock { entries in
                defer { entries = [:] }
                return RemovedEntries(count: entries.count)
            }
        }
        func flush() {}
    }

    private let scratch = Scratch()

    private func pipeline(_ loader: ScriptedLoader, _ cache: Cache) throws -> ImagePipeline {
        let store = try DiskStore(folder: scratch.path("cache"))
        var configuration = ImagePipeline.Configuration.withDataCache(
            name: "none", sizeLimit: 1 << 20, parts: store, retries: .none)
        configuration.dataLoader = loader
        configuration.dataCache = cache
        configuration.imageCache = nil
        configuration.dataCachePolicy = .automatic
        configuration.isRateLimiterEnabled = false
        return ImagePipeline(configuration: configuration)
    }

    private static let processors: [ImageProcessors.Clip] = [
        .animatedThumbnail(), .edited(ClipEdit(isReversed: true, size: TargetSize(width: 64))),
    ]

    /// An edit in pixels of the file.
    private struct Preceding: SequenceProcessing {
        let clip: ImageProcessors.Clip
        var identifier: String { "preceding/" + clip.identifier }
        var precedesThumbnail: Bool { true }
        func outputSize(for size: PixelSize) -> PixelSize { clip.outputSize(for: size) }
        func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap { try clip.process(bitmap, context: context) }
        func process(_ sequence: FrameSequence) async throws(MediaError) -> FrameSequence {
            try await clip.process(sequence)
        }
    }

    @Test(arguments: ["counter.gif", "still-rgb8.png"])
    func `a processor may come before the thumbnail`(name: String) async throws {
        let bytes = try Media.array(name)
        let loader = ScriptedLoader { _ in .init([bytes]) }
        let source = try FrameSequence(path: Media.path(name))
        let size = source.info.size
        // The lower right quarter, whose place has no meaning in a smaller picture.
        var edit = ClipEdit()
        let part = PixelRect(
            x: size.width / 2, y: size.height / 2, width: size.width / 2, height: size.height / 2)
        edit.shape.crop = .rect(part)
        let url = try #require(URL(string: "http://example.test/" + name))
        var request = ImageRequest(
            url: url, processors: [Preceding(clip: .edited(edit)), .edited(Self.mirrored)])
        request.thumbnail = .init(maxPixelSize: size.width / 4)
        let container = try await pipeline(loader, Cache()).response(for: request).container
        #expect(container.sourceSize == PixelSize(width: part.width, height: part.height))
        let wanted = try await source.edited(edit)
        let scaled = TargetSize(
            width: size.width / 4, height: size.width / 4, fit: .scaleDown)
        let picture = try await wanted.edited(ClipEdit(size: scaled)).edited(Self.mirrored)
            .frame(0).bitmap
        #expect(container.image.size == picture.size)
        #expect(container.image == picture)
        #expect(try await container.frames.frame(0).bitmap == picture)
    }

    private static let mirrored: ClipEdit = {
        var edit = ClipEdit()
        edit.shape.isMirrored = true
        return edit
    }()

    @Test(arguments: processors.indices)
    func `a second request is served from the data cache as an animation`(
        _ number: Int
    ) async throws {
        let processor = Self.processors[number]
        let bytes = try Media.array("counter.gif")
        let loader = ScriptedLoader { _ in .init([bytes]) }
        let cache = Cache()
        let url = try #require(URL(string: "http://example.test/counter.gif"))
        var request = ImageRequest(url: url, processors: [processor])
        let first = try pipeline(loader, cache)
        let response = try await first.response(for: request)
        let frames = try await Self.frames(response.frames)
        #expect(frames.count > 1)
        await first.flush()
        #expect(cache.keys.count == 1)
        #expect(cache.keys.first?.contains(processor.identifier) == true)

        // Another pipeline has nothing in memory, and its network is not asked.
        request.options.insert(.returnCacheDataDontLoad)
        let second = try await pipeline(loader, cache).response(for: request)
        #expect(second.cacheType == .disk)
        #expect(second.container.isAnimated)
        let again = try await Self.frames(second.frames)
        #expect(again.map(\.bitmap) == frames.map(\.bitmap))
        #expect(again.map(\.duration) == frames.map(\.duration))
        #expect(loader.requests.count == 1)
    }

    @Test func `a still is sized and stays a still`() async throws {
        let bytes = try Media.array("still.jpg")
        let loader = ScriptedLoader { _ in .init([bytes]) }
        let url = try #require(URL(string: "http://example.test/still.jpg"))
        let edit = ClipEdit(size: TargetSize(width: 20, height: 20, fit: .cover))
        let response = try await pipeline(loader, Cache()).response(
            for: ImageRequest(url: url, processors: [.edited(edit)]))
        #expect(!response.container.isAnimated)
        #expect(response.image.size == PixelSize(width: 20, height: 20))
    }

    @Test func `a still is cropped, turned and padded`() async throws {
        let bytes = try Media.array("still.jpg")
        let loader = ScriptedLoader { _ in .init([bytes]) }
        let url = try #require(URL(string: "http://example.test/still.jpg"))
        var edit = ClipEdit(size: TargetSize(width: 20))
        edit.shape = PictureShape(crop: .ratio(2, 1), rotation: 90)
        edit.padding = Padding(.border(3), color: .white)
        let processor = ImageProcessors.Clip.edited(edit)
        let response = try await pipeline(loader, Cache()).response(
            for: ImageRequest(url: url, processors: [processor]))
        #expect(response.image.size == PixelSize(width: 26, height: 46))
        #expect(response.image[0, 0] == SIMD4(255, 255, 255, 255))
        #expect(
            processor.outputSize(for: PixelSize(width: 400, height: 300)) == response.image.size)
    }

    @Test func `edits that differ have other names`() {
        let edits = [
            ClipEdit(), ClipEdit(speed: 2), ClipEdit(isReversed: true), ClipEdit(isBouncing: true),
            ClipEdit(segments: [.zero ..< .seconds(1)]), ClipEdit(frameRate: Rational(12, 1)),
            ClipEdit(crossfade: .seconds(1)), ClipEdit(size: TargetSize(width: 20)),
            ClipEdit(size: TargetSize(height: 20)), ClipEdit(gravity: .attention),
        ]
        #expect(Set(edits.map { ImageProcessors.Clip($0).identifier }).count == edits.count)
    }

    private static func frames(_ sequence: FrameSequence) async throws -> [Frame] {
        var frames: [Frame] = []
        for try await frame in sequence.frames() { frames.append(frame) }
        return frames
    }
}
