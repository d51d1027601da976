internal import LazyBase
internal import LazyLoading

// Delayed downloads, which wait outside the queue of loads.
extension LoadNode {
    /// Waits for the shortest delay of all subscribers.
    ///
    /// Returns at once with a stored response, or nil after the delay.
    func delayDownload() async throws(PipelineError) -> LoadResponse? {
        // If the first subscriber does not wait, or may not load, there is no delay.
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
            let store = configuration.dataLoader as? any StoredResponseLoading
        else { return nil }
        let approved = try await pipeline.approved(load, for: request)
        // Without a stored response the load continues.
        return try? await store.storedResponse(to: approved)
    }
}
