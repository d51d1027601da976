package import LazyBase
package import LazyLoading
internal import LazyMedia
public import LazyRenditions
internal import Metrics

extension ImagePipeline {
    /// A task for a rendition of what a request names; see ``RenditionTask``.
    ///
    /// A request with processors, a thumbnail or a selection is made of what it shows; a plain one loads no more than
    /// the rendition needs, so that edits are better a part of the rendition.
    public func renditionTask(
        for request: ImageRequest, as rendition: Rendition, part: Rendition.Part = .main
    ) -> RenditionTask {
        renditionTask(for: request, as: rendition, part: part, of: nil)
    }

    /// The same for what another task for the same request has learned of the source, so that it is loaded once.
    package func renditionTask(
        for request: ImageRequest, as rendition: Rendition, part: Rendition.Part = .main,
        of source: (any HeldSource)?
    ) -> RenditionTask {
        RenditionTask(
            ids: (makeID(), makeID()), request, rendition, part, held: source, owner: self)
    }

    /// The bytes of a source of which a task has learned: those that are loaded, else the rest of what has begun.
    nonisolated(nonsending) package func data(
        for request: ImageRequest, of source: (any HeldSource)?
    ) async throws(PipelineError) -> (data: Blob, head: ResponseHead?) {
        let known = source as? KnownSource
        if let loaded = known?.loaded { return (loaded.blob, loaded.head) }
        let holder = makeID()
        if let known, known.hasResponse {
            let _: DataWork? = DataNode.subscribe(
                .background(holder), to: request, in: self, begun: known.takeResponse())
        }
        defer { graph.leave(holder) }
        return try await data(for: request)
    }

    /// The encoded bytes of a rendition of what a request names, with their head and report.
    ///
    /// Equal requests share the work from the download to the last byte, and what was made is stored. Throws before
    /// there are bytes, never after.
    nonisolated(nonsending) public func data(
        for request: ImageRequest, as rendition: Rendition, part: Rendition.Part = .main
    ) async throws(PipelineError) -> RenditionTask.Response {
        if let ready = readyResponse(for: request, as: rendition, part: part) { return ready }
        return try await renditionTask(for: request, as: rendition, part: part).response
    }

    /// The bytes, where memory has them and their source need not be asked for.
    ///
    /// With a time also where it was fresh not longer ago than that, and its server does not forbid it.
    package func readyResponse(
        for request: ImageRequest, as rendition: Rendition, part: Rendition.Part = .main,
        staleFor time: Duration = .zero
    ) -> RenditionTask.Response? {
        guard delegate == nil, !graph.isClosed,
            let entry = freshEntry(request, rendition, part, staleFor: time)
        else { return nil }
        metrics.memoryHits.increment()
        var response = response(of: entry.result, entry.freshness, .memory)
        response.repetition = .init(entry, clock)
        return response
    }

    /// Counts a result of memory that was sent without asking for it.
    package func didRepeat() { metrics.memoryHits.increment() }

    /// What is known of a rendition before it is made: type, tag, age, and the length where it is stored.
    ///
    /// Without a download and without decoding; what is stale or unknown costs one request. To go on with that, ask a
    /// task for its `head` and then its `response`.
    public func head(
        for request: ImageRequest, as rendition: Rendition, part: Rendition.Part = .main
    ) async throws(PipelineError) -> RenditionTask.Head {
        try await renditionTask(for: request, as: rendition, part: part).head
    }
}
