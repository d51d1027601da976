import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import LazyPipeline
import LazyRenditions
import Support
import Testing

/// What is known of a source and of its renditions before they are made.
@Suite(.timeLimit(.minutes(1))) struct SourceNodeTests {
    private let request = RenditionRig.request
    private let poster = RenditionRig.poster

    @Test func `a head costs no body and no decode, and the response continues its load`()
        async throws
    {
        let body = Gate()
        let rig = RenditionRig { if $0 >= 0 { await body.pass() } }
        let pipeline = rig.pipeline()
        let task = pipeline.renditionTask(for: request, as: poster)
        let head = try await task.head
        #expect(head.type == .png && head.tag?.isWeak == true && head.byteCount == nil)
        #expect(head.lifetime == .seconds(600) && head.cacheControl == "public, max-age=600")
        #expect(rig.asked == 1 && rig.decodes.value == 0 && rig.encodes.value == 0)
        body.open()
        let response = try await task.response
        #expect(rig.asked == 1 && rig.loader.abandoned == 0)
        #expect(response.head.tag?.isWeak == false && response.head.byteCount == 100)
        // Now it is known without the server.
        let later = try await pipeline.head(for: request, as: poster)
        #expect(later == response.head && rig.asked == 1)
    }

    @Test(
        arguments: [
            ("max-age=60", nil, "public, max-age=60"),
            ("private, max-age=60", nil, "private, max-age=60"),
            ("max-age=60", "Bearer x", "private, max-age=60"),
            ("no-store, max-age=60", nil, "no-store"),
            ("no-cache, max-age=60", nil, "no-cache"), ("max-age=0", nil, "no-cache"),
        ] as [(String, String?, String)])
    func `a result lives as long as its source, for whom that is`(
        said: String, credentials: String?, expected: String
    ) async throws {
        let rig = RenditionRig(cacheControl: said)
        let pipeline = rig.pipeline()
        var request = request
        request.loadRequest?.headers["Authorization"] = credentials
        #expect(try await pipeline.head(for: request, as: poster).cacheControl == expected)
        let made = try await pipeline.data(for: request, as: poster)
        #expect(made.head.cacheControl == expected)
    }

    @Test func `a head alone gives its load up`() async throws {
        let rig = RenditionRig()
        let pipeline = rig.pipeline()
        _ = try await pipeline.head(for: request, as: poster)
        await eventually { rig.loader.live == 0 }
        #expect(rig.loader.abandoned == 1 && rig.asked == 1 && rig.decodes.value == 0)
        #expect(pipeline.activeTaskCount == 0)
    }

    @Test func `what is being made tells its head`() async throws {
        let gate = Gate()
        let rig = RenditionRig()
        let pipeline = rig.pipeline(gate: gate)
        let task = pipeline.renditionTask(for: request, as: poster)
        task.begin()
        #expect(try await task.head.tag?.isWeak == true)
        await gate.waitForArrivals(1)
        #expect(task.result == nil && rig.asked == 1)
        gate.open()
        #expect(try await task.response.head.tag?.isWeak == false)
    }

    @Test func `heads of one source share a request`() async throws {
        let (gate, scratch) = (Gate(), Scratch())
        let rig = RenditionRig { if $0 == -1 { await gate.pass() } }
        let pipeline = rig.pipeline(store: try DiskStore(folder: scratch.path("http")))
        let tasks = [2, 4, 8].map {
            pipeline.renditionTask(for: request, as: .poster(.first, size: TargetSize(width: $0)))
        }
        let heads = Task {
            try await withThrowingTaskGroup(of: RenditionTask.Head.self) { group in
                for task in tasks { group.addTask { try await task.head } }
                return try await group.reduce(into: []) { $0.append($1.tag) }
            }
        }
        await eventually { pipeline.activeTaskCount == 3 }
        gate.open()
        #expect(Set(try await heads.value).count == 3)
        #expect(rig.asked == 1)
        for task in tasks { _ = try await task.response }
        #expect(rig.asked == 1 && rig.encodes.value == 3)
        withExtendedLifetime(scratch) {}
    }

    @Test func `without a validator there is no tag before the bytes are known`() async throws {
        let rig = RenditionRig(cacheControl: nil, hasValidator: false)
        let pipeline = rig.pipeline()
        #expect(try await pipeline.head(for: request, as: poster).tag == nil)
        let first = try await pipeline.data(for: request, as: poster)
        #expect(first.head.tag?.isWeak == false)
        // The bytes are equal, so that they are not encoded again.
        let second = try await pipeline.data(for: request, as: poster)
        #expect(second.head.tag == first.head.tag)
        #expect(rig.encodes.value == 1 && rig.decodes.value == 1)
    }

    @Test func `a fresh source is not asked for, and a stale one by one condition`() async throws {
        let scratch = Scratch()
        let rig = RenditionRig()
        let pipeline = rig.pipeline(store: try DiskStore(folder: scratch.path("http")))
        let first = try await pipeline.data(for: request, as: poster)
        #expect(try await pipeline.head(for: request, as: poster) == first.head)
        rig.clock.advance(by: .seconds(599))
        #expect(try await pipeline.data(for: request, as: poster).head.age == .seconds(599))
        #expect(rig.asked == 1)
        rig.clock.advance(by: .seconds(2))
        let head = try await pipeline.head(for: request, as: poster)
        #expect(head.tag == first.head.tag && rig.asked == 2)
        #expect(rig.loader.requests.last?.headers["If-None-Match"] == "\"1\"")
        // The answer has made it fresh.
        #expect(try await pipeline.data(for: request, as: poster).cacheType == .memory)
        #expect(rig.asked == 2 && rig.encodes.value == 1)
        // Another version is made anew.
        rig.clock.advance(by: .seconds(601))
        rig.change(to: "2")
        let second = try await pipeline.data(for: request, as: poster)
        #expect(try second.text == "one 2 8x8" && second.head.tag != first.head.tag)
        #expect(rig.asked == 3 && rig.encodes.value == 2)
        withExtendedLifetime(scratch) {}
    }

    // MARK: - Parts of sources

    @Test func `a film's head costs its first range, which the response continues`()
        async throws
    {
        let rig = RenditionRig()
        let opener = FilmOpener()
        let pipeline = rig.pipeline { $0.remoteOpener = opener }
        let task = pipeline.renditionTask(for: request, as: poster)
        let head = try await task.head
        #expect(head.tag?.isWeak == true && opener.opened.value == 1 && rig.decodes.value == 0)
        #expect(try await task.response.text == "one 1 8x8")
        #expect(opener.opened.value == 1 && rig.asked == 0 && rig.decodes.value == 1)
        let later = try await pipeline.head(for: request, as: poster)
        #expect(later.byteCount == 100 && opener.opened.value == 1)
        // Where a store has the whole, one condition is enough.
        let scratch = Scratch()
        let storing = rig.pipeline(store: try DiskStore(folder: scratch.path("http"))) {
            ($0.remoteOpener, $0.dataCache) = (opener, nil)
        }
        _ = try await storing.data(for: request)
        rig.clock.advance(by: .seconds(1000))
        #expect(try await storing.data(for: request, as: poster).text == "one 2 8x8")
        #expect(opener.opened.value == 1 && rig.asked == 2)
        withExtendedLifetime(scratch) {}
    }

    @Test func `a film whose server goes away is a failed load`() async throws {
        let rig = RenditionRig()
        let opener = FilmOpener(breaksOff: true)
        let pipeline = rig.pipeline { $0.remoteOpener = opener }
        let error = await #expect(throws: PipelineError.self) {
            try await pipeline.data(for: request, as: poster)
        }
        #expect(error?.name == "dataLoadingFailed" && error?.httpStatus == 502)
        #expect(pipeline.activeTaskCount == 0 && rig.encodes.value == 0)
    }

    @Test func `a body without a length is read as far as its picture`() async throws {
        let bytes = Given.gif(frames: 3, width: 8, height: 8)
        let loader = ScriptedLoader { request in
            .init(
                Given.split(bytes, 3),
                head: ResponseHead(
                    url: request.url, headers: ["ETag": "\"1\""], origin: .network))
        }
        let rig = RenditionRig()
        let pipeline = rig.pipeline { $0.dataLoader = loader }
        let response = try await pipeline.data(for: request, as: poster)
        #expect(try response.text == "one 1 8x8" && response.head.tag?.isWeak == false)
        #expect(loader.requests.count == 1)
    }
}

/// Opens a film by ranges, whose server may break off behind the signature.
private final class FilmOpener: RemoteOpening {
    let opened = Counter()
    private let breaksOff: Bool

    init(breaksOff: Bool = false) { self.breaksOff = breaksOff }

    func open(_ request: LoadRequest) async throws(LoadingError) -> RemoteOpened {
        opened.add()
        let head = ResponseHead(
            url: request.url, headers: ["ETag": "\"1\"", "Cache-Control": "max-age=600"],
            origin: .network)
        let film = FilmBytes(readable: breaksOff ? 13 : .max)
        return .ranges(RemoteMedia(bytes: film, type: .gif, head: head, bytesRead: { 13 }))
    }
}

private final class FilmBytes: ByteSource {
    private let bytes = Given.gif(frames: 3, width: 8, height: 8)
    private let readable: Int
    var count: Int { bytes.count }
    var isRemote: Bool { true }

    init(readable: Int) { self.readable = readable }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        guard offset < readable else {
            let reason = LoadingError(.reset, "The connection broke.")
            throw MediaError(.environment, reason.message, underlying: reason)
        }
        let part = bytes[min(offset, count)..<min(count, readable)].prefix(buffer.count)
        buffer.copyBytes(from: part)
        return part.count
    }

    func contiguous() throws(MediaError) -> MemoryBytes {
        try MemoryBytes(capacity: count) { (buffer) throws(MediaError) in
            var filled = 0
            while filled < count {
                filled += try read(at: filled, into: .init(rebasing: buffer[filled...]))
            }
            return filled
        }
    }
}
