internal import LazyBase

/// The streams that report phases; they end when this is released.
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
