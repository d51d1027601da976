internal import LazyBase
internal import LazyLoading
internal import LazyMedia
internal import LazyRenditions
internal import Metrics

/// The parts of a rendition that were made or found.
struct MadeRendition: Sendable {
    var responses: [Rendition.Part: RenditionTask.Response]
    /// Whether these are all parts; false if a store had the one that was looked for.
    var isWhole: Bool

    /// A part; the first page of a sheet is the whole where it has one only.
    func response(of part: Rendition.Part) -> RenditionTask.Response? {
        switch part {
        case .main: responses[.main] ?? responses[.page(0)]
        case .page(0): responses[.page(0)] ?? responses[.main]
        default: responses[part]
        }
    }
}

/// The partial output is the number of bytes that are written.
typealias RenditionWork = WorkUnit<MadeRendition, Int>

/// The work that makes a rendition of a request: the version of its source, the stores, and if they have none the
/// bytes, the frames and the encoders.
///
/// Bytes are given out when all are made: a failure cannot be told to a client that has the beginning, and most formats
/// are complete at their end only.
struct RenditionNode: LoadNode {
    let pipeline: ImagePipeline
    let unit: RenditionWork
    let rendition: Rendition
    let part: Rendition.Part
    /// What the head of the first task has told.
    private let known: KnownSource?

    /// Subscribes to the making of a rendition.
    @discardableResult
    static func subscribe(
        _ subscriber: GraphSubscriber, to rendition: Rendition, part: Rendition.Part,
        of request: ImageRequest, known: KnownSource? = nil, in pipeline: ImagePipeline,
        didJoin: (LoadGraph.Subscription<MadeRendition, Int>) -> Void = { _ in }
    ) -> RenditionWork? {
        let isShared = pipeline.configuration.isTaskCoalescingEnabled
        return pipeline.graph.subscribe(
            subscriber, to: isShared ? .rendition(rendition, of: request) : nil, of: request,
            didJoin: didJoin
        ) { unit in
            let node = RenditionNode(
                pipeline: pipeline, unit: unit, rendition: rendition, part: part, known: known)
            unit.start { await node.run() }
        }
    }

    private func run() async {
        do throws(PipelineError) {
            finish(.success(try await found()))
        } catch {
            finish(.failure(error))
        }
    }

    private func found() async throws(PipelineError) -> MadeRendition {
        let (resolved, identity) = try await pipeline.resolved(rendition)
        var source = try await source(for: rendition, held: known)
        let results = pipeline.results(for: request)
        if let version = source.version,
            let found = await found(key(version, identity), results, source.freshness)
        {
            return found
        }
        tellHeads(source, identity)
        let material = try await material(of: &source, for: resolved)
        let before = source.version
        let version = await version(of: source, material)
        if case .bytes(let data) = material { source.keep(data, version: version) }
        // Only now is it known what its bytes are.
        if let version, version != before,
            let found = await found(key(version, identity), results, source.freshness)
        {
            return found
        }
        var made = try await make(resolved, of: material)
        if case .ranges(let media) = material, !unit.flag.isCancelled { source.giveBack(media) }
        made.report.rendition = rendition
        let isKept = version != nil && !material.isSubstitute
        var responses: [Rendition.Part: RenditionTask.Response] = [:]
        for (part, bytes) in made.parts {
            let key = isKept ? key(version ?? "", identity, part) : nil
            responses[part] = await response(
                bytes, of: made.report, key, identity, results, source.freshness)
        }
        return MadeRendition(responses: responses, isWhole: true)
    }

    // MARK: - The source

    /// Tells tasks what is known before it is made.
    private func tellHeads(_ source: KnownSource, _ identity: Rendition) {
        guard let version = source.version else { return }
        for case let task as RenditionTask in graph.tasks(above: unit.id) {
            let key = key(version, identity, task.part)
            task.didLearn(pipeline.head(of: identity, task.part, key, source.freshness), from: nil)
        }
    }

    /// The version of the very bytes that it is made of.
    private func version(of source: KnownSource, _ material: Material) async -> String? {
        guard case .bytes(let data) = material else { return source.version }
        if let head = data.head, let version = KnownSource.version(of: request, head) {
            return version
        }
        if let version = source.version { return version }
        return await BlockingPool.shared.run { try? KnownSource.version(of: data.blob) }
    }

    // MARK: - Stores

    private func key(
        _ version: String, _ identity: Rendition, _ part: Rendition.Part? = nil
    ) -> Rendition.Key {
        Rendition.Key(
            image: ImageCacheKey(request), rendition: identity, version: version,
            part: part ?? self.part)
    }

    private func found(
        _ key: Rendition.Key, _ results: ResultStores, _ freshness: SourceFreshness
    ) async -> MadeRendition? {
        guard let found = await results.result(for: key) else { return nil }
        results.keep(found.result, for: key, freshness)
        unit.charge { $0.cacheType = found.cacheType }
        if found.cacheType == .memory {
            pipeline.metrics.memoryHits.increment()
        } else {
            pipeline.metrics.diskHits.increment()
        }
        let response = pipeline.response(of: found.result, freshness, found.cacheType)
        return MadeRendition(responses: [part: response], isWhole: false)
    }

    /// Stores a part that was made, if it has a key; the response is the one that the stores have.
    private func response(
        _ bytes: (type: MediaType, body: Blob), of report: Rendition.Report, _ key: Rendition.Key?,
        _ identity: Rendition, _ results: ResultStores, _ freshness: SourceFreshness
    ) async -> RenditionTask.Response {
        let json = report.json
        if let key, let body = pipeline.willCache(bytes.body, of: nil, for: request),
            let digest = await BlockingPool.shared.run({ try? RenditionTask.Tag.text(of: body) })
        {
            let result = Rendition.Stored(
                body: body, byteCount: body.count, type: bytes.type, digest: digest, report: json)
            let store = PendingStore(task: pipeline.makeID(), key: key.text)
            pipeline.stores.add(store)
            let winner = await results.put(result, for: key, freshness)
            if store.isRemoved { await pipeline.removeResult(key, of: request) }
            pipeline.stores.remove(store)
            if let winner { return pipeline.response(of: winner, freshness, nil) }
        }
        var head = pipeline.head(of: identity, key?.part ?? .main, key, freshness)
        (head.type, head.byteCount) = (bytes.type, bytes.body.count)
        return RenditionTask.Response(head: head, body: bytes.body, report: json)
    }

    // MARK: - The end

    private func finish(_ result: Result<MadeRendition, PipelineError>) {
        let part = part
        graph.finish(unit, WorkResult(result, unit.record)) { tasks in
            for case let task as RenditionTask in tasks {
                switch result {
                case .failure(let error): task.fail(error)
                case .success(let made):
                    if let response = made.response(of: task.part) {
                        task.end(.success(response))
                    } else if made.isWhole || task.part == part {
                        task.fail(.decodingFailed(Self.noPart(task.part)))
                    } else {
                        // The store had another part.
                        pipeline.make(task, of: nil)
                    }
                }
            }
        }
    }

    private static func noPart(_ part: Rendition.Part) -> MediaError {
        MediaError(.notFound, "The rendition has no part \(part).")
    }
}
