internal import LazyBytes
internal import LazyLoading

// Downloads that may turn out not to be wanted wait, outside the queue of loads.
extension LoadNode {
    /// Waits as long as the least patient subscriber allows.
    ///
    /// Returns at once with a response that the store has, else nil.
    func delayDownload() async throws(PipelineError) -> LoadResponse? {
        // Where the first subscriber does not wait, or may not load, there is no delay.
        guard request.downloadDelay > .zero,
            let load = configuration.loadRequest(for: request), load.policy != .cacheOnly
        else { return nil }
        if let start = graph.earliestStart(of: unit.id), start > clock.now,
            let stored = try await storedResponse(to: load)
        {
            return stored
        }
        while let pause = graph.beginPause(unit.id, at: clock.now) {
            await pause.wait(on: clock)
            graph.didEnd(pause, of: unit.id)
            if Task.isCancelled { throw .cancelled }
        }
        return nil
    }

    private func storedResponse(
        to load: LoadRequest
    ) async throws(PipelineError) -> LoadResponse? {
        guard pipeline.ownLoader(for: request) == nil,
            let store = configuration.dataLoader as? any StoredAnswering
        else { return nil }
        let approved = try await pipeline.approved(load, for: request)
        // What the store does not have is loaded.
        return try? await store.storedAnswer(to: approved)
    }
}
