extension FetchImage {
    /// The response, once it is there; starts the load if none has been started.
    ///
    /// Throws the error of a failed load; `fetch()` retries it. Throws `.cancelled` if the
    /// load is cancelled or replaced by that of another request, or if the waiting task is cancelled,
    /// in which case the load continues. Throws `.requestMissing` if there is nothing to load.
    @discardableResult
    public func loaded() async throws(PipelineError) -> ImageResponse {
        guard machine.source != nil else { throw .requestMissing }
        if machine.result == nil { fetch() }
        if let result = machine.result { return try result.get() }
        let (outcomes, waiter) = AsyncStream.makeStream(of: Outcome.self)
        waiters.append(waiter)
        for await outcome in outcomes { return try outcome.get() }
        throw .cancelled
    }

    func resumeWaiters(with outcome: Outcome) {
        if waiters.isEmpty { return }
        for waiter in waiters { waiter.yield(outcome) }
        waiters = []
    }

    /// What a view of the image is to show.
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

    /// The current phase and each one that follows; each call returns a new stream.
    ///
    /// A phase that is not read in time is replaced by the next one, so that the last one always
    /// arrives. The stream does not retain the model; it ends when the model is released or when the
    /// reading task is cancelled.
    ///
    /// ```swift
    /// for await phase in image.phases { print(phase.name) }
    /// ```
    public var phases: AsyncStream<LoadPhase> {
        let (phases, listener) = AsyncStream.makeStream(
            of: LoadPhase.self, bufferingPolicy: .bufferingNewest(1))
        listener.yield(phase)
        phaseListeners.append(listener)
        return phases
    }
}
