internal import LazyBase
internal import Logging
internal import Metrics
internal import Tracing

// What tasks report, for the delegate, metrics and the log.
extension ImagePipeline: TaskOwner {
    var clock: any SteadyClock { configuration.clocks.steady }

    var observesEvents: Bool { delegate != nil }

    func setPriority(_ priority: Priority, of task: Int) { graph.setPriority(priority, of: task) }

    func leave(_ task: Int) { graph.leave(task) }

    func didStart(_ task: ImageTask, isNew: Bool) {
        metrics.started.increment()
        if !isNew {
            metrics.coalesced.increment()
            task.didJoin()
        }
        delegate?.imageTaskDidStart(task, pipeline: self)
    }

    func didHappen(_ event: ImageTask.Event, to task: ImageTask) {
        delegate?.imageTask(task, didReceive: event, pipeline: self)
    }

    func didEnd(_ task: ImageTask, _ event: ImageTask.Event, _ summary: TaskSummary) {
        configuration.logger.debug("\(summary)", metadata: ["task": "\(task.id)"])
        guard let delegate else { return }
        delegate.imageTask(task, didReceive: event, pipeline: self)
        delegate.imageTask(task, didFinish: summary, pipeline: self)
    }

    /// Does the work of a stage in a span, a child of the span in which the task was created.
    func spanned<Value>(
        _ stage: Stage, _ body: () async throws(PipelineError) -> Value
    ) async throws(PipelineError) -> Value {
        // Without a tracer, the calls around the work cost more than many a load.
        if InstrumentationSystem.tracer is NoOpTracer { return try await body() }
        let span = startSpan(stage.spanName)
        defer { span.end() }
        let result = await ServiceContext.$current.withValue(span.context) {
            () async -> Result<Value, PipelineError> in
            do throws(PipelineError) { return .success(try await body()) } catch {
                return .failure(error)
            }
        }
        if case .failure(let error) = result { span.recordError(error) }
        return try result.get()
    }

    /// Counts the bytes of a download and the hits of the disk caches.
    func count(_ record: WorkRecord) {
        if record.networkBytes > 0 { metrics.networkBytes.increment(by: record.networkBytes) }
        if record.storeBytes > 0 { metrics.storeBytes.increment(by: record.storeBytes) }
        if record.cacheType == .disk { metrics.diskHits.increment() }
    }

    func willEnd(with result: Result<ImageResponse, PipelineError>) {
        switch result {
        case .success: metrics.succeeded.increment()
        case .failure(.cancelled): metrics.cancelled.increment()
        case .failure: metrics.failed.increment()
        }
    }
}

extension Stage {
    fileprivate var spanName: String {
        switch self {
        case .loading: "lazyimg.fetch"
        case .decoding: "lazyimg.decode"
        case .processing: "lazyimg.process"
        case .encoding: "lazyimg.encode"
        case .rendering: "lazyimg.render"
        }
    }
}
