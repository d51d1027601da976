internal import LazyBytes
internal import LazyLoading

/// The wait before a download, which others who want the same may end.
final class DownloadPause: Sendable {
    /// When it is over by itself.
    let moment: Duration
    private let state = Locked((sleep: Task<Void, Never>?.none, isOver: false))

    init(until moment: Duration) { self.moment = moment }

    /// Waits until its moment, its end by others, or the cancelling of the task that waits.
    func wait(on clock: any SteadyClock) async {
        let moment = moment
        // Owned by this wait, which ends with it.
        let sleep = Task { _ = try? await clock.sleep(until: moment) }
        let isOver = state.withLock { state in
            state.sleep = sleep
            return state.isOver
        }
        if isOver { sleep.cancel() }
        await withTaskCancellationHandler {
            await sleep.value
        } onCancel: {
            sleep.cancel()
        }
    }

    func end() {
        let sleep = state.withLock { state in
            state.isOver = true
            return state.sleep
        }
        sleep?.cancel()
    }
}

// Downloads that may turn out not to be wanted wait, outside the queue of loads.
extension ImagePipeline {
    /// Waits as long as the most impatient of those who want the bytes would have it.
    ///
    /// What a store has is taken at once.
    func delayDownload(_ work: DataWork) async throws(PipelineError) {
        guard let stored = try await delayed(work.id, work.request) else { return }
        work.begin(with: stored)
    }

    /// The same for any node: what a store has at once, or nil behind the wait.
    func delayed(
        _ node: WorkGraph.NodeID, _ request: ImageRequest
    ) async throws(PipelineError) -> LoadResponse? {
        // Where the first who asked has no patience, or no leave, there is nothing to wait for.
        guard request.downloadDelay > .zero, plainLoad(of: request)?.policy != .cacheOnly else {
            return nil
        }
        let clock = configuration.clocks.steady
        if let moment = state.withLock({ $0.earliestStart(of: node) }), moment > clock.now,
            let stored = try await storedAnswer(to: request)
        {
            return stored
        }
        while let pause = beginPause(node, at: clock.now) {
            await pause.wait(on: clock)
            state.withLock { if $0.pauses[node] === pause { $0.pauses[node] = nil } }
            if Task.isCancelled { throw .cancelled }
        }
        return nil
    }

    private func beginPause(_ node: WorkGraph.NodeID, at now: Duration) -> DownloadPause? {
        state.withLock { state in
            guard let moment = state.earliestStart(of: node), moment > now else { return nil }
            let pause = DownloadPause(until: moment)
            state.pauses[node] = pause
            return pause
        }
    }

    private func storedAnswer(
        to request: ImageRequest
    ) async throws(PipelineError) -> LoadResponse? {
        guard delegate?.dataLoader(for: request, pipeline: self) == nil,
            let store = configuration.dataLoader as? any StoredAnswering,
            let load = plainLoad(of: request)
        else { return nil }
        let approved = try await approved(load, request)
        // What the store cannot give is loaded.
        return try? await store.storedAnswer(to: approved)
    }
}

extension ImagePipeline.State {
    /// When the first of those who want a node would have its download begin.
    func earliestStart(of node: WorkGraph.NodeID) -> Duration? {
        graph.tasks(above: node).compactMap { id in
            if let task = imageTasks[id] { return task.startedAt + task.request.downloadDelay }
            return dataTasks[id].map { $0.startedAt + $0.request.downloadDelay }
        }.min()
    }

    /// The pauses of a node and what it depends on that are too long for who would begin earlier.
    ///
    /// They are to be ended outside the lock, and begin anew where there is time left.
    mutating func takePauses(
        below node: WorkGraph.NodeID, beginning start: Duration
    ) -> [DownloadPause] {
        if pauses.isEmpty { return [] }
        return graph.chain(from: node).compactMap { node in
            guard let pause = pauses[node], start < pause.moment else { return nil }
            return pauses.removeValue(forKey: node)
        }
    }

    /// The same for work that comes to need a node.
    mutating func takePauses(
        below node: WorkGraph.NodeID, for work: WorkGraph.NodeID
    ) -> [DownloadPause] {
        guard !pauses.isEmpty, let start = earliestStart(of: work) else { return [] }
        return takePauses(below: node, beginning: start)
    }
}
