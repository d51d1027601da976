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
        RenditionTask(ids: (makeID(), makeID()), request, rendition, part, owner: self)
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
    package func readyResponse(
        for request: ImageRequest, as rendition: Rendition, part: Rendition.Part = .main
    ) -> RenditionTask.Response? {
        guard delegate == nil, !graph.isClosed, let entry = freshEntry(request, rendition, part)
        else { return nil }
        metrics.memoryHits.increment()
        return response(of: entry.result, entry.freshness, .memory)
    }

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
