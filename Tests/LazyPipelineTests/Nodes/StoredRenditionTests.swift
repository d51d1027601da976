import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import LazyPipeline
import LazyRenditions
import Support
import Testing

/// What stores have of renditions, and what is removed from them.
@Suite(.timeLimit(.minutes(1))) struct StoredRenditionTests {
    private let request = RenditionRig.request
    private let poster = RenditionRig.poster

    @Test func `a tag is strong and ranges are answered where a store has the bytes`() async throws
    {
        let rig = RenditionRig()
        let none = rig.pipeline { ($0.renditionCacheLimit, $0.dataCache) = (0, nil) }
        let made = try await none.data(for: request, as: poster)
        #expect(made.head.tag?.isWeak == true && made.part(ofRange: "bytes=0-9") == nil)
        #expect(made.head.byteCount == 100)
        let weak = try await none.head(for: request, as: poster)
        #expect(weak.tag == made.head.tag)
        let memory = rig.pipeline { $0.dataCache = nil }
        let disk = rig.pipeline { $0.renditionCacheLimit = 0 }
        for pipeline in [memory, disk] {
            let stored = try await pipeline.data(for: request, as: poster)
            #expect(stored.head.tag?.isWeak == false)
            #expect(stored.part(ofRange: "bytes=10-19") == 10..<20)
            let again = try await pipeline.data(for: request, as: poster)
            #expect(again.head.tag == stored.head.tag)
        }
    }

    @Test func `another process finds what this one has stored`() async throws {
        let scratch = Scratch()
        let rig = RenditionRig()
        let folder = scratch.path("data")
        let first = rig.pipeline(cache: try DataCache(folder: folder))
        let made = try await first.data(for: request, as: poster)
        await first.flush()
        let second = rig.pipeline("two", cache: try DataCache(folder: folder))
        let found = try await second.data(for: request, as: poster)
        #expect(found.cacheType == .disk && found.head.tag == made.head.tag)
        #expect(try found.text == "one 1 8x8" && found.report == made.report)
        #expect(found.head.type == .png && rig.encodes.value == 1 && rig.decodes.value == 1)
        // Its source was asked for its version, and not loaded.
        await eventually { rig.loader.live == 0 }
        #expect(rig.asked == 2 && rig.loader.abandoned == 1)
        let head = try await second.head(for: request, as: poster)
        #expect(head.byteCount == 100 && rig.asked == 2)
        withExtendedLifetime(scratch) {}
    }

    @Test func `the first result of a key stays, even if another is made`() async throws {
        let gate = Gate()
        let rig = RenditionRig()
        let cache = PlainDataCache()
        let one = rig.pipeline("one", cache: cache, gate: gate)
        let two = rig.pipeline("two", cache: cache)
        let late = one.renditionTask(for: request, as: poster)
        late.begin()
        await gate.waitForArrivals(1)
        let winner = try await two.data(for: request, as: poster)
        #expect(try winner.text.hasPrefix("two"))
        gate.open()
        let response = try await late.response
        #expect(try response.text == winner.text && response.head.tag == winner.head.tag)
        #expect(rig.encodes.value == 2)
        #expect(try await one.data(for: request, as: poster).text == winner.text)
    }

    @Test(arguments: ["request", "URL", "identifier", "all"])
    func `what a source has made goes with it, whatever its version was`(way: String) async throws {
        let rig = RenditionRig(cacheControl: "no-cache")
        let cache = PlainDataCache()
        let pipeline = rig.pipeline(cache: cache)
        let other = ImageRequest(url: Given.url("other.gif"))
        for version in ["1", "2"] {
            rig.change(to: version)
            _ = try await pipeline.data(for: request, as: poster)
        }
        _ = try await pipeline.data(for: other, as: poster)
        #expect(cache.keys.count { $0.contains("png") || $0.contains("poster") } == 3)
        let removal =
            switch way {
            case "request": pipeline.cache.removeCachedImage(for: request)
            case "URL": pipeline.cache.removeCachedImages(at: Given.url())
            case "identifier":
                pipeline.cache.removeCachedImages(knownBy: Given.url().absoluteString)
            default: pipeline.cache.removeAll()
            }
        let isAll = way == "all"
        #expect(removal.data.count == (isAll ? 3 : 2))
        #expect(removal.renditions.count == (isAll ? 2 : 1))
        await pipeline.flush()
        let before = rig.encodes.value
        _ = try await pipeline.data(for: request, as: poster)
        #expect(rig.encodes.value == before + 1)
        _ = try await pipeline.data(for: other, as: poster)
        #expect(rig.encodes.value == before + (isAll ? 2 : 1))
    }

    @Test func `a store of one's own is asked, told and emptied`() async throws {
        let rig = RenditionRig()
        let store = OwnStore()
        func pipeline() -> ImagePipeline {
            rig.pipeline {
                $0.renditionStore = store
                $0.renditionCacheLimit = 0
            }
        }
        let first = pipeline()
        let made = try await first.data(for: request, as: poster)
        #expect(store.keys.count == 1 && store.keys[0].hasPrefix(Given.url().absoluteString + "\n"))
        #expect(try await pipeline().data(for: request, as: poster).head.tag == made.head.tag)
        #expect(rig.encodes.value == 1)
        first.cache.removeCachedImage(for: request)
        await first.flush()
        #expect(store.keys.isEmpty)
    }

    @Test func `a removal also takes what is being stored`() async throws {
        let (rig, gate) = (RenditionRig(), Gate())
        let store = OwnStore(gate: gate)
        let pipeline = rig.pipeline { $0.renditionStore = store }
        let task = pipeline.renditionTask(for: request, as: poster)
        task.begin()
        await gate.waitForArrivals(1)
        pipeline.cache.removeCachedImage(for: request)
        gate.open()
        _ = try await task.response
        await pipeline.flush()
        #expect(store.keys.isEmpty)
        _ = try await pipeline.data(for: request, as: poster)
        #expect(rig.encodes.value == 2 && store.keys.count == 1)
    }

    @Test func `policies of a request hold for results`() async throws {
        let rig = RenditionRig()
        let pipeline = rig.pipeline()
        var cacheOnly = request
        cacheOnly.options = .returnCacheDataDontLoad
        let error = await #expect(throws: PipelineError.self) {
            try await pipeline.data(for: cacheOnly, as: poster)
        }
        #expect(error?.httpStatus == 504 && rig.asked == 0)
        _ = try await pipeline.data(for: request, as: poster)
        rig.clock.advance(by: .seconds(1000))
        #expect(try await pipeline.data(for: cacheOnly, as: poster).text == "one 1 8x8")
        #expect(rig.asked == 1)
        var reload = request
        reload.options = .reloadIgnoringCachedData
        _ = try await pipeline.data(for: reload, as: poster)
        #expect(rig.asked == 2 && rig.encodes.value == 2)
        var unkept = request
        unkept.options = [.disableMemoryCache, .disableDiskCache]
        let response = try await pipeline.data(for: unkept, as: poster)
        #expect(response.head.tag?.isWeak == true && rig.encodes.value == 3)
    }

    @Test func `a cache on disk keeps what a store of several machines has`() async throws {
        let rig = RenditionRig()
        let (far, near) = (OwnStore(), PlainDataCache())
        let first = rig.pipeline { $0.renditionStore = far }
        let made = try await first.data(for: request, as: poster)
        let reads = far.reads
        let second = rig.pipeline {
            $0.renditionCacheLimit = 0
            $0.storeRenditions(in: near, before: far)
        }
        for _ in 0..<3 {
            let found = try await second.data(for: request, as: poster)
            #expect(found.cacheType == .disk && found.head.tag == made.head.tag)
        }
        #expect(far.reads == reads + 1 && rig.encodes.value == 1)
        // What is made here goes to both.
        _ = try await second.data(for: request, as: .poster(.first, size: TargetSize(width: 2)))
        #expect(far.keys.count == 2)
        _ = await second.cache.removeAll(knownBy: Given.url().absoluteString)
        #expect(far.keys.isEmpty)
        _ = try await second.data(for: request, as: poster)
        #expect(rig.encodes.value == 3)
    }

    @Test func `bytes of the data cache have the version of their server, or a digest`()
        async throws
    {
        for hasValidator in [true, false] {
            let rig = RenditionRig(hasValidator: hasValidator)
            let cache = PlainDataCache()
            let pipeline = rig.pipeline(cache: cache) {
                $0.dataCachePolicy = .storeOriginalData
                $0.renditionCacheLimit = 0
            }
            _ = try await pipeline.data(for: request)
            let head = try await pipeline.head(for: request, as: poster)
            #expect(head.tag?.isWeak == true && rig.asked == 1 && rig.decodes.value == 0)
            _ = try await pipeline.data(for: request, as: poster)
            let note = cache.cachedEntry(for: Given.url().absoluteString)?.metadata ?? []
            let word = hasValidator ? "version=etag:\"1\"" : "version=sha256:"
            #expect(String(decoding: note, as: UTF8.self).hasPrefix(word))
            #expect(rig.asked == 1 && rig.encodes.value == 1)
        }
    }
}

/// A store as a service between machines would be.
private final class OwnStore: Rendition.Storing {
    private let results = Locked<[String: Rendition.Stored]>([:])
    private let gate: Gate?
    private let count = Locked(0)
    /// How often results were read, with their bytes.
    var reads: Int { count.withLock { $0 } }
    var keys: [String] { results.withLock { $0.keys.sorted() } }

    init(gate: Gate? = nil) { self.gate = gate }

    func result(for key: Rendition.Key, range: Range<Int>?) -> Rendition.Stored? {
        if range == nil { count.withLock { $0 += 1 } }
        return results.withLock { $0[key.text] }
    }

    func putIfAbsent(_ result: Rendition.Stored, for key: Rendition.Key) async -> Rendition.Stored {
        await gate?.pass()
        return results.withLock { results in
            let winner = results[key.text] ?? result
            results[key.text] = winner
            return winner
        }
    }

    func remove(source: String) -> RemovedEntries {
        results.withLock { results in
            let kept = results.filter { !$0.key.hasPrefix(source + "\n") }
            defer { results = kept }
            return RemovedEntries(count: results.count - kept.count)
        }
    }
}
