internal import LazyBytes
internal import LazyMedia

// Pictures of what has arrived so far, through the same processors as the final one.
extension ImagePipeline {
    /// Makes previews while a download is under way, from when somebody wants them.
    func makePreviews(of data: DataWork, for work: ImageWork) {
        guard work.request.selection == .all else { return }
        work.previews.offer { [self] in
            var loop: PreviewLoop?
            for await body in data.output.partials {
                guard !Task.isCancelled else { return }
                // Another address has taken the place of one that could not be loaded to its end.
                let present = loop?.body === body ? loop : nil
                let next = present ?? PreviewLoop(body, configuration)
                loop = next
                await look(at: body, next, work)
            }
        }
    }

    /// Whether previews are made: for all, or for a request that asks for them.
    func isProgressive(_ request: ImageRequest) -> Bool {
        configuration.isProgressiveDecodingEnabled || request.options.contains(.progressive)
    }

    private func look(at body: GrowingBody, _ loop: PreviewLoop, _ work: ImageWork) async {
        let clock = configuration.clocks.steady
        let count = Int(body.progress.completed)
        var answer = loop.gate.didReceive(count, at: clock.now)
        if answer == .ask {
            loop.gate.didDecide(await policy(for: body.blob, work.request))
            answer = loop.gate.didReceive(count, at: clock.now)
        }
        guard case .make(let policy) = answer else { return }
        guard let ticket = await acquire(work.id, .decoding) else { return }
        defer { release(ticket) }
        // The download may have ended during the wait.
        guard !Task.isCancelled else { return }
        // The newest bytes, not those from before the wait.
        let prefix = body.blob
        let size = work.request.thumbnail?.size
        let preview = await BlockingPool.shared.run {
            loop.maker.makePreview(of: prefix, policy: policy, size: size)
        }
        loop.gate.didFinish(hasPreview: preview != nil)
        guard var preview, !Task.isCancelled else { return }
        preview.isPreview = true
        publish(preview, work)
    }

    private func policy(for prefix: Blob, _ request: ImageRequest) async -> PreviewPolicy {
        let decoders = configuration.decoders
        let type = await BlockingPool.shared.run {
            (try? decoders.type(of: BlobBytes(prefix))) ?? .unknown
        }
        let own = delegate?.previewPolicy(
            for: type, prefix: prefix, request: request, pipeline: self)
        return own ?? PreviewMaker.defaultPolicy(for: type, prefix: prefix)
    }

    /// Processes the previews of the picture below; what comes while one is at work is passed over.
    func processPreviews(
        of below: ImageWork, by processor: any ImageProcessing, for work: ImageWork
    ) {
        work.previews.offer { [self] in
            for await preview in below.output.partials {
                guard !Task.isCancelled, let ticket = await acquire(work.id, .processing) else {
                    return
                }
                guard !Task.isCancelled else { return release(ticket) }
                let processed = try? await Self.apply(processor, to: preview)
                release(ticket)
                guard var processed, !Task.isCancelled else { continue }
                processed.isPreview = true
                publish(processed, work)
            }
        }
    }

    /// Hands a preview to those tasks of a node that want it, and to what is made of it.
    private func publish(_ preview: ImageContainer, _ work: ImageWork) {
        let tasks = state.withLock { state -> [ImageTask]? in
            guard state.graph.contains(work.id) else { return nil }
            return state.graph.tasks(of: work.id).compactMap { state.imageTasks[$0] }.filter {
                isProgressive($0.request)
            }
        }
        guard let tasks else { return }
        work.output.publish(preview)
        let request = work.request
        if configuration.isStoringPreviewsInMemoryCache, !tasks.isEmpty,
            !request.options.contains(.disableMemoryCacheWrites)
        {
            let key = ImageCacheKey(request)
            let cache = imageCache(for: request)
            cache?[key] = preview
            makeWay(in: cache, key, work)
        }
        for task in tasks { task.didPreview(preview) }
    }

    /// Takes a preview out of the memory cache whose final picture has come meanwhile.
    private func makeWay(in cache: (any ImageCaching)?, _ key: ImageCacheKey, _ work: ImageWork) {
        guard state.withLock({ !$0.graph.contains(work.id) }) else { return }
        if cache?[key]?.isPreview == true { cache?[key] = nil }
        // Whoever has finished may have put the picture there before it was taken out.
        guard case .success(let image) = work.output.result?.result, image.substitute == nil else {
            return
        }
        cache?[key] = image.container
    }
}

/// What one loop of previews keeps from one to the next.
///
/// Unchecked: the one task of the loop uses it, step by step.
private final class PreviewLoop: @unchecked Sendable {
    let body: GrowingBody
    let maker: PreviewMaker
    var gate: PreviewGate

    init(_ body: GrowingBody, _ configuration: ImagePipeline.Configuration) {
        self.body = body
        maker = PreviewMaker(
            decoders: configuration.decoders, limits: configuration.limits,
            delayRule: configuration.delayRule)
        gate = PreviewGate(interval: configuration.progressiveDecodingInterval)
    }
}
