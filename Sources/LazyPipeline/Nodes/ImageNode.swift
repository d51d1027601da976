internal import LazyBase
internal import LazyLoading

extension ImagePipeline {
    /// Subscribes a task to the image of its request, and reports the present progress to it.
    func join(_ task: ImageTask, _ request: ImageRequest) {
        let priority = task.priority
        let work = ImageNode.subscribe(
            .task(task), to: request, in: self, wantsPreviews: isProgressive(request)
        ) { subscription in
            didStart(task, isNew: subscription.isNew)
            guard !subscription.isNew else { return }
            if let progress = subscription.progress { task.didProgress(progress) }
            if let preview = subscription.unit.output.partial, isWanted(preview, by: request) {
                task.didPreview(preview)
            }
        }
        guard work != nil else { return task.fail(.pipelineInvalidated) }
        // The delegate may have changed or ended the task before it had joined.
        if task.priority != priority { graph.setPriority(task.priority, of: task.id) }
        if task.result != nil { graph.leave(task.id) }
    }
}

/// The work that produces the image of a request.
///
/// The image comes from a cache, a closure, the image with one processor less, or from bytes.
struct ImageNode: LoadNode {
    let pipeline: ImagePipeline
    let unit: ImageWork

    /// The node that the image depends on.
    enum Source {
        case image(ImageWork)
        case data(DataWork)
    }

    /// Subscribes a task or another node to the image of a request.
    @discardableResult
    static func subscribe(
        _ subscriber: GraphSubscriber, to request: ImageRequest, in pipeline: ImagePipeline,
        wantsPreviews: @autoclosure () -> Bool,
        didJoin: (LoadGraph.Subscription<LoadedImage, LoadedImage>) -> Void = { _ in }
    ) -> ImageWork? {
        let isShared = pipeline.configuration.isTaskCoalescingEnabled
        return pipeline.graph.subscribe(
            subscriber, to: isShared ? .image(of: request) : nil, of: request,
            wantsPreviews: wantsPreviews(), didJoin: didJoin
        ) { ImageNode(pipeline: pipeline, unit: $0).start() }
    }

    /// Subscribes at once to the node that the image depends on, unless a cache is read first.
    ///
    /// What follows runs where it blocks: going from thread to thread costs more than reading many a header.
    private func start() {
        let cached = pipeline.cachedInMemory(request)
        if let cached, cached.isPreview {
            // The first preview, until the bytes have a better one.
            unit.previews.isInMemory = true
            publish(LoadedImage(container: cached, cacheType: .memory))
        }
        guard !isFinishedImageStored, cached?.isPreview != false, bytesInMemory == nil else {
            return unit.start { await run(nil) }
        }
        if let processor = request.processors.last {
            guard let work = subscribeToUnprocessed() else { return unit.start { await run(nil) } }
            processPreviews(of: work, by: processor)
            unit.start(after: work, on: .shared) { await run(.image(work)) }
        } else if request.hasBytes, !isRemotePoster, let work = subscribeToData() {
            makePreviews(of: work)
            unit.start(after: work, on: .shared) { await run(.data(work)) }
        } else {
            unit.start { await run(nil) }
        }
    }

    private func run(_ source: Source?) async {
        do throws(PipelineError) {
            let image = try await load(source)
            if isWantedInMemory(image) { keepInMemory(image) }
            let store = image.holder == nil ? StoreNode.make(image, for: self) : nil
            let isKept = isWantedInMemory(image)
            finish(.success(image))
            // A preview that was still being decoded may have replaced it.
            if isKept, unit.previews.isWanted { keepInMemory(image) }
            store?.start()
        } catch {
            finish(.failure(error))
        }
    }

    private func load(_ source: Source?) async throws(PipelineError) -> LoadedImage {
        // Another load may have finished the same image since this one began.
        if source == nil, let container = pipeline.cachedInMemory(request), !container.isPreview {
            unit.charge { $0.cacheType = .memory }
            return LoadedImage(container: container, cacheType: .memory)
        }
        if let stored = await storedFinished(), let image = try await decode(stored) {
            return image
        }
        if let processor = request.processors.last {
            return try await process(processor, source)
        }
        switch request.source {
        case .missing: throw .requestMissing
        case .image(_, let load):
            return LoadedImage(container: try await tailor(try await made(by: load)))
        case .url, .data:
            if source == nil, let blob = bytesInMemory { return try await decode(inMemory: blob) }
            guard isRemotePoster else { return try await decodeData(source, begun: nil) }
            switch try await readRemotely() {
            case .read(let image): return image
            case .begun(let response): return try await decodeData(source, begun: response)
            case .notAsked: return try await decodeData(source, begun: nil)
            }
        }
    }

    // MARK: - The data cache

    /// Whether the data cache may have the finished image.
    private var isFinishedImageStored: Bool {
        pipeline.mayStoreFinished(request) && request.readsDataCache
            && pipeline.dataCache(for: request) != nil
    }

    private func storedFinished() async -> CachedData? {
        guard isFinishedImageStored, let cache = pipeline.dataCache(for: request) else {
            return nil
        }
        let key = request.encodedKeyText
        let entry = await BlockingPool.disk.run { cache.cachedEntry(for: key) }
        guard let entry, entry.data.count > 0 else { return nil }
        return entry
    }

    /// Decodes a stored image; nil if that fails and it has to be loaded.
    private func decode(_ stored: CachedData) async throws(PipelineError) -> LoadedImage? {
        let job = DecodeJob(
            stored.data, for: request.finished, flag: unit.flag,
            sourceSize: StoredImageMetadata.sourceSize(stored.metadata))
        let container: ImageContainer
        do throws(PipelineError) {
            container = try await run(job)
        } catch {
            if case .cancelled = error { throw error }
            return nil
        }
        unit.charge {
            $0.storeBytes += stored.data.count
            $0.cacheType = .disk
        }
        pipeline.count(unit.record)
        return LoadedImage(container: container, cacheType: .disk)
    }

    // MARK: - The last processor

    private func subscribeToUnprocessed() -> ImageWork? {
        var unprocessed = request.keepingProcessors(request.processors.count - 1)
        if request.processors.last?.precedesThumbnail == true { unprocessed.thumbnail = nil }
        return Self.subscribe(
            .node(unit.id), to: unprocessed, in: pipeline, wantsPreviews: unit.previews.isWanted)
    }

    private func unprocessed(
        _ source: Source?, for processor: any ImageProcessing
    ) async throws(PipelineError) -> LoadedImage {
        if case .image(let work) = source { return try await output(of: work) }
        guard let work = subscribeToUnprocessed() else { throw .cancelled }
        processPreviews(of: work, by: processor)
        return try await output(of: work)
    }

    private func process(
        _ processor: any ImageProcessing, _ source: Source?
    ) async throws(PipelineError) -> LoadedImage {
        var image = try await unprocessed(source, for: processor)
        let container = image.container
        do throws(PipelineError) {
            image.container = try await inStage(.processing) {
                () async throws(PipelineError) in
                let processed = try await container.applying(processor)
                return processor.precedesThumbnail ? try await scaled(processed) : processed
            }
        } catch {
            throw error.of(image.head)
        }
        image.isProcessed = true
        return image
    }

    // MARK: - Bytes

    func subscribeToData(begun: LoadResponse? = nil) -> DataWork? {
        DataNode.subscribe(.node(unit.id), to: request, in: pipeline, begun: begun)
    }

    // MARK: - The end

    private func isWantedInMemory(_ image: LoadedImage) -> Bool {
        image.substitute == nil && image.holder != .memory
            && !request.options.contains(.disableMemoryCacheWrites) && graph.hasTasks(unit.id)
    }

    private func keepInMemory(_ image: LoadedImage) {
        pipeline.imageCache(for: request)?[ImageCacheKey(request)] = image.container
    }

    private func finish(_ result: Result<LoadedImage, PipelineError>) {
        let record = unit.record
        graph.finish(unit, WorkResult(result, record)) { tasks in
            for case let task as ImageTask in tasks {
                task.end(result.map { $0.response(to: task.request) }, record)
            }
        }
    }
}
