internal import LazyBase
internal import LazyLoading
internal import LazyMedia
internal import Tracing

/// The work that encodes a finished image into the data cache.
struct StoreNode: LoadNode {
    let pipeline: ImagePipeline
    let unit: WorkUnit<Void, Never>
    private let container: ImageContainer
    private let encoder: any MediaEncoding
    private let cache: any DataCaching
    private let store: PendingStore

    /// Creates the work for an image with tasks, if the policy stores it; the caller starts it.
    ///
    /// It is pending from now on: `flush` waits for it, and a removal cancels it.
    static func make(_ image: LoadedImage, for node: ImageNode) -> StoreNode? {
        let (pipeline, request) = (node.pipeline, node.request)
        guard image.substitute == nil, !request.options.contains(.disableDiskCacheWrites),
            let cache = pipeline.dataCache(for: request), pipeline.storesFinished(request),
            pipeline.graph.hasTasks(node.unit.id),
            let encoder = pipeline.encoder(for: image.container, request)
        else { return nil }
        let store = PendingStore(task: pipeline.makeID(), key: request.encodedKeyText)
        pipeline.stores.add(store)
        let unit: WorkUnit<Void, Never>? = pipeline.graph.subscribe(
            .background(store.task), to: nil, of: request, start: { _ in })
        guard let unit else {
            pipeline.stores.remove(store)
            return nil
        }
        return StoreNode(
            pipeline: pipeline, unit: unit, container: image.container, encoder: encoder,
            cache: cache, store: store)
    }

    func start() {
        unit.start { [self] in
            await encode()
            graph.finish(unit, WorkResult(.success(()))) { _ in }
            pipeline.stores.remove(store)
        }
    }

    private func encode() async {
        guard let ticket = await graph.acquire(.encoding, for: unit.id) else { return }
        defer { graph.release(ticket) }
        let began = clock.now
        let span = startSpan("lazyimg.encode")
        defer { span.end() }
        guard !Task.isCancelled,
            // Encoders block.
            let encoded = await withTaskExecutorPreference(
                BlockingPool.shared, operation: { await encoder.blob(of: container) })
        else { return }
        pipeline.metrics.encoding.record(clock.now - began)
        guard let blob = pipeline.willCache(encoded, of: container, for: request),
            !Task.isCancelled
        else { return }
        let note = StoredImageMetadata.metadata(of: container)
        await BlockingPool.disk.run { [cache, store] in
            cache.storeData(blob, metadata: note, for: store.key)
            // The entry may have been removed before it was stored.
            if store.isRemoved { cache.removeData(for: store.key) }
        }
    }
}
