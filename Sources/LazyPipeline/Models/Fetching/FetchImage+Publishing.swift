internal import Observation

// Changes of published properties, and the callbacks that follow.
extension FetchImage {
    /// Makes a change in the transaction, then tells the streams of phases.
    func change(_ body: () -> Void) {
        if let transaction { transaction(body) } else { body() }
        if phaseListeners.isEmpty { return }
        let phase = phase
        phaseListeners.removeAll {
            if case .terminated = $0.yield(phase) { true } else { false }
        }
    }

    /// Publishes the next state, with the image of a response if one has arrived.
    func publish(_ next: LoadMachine, _ response: ImageResponse? = nil, isHit: Bool = false) {
        if let response { observer?.willShow(response, isHit: isHit) }
        change {
            take(next)
            if response != nil || next.container == nil { observer?.didShow(next.container) }
        }
    }

    /// Takes over a state as one change of all properties that differ.
    private func take(_ next: LoadMachine) {
        guard isRead else { return machine = next }
        let old = machine
        mutate(\.container, if: !ImageContainer.areSame(old.container, next.container)) {
            mutate(\.result, if: !old.hasSameResult(as: next)) {
                mutate(\.progress, if: old.progress != next.progress) {
                    mutate(\.isLoading, if: old.isLoading != next.isLoading) { machine = next }
                }
            }
        }
    }

    private func mutate<Value>(
        _ property: KeyPath<FetchImage, Value>, if isChanged: Bool, _ change: () -> Void
    ) {
        if isChanged { withMutation(keyPath: property, change) } else { change() }
    }

    // MARK: - Callbacks

    /// What waits for the next turn of the main actor.
    enum PendingCalls {
        /// The start of a load by an initializer.
        case start
        /// The end of a load that a cache answered.
        case end
    }

    func makePendingCalls() {
        let due = pending
        pending = nil
        switch due {
        case .start: if let task { onStart?(task) }
        case .end:
            if let container = machine.container { observer?.reportInfo(of: container) }
            if let result = machine.result { report(result) }
        case nil: break
        }
    }

    /// Reports the end of a load, and watches the network if the image is that for a constrained one.
    func finish(_ outcome: Outcome, isHit: Bool) {
        resumeWaiters(with: outcome)
        let revision = machine.revision
        if isHit {
            pending = .end
            NextTurn.add(self)
        } else {
            report(outcome)
        }
        // A callback may have started another load.
        if revision == machine.revision { didFinish() }
    }

    private func report(_ outcome: Outcome) {
        switch outcome {
        case .success(let response): onSuccess?(response)
        case .failure(let error): onFailure?(error)
        }
        onCompletion?(outcome)
    }
}

/// The next turn of the main actor, of which one is enough for all rows of a list.
@MainActor private enum NextTurn {
    private static var models: [FetchImage] = []

    static func add(_ model: FetchImage) {
        models.append(model)
        guard models.count == 1 else { return }
        // Ends after this one turn.
        Task {
            var due: [FetchImage] = []
            swap(&due, &models)
            // Nobody is called for a model that was released.
            for index in due.indices where !isKnownUniquelyReferenced(&due[index]) {
                due[index].makePendingCalls()
            }
        }
    }
}
