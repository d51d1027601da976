internal import LazyBase

/// One kind of work of a load; each kind is read from top to bottom in its own file.
protocol LoadNode: Sendable {
    associatedtype Value: Sendable
    associatedtype Partial: Sendable

    var pipeline: ImagePipeline { get }
    var unit: WorkUnit<Value, Partial> { get }
}

extension LoadNode {
    var request: ImageRequest { unit.request }
    var configuration: ImagePipeline.Configuration { pipeline.configuration }
    var graph: LoadGraph { pipeline.graph }
    var clock: any SteadyClock { pipeline.clock }

    /// Waits for a slot in a stage, works there, and measures both.
    func inStage<Result>(
        _ stage: Stage, isOutsideQueue: Bool = false,
        _ body: () async throws(PipelineError) -> Result
    ) async throws(PipelineError) -> Result {
        let asked = clock.now
        guard
            let ticket = await graph.acquire(stage, for: unit.id, isOutsideQueue: isOutsideQueue)
        else { throw .cancelled }
        defer { graph.release(ticket) }
        let began = clock.now
        unit.charge { $0.queued += began - asked }
        pipeline.metrics.queued.record(began - asked)
        if Task.isCancelled { throw .cancelled }
        defer {
            let duration = clock.now - began
            unit.charge { $0.add(duration, in: stage) }
            pipeline.metrics.timer(of: stage).record(duration)
        }
        return try await pipeline.spanned(stage, body)
    }

    /// Waits for the node that this one depends on, and adds its cost.
    func output<V, P>(of work: WorkUnit<V, P>) async throws(PipelineError) -> V {
        let outcome = if let result = work.output.result { result } else { await work.output.value }
        unit.previews.end()
        unit.charge { $0.add(outcome.record) }
        return try outcome.result.get()
    }

    /// Waits until the rate limiter lets another load start.
    func waitForRate() async throws(PipelineError) {
        guard configuration.isRateLimiterEnabled else { return }
        while let instant = pipeline.limiter.withLock({ $0.take(at: clock.now) }) {
            do { try await clock.sleep(until: instant) } catch { throw .cancelled }
        }
    }

    /// Calls the closure of a request's source.
    func made<Source>(
        by load: @Sendable () async throws -> Source
    ) async throws(PipelineError) -> Source {
        if request.options.contains(.returnCacheDataDontLoad) { throw .dataMissingInCache }
        return try await inStage(.loading, isOutsideQueue: request.skipsQueue) {
            () async throws(PipelineError) -> Source in
            do { return try await load() } catch let error as PipelineError { throw error } catch {
                let isCancelled = error is CancellationError || Task.isCancelled
                throw isCancelled ? .cancelled : .sourceFailed(error)
            }
        }
    }
}
