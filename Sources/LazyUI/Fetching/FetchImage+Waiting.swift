internal import LazyBytes
public import LazyPipeline

extension FetchImage {
    /// The answer, once it is there; begins the load where none has begun.
    ///
    /// A load that has failed throws why; `fetch()` begins it anew. Throws `.cancelled` where the
    /// load is cancelled, or replaced by that of another request, and where the task that waits is;
    /// then the load goes on. Throws `.requestMissing` where there is nothing to load.
    @discardableResult
    public func loaded() async throws(PipelineError) -> ImageResponse {
        guard source != nil else { throw .requestMissing }
        if result == nil { fetch() }
        if let result { return try result.get() }
        return try await waiters.wait().get()
    }

    /// What a place for the picture is to show.
    public var phase: LoadPhase {
        switch result {
        case .success(let response): return .success(response.container)
        case .failure(let error):
            return .failure(error) { [weak self] in self?.fetch() }
        case nil:
            if let container {
                return container.isPreview ? .preview(container) : .success(container)
            }
            return isLoading ? .inProgress(progress) : .empty
        }
    }

    /// The phase now, and each one that takes its place; each use is a stream of its own.
    ///
    /// A phase that was not taken in time gives way to the next one, so that the last one always
    /// comes. The stream ends when the model is released, which it does not keep, or when the task
    /// that reads it is cancelled.
    ///
    /// ```swift
    /// for await phase in image.phases { print(phase.name) }
    /// ```
    public var phases: AsyncStream<LoadPhase> { phaseListeners.add(phase) }
}

/// Those who wait for the end of a load.
@MainActor final class LoadWaiters {
    private typealias Waiter = CheckedContinuation<FetchImage.Outcome, Never>
    private var waiters: [Int: Waiter] = [:]
    private var lastID = 0
    var count: Int { waiters.count }

    /// Waits for the end, or for the cancellation of the task that waits.
    func wait() async -> FetchImage.Outcome {
        lastID += 1
        let id = lastID
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiters[id] = $0 }
        } onCancel: {
            // Ends with the one turn that it takes; the waiter is in its place by then.
            Task { @MainActor in
                self.waiters.removeValue(forKey: id)?.resume(returning: .failure(.cancelled))
            }
        }
    }

    func end(_ outcome: FetchImage.Outcome) {
        let ended = waiters
        waiters = [:]
        for waiter in ended.values { waiter.resume(returning: outcome) }
    }
}

/// The streams that tell of phases; they end when this is released.
final class PhaseListeners: Sendable {
    private struct State {
        var lastID = 0
        var continuations: [Int: AsyncStream<LoadPhase>.Continuation] = [:]
    }
    private let state = Locked(State())

    deinit {
        for continuation in state.withLock({ $0.continuations }).values { continuation.finish() }
    }

    func add(_ phase: LoadPhase) -> AsyncStream<LoadPhase> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: LoadPhase.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield(phase)
        let id = state.withLock { state in
            state.lastID += 1
            state.continuations[state.lastID] = continuation
            return state.lastID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.continuations.removeValue(forKey: id) }
        }
        return stream
    }

    func tell(_ phase: () -> LoadPhase) {
        let continuations = state.withLock { Array($0.continuations.values) }
        if continuations.isEmpty { return }
        let phase = phase()
        for continuation in continuations { continuation.yield(phase) }
    }
}
